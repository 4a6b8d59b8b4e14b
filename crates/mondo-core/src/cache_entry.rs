//! An entry of the cache: a folder with a record of its contents, which every use compares with the files.
//!
//! The record is written before the entry gets its name, so an entry that is there is whole, and a byte that changes
//! later is noticed. The digest of a file is taken again only if the file looks changed, for example because somebody
//! copied the cache. Then the record gets the new looks.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cache::{USED, use_entry};
use crate::error::{Error, ErrorKind, Result};
use crate::file::replace;
use crate::path::utf8;
use crate::progress::Sink;
use crate::taken_digest::TakenDigest;

/// The name of the record in an entry.
const RECORD: &str = "contents.json";

/// The start of the names of entries that are being made.
pub const UNFINISHED: &str = ".new-";

/// The number of damaged files that a message names.
const NAMED: usize = 3;

/// The record of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// What it was made from: a digest or another text that only its maker reads.
    source: String,
    files: BTreeMap<Utf8PathBuf, TakenDigest>,
    /// Symbolic links and their targets.
    links: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
}

/// The state of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Its files are those that it was made with.
    Whole(Record),
    /// It is not there.
    Absent,
    /// It is there, but not as it was made; the reason.
    Damaged(String),
}

impl State {
    /// The error of an entry that cannot be made again: if the entry is damaged and what it is made from cannot be had,
    /// the damage is the reason to fail.
    #[must_use]
    pub fn not_repaired(&self, error: Error) -> Error {
        match self {
            Self::Damaged(_) if error.kind() == ErrorKind::Network => {
                error.with_kind(ErrorKind::Integrity)
            }
            _ => error,
        }
    }
}

/// Which files of an entry are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// Those that look changed.
    Changed,
    /// Every file.
    All,
}

impl Record {
    /// What the entry was made from.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Bytes of all files.
    fn bytes(&self) -> u64 {
        self.files.values().map(TakenDigest::size).sum()
    }

    fn read(folder: &Utf8Path) -> Option<Self> {
        serde_json::from_slice(&fs_err::read(folder.join(RECORD)).ok()?).ok()
    }

    fn write(&self, folder: &Utf8Path) -> Result<()> {
        let text = serde_json::to_vec(self).map_err(std::io::Error::from)?;
        replace(&folder.join(RECORD), &text)
    }
}

/// True if a folder is an entry with a record.
#[must_use]
pub(crate) fn has_record(folder: &Utf8Path) -> bool {
    folder.join(RECORD).is_file()
}

/// Bytes of the files of an entry, as its record has them; 0 where it has none.
#[must_use]
pub fn size(folder: &Utf8Path) -> u64 {
    Record::read(folder).map_or(0, |record| record.bytes())
}

/// Compares the entry `folder` with its record.
///
/// # Errors
/// [`ErrorKind::Interrupted`].
pub fn check(folder: &Utf8Path, read: Read) -> Result<State> {
    if !folder.is_dir() {
        return Ok(State::Absent);
    }
    let Some(record) = Record::read(folder) else {
        return Ok(State::Damaged(format!(
            "{RECORD} is missing or cannot be read"
        )));
    };
    // A file that is gone or cannot be read is damage. Another process may also be replacing the entry.
    let found = match Found::below(folder) {
        Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
        Err(error) => return Ok(State::Damaged(error.what().to_owned())),
        Ok(found) => found,
    };
    let mut damage = differences(&record.links, &found.links);
    let unread = differing_names(&record.files, &found.files);
    damage.extend(unread);
    let check_file = |(path, taken): (&Utf8PathBuf, &TakenDigest)| {
        let full = folder.join(path);
        let Ok(metadata) = fs_err::metadata(&full) else {
            return Ok((path.clone(), None));
        };
        if read == Read::Changed && taken.looks_the_same(&metadata) {
            return Ok((path.clone(), Some(taken.clone())));
        }
        match TakenDigest::of(&full) {
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            now => Ok((path.clone(), now.ok())),
        }
    };
    let present = record.files.par_iter();
    let present = present.filter(|(path, _)| found.files.contains(*path));
    let now: Vec<(Utf8PathBuf, Option<TakenDigest>)> =
        present.map(check_file).collect::<Result<_>>()?;
    let mut files = BTreeMap::new();
    for (path, taken) in now {
        match taken {
            Some(taken) if taken.sha256 == record.files[&path].sha256 => {
                files.insert(path, taken);
            }
            Some(_) => damage.push(format!("{path} has other bytes")),
            None => damage.push(format!("{path} cannot be read")),
        }
    }
    if !damage.is_empty() {
        return Ok(State::Damaged(listed(&damage)));
    }
    if files == record.files {
        return Ok(State::Whole(record));
    }
    let now = Record { files, ..record };
    // In a cache that cannot be written, the files are read again next time.
    if let Err(error) = now.write(folder) {
        tracing::debug!(%error, "the record of a cache entry stays as it was");
    }
    Ok(State::Whole(now))
}

