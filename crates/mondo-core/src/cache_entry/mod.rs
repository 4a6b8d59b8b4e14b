//! Cache entries: folders with a record of their contents. Every use compares the files with the record.
//!
//! The record is written before the entry is renamed to its final name, so an entry is complete when it appears.
//! A file is read again only if its stamp (inode, size and times) differs from the recorded one, for example in a
//! copy of the cache. If its digest is the same, the record gets the new stamp.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;

use camino::Utf8Path;
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

/// The prefix of the names of unfinished entries.
pub const UNFINISHED: &str = ".new-";

/// The maximum number of damaged files that a message names.
const NAMED: usize = 3;

/// The record of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The source of the entry, such as the digest of a lock. Only the code that made the entry interprets it.
    source: String,
    // Paths are strings, because comparing paths component by component takes most of a check's time.
    files: BTreeMap<String, TakenDigest>,
    /// Symbolic links and their targets.
    links: BTreeMap<String, String>,
}

/// The state of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Its files match its record.
    Whole(Record),
    /// It does not exist.
    Absent,
    /// Its files differ from its record; the first differences.
    Damaged(String),
}

impl State {
    /// Converts the error of rebuilding this entry: if the entry is damaged and its source cannot be downloaded, the
    /// build fails because of the damage, not because of the network.
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

/// Which files of an entry a check reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Read {
    /// Files whose stamp differs from the recorded one.
    Changed,
    /// Every file.
    All,
}

impl Record {
    /// The source of the entry.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The total size of the files in bytes.
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

/// Returns whether a folder is an entry with a record.
#[must_use]
pub(crate) fn has_record(folder: &Utf8Path) -> bool {
    folder.join(RECORD).is_file()
}

/// The total size in bytes of an entry's files, as recorded; 0 if the entry has no record.
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
    let Some(mut record) = Record::read(folder) else {
        return Ok(State::Damaged(format!(
            "{RECORD} is missing or cannot be read"
        )));
    };
    // A file that vanishes while mondo looks is damage, too: another process may be replacing the entry.
    let found = match Contents::below(folder) {
        Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
        Err(error) => return Ok(State::Damaged(error.what().to_owned())),
        Ok(found) => found,
    };
    let mut damage = changed_links(&record.links, &found.links);
    damage.extend(changed_names(&record.files, &found.files));

    let unverified = record.files.iter().filter(|(path, recorded)| {
        let metadata = found.files.get(*path);
        metadata.is_some_and(|metadata| read == Read::All || !recorded.looks_the_same(metadata))
    });
    let unverified: Vec<&String> = unverified.map(|(path, _)| path).collect();
    let digest = |path: &&String| match TakenDigest::of(&folder.join(path)) {
        Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
        digest => Ok(((*path).clone(), digest.ok())),
    };
    let digests: Vec<(String, Option<TakenDigest>)> =
        unverified.par_iter().map(digest).collect::<Result<_>>()?;
    let mut new_stamps = false;
    for (path, digest) in digests {
        let recorded = record.files.get_mut(&path);
        match (digest, recorded) {
            (Some(digest), Some(recorded)) if digest.sha256 == recorded.sha256 => {
                new_stamps |= digest != *recorded;
                *recorded = digest;
            }
            (Some(_), _) => damage.push(format!("{path} has other bytes")),
            (None, _) => damage.push(format!("{path} cannot be read")),
        }
    }
    if !damage.is_empty() {
        return Ok(State::Damaged(summary(&damage)));
    }
    // If the cache is read-only, the next build reads these files again.
    if new_stamps && let Err(error) = record.write(folder) {
        tracing::debug!(%error, "the record of a cache entry was not updated");
    }
    Ok(State::Whole(record))
}

/// Returns whether the entry `folder` is whole, and if so marks it as used. If the entry is damaged, prints a line to
/// `sink` in which `name` is the entry's name.
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

/// Returns whether `error` comes from writing the cache, for example to a full or read-only disk. If so, prints to
/// `sink` that the build continues without the entry `place`.
#[must_use]
pub fn goes_on_without(error: &Error, place: &Utf8Path, sink: &dyn Sink) -> bool {
    if error.kind() != ErrorKind::Io {
        return false;
    }
    sink.note(&format!(
        "the cache cannot be written, so this build continues without it: {} ({place}); free some space, or set \
         MONDO_CACHE_DIR to a folder on another disk",
        error.what()
    ));
    true
}

/// The line about a damaged entry.
#[must_use]
pub fn damaged(name: &str, folder: &Utf8Path, why: &str) -> String {
    format!("{name} in the cache is damaged, rebuilding: {why} ({folder})")
}

