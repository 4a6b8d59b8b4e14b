//! The parts of a prefix that rows of the catalogue may name.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use mondo_plan::catalogue::Present;
use mondo_toolchain::Toolchain;
use object::read::archive::ArchiveFile;
use rayon::prelude::*;

use crate::llvm_archives::archives_in;

/// Reads the archives' symbol tables, the names of the files below `include`, and the words of the C API's headers.
///
/// # Errors
/// [`ErrorKind::Archive`] for an archive whose symbol table cannot be read, [`ErrorKind::Io`] for unreadable folders.
pub fn prefix_contents(toolchain: &Toolchain, major: u32) -> Result<Present> {
    let archives = archives_in(&toolchain.prefix.join("lib"))?;
    let archives: Result<BTreeMap<String, BTreeSet<String>>> = archives
        .into_par_iter()
        .filter(|(name, _)| name.starts_with("MLIR") || name.starts_with("LLVM"))
        .map(|(name, path)| Ok((name, functions(&path)?)))
        .collect();
    let include = toolchain.prefix.join("include");
    let mut files = BTreeSet::new();
    for folder in ["mlir", "mlir-c"] {
        collect_files(&include, folder, &mut files)?;
    }
    let headers = files.iter().filter(|name| {
        name.starts_with("mlir-c/") && name.ends_with(".h") && !name.starts_with("mlir-c/Bindings/")
    });
    let header_words: Result<BTreeMap<String, BTreeSet<String>>> = headers
        .map(|name| Ok((name.clone(), words(&file::text(&include.join(name))?))))
        .collect();
    Ok(Present {
        called: format!(
            "LLVM {} in {}",
            toolchain.version,
            toolchain.named.as_ref().unwrap_or(&toolchain.prefix)
        ),
        major,
        archives: archives?,
        header_words: header_words?,
        files,
    })
}

/// The functions that an archive defines and a row may name: those of the C API, the entry points of code generators, and
/// those that register something.
fn functions(path: &Utf8Path) -> Result<BTreeSet<String>> {
    let map = file::map(path)?;
    let broken = |error: object::read::Error| {
        Error::new(ErrorKind::Archive, "cannot read the archive's symbol table")
            .at(path)
            .caused_by(error)
    };
    let archive = ArchiveFile::parse(&*map).map_err(broken)?;
    let Some(symbols) = archive.symbols().map_err(broken)? else {
        return Ok(BTreeSet::new());
    };
    let mut found = BTreeSet::new();
    for symbol in symbols {
        let symbol = symbol.map_err(broken)?;
        let Ok(name) = std::str::from_utf8(symbol.name()) else {
            continue;
        };
        if name.starts_with("mlir")
            || name.starts_with("LLVMInitialize")
            || (name.starts_with("_ZN4mlir") && name.contains("egister"))
        {
            found.insert(name.to_owned());
        }
    }
    Ok(found)
}

fn collect_files(include: &Utf8Path, folder: &str, found: &mut BTreeSet<String>) -> Result<()> {
    for entry in include.join(folder).read_dir_utf8()? {
        let entry = entry?;
        let name = format!("{folder}/{}", entry.file_name());
        if entry.path().is_dir() {
            collect_files(include, &name, found)?;
        } else {
            found.insert(name);
        }
    }
    Ok(())
}

/// The words that may be functions of MLIR's C API.
fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with("mlir"))
        .map(str::to_owned)
        .collect()
}
