//! Diagnostics as values.

use std::ffi::c_void;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use mondo_sys::{
    MlirDiagnostic, MlirDiagnosticError, MlirDiagnosticHandlerID, MlirDiagnosticNote,
    MlirDiagnosticWarning, MlirLogicalResult, mlirContextAttachDiagnosticHandler,
    mlirContextDetachDiagnosticHandler, mlirDiagnosticGetLocation, mlirDiagnosticGetNote,
    mlirDiagnosticGetNumNotes, mlirDiagnosticGetSeverity, mlirDiagnosticPrint, mlirLocationPrint,
};

use crate::callback::{caught, text};
use crate::scope::State;

/// The weight of a [`Diagnostic`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// Something failed.
    Error,
    /// Something may be wrong.
    Warning,
    /// Belongs to another diagnostic.
    Note,
    /// Information.
    Remark,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
            Self::Remark => "remark",
        })
    }
}

/// A message of MLIR's, as data that outlives everything.
///
/// ```
/// # use mondo_ir::{Context, Severity};
/// let mut context = Context::new();
/// context.enter(|ctx, _| {
///     let (result, diagnostics) = ctx.capture(|| ctx.parse_type("tensor<"));
///     // The call that fails has what it caught itself.
///     assert!(diagnostics.is_empty());
///     assert_eq!(result.unwrap_err().diagnostics()[0].severity(), Severity::Error);
/// });
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    severity: Severity,
    location: String,
    message: String,
    notes: Vec<Diagnostic>,
}

impl Diagnostic {
    #[cfg(test)]
    pub(crate) fn new(severity: Severity, location: &str, message: &str) -> Self {
        Self {
            severity,
            location: location.to_owned(),
            message: message.to_owned(),
            notes: Vec::new(),
        }
    }

    /// # Safety
    ///
    /// The diagnostic is live.
    unsafe fn read(diagnostic: MlirDiagnostic) -> Self {
        // SAFETY: the caller vouches for the diagnostic; a note lives as long as its diagnostic, and
        // each index is below the count.
        unsafe {
            let location = mlirDiagnosticGetLocation(diagnostic);
            let location = text(|sink, data| mlirLocationPrint(location, sink, data)).0;
            let trimmed = location
                .strip_prefix("loc(")
                .and_then(|it| it.strip_suffix(')'));
            Self {
                severity: match mlirDiagnosticGetSeverity(diagnostic) {
                    severity if severity == MlirDiagnosticError => Severity::Error,
                    severity if severity == MlirDiagnosticWarning => Severity::Warning,
                    severity if severity == MlirDiagnosticNote => Severity::Note,
                    _ => Severity::Remark,
                },
                location: trimmed.unwrap_or(&location).replace('"', ""),
                message: text(|sink, data| mlirDiagnosticPrint(diagnostic, sink, data)).0,
                notes: (0..mlirDiagnosticGetNumNotes(diagnostic))
                    .map(|index| Self::read(mlirDiagnosticGetNote(diagnostic, index)))
                    .collect(),
            }
        }
    }

    /// The weight.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The place, as MLIR prints it: `file:line:column`, or `unknown`.
    pub fn location(&self) -> &str {
        &self.location
    }

    /// The text.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What belongs to it.
    pub fn notes(&self) -> &[Diagnostic] {
        &self.notes
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.location, self.severity, self.message)?;
        for note in &self.notes {
            write!(f, "\n  {note}")?;
        }
        Ok(())
    }
}

/// The diagnostics of one call. MLIR's worker threads may emit them.
type Caught = Mutex<Vec<Diagnostic>>;

/// # Safety
///
/// `data` is a `Caught`, and the diagnostic is live.
unsafe extern "C" fn keep(diagnostic: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
    // SAFETY: `captured` gives its own list, which lives until the handler is detached.
    let list = unsafe { &*data.cast::<Caught>() };
    // SAFETY: MLIR's diagnostic is live during the call.
    if let Ok(diagnostic) = caught(|| unsafe { Diagnostic::read(diagnostic) }) {
        let mut list = list.lock().unwrap_or_else(PoisonError::into_inner);
        list.push(diagnostic);
    }
    // Handled: no other handler gets it.
    MlirLogicalResult { value: 1 }
}

/// Detaches the handler, also if the call unwinds.
struct Attached<'a>(&'a State, MlirDiagnosticHandlerID);

impl Drop for Attached<'_> {
    fn drop(&mut self) {
        // SAFETY: the context is live as long as its state, and the handler is one of its own.
        unsafe { mlirContextDetachDiagnosticHandler(self.0.context, self.1) };
    }
}

/// Runs `work`, and returns what MLIR emitted meanwhile.
pub(crate) fn captured<R>(state: &State, work: impl FnOnce() -> R) -> (R, Vec<Diagnostic>) {
    let list = Caught::default();
    let data = (&raw const list).cast_mut().cast();
    // SAFETY: the context is live; the list outlives the handler, which `Attached` detaches.
    let id = unsafe { mlirContextAttachDiagnosticHandler(state.context, Some(keep), data, None) };
    let attached = Attached(state, id);
    let result = work();
    drop(attached);
    (
        result,
        list.into_inner().unwrap_or_else(PoisonError::into_inner),
    )
}
