//! LLVM's sources. The distribution's source package contains LLVM's archive; the folders of it that tests and some
//! of MLIR's tools need are unpacked into the per-user cache.
//!
//! The binary packages of a toolchain lack tests, examples and the code of some of MLIR's tools.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::cache::use_entry;
use mondo_core::cache_entry::{self, Read, State};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::path::utf8;
use mondo_core::progress::{Sink, phase};
use mondo_core::{file, interrupt};

use crate::apt::Apt;
use crate::download::{Downloader, differs};
use crate::host::Host;
use crate::lock::{LockedPackage, PackageSet};
use crate::mirrors::mirrors;
use crate::packages::wanted;
use crate::provision::{WORK_PREFIX, remove_leftovers, take_lock};
use crate::request::Request;
use crate::sets;
use crate::tar_archive;

/// The folders of the archive that are unpacked.
const FOLDERS: &[&str] = &["mlir", "flang/test"];

/// The bytes that the archive may unpack to. LLVM 22 has 2 GB.
const MOST: u64 = 20 << 30;

/// LLVM's sources in the cache.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Sources {
    /// LLVM's version.
    pub version: String,
    /// Its folder `mlir`.
    pub mlir: Utf8PathBuf,
    /// The tests of Flang.
    pub flang_tests: Utf8PathBuf,
}

impl Sources {
    fn at(root: &Utf8Path, version: &str) -> Self {
        Self {
            version: version.to_owned(),
            mlir: root.join("mlir"),
            flang_tests: root.join("flang/test"),
        }
    }
}

/// LLVM's sources of the request's version, from the cache; they are fetched first where they are not there.
///
/// # Errors
/// [`ErrorKind::Toolchain`] where the lock has none, [`ErrorKind::Network`] where they cannot be fetched, and
/// [`ErrorKind::Integrity`] where the archive is not that of the lock.
pub fn sources(request: &Request, sink: &dyn Sink) -> Result<Sources> {
    sources_on(request, &Host::here(), sink)
}

fn sources_on(request: &Request, host: &Host, sink: &dyn Sink) -> Result<Sources> {
    let set = sets::known_set(request)?;
    let Some(archive) = &set.source else {
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!("the toolchain lock has no sources for LLVM {}", set.llvm),
        )
        .at(request.lock.as_str())
        .because(format!("its set for {} has no `source`", set.architecture))
        .help("run with `--update-lock` on Debian to lock the packages that apt offers"));
    };
    let home = request.cache_dir.join("sources");
    let root = place(&home, &set, archive);
    let state = cache_entry::check(&root, Read::Changed)?;
    if let State::Whole(_) = state {
        use_entry(&root);
        return Ok(Sources::at(&root, &set.llvm));
    }
    let detail = format!("LLVM {}, {} MB", set.llvm, archive.size / 1_000_000);
    phase(sink, "sources", &detail, || {
        fetch(&set, archive, &home, request, host, sink)
            .map_err(|error| state.not_repaired(error))?;
        Ok::<_, Error>(((), root.to_string()))
    })?;
    Ok(Sources::at(&root, &set.llvm))
}

/// The folder of the unpacked archive: `llvm-22.1.8-0123456789ab`.
fn place(home: &Utf8Path, set: &PackageSet, archive: &LockedPackage) -> Utf8PathBuf {
    let digest = archive.sha256.get(..12).unwrap_or(&archive.sha256);
    home.join(format!("llvm-{}-{digest}", set.llvm))
}

