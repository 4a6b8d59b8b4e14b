//! Tables of addresses as object files, by way of assembly: the parts of an image that differ from
//! manifest to manifest.

use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::replace;
use mondo_toolchain::Linker;

/// A constant structure of 8-byte words under one symbol, which has hidden visibility.
#[derive(Debug)]
pub(crate) struct Table {
    symbol: &'static str,
    words: String,
    arrays: String,
    count: usize,
}

impl Table {
    /// An empty structure.
    pub(crate) fn new(symbol: &'static str) -> Self {
        Self {
            symbol,
            words: String::new(),
            arrays: String::new(),
            count: 0,
        }
    }

    /// Two words: the address of an array of the addresses of `symbols`, and its length.
    pub(crate) fn list<'a>(&mut self, symbols: impl IntoIterator<Item = &'a str>) {
        let array = self.array();
        let length = symbols.into_iter().fold(0, |length, symbol| {
            // Writing to a String cannot fail.
            let _ = writeln!(self.arrays, "\t.quad {symbol}");
            length + 1
        });
        let _ = writeln!(self.words, "\t.quad {array}, {length}");
    }

    /// Appends two words: the address of an array of strings, and the array's length. An element of the array is the
    /// address and the length of one string. The strings have no characters that the assembler would treat as escapes
    /// or as the end of a string.
    pub(crate) fn strings<'a>(&mut self, strings: impl IntoIterator<Item = &'a str>) {
        let array = self.array();
        let mut bytes = String::new();
        let mut length = 0;
        for string in strings {
            let _ = writeln!(self.arrays, "\t.quad {array}_{length}, {}", string.len());
            let _ = writeln!(bytes, "{array}_{length}:\n\t.ascii \"{string}\"");
            length += 1;
        }
        if length > 0 {
            let _ = write!(
                self.arrays,
                "\t.section .rodata.{0},\"a\",@progbits\n{bytes}\t.section .data.rel.ro.{0},\"aw\",@progbits\n",
                self.symbol
            );
        }
        let _ = writeln!(self.words, "\t.quad {array}, {length}");
    }

    /// A word: the address of a structure of the addresses of `symbols`.
    pub(crate) fn structure<'a>(&mut self, symbols: impl IntoIterator<Item = &'a str>) {
        let array = self.array();
        for symbol in symbols {
            let _ = writeln!(self.arrays, "\t.quad {symbol}");
        }
        let _ = writeln!(self.words, "\t.quad {array}");
    }

    /// A word that is zero.
    pub(crate) fn null(&mut self) {
        self.words.push_str("\t.quad 0\n");
    }

    /// Begins the next array, and returns its label.
    fn array(&mut self) -> String {
        self.count += 1;
        let label = format!(".L{}_{}", self.symbol, self.count);
        let _ = writeln!(self.arrays, "\t.balign 8\n{label}:");
        label
    }

    /// The assembly. `.note.GNU-stack` says that the code needs no executable stack.
    pub(crate) fn finish(self) -> String {
        let Self {
            symbol,
            words,
            arrays,
            ..
        } = self;
        format!(
            "\t.section .note.GNU-stack,\"\",@progbits\n\
             \t.section .data.rel.ro.{symbol},\"aw\",@progbits\n\
             {arrays}\
             \t.balign 8\n\
             \t.globl {symbol}\n\t.hidden {symbol}\n\t.type {symbol}, @object\n\
             {symbol}:\n{words}\
             \t.size {symbol}, . - {symbol}\n"
        )
    }
}

/// Assembles `text` into an object file in `work` that is named after `name` and the text: the same
/// text is assembled once.
///
/// # Errors
/// [`ErrorKind::MissingTool`] without a compiler; [`ErrorKind::Compile`] where it refuses the text.
pub(crate) fn object(
    name: &str,
    text: &str,
    linker: &Linker,
    work: &Utf8Path,
) -> Result<Utf8PathBuf> {
    let key = digest::short(format!("{}\n{text}", linker.cxx_version));
    let folder = work.join("tables").join(key);
    let object = folder.join(format!("{name}.o"));
    if object.is_file() {
        return Ok(object);
    }
    fs_err::create_dir_all(&folder)?;
    let source = folder.join(format!("{name}.s"));
    let unfinished = folder.join(format!("{name}.o.new"));
    replace(&source, text.as_bytes())?;
    Tool::new(&linker.cxx, format!("assemble {source}"))
        .fails_as(ErrorKind::Compile)
        .installed_by("apt-get install g++")
        .args(["-x", "assembler", "-c", source.as_str(), "-o"])
        .arg(&unfinished)
        .output()?;
    fs_err::rename(unfinished, &object)?;
    Ok(object)
}
