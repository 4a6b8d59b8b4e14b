//! Catching the diagnostics of a call.

use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;

use mondo_sys::{
    MlirContext, MlirDiagnostic, MlirDiagnosticError, MlirDiagnosticHandlerID, MlirDiagnosticNote,
    MlirDiagnosticWarning, MlirLogicalResult, mlirContextAttachDiagnosticHandler,
    mlirContextDetachDiagnosticHandler, mlirDiagnosticGetLocation, mlirDiagnosticGetNote,
    mlirDiagnosticGetNumNotes, mlirDiagnosticGetSeverity, mlirDiagnosticPrint,
};

use crate::callback::{caught, text};
use crate::diagnostic::{Diagnostic, Severity};
use crate::scope::State;
use crate::uniqued_handles::{Any, Location};
use crate::uniquer::Uniquer;

/// # Safety
///
/// The diagnostic is live.
unsafe fn read(diagnostic: MlirDiagnostic) -> Diagnostic {
    // SAFETY: the caller vouches for the diagnostic; a note lives as long as its diagnostic, and
    // each index is below the count.
    unsafe {
        let location = mlirDiagnosticGetLocation(diagnostic);
        let location = Location::<Any>::expect(location).to_text();
        let trimmed = location
            .strip_prefix("loc(")
            .and_then(|rest| rest.strip_suffix(')'));
        Diagnostic::new(
            match mlirDiagnosticGetSeverity(diagnostic) {
                severity if severity == MlirDiagnosticError => Severity::Error,
                severity if severity == MlirDiagnosticWarning => Severity::Warning,
                severity if severity == MlirDiagnosticNote => Severity::Note,
                _ => Severity::Remark,
            },
            trimmed.unwrap_or(&location).replace('"', ""),
            text(|sink, data| mlirDiagnosticPrint(diagnostic, sink, data)).0,
            (0..mlirDiagnosticGetNumNotes(diagnostic))
                .map(|index| read(mlirDiagnosticGetNote(diagnostic, index)))
                .collect(),
        )
    }
}

/// The diagnostics of one call. MLIR's worker threads may emit them.
#[derive(Default)]
struct Caught {
    list: Mutex<Vec<Diagnostic>>,
    /// The one thread whose diagnostics are caught; none for all.
    thread: Option<ThreadId>,
}

/// # Safety
///
/// `data` is a `Caught`, and the diagnostic is live.
unsafe extern "C" fn keep(diagnostic: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
    // SAFETY: `captured` gives its own list, which lives until the handler is detached.
    let caught_here = unsafe { &*data.cast::<Caught>() };
    if caught_here
        .thread
        .is_some_and(|thread| thread != std::thread::current().id())
    {
        return MlirLogicalResult { value: 0 };
    }
    // SAFETY: MLIR keeps the diagnostic alive until its handler returns.
    if let Ok(diagnostic) = caught(|| unsafe { read(diagnostic) }) {
        let mut list = caught_here
            .list
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        list.push(diagnostic);
    }
    // Handled: no other handler gets it.
    MlirLogicalResult { value: 1 }
}

/// Detaches the handler, also if the call unwinds.
struct Attached(MlirContext, MlirDiagnosticHandlerID);

impl Drop for Attached {
    fn drop(&mut self) {
        // SAFETY: `captured` borrows what keeps the context alive, and the handler is one of its own.
        unsafe { mlirContextDetachDiagnosticHandler(self.0, self.1) };
    }
}

/// A proof that a context is live.
pub(crate) trait Live {
    fn context(&self) -> MlirContext;
}

impl Live for State {
    fn context(&self) -> MlirContext {
        self.context
    }
}

impl Live for Uniquer<'_> {
    fn context(&self) -> MlirContext {
        self.raw()
    }
}

/// Runs `work`, and returns what MLIR emitted meanwhile.
pub(crate) fn captured<R>(of: &impl Live, work: impl FnOnce() -> R) -> (R, Vec<Diagnostic>) {
    captured_of(of, None, work)
}

/// Runs `work`, and returns what MLIR emitted meanwhile in this thread. Other threads may use the context.
pub(crate) fn captured_here<R>(of: &impl Live, work: impl FnOnce() -> R) -> (R, Vec<Diagnostic>) {
    captured_of(of, Some(std::thread::current().id()), work)
}

fn captured_of<R>(
    of: &impl Live,
    thread: Option<ThreadId>,
    work: impl FnOnce() -> R,
) -> (R, Vec<Diagnostic>) {
    let context = of.context();
    let list = Caught {
        thread,
        ..Caught::default()
    };
    let data = (&raw const list).cast_mut().cast();
    // SAFETY: the context is live; the list outlives the handler, which `Attached` detaches.
    let id = unsafe { mlirContextAttachDiagnosticHandler(context, Some(keep), data, None) };
    let attached = Attached(context, id);
    let result = work();
    drop(attached);
    let list = list.list.into_inner();
    (result, list.unwrap_or_else(PoisonError::into_inner))
}

/// # Safety
///
/// The diagnostic is live.
unsafe fn transcribe(diagnostic: MlirDiagnostic, to: &mut String) {
    // SAFETY: the diagnostic is live, by this function's contract, a note lives as long as its diagnostic,
    // and each index is below the count.
    unsafe {
        let place = mlirDiagnosticGetLocation(diagnostic);
        let place = Location::<Any>::expect(place).to_text();
        let message = text(|sink, data| mlirDiagnosticPrint(diagnostic, sink, data)).0;
        to.push_str(&format!("at {place}: {message}"));
        for index in 0..mlirDiagnosticGetNumNotes(diagnostic) {
            to.push('\n');
            transcribe(mlirDiagnosticGetNote(diagnostic, index), to);
        }
    }
}

/// # Safety
///
/// `data` is a `Mutex<String>`, and the diagnostic is live.
unsafe extern "C" fn write_down(
    diagnostic: MlirDiagnostic,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: `transcribed` gives its own text, which lives until the handler is detached.
    let all = unsafe { &*data.cast::<Mutex<String>>() };
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: MLIR keeps the diagnostic alive until its handler returns. A panic ends here.
    let _ = caught(|| unsafe { transcribe(diagnostic, &mut all) });
    MlirLogicalResult { value: 1 }
}

/// Runs `work`, and returns what MLIR emitted meanwhile as text: each diagnostic with its place, and its notes in
/// lines of their own. Not to be called by a diagnostic handler, which MLIR calls under a lock.
#[doc(hidden)]
pub fn transcribed<R>(of: Uniquer<'_>, work: impl FnOnce() -> R) -> (R, String) {
    let all = Mutex::<String>::default();
    let data = (&raw const all).cast_mut().cast();
    // SAFETY: the context is live, by its brand; the text outlives the handler, which `Attached` detaches.
    let id = unsafe { mlirContextAttachDiagnosticHandler(of.raw(), Some(write_down), data, None) };
    let attached = Attached(of.raw(), id);
    let result = work();
    drop(attached);
    (
        result,
        all.into_inner().unwrap_or_else(PoisonError::into_inner),
    )
}