fn fetch(
    set: &PackageSet,
    archive: &LockedPackage,
    home: &Utf8Path,
    request: &Request,
    host: &Host,
    sink: &dyn Sink,
) -> Result<()> {
    fs_err::create_dir_all(home)?;
    let _guard = take_lock(home, sink)?;
    let root = place(home, set, archive);
    // A concurrent run may have made the folder while this one waited for the lock.
    let name = format!("the sources of LLVM {}", set.llvm);
    if cache_entry::usable(&root, &name, sink)? {
        return Ok(());
    }
    remove_leftovers(home)?;
    let work = tempfile::Builder::new()
        .prefix(WORK_PREFIX)
        .tempdir_in(home)?;
    let work = utf8(work.path())?;
    let name = archive.file_name();
    let given = request.deb_dir.as_ref().map(|folder| folder.join(name));
    let file = match given.filter(|file| file.is_file()) {
        Some(file) => {
            verify(&file, archive)?;
            file
        }
        None if request.offline => {
            return Err(unavailable(set, archive, request).because("--offline forbids the network"));
        }
        None => download(set, archive, work, request, host, sink)?,
    };
    interrupt::check()?;
    sink.update(&format!("unpacking {} of {name}", FOLDERS.join(" and ")));
    let fresh = work.join("root");
    unpack(&file, work, &fresh)?;
    cache_entry::seal(&fresh, &archive.sha256)?;
    cache_entry::install(&fresh, &root, work)
}

/// Downloads the archive into `work`, where it gets its name only with the lock's digest.
fn download(
    set: &PackageSet,
    archive: &LockedPackage,
    work: &Utf8Path,
    request: &Request,
    host: &Host,
    sink: &dyn Sink,
) -> Result<Utf8PathBuf> {
    let mirrors = mirrors(&request.mirrors, host)?;
    let wanted = wanted(archive, work);
    let failures = Downloader::new(&mirrors).fetch(std::slice::from_ref(&wanted), sink)?;
    match failures.into_iter().next() {
        None => Ok(wanted.file),
        Some(failure) if failure.kind == ErrorKind::Integrity => {
            Err(differs("LLVM's sources", &failure.why).at(archive.file_name()))
        }
        Some(failure) => Err(unavailable(set, archive, request).because(failure.why)),
    }
}

fn unavailable(set: &PackageSet, archive: &LockedPackage, request: &Request) -> Error {
    let name = archive.file_name();
    let folder = match &request.deb_dir {
        Some(folder) => format!("put {name} into {folder} (MONDO_DEB_DIR)"),
        None => format!("put {name} into a folder and set MONDO_DEB_DIR to it"),
    };
    Error::new(
        ErrorKind::Network,
        format!("cannot download the sources of LLVM {}", set.llvm),
    )
    .at(name)
    .help(format!(
        "connect to the network and run again;\nor {folder}"
    ))
}

fn verify(file: &Utf8Path, archive: &LockedPackage) -> Result<()> {
    let got = digest::of_file(file)?;
    if got == archive.sha256 {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Integrity,
        "the archive of LLVM's sources differs from the lock",
    )
    .at(file.as_str())
    .because(format!(
        "expected SHA-256 {} ({} bytes)\n     got SHA-256 {got} ({} bytes)",
        archive.sha256,
        archive.size,
        fs_err::metadata(file)?.len()
    ))
    .help("download the file again"))
}

/// Unpacks [`FOLDERS`] of the archive's only folder to the new folder `root`, by way of a folder in `work`.
fn unpack(file: &Utf8Path, work: &Utf8Path, root: &Utf8Path) -> Result<()> {
    let whole = work.join("whole");
    let contents = tar_archive::decompressed(file.as_str(), file::open(file)?)?;
    tar_archive::unpack(contents, &whole, MOST, |path| {
        let mut parts = path.components();
        parts.next();
        FOLDERS
            .iter()
            .any(|folder| parts.as_path().starts_with(folder))
    })?;
    let mut tops = whole.read_dir_utf8()?;
    let Some(top) = tops.next().transpose()? else {
        return Err(tar_archive::damaged("it has none of LLVM's folders").at(file));
    };
    fs_err::rename(top.path(), root)?;
    Ok(())
}

