//! Provisioning of LLVM without root: the locked packages of the distribution are unpacked into the per-user cache.
//!
//! A tree is completed and self-checked before one rename puts it into the cache, and it is never changed afterwards.
//! Its name contains a digest of the lock's hashes, so that trees of several versions and of several checkouts can
//! exist beside each other.

use std::fs::TryLockError;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;
use mondo_core::path::utf8;
use mondo_core::progress::{Sink, phase};
use serde::{Deserialize, Serialize};

use crate::inspect::{Fallback, inspect};
use crate::installation::{Origin, Toolchain};
use crate::lock::{Lock, PackageSet};
use crate::machine::Machine;
use crate::request::Request;
use crate::{packages, unpack};

/// The version of the code that makes a tree from packages; part of the digest.
pub(super) const RECIPE: u32 = 1;

/// The file at the root of a tree that says what it is made of.
const STAMP: &str = "mondo-toolchain.json";

/// The contents of [`STAMP`].
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stamp {
    /// [`PackageSet::digest`] of what was unpacked.
    digest: String,
    /// The number of archives in the prefix, and their bytes in all: a cheap sign of damage.
    archives: (u64, u64),
    /// Bytes on disk of the whole tree.
    bytes: u64,
}

/// The state of a tree in the cache.
#[derive(Debug)]
pub(super) enum Cached {
    /// It is whole.
    Usable(Box<Toolchain>),
    /// It is not there.
    Absent,
    /// It is there, but not as it was made; the reason.
    Damaged(String),
}

/// The locked set for this request on this machine.
pub(super) fn locked_set(request: &Request, machine: &Machine) -> Result<PackageSet> {
    let lock = Lock::read(&request.lock)?;
    let Some(suite) = &machine.suite else {
        return Err(not_debian(request.major));
    };
    let Some(set) = lock.set(request.major, suite, &machine.architecture) else {
        let known: Vec<String> = lock
            .sets
            .iter()
            .map(|set| format!("LLVM {} on {} {}", set.llvm, set.suite, set.architecture))
            .collect();
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!(
                "the toolchain lock has no packages of LLVM {} for {suite} {}",
                request.major, machine.architecture
            ),
        )
        .at(request.lock.as_str())
        .because("it has only these")
        .details(known)
        .help(
            "run with --update-lock to lock what apt offers here,\n\
             or give an installation with --llvm-dir or MONDO_LLVM_DIR",
        ));
    };
    if let Some(exact) = &request.exact
        && *exact != set.llvm
    {
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!(
                "the manifest asks for LLVM {exact}; the toolchain lock has {}",
                set.llvm
            ),
        )
        .at(request.lock.as_str())
        .help(
            "change `llvm` in the manifest, run with --update-lock if the distribution has that \
             version now,\nor give an installation with --llvm-dir or MONDO_LLVM_DIR",
        ));
    }
    let optional: Vec<String> = set.optional.iter().map(|it| it.name.clone()).collect();
    set.clone().with(&request.packages).map_err(|name| {
        Error::new(
            ErrorKind::Toolchain,
            format!(
                "`llvm.packages` of the manifest names `{name}`, which the toolchain lock does not have"
            ),
        )
        .at(request.lock.as_str())
        .because(format!(
            "beside those of every bundle, LLVM {} on {suite} {} has these",
            set.llvm, machine.architecture
        ))
        .details(optional)
        .help("write one of them, or add the package to `optional` of the lock")
    })
}

/// The error for a machine whose packages mondo cannot use.
pub(super) fn not_debian(major: u32) -> Error {
    Error::new(
        ErrorKind::MissingTool,
        format!("LLVM {major} is not installed, and mondo can provision it on Debian only"),
    )
    .because("/etc/os-release names no Debian release (VERSION_CODENAME)")
    .help("install LLVM and MLIR, and give their folder with --llvm-dir or MONDO_LLVM_DIR")
}

/// The folder of a cache's trees.
pub(super) fn home(cache_dir: &Utf8Path) -> Utf8PathBuf {
    cache_dir.join("toolchains")
}

