//! The calls that MLIR makes for a conversion pattern that is written in Python.

use std::sync::Arc;

use mondo_ir::nodes::{Op, Value};
use mondo_ir::objects::OpenRewriter;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::interop::callback::Callback;
use crate::interop::registered_classes;
use crate::interop::submodules;
use crate::ownership::conversions::Conversion;
use crate::ownership::operation;
use crate::ownership::owner;
use crate::ownership::value;

use super::conversion_rewriter::ConversionPatternRewriter;
use super::drive::Drive;

/// A pattern, and the `TypeConverter` that it brings.
pub(super) struct ConversionPattern {
    pub(super) callback: Arc<Callback>,
    pub(super) converter: Arc<Callback>,
}

impl ConversionPattern {
    /// Calls the pattern with `op` and its converted operands, in a thread that may be detached from the interpreter. Returns
    /// whether it matched.
    pub(super) fn matches(
        &self,
        op: Op<'_>,
        operands: &[Value<'_>],
        rewriter: &Arc<OpenRewriter>,
    ) -> bool {
        let matched = Python::try_attach(|py| {
            // Nothing else than a driver of this package has the pattern.
            let drive = Drive::current().filter(|drive| !drive.has_raised())?;
            let running = Conversion::current()?;
            let call = || self.call(py, op, operands, rewriter, &drive);
            match running.run_pattern(op, rewriter, call) {
                Ok(matched) => Some(matched),
                Err(error) => {
                    drive.raise(error);
                    None
                }
            }
        });
        matched.flatten().unwrap_or(false)
    }

    fn call(
        &self,
        py: Python<'_>,
        op: Op<'_>,
        operands: &[Value<'_>],
        rewriter: &Arc<OpenRewriter>,
        drive: &Drive,
    ) -> PyResult<bool> {
        let freed = || PyRuntimeError::new_err("the pattern was freed by the garbage collector");
        let callable = self.callback.get(py).ok_or_else(freed)?;
        let converter = self.converter.get(py).ok_or_else(freed)?;
        let name = op.name().to_text();
        let operation = owner::object(py, op)?;
        let operands = operands.iter().map(|operand| value::object(py, *operand));
        let operands = PyList::new(py, operands.collect::<PyResult<Vec<_>>>()?)?;
        let context = operation.get().context_of(py)?;
        let view = operation::view_of(py, &operation)?;
        let adaptor = match registered_classes::op_adaptor(py, &name) {
            Some(class) => class.into_bound(py).into_any(),
            None => submodules::ir(py)?.getattr("OpAdaptor")?,
        };
        let adaptor = adaptor.call1((operands, &view))?;
        let rewriter =
            ConversionPatternRewriter::open(py, rewriter, context, &operation, Some(drive))?;
        // The rewriter is closed after the driver was told of what the pattern has inserted.
        let result = callable.call1(py, (view, adaptor, converter, rewriter))?;
        Ok(!result.bind(py).is_truthy()?)
    }
}
