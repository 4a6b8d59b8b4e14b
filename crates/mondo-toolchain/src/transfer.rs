//! Package files on their way to a machine without a network: one tar file of them, which the lock of the other machine
//! checks.

use std::io::Read;

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::progress::{Sink, phase};
use mondo_core::{file, interrupt};

use crate::host::Host;
use crate::installation::Toolchain;
use crate::lock::{Choice, Lock, PackageSet};
use crate::packages::{gather, verify};
use crate::provision::{self, Tree, home, store, take_lock};
use crate::request::Request;
use crate::sets::{self, wanted_set};

/// The toolchain of the lock, from the cache or a mirror, whatever else the host has.
///
/// # Errors
/// As [`find`](crate::find).
pub fn fetch(request: &Request, sink: &dyn Sink) -> Result<Toolchain> {
    let request = Request {
        ask_suite: true,
        ..request.clone()
    };
    sets::toolchain(&request, &Host::here(), sink)
}

/// The packages of a request.
///
/// # Errors
/// `ErrorKind::Toolchain` for a lock that cannot be read or has none, and the errors of suites that move.
pub fn locked(request: &Request, sink: &dyn Sink) -> Result<PackageSet> {
    wanted_set(request, &Host::here(), sink)
}

/// A text that differs whenever the packages of the lock do, or how mondo unpacks them: the name of their folder in the
/// cache.
///
/// # Errors
/// `ErrorKind::Toolchain` for a lock that cannot be read or has none.
pub fn key(request: &Request, sink: &dyn Sink) -> Result<String> {
    let set = wanted_set(request, &Host::here(), sink)?;
    Ok(Tree::of(&set, &request.cache_dir).facts.folder)
}

/// The locked packages of a request. Those of a suite that moves are not in the lock, which is what checks an export.
fn fixed(request: &Request) -> Result<PackageSet> {
    let lock = Lock::read(&request.lock)?;
    match lock.choose(request.major, &request.target) {
        Choice::Moving { row, .. } => Err(Error::new(
            ErrorKind::Usage,
            format!("the packages of LLVM {} cannot be exported", row.llvm),
        )
        .because(format!(
            "they are not in the lock: a build takes what Debian {} has that day",
            row.suite
        ))
        .help(format!(
            "run `mondo toolchain fetch --llvm {}` with the network, and copy the cache (MONDO_CACHE_DIR)",
            row.llvm
        ))),
        _ => sets::known_set(request),
    }
}

/// Writes the package files of a request to the tar file `to`; the result is its size.
///
/// # Errors
/// As [`find`](crate::find), and `ErrorKind::Io` where the file cannot be written.
pub fn export(request: &Request, to: &Utf8Path, sink: &dyn Sink) -> Result<u64> {
    export_on(request, &Host::here(), to, sink)
}

pub(super) fn export_on(
    request: &Request,
    host: &Host,
    to: &Utf8Path,
    sink: &dyn Sink,
) -> Result<u64> {
    let set = fixed(request)?;
    let detail = format!("the packages of LLVM {}", set.llvm);
    let (bytes, _) = phase(sink, "export", &detail, || {
        let bytes = write(&set, request, host, to, sink)?;
        Ok::<_, Error>((bytes, to.to_string()))
    })?;
    Ok(bytes)
}

fn write(
    set: &PackageSet,
    request: &Request,
    host: &Host,
    to: &Utf8Path,
    sink: &dyn Sink,
) -> Result<u64> {
    let home = home(&request.cache_dir);
    fs_err::create_dir_all(&home)?;
    let _guard = take_lock(&home, sink)?;
    let store = store(&request.cache_dir);
    let files = gather(set, request, host, &store, sink)?;
    let part = Utf8Path::new(&format!("{to}.part")).to_owned();
    let mut archive = tar::Builder::new(fs_err::File::create(&part)?);
    for (package, file) in set.unpacked().zip(files) {
        interrupt::check()?;
        let mut header = tar::Header::new_gnu();
        header.set_size(package.size);
        header.set_mode(0o644);
        let contents = fs_err::File::open(file.path)?;
        archive.append_data(&mut header, package.file_name(), contents)?;
    }
    archive.into_inner()?.sync_all()?;
    fs_err::rename(&part, to)?;
    Ok(fs_err::metadata(to)?.len())
}

/// The toolchain of the lock, from the package files in an exported file.
///
/// # Errors
/// `ErrorKind::Usage` for a file that is not an export, `ErrorKind::Integrity` for one whose packages are not those of
/// the lock, and else as [`find`](crate::find).
pub fn import(request: &Request, from: &Utf8Path, sink: &dyn Sink) -> Result<Toolchain> {
    import_on(request, &Host::here(), from, sink)
}

