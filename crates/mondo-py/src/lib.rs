//! The extension module `_mlir`: MLIR for Python, on the stable ABI.
//!
//! It uses MLIR through mondo-ir alone, which calls the mondo library. This file is the table of the
//! extension's submodules and classes. The folders below it are layers: each imports only those before it in
//! `interop`, `ownership`, `ir`, `affine`, `builtin`, `passes`, `rewrite`, `execution`, `dialects`.

#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the path of a method stands for one lifetime, and closures within a context are for any"
)]

mod affine;
mod builtin;
mod dialects;
mod execution;
mod interop;
mod ir;
mod ownership;
mod passes;
mod rewrite;

use pyo3::prelude::*;
use pyo3::types::PyModule;

use interop::submodules::{add_class, submodule};
use interop::{capsule, enums, submodules};
use ir::lists::{block_operations, blocks, region_blocks, regions, sequence, uses, values};
use ir::operation::attributes;
use ir::{
    asm_state, attribute, bundle_registration, context_stack, debug_output, diagnostics,
    dialect_registry, insertion_point, interfaces, location, location_classes, operation,
    registration_decorators, symbol_table, thread_pool, types, value,
};
use ownership::{block, context, module, region, wrapper};
use passes::{external, manager};

/// Adds classes to a module.
macro_rules! add_classes {
    ($module:expr, $($class:ty),+ $(,)?) => {
        $(add_class($module, $module.py().get_type::<$class>())?;)+
    };
}

/// MLIR for Python: the native part.
///
/// Free-threaded Python is not tested yet, so that the interpreter keeps its lock.
#[pymodule(gil_used = true)]
fn _mlir(module: &Bound<'_, PyModule>) -> PyResult<()> {
    bundle_registration::check_links()?;
    bundle_registration::install(module)?;
    capsule::set_root(module.py(), &module.name()?.to_string());

    let ir = submodule(module, "ir", "MLIR's intermediate representation.")?;
    wrapper::install(&ir)?;
    let types = wrapper::publish::<types::Type>(&ir, "Type")?;
    let attributes = wrapper::publish::<attribute::Attribute>(&ir, "Attribute")?;
    builtin::types::install(&ir, &types)?;
    builtin::attributes::install(&ir, &attributes)?;
    affine::install(&ir)?;
    wrapper::publish::<block::Block>(&ir, "Block")?;
    wrapper::publish::<region::Region>(&ir, "Region")?;
    wrapper::publish::<module::Module>(&ir, "Module")?;
    operation::install(&ir)?;
    value::install(&ir)?;
    dialect_registry::install(&ir)?;
    enums::install_ir(&ir)?;
    add_classes!(
        &ir,
        attribute::NamedAttribute,
        context::Context,
        context_stack::CurrentProperty,
        diagnostics::Diagnostic,
        diagnostics::DiagnosticHandler,
        diagnostics::DiagnosticInfo,
        interfaces::InferShapedTypeOpInterface,
        interfaces::InferTypeOpInterface,
        interfaces::ShapedTypeComponents,
        region_blocks::BlockIterator,
        region_blocks::BlockList,
        regions::RegionIterator,
        registration_decorators::AttrBuilder,
        dialect_registry::Dialect,
        dialect_registry::DialectDescriptor,
        dialect_registry::DialectRegistry,
        dialect_registry::Dialects,
        thread_pool::ThreadPool,
        asm_state::AsmState,
        insertion_point::InsertionPoint,
        symbol_table::SymbolTable,
        types::TypeID,
    );
    wrapper::publish_transient::<location::Location>(&ir)?;
    location_classes::install(&ir)?;
    wrapper::publish_transient::<attributes::OpAttributeMap>(&ir)?;
    wrapper::publish_transient::<block_operations::OperationIterator>(&ir)?;
    wrapper::publish_transient::<block_operations::OperationList>(&ir)?;
    wrapper::publish_transient::<regions::RegionSequence>(&ir)?;
    wrapper::publish_transient::<blocks::BlockPredecessors>(&ir)?;
    wrapper::publish_transient::<blocks::BlockSuccessors>(&ir)?;
    wrapper::publish_transient::<blocks::OpSuccessors>(&ir)?;
    wrapper::publish_transient::<uses::OpOperand>(&ir)?;
    wrapper::publish_transient::<uses::OpOperandIterator>(&ir)?;
    wrapper::publish_transient::<values::BlockArgumentList>(&ir)?;
    wrapper::publish_transient::<values::OpOperandList>(&ir)?;
    wrapper::publish_transient::<values::OpResultList>(&ir)?;
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
    context_stack::install(&ir)?;
    debug_output::install(&ir)?;
    registration_decorators::install(module)?;
    submodules::set_ir(&ir);

    let passmanager = submodule(module, "passmanager", "Pass pipelines.")?;
    enums::install_passmanager(&passmanager)?;
    add_classes!(&passmanager, external::ExternalPass, manager::PassManager);

    let rewrite = submodule(module, "rewrite", "Pattern rewriting.")?;
    rewrite::install(&rewrite)?;
    execution::install(module)?;
    dialects::install(module, &ir)?;
    // PyO3 made an `__all__` of what `add` put into the module; without it, `import *` follows Python's
    // default rule.
    module.delattr("__all__")
}