/// True if the entry `folder` is whole, and marks it as used. If the entry is damaged, `sink` is told once that it
/// will be made again. `name` is the name of the entry in that message.
///
/// # Errors
/// [`ErrorKind::Interrupted`].
pub fn usable(folder: &Utf8Path, name: &str, sink: &dyn Sink) -> Result<bool> {
    match check(folder, Read::Changed)? {
        State::Whole(_) => {
            use_entry(folder);
            Ok(true)
        }
        State::Absent => Ok(false),
        State::Damaged(why) => {
            sink.note(&damaged(name, folder, &why));
            Ok(false)
        }
    }
}

/// True if `error` is one of writing the cache, on a full or read-only disk. `sink` is told that the build goes on
/// without the entry `place`.
#[must_use]
pub fn goes_on_without(error: &Error, place: &Utf8Path, sink: &dyn Sink) -> bool {
    if error.kind() != ErrorKind::Io {
        return false;
    }
    sink.note(&format!(
        "the cache cannot be written, so this build goes on without it: {} ({place}); free some space, or set \
         MONDO_CACHE_DIR to a folder on another disk",
        error.what()
    ));
    true
}

/// The line about an entry that is damaged and will be made again.
#[must_use]
pub fn damaged(name: &str, folder: &Utf8Path, why: &str) -> String {
    format!("{name} in the cache is damaged and is made again: {why} ({folder})")
}

/// Writes the record of a new entry. `source` is the text that [`Record::source`] returns.
///
/// # Errors
/// [`ErrorKind::Io`] where a file cannot be read or the record not be written.
pub fn seal(folder: &Utf8Path, source: &str) -> Result<Record> {
    let found = Found::below(folder)?;
    let take = |path: &Utf8PathBuf| Ok((path.clone(), TakenDigest::of(&folder.join(path))?));
    let record = Record {
        source: source.to_owned(),
        files: found.files.par_iter().map(take).collect::<Result<_>>()?,
        links: found.links,
    };
    record.write(folder)?;
    Ok(record)
}

