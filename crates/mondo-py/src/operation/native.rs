//! The classes `Operation` and `OpView` as PyO3 sees them, and their publication.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PySystemError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule, PyTuple, PyType};

use super::{OperationBase, view};
use crate::tie;

/// An operation.
#[pyclass(frozen, subclass, extends = OperationBase)]
pub(crate) struct Operation;

/// An operation as its dialect's Python code shows it.
#[pyclass(frozen, subclass, extends = OperationBase)]
pub(crate) struct OpView;

static OPERATION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static OPVIEW: PyOnceLock<Py<PyType>> = PyOnceLock::new();

fn class<'py>(
    py: Python<'py>,
    class: &'static PyOnceLock<Py<PyType>>,
) -> PyResult<&'py Bound<'py, PyType>> {
    class
        .get(py)
        .map(|class| class.bind(py))
        .ok_or_else(|| PySystemError::new_err("_mlir.ir is not set up"))
}

/// The class `Operation` that Python sees.
pub(super) fn operation_class<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    class(py, &OPERATION)
}

/// The class `OpView` that Python sees.
pub(super) fn opview_class<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    class(py, &OPVIEW)
}

/// `tp_init` of `OpView`.
unsafe extern "C" fn init(
    this: *mut ffi::PyObject,
    args: *mut ffi::PyObject,
    kwargs: *mut ffi::PyObject,
) -> std::ffi::c_int {
    tie::attached(|py| {
        // SAFETY: the interpreter passes an object of `OpView`, a tuple, and a dictionary or null.
        let (this, args, kwargs) = unsafe {
            (
                Bound::from_borrowed_ptr(py, this).cast_into_unchecked::<OperationBase>(),
                Bound::from_borrowed_ptr(py, args).cast_into_unchecked::<PyTuple>(),
                Bound::from_borrowed_ptr_or_opt(py, kwargs)
                    .map(|kwargs| kwargs.cast_into_unchecked::<PyDict>()),
            )
        };
        let result = catch_unwind(AssertUnwindSafe(|| {
            view::init(&this, &args, kwargs.as_ref())
        }))
        .unwrap_or_else(|_| Err(PySystemError::new_err("OpView.__init__ panicked")));
        match result {
            Ok(()) => 0,
            Err(error) => {
                error.restore(py);
                -1
            }
        }
    })
}

/// Publishes the three classes.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = ir.py();
    let base = tie::publish::<OperationBase>(ir, "_OperationBase")?;
    let operation = tie::leaf::<Operation>(ir, &base)?;
    let opview = tie::publish_over::<OpView>(ir, "OpView", &base, view::SIGNATURE, init)?;
    opview.setattr("_ODS_REGIONS", (0, true))?;
    opview.setattr("_ODS_OPERAND_SEGMENTS", py.None())?;
    opview.setattr("_ODS_RESULT_SEGMENTS", py.None())?;
    // The extension is initialised once; should that ever change, the first classes stay.
    let _ = OPERATION.set(py, operation.unbind());
    let _ = OPVIEW.set(py, opview.unbind());
    Ok(())
}
