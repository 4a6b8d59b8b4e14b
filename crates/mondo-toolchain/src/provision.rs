//! Provisioning of LLVM without root: the locked packages of the distribution are unpacked into the per-user cache.
//!
//! A tree is completed and self-checked before one rename puts it into the cache, and it is never changed afterwards.
//! Its name contains a digest of the lock's hashes, so that trees of several versions and of several checkouts can
//! exist beside each other.

use std::fs::TryLockError;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::cache::use_entry;
use mondo_core::cache_entry::{self, Read, State};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;
use mondo_core::path::utf8;
use mondo_core::progress::{Sink, phase};

use crate::archive_traits::ArchiveTraits;
use crate::host::Host;
use crate::inspect::{Fallback, inspect};
use crate::installation::{Origin, SYSROOT, Toolchain};
use crate::lock::{PackageSet, TreeFacts};
use crate::request::Request;
use crate::{packages, unpack, wrapped_programs};

/// The version of the code that makes a tree from packages; part of the digest.
pub(super) const RECIPE: u32 = 7;

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

/// The folder of a cache's trees.
pub(super) fn home(cache_dir: &Utf8Path) -> Utf8PathBuf {
    cache_dir.join("toolchains")
}

/// The folder of a cache's downloaded packages.
pub(super) fn store(cache_dir: &Utf8Path) -> Utf8PathBuf {
    cache_dir.join("packages")
}

/// The place of a set's tree in the cache.
pub(super) struct Tree<'a> {
    set: &'a PackageSet,
    cache_dir: &'a Utf8Path,
    pub(super) facts: TreeFacts,
    /// The tree's folder, which need not exist.
    pub(super) root: Utf8PathBuf,
}

impl<'a> Tree<'a> {
    /// The place of the tree of `set`.
    pub(super) fn of(set: &'a PackageSet, cache_dir: &'a Utf8Path) -> Self {
        let facts = set.tree(RECIPE);
        Self {
            root: home(cache_dir).join(&facts.folder),
            set,
            cache_dir,
            facts,
        }
    }

    /// Looks at the tree.
    pub(super) fn cached(&self) -> Result<Cached> {
        let record = match cache_entry::check(&self.root, Read::Changed)? {
            State::Absent => return Ok(Cached::Absent),
            State::Damaged(why) => return Ok(Cached::Damaged(why)),
            State::Whole(record) => record,
        };
        if record.source() != self.facts.digest {
            return Ok(Cached::Damaged(
                "it was created from another lock".to_owned(),
            ));
        }
        let base = match &self.set.base {
            Some(base) => match Tree::of(base, self.cache_dir).cached()? {
                Cached::Usable(base) => Some(*base),
                other => return Ok(other),
            },
            None => None,
        };
        Ok(match self.describe(&self.root, base.as_ref())? {
            Ok(toolchain) => Cached::Usable(Box::new(toolchain)),
            Err(missing) => Cached::Damaged(missing.join(", ")),
        })
    }

    /// The toolchain of the base of the set, which is in the cache.
    fn base_toolchain(&self) -> Result<Option<Toolchain>> {
        let Some(base) = &self.set.base else {
            return Ok(None);
        };
        let tree = Tree::of(base, self.cache_dir);
        match tree.cached()? {
            Cached::Usable(toolchain) => Ok(Some(*toolchain)),
            Cached::Absent | Cached::Damaged(_) => Err(Error::new(
                ErrorKind::Toolchain,
                format!("LLVM {} disappeared from the cache", base.llvm),
            )
            .at(tree.root)
            .help("run again, and remove nothing from the cache meanwhile")),
        }
    }

    /// The toolchain in the tree that was unpacked to `root`, or the list of the files that it lacks.
    fn describe(
        &self,
        root: &Utf8Path,
        base: Option<&Toolchain>,
    ) -> Result<Result<Toolchain, Vec<String>>> {
        let set = self.set;
        let prefix = root.join(&self.facts.prefix);
        // No fallback to the system's libraries: the tree must be the same on every machine.
        let fallback = Fallback {
            libclang_dirs: base
                .map(|base| base.libclang_dir.clone())
                .into_iter()
                .collect(),
            ..Fallback::default()
        };
        let mut found = inspect(&prefix, &fallback)?;
        if let Some(version) = &found.version
            && *version != set.llvm
        {
            found.missing.push(format!(
                "LLVM {} (the headers are from {version})",
                set.llvm
            ));
        }
        Ok(match (found.version, found.libclang_dir) {
            (Some(version), Some(libclang_dir)) if found.missing.is_empty() => Ok(Toolchain {
                version,
                supplement: None,
                named: None,
                traits: ArchiveTraits::default(),
                prefix,
                origin: Origin::Provisioned,
                packages: self.facts.packages.clone(),
                library_dirs: found.library_dirs,
                tool_library_dirs: found.tool_library_dirs,
                sysroot: Some(root.join(SYSROOT)).filter(|sysroot| sysroot.is_dir()),
                libclang_dir,
                moved: set.moved.clone(),
                base: base.cloned().map(Box::new),
                license_file: found.license_file,
            }),
            _ => Err(found.missing),
        })
    }
}

