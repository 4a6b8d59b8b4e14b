//! Unpacking of package files into a folder that is relocatable and self-checked.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::interrupt;
use rayon::prelude::*;

use crate::apt::no_space_left;
use crate::installation::{Toolchain, tool_path};

/// Unpacks package files into `root`, which is made.
///
/// # Errors
/// `ErrorKind::Io` on a full disk, `ErrorKind::Toolchain` where a package cannot be read.
pub fn unpack(files: &[Utf8PathBuf], root: &Utf8Path) -> Result<()> {
    fs_err::create_dir_all(root)?;
    let mut files: Vec<(u64, &Utf8PathBuf)> = files
        .iter()
        .map(|file| Ok((fs_err::metadata(file)?.len(), file)))
        .collect::<Result<_>>()?;
    // Files are unpacked largest first, so that a large one that begins late does not leave the other cores idle.
    files.sort_unstable_by(|a, b| b.cmp(a));
    files.par_iter().with_max_len(1).try_for_each(|(_, file)| {
        let tool = Tool::new("dpkg-deb", "unpack a package file")
            .fails_as(ErrorKind::Integrity)
            .env("LC_ALL", "C")
            .args(["-x", file.as_str(), root.as_str()]);
        let output = tool.output_unchecked()?;
        no_space_left(&output, "unpack a package file")?;
        if output.status.success() {
            Ok(())
        } else {
            Err(tool
                .failure(&output)
                .help("the package file is damaged: get it again"))
        }
    })
}

/// Makes the tree independent of its place and of the system: a symbolic link to an absolute path becomes relative to
/// the tree, and a link that is dangling after that is removed.
///
/// # Errors
/// `ErrorKind::Io` where a link cannot be read or written.
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
            return Ok(());
        }
        for link in dangling {
            fs_err::remove_file(link)?;
        }
        links = good;
    }
}

/// Starts the programs of a toolchain and checks with the loader that libclang's libraries are found, so that a
/// missing library is reported here and not during a build.
pub(super) fn self_check(toolchain: &Toolchain) -> Result<()> {
    starts(toolchain, "mlir-tblgen")?;
    if toolchain.prefix.join("bin/FileCheck").is_file() {
        starts(toolchain, "FileCheck")?;
    }
    let Some(libclang) = crate::inspect::libclang_in(&toolchain.libclang_dir) else {
        return Ok(());
    };
    let output = with_libraries(Tool::new("ldd", "look at libclang's libraries"), toolchain)
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
        "libclang needs shared libraries that are not there",
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
        format!("`{name}` is not of LLVM {}", toolchain.version),
    )
    .at(program.as_str())
    .because(format!("it says:\n{}", output.stdout.trim())))
}

/// Adds to a run of one of the toolchain's programs the library path for the toolchain's shared libraries.
#[must_use]
pub fn with_libraries(tool: Tool, toolchain: &Toolchain) -> Tool {
    match tool_path(toolchain) {
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
    }
}