/// The tree of `set` in the cache.
pub(super) fn tree_of(set: &PackageSet, cache_dir: &Utf8Path) -> Utf8PathBuf {
    home(cache_dir).join(set.folder(&set.digest(RECIPE)))
}

/// Looks at the tree of `set` in the cache.
pub(super) fn cached(set: &PackageSet, cache_dir: &Utf8Path) -> Result<Cached> {
    let root = tree_of(set, cache_dir);
    if !root.is_dir() {
        return Ok(Cached::Absent);
    }
    let Some(stamp) = Stamp::read(&root) else {
        return Ok(Cached::Damaged(format!("{STAMP} is missing or unreadable")));
    };
    if stamp.digest != set.digest(RECIPE) {
        return Ok(Cached::Damaged(format!(
            "{STAMP} was written for another lock"
        )));
    }
    match describe(&root, set)? {
        Ok(toolchain) if archives(&toolchain.prefix)? == stamp.archives => {
            Ok(Cached::Usable(Box::new(toolchain)))
        }
        Ok(_) => Ok(Cached::Damaged(
            "its archives are not of the size they were unpacked with".to_owned(),
        )),
        Err(missing) => Ok(Cached::Damaged(missing.join(", "))),
    }
}

/// The toolchain of `set` from the cache, which is provisioned first where it is not whole.
pub(super) fn provision(
    request: &Request,
    machine: &Machine,
    sink: &dyn Sink,
) -> Result<Toolchain> {
    let set = locked_set(request, machine)?;
    if let Cached::Usable(toolchain) = cached(&set, &request.cache_dir)? {
        return Ok(*toolchain);
    }
    let detail = format!("LLVM {} for {} {}", set.llvm, set.suite, set.architecture);
    let (toolchain, _) = phase(sink, "toolchain", &detail, || {
        let toolchain = provision_locked(&set, request, sink)?;
        let outcome = toolchain.prefix.to_string();
        Ok::<_, Error>((toolchain, outcome))
    })?;
    Ok(toolchain)
}

fn provision_locked(set: &PackageSet, request: &Request, sink: &dyn Sink) -> Result<Toolchain> {
    let home = home(&request.cache_dir);
    fs_err::create_dir_all(&home)?;
    let _guard = take_lock(&home, sink)?;
    // A concurrent run may have made the tree while this one waited for the lock.
    match cached(set, &request.cache_dir)? {
        Cached::Usable(toolchain) => return Ok(*toolchain),
        Cached::Damaged(why) => sink.note(&format!(
            "the cached LLVM {} is damaged and is unpacked again: {why}",
            set.llvm
        )),
        Cached::Absent => {}
    }
    remove_leftovers(&home)?;
    let guard = tempfile::Builder::new()
        .prefix(WORK_PREFIX)
        .tempdir_in(&home)?;
    let work = utf8(guard.path())?;

    let store = request.cache_dir.join("packages");
    let apt_dir = work.join("apt");
    fs_err::create_dir(&apt_dir)?;
    let files = packages::gather(set, request, &store, &apt_dir, sink)?;

    sink.update(&format!("unpacking {} packages", files.len()));
    let fresh = work.join("root");
    unpack::unpack(&files, &fresh)?;
    unpack::settle_links(&fresh)?;

    sink.update("checking what was unpacked");
    let toolchain = describe(&fresh, set)?.map_err(|missing| {
        Error::new(
            ErrorKind::Toolchain,
            format!("the packages of LLVM {} are not complete", set.llvm),
        )
        .at(request.lock.as_str())
        .details(missing)
        .help("add the package that has it to the lock")
    })?;
    unpack::self_check(&toolchain)?;
    let stamp = Stamp {
        digest: set.digest(RECIPE),
        archives: archives(&toolchain.prefix)?,
        bytes: bytes_below(&fresh)?,
    };
    stamp.write(&fresh)?;

    interrupt::check()?;
    let root = tree_of(set, &request.cache_dir);
    if root.exists() {
        fs_err::rename(&root, work.join("damaged"))?;
    }
    fs_err::rename(&fresh, &root)?;
    // The tree is complete, so the package files are not needed any more.
    if let Err(error) = fs_err::remove_dir_all(&store) {
        tracing::debug!(%error, "the downloaded packages stay");
    }
    describe(&root, set)?.map_err(|missing| {
        Error::new(
            ErrorKind::Toolchain,
            "the unpacked LLVM packages changed while mondo used them",
        )
        .at(root.as_str())
        .details(missing)
    })
}

