//! The entries of the whole cache: their kinds, sizes and last use, their check, and the removal of those that are not
//! used.

use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::cache::{last_use, unused_for};
use crate::cache_entry::{self, Read, State};
use crate::error::Result;

/// The age after which a file or folder that an ended run did not finish is removed.
const UNFINISHED_FOR: Duration = Duration::from_secs(60 * 60 * 24);

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The folder of the cache that it is in: `toolchains`, `compiled`, `link`, …; `wheels` for unpacked wheels.
    pub kind: String,
    /// The name of its folder.
    pub name: String,
    /// Its folder.
    pub path: Utf8PathBuf,
    /// Bytes of its files.
    pub bytes: u64,
    /// The time of its last use, in seconds since 1970.
    pub used: u64,
    /// True if it has a record of its contents. Entries of the project's own tests have none.
    pub recorded: bool,
}

/// A damaged entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damaged {
    /// Its folder.
    pub path: Utf8PathBuf,
    /// The files that changed.
    pub why: String,
    /// True if it was removed.
    pub removed: bool,
}

/// The result of [`verify`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// The number of entries whose files are those of their record.
    pub whole: usize,
    /// The number of entries without a record.
    pub without_record: usize,
    /// Those that were damaged.
    pub damaged: Vec<Damaged>,
}

/// The result of [`remove_unused`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// The folders that were removed.
    pub removed: Vec<Utf8PathBuf>,
    /// Bytes of their files.
    pub bytes: u64,
}

/// The entries of the cache `dir`, sorted by kind and name. A cache that does not exist has none.
///
/// # Errors
/// [`crate::ErrorKind::Io`] where a folder cannot be read.
pub fn entries(dir: &Utf8Path) -> Result<Vec<Entry>> {
    let mut all = Vec::new();
    for folder in folders(dir)? {
        let kind = folder.file_name().unwrap_or_default();
        if is_unfinished(&folder) {
            continue;
        }
        if cache_entry::has_record(&folder) {
            all.push(entry("wheels", &folder));
            continue;
        }
        let inside = folders(&folder)?;
        let finished = inside.iter().filter(|path| !is_unfinished(path));
        all.extend(finished.map(|path| entry(kind, path)));
    }
    all.sort_by(|one, other| (&one.kind, &one.name).cmp(&(&other.kind, &other.name)));
    Ok(all)
}

/// Reads every file of each entry, and removes the entries that are damaged, so that the next build makes them again.
///
/// # Errors
/// [`crate::ErrorKind::Io`] where a folder cannot be read, [`crate::ErrorKind::Interrupted`].
pub fn verify(dir: &Utf8Path) -> Result<Verified> {
    let mut verified = Verified::default();
    for entry in entries(dir)? {
        if !entry.recorded {
            verified.without_record += 1;
            continue;
        }
        match cache_entry::check(&entry.path, Read::All)? {
            State::Whole(_) => verified.whole += 1,
            // Another process has removed it.
            State::Absent => {}
            State::Damaged(why) => verified.damaged.push(Damaged {
                why,
                removed: cache_entry::discard(&entry.path).is_ok(),
                path: entry.path,
            }),
        }
    }
    Ok(verified)
}

/// Removes the entries that have not been used for `age`, and what ended runs left unfinished.
///
/// # Errors
/// [`crate::ErrorKind::Io`] where a folder cannot be read or an entry not be removed.
pub fn remove_unused(dir: &Utf8Path, age: Duration) -> Result<Removed> {
    let mut result = Removed::default();
    for entry in entries(dir)? {
        if unused_for(&entry.path, age) {
            cache_entry::discard(&entry.path)?;
            result.bytes += entry.bytes;
            result.removed.push(entry.path);
        }
    }
    let mut places = folders(dir)?;
    places.push(dir.to_owned());
    for place in places.iter().filter(|place| !is_unfinished(place)) {
        for left in folders(place)? {
            if is_unfinished(&left) && unused_for(&left, UNFINISHED_FOR.min(age)) {
                result.bytes += bytes_below(&left);
                // Its owner may be removing it at the same time.
                let _ = fs_err::remove_dir_all(&left);
                result.removed.push(left);
            }
        }
    }
    Ok(result)
}

