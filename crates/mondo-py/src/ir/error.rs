//! `MLIRError`: the exception for errors that MLIR reports as diagnostics.

use mondo_ir::bundle::LLVM_MAJOR;
use pyo3::exceptions::{PyNotImplementedError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::interop::submodules;
use crate::ir::diagnostics::DiagnosticInfo;
use crate::ownership::context::Context;
use crate::ownership::diagnostics::{Record, errors_of};

/// The errors that MLIR reported during a call.
pub(crate) struct ErrorCapture<'a> {
    context: &'a Py<Context>,
    records: Vec<Record>,
    raised: Raised,
}

/// An exception of a diagnostic handler that is no `Exception`. If it is dropped without being raised, it is
/// printed.
#[derive(Default)]
struct Raised(Option<PyErr>);

impl Drop for Raised {
    fn drop(&mut self) {
        if let Some(error) = self.0.take() {
            Python::try_attach(|py| error.write_unraisable(py, None));
        }
    }
}

impl<'a> ErrorCapture<'a> {
    /// Runs `call`, which emits diagnostics only on `context`, and captures its errors. Warnings and remarks,
    /// and with `emit_error_diagnostics` errors as well, go to the context's handlers.
    pub(crate) fn run<T>(
        py: Python<'_>,
        context: &'a Py<Context>,
        call: impl FnOnce() -> T,
    ) -> PyResult<(T, Self)> {
        let mut capture = Self {
            context,
            records: Vec::new(),
            raised: Raised::default(),
        };
        if context.get().emits_errors() {
            context.get().get_outside_handlers(py)?;
            let (result, raised) = context.get().hear(call);
            capture.raised.0 = raised;
            return Ok((result, capture));
        }
        let call = || context.get().hear(call);
        let ((result, raised), records) = errors_of(py, context.get(), call)?;
        capture.records = records;
        capture.raised.0 = raised;
        Ok((result, capture))
    }

    /// Fails if a diagnostic handler raised an exception that is no `Exception`, although the call succeeded.
    pub(crate) fn finish(mut self) -> PyResult<()> {
        self.raised.0.take().map_or(Ok(()), Err)
    }

    /// The `MLIRError` with the captured errors; or, if a diagnostic handler raised one that is no
    /// `Exception`, that exception.
    pub(crate) fn into_error(mut self, py: Python<'_>, message: &str) -> PyErr {
        if let Some(raised) = self.raised.0.take() {
            return raised;
        }
        let infos = self
            .records
            .into_iter()
            .map(|record| DiagnosticInfo::from_record(py, self.context, record))
            .collect::<PyResult<Vec<_>>>();
        match infos {
            Ok(infos) => mlir_error(py, message, infos),
            Err(error) => error,
        }
    }
}

/// Attaches the parsed text to a parser's exception, whose message may show the line of an error.
pub(crate) fn with_source(error: PyErr, source: &Bound<'_, PyAny>) -> PyErr {
    // An exception of `setattr` would hide the one that was raised.
    let _ = error.value(source.py()).setattr("_source", source);
    error
}

/// An `MLIRError` without diagnostics.
pub(crate) fn plain(py: Python<'_>, message: &str) -> PyErr {
    mlir_error(py, message, Vec::new())
}

/// The exception for a feature that only a newer LLVM has.
pub(crate) fn needs_llvm(major: u32, what: &str) -> PyErr {
    PyNotImplementedError::new_err(format!(
        "{what} needs LLVM {major} or later, and this package has LLVM {LLVM_MAJOR}"
    ))
}

fn mlir_error(py: Python<'_>, message: &str, infos: Vec<Py<DiagnosticInfo>>) -> PyErr {
    let error = submodules::ir(py)
        .and_then(|ir| ir.getattr("MLIRError"))
        .and_then(|class| class.call1((message, PyList::new(py, infos)?)));
    match error {
        Ok(error) => PyErr::from_value(error),
        // `_mlir` was imported without its package, which defines `MLIRError`.
        Err(_) => PyRuntimeError::new_err(message.to_owned()),
    }
}
