//! The package files of a locked set: from a folder that the user filled, from an earlier run that
//! was stopped, or from apt; each is what the lock says down to its SHA-256, or it is an error.

use std::io::Read as _;

use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use super::Request;
use super::apt::{self, Apt};
use super::lock::{LockedPackage, PackageSet, hex, upstream_version};
use crate::error::{Error, ErrorKind, Result};
use crate::interrupt;
use crate::progress::Sink;

/// Returns the path of every package file of `set`. Files that apt downloads go into `store`, where
/// the next run finds them should this one stop; `work` is for apt's own state.
pub(super) fn gather(
    set: &PackageSet,
    request: &Request,
    store: &Utf8Path,
    work: &Utf8Path,
    sink: &dyn Sink,
) -> Result<Vec<Utf8PathBuf>> {
    fs_err::create_dir_all(store)?;
    let mut files = Vec::new();
    let mut absent = Vec::new();
    for package in &set.packages {
        let offline = request.deb_dir.as_deref();
        if let Some(file) = offline.and_then(|folder| present(package, set, folder)) {
            // This file is the user's: it is refused, but not removed.
            verify(&file, package)?;
            files.push(file);
        } else if let Some(file) = present(package, set, store)
            && verify_or_remove(&file, package).is_ok()
        {
            files.push(file);
        } else {
            interrupt::check()?;
            absent.push(package);
        }
    }
    if absent.is_empty() {
        return Ok(files);
    }
    if request.offline {
        return Err(unavailable(set, &absent, request).because("--offline forbids the network"));
    }
    apt::check()?;
    files.extend(download(set, &absent, request, store, work, sink)?);
    Ok(files)
}

/// The file of a package in a folder, by either of its names.
fn present(package: &LockedPackage, set: &PackageSet, folder: &Utf8Path) -> Option<Utf8PathBuf> {
    package
        .file_names(&set.architecture)
        .into_iter()
        .map(|name| folder.join(name))
        .find(|file| file.is_file())
}

/// Lets apt download what is absent; the files are in `store` and are those of the lock.
fn download(
    set: &PackageSet,
    absent: &[&LockedPackage],
    request: &Request,
    store: &Utf8Path,
    work: &Utf8Path,
    sink: &dyn Sink,
) -> Result<Vec<Utf8PathBuf>> {
    let apt = Apt::prepare(work, &set.architecture)?;
    sink.update("asking apt for its package lists");
    let complaint = apt.update()?;
    let names: Vec<&str> = absent.iter().map(|package| package.name.as_str()).collect();
    let offers = apt.offers(&names)?;
    let candidates = apt.candidates(&names)?;

    let mut unknown = Vec::new();
    let mut superseded = Vec::new();
    for &package in absent {
        let still_there = offers
            .iter()
            .any(|offer| offer.name == package.name && offer.version == package.version);
        match candidates.get(&package.name) {
            _ if still_there => {}
            Some(_) => superseded.push(package),
            None => unknown.push(package),
        }
    }
    if let Some(said) = &complaint
        && unknown.len() + superseded.len() > 0
    {
        // What a source that failed would have offered, nobody knows.
        unknown.extend(superseded);
        return Err(unavailable(set, &unknown, request)
            .because(format!("not all sources answered\n{said}")));
    }
    if !unknown.is_empty() {
        return Err(unoffered(set, &unknown));
    }
    if !superseded.is_empty() {
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!(
                "the distribution no longer has what the lock has for LLVM {}",
                set.llvm
            ),
        )
        .at(request.lock.as_str())
        .because("a newer version replaced it; mondo takes nothing newer without being told")
        .offenders(superseded.iter().map(|package| {
            let offered = candidates.get(&package.name);
            format!(
                "{}: the lock has {}, apt offers {}",
                package.name,
                package.version,
                offered.map_or("none", |offer| offer.version.as_str())
            )
        }))
        .help("run again with --update-lock, and commit the changed lock"));
    }
    if let Some((locked, newer)) = newer_llvm(absent, &candidates) {
        sink.note(&format!(
            "LLVM {newer} is available; the lock's {locked} is used (--update-lock takes the newer)"
        ));
    }

    let size: u64 = absent.iter().map(|package| package.size).sum();
    sink.update(&format!(
        "downloading {} packages, {} MB",
        absent.len(),
        size / 1_000_000
    ));
    let wanted: Vec<String> = absent
        .iter()
        .map(|package| format!("{}={}", package.name, package.version))
        .collect();
    let said = apt.download(&wanted, store)?;
    let verdicts: Vec<Result<Option<Utf8PathBuf>>> = absent
        .par_iter()
        .map(|package| match present(package, set, store) {
            Some(file) => verify_or_remove(&file, package).map(|()| Some(file)),
            None => Ok(None),
        })
        .collect();
    let mut files = Vec::new();
    let mut failed = Vec::new();
    for (&package, verdict) in absent.iter().zip(verdicts) {
        match verdict {
            Ok(Some(file)) => files.push(file),
            Ok(None) => failed.push(package),
            // What apt was stopped in the middle of is short, not forged.
            Err(error) if said.is_some() && error.kind() == ErrorKind::Integrity => {
                failed.push(package);
            }
            Err(error) => return Err(error),
        }
    }
    if failed.is_empty() {
        return Ok(files);
    }
    Err(unavailable(set, &failed, request).because(format!(
        "apt could not download them\n{}",
        said.unwrap_or_default()
    )))
}

