//! The package files of a locked set. They come from a folder that the user filled, from an earlier run that was
//! interrupted, or from a mirror. A file whose SHA-256 is not that of the lock is an error.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;
use mondo_core::progress::Sink;

use crate::download::{Downloader, Failure, Wanted, differs};
use crate::host::Host;
use crate::installation::wanted_packages;
use crate::lock::{LockedPackage, PackageSet, upstream_version};
use crate::mirrors::mirrors;
use crate::request::Request;
use crate::unpack::PackageFile;

/// Returns the file of each package that is unpacked, in the order of [`PackageSet::unpacked`]. Downloaded files go into
/// `store`, where the next run finds them should this one stop.
pub(super) fn gather(
    set: &PackageSet,
    request: &Request,
    host: &Host,
    store: &Utf8Path,
    sink: &dyn Sink,
) -> Result<Vec<PackageFile>> {
    fs_err::create_dir_all(store)?;
    let mut files = Vec::new();
    let mut absent = Vec::new();
    for package in set.unpacked() {
        let given = request.deb_dir.as_deref();
        if let Some(file) = given.and_then(|folder| present(package, folder)) {
            // The file belongs to the user: it is refused if it is wrong, but never removed.
            verify(&file, package)?;
            files.push(checked(file, package));
        } else if let Some(file) = present(package, store)
            && verify_or_remove(&file, package).is_ok()
        {
            files.push(checked(file, package));
        } else {
            interrupt::check()?;
            files.push(checked(store.join(package.file_name()), package));
            absent.push(package);
        }
    }
    if absent.is_empty() {
        return Ok(files);
    }
    if request.offline {
        return Err(unavailable(set, &absent, request).because("--offline forbids the network"));
    }
    download(set, absent, request, host, store, sink)?;
    Ok(files)
}

/// A file that has the digest of the lock. Unpacking compares it again, because the folder may be anybody's.
fn checked(path: Utf8PathBuf, package: &LockedPackage) -> PackageFile {
    PackageFile {
        path,
        sha256: Some(package.sha256.clone()),
    }
}

/// The file of a package in a folder, by either of its names.
fn present(package: &LockedPackage, folder: &Utf8Path) -> Option<Utf8PathBuf> {
    package
        .file_names()
        .into_iter()
        .map(|name| folder.join(name))
        .find(|file| file.is_file())
}

/// Downloads the packages in `absent` into `store`.
fn download(
    set: &PackageSet,
    mut absent: Vec<&LockedPackage>,
    request: &Request,
    host: &Host,
    store: &Utf8Path,
    sink: &dyn Sink,
) -> Result<()> {
    let mirrors = mirrors(&request.mirrors, host)?;
    // A large file that begins late would keep the other connections idle.
    absent.sort_by_key(|package| std::cmp::Reverse(package.size));
    let wanted: Vec<Wanted> = absent
        .iter()
        .map(|package| wanted(package, store))
        .collect();
    let failures = Downloader::new(&mirrors).fetch(&wanted, sink)?;
    match failures.is_empty() {
        true => Ok(()),
        false => Err(failed(set, &absent, &failures, request)),
    }
}

/// The download of a package into `folder`.
pub(super) fn wanted(package: &LockedPackage, folder: &Utf8Path) -> Wanted {
    Wanted {
        paths: package.paths(),
        size: package.size,
        sha256: package.sha256.clone(),
        file: folder.join(package.file_name()),
    }
}

