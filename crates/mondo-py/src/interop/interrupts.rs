//! The end of pass pipelines and rewrites by signals: Ctrl-C raises what Python's handler raises as soon
//! as the pass or pattern that runs has returned.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use mondo_ir::Uniquer;
use mondo_ir::objects::interruptible;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

thread_local! {
    /// True in the interpreter's main thread; none until that was asked.
    static IS_MAIN: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Python's handlers of signals run in its main thread only.
fn is_main_thread(py: Python<'_>) -> bool {
    if let Some(is_main) = IS_MAIN.get() {
        return is_main;
    }
    let ask = || -> PyResult<bool> {
        let threading = py.import("threading")?;
        let main = threading.call_method0("main_thread")?;
        Ok(threading.call_method0("current_thread")?.is(&main))
    };
    // If the question fails, this thread does not count as the main thread, and a signal waits for
    // the end of the work.
    let is_main = ask().unwrap_or(false);
    IS_MAIN.set(Some(is_main));
    is_main
}

/// The exception that a handler raised while work was under way.
type Raised = Mutex<Option<PyErr>>;

/// Runs `work`, a pass pipeline or (with `patterns`) a rewrite by Python's patterns on `context`. Returns the
/// exception that ended it early beside its result: then passes or patterns were left out.
pub(crate) fn watch<T>(
    py: Python<'_>,
    context: Uniquer<'_>,
    patterns: bool,
    work: impl FnOnce() -> T,
) -> (T, Option<PyErr>) {
    let raised = Raised::default();
    let is_main = is_main_thread(py);
    let ask = |is_starter| ask(is_starter, &raised);
    let (result, ended) = interruptible(context, is_main, patterns, &ask, work);
    if !ended {
        return (result, None);
    }
    let raised = raised.into_inner().unwrap_or_else(PoisonError::into_inner);
    // If a thread of MLIR's found the signal, Python's handler has not run yet.
    let error = raised.or_else(|| py.check_signals().err());
    // Python's handler has raised nothing either in a part of larger work, whose starter is to get
    // the exception.
    let error = error.unwrap_or_else(|| PyKeyboardInterrupt::new_err(()));
    (result, Some(error))
}

/// The question of [`watch`]: in the main thread, Python's handler answers; in another one it is known only
/// what Python's own handler is going to do.
fn ask(is_starter: bool, raised: &Raised) -> bool {
    let answer = Python::try_attach(|py| {
        if !is_starter {
            return raises(py).unwrap_or(false);
        }
        let Err(error) = py.check_signals() else {
            return false;
        };
        *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        true
    });
    answer.unwrap_or(false)
}

/// Returns whether SIGINT is going to raise `KeyboardInterrupt`.
fn raises(py: Python<'_>) -> PyResult<bool> {
    let signal = py.import("signal")?;
    let handler = signal.call_method1("getsignal", (signal.getattr("SIGINT")?,))?;
    Ok(handler.is(&signal.getattr("default_int_handler")?))
}
