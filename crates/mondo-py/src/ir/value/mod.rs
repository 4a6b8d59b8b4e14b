//! The classes `Value`, `OpResult`, and `BlockArgument`: their publication and their methods.

mod getters;
mod methods;

use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::ownership::value::{self, BlockArgument, OpResult, Value};
use crate::ownership::wrapper;

/// Publishes `Value`, `OpResult` and `BlockArgument`.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = ir.py();
    let value = wrapper::publish_with::<Value>(ir, "Value", getters::GETTERS)?;
    // `Value[T]` is evaluated at run time in annotations; only type checkers use it. In dialects that are defined in
    // Python, `IntegerType[32]` is a constraint.
    let getitem = py
        .import("builtins")?
        .getattr("classmethod")?
        .call1((py.import("types")?.getattr("GenericAlias")?,))?;
    let (types, attributes) = (ir.getattr("Type")?, ir.getattr("Attribute")?);
    for class in [value.as_any(), &types, &attributes] {
        class.setattr("__class_getitem__", &getitem)?;
    }
    let op_result = wrapper::leaf::<Value, OpResult>(ir, &value)?;
    let block_argument = wrapper::leaf::<Value, BlockArgument>(ir, &value)?;
    value::set_classes(op_result, block_argument);
    Ok(())
}
