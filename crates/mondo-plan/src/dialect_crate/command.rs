//! A command of a dialect crate.

use serde::Serialize;

use crate::spanned::Spanned;

/// A command that runs a function of a crate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Command {
    /// Its name: `toy-opt`.
    pub name: Spanned<String>,
    /// The C function `int f(int argc, char **argv)`.
    pub main: Spanned<String>,
}
