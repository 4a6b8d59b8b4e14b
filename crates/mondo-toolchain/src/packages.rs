//! The package files of a locked set. They come from a folder that the user filled, from an earlier run that was
//! interrupted, or from apt. A file whose SHA-256 is not that of the lock is an error.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;
use mondo_core::progress::Sink;
use rayon::prelude::*;

use crate::apt::{self, Apt};
use crate::installation::wanted_packages;
use crate::lock::{LockedPackage, PackageSet, upstream_version};
use crate::package_file::PackageFile;
use crate::request::Request;

/// Returns the path of every package file of `set`. Files that apt downloads go into `store`, where
/// the next run finds them should this one stop; `work` is for apt's own state.
pub(super) fn gather(
    set: &PackageSet,
    request: &Request,
    store: &Utf8Path,
    work: &Utf8Path,
    sink: &dyn Sink,
) -> Result<Vec<PackageFile>> {
    fs_err::create_dir_all(store)?;
    let mut files = Vec::new();
    let mut absent = Vec::new();
    for package in &set.packages {
        let offline = request.deb_dir.as_deref();
        if let Some(file) = offline.and_then(|folder| present(package, set, folder)) {
            // The file belongs to the user: it is refused if it is wrong, but never removed.
            verify(&file, package)?;
            files.push(checked(file, package));
        } else if let Some(file) = present(package, set, store)
            && verify_or_remove(&file, package).is_ok()
        {
            files.push(checked(file, package));
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

/// A file that has the digest of the lock. Unpacking compares it again, because the folder may be anybody's.
fn checked(path: Utf8PathBuf, package: &LockedPackage) -> PackageFile {
    PackageFile {
        path,
        sha256: Some(package.sha256.clone()),
    }
}

/// The file of a package in a folder, by either of its names.
fn present(package: &LockedPackage, set: &PackageSet, folder: &Utf8Path) -> Option<Utf8PathBuf> {
    package
        .file_names(&set.architecture)
        .into_iter()
        .map(|name| folder.join(name))
        .find(|file| file.is_file())
}

/// Downloads the packages in `absent` with apt into `store`, and verifies them against the lock.
fn download(
    set: &PackageSet,
    absent: &[&LockedPackage],
    request: &Request,
    store: &Utf8Path,
    work: &Utf8Path,
    sink: &dyn Sink,
) -> Result<Vec<PackageFile>> {
    let apt = Apt::prepare(work, &set.architecture)?;
    sink.update("asking apt for its package lists");
    let complaint = apt.update()?;
    let names: Vec<&str> = absent.iter().map(|package| package.name.as_str()).collect();
    let market = Market {
        offers: apt.offers(&names)?,
        candidates: apt.candidates(&names)?,
        complaint,
    };
    market.has_all(set, absent, request)?;
    if let Some((locked, newer)) = market.newer_llvm(absent) {
        sink.note(&format!(
            "LLVM {newer} is available; mondo uses {locked} from the lock (run with \
             `--update-lock` to update)"
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
            Ok(Some(file)) => files.push(checked(file, package)),
            Ok(None) => failed.push(package),
            // A wrong file after a failed download is a truncated one, so it counts as not downloaded and not as a
            // violation of integrity.
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

/// The packages that apt's sources offer.
struct Market {
    /// Every version of the packages asked for.
    offers: Vec<apt::Offer>,
    /// The version of each that apt would install.
    candidates: BTreeMap<String, apt::Offer>,
    /// The error, where not every source answered.
    complaint: Option<String>,
}

impl Market {
    /// Checks that all of `absent` are offered in the lock's versions; the error says why not.
    fn has_all(
        &self,
        set: &PackageSet,
        absent: &[&LockedPackage],
        request: &Request,
    ) -> Result<()> {
        let gone: Vec<&LockedPackage> = absent
            .iter()
            .copied()
            .filter(|package| {
                !self
                    .offers
                    .iter()
                    .any(|offer| offer.name == package.name && offer.version == package.version)
            })
            .collect();
        if gone.is_empty() {
            return Ok(());
        }
        if let Some(said) = &self.complaint {
            // Packages of a source that did not answer may exist, so the error does not claim that they are gone.
            return Err(unavailable(set, &gone, request)
                .because(format!("not all package sources answered\n{said}")));
        }
        let (superseded, unknown): (Vec<_>, Vec<_>) = gone
            .iter()
            .map(|package| (package, self.candidates.get(&package.name)))
            .partition(|(_, candidate)| candidate.is_some());
        if !unknown.is_empty() {
            return Err(unoffered(
                set,
                unknown.iter().map(|(package, _)| &package.name),
            ));
        }
        let details = superseded.iter().filter_map(|(package, candidate)| {
            Some(format!(
                "{}: the lock has {}, apt offers {}",
                package.name,
                package.version,
                candidate.as_ref()?.version
            ))
        });
        Err(Error::new(
            ErrorKind::Toolchain,
            format!(
                "the distribution no longer offers the locked packages of LLVM {}",
                set.llvm
            ),
        )
        .at(request.lock.as_str())
        .because(
            "newer versions replaced them, and mondo uses newer packages only with \
             `--update-lock`",
        )
        .details(details)
        .help("run again with `--update-lock`, and commit the changed lock"))
    }

    /// LLVM's locked and offered versions, where they differ.
    fn newer_llvm(&self, absent: &[&LockedPackage]) -> Option<(String, String)> {
        absent.iter().find_map(|package| {
            let offered = &self.candidates.get(&package.name)?.version;
            let is_llvm = package.name.starts_with("libmlir-") && package.name.ends_with("-dev");
            (is_llvm && *offered != package.version)
                .then(|| (package.version.clone(), offered.clone()))
        })
    }
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
    .details(
        packages
            .iter()
            .filter_map(|package| package.file_names(&set.architecture).into_iter().next()),
    )
    .help(format!(
        "connect to the network and run again;\nor {deb_dir};\nor set `--llvm-dir` or \
         MONDO_LLVM_DIR to an installation;\nor, as root: apt-get install {}",
        wanted_packages(major).join(" ")
    ))
}

/// apt works, but none of its sources has the packages.
fn unoffered<'a>(set: &PackageSet, names: impl Iterator<Item = &'a String>) -> Error {
    Error::new(
        ErrorKind::Toolchain,
        format!("apt knows no package with this name for LLVM {}", set.llvm),
    )
    .because(format!(
        "no package source of the system offers it for {} {}",
        set.suite, set.architecture
    ))
    .details(names.cloned())
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

/// Checks that the file is the one that the lock pins.
fn verify(file: &Utf8Path, package: &LockedPackage) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::World;
    use crate::lock::Lock;

    fn offer(name: &str, version: &str) -> apt::Offer {
        apt::Offer {
            name: name.to_owned(),
            version: version.to_owned(),
            ..apt::Offer::default()
        }
    }

    /// A market in which one of two packages is offered as `versions`, the last being apt's choice.
    fn market(versions: &[&str], complaint: Option<&str>) -> Market {
        let name = "libmlir-22-dev";
        let tools = offer("mlir-22-tools", "1:22.1.8-1~deb12u1");
        let chosen = versions.last().map(|version| offer(name, version));
        Market {
            offers: versions
                .iter()
                .map(|version| offer(name, version))
                .chain([tools.clone()])
                .collect(),
            candidates: chosen
                .into_iter()
                .chain([tools])
                .map(|offer| (offer.name.clone(), offer))
                .collect(),
            complaint: complaint.map(str::to_owned),
        }
    }

    #[test]
    fn what_apt_offers_is_held_against_the_lock() {
        let world = World::with_packages("22.1.8");
        let lock = Lock::read(&world.request.lock).unwrap();
        let set = &lock.sets[0];
        let absent: Vec<&LockedPackage> = set.packages.iter().collect();
        let ask = |market: &Market| market.has_all(set, &absent, &world.request);
        let (locked, newer) = ("1:22.1.8-1~deb12u1", "1:22.1.9-1~deb12u1");

        let same = market(&[locked], None);
        ask(&same).unwrap();
        assert_eq!(same.newer_llvm(&absent), None);

        let both = market(&[locked, newer], None);
        ask(&both).unwrap();
        let told = Some((locked.to_owned(), newer.to_owned()));
        assert_eq!(both.newer_llvm(&absent), told);

        let error = ask(&market(&[newer], None)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Toolchain);
        let line = format!("libmlir-22-dev: the lock has {locked}, apt offers {newer}");
        assert_eq!(error.listed(), [line]);
        assert!(error.next_step().unwrap().contains("--update-lock"));

        let error = ask(&market(&[], None)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Toolchain);
        assert_eq!(error.listed(), ["libmlir-22-dev"]);

        // If a source did not answer, it is not known which packages it has.
        for versions in [&[newer][..], &[]] {
            let error = ask(&market(versions, Some("W: Failed to fetch"))).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Network);
            assert!(error.to_string().contains("Failed to fetch"), "{error}");
        }
    }
}
