//! The native classes `Operation` and `OpView`, over which the published classes are made.

use pyo3::prelude::*;

use crate::ownership::operation::OperationBase;

/// An operation.
#[pyclass(frozen, subclass, extends = OperationBase)]
pub(crate) struct Operation;

/// An operation as its dialect's Python code shows it.
#[pyclass(frozen, subclass, extends = OperationBase)]
pub(crate) struct OpView;
