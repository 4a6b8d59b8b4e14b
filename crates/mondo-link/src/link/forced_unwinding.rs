//! Compiles the code by which a thread that CPython ends hangs in front of the extension's frames (see
//! `forced_unwinding.cpp`).

use mondo_core::error::Result;

use super::direct;
use super::inputs::Inputs;

/// The personality function that looks for forced unwinding first.
const SOURCE: &str = include_str!("forced_unwinding.cpp");

/// The language of an extension's frames.
#[derive(Debug, Clone, Copy)]
pub(super) enum Language {
    Cpp,
    Rust,
}

impl Language {
    /// The function that the unwinder calls for each frame with destructors or handlers.
    fn personality(self) -> &'static str {
        match self {
            Self::Cpp => "__gxx_personality_v0",
            Self::Rust => "rust_eh_personality",
        }
    }
}

/// Compiles the personality function for the extension `module`. Returns the linker's arguments by which its frames
/// have that.
pub(super) fn arguments(
    inputs: Inputs<'_>,
    module: &str,
    language: Language,
) -> Result<[String; 2]> {
    let personality = language.personality();
    let source = inputs.out.join(format!("{module}.forced_unwinding.cpp"));
    let object = inputs.out.join(format!("{module}.forced_unwinding.o"));
    fs_err::write(
        &source,
        format!("#define MONDO_PERSONALITY {personality}\n{SOURCE}"),
    )?;
    direct::compile(inputs, &source, &object)?;
    Ok([format!("-Wl,--wrap={personality}"), object.into_string()])
}
