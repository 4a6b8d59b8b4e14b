//! The user's cache folder, which all checkouts share: its subfolders, and the removal of entries that are no longer
//! used.

use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};

use crate::error::{Error, ErrorKind, Result};
use crate::path::{absolute, variable};

/// Compiled staticlibs: see `compile/cache.rs`.
pub const COMPILED: &str = "compiled";

/// The target folder of cargo, where a compiler launcher is used: see `compile/rust.rs`.
pub const CARGO: &str = "cargo";

/// Results of links: the order of functions (`link/order.rs`), and the members that the linker takes
/// (`link/unwind_tables.rs`).
pub const LINK: &str = "link";

/// The file of an entry whose modification time is the time of the entry's last use.
pub(crate) const USED: &str = "used";

/// The time after which an unused entry is removed.
pub const UNUSED: Duration = Duration::from_secs(60 * 60 * 24 * 30);

/// An age at which rather the clock is wrong: no mondo is that old.
const WRONG_CLOCK: Duration = Duration::from_secs(60 * 60 * 24 * 365 * 20);

/// The per-user cache: `MONDO_CACHE_DIR`, else `$XDG_CACHE_HOME/mondo`, else `~/.cache/mondo`.
///
/// # Errors
/// [`ErrorKind::Io`] where no variable names a folder.
pub fn cache_dir() -> Result<Utf8PathBuf> {
    if let Some(dir) = variable("MONDO_CACHE_DIR")? {
        return absolute(&dir);
    }
    // The XDG base directory specification: a relative path must be ignored.
    if let Some(dir) = variable("XDG_CACHE_HOME")?.filter(|dir| dir.is_absolute()) {
        return Ok(dir.join("mondo"));
    }
    match variable("HOME")? {
        Some(home) => Ok(absolute(&home)?.join(".cache/mondo")),
        None => Err(Error::new(ErrorKind::Io, "the cache has no folder")
            .because("none of MONDO_CACHE_DIR, XDG_CACHE_HOME and HOME is set")
            .help("set MONDO_CACHE_DIR")),
    }
}

/// The folder `name` of the user's cache, without the entries that [`prune`] removes. It is created if it does not
/// exist. If the cache is not writable (a read-only home, or another user's), the folder is in `work` instead.
///
/// # Errors
/// [`crate::ErrorKind::Io`] where neither can be made.
pub fn folder(name: &str, work: &Utf8Path) -> Result<Utf8PathBuf> {
    let folder = folder_in(cache_dir().ok().as_deref(), name, work)?;
    prune(&folder);
    Ok(folder)
}

fn folder_in(cache: Option<&Utf8Path>, name: &str, work: &Utf8Path) -> Result<Utf8PathBuf> {
    let folder = cache.map(|cache| cache.join(name));
    if let Some(folder) = folder
        && fs_err::create_dir_all(&folder).is_ok()
        && tempfile::tempfile_in(&folder).is_ok()
    {
        return Ok(folder);
    }
    let folder = work.join(name);
    fs_err::create_dir_all(&folder)?;
    Ok(folder)
}

/// Marks `entry`, a folder, as used now. An error is ignored, since a read-only cache can still be read.
pub fn use_entry(entry: &Utf8Path) {
    let _ = fs_err::write(entry.join(USED), "");
}

/// Removes entries that have not been used for `UNUSED`, and leftovers of interrupted runs. A clock that is wrong by decades
/// removes nothing.
pub fn prune(folder: &Utf8Path) {
    let Ok(entries) = folder.read_dir_utf8() else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if unused_for(path, UNUSED) {
            // Another process may remove the same entry at the same time, so an error is ignored.
            let _ = fs_err::remove_dir_all(path);
        }
    }
}

/// The time of an entry's last use; for one that was never used again, the time when it was made.
pub(crate) fn last_use(entry: &Utf8Path) -> Option<SystemTime> {
    let time = |path: &Utf8Path| fs_err::metadata(path).and_then(|metadata| metadata.modified());
    time(&entry.join(USED)).or_else(|_| time(entry)).ok()
}

/// True if the last use of an entry is at least `age` ago, and not so long that the clock must be wrong.
pub(crate) fn unused_for(entry: &Utf8Path, age: Duration) -> bool {
    let since = last_use(entry).and_then(|used| SystemTime::now().duration_since(used).ok());
    since.is_some_and(|since| since >= age && since < WRONG_CLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_cache_that_can_be_written_it_is_in_the_work_folder() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let (cache, work) = (dir.join("cache"), dir.join("work"));
        let folder = |cache| folder_in(cache, LINK, &work).unwrap();
        assert_eq!(folder(Some(&*cache)), cache.join(LINK));
        let file = dir.join("file");
        fs_err::write(&file, "").unwrap();
        assert_eq!(folder(Some(&*file)), work.join(LINK));
        assert_eq!(folder(None), work.join(LINK));
        assert!(work.join(LINK).is_dir() && cache.join(LINK).is_dir());
    }

    #[test]
    fn what_nobody_used_for_long_goes() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let now = SystemTime::now();
        let day = Duration::from_secs(60 * 60 * 24);
        for (name, time) in [
            ("old", now - UNUSED - day),
            ("new", now),
            ("before all", now - 2 * WRONG_CLOCK),
            ("to come", now + 2 * WRONG_CLOCK),
        ] {
            fs_err::create_dir(dir.join(name)).unwrap();
            let file = fs_err::File::create(dir.join(name).join(USED)).unwrap();
            file.file().set_modified(time).unwrap();
        }
        prune(dir);
        let left = |name| dir.join(name).exists();
        assert!(left("new") && left("before all") && left("to come") && !left("old"));
        // After this use the entry must survive.
        fs_err::create_dir(dir.join("old")).unwrap();
        use_entry(&dir.join("old"));
        prune(dir);
        assert!(left("new") && left("old"));
    }
}