fn entry(kind: &str, path: &Utf8Path) -> Entry {
    let recorded = cache_entry::has_record(path);
    let used = last_use(path).and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    Entry {
        kind: kind.to_owned(),
        name: path.file_name().unwrap_or_default().to_owned(),
        path: path.to_owned(),
        bytes: match recorded {
            true => cache_entry::size(path),
            false => bytes_below(path),
        },
        used: used.map_or(0, |time| time.as_secs()),
        recorded,
    }
}

/// True for a folder that a run has not renamed to its place yet.
fn is_unfinished(path: &Utf8Path) -> bool {
    path.file_name().is_some_and(|name| name.starts_with('.'))
}

/// The folders in `dir`, or none if it does not exist.
fn folders(dir: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let entries = match dir.read_dir_utf8() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| crate::Error::from(error).at(dir))?,
    };
    let mut folders = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            folders.push(entry.into_path());
        }
    }
    Ok(folders)
}

/// Bytes of the files of a folder, as far as they can be read.
fn bytes_below(root: &Utf8Path) -> u64 {
    let mut bytes = 0;
    let mut pending = vec![root.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => pending.push(entry.into_path()),
                Ok(metadata) if metadata.is_file() => bytes += metadata.len(),
                _ => {}
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::use_entry;

    fn world() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let cache = Utf8Path::from_path(dir.path()).unwrap().to_owned();
        for place in ["compiled/a", "link/b", "ninja-1"] {
            cache_entry::put(&cache.join(place), |fresh| {
                Ok(fs_err::write(fresh.join("file"), "1234")?)
            })
            .unwrap();
        }
        fs_err::create_dir_all(cache.join("images/x")).unwrap();
        fs_err::create_dir_all(cache.join("compiled/.new-dead")).unwrap();
        (dir, cache)
    }

    #[test]
    fn entries_have_kind_size_and_record() {
        let (_guard, cache) = world();
        let rows: Vec<_> = entries(&cache)
            .unwrap()
            .into_iter()
            .map(|entry| (entry.kind, entry.name, entry.bytes, entry.recorded))
            .collect();
        let row = |kind: &str, name: &str, bytes, recorded| {
            (kind.to_owned(), name.to_owned(), bytes, recorded)
        };
        assert_eq!(
            rows,
            [
                row("compiled", "a", 4, true),
                row("images", "x", 0, false),
                row("link", "b", 4, true),
                row("wheels", "ninja-1", 4, true),
            ]
        );
        assert_eq!(entries(&cache.join("nowhere")).unwrap(), []);
    }

    #[test]
    fn what_is_damaged_is_removed_once() {
        let (_guard, cache) = world();
        fs_err::write(cache.join("link/b/file"), "1235").unwrap();
        let verified = verify(&cache).unwrap();
        assert_eq!((verified.whole, verified.without_record), (2, 1));
        let [damaged] = &verified.damaged[..] else {
            panic!("{verified:?}");
        };
        assert_eq!(damaged.why, "file has other bytes");
        assert!(damaged.removed && !cache.join("link/b").exists());
        assert_eq!(verify(&cache).unwrap().damaged, []);
    }

    #[test]
    fn what_is_unused_and_what_is_unfinished_is_removed() {
        let (_guard, cache) = world();
        let days = |days: u64| Duration::from_secs(60 * 60 * 24 * days);
        assert_eq!(remove_unused(&cache, days(1)).unwrap(), Removed::default());
        let old = SystemTime::now() - days(3);
        for (folder, file) in [("compiled/a", "used"), ("link/b", "used")] {
            use_entry(&cache.join(folder));
            let file = fs_err::OpenOptions::new()
                .write(true)
                .open(cache.join(folder).join(file))
                .unwrap();
            file.file().set_modified(old).unwrap();
        }
        use_entry(&cache.join("link/b"));
        let removed = remove_unused(&cache, days(2)).unwrap();
        assert_eq!(
            (removed.removed, removed.bytes),
            (vec![cache.join("compiled/a")], 4)
        );
        let removed = remove_unused(&cache, days(0)).unwrap();
        assert_eq!(removed.removed.len(), 4, "{removed:?}");
        assert_eq!(entries(&cache).unwrap(), []);
    }
}
