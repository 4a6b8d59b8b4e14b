//! The publication of `_OperationBase`, `Operation`, and `OpView`.

use pyo3::Borrowed;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use super::classes::{OpView, Operation};
use super::{getters, view};
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::wrapper::{self, Initialised};

impl Initialised for OperationBase {
    fn init<'a, 'py: 'a>(
        this: &Bound<'py, Self>,
        args: impl ExactSizeIterator<Item = Borrowed<'a, 'py, PyAny>>,
        named: impl ExactSizeIterator<Item = (Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>)>,
    ) -> PyResult<()> {
        view::init(this, args, named)
    }
}

/// Publishes `_OperationBase`, `Operation`, and `OpView`.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = ir.py();
    let base = wrapper::publish_with::<OperationBase>(ir, "_OperationBase", getters::GETTERS)?;
    let operation = wrapper::leaf::<OperationBase, Operation>(ir, &base)?;
    let opview = wrapper::publish_initialised::<OperationBase, OpView>(
        ir,
        "OpView",
        &base,
        view::SIGNATURE,
    )?;
    opview.setattr("_ODS_REGIONS", (0, true))?;
    opview.setattr("_ODS_OPERAND_SEGMENTS", py.None())?;
    opview.setattr("_ODS_RESULT_SEGMENTS", py.None())?;
    operation::set_classes(operation, opview);
    Ok(())
}
