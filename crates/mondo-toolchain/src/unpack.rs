//! Unpacking of package files into a folder that is relocatable and self-checked.

use std::cmp::Reverse;
use std::io::{Read, Write};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest::{Sha256, hex};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::path::utf8;
use mondo_core::{file, interrupt};
use rayon::prelude::*;

use crate::deb;
use crate::host::Target;
use crate::installation::{Toolchain, own_programs_path};
use crate::package_tree;

/// A package file to unpack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageFile {
    /// Its path.
    pub path: Utf8PathBuf,
    /// Its SHA-256 in hex, if a lock or apt's lists have it.
    pub sha256: Option<String>,
}

/// Unpacks package files into `root`, which is made. A package is copied to where no other program writes, and the copy's
/// SHA-256 is compared and the copy unpacked, so that a file that is replaced meanwhile makes no difference.
///
/// # Errors
/// `ErrorKind::Io` on a full disk, `ErrorKind::Integrity` where a package cannot be read, has another digest than it should,
/// or has files that leave the folder, or that are devices.
pub fn unpack(files: &[PackageFile], root: &Utf8Path) -> Result<()> {
    fs_err::create_dir_all(root)?;
    let beside = root.parent().unwrap_or(root);
    // Only the owner can enter a temporary folder.
    let work = tempfile::Builder::new()
        .prefix(".packages-")
        .tempdir_in(beside)?;
    let work = utf8(work.path())?;
    let trees: Vec<Utf8PathBuf> = (0..files.len())
        .map(|number| work.join(number.to_string()))
        .collect();
    let mut order: Vec<(u64, &PackageFile, &Utf8PathBuf)> = files
        .iter()
        .zip(&trees)
        .map(|(file, tree)| Ok((fs_err::metadata(&file.path)?.len(), file, tree)))
        .collect::<Result<_>>()?;
    // Files are unpacked largest first, so that a large one that begins late does not leave the other cores idle.
    order.sort_by_key(|(size, ..)| Reverse(*size));
    let unpacked = order.par_iter().with_max_len(1);
    unpacked.try_for_each(|(_, file, tree)| unpack_one(file, tree))?;
    trees
        .iter()
        .try_for_each(|tree| package_tree::merge(tree, root))
}

/// Unpacks one package into the new folder `tree`.
fn unpack_one(file: &PackageFile, tree: &Utf8Path) -> Result<()> {
    let copy = tree.with_extension("deb");
    let (found, size) = copy_and_hash(&file.path, &copy)?;
    if let Some(expected) = file.sha256.as_ref().filter(|sha256| **sha256 != found) {
        let what = "a package file changed after mondo checked it";
        return Err(Error::new(ErrorKind::Integrity, what)
            .at(file.path.as_str())
            .because(format!(
                "expected SHA-256 {expected}\n     got SHA-256 {found}"
            ))
            .help("run again, and let no other program write to the folder of packages"));
    }
    deb::unpack(&copy, tree, package_tree::most(size)).map_err(|error| match error.place() {
        Some(place) => {
            let place = format!("{place} in {}", file.path);
            error.at(place)
        }
        None => error.at(&file.path),
    })?;
    fs_err::remove_file(&copy)?;
    let name = file.path.file_name().unwrap_or_default();
    package_tree::check(tree, size).map_err(|error| match error.place() {
        Some(place) => {
            let place = format!("{place} in {name}");
            error.at(place)
        }
        None => error,
    })
}

/// Copies a file; the result is the SHA-256 and the number of the bytes that were copied.
fn copy_and_hash(from: &Utf8Path, to: &Utf8Path) -> Result<(String, u64)> {
    let mut source = file::open(from)?;
    let mut copy = fs_err::File::create_new(to)?;
    let mut digest = Sha256::new();
    let mut size = 0;
    let mut piece = vec![0; 1 << 20];
    loop {
        interrupt::check()?;
        let read = source.read(&mut piece)?;
        if read == 0 {
            return Ok((hex(digest.finalize()), size));
        }
        digest.update(&piece[..read]);
        copy.write_all(&piece[..read])?;
        size += read as u64;
    }
}

/// Adds the links of a release whose packages have all files in `usr`: `lib64` leads to `usr/lib64`. In a system they come
/// with the first package that is installed.
///
/// # Errors
/// `ErrorKind::Io` where a link cannot be written.
pub(super) fn merge_usr(root: &Utf8Path) -> Result<()> {
    for folder in ["lib", "lib64"] {
        let inside = Utf8Path::new("usr").join(folder);
        if !root.join(folder).exists() && root.join(&inside).is_dir() {
            fs_err::os::unix::fs::symlink(&inside, root.join(folder))?;
        }
    }
    Ok(())
}

