//! The class `ConversionPatternRewriter`.

use std::sync::Arc;

use mondo_ir::objects::OpenRewriter;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::interop::callback::Callback;
use crate::ownership::context::Context;
use crate::ownership::conversions::{Conversion, in_conversion};
use crate::ownership::operation::OperationBase;
use crate::ownership::region::Region;
use crate::ownership::wrapper;

use super::conversion_changes::in_another_tree;
use super::drive::Drive;
use super::rewriter::PatternRewriter;
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
