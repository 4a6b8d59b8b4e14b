//! The class `ConversionPatternRewriter`, and what a rewriter does in a conversion: MLIR's driver makes the changes in the end.

use std::sync::Arc;

use mondo_ir::nodes::Op;
use mondo_ir::objects::OpenRewriter;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::interop::callback::Callback;
use crate::ownership::context::Context;
use crate::ownership::conversions::{Conversion, in_conversion};
use crate::ownership::operation::OperationBase;
use crate::ownership::region::Region;
use crate::ownership::wrapper;

use super::drive::Drive;
use super::rewriter::{PatternRewriter, Replacement, refuse_inner_uses};
use super::type_converter::{self, TypeConverter};

/// Changes IR so that the driver of a conversion knows; valid until the pattern returns.
#[pyclass(frozen, subclass, extends = PatternRewriter)]
pub(super) struct ConversionPatternRewriter;

impl ConversionPatternRewriter {
    /// The Python object of a rewriter, which works on operations of `context`.
    pub(super) fn open(
        py: Python<'_>,
        rewriter: &Arc<OpenRewriter>,
        context: Py<Context>,
        matched: &Py<OperationBase>,
        drive: Option<&Drive>,
    ) -> PyResult<Py<Self>> {
        let base = PatternRewriter::of(py, rewriter, context, Some(matched), drive);
        Py::new(py, PyClassInitializer::from(base).add_subclass(Self))
    }
}

#[pymethods]
impl ConversionPatternRewriter {
    /// Converts the types of the arguments of a region's blocks.
    fn convert_region_types(
        slf: &Bound<'_, Self>,
        region: &Bound<'_, Region>,
        type_converter: &Bound<'_, TypeConverter>,
    ) -> PyResult<()> {
        let py = slf.py();
        slf.as_super().get().check(py)?;
        let object = region.get();
        let tree = object.tree(py)?;
        let running = Conversion::of(tree.get()).ok_or_else(in_another_tree)?;
        // The number is that of an object which the conversion keeps.
        let converter = Callback::new(type_converter.clone().into_any().unbind());
        let number = type_converter.as_ptr() as usize;
        let done = object.enter(py, |_, region| {
            if !running.owns_region(region) {
                return Err(PyRuntimeError::new_err(
                    "in a conversion, a pattern can only convert the types in regions of the operation that it matched \
                     and of those that it has inserted",
                ));
            }
            if !running.waits() {
                return Err(in_conversion());
            }
            let make = || type_converter::function(converter);
            Ok(running.convert_region(region, number, make))
        })?;
        wrapper::reclaim(py);
        if done {
            return Ok(());
        }
        Err(PyValueError::new_err(
            "the type converter has no type for an argument of a block of the region",
        ))
    }
}

fn in_another_tree() -> PyErr {
    PyRuntimeError::new_err("the rewriter can only change the tree that the conversion works on")
}

/// Finds the conversion that works on the tree of an operation, and fails if the pattern must not erase it.
fn running_on(py: Python<'_>, op: &OperationBase) -> PyResult<std::rc::Rc<Conversion>> {
    let tree = op.tree(py)?;
    let running = Conversion::of(tree.get()).ok_or_else(in_another_tree)?;
    if !op.read(py, |op| running.owns(op))? {
        return Err(PyRuntimeError::new_err(
            "in a conversion, a pattern can only erase or replace the operation that it matched and those that it has \
             inserted, each of them once, and not what is converted as a whole",
        ));
    }
    if !running.waits() {
        return Err(in_conversion());
    }
    Ok(running)
}

/// Replaces the results of an operation in a conversion.
pub(super) fn replace(
    py: Python<'_>,
    context: &Py<Context>,
    op: &OperationBase,
    by: &Replacement<'_, '_>,
) -> PyResult<()> {
    let running = running_on(py, op)?;
    Context::enter(py, context, |ctx| {
        let op = op.within(ctx)?;
        let values = by.within(ctx)?;
        let wanted = op.results().count();
        if values.len() != wanted {
            return Err(PyValueError::new_err(format!(
                "the operation has {wanted} results, but there are {} values to replace them with",
                values.len()
            )));
        }
        refuse_inner_uses(op)?;
        if running.replace(op, &values) {
            return Ok(());
        }
        Err(PyValueError::new_err(
            "a result can only be replaced by a value that is defined before the operation, where the operation could use it",
        ))
    })
}

/// Erases an operation in a conversion.
pub(super) fn erase(py: Python<'_>, context: &Py<Context>, op: &OperationBase) -> PyResult<()> {
    let running = running_on(py, op)?;
    Context::enter(py, context, |ctx| {
        let op: Op<'_> = op.within(ctx)?;
        refuse_inner_uses(op)?;
        if running.erase(op) {
            return Ok(());
        }
        Err(in_conversion())
    })
}
