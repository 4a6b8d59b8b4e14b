//! The symbols that static archives define, by the archives' own tables.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use mondo_core::file::map;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol};

/// The beginning of the names of MLIR's functions that a static `PassRegistration` calls: `registerPass` and
/// `registerPassPipeline`.
const REGISTER: &[&str] = &["_ZN4mlir12registerPass", "_ZN4mlir20registerPassPipeline"];

/// Whether an archive has passes that register themselves when the library is loaded: an object with global constructors
/// that calls MLIR's function. False where the archive cannot tell.
#[must_use]
pub fn registers_passes(path: &Utf8PathBuf) -> bool {
    let Ok(map) = map(path) else {
        return false;
    };
    let Ok(file) = ArchiveFile::parse(&*map) else {
        return false;
    };
    file.members().flatten().any(|member| {
        let object = member
            .data(&*map)
            .ok()
            .and_then(|data| object::File::parse(data).ok());
        object.is_some_and(|object| {
            let has_constructors = object.sections().any(|section| {
                section
                    .name()
                    .is_ok_and(|name| name.starts_with(".init_array"))
            });
            has_constructors
                && object.symbols().any(|symbol| {
                    let name = symbol.name().unwrap_or_default();
                    symbol.is_undefined() && REGISTER.iter().any(|start| name.starts_with(start))
                })
        })
    })
}

/// The global symbols that these archives define. `None` if one of them cannot be read, which the phase that links
/// it says better.
pub fn defined<'a>(
    archives: impl IntoIterator<Item = &'a Utf8PathBuf>,
) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for path in archives {
        let map = map(path).ok()?;
        let file = ArchiveFile::parse(&*map).ok()?;
        for symbol in file.symbols().ok()?? {
            let symbol = symbol.ok()?;
            found.insert(String::from_utf8_lossy(symbol.name()).into_owned());
        }
    }
    Some(found)
}
