//! Errors: what failed, and what MLIR said about it.

use std::fmt;

use crate::diagnostic::Diagnostic;

/// The reason of an [`Error`], by which a program can tell them apart.
///
/// ```
/// # use mondo_ir::{Context, ErrorKind};
/// Context::new().enter(|ctx, _| {
///     let error = ctx.integer(1 << 30).unwrap_err();
///     match error.kind() {
///         ErrorKind::Form => assert!(error.message().contains("1073741824")),
///         other => panic!("{other:?}"),
///     }
/// });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Text or bytecode could not be read.
    Parse,
    /// An operation is not valid.
    Verify,
    /// An operation could not be made.
    Build,
    /// A type, an attribute or a location of that form does not exist.
    Form,
    /// A cast to a kind that the type or attribute is not of.
    Cast,
    /// An index or a name that is not there.
    Missing,
    /// Something that would be destroyed is still used.
    InUse,
    /// A change that would break the shape of the tree: a cycle, or a root that would get a parent; or a tree whose
    /// regions nest deeper than MLIR can follow.
    Structure,
    /// A tree that uses values or blocks of another tree, or whose own are used by another tree.
    Open,
    /// A pass of a closure wanted to change something outside of its operation.
    Outside,
    /// A pass, a pipeline or a pattern failed.
    Pass,
    /// A module could not be compiled.
    Engine,
    /// A closure panicked.
    Panicked,
    /// The library does not have what was asked for.
    Unsupported,
}

/// The result of a call that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure, and the diagnostics that MLIR emitted meanwhile.
///
/// ```
/// # use mondo_ir::{Context, ErrorKind, Module};
/// let mut context = Context::new();
/// context.enter(|ctx, _| {
///     let error = Module::parse(ctx, "func.func @broken(").unwrap_err();
///     assert_eq!(error.kind(), ErrorKind::Parse);
///     assert!(!error.diagnostics().is_empty());
/// });
/// ```
#[derive(Debug, Clone)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    diagnostics: Vec<Diagnostic>,
    made: Option<Box<Made>>,
}

/// The operation that could not be made, and its location.
#[derive(Debug, Clone)]
struct Made {
    operation: String,
    location: String,
}

impl Error {
    /// An error of a program's own, for closures that MLIR calls.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            diagnostics: Vec::new(),
            made: None,
        }
    }

    /// The error about an operation that was to be made.
    pub(crate) fn of_operation(mut self, operation: &str, location: String) -> Self {
        self.made = Some(Box::new(Made {
            operation: operation.to_owned(),
            location,
        }));
        self
    }

    /// The name of the operation that could not be made.
    ///
    /// ```
    /// # use mondo_ir::Context;
    /// Context::new().enter(|ctx, ir| {
    ///     let place = ctx.file("sum.x", 3, 7).any();
    ///     let error = ir.build("arith.addi", place).infer().finish().unwrap_err();
    ///     assert_eq!((error.operation(), error.location()), (Some("arith.addi"), Some("sum.x:3:7")));
    ///     assert!(error.to_string().ends_with("(at sum.x:3:7)"), "{error}");
    /// });
    /// ```
    pub fn operation(&self) -> Option<&str> {
        self.made.as_ref().map(|made| made.operation.as_str())
    }

    /// The location that the operation would have had.
    pub fn location(&self) -> Option<&str> {
        self.made.as_ref().map(|made| made.location.as_str())
    }

    pub(crate) fn with(mut self, diagnostics: Vec<Diagnostic>) -> Self {
        self.diagnostics = diagnostics;
        self
    }

    /// The reason.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The message, without the diagnostics.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The diagnostics that MLIR emitted, in its order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(location) = self.location().filter(|location| *location != "unknown") {
            write!(f, " (at {location})")?;
        }
        for diagnostic in &self.diagnostics {
            write!(f, "\n{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;

    #[test]
    fn the_text_has_the_diagnostics() {
        let error =
            Error::new(ErrorKind::Parse, "the module cannot be read").with(vec![Diagnostic::new(
                Severity::Error,
                "-:1:2".into(),
                "expected a type".into(),
                Vec::new(),
            )]);
        assert_eq!(
            error.to_string(),
            "the module cannot be read\n-:1:2: error: expected a type"
        );
    }
}