/// The archive of LLVM's sources that the distribution offers for this version, if any.
pub(super) fn offered(
    major: u32,
    version: &str,
    architecture: &str,
    sink: &dyn Sink,
) -> Result<Option<LockedPackage>> {
    let work = tempfile::tempdir()?;
    let apt = Apt::of_sources(utf8(work.path())?, architecture)?;
    apt.update()?;
    let mut archive = LockedPackage {
        name: format!("llvm-toolchain-{major}"),
        version: version.to_owned(),
        sha256: String::new(),
        size: 0,
        path: String::new(),
    };
    let name = format!("{}_{version}.orig.tar.xz", archive.name);
    let offers = apt.source_offers(&archive.name)?;
    let found = offers.into_iter().find_map(|offer| {
        let file = offer.files.into_iter().find(|file| file.name == name)?;
        Some((offer.folder, file))
    });
    let Some((folder, file)) = found else {
        sink.note(&format!(
            "apt offers no sources of LLVM {version}; the lock records none"
        ));
        return Ok(None);
    };
    archive.sha256 = file.sha256;
    archive.size = file.size;
    archive.path = format!("{folder}/{name}");
    Ok(Some(archive))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{World, locked};
    use crate::lock::Lock;
    use mondo_core::progress::Silent;

    /// A world whose lock has the archive of made-up sources, and the archive's file.
    fn world() -> (World, Utf8PathBuf) {
        let world = World::with_packages("22.1.8");
        let top = world.dir.join("tree/llvm-toolchain-22_22.1.8");
        for file in [
            "mlir/test/a.mlir",
            "flang/test/b.f90",
            "flang/lib/c.cpp",
            "utils/bazel/mlir/d.txt",
        ] {
            let path = top.join(file);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, file).unwrap();
        }
        let file = world.dir.join("debs/llvm-toolchain-22_22.1.8.orig.tar.xz");
        mondo_core::exec::Tool::new("tar", "make an archive")
            .args(["--create", "--xz", "--file", file.as_str()])
            .args(["--directory", world.dir.join("tree").as_str(), "."])
            .args(["--transform", "s|^\\./||"])
            .output()
            .unwrap();
        let mut lock = Lock::read(&world.request.lock).unwrap();
        lock.sets[0].source = Some(LockedPackage {
            version: "22.1.8".to_owned(),
            path: format!("pool/main/{}", file.file_name().unwrap()),
            ..locked("llvm-toolchain-22", &file)
        });
        fs_err::write(&world.request.lock, lock.render()).unwrap();
        (world, file)
    }

    #[test]
    fn the_folders_of_tests_are_unpacked_once() {
        let (world, file) = world();
        let get = || sources_on(&world.request, &world.host, &Silent);
        let found = get().unwrap();
        assert_eq!(found.version, "22.1.8");
        assert!(found.mlir.join("test/a.mlir").is_file());
        assert!(found.flang_tests.join("b.f90").is_file());
        let root = found.mlir.parent().unwrap();
        assert!(!root.join("flang/lib").exists());
        assert!(!root.join("utils").exists());
        fs_err::remove_file(file).unwrap();
        assert_eq!(get().unwrap(), found);
    }

    #[test]
    fn an_archive_that_is_missing_or_another_is_refused() {
        let (world, file) = world();
        let get = || sources_on(&world.request, &world.host, &Silent).unwrap_err();
        fs_err::write(&file, "another").unwrap();
        let error = get();
        assert_eq!(error.kind(), ErrorKind::Integrity);
        assert!(error.to_string().contains("expected SHA-256"), "{error}");
        fs_err::remove_file(&file).unwrap();
        let error = get();
        assert_eq!(error.kind(), ErrorKind::Network);
        let text = error.to_string();
        for word in [
            "llvm-toolchain-22_22.1.8.orig.tar.xz",
            "--offline",
            "MONDO_DEB_DIR",
        ] {
            assert!(text.contains(word), "{text}");
        }
        let left = world.request.cache_dir.join("sources").read_dir_utf8();
        let left: Vec<_> = left
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_owned())
            .collect();
        assert_eq!(left, [".lock"], "no leftovers");
    }

    #[test]
    fn a_lock_without_sources_says_so() {
        let world = World::with_packages("22.1.8");
        let error = sources_on(&world.request, &world.host, &Silent).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Toolchain);
        assert!(
            error.to_string().contains("has no sources for LLVM 22.1.8"),
            "{error}"
        );
    }
}
