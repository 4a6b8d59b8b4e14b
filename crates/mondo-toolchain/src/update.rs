//! `--update-lock`: what apt offers now becomes what the lock says.
//!
//! Only here does mondo choose packages, so only here must somebody vouch for an index of packages. apt does: it verifies
//! the signature of the index with the keys that the host's administrator trusts, and resolves versions. Downloads need
//! neither, because the lock has paths and digests.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::path::utf8;
use mondo_core::progress::{Sink, phase};

use crate::apt::{self, Apt};
use crate::host::Host;
use crate::installation::{GCC, compiler_packages, follows, runtime_packages, wanted_packages};
use crate::lock::{Lock, LockedPackage, MovingSet, PackageSet, upstream_version};
use crate::package_paragraphs::Offer;
use crate::request::Request;
use crate::sources;

/// One package whose line in the lock changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The package.
    pub name: String,
    /// The version that the lock had, if it had the package.
    pub old: Option<String>,
    /// The version that it has now, or none for a package that is no longer needed.
    pub new: Option<String>,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let or = |version: &Option<String>, none: &str| {
            version
                .as_deref()
                .map_or_else(|| none.to_owned(), str::to_owned)
        };
        write!(
            f,
            "{}: {} → {}",
            self.name,
            or(&self.old, "(new)"),
            or(&self.new, "(no longer needed)")
        )
    }
}

/// Rewrites the lock's set for this request and machine with the versions that apt offers now. The changes are
/// reported to `sink` and returned. If the lock or the set does not exist, it is created.
pub(super) fn update_lock(request: &Request, host: &Host, sink: &dyn Sink) -> Result<Vec<Change>> {
    let Some(suite) = host.suite() else {
        return Err(Error::new(
            ErrorKind::MissingTool,
            "the toolchain lock can be updated only on Debian",
        )
        .because("/etc/os-release names no Debian release (VERSION_CODENAME)")
        .help("update the lock in a container of the release that the lock names, and commit it"));
    };
    if request.offline {
        return Err(Error::new(
            ErrorKind::Network,
            "cannot update the toolchain lock offline",
        )
        .because("`--update-lock` asks apt for its packages, which `--offline` forbids"));
    }
    let architecture = &request.target.architecture;
    let detail = format!("LLVM {} for {architecture} from {suite}", request.major);
    let (changes, _) = phase(sink, "lock", &detail, || {
        let changes = rewrite(request, &suite, sink)?;
        let outcome = match changes.len() {
            0 => "up to date".to_owned(),
            n => format!("{n} packages changed"),
        };
        Ok::<_, Error>((changes, outcome))
    })?;
    for change in &changes {
        sink.note(&format!("lock: {change}"));
    }
    Ok(changes)
}

fn rewrite(request: &Request, suite: &str, sink: &dyn Sink) -> Result<Vec<Change>> {
    let architecture = &request.target.architecture;
    let mut lock = if request.lock.exists() {
        Lock::read(&request.lock)?
    } else {
        Lock::new()
    };
    let work = tempfile::tempdir()?;
    apt::check()?;
    let apt = Apt::prepare(utf8(work.path())?, architecture)?;
    sink.update("asking apt for its package lists");
    let complaint = apt.update()?;
    if let Some(text) = &complaint {
        sink.note(&format!(
            "not all package sources answered, so these may not be the newest packages\n{text}"
        ));
    }
    if let Some(changes) = update_verifier(&apt, &mut lock, request)? {
        write_beside(&request.lock, &lock.render())?;
        return Ok(changes);
    }
    let offers = closure(&apt, request.major, complaint.as_deref())?;
    let runtime = runtime(&apt, complaint.as_deref())?;
    let old = lock.set(request.major, &request.target);
    let optional = optional(&apt, old, complaint.as_deref())?;
    let llvm = llvm_version(&offers, request.major);
    let source = sources::offered(request.major, &llvm, architecture, sink)?;

    let set = PackageSet {
        llvm,
        suite: suite.to_owned(),
        architecture: architecture.to_owned(),
        packages: locked(offers),
        sysroot: runtime,
        optional,
        source,
        moved: None,
        base: None,
    };
    let changes = compare(old, &set);
    lock.replace(set);
    let text = lock.render();
    // The output of apt is not trusted to be well formed.
    Lock::parse(&text)?;
    write_beside(&request.lock, &text)?;
    Ok(changes)
}

/// Locks the verifier of a moving set anew. None if there is no such set, or if apt offers its LLVM, so that a fixed set can
/// replace it.
fn update_verifier(apt: &Apt, lock: &mut Lock, request: &Request) -> Result<Option<Vec<Change>>> {
    let is_wanted = |set: &MovingSet| {
        set.llvm == request.major && set.architecture == request.target.architecture
    };
    let Some(moving) = lock.moving.iter_mut().find(|set| is_wanted(set)) else {
        return Ok(None);
    };
    let development = format!("libmlir-{}-dev", request.major);
    if !apt.candidates(&[development])?.is_empty() {
        lock.moving.retain(|set| !is_wanted(set));
        return Ok(None);
    }
    let names: Vec<String> = moving
        .verifier
        .iter()
        .map(|package| package.name.clone())
        .collect();
    let new = locked(apt.candidates(&names)?);
    if new.len() != names.len() {
        return Err(Error::new(
            ErrorKind::Toolchain,
            "apt does not offer all packages that verify a suite's index",
        )
        .details(names)
        .help("the lock is unchanged"));
    }
    let changes = new
        .iter()
        .zip(&moving.verifier)
        .filter(|(new, old)| new != old)
        .map(|(new, old)| Change {
            name: new.name.clone(),
            old: Some(old.version.clone()),
            new: Some(new.version.clone()),
        })
        .collect();
    moving.verifier = new;
    Ok(Some(changes))
}

