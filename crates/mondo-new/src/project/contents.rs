//! What a new project has of its own in its MLIR.

use super::existing::{Checkout, Existing};
use super::sources::MondoSources;

/// The project's own part of its MLIR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents {
    /// Dialects of MLIR's alone.
    Pick,
    /// A dialect in C++, with a Python extension.
    Cpp,
    /// A dialect in C++ with a `CMake` project of its own.
    Cmake,
    /// A dialect in Rust, which is compiled with these sources of mondo's, if they are known.
    Rust(Option<MondoSources>),
    /// A project that exists, with its own `CMake`.
    Existing(Box<Existing>),
}

impl Contents {
    /// True if CI can build the project: a dialect in Rust needs mondo's sources there, and a project that exists its
    /// own.
    #[must_use]
    pub fn has_workflow(&self) -> bool {
        match self {
            Self::Pick | Self::Cpp | Self::Cmake => true,
            Self::Existing(existing) => existing.checkout != Checkout::Unknown,
            Self::Rust(sources) => matches!(sources, Some(MondoSources::Git { .. })),
        }
    }
}
