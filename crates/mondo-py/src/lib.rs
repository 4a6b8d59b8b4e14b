//! The extension module `_mlir`: MLIR for Python, on the stable ABI.
//!
//! One file per concept. It sees MLIR only through the C API (`mondo-sys`), whose functions it finds
//! in the mondo library. `owner` decides what keeps what alive.

mod attribute;
mod block;
mod bundle;
mod callback;
mod context;
mod current;
mod debug;
mod diagnostics;
mod enums;
mod error;
mod external_pass;
mod interfaces;
mod hooks;
mod location;
mod module;
mod modules;
mod operation;
mod owner;
mod passmanager;
mod printing;
mod region;
mod registration;
mod registry;
mod rewrite;
mod running;
mod sequence;
mod string;
mod thread_pool;
mod traceback;
mod types;
mod value;

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
    bundle::install(module)?;
    hooks::check()?;

    let ir = submodule(module, "ir", "MLIR's intermediate representation.")?;
    enums::install_ir(&ir)?;
    add_classes!(
        &ir,
        attribute::Attribute,
        attribute::NamedAttribute,
        attribute::OpAttributeMap,
        block::Block,
        block::OperationIterator,
        block::OperationList,
        context::Context,
        current::CurrentProperty,
        diagnostics::Diagnostic,
        diagnostics::DiagnosticHandler,
        diagnostics::DiagnosticInfo,
        interfaces::InferShapedTypeOpInterface,
        interfaces::InferTypeOpInterface,
        interfaces::ShapedTypeComponents,
        location::Location,
        module::Module,
        operation::Operation,
        region::BlockIterator,
        region::BlockList,
        region::Region,
        region::RegionSequence,
        registration::AttrBuilder,
        registry::Dialect,
        registry::DialectDescriptor,
        registry::DialectRegistry,
        registry::Dialects,
        thread_pool::ThreadPool,
        types::Type,
        value::BlockArgument,
        value::BlockArgumentList,
        value::OpOperandList,
        value::OpResult,
        value::OpResultList,
        value::Value,
    );
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
    // PyO3 lists what was added to a module; `import *` is to follow the plain rules.
    module.delattr("__all__")
}
