//! Diagnostics as values.

use std::fmt;

/// The weight of a [`Diagnostic`].
///
/// ```
/// # use mondo_ir::Severity;
/// assert_eq!(Severity::Warning.to_string(), "warning");
/// assert_ne!(Severity::Error, Severity::Remark);
/// ```
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
    pub(crate) fn new(
        severity: Severity,
        location: String,
        message: String,
        notes: Vec<Diagnostic>,
    ) -> Self {
        Self {
            severity,
            location,
            message,
            notes,
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

    /// The notes that belong to it.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module, Severity};
    /// Context::new().enter(|ctx, _| {
    ///     let text = "func.func private @f() func.func private @f()";
    ///     let error = Module::parse(ctx, text).unwrap_err();
    ///     let diagnostic = &error.diagnostics()[0];
    ///     assert!(diagnostic.message().contains("redefinition"));
    ///     let note = &diagnostic.notes()[0];
    ///     assert_eq!((note.severity(), note.notes().len()), (Severity::Note, 0));
    ///     assert!(!note.location().is_empty());
    /// });
    /// ```
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