pub(super) fn import_on(
    request: &Request,
    host: &Host,
    from: &Utf8Path,
    sink: &dyn Sink,
) -> Result<Toolchain> {
    let set = fixed(request)?;
    fs_err::create_dir_all(&request.cache_dir)?;
    // Only imports have such folders here, and no other one runs now.
    let _guard = provision::take_lock(&request.cache_dir, sink)?;
    provision::remove_leftovers(&request.cache_dir)?;
    let folder = tempfile::Builder::new()
        .prefix(provision::WORK_PREFIX)
        .tempdir_in(&request.cache_dir)?;
    let folder = mondo_core::path::utf8(folder.path())?;
    take_out(&set, from, folder)?;
    let request = Request {
        deb_dir: Some(folder.to_owned()),
        offline: true,
        ..request.clone()
    };
    sets::toolchain(&request, host, sink)
}

/// Unpacks the packages of `set` from an exported file into `folder`.
fn take_out(set: &PackageSet, from: &Utf8Path, folder: &Utf8Path) -> Result<()> {
    let refused = |error: std::io::Error| {
        Error::new(ErrorKind::Usage, "the file is not an export of packages")
            .at(from)
            .because(error.to_string())
            .help("write one with `mondo toolchain export`")
    };
    let mut archive = tar::Archive::new(file::open(from)?);
    for entry in archive.entries().map_err(refused)? {
        interrupt::check()?;
        let entry = entry.map_err(refused)?;
        let name = entry.path_bytes().into_owned();
        let package = set
            .unpacked()
            .find(|package| package.file_name().as_bytes() == name);
        // The export may be of a lock with further packages.
        let Some(package) = package else {
            continue;
        };
        let to = folder.join(package.file_name());
        // No package is longer than the lock says.
        let mut contents = entry.take(package.size + 1);
        std::io::copy(&mut contents, &mut fs_err::File::create(&to)?)?;
        verify(&to, package).map_err(|error| error.at(from))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::World;
    use mondo_core::progress::Silent;

    #[test]
    fn an_export_is_a_toolchain_on_another_machine() {
        let here = World::with_packages("22.1.8");
        let file = here.dir.join("llvm.tar");
        let bytes = export_on(&here.request, &here.host, &file, &Silent).unwrap();
        assert_eq!(bytes, fs_err::metadata(&file).unwrap().len());

        let mut other = World::new();
        fs_err::copy(&here.request.lock, &other.request.lock).unwrap();
        other.request.deb_dir = None;
        // A killed import left this.
        let killed = other.request.cache_dir.join(".unpack-killed");
        fs_err::create_dir_all(&killed).unwrap();
        let key = key(&other.request, &Silent).unwrap();
        let found = import_on(&other.request, &other.host, &file, &Silent).unwrap();
        assert_eq!(found.version, "22.1.8");
        assert_eq!(other.cache_entries(), [key]);
        let left = other.request.cache_dir.read_dir_utf8().unwrap();
        let mut left: Vec<_> = left
            .map(|entry| entry.unwrap().file_name().to_owned())
            .collect();
        left.sort();
        assert_eq!(left, [".lock", "toolchains"], "no leftovers");
    }

    #[test]
    fn an_export_that_is_damaged_or_lacks_a_package_is_refused() {
        let here = World::with_packages("22.1.8");
        let file = here.dir.join("llvm.tar");
        export_on(&here.request, &here.host, &file, &Silent).unwrap();
        let mut other = World::new();
        fs_err::copy(&here.request.lock, &other.request.lock).unwrap();
        other.request.deb_dir = None;
        let error = |other: &World| {
            let error = import_on(&other.request, &other.host, &file, &Silent).unwrap_err();
            assert_eq!(other.cache_entries(), [] as [&str; 0]);
            error
        };

        let mut bytes = fs_err::read(&file).unwrap();
        // The first package begins after its header, with its magic.
        bytes[512 + 2] ^= 1;
        fs_err::write(&file, &bytes).unwrap();
        assert_eq!(error(&other).kind(), ErrorKind::Integrity);

        fs_err::write(&file, "no tar file").unwrap();
        let refused = error(&other);
        assert!(
            matches!(refused.kind(), ErrorKind::Usage | ErrorKind::Network),
            "{refused}"
        );

        let mut archive = tar::Builder::new(fs_err::File::create(&file).unwrap());
        archive
            .append_path_with_name(here.dir.join("toolchain.lock"), "another")
            .unwrap();
        archive.finish().unwrap();
        let absent = error(&other);
        assert_eq!(absent.kind(), ErrorKind::Network, "{absent}");
        assert_eq!(absent.listed().len(), 2);
    }
}
