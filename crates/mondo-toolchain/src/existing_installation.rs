//! Installations of LLVM that exist already. One that the user names is used or refused with an error; the system's
//! is used or skipped.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::path::variable;
use mondo_core::progress::Sink;

use crate::archive_traits::ArchiveTraits;
use crate::host::Host;
use crate::host::path_dirs;
use crate::inspect::{Fallback, Inspection, inspect};
use crate::installation::{Origin, Package, Toolchain, wanted_packages};
use crate::linker::named_cxx;
use crate::lock::{Choice, Lock, PackageSet};
use crate::merged_prefix::Parts;
use crate::provision::{self, Cached, Tree};
use crate::request::Request;
use crate::sets;
use crate::unpack;

/// The folder that the user asked for, by flag or by environment.
pub(super) fn asked_for(request: &Request) -> Option<(&Utf8Path, Origin)> {
    let flag = request.llvm_dir.as_deref().map(|dir| (dir, Origin::Flag));
    flag.or_else(|| Some((request.env_llvm_dir.as_deref()?, Origin::Environment)))
}

/// The word for an origin in messages to the user.
pub(super) fn called(origin: Origin) -> &'static str {
    match origin {
        Origin::Flag => "--llvm-dir",
        Origin::Environment => "MONDO_LLVM_DIR",
        Origin::System => "system install",
        Origin::Provisioned => "cache",
    }
}

/// The permission to get locked packages for what a prefix lacks.
#[derive(Clone, Copy)]
pub(super) enum Locked<'a> {
    /// They are downloaded if the cache lacks them.
    Download(&'a dyn Sink),
    /// Only the cache is read.
    Cached,
}

/// Uses the LLVM in `dir`, or returns an error that says why it is not usable. Programs and libraries that it lacks come
/// from the locked packages of the same version.
pub(super) fn take(
    dir: &Utf8Path,
    origin: Origin,
    request: &Request,
    host: &Host,
    locked: Locked<'_>,
) -> Result<Toolchain> {
    let by = called(origin);
    let Ok(named) = dir.canonicalize_utf8() else {
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!("the folder in {by} does not exist"),
        )
        .at(dir.as_str())
        .help("pass the folder that contains LLVM's `bin`, `include` and `lib`"));
    };
    let parts = Parts::of(&named)?;
    let prefix = match &parts {
        Some(parts) => parts.merge(&request.cache_dir)?,
        None => named.clone(),
    };
    let mut fallback = Fallback::system(&host.root);
    fallback.library_dirs.splice(0..0, kegs(dir));
    if let Some(dir) = variable("LIBCLANG_PATH")? {
        fallback.libclang_dirs.insert(0, dir);
    }
    let found = inspect(&prefix, &fallback)?;
    if let Some(why) = wrong_version(&found, request) {
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!("the LLVM in {by} is another version"),
        )
        .at(named.as_str())
        .because(why)
        .help(format!("change {by}, or `llvm` in the manifest")));
    }
    let incomplete = |missing: Vec<String>| {
        Error::new(
            ErrorKind::Toolchain,
            format!("the LLVM in {by} is incomplete"),
        )
        .at(named.as_str())
        .because("these files are missing")
        .details(missing)
        .help(format!(
            "install the missing files, or remove {by} to let mondo download LLVM"
        ))
    };
    let is_bare = named_cxx().is_none() && !path_dirs().any(|dir| dir.join("g++").is_file());
    let toolchain = if found.missing.is_empty() && !is_bare {
        complete(prefix, origin, found, host)?.map_err(incomplete)?
    } else {
        if found.missing.iter().any(|file| !comes_with_lock(file)) {
            return Err(incomplete(found.missing));
        }
        let lacks_tblgen = found.missing.iter().any(|file| file.starts_with(TBLGEN));
        let supplement = match supplement(request, host, locked, &found, by)? {
            Ok(supplement) => supplement,
            Err(why) => return Err(incomplete(with(found.missing, why))),
        };
        let mut prefix = prefix;
        if lacks_tblgen {
            let mut parts = parts.unwrap_or_else(|| Parts::of_installation(&named));
            parts.add_locked(&supplement);
            prefix = parts.merge(&request.cache_dir)?;
        }
        let (libraries, libclang) = (&supplement.library_dirs, &supplement.libclang_dir);
        fallback.library_dirs.extend(libraries.iter().cloned());
        fallback.libclang_dirs.push(libclang.clone());
        let found = inspect(&prefix, &fallback)?;
        let toolchain = complete(prefix, origin, found, host)?.map_err(incomplete)?;
        Toolchain {
            license_file: toolchain
                .license_file
                .clone()
                .or_else(|| supplement.license_file.clone()),
            supplement: Some(Box::new(supplement)),
            ..toolchain
        }
    };
    let toolchain = Toolchain {
        named: (toolchain.prefix != named).then(|| named.clone()),
        ..toolchain
    };
    let refused = toolchain.traits.refused();
    if refused.is_empty() {
        return Ok(toolchain);
    }
    Err(Error::new(
        ErrorKind::Toolchain,
        format!("mondo cannot link the archives of the LLVM in {by}"),
    )
    .at(named.as_str())
    .because(refused.join(";\n"))
    .help(format!(
        "compile LLVM with other options, or remove {by} to let mondo download LLVM"
    )))
}