/// The toolchain of `set` from the cache, which is provisioned first where it is not whole.
pub(super) fn provision(
    set: &PackageSet,
    request: &Request,
    host: &Host,
    sink: &dyn Sink,
) -> Result<Toolchain> {
    if let Some(base) = &set.base {
        provision(base, request, host, sink)?;
    }
    let tree = Tree::of(set, &request.cache_dir);
    if let Cached::Usable(toolchain) = tree.cached()? {
        use_entry(&tree.root);
        return Ok(*toolchain);
    }
    let detail = format!("LLVM {} for {}", set.llvm, set.architecture);
    let (toolchain, _) = phase(sink, "toolchain", &detail, || {
        let toolchain = provision_locked(&tree, request, host, sink)?;
        let outcome = toolchain.prefix.to_string();
        Ok::<_, Error>((toolchain, outcome))
    })?;
    Ok(toolchain)
}

fn provision_locked(
    tree: &Tree<'_>,
    request: &Request,
    host: &Host,
    sink: &dyn Sink,
) -> Result<Toolchain> {
    let Tree {
        set, facts, root, ..
    } = tree;
    let home = home(&request.cache_dir);
    fs_err::create_dir_all(&home).map_err(|error| not_writable(error.into(), &home))?;
    let _guard = take_lock(&home, sink).map_err(|error| not_writable(error, &home))?;
    // A concurrent run may have made the tree while this one waited for the lock.
    let damage = match tree.cached()? {
        Cached::Usable(toolchain) => return Ok(*toolchain),
        Cached::Damaged(why) => {
            let what = format!("LLVM {}", set.llvm);
            sink.note(&cache_entry::damaged(&what, root, &why));
            Some(why)
        }
        Cached::Absent => None,
    };
    remove_leftovers(&home)?;
    let guard = tempfile::Builder::new()
        .prefix(WORK_PREFIX)
        .tempdir_in(&home)?;
    let work = utf8(guard.path())?;

    let store = store(&request.cache_dir);
    let files = packages::gather(set, request, host, &store, sink)
        .map_err(|error| not_repaired(error, root, damage.as_deref()))?;
    let (files, runtime) = files.split_at(set.packages.len());

    sink.update(&format!(
        "unpacking {} packages",
        files.len() + runtime.len()
    ));
    let fresh = work.join("root");
    unpack::unpack(files, &fresh)?;
    unpack::settle_links(&fresh)?;
    if !runtime.is_empty() {
        let sysroot = fresh.join(SYSROOT);
        unpack::unpack(runtime, &sysroot)?;
        unpack::merge_usr(&sysroot)?;
        unpack::settle_links(&sysroot)?;
    }
    wrapped_programs::wrap(&fresh, &request.target, &facts.digest)?;
    let base = tree.base_toolchain()?;
    if let Some(base) = &base {
        wrapped_programs::borrow_compiler(&fresh, set, base, &request.target, &facts.digest)?;
    }

    sink.update("checking the unpacked files");
    let toolchain = tree.describe(&fresh, base.as_ref())?.map_err(|missing| {
        Error::new(
            ErrorKind::Toolchain,
            format!("the packages of LLVM {} are incomplete", set.llvm),
        )
        .at(request.lock.as_str())
        .details(missing)
        .help("add the package that contains it to the lock")
    })?;
    unpack::self_check(&toolchain, &request.target)?;
    cache_entry::seal(&fresh, &facts.digest)?;

    interrupt::check()?;
    cache_entry::install(&fresh, root, work)?;
    // The tree is complete, so the package files are not needed any more.
    if let Err(error) = fs_err::remove_dir_all(&store) {
        tracing::debug!(%error, "the downloaded packages are kept");
    }
    tree.describe(root, base.as_ref())?.map_err(|missing| {
        Error::new(
            ErrorKind::Toolchain,
            "the unpacked LLVM packages changed while mondo used them",
        )
        .at(root.as_str())
        .details(missing)
    })
}

/// An error of the cache's folder, with the ways out: LLVM is too large for the work folder of each project.
fn not_writable(error: Error, home: &Utf8Path) -> Error {
    if error.kind() != ErrorKind::Io || error.next_step().is_some() {
        return error;
    }
    Error::new(
        ErrorKind::Io,
        "cannot unpack LLVM: the cache is not writable",
    )
    .at(home)
    .because(error.what())
    .help(
        "free some space, or set MONDO_CACHE_DIR to a writable folder,\nor set `--llvm-dir` \
         or MONDO_LLVM_DIR to an installation",
    )
}

/// The error of a damaged tree that cannot be made again, where no package can be had.
fn not_repaired(error: Error, root: &Utf8Path, damage: Option<&str>) -> Error {
    match damage {
        Some(damage) if error.kind() == ErrorKind::Network => Error::new(
            ErrorKind::Integrity,
            "the LLVM in the cache is damaged, and its packages are not available to recreate it",
        )
        .at(root)
        .because(damage)
        .help(
            "run without `--offline` and with the network,\nor set MONDO_DEB_DIR to a folder \
             with the packages of the lock,\nor set MONDO_CACHE_DIR to an intact copy of the \
             cache",
        )
        .caused_by(error),
        _ => error,
    }
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
    let mut has_noted = false;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) => {
                if !has_noted {
                    sink.note(&format!(
                        "waiting for another run that uses the same cache, {home}"
                    ));
                    has_noted = true;
                }
                interrupt::check()?;
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(TryLockError::Error(error)) => {
                return Err(Error::new(ErrorKind::Io, "cannot lock the cache")
                    .at(path.as_str())
                    .caused_by(error)
                    .help("set MONDO_CACHE_DIR to a folder on a local disk"));
            }
        }
    }
}
