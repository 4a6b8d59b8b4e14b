//! The question whether operations have a trait.

use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::ir::types::TypeID;
use crate::ownership::context::Context;

/// The attribute of a trait's class that MLIR knows it by.
pub(crate) const TRAIT_KEY: &str = "_trait_typeid";

/// Returns whether operations of a name have a trait in a context.
pub(super) fn has_trait(
    py: Python<'_>,
    context: &Py<Context>,
    name: &str,
    trait_cls: &Bound<'_, PyType>,
) -> PyResult<bool> {
    // A class gets its key when it is first attached.
    let Some(key) = trait_cls.getattr_opt(TRAIT_KEY)? else {
        return Ok(false);
    };
    let key = key.cast::<TypeID>()?.get().key();
    Context::enter(py, context, |ctx| Ok(ctx.operation_has_trait(name, key)))
}