/// The program whose output depends on LLVM's version.
const TBLGEN: &str = "bin/mlir-tblgen";

/// Whether locked packages have a missing file.
fn comes_with_lock(missing: &str) -> bool {
    [TBLGEN, "lib/libclang.so", "libz.a", "libzstd.a"]
        .iter()
        .any(|file| missing.starts_with(file))
}

fn with(mut missing: Vec<String>, why: String) -> Vec<String> {
    missing.push(why);
    missing
}

/// The locked packages for what a prefix lacks, or the reason why they do not fit.
fn supplement(
    request: &Request,
    host: &Host,
    locked: Locked<'_>,
    found: &Inspection,
    by: &str,
) -> Result<std::result::Result<Toolchain, String>> {
    let needs_same_version = found.missing.iter().any(|file| file.starts_with(TBLGEN));
    let of_any_version = Request {
        exact: None,
        major: match needs_same_version {
            true => request.major,
            false => locked_major(request)?,
        },
        ..request.clone()
    };
    let set = match locked {
        Locked::Download(sink) => sets::wanted_set(&of_any_version, host, sink),
        Locked::Cached => sets::known_set(&of_any_version),
    };
    let set = match set {
        Ok(set) => set,
        Err(error) if error.kind() == ErrorKind::Toolchain => {
            return Ok(Err(format!(
                "mondo takes what a prefix lacks from its toolchain lock, but {}",
                error.what()
            )));
        }
        Err(error) => return Err(error),
    };
    if needs_same_version && found.version.as_ref() != Some(&set.llvm) {
        return Ok(Err(format!(
            "mondo takes what a prefix lacks from its toolchain lock, but that has LLVM {}",
            set.llvm
        )));
    }
    match locked {
        Locked::Download(sink) => provision::provision(&set, request, host, sink).map(Ok),
        Locked::Cached => match Tree::of(&set, &request.cache_dir).cached()? {
            Cached::Usable(toolchain) => Ok(Ok(*toolchain)),
            Cached::Absent | Cached::Damaged(_) => Err(Error::new(
                ErrorKind::Toolchain,
                format!("the LLVM in {by} needs locked packages, which are not downloaded yet"),
            )
            .because("a build downloads them for what the prefix lacks")
            .details(&found.missing)
            .help("mondo toolchain fetch")),
        },
    }
}

/// The LLVM whose locked packages have libclang, zlib, zstd and a compiler for this request: its own, or the newest fixed
/// one if the lock does not have its own.
fn locked_major(request: &Request) -> Result<u32> {
    let lock = Lock::read(&request.lock)?;
    if !matches!(lock.choose(request.major, &request.target), Choice::Absent) {
        return Ok(request.major);
    }
    let sets = lock.sets.iter();
    let sets = sets.filter(|set| set.architecture == request.target.architecture);
    let newest = sets.filter_map(PackageSet::major).max();
    Ok(newest.unwrap_or(request.major))
}

/// The folders of zlib's and zstd's libraries beside LLVM in Homebrew, whose packages have a folder each below `opt`.
fn kegs(dir: &Utf8Path) -> Vec<Utf8PathBuf> {
    let opt = dir.parent().filter(|parent| parent.ends_with("opt"));
    let folders = opt
        .into_iter()
        .flat_map(|opt| ["zlib", "zlib-ng-compat", "zstd"].map(|name| opt.join(name).join("lib")));
    folders.filter(|folder| folder.is_dir()).collect()
}

