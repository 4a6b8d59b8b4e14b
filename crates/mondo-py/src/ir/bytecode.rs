//! The check of bytecode and text before MLIR reads them, and the choice of the reader. MLIR's bytecode
//! reader writes outside of its buffers if counts in a file are wrong, and its parser recurses as deeply as
//! the text nests. mondo-bytecode has the checks themselves.

use std::ffi::CString;
use std::fs;
use std::io::{self, Read};

use mondo_bytecode::{Contents, check, check_file, check_text, is_bytecode};
use mondo_ir::nodes::{Loose, Op};
use mondo_ir::{DictionaryNames, Source, Terminated, Uniquer};

/// The reader for a source that was checked.
pub(crate) enum Way<'a> {
    /// MLIR's parsers of the C API.
    Parser,
    /// mondo's bytecode reader, which stops at attributes that refer to themselves, and compares the
    /// operations with their attribute dictionaries.
    CheckedBytecode(DictionaryNames<'a>),
}

/// Chooses the reader for `source`. Returns None for a source that is damaged or nests too deeply, and emits
/// a diagnostic at its place in the file `name`.
pub(crate) fn way_into<'a>(
    context: Uniquer<'_>,
    source: &'a Terminated,
    name: &str,
) -> Option<Way<'a>> {
    look(source.bytes(), check)
        .map_err(|refusal| emit(context, name, refusal))
        .ok()
}

/// Reads the module in the file at `path`, whose content this is. Returns None if that fails, and emits diagnostics.
pub(crate) fn module_of_file<'ctx>(
    context: Uniquer<'ctx>,
    path: &str,
    content: io::Result<Vec<u8>>,
) -> Option<Loose<Op<'ctx>>> {
    // The file was read once, and MLIR gets the bytes that are checked: a pipe cannot be read twice, and
    // a file could change in between.
    let content = content
        .map_err(|error| {
            // The text of MLIR's own diagnostic.
            let message = format!("could not open input file {path}: {error}");
            let message = CString::new(message).unwrap_or_default();
            context.unknown().emit_error(&message);
        })
        .ok()?;
    let way = look(&content, check_file)
        .map_err(|refusal| emit(context, path, refusal))
        .ok()?;
    let names = match way {
        Way::CheckedBytecode(names) => names,
        Way::Parser => {
            return Op::parse_module(context, &Terminated::new(&content), path);
        }
    };
    // `Source::bytecode` aligns the bytes, because sections of bytecode require an alignment in memory.
    let source = Source::bytecode(&content);
    Op::read_module(context, source.bytes(), path, &names)
}

/// All bytes of a file or pipe. As for MLIR's tools, `-` means standard input. The thread must be detached from the
/// interpreter: another one may be about to write the pipe.
pub(crate) fn content_of(path: &str) -> io::Result<Vec<u8>> {
    if path != "-" {
        return fs::read(path);
    }
    let mut content = Vec::new();
    io::stdin().lock().read_to_end(&mut content)?;
    Ok(content)
}

/// The reason why MLIR must not read a source, and the place in the source.
struct Refusal {
    message: String,
    line: usize,
    column: usize,
}

fn look<'a>(
    bytes: &'a [u8],
    check: impl FnOnce(&'a [u8]) -> Result<Contents<'a>, mondo_bytecode::Error>,
) -> Result<Way<'a>, Refusal> {
    if is_bytecode(bytes) {
        let contents = check(bytes).map_err(|error| Refusal {
            message: format!("the bytecode is damaged: {error}"),
            line: 0,
            column: 0,
        })?;
        return Ok(Way::CheckedBytecode(DictionaryNames::of(&contents)));
    }
    check_text(bytes).map_err(|error| Refusal {
        message: format!("the text cannot be parsed: {error}"),
        line: error.line,
        column: error.column,
    })?;
    Ok(Way::Parser)
}

/// Emits a refusal as a diagnostic.
fn emit(context: Uniquer<'_>, name: &str, refusal: Refusal) {
    let message = CString::new(refusal.message).unwrap_or_default();
    let number = |version: usize| u32::try_from(version).unwrap_or(u32::MAX);
    let (line, column) = (number(refusal.line), number(refusal.column));
    context.file(name, line, column).emit_error(&message);
}
