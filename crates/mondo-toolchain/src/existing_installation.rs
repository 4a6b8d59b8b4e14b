//! Installations of LLVM that exist already. One that the user names is used or refused with an error; the system's
//! is used or skipped.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::path::variable;

use crate::host::Host;
use crate::inspect::{Fallback, Inspection, inspect};
use crate::installation::{Origin, Package, Toolchain, wanted_packages};
use crate::request::Request;
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

/// Uses the installation in `dir`, or returns an error that says why it is not usable.
pub(super) fn take(
    dir: &Utf8Path,
    origin: Origin,
    request: &Request,
    host: &Host,
) -> Result<Toolchain> {
    let by = called(origin);
    let Ok(prefix) = dir.canonicalize_utf8() else {
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!("the folder in {by} does not exist"),
        )
        .at(dir.as_str())
        .help("pass the folder that contains LLVM's `bin`, `include` and `lib`"));
    };
    let mut fallback = Fallback::system(&host.root);
    if let Some(dir) = variable("LIBCLANG_PATH")? {
        fallback.libclang_dirs.insert(0, dir);
    }
    let found = inspect(&prefix, &fallback)?;
    if let Some(why) = wrong_version(&found, request) {
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!("the LLVM in {by} is another version"),
        )
        .at(prefix.as_str())
        .because(why)
        .help(format!("change {by}, or `llvm` in the manifest")));
    }
    complete(prefix.clone(), origin, found, host)?.map_err(|missing| {
        Error::new(
            ErrorKind::Toolchain,
            format!("the LLVM in {by} is incomplete"),
        )
        .at(prefix.as_str())
        .because("these files are missing")
        .details(missing)
        .help(format!(
            "install the missing files, or remove {by} to let mondo download LLVM"
        ))
    })
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
        prefix,
        origin,
        packages,
        library_dirs: found.library_dirs,
        tool_library_dirs: found.tool_library_dirs,
        sysroot: None,
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
