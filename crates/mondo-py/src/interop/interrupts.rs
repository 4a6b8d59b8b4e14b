//! Interrupting pass pipelines and rewrites by signals: after Ctrl-C, they end as soon as the running pass or
//! pattern has returned, with the exception that Python's signal handler raises.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use mondo_ir::Uniquer;
use mondo_ir::objects::interruptible;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

thread_local! {
    /// True in the interpreter's main thread; None until `is_main_thread` was called.
    static IS_MAIN: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Returns whether this is the interpreter's main thread, the only one in which Python runs signal handlers.
fn is_main_thread(py: Python<'_>) -> bool {
    if let Some(is_main) = IS_MAIN.get() {
        return is_main;
    }
    let ask = || -> PyResult<bool> {
        let threading = py.import("threading")?;
        let main = threading.call_method0("main_thread")?;
        Ok(threading.call_method0("current_thread")?.is(&main))
    };
    // If `threading` fails, this thread does not count as the main thread, and a signal waits for the end of
    // the work.
    let is_main = ask().unwrap_or(false);
    IS_MAIN.set(Some(is_main));
    is_main
}

/// The exception that a handler raised while work was under way.
type Raised = Mutex<Option<PyErr>>;

/// Runs `work` on `context`: a pass pipeline or, with `patterns`, a rewrite by patterns written in Python.
/// Returns its result, and the exception of a signal that ended it before all passes or patterns had run.
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
    // If a thread of MLIR's pool noticed the signal, Python's handler has not run yet.
    let error = raised.or_else(|| py.check_signals().err());
    // There is no exception here either if this work is nested in other work: the thread that started the
    // outer work runs Python's handler.
    let error = error.unwrap_or_else(|| PyKeyboardInterrupt::new_err(()));
    (result, Some(error))
}

/// Returns whether a signal is to end the work. In the thread that started it, Python's handler is run.
/// Another thread cannot run the handler, and only asks whether it is Python's default one, which raises.
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

/// Returns whether the handler of SIGINT is Python's default one, which raises `KeyboardInterrupt`.
fn raises(py: Python<'_>) -> PyResult<bool> {
    let signal = py.import("signal")?;
    let handler = signal.call_method1("getsignal", (signal.getattr("SIGINT")?,))?;
    Ok(handler.is(&signal.getattr("default_int_handler")?))
}
