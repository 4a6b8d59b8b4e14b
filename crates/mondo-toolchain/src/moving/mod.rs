//! Moving sets: the packages that a suite of Debian has on the day of the build, where the lock has no fixed ones.
//!
//! The suite's index is signed, has the digest of the list of packages, and the list has the digest of each package file.
//! So a package is as good as the keys, which are in a package of the lock, as is the program that checks the signature.
//! The choice is recorded in the cache. Builds of the same day, and those without a network, use the record.

mod choose;
mod index;
mod record;
#[cfg(test)]
mod tests;
mod verify;

use std::time::{Duration, SystemTime};

use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;
use mondo_core::path::utf8;
use mondo_core::progress::{Sink, phase};
use mondo_core::{digest, file};

use crate::download::{Downloader, Wanted};
use crate::host::Host;
use crate::installation::Moved;
use crate::lock::{MovingSet, PackageSet};
use crate::mirrors::mirrors;
use crate::package_paragraphs::stanzas;
use crate::provision;
use crate::request::Request;
use crate::tar_archive;
use index::Index;
pub(super) use record::Record;

/// A build asks the suite again if the record is older.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The size of the largest index that is read. Debian's has 200 kB.
const LARGEST_INDEX: u64 = 16 << 20;

/// The size of the largest list of packages that is read. Debian's has 65 MB.
const LARGEST_LIST: u64 = 1 << 30;

/// The packages of a moving set, whose compiler is from the locked set `base`: those of the record if it is of today, else those that the suite has now. Without a
/// network they are those of the record, whatever its age.
///
/// # Errors
/// `ErrorKind::Network` where neither is available, `ErrorKind::Integrity` for an index that is not signed or too old, and
/// `ErrorKind::Toolchain` for a suite without the packages.
pub(super) fn set(
    row: &MovingSet,
    base: &PackageSet,
    request: &Request,
    host: &Host,
    sink: &dyn Sink,
) -> Result<PackageSet> {
    let recorded = Record::read(row, request)?;
    if let Some(record) = &recorded
        && (request.offline || (!request.ask_suite && record.age() < DAY))
    {
        return Ok(record.set(base.clone()));
    }
    if request.offline {
        return Err(unknown(row).because("--offline forbids the network"));
    }
    let detail = format!("LLVM {} in Debian {}", row.llvm, row.suite);
    let answer = phase(sink, "suite", &detail, || {
        let record = ask(row, base, request, host, sink)?;
        let outcome = format!("LLVM {} of {}", record.set.llvm, record.date);
        Ok::<_, Error>((record, outcome))
    });
    match (answer, recorded) {
        (Ok((record, _)), _) => {
            record.write(row, request)?;
            Ok(record.set(base.clone()))
        }
        (Err(error), Some(record)) if error.kind() == ErrorKind::Network => {
            sink.note(&format!(
                "cannot reach Debian {}, so mondo uses LLVM {} as it was on {}",
                row.suite, record.set.llvm, record.date
            ));
            Ok(record.set(base.clone()))
        }
        (Err(error), _) => Err(error),
    }
}

/// The packages that the record has. Nothing is downloaded.
///
/// # Errors
/// `ErrorKind::Network` without a record.
pub(super) fn recorded(
    row: &MovingSet,
    base: &PackageSet,
    request: &Request,
) -> Result<PackageSet> {
    match Record::read(row, request)? {
        Some(record) => Ok(record.set(base.clone())),
        None => Err(unknown(row)),
    }
}

fn unknown(row: &MovingSet) -> Error {
    Error::new(
        ErrorKind::Network,
        format!(
            "the packages of LLVM {} in Debian {} are unknown",
            row.llvm, row.suite
        ),
    )
    .help(format!(
        "run `mondo toolchain fetch --llvm {}` with the network;\nor set `--llvm-dir` or MONDO_LLVM_DIR to an \
         installation",
        row.llvm
    ))
}

