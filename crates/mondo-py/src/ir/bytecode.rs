//! The check of bytecode and text before MLIR reads them: its reader writes outside of its buffers where
//! counts in a file are wrong, and its parser recurses as deep as text nests.

use std::ffi::CString;
use std::{fs, path::Path};

use mondo_bytecode::{check, check_file, check_text, is_bytecode};
use mondo_ir::{Terminated, Uniquer};

/// True if MLIR may read `source`; else a diagnostic says where it is damaged or too deep, at the file
/// `name`.
pub(crate) fn may_be_read(context: Uniquer<'_>, source: &Terminated, name: &str) -> bool {
    let bytes = source.bytes();
    verdict(bytes, check).is_none_or(|refusal| said(context, name, refusal))
}

/// As [`may_be_read`], of the file at `path`. MLIR says of a file that it cannot be read.
pub(crate) fn file_may_be_read(context: Uniquer<'_>, path: &str) -> bool {
    // A pipe gives its bytes once.
    if !Path::new(path).is_file() {
        return true;
    }
    let Ok(bytes) = fs::read(path) else {
        return true;
    };
    verdict(&bytes, check_file).is_none_or(|refusal| said(context, path, refusal))
}

/// The reason why MLIR must not read a source, and where.
struct Refusal {
    message: String,
    line: usize,
    column: usize,
}

fn verdict(
    bytes: &[u8],
    check: impl FnOnce(&[u8]) -> Result<(), mondo_bytecode::Error>,
) -> Option<Refusal> {
    if is_bytecode(bytes) {
        let error = check(bytes).err()?;
        return Some(Refusal {
            message: format!("the bytecode is damaged: {error}"),
            line: 0,
            column: 0,
        });
    }
    let error = check_text(bytes).err()?;
    Some(Refusal {
        message: format!("the text cannot be parsed: {error}"),
        line: error.line,
        column: error.column,
    })
}

/// Emits a refusal as a diagnostic, and returns false.
fn said(context: Uniquer<'_>, name: &str, refusal: Refusal) -> bool {
    let message = CString::new(refusal.message).unwrap_or_default();
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let (line, column) = (number(refusal.line), number(refusal.column));
    context.file(name, line, column).emit_error(&message);
    false
}
