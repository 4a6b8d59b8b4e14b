//! The one error type of the pipeline: a kind that decides the exit code, and the four things a
//! reader needs: what went wrong, where, why, and what to do next.

use std::fmt;

/// The sort of a failure. Each kind has one process exit code, documented in docs/reference/exit-codes.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The arguments, or a file that they name, are not what the command takes.
    Usage,
    /// The manifest cannot be read, parsed or accepted.
    Manifest,
    /// The manifest is well formed but asks for something that does not exist (a dialect, a pass
    /// group, an LLVM target).
    Plan,
    /// LLVM/MLIR cannot be found, or is not the version asked for.
    Toolchain,
    /// A program that the build needs (C++ compiler, linker, apt) is missing.
    MissingTool,
    /// The network, or a package that should come over it, cannot be reached.
    Network,
    /// A file's SHA-256 is not the one in the lock or in the record of the cache.
    Integrity,
    /// Rust, C++ or tblgen code does not compile.
    Compile,
    /// An archive is missing, truncated or not what its name says.
    Archive,
    /// The linker failed: mostly undefined symbols.
    Link,
    /// C API headers and archives disagree.
    Exports,
    /// An audit rule found something.
    Audit,
    /// The wheel's tree or file cannot be made.
    Wheel,
    /// An audit rule found something, and nothing worse than a warning.
    AuditWarnings,
    /// Tests of a project fail or are missing, or nothing has the name that was asked for. The checks of mondo's own
    /// repository end with it as well.
    Check,
    /// The operating system refused: disk full, permission, no such file.
    Io,
    /// Ctrl-C.
    Interrupted,
}

impl ErrorKind {
    /// Every kind, in the order of the exit codes.
    pub const ALL: &[ErrorKind] = &[
        Self::Check,
        Self::Usage,
        Self::Manifest,
        Self::Plan,
        Self::Toolchain,
        Self::MissingTool,
        Self::Network,
        Self::Integrity,
        Self::Compile,
        Self::Archive,
        Self::Link,
        Self::Exports,
        Self::Audit,
        Self::Wheel,
        Self::AuditWarnings,
        Self::Io,
        Self::Interrupted,
    ];

    /// The process exit code of this kind. 2 is clap's as well, for arguments that cannot be parsed.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Check => 1,
            Self::Usage => 2,
            Self::Manifest => 10,
            Self::Plan => 11,
            Self::Toolchain => 12,
            Self::MissingTool => 13,
            Self::Network => 14,
            Self::Integrity => 15,
            Self::Compile => 20,
            Self::Archive => 21,
            Self::Link => 22,
            Self::Exports => 23,
            Self::Audit => 24,
            Self::Wheel => 25,
            Self::AuditWarnings => 26,
            Self::Io => 30,
            Self::Interrupted => 130,
        }
    }

    /// The kind's name as it stands in messages and in `--json`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Usage => "usage",
            Self::Manifest => "manifest",
            Self::Plan => "plan",
            Self::Toolchain => "toolchain",
            Self::MissingTool => "missing-tool",
            Self::Network => "network",
            Self::Integrity => "integrity",
            Self::Compile => "compile",
            Self::Archive => "archive",
            Self::Link => "link",
            Self::Exports => "exports",
            Self::Audit => "audit",
            Self::Wheel => "wheel",
            Self::AuditWarnings => "audit-warnings",
            Self::Io => "io",
            Self::Interrupted => "interrupted",
        }
    }
}

/// A failure, described so that the reader can act on it.
///
/// Built with [`Error::new`] and the chaining setters; printed in full by its `Display`.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    what: String,
    place: Option<String>,
    why: Option<String>,
    details: Vec<String>,
    help: Option<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// `Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A failure of `kind`; `what` is one sentence without a full stop.
    pub fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            what: what.into(),
            place: None,
            why: None,
            details: Vec::new(),
            help: None,
            source: None,
        }))
    }

    /// The place: a file with line and key, an archive and member, a symbol.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Self {
        self.0.place = Some(place.to_string());
        self
    }

    /// The reason for which it is an error, or what was expected.
    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.0.why = Some(why.into());
        self
    }

    /// Adds advice about what to do next.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Replaces the kind, for a failure whose cause turns out to be of another kind.
    #[must_use]
    pub fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// The things at fault; they are listed sorted and without repetition.
    #[must_use]
    pub fn details<S: Into<String>>(mut self, list: impl IntoIterator<Item = S>) -> Self {
        self.0.details.extend(list.into_iter().map(Into::into));
        self.0.details.sort();
        self.0.details.dedup();
        self
    }

    /// The lower-level error this came from.
    #[must_use]
    pub fn caused_by(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// The kind, which decides the exit code.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The first line of the message.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.0.what
    }

    /// The place where it happened, if known.
    #[must_use]
    pub fn place(&self) -> Option<&str> {
        self.0.place.as_deref()
    }

    /// The next step, if one is known.
    #[must_use]
    pub fn next_step(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The things at fault, sorted.
    #[must_use]
    pub fn listed(&self) -> &[String] {
        &self.0.details
    }
}

/// The number of details that are printed; the rest is only counted.
const DETAILS_SHOWN: usize = 40;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &*self.0;
        write!(f, "{}", inner.what)?;
        if let Some(place) = &inner.place {
            write!(f, "\n   at: {place}")?;
        }
        if let Some(why) = &inner.why {
            write!(f, "\n  why: {}", why.trim_end().replace('\n', "\n       "))?;
        }
        for detail in inner.details.iter().take(DETAILS_SHOWN) {
            write!(f, "\n    - {detail}")?;
        }
        if let Some(more) = inner
            .details
            .len()
            .checked_sub(DETAILS_SHOWN)
            .filter(|n| *n > 0)
        {
            write!(f, "\n    … and {more} more")?;
        }
        if let Some(source) = &inner.source {
            write!(
                f,
                "\ncause: {}",
                source.to_string().trim_end().replace('\n', "\n       ")
            )?;
        }
        if let Some(help) = &inner.help {
            write!(f, "\n help: {}", help.trim_end().replace('\n', "\n       "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

/// fs-err's errors already name the operation and the path.
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        let full = error.kind() == std::io::ErrorKind::StorageFull;
        let error = Error::new(ErrorKind::Io, error.to_string());
        if full {
            error.help("free some space, or use another target or cache folder")
        } else {
            error
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_distinct() {
        let mut codes: Vec<u8> = ErrorKind::ALL.iter().map(|kind| kind.exit_code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), ErrorKind::ALL.len());
        assert!(!codes.contains(&0), "0 is success");
        // clap exits with the same code for arguments that it refuses.
        let of_clap = ErrorKind::ALL.iter().find(|kind| kind.exit_code() == 2);
        assert_eq!(of_clap, Some(&ErrorKind::Usage));
    }

    #[test]
    fn message_lists_what_where_why_details_and_help() {
        let error = Error::new(ErrorKind::Link, "2 symbols are undefined")
            .at("libmlir_mondo.so")
            .because("no archive of the plan defines them")
            .details(["b", "a", "b"])
            .help("add a dialect");
        assert_eq!(
            error.to_string(),
            "2 symbols are undefined\n   at: libmlir_mondo.so\n  why: no archive of the plan \
             defines them\n    - a\n    - b\n help: add a dialect"
        );
    }
}