/// Moves the sealed entry `fresh` to `place`, in the same file system. A damaged entry there is moved into `beside`.
/// If another process has made the entry meanwhile, that entry stays.
///
/// # Errors
/// [`ErrorKind::Io`] where it cannot be moved.
pub fn install(fresh: &Utf8Path, place: &Utf8Path, beside: &Utf8Path) -> Result<()> {
    // Each pass moves away an entry that was damaged, so a second pass means another process that does the same.
    for attempt in 0..8 {
        match fs_err::rename(fresh, place) {
            Ok(()) => return Ok(()),
            Err(_) if place.exists() => {}
            Err(error) => return Err(error.into()),
        }
        if let State::Whole(_) = check(place, Read::Changed)? {
            return Ok(());
        }
        match fs_err::rename(place, beside.join(format!("damaged-{attempt}"))) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Err(Error::new(
        ErrorKind::Integrity,
        "a cache entry is damaged again and again while mondo replaces it",
    )
    .at(place)
    .help(
        "look for the program that writes to the cache, or set MONDO_CACHE_DIR to another folder",
    ))
}

/// Makes the entry `place`: `fill` writes its files into an empty folder.
///
/// # Errors
/// Those of `fill`; [`ErrorKind::Io`] where the cache cannot be written.
pub fn put<T>(place: &Utf8Path, fill: impl FnOnce(&Utf8Path) -> Result<T>) -> Result<T> {
    let home = place.parent().unwrap_or(place);
    fs_err::create_dir_all(home)?;
    let guard = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempdir_in(home)?;
    let beside = utf8(guard.path())?;
    // A temporary folder is private, and a shared cache is for everyone to read, so the entry is a folder inside.
    let fresh = beside.join("entry");
    fs_err::create_dir(&fresh)?;
    let result = fill(&fresh)?;
    seal(&fresh, "")?;
    install(&fresh, place, beside)?;
    Ok(result)
}

/// Removes the entry `place`, so that no process finds a part of it.
///
/// # Errors
/// [`ErrorKind::Io`] where it cannot be moved or removed.
pub fn discard(place: &Utf8Path) -> Result<()> {
    let home = place.parent().unwrap_or(place);
    let guard = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempdir_in(home)?;
    match fs_err::rename(place, utf8(guard.path())?.join("entry")) {
        // Another process may have removed it.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        moved => Ok(moved?),
    }
}

/// The files and links of an entry.
#[derive(Default)]
struct Found {
    files: BTreeSet<Utf8PathBuf>,
    links: BTreeMap<Utf8PathBuf, Utf8PathBuf>,
}

impl Found {
    fn below(root: &Utf8Path) -> Result<Self> {
        let mut found = Self::default();
        let mut folders = vec![Utf8PathBuf::new()];
        while let Some(inside) = folders.pop() {
            crate::interrupt::check()?;
            for entry in fs_err::read_dir(root.join(&inside))? {
                let entry = entry?;
                let name = entry.file_name();
                let path = inside.join(utf8(name.as_ref())?);
                let kind = entry.file_type()?;
                if kind.is_dir() {
                    // Python writes its caches beside the modules of an unpacked wheel.
                    if name != "__pycache__" {
                        folders.push(path);
                    }
                } else if kind.is_symlink() {
                    let target = root.join(&path).read_link_utf8()?;
                    found.links.insert(path, target);
                } else if ![RECORD, USED].contains(&path.as_str()) {
                    found.files.insert(path);
                }
            }
        }
        Ok(found)
    }
}

/// Lines about files that only one side has.
fn differing_names(
    record: &BTreeMap<Utf8PathBuf, TakenDigest>,
    found: &BTreeSet<Utf8PathBuf>,
) -> Vec<String> {
    let missing = record.keys().filter(|path| !found.contains(*path));
    let extra = found.iter().filter(|path| !record.contains_key(*path));
    missing
        .map(|path| format!("{path} is missing"))
        .chain(extra.map(|path| format!("{path} was added")))
        .collect()
}

/// Lines about links that differ.
fn differences(
    record: &BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    found: &BTreeMap<Utf8PathBuf, Utf8PathBuf>,
) -> Vec<String> {
    let names: BTreeSet<&Utf8PathBuf> = record.keys().chain(found.keys()).collect();
    let differ = names
        .into_iter()
        .filter(|name| record.get(*name) != found.get(*name));
    differ
        .map(|path| format!("{path} is another link"))
        .collect()
}

fn listed(damage: &[String]) -> String {
    let mut text = damage[..damage.len().min(NAMED)].join(", ");
    if let Some(more) = damage.len().checked_sub(NAMED).filter(|more| *more > 0) {
        text += &format!(", and {more} more");
    }
    text
}

#[cfg(test)]
mod tests;