/// Makes the tree independent of its place and of the system: a symbolic link to an absolute path becomes relative to
/// the tree, and a link that is dangling after that is removed.
///
/// # Errors
/// `ErrorKind::Io` where a link cannot be read or written, and `ErrorKind::Integrity` for a link that leads out of the tree.
pub fn settle_links(root: &Utf8Path) -> Result<()> {
    let mut folders = vec![root.to_owned()];
    let mut links = Vec::new();
    while let Some(folder) = folders.pop() {
        interrupt::check()?;
        for entry in folder.read_dir_utf8()? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path().to_owned());
            } else if kind.is_symlink() {
                links.push(entry.path().to_owned());
            }
        }
    }
    for link in &links {
        let target = link.read_link_utf8()?;
        let Ok(inside) = target.strip_prefix("/") else {
            continue;
        };
        let depth = link
            .strip_prefix(root)
            .map_or(0, |path| path.components().count())
            .saturating_sub(1);
        let mut relative = Utf8PathBuf::from("../".repeat(depth));
        relative.push(inside);
        fs_err::remove_file(link)?;
        fs_err::os::unix::fs::symlink(&relative, link)?;
    }
    // Removing a link can make another one dangle, so the loop runs to a fixed point.
    loop {
        let (good, dangling): (Vec<_>, Vec<_>) = links.into_iter().partition(|link| link.exists());
        if dangling.is_empty() {
            return stay_inside(&good, root);
        }
        for link in dangling {
            fs_err::remove_file(link)?;
        }
        links = good;
    }
}

/// Checks that no link leads out of the tree, through whichever other links.
fn stay_inside(links: &[Utf8PathBuf], root: &Utf8Path) -> Result<()> {
    let root = root.canonicalize_utf8()?;
    for link in links {
        if !link.canonicalize_utf8()?.starts_with(&root) {
            let what = "a link in a package leaves the package's folder";
            return Err(Error::new(ErrorKind::Integrity, what).at(link.as_str()));
        }
    }
    Ok(())
}

/// Starts the programs of a toolchain and checks with the loader that libclang's libraries are found, so that a
/// missing library is reported here and not during a build.
pub(super) fn self_check(toolchain: &Toolchain, target: &Target) -> Result<()> {
    starts(toolchain, "mlir-tblgen")?;
    if toolchain.prefix.join("bin/FileCheck").is_file() {
        starts(toolchain, "FileCheck")?;
    }
    let Some(libclang) = crate::inspect::libclang_in(&toolchain.libclang_dir) else {
        return Ok(());
    };
    let Some(loader) = toolchain.loader(target) else {
        return Ok(());
    };
    let output = Tool::new(loader.as_str(), "look at libclang's libraries")
        .args(["--library-path", &toolchain.library_path(), "--list"])
        .arg(libclang.as_str())
        .output_unchecked()?;
    let missing: Vec<&str> = output
        .stdout
        .lines()
        .filter_map(|line| line.trim().strip_suffix(" => not found"))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Toolchain,
        "libclang needs shared libraries that are missing",
    )
    .at(libclang.as_str())
    .details(missing)
    .help("add their packages to the lock, or install them"))
}

/// Runs `<prefix>/bin/<name> --version`.
pub(super) fn starts(toolchain: &Toolchain, name: &str) -> Result<()> {
    let program = toolchain.prefix.join("bin").join(name);
    let tool = with_libraries(
        Tool::new(program.as_str(), format!("start LLVM's `{name}`")),
        toolchain,
    );
    let output = tool
        .fails_as(ErrorKind::Toolchain)
        .arg("--version")
        .output()?;
    if output.stdout.contains(&toolchain.version) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Toolchain,
        format!("`{name}` is not from LLVM {}", toolchain.version),
    )
    .at(program.as_str())
    .because(format!("it says:\n{}", output.stdout.trim())))
}

/// Adds to a run of one of the toolchain's programs the library path that it needs.
#[must_use]
pub fn with_libraries(tool: Tool, toolchain: &Toolchain) -> Tool {
    match own_programs_path(toolchain) {
        Some(path) => tool.env("LD_LIBRARY_PATH", path),
        None => tool,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_inside_of_the_tree() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        fs_err::create_dir_all(root.join("usr/lib/deep")).unwrap();
        fs_err::create_dir_all(root.join("lib")).unwrap();
        fs_err::write(root.join("lib/libz.so.1"), "z").unwrap();
        let link = |target: &str, name: &str| {
            fs_err::os::unix::fs::symlink(target, root.join(name)).unwrap();
        };
        link("/lib/libz.so.1", "usr/lib/deep/libz.so");
        link("deep/libz.so", "usr/lib/libz.so");
        link("/bin/sh", "usr/lib/sh");
        link("sh", "usr/lib/sh2");
        settle_links(root).unwrap();
        assert_eq!(
            root.join("usr/lib/deep/libz.so").read_link_utf8().unwrap(),
            "../../../lib/libz.so.1"
        );
        let content = fs_err::read_to_string(root.join("usr/lib/libz.so")).unwrap();
        assert_eq!(content, "z");
        assert!(root.join("usr/lib/sh").symlink_metadata().is_err());
        assert!(root.join("usr/lib/sh2").symlink_metadata().is_err());

        // Each link by itself stays inside of the tree, and the second one goes up from where the first one leads.
        link("../..", "usr/lib/up");
        link("usr/lib/up/../..", "out");
        let error = settle_links(root).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Integrity);
        assert!(error.place().unwrap().ends_with("/out"), "{error}");
    }
}