/// LLVM's locked and offered versions, where they differ.
fn newer_llvm(
    absent: &[&LockedPackage],
    candidates: &std::collections::BTreeMap<String, apt::Offer>,
) -> Option<(String, String)> {
    absent.iter().find_map(|package| {
        let offered = &candidates.get(&package.name)?.version;
        let is_llvm = package.name.starts_with("libmlir-") && package.name.ends_with("-dev");
        (is_llvm && *offered != package.version).then(|| (package.version.clone(), offered.clone()))
    })
}

/// The packages cannot be had; says which, and all the ways to provide them.
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
            set.packages.len(),
            set.llvm
        ),
    )
    .offenders(
        packages
            .iter()
            .filter_map(|package| package.file_names(&set.architecture).into_iter().next()),
    )
    .help(format!(
        "connect to the network and run again;\n\
         or {deb_dir};\n\
         or give an installation with --llvm-dir or MONDO_LLVM_DIR;\n\
         or, as root: apt-get install {}",
        super::wanted_packages(major).join(" ")
    ))
}

/// apt works, but none of its sources has the packages.
fn unoffered(set: &PackageSet, packages: &[&LockedPackage]) -> Error {
    Error::new(
        ErrorKind::Toolchain,
        format!("apt knows no package of that name for LLVM {}", set.llvm),
    )
    .because(format!(
        "none of the system's package sources offers it for {} {}",
        set.suite, set.architecture
    ))
    .offenders(packages.iter().map(|package| package.name.clone()))
    .help(format!(
        "enable the distribution's `main` for {0}, {0}-updates and {0}-security in apt's sources",
        set.suite
    ))
}

fn verify_or_remove(file: &Utf8Path, package: &LockedPackage) -> Result<()> {
    let verdict = verify(file, package);
    if matches!(&verdict, Err(error) if error.kind() == ErrorKind::Integrity) {
        fs_err::remove_file(file)?;
    }
    verdict
}

/// Whether the file is the one that the lock pins.
fn verify(file: &Utf8Path, package: &LockedPackage) -> Result<()> {
    let got = sha256(file)?;
    if got == package.sha256 {
        return Ok(());
    }
    let size = fs_err::metadata(file)?.len();
    let version = upstream_version(&package.version);
    Err(Error::new(
        ErrorKind::Integrity,
        format!(
            "the package file of {} {version} is not the one in the lock",
            package.name
        ),
    )
    .at(file.as_str())
    .because(format!(
        "expected SHA-256 {} ({} bytes)\n     got SHA-256 {got} ({size} bytes)",
        package.sha256, package.size
    ))
    .help("get the file again; if the package was really replaced, run with --update-lock"))
}

/// SHA-256 of a file, in hexadecimal.
fn sha256(path: &Utf8Path) -> Result<String> {
    let mut file = fs_err::File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        interrupt::check()?;
        let n = file.read(&mut buffer)?;
        if n == 0 {
            return Ok(hex(&hash.finalize()));
        }
        hash.update(&buffer[..n]);
    }
}