/// The toolchain in an unpacked tree, or the list of the files that it lacks.
fn describe(root: &Utf8Path, set: &PackageSet) -> Result<Result<Toolchain, Vec<String>>> {
    let major = set.major().unwrap_or_default();
    let prefix = root.join(format!("usr/lib/llvm-{major}"));
    // No fallback to the system's libraries: the tree must be the same on every machine.
    let mut found = inspect(&prefix, &Fallback::default())?;
    if let Some(version) = &found.version
        && *version != set.llvm
    {
        found
            .missing
            .push(format!("LLVM {} (the headers are of {version})", set.llvm));
    }
    Ok(match (found.version, found.libclang_dir) {
        (Some(version), Some(libclang_dir)) if found.missing.is_empty() => Ok(Toolchain {
            version,
            prefix,
            origin: Origin::Provisioned,
            packages: set.as_packages(),
            library_dirs: found.library_dirs,
            tool_library_dirs: found.tool_library_dirs,
            libclang_dir,
            license_file: found.license_file,
        }),
        _ => Err(found.missing),
    })
}

pub(super) const WORK_PREFIX: &str = ".unpack-";

/// Removes leftovers of killed runs. Only the holder of the cache's lock may call it.
pub(super) fn remove_leftovers(home: &Utf8Path) -> Result<()> {
    for entry in home.read_dir_utf8()? {
        let entry = entry?;
        if entry.file_name().starts_with(WORK_PREFIX) {
            fs_err::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Waits for the cache's lock. The system releases it when the process ends, however it ends.
///
/// # Errors
/// `ErrorKind::Io` where the file system cannot lock, `ErrorKind::Interrupted` while waiting.
pub fn take_lock(home: &Utf8Path, sink: &dyn Sink) -> Result<std::fs::File> {
    let path = home.join(".lock");
    let file: std::fs::File = fs_err::OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)?
        .into();
    let mut told = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {
                if !told {
                    sink.note(&format!(
                        "waiting for another run that provisions into the same cache, {home}"
                    ));
                    told = true;
                }
                interrupt::check()?;
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(TryLockError::Error(error)) => {
                return Err(Error::new(ErrorKind::Io, "the cache cannot be locked")
                    .at(path.as_str())
                    .caused_by(error)
                    .help("set MONDO_CACHE_DIR to a folder on a local disk"));
            }
        }
    }
}

impl Stamp {
    fn read(root: &Utf8Path) -> Option<Self> {
        let text = fs_err::read(root.join(STAMP)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    fn write(&self, root: &Utf8Path) -> Result<()> {
        let text = serde_json::to_vec(self).map_err(std::io::Error::from)?;
        fs_err::write(root.join(STAMP), text)?;
        Ok(())
    }
}

/// Bytes on disk of a tree of the cache, as its stamp says; 0 where it has none.
pub(super) fn size_of_tree(root: &Utf8Path) -> u64 {
    Stamp::read(root).map_or(0, |stamp| stamp.bytes)
}

/// The number of archives in a prefix, and their bytes.
fn archives(prefix: &Utf8Path) -> Result<(u64, u64)> {
    let (mut count, mut bytes) = (0, 0);
    for entry in prefix.join("lib").read_dir_utf8()? {
        let entry = entry?;
        if entry.file_name().ends_with(".a") {
            count += 1;
            bytes += entry.metadata()?.len();
        }
    }
    Ok((count, bytes))
}

/// Bytes that a folder takes on disk.
fn bytes_below(root: &Utf8Path) -> Result<u64> {
    use std::os::unix::fs::MetadataExt as _;
    let mut bytes = 0;
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8()? {
            let entry = entry?;
            // `metadata` of an entry does not follow links.
            bytes += entry.metadata()?.blocks() * 512;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path().to_owned());
            }
        }
    }
    Ok(bytes)
}