/// The wanted packages, and the shared libraries that their programs need, transitively. Other dependencies of
/// development packages are not followed: they are headers of libraries that only LLVM's own build uses.
fn closure(apt: &Apt, major: u32, complaint: Option<&str>) -> Result<BTreeMap<String, Offer>> {
    let mut wanted = wanted_packages(major);
    wanted.extend(compiler_packages(major));
    let runtime = runtime_packages(GCC);
    let mut found = BTreeMap::new();
    let mut queried: BTreeSet<String> = wanted.iter().cloned().collect();
    let mut next: Vec<String> = wanted.clone();
    while !next.is_empty() {
        let round = apt.candidates(&next)?;
        let mut deeper = BTreeSet::new();
        for offer in round.values() {
            let depends = offer.depends.iter();
            deeper.extend(depends.filter(|name| follows(&offer.name, name, &runtime)));
        }
        next = deeper
            .into_iter()
            .filter(|name| !queried.contains(*name))
            .cloned()
            .collect();
        queried.extend(next.iter().cloned());
        // A dependency that apt does not know by name is a virtual package: another package provides it.
        found.extend(round);
    }
    let missing: Vec<&String> = wanted
        .iter()
        .filter(|name| !found.contains_key(*name))
        .collect();
    if missing.is_empty() {
        return Ok(found);
    }
    let (kind, why) = match complaint {
        Some(said) => (
            ErrorKind::Network,
            format!("apt could not fetch all package lists\n{said}"),
        ),
        None => (
            ErrorKind::Toolchain,
            "no package source of the system offers them".to_owned(),
        ),
    };
    Err(Error::new(
        kind,
        format!("apt does not offer all packages of LLVM {major}"),
    )
    .because(why)
    .details(missing)
    .help("the lock is unchanged"))
}

fn locked(offers: BTreeMap<String, Offer>) -> Vec<LockedPackage> {
    offers.into_values().map(LockedPackage::from).collect()
}

/// The packages of the C and C++ runtime, as they are offered now.
fn runtime(apt: &Apt, complaint: Option<&str>) -> Result<Vec<LockedPackage>> {
    let nothing_else = |_: &Offer, _: &str| false;
    let whose = "the distribution's C and C++ runtime";
    apt.closure(&runtime_packages(GCC), nothing_else, whose, complaint)
        .map(locked)
}

/// The optional packages that the lock has, as they are offered now; the names stay those of the lock.
fn optional(
    apt: &Apt,
    old: Option<&PackageSet>,
    complaint: Option<&str>,
) -> Result<Vec<LockedPackage>> {
    let names: Vec<String> = old
        .iter()
        .flat_map(|set| &set.optional)
        .map(|package| package.name.clone())
        .collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let offers = apt.candidates(&names)?;
    let gone: Vec<&String> = names
        .iter()
        .filter(|name| !offers.contains_key(*name))
        .collect();
    if gone.is_empty() {
        return Ok(locked(offers));
    }
    let error = Error::new(
        ErrorKind::Toolchain,
        "apt does not offer all optional packages of the toolchain lock",
    )
    .details(gone)
    .help("remove them from `optional` in the lock, which is unchanged");
    Err(match complaint {
        Some(said) => error.because(format!("apt could not fetch all package lists\n{said}")),
        None => error,
    })
}

fn llvm_version(offers: &BTreeMap<String, Offer>, major: u32) -> String {
    offers
        .get(&format!("libmlir-{major}-dev"))
        .map_or_else(String::new, |offer| {
            upstream_version(&offer.version).to_owned()
        })
}

fn compare(old: Option<&PackageSet>, new: &PackageSet) -> Vec<Change> {
    let by_name = |set: &PackageSet| -> BTreeMap<String, LockedPackage> {
        set.unpacked()
            .chain(&set.optional)
            .chain(&set.source)
            .map(|package| (package.name.clone(), package.clone()))
            .collect()
    };
    let old = old.map(by_name).unwrap_or_default();
    let new = by_name(new);
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    names
        .into_iter()
        .filter(|name| old.get(*name) != new.get(*name))
        .map(|name| Change {
            name: name.clone(),
            old: old.get(name).map(|package| package.version.clone()),
            new: new.get(name).map(|package| package.version.clone()),
        })
        .collect()
}

fn write_beside(path: &Utf8Path, text: &str) -> Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::PermissionsExt as _;
    let folder = match path.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder,
        _ => Utf8Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .permissions(std::fs::Permissions::from_mode(0o644))
        .tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str) -> LockedPackage {
        LockedPackage {
            name: name.to_owned(),
            version: version.to_owned(),
            sha256: "0".repeat(64),
            size: 1,
            path: format!("pool/main/{name}"),
        }
    }

    #[test]
    fn changes_name_the_old_and_the_new_version() {
        let set = |packages: Vec<LockedPackage>| PackageSet {
            llvm: "22.1.8".to_owned(),
            suite: "bookworm".to_owned(),
            architecture: "amd64".to_owned(),
            packages,
            sysroot: Vec::new(),
            optional: Vec::new(),
            source: None,
            moved: None,
            base: None,
        };
        let old = set(vec![
            package("a", "1"),
            package("b", "1"),
            package("c", "1"),
        ]);
        let new = set(vec![
            package("a", "2"),
            package("b", "1"),
            package("d", "1"),
        ]);
        let changes: Vec<String> = compare(Some(&old), &new)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            changes,
            ["a: 1 → 2", "c: 1 → (no longer needed)", "d: (new) → 1"]
        );
        assert_eq!(compare(Some(&new), &new), []);
        assert_eq!(compare(None, &new).len(), 3);
    }
}
