//! The check of bytecode and text before MLIR reads them, and the choice of what reads them: MLIR's reader
//! writes outside of its buffers where counts in a file are wrong, and its parser recurses as deep as text
//! nests.

use std::ffi::CString;
use std::fs;
use std::io::{self, Read};

use mondo_bytecode::{Contents, check, check_file, check_text, is_bytecode};
use mondo_ir::nodes::{Loose, Op};
use mondo_ir::{DictionaryNames, Source, Terminated, Uniquer};

/// The reader of a source that was looked at.
pub(crate) enum Way<'a> {
    /// MLIR's parsers of the C API.
    Parser,
    /// mondo's readers of bytecode, which end those of attributes that refer to themselves, and compare the
    /// operations with their dictionaries.
    AttachedCell(DictionaryNames<'a>),
}

/// The way in which `source` may be read; where it is damaged or too deep, there is none, and a diagnostic says
/// where, at the file `name`.
pub(crate) fn way_into<'a>(
    context: Uniquer<'_>,
    source: &'a Terminated,
    name: &str,
) -> Option<Way<'a>> {
    look(source.bytes(), check)
        .map_err(|refusal| emit(context, name, refusal))
        .ok()
}

/// Reads the module of the file at `path`. None where it cannot be read, and diagnostics say why.
pub(crate) fn module_of_file<'ctx>(context: Uniquer<'ctx>, path: &str) -> Option<Loose<Op<'ctx>>> {
    // MLIR gets the bytes that were looked at: a pipe gives them once, and a file may change.
    let content = content_of(path)
        .map_err(|error| {
            // MLIR's own words.
            let message = format!("could not open input file {path}: {error}");
            let message = CString::new(message).unwrap_or_default();
            context.unknown().emit_error(&message);
        })
        .ok()?;
    let way = look(&content, check_file)
        .map_err(|refusal| emit(context, path, refusal))
        .ok()?;
    let names = match way {
        Way::AttachedCell(names) => names,
        Way::Parser => {
            return Op::parse_module(context, &Terminated::from_vec(content), path);
        }
    };
    // The sections of bytecode are aligned in memory.
    let source = Source::bytecode(&content);
    Op::read_module(context, source.bytes(), path, &names)
}

/// All bytes of a file or pipe; of standard input for `-`, as MLIR has it.
fn content_of(path: &str) -> io::Result<Vec<u8>> {
    if path != "-" {
        return fs::read(path);
    }
    let mut content = Vec::new();
    io::stdin().lock().read_to_end(&mut content)?;
    Ok(content)
}

/// The reason why MLIR must not read a source, and where.
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
        return Ok(Way::AttachedCell(DictionaryNames::of(&contents)));
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
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let (line, column) = (number(refusal.line), number(refusal.column));
    context.file(name, line, column).emit_error(&message);
}
