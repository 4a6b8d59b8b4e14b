//! The extension module `_mlir`: MLIR for Python, on the stable ABI.
//!
//! One file per concept. It sees MLIR only through the C API (`mondo-sys`), whose functions it finds
//! in the mondo library. `tie` and `tree` decide what keeps what alive.

mod affine;
mod arguments;
mod asm_state;
mod attribute;
mod block;
mod builtin_attributes;
mod builtin_types;
mod bundle;
mod callback;
mod capsule;
mod casters;
mod context;
mod current;
mod debug;
mod diagnostics;
mod dialects;
mod enums;
mod error;
mod execution_engine;
mod external_pass;
mod globals;
mod guarded;
mod insertion_point;
mod interfaces;
mod kinds;
mod left_out;
mod location;
mod module;
mod modules;
mod op_attributes;
mod operation;
mod operation_list;
mod passmanager;
mod printing;
mod region;
mod registration;
mod registry;
mod rewrite;
mod running;
mod sequence;
mod string;
mod successors;
mod symbol_table;
mod thread_pool;
mod tie;
mod traceback;
mod tree;
mod types;
mod uniqued;
mod use_list;
mod uses;
mod value;
mod value_lists;
mod value_methods;

use pyo3::prelude::*;
use pyo3::types::PyModule;

use modules::{add_class, submodule};

/// Adds classes to a module.
macro_rules! add_classes {
    ($module:expr, $($class:ty),+ $(,)?) => {
        $(add_class($module, $module.py().get_type::<$class>())?;)+
    };
}

/// MLIR for Python: the native part.
#[pymodule]
fn _mlir(module: &Bound<'_, PyModule>) -> PyResult<()> {
    bundle::check_links()?;
    bundle::install(module)?;
    capsule::set_root(module.py(), &module.name()?.to_string());

    let ir = submodule(module, "ir", "MLIR's intermediate representation.")?;
    tie::install(&ir)?;
    let types = tie::publish::<types::Type>(&ir, "Type")?;
    let attributes = tie::publish::<attribute::Attribute>(&ir, "Attribute")?;
    builtin_types::install(&ir, &types)?;
    builtin_attributes::install(&ir, &attributes)?;
    affine::install(&ir)?;
    tie::publish::<block::Block>(&ir, "Block")?;
    tie::publish::<region::Region>(&ir, "Region")?;
    tie::publish::<module::Module>(&ir, "Module")?;
    operation::install(&ir)?;
    value::install(&ir)?;
    registry::install(&ir)?;
    enums::install_ir(&ir)?;
    add_classes!(
        &ir,
        attribute::NamedAttribute,
        context::Context,
        current::CurrentProperty,
        diagnostics::Diagnostic,
        diagnostics::DiagnosticHandler,
        diagnostics::DiagnosticInfo,
        interfaces::InferShapedTypeOpInterface,
        interfaces::InferTypeOpInterface,
        interfaces::ShapedTypeComponents,
        region::BlockIterator,
        region::BlockList,
        region::RegionIterator,
        registration::AttrBuilder,
        registry::Dialect,
        registry::DialectDescriptor,
        registry::DialectRegistry,
        registry::Dialects,
        thread_pool::ThreadPool,
        asm_state::AsmState,
        insertion_point::InsertionPoint,
        symbol_table::SymbolTable,
        types::TypeID,
    );
    tie::publish_light::<location::Location>(&ir)?;
    tie::publish_light::<op_attributes::OpAttributeMap>(&ir)?;
    tie::publish_light::<operation_list::OperationIterator>(&ir)?;
    tie::publish_light::<operation_list::OperationList>(&ir)?;
    tie::publish_light::<region::RegionSequence>(&ir)?;
    tie::publish_light::<successors::BlockPredecessors>(&ir)?;
    tie::publish_light::<successors::BlockSuccessors>(&ir)?;
    tie::publish_light::<successors::OpSuccessors>(&ir)?;
    tie::publish_light::<use_list::OpOperand>(&ir)?;
    tie::publish_light::<use_list::OpOperandIterator>(&ir)?;
    tie::publish_light::<value_lists::BlockArgumentList>(&ir)?;
    tie::publish_light::<value_lists::OpOperandList>(&ir)?;
    tie::publish_light::<value_lists::OpResultList>(&ir)?;
    sequence::describe(
        &ir,
        &[
            ("BlockArgumentList", "BlockArgument"),
            ("BlockPredecessors", "Block"),
            ("BlockSuccessors", "Block"),
            ("OpOperandList", "Value"),
            ("OpResultList", "OpResult"),
            ("OpSuccessors", "Block"),
            ("RegionSequence", "Region"),
        ],
    )?;
    current::install(module.py())?;
    debug::install(&ir)?;
    registration::install(module)?;
    modules::set_ir(&ir);

    let passmanager = submodule(module, "passmanager", "Pass pipelines.")?;
    enums::install_passmanager(&passmanager)?;
    add_classes!(
        &passmanager,
        external_pass::ExternalPass,
        passmanager::PassManager
    );

    let rewrite = submodule(module, "rewrite", "Pattern rewriting.")?;
    rewrite::install(&rewrite)?;
    execution_engine::install(module)?;
    dialects::install(module)?;
    // PyO3 lists what was added to a module; `import *` is to follow the plain rules.
    module.delattr("__all__")
}