/// The system's installation, or the reason why it is skipped.
pub(super) fn system(
    request: &Request,
    host: &Host,
) -> Result<std::result::Result<Toolchain, String>> {
    let prefix = system_prefix(request.major, host);
    if !prefix.is_dir() {
        return Ok(Err("it is not installed".to_owned()));
    }
    let found = inspect(&prefix, &Fallback::default())?;
    if let Some(why) = wrong_version(&found, request) {
        return Ok(Err(why));
    }
    Ok(
        complete(prefix, Origin::System, found, host)?.map_err(|missing| {
            let shown = missing
                .iter()
                .take(3)
                .cloned()
                .collect::<Vec<_>>()
                .join(", ");
            match missing.len() {
                0..=3 => format!("it lacks {shown}"),
                more => format!("it lacks {shown} and {} more", more - 3),
            }
        }),
    )
}

/// The folder in which Debian's packages put an LLVM.
pub(super) fn system_prefix(major: u32, host: &Host) -> Utf8PathBuf {
    host.root.join(format!("usr/lib/llvm-{major}"))
}

fn wrong_version(found: &Inspection, request: &Request) -> Option<String> {
    // The version is read from the headers; without them the missing headers are the reason.
    let version = found.version.as_ref()?;
    let wanted = match &request.exact {
        Some(exact) if exact != version => exact.clone(),
        None if found.major() != Some(request.major) => request.major.to_string(),
        _ => return None,
    };
    Some(format!(
        "it is LLVM {version}; the manifest requires {wanted}"
    ))
}

/// Makes a toolchain of an inspected prefix, or returns the files that the prefix lacks.
fn complete(
    prefix: Utf8PathBuf,
    origin: Origin,
    found: Inspection,
    host: &Host,
) -> Result<std::result::Result<Toolchain, Vec<String>>> {
    let packages = installed_packages(&prefix, found.major(), host)?;
    let (Some(version), Some(libclang_dir), []) =
        (found.version, found.libclang_dir, &found.missing[..])
    else {
        return Ok(Err(found.missing));
    };
    let toolchain = Toolchain {
        version,
        traits: ArchiveTraits::of(&prefix)?,
        prefix,
        origin,
        packages,
        library_dirs: found.library_dirs,
        tool_library_dirs: found.tool_library_dirs,
        sysroot: None,
        supplement: None,
        named: None,
        libclang_dir,
        moved: None,
        base: None,
        license_file: found.license_file,
    };
    match unpack::starts(&toolchain, "mlir-tblgen") {
        Ok(()) => Ok(Ok(toolchain)),
        Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
        Err(error) => Ok(Err(vec![format!("a working bin/mlir-tblgen: {error}")])),
    }
}

/// The distribution's packages behind a prefix, where dpkg put it there.
fn installed_packages(prefix: &Utf8Path, major: Option<u32>, host: &Host) -> Result<Vec<Package>> {
    let Some(major) = major else {
        return Ok(Vec::new());
    };
    if host.root != "/" || *prefix != system_prefix(major, host) {
        return Ok(Vec::new());
    }
    // dpkg-query fails where one of the packages is not installed, and prints the others.
    let output = Tool::new("dpkg-query", "ask dpkg for LLVM's packages")
        .args([
            "--show",
            "--showformat=${db:Status-Status} ${Package} ${Version} ${Architecture}\n",
        ])
        .args(wanted_packages(major))
        .output_unchecked();
    let output = match output {
        Ok(output) => output,
        // On a machine without dpkg the installation belongs to no package.
        Err(error) if error.kind() == ErrorKind::MissingTool => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut packages: Vec<Package> = output
        .stdout
        .lines()
        .filter_map(|line| {
            let mut words = line.strip_prefix("installed ")?.split(' ');
            Some(Package {
                name: words.next()?.to_owned(),
                version: words.next()?.to_owned(),
                architecture: words.next()?.to_owned(),
                sha256: None,
            })
        })
        .collect();
    packages.sort();
    Ok(packages)
}
