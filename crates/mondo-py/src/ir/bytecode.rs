//! The check of bytecode and text before MLIR reads them, and the choice of what reads them: MLIR's reader
//! writes outside of its buffers where counts in a file are wrong, and its parser recurses as deep as text
//! nests.

use std::ffi::CString;
use std::{fs, path::Path};

use mondo_bytecode::{Contents, check, check_file, check_text, is_bytecode};
use mondo_ir::Source;
use mondo_sys::*;

use crate::interop::string::{Terminated, string_ref};

/// What reads a source that was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// MLIR's parsers of the C API.
    Parser,
    /// mondo's readers of bytecode, which look at the kinds of attributes that become properties.
    Guarded,
}

/// The way in which `source` may be read; where it is damaged or too deep, there is none, and a diagnostic says
/// where, at the file `name`. The context is live.
pub(crate) fn way_into(context: MlirContext, source: &Terminated, name: &str) -> Option<Way> {
    match look(source.bytes(), check) {
        Ok(way) => Some(way),
        Err(refusal) => {
            emit(context, name, refusal);
            None
        }
    }
}

/// The content of the file at `path`, where that is bytecode to be read in the [`Way::Guarded`]: MLIR would
/// read the file again. Otherwise nothing if MLIR may read the file, which says of one that it cannot be read.
///
/// # Errors
///
/// If MLIR must not read it, which a diagnostic says.
pub(crate) fn file(context: MlirContext, path: &str) -> Result<Option<Source>, ()> {
    // A pipe gives its bytes once.
    if !Path::new(path).is_file() {
        return Ok(None);
    }
    let Ok(bytes) = fs::read(path) else {
        return Ok(None);
    };
    match look(&bytes, check_file) {
        Ok(Way::Parser) => Ok(None),
        Ok(Way::Guarded) => Ok(Some(Source::bytecode(&bytes))),
        Err(refusal) => {
            emit(context, path, refusal);
            Err(())
        }
    }
}

/// The reason why MLIR must not read a source, and where.
struct Refusal {
    message: String,
    line: usize,
    column: usize,
}

fn look(
    bytes: &[u8],
    check: impl FnOnce(&[u8]) -> Result<Contents, mondo_bytecode::Error>,
) -> Result<Way, Refusal> {
    if is_bytecode(bytes) {
        let contents = check(bytes).map_err(|error| Refusal {
            message: format!("the bytecode is damaged: {error}"),
            line: 0,
            column: 0,
        })?;
        return Ok(if contents.has_dictionaries {
            Way::Guarded
        } else {
            Way::Parser
        });
    }
    check_text(bytes).map_err(|error| Refusal {
        message: format!("the text cannot be parsed: {error}"),
        line: error.line,
        column: error.column,
    })?;
    Ok(Way::Parser)
}

/// Emits a refusal as a diagnostic. The context is live.
fn emit(context: MlirContext, name: &str, refusal: Refusal) {
    let message = CString::new(refusal.message).unwrap_or_default();
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    // SAFETY: the callers' context is live, so that its new location is; MLIR copies both texts.
    unsafe {
        let (line, column) = (number(refusal.line), number(refusal.column));
        let place = mlirLocationFileLineColGet(context, string_ref(name), line, column);
        mlirEmitError(place, message.as_ptr());
    }
}
