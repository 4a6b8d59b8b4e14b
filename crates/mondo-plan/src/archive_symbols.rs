//! The symbols that static archives define, by the archives' own tables.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use mondo_core::file::map;
use object::read::archive::ArchiveFile;

/// The global symbols that these archives define; none where one of them cannot tell, which the phase that links
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