/// The error for packages that no mirror provided. A wrong file is worse than a mirror that does not answer, and this is
/// worse than an absent file: only where all mirrors answered is it known that none has it.
fn failed(
    set: &PackageSet,
    absent: &[&LockedPackage],
    failures: &[Failure],
    request: &Request,
) -> Error {
    let failures_of = |kind: ErrorKind| -> Vec<(&LockedPackage, &Failure)> {
        failures
            .iter()
            .filter(|failure| failure.kind == kind)
            .filter_map(|failure| Some((*absent.get(failure.file)?, failure)))
            .collect()
    };
    let named = |package: &LockedPackage| format!("{} {}", package.name, package.version);
    if let [(package, failure), ..] = failures_of(ErrorKind::Integrity)[..] {
        return differs(&named(package), &failure.why).at(package.file_name());
    }
    if let [(_, failure), ..] = failures_of(ErrorKind::Network)[..] {
        let packages: Vec<_> = failures_of(ErrorKind::Network)
            .into_iter()
            .map(|(package, _)| package)
            .collect();
        return unavailable(set, &packages, request).because(&failure.why);
    }
    if let Some(moved) = &set.moved {
        return Error::new(
            ErrorKind::Toolchain,
            format!("no mirror has the packages of LLVM {}", set.llvm),
        )
        .because(format!(
            "Debian {} had them on {}, and has others now",
            moved.suite, moved.date
        ))
        .details(absent.iter().map(|package| named(package)))
        .help(format!(
            "run `mondo toolchain fetch --llvm {}`, which takes those of today",
            request.major
        ));
    }
    let why = failures.first().map_or("", |failure| failure.why.as_str());
    Error::new(
        ErrorKind::Toolchain,
        format!("no mirror has the locked packages of LLVM {}", set.llvm),
    )
    .at(request.lock.as_str())
    .because(format!(
        "{why}\nMirrors remove versions that newer ones replaced, and archives of another distribution \
         never had them."
    ))
    .details(
        failures_of(ErrorKind::Toolchain)
            .into_iter()
            .map(|(package, _)| named(package)),
    )
    .help(format!(
        "add mirrors of Debian, of its security updates or of its old versions to {};\nor run again \
         with `--update-lock`, and commit the changed lock",
        crate::mirrors::VARIABLE
    ))
}

/// The packages cannot be downloaded; says which, and all the ways to provide them.
fn unavailable(set: &PackageSet, packages: &[&LockedPackage], request: &Request) -> Error {
    let major = set.major().unwrap_or_default();
    let deb_dir = match &request.deb_dir {
        Some(dir) => format!("put these files into {dir} (MONDO_DEB_DIR)"),
        None => "put these files into a folder and set MONDO_DEB_DIR to it".to_owned(),
    };
    Error::new(
        ErrorKind::Network,
        format!(
            "{} of {} packages of LLVM {} are missing and cannot be downloaded",
            packages.len(),
            set.unpacked().count(),
            set.llvm
        ),
    )
    .details(packages.iter().map(|package| package.file_name()))
    .help(format!(
        "connect to the network and run again;\nor {deb_dir};\nor import them from a machine that \
         has them (`mondo toolchain export` and `import`);\nor set `--llvm-dir` or MONDO_LLVM_DIR to an \
         installation;\nor, as root on Debian: apt-get install {}",
        wanted_packages(major).join(" ")
    ))
}

fn verify_or_remove(file: &Utf8Path, package: &LockedPackage) -> Result<()> {
    let verdict = verify(file, package);
    if matches!(&verdict, Err(error) if error.kind() == ErrorKind::Integrity) {
        fs_err::remove_file(file)?;
    }
    verdict
}

/// Checks that the file is the one that the lock pins.
pub(super) fn verify(file: &Utf8Path, package: &LockedPackage) -> Result<()> {
    let got = digest::of_file(file)?;
    if got == package.sha256 {
        return Ok(());
    }
    let size = fs_err::metadata(file)?.len();
    let version = upstream_version(&package.version);
    Err(Error::new(
        ErrorKind::Integrity,
        format!(
            "the package file of {} {version} differs from the lock",
            package.name
        ),
    )
    .at(file.as_str())
    .because(format!(
        "expected SHA-256 {} ({} bytes)\n     got SHA-256 {got} ({size} bytes)",
        package.sha256, package.size
    ))
    .help(
        "download the file again; if the distribution replaced the package, run with \
         `--update-lock`",
    ))
}
