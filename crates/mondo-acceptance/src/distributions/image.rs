//! Distribution images: another Debian release's C library and Python, unpacked into the per-user cache. They
//! test a wheel against other systems without root and without changes of this system.
//!
//! The interpreter is started by the dynamic loader of its own release, with the libraries of that release,
//! so that no part of this system's C library is in the process.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::glibc::GlibcVersion;
use mondo_build::interrupt;
use mondo_build::path::utf8;
use mondo_build::progress::Sink;
use mondo_build::{Error, ErrorKind, Result};

use mondo_build::toolchain::apt::{self, Apt};
use mondo_build::toolchain::package_paragraphs::Offer;
use mondo_build::toolchain::{Host, triplet, unpack, upstream_version};

/// A release's C library and one of its Pythons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Image {
    /// The release: `trixie`.
    pub(super) suite: String,
    /// The root of the unpacked tree.
    pub(super) root: Utf8PathBuf,
    /// The program that starts the interpreter.
    pub(super) python: Utf8PathBuf,
    /// The interpreter's version: `3.13.5`.
    pub(super) python_version: String,
    /// glibc's version: `2.41`.
    pub(super) glibc: String,
}

/// The images' folder in the cache.
const HOME: &str = "images";
/// The file in a finished tree with the versions of Python and of glibc.
const STAMP: &str = "mondo-image";

/// Returns the image of Python `version` (`3.13`) in the release `suite`, which is made if it is missing.
///
/// # Errors [`ErrorKind::Network`] if the packages cannot be downloaded, [`ErrorKind::Toolchain`] if the
/// release has no such Python.
pub(super) fn image(
    suite: &str,
    version: &str,
    cache_dir: &Utf8Path,
    sink: &dyn Sink,
) -> Result<Image> {
    let home = cache_dir.join(HOME);
    let root = home.join(format!("{suite}-python{version}"));
    if !root.exists() {
        sink.note(&format!("unpacking Python {version} of {suite}"));
        make(suite, version, &home, &root)?;
    }
    let stamp = fs_err::read_to_string(root.join(STAMP))?;
    let mut versions = stamp.split_whitespace().map(str::to_owned);
    Ok(Image {
        suite: suite.to_owned(),
        python: python(&root),
        root,
        python_version: versions.next().unwrap_or_default(),
        glibc: versions.next().unwrap_or_default(),
    })
}

/// The path of the program that starts the interpreter. It is beside the interpreter, because Python searches
/// its standard library from the path in `argv[0]`.
fn python(root: &Utf8Path) -> Utf8PathBuf {
    root.join("usr/bin/python")
}

fn make(suite: &str, version: &str, home: &Utf8Path, root: &Utf8Path) -> Result<()> {
    apt::check()?;
    fs_err::create_dir_all(home)?;
    let work = tempfile::Builder::new()
        .prefix(".unpack-")
        .tempdir_in(home)?;
    let work = utf8(work.path())?;
    let host = Host::here();
    let apt = Apt::of_suite(&work.join("apt"), &host.architecture, suite)?;
    let complaint = apt.update()?;
    let offers = packages(&apt, suite, version, complaint.as_deref())?;

    let what = format!("{suite}'s Python {version}");
    let debs = apt.fetch(&offers, &work.join("files"), &what)?;
    let fresh = work.join("root");
    unpack::unpack(&debs, &fresh)?;
    unpack::settle_links(&fresh)?;

    let of = |name: &str| {
        offers
            .get(name)
            .map_or("", |offer| upstream_version(&offer.version))
    };
    let glibc = of("libc6");
    write_starter(&fresh, root, version, glibc)?;
    let name = format!("python{version}");
    fs_err::write(fresh.join(STAMP), format!("{} {glibc}\n", of(&name)))?;
    interrupt::check()?;
    // Another process may have made the same image meanwhile; its folder stays then.
    if !root.exists() {
        fs_err::rename(&fresh, root)?;
    }
    Ok(())
}

/// The packages of Python, its headers, libstdc++ for other people's extensions, and the libraries that these
/// need.
fn packages(
    apt: &Apt,
    suite: &str,
    version: &str,
    complaint: Option<&str>,
) -> Result<BTreeMap<String, Offer>> {
    let headers = format!("libpython{version}-dev");
    let wanted = [
        format!("python{version}"),
        headers.clone(),
        "libc6".to_owned(),
        "libstdc++6".to_owned(),
    ];
    let libraries = |offer: &Offer, name: &str| {
        offer.name != headers
            && (name.starts_with("lib") || name.starts_with("python") || name == "zlib1g")
    };
    apt.closure(&wanted, libraries, suite, complaint)
}

/// Writes the program that starts the interpreter of the tree `fresh`, which will be renamed to `root`.
fn write_starter(fresh: &Utf8Path, root: &Utf8Path, version: &str, glibc: &str) -> Result<()> {
    let folders = ["lib", "usr/lib"].map(|dir| format!("{dir}/{}", triplet()));
    let mut loader = None;
    for folder in folders.iter().filter(|folder| fresh.join(folder).is_dir()) {
        for entry in fresh.join(folder).read_dir_utf8()? {
            let entry = entry?;
            if entry.file_name().starts_with("ld-linux") {
                loader = Some(root.join(folder).join(entry.file_name()));
            }
        }
    }
    let loader =
        loader.ok_or_else(|| Error::new(ErrorKind::Toolchain, "libc6 has no loader").at(fresh))?;
    let libraries = folders
        .map(|folder| root.join(folder).into_string())
        .join(":");
    // Since glibc 2.33 the loader has `--argv0`. Before that, `sys.executable` is the interpreter itself,
    // which cannot be started without the loader.
    let name = match glibc.parse::<GlibcVersion>() {
        Ok(version) if version >= GlibcVersion::new(2, 33) => "--argv0 \"$0\" ",
        _ => "",
    };
    let script = format!(
        "#!/bin/sh\nexec '{loader}' --inhibit-cache --library-path '{libraries}' {name}'{}' \"$@\"\n",
        root.join(format!("usr/bin/python{version}"))
    );
    let path = python(fresh);
    fs_err::write(&path, script)?;
    use std::os::unix::fs::PermissionsExt as _;
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}

impl Image {
    /// The interpreter as a program to start for `purpose`.
    #[must_use]
    pub(super) fn python(&self, purpose: impl Into<String>) -> Tool {
        let include = self.root.join("usr/include");
        Tool::new(self.python.as_str(), purpose)
            .fails_as(ErrorKind::Check)
            .env_remove("PYTHONHOME")
            .env("PYTHONNOUSERSITE", "1")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            // Debian's pyconfig.h includes a file relative to this folder, the one above Python's headers.
            .env("CPLUS_INCLUDE_PATH", include)
    }
}
