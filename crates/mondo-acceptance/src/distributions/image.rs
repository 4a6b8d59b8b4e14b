//! Distribution images: another Debian release's C library and Python, unpacked into the per-user cache. They
//! test a wheel against other systems without root and without changes of this system.
//!
//! The interpreter is started by the dynamic loader of its own release, with the libraries of that release,
//! so that no part of this system's C library is in the process.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::glibc::GlibcVersion;
use mondo_build::progress::Sink;
use mondo_build::toolchain::{triplet, upstream_version};
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::files::write_program;
use mondo_testbed::packages::Packages;
use mondo_testbed::verdict::tool;

/// A release's C library and one of its Pythons.
pub(super) struct Image {
    /// The root of the unpacked tree.
    pub(super) root: Utf8PathBuf,
    /// The program that starts the interpreter.
    pub(super) python: Utf8PathBuf,
    /// glibc's version: `2.41`.
    pub(super) glibc: String,
}

/// The images' folder in the cache.
const HOME: &str = "images";
/// The file in a finished tree that ends with the version of glibc.
const STAMP: &str = "mondo-image";

/// Returns the image of Python `version` (`3.13`) in the release `suite`, which is made if it is missing: Python, its headers,
/// libstdc++ for other people's extensions, and the libraries that these need.
pub(super) fn image(
    suite: &str,
    version: &str,
    cache_dir: &Utf8Path,
    sink: &dyn Sink,
) -> Result<Image> {
    let root = cache_dir
        .join(HOME)
        .join(format!("{suite}-python{version}"));
    let (interpreter, headers) = (
        format!("python{version}"),
        format!("libpython{version}-dev"),
    );
    let packages = Packages {
        suite: Some(suite),
        names: &[&interpreter, &headers, "libc6", "libstdc++6"],
        follows: &|offer, name| {
            let starts = ["lib", "python", "zlib1g"];
            offer.name != headers && starts.iter().any(|start| name.starts_with(start))
        },
    };
    packages.unpack(&root, sink, |fresh, offers| {
        let glibc = offers.get("libc6");
        let glibc = glibc.map_or("", |offer| upstream_version(&offer.version));
        write_starter(fresh, &root, version, glibc)?;
        Ok(fs_err::write(fresh.join(STAMP), glibc)?)
    })?;
    let stamp = fs_err::read_to_string(root.join(STAMP))?;
    Ok(Image {
        python: python(&root),
        root,
        glibc: stamp
            .split_whitespace()
            .last()
            .unwrap_or_default()
            .to_owned(),
    })
}

/// The path of the program that starts the interpreter. It is beside the interpreter, because Python searches
/// its standard library from the path in `argv[0]`.
fn python(root: &Utf8Path) -> Utf8PathBuf {
    root.join("usr/bin/python")
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
    write_program(&python(fresh), &script)
}

impl Image {
    /// The interpreter as a program to start for `purpose`.
    #[must_use]
    pub(super) fn python(&self, purpose: impl Into<String>) -> Tool {
        let include = self.root.join("usr/include");
        tool(self.python.as_str(), purpose)
            .env_remove("PYTHONHOME")
            .env("PYTHONNOUSERSITE", "1")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            // Debian's pyconfig.h includes a file relative to this folder, the one above Python's headers.
            .env("CPLUS_INCLUDE_PATH", include)
    }
}