/// Writes the record of a new entry. `source` is the text that [`Record::source`] returns.
///
/// # Errors
/// [`ErrorKind::Io`] if a file cannot be read or the record cannot be written.
pub fn seal(folder: &Utf8Path, source: &str) -> Result<Record> {
    let contents = Contents::below(folder)?;
    let paths: Vec<String> = contents.files.into_keys().collect();
    let digest = |path: String| {
        let digest = TakenDigest::of(&folder.join(&path))?;
        Ok((path, digest))
    };
    let record = Record {
        source: source.to_owned(),
        files: paths.into_par_iter().map(digest).collect::<Result<_>>()?,
        links: contents.links,
    };
    record.write(folder)?;
    Ok(record)
}

/// Renames the sealed entry `fresh` to `place`, on the same file system. A damaged entry at `place` is moved to the
/// folder `discarded`. If another process has installed a whole entry meanwhile, that entry stays.
///
/// # Errors
/// [`ErrorKind::Io`] if the entry cannot be moved, [`ErrorKind::Integrity`] if `place` is damaged again and again.
pub fn install(fresh: &Utf8Path, place: &Utf8Path, discarded: &Utf8Path) -> Result<()> {
    // Each attempt moves a damaged entry away, so a second attempt means that another process installs entries, too.
    for attempt in 0..8 {
        match fs_err::rename(fresh, place) {
            Ok(()) => return Ok(()),
            Err(_) if place.exists() => {}
            Err(error) => return Err(error.into()),
        }
        if let State::Whole(_) = check(place, Read::Changed)? {
            return Ok(());
        }
        match fs_err::rename(place, discarded.join(format!("damaged-{attempt}"))) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Err(Error::new(
        ErrorKind::Integrity,
        "a cache entry was damaged again each time mondo replaced it",
    )
    .at(place)
    .help("find the program that writes to the cache, or set MONDO_CACHE_DIR to another folder"))
}

/// Creates the entry `place`; `fill` writes its files into an empty folder.
///
/// # Errors
/// Those of `fill`; [`ErrorKind::Io`] if the cache cannot be written.
pub fn put<T>(place: &Utf8Path, fill: impl FnOnce(&Utf8Path) -> Result<T>) -> Result<T> {
    let home = place.parent().unwrap_or(place);
    fs_err::create_dir_all(home)?;
    let guard = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempdir_in(home)?;
    let temporary = utf8(guard.path())?;
    // Only its owner can read a temporary folder, but a shared cache must be readable by all. So the entry is a
    // folder inside.
    let fresh = temporary.join("entry");
    fs_err::create_dir(&fresh)?;
    let result = fill(&fresh)?;
    seal(&fresh, "")?;
    install(&fresh, place, temporary)?;
    Ok(result)
}

/// Removes the entry `place` at once: no process sees a part of it.
///
/// # Errors
/// [`ErrorKind::Io`] if it cannot be moved.
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

/// The files and links in the folder of an entry, by their paths relative to it.
#[derive(Default)]
struct Contents {
    files: BTreeMap<String, Metadata>,
    links: BTreeMap<String, String>,
}

impl Contents {
    fn below(root: &Utf8Path) -> Result<Self> {
        let mut contents = Self::default();
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            crate::interrupt::check()?;
            for entry in fs_err::read_dir(root.join(&folder))? {
                let entry = entry?;
                let name = entry.file_name();
                let name = utf8(name.as_ref())?;
                let path = match folder.as_str() {
                    "" => name.to_string(),
                    folder => format!("{folder}/{name}"),
                };
                let kind = entry.file_type()?;
                if kind.is_dir() {
                    // Python writes its caches beside the modules of an unpacked wheel.
                    if name != "__pycache__" {
                        folders.push(path);
                    }
                } else if kind.is_symlink() {
                    let target = root.join(&path).read_link_utf8()?;
                    contents.links.insert(path, target.into_string());
                } else if ![RECORD, USED].contains(&path.as_str()) {
                    contents.files.insert(path, entry.metadata()?);
                }
            }
        }
        Ok(contents)
    }
}

/// Lines about the files that only the record or only the folder has.
fn changed_names(
    recorded: &BTreeMap<String, TakenDigest>,
    found: &BTreeMap<String, Metadata>,
) -> Vec<String> {
    let missing = recorded.keys().filter(|path| !found.contains_key(*path));
    let added = found.keys().filter(|path| !recorded.contains_key(*path));
    missing
        .map(|path| format!("{path} is missing"))
        .chain(added.map(|path| format!("{path} was added")))
        .collect()
}

/// Lines about the links that differ.
fn changed_links(
    recorded: &BTreeMap<String, String>,
    found: &BTreeMap<String, String>,
) -> Vec<String> {
    let paths: BTreeSet<&String> = recorded.keys().chain(found.keys()).collect();
    paths
        .into_iter()
        .filter(|path| recorded.get(*path) != found.get(*path))
        .map(|path| format!("the link {path} was changed"))
        .collect()
}

/// The first lines about damage, and the number of the others.
fn summary(damage: &[String]) -> String {
    let mut text = damage[..damage.len().min(NAMED)].join(", ");
    if let Some(more) = damage.len().checked_sub(NAMED).filter(|more| *more > 0) {
        text += &format!(", and {more} more");
    }
    text
}

#[cfg(test)]
mod tests;