/// Asks the suite what it has.
fn ask(
    row: &MovingSet,
    base: &PackageSet,
    request: &Request,
    host: &Host,
    sink: &dyn Sink,
) -> Result<Record> {
    let mirrors = mirrors(&request.mirrors, host)?;
    let downloader = Downloader::new(&mirrors);
    sink.update("downloading the suite's index");
    let path = format!("dists/{}/InRelease", row.suite);
    let signed = downloader
        .small(&path, LARGEST_INDEX)?
        .map_err(|failure| no_suite(row, failure.kind, &failure.why))?;
    verify::check_form(&signed, row)?;
    let work = tempfile::tempdir()?;
    let work = utf8(work.path())?;

    sink.update("verifying the index's signature");
    let base = provision::provision(base, request, host, sink)?;
    let text = verify::signed_text(&signed, row, &base, request, host, work, sink)?;
    let index = Index::parse(&text, &row.suite)?;
    let snapshot = request.snapshot || mirrors.are_snapshots(host);
    index.check_time(SystemTime::now(), snapshot)?;

    let list = index.list(&row.architecture)?;
    let file = work.join("Packages.xz");
    let folder = list.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let wanted = Wanted {
        paths: vec![
            format!(
                "dists/{}/{folder}/by-hash/SHA256/{}",
                row.suite, list.sha256
            ),
            format!("dists/{}/{}", row.suite, list.path),
        ],
        size: list.size,
        sha256: list.sha256.clone(),
        file: file.clone(),
    };
    if let [failure, ..] = &downloader.fetch(&[wanted], sink)?[..] {
        return Err(Error::new(
            failure.kind,
            format!("cannot download the list of packages of Debian {}", row.suite),
        )
        .because(&failure.why)
        .help("run again: the mirror may have been between two states; or set another with `--mirror`"));
    }
    interrupt::check()?;
    let offers = stanzas(&decompressed(&file)?);
    let (packages, sysroot) = choose::packages(&offers, row.llvm, &row.suite)?;
    let set = PackageSet {
        llvm: choose::version(&packages, row)?,
        suite: row.suite.clone(),
        architecture: row.architecture.clone(),
        packages,
        sysroot,
        optional: Vec::new(),
        source: None,
        moved: None,
        base: None,
    };
    set.check().map_err(|why| {
        Error::new(
            ErrorKind::Integrity,
            format!("the list of packages of Debian {} is invalid", row.suite),
        )
        .because(why)
    })?;
    Ok(Record {
        asked: record::now(),
        date: index.date,
        index: digest::of(&signed),
        set,
    })
}

fn decompressed(list: &camino::Utf8Path) -> Result<String> {
    use std::io::Read as _;
    let contents = tar_archive::decompressed("Packages.xz", file::open(list)?)?;
    let mut text = String::new();
    contents
        .take(LARGEST_LIST)
        .read_to_string(&mut text)
        .map_err(|error| {
            Error::new(ErrorKind::Integrity, "the list of packages is damaged")
                .because(error.to_string())
        })?;
    Ok(text)
}

/// The error for an index that no mirror provided.
fn no_suite(row: &MovingSet, kind: ErrorKind, why: &str) -> Error {
    let what = match kind {
        ErrorKind::Toolchain => format!("no mirror has Debian's suite `{}`", row.suite),
        _ => format!("cannot download the index of Debian {}", row.suite),
    };
    Error::new(kind, what).because(why).help(format!(
        "only Debian {} has LLVM {}: set a mirror of Debian with `--mirror` or MONDO_DEB_MIRROR;\nor set \
         `--llvm-dir` or MONDO_LLVM_DIR to an installation",
        row.suite, row.llvm
    ))
}

impl Record {
    /// The set, with its origin.
    fn set(&self, base: PackageSet) -> PackageSet {
        let mut set = self.set.clone();
        set.moved = Some(Moved {
            suite: set.suite.clone(),
            date: self.date.clone(),
            index: self.index.clone(),
        });
        set.base = Some(Box::new(base));
        set
    }
}
