//! Prefixes that are in several folders: a folder of symbolic links in the cache has all their files in the layout of an
//! installation.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::cache::{prune, use_entry};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::path::utf8;

use crate::installation::Toolchain;

/// The folders whose contents make the parts of a prefix. In each part, the first folder that has a file wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parts {
    include: Vec<Utf8PathBuf>,
    lib: Vec<Utf8PathBuf>,
    bin: Vec<Utf8PathBuf>,
    /// The text of LLVM's licence.
    license: Option<Utf8PathBuf>,
}

impl Parts {
    /// The parts of an LLVM in `dir` that is not an installation: a build tree, or the packages `llvm` and `mlir` of PyPI
    /// side by side.
    ///
    /// # Errors
    /// [`ErrorKind::Toolchain`] for a build tree whose sources are gone.
    pub(super) fn of(dir: &Utf8Path) -> Result<Option<Self>> {
        let cache = dir.join("CMakeCache.txt");
        if cache.is_file() {
            return Self::of_build(dir, &fs_err::read_to_string(cache)?);
        }
        let packages = ["llvm", "mlir"].map(|name| dir.join(name));
        let apart = packages.iter().all(|package| package.join("lib").is_dir())
            && packages[1].join("include/mlir").is_dir();
        let folders = |name: &str| packages.each_ref().map(|package| package.join(name)).into();
        Ok(apart.then(|| Self {
            include: folders("include"),
            lib: folders("lib"),
            bin: folders("bin"),
            license: None,
        }))
    }

    fn of_build(dir: &Utf8Path, cache: &str) -> Result<Option<Self>> {
        let home = cache
            .lines()
            .find_map(|line| line.strip_prefix("LLVM_SOURCE_DIR:STATIC="));
        let Some(home) = home.map(Utf8Path::new) else {
            return Ok(None);
        };
        let mlir = home.with_file_name("mlir");
        if !home.join("include/llvm").is_dir() {
            return Err(Error::new(
                ErrorKind::Toolchain,
                "the sources of a build tree of LLVM are missing",
            )
            .at(dir)
            .because(format!("it was configured in {home}, which has no headers"))
            .help("install LLVM (cmake --install), and name the folder that it is installed to"));
        }
        Ok(Some(Self {
            include: vec![
                home.join("include"),
                dir.join("include"),
                mlir.join("include"),
                dir.join("tools/mlir/include"),
            ],
            lib: vec![dir.join("lib")],
            bin: vec![dir.join("bin")],
            license: Some(home.join("LICENSE.TXT")),
        }))
    }

    /// The parts of an installation.
    pub(super) fn of_installation(prefix: &Utf8Path) -> Self {
        let folder = |name: &str| vec![prefix.join(name)];
        Self {
            include: folder("include"),
            lib: folder("lib"),
            bin: folder("bin"),
            license: None,
        }
    }

    /// Adds the `mlir-tblgen` and the licence of locked packages, where these parts have none.
    pub(super) fn add_locked(&mut self, locked: &Toolchain) {
        self.bin.push(locked.prefix.join("bin"));
        if self.license.is_none() {
            self.license.clone_from(&locked.license_file);
        }
    }

    /// The folder of links to these parts in the cache.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where a folder cannot be read or the cache not be written.
    pub(super) fn merge(&self, cache_dir: &Utf8Path) -> Result<Utf8PathBuf> {
        let mut links = BTreeMap::new();
        for (name, folders) in [
            ("include", &self.include),
            ("lib", &self.lib),
            ("bin", &self.bin),
        ] {
            let present: Vec<Utf8PathBuf> = folders
                .iter()
                .filter(|folder| folder.is_dir())
                .cloned()
                .collect();
            merge_into(&mut links, Utf8Path::new(name), &present)?;
        }
        if let Some(license) = self.license.as_ref().filter(|path| path.is_file()) {
            links.insert("LICENSE.TXT".into(), license.clone());
        }
        let home = cache_dir.join("prefixes");
        let root = home.join(digest::short(format!("{links:?}")));
        if !root.is_dir() {
            write(&links, &home, &root)?;
        }
        use_entry(&root);
        Ok(root)
    }
}

/// Adds links below `name` to the entries of `folders`. A folder that only one of them has becomes one link.
fn merge_into(
    links: &mut BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    name: &Utf8Path,
    folders: &[Utf8PathBuf],
) -> Result<()> {
    let mut entries: BTreeMap<String, Vec<Utf8PathBuf>> = BTreeMap::new();
    for folder in folders {
        for entry in folder.read_dir_utf8()? {
            let entry = entry?;
            let name = entry.file_name().to_owned();
            entries.entry(name).or_default().push(entry.into_path());
        }
    }
    for (entry, places) in entries {
        let path = name.join(entry);
        match &places[..] {
            [first, _, ..] if first.is_dir() => {
                let dirs: Vec<Utf8PathBuf> =
                    places.into_iter().filter(|place| place.is_dir()).collect();
                merge_into(links, &path, &dirs)?;
            }
            [first, ..] => {
                links.insert(path, first.clone());
            }
            [] => {}
        }
    }
    Ok(())
}

fn write(
    links: &BTreeMap<Utf8PathBuf, Utf8PathBuf>,
    home: &Utf8Path,
    root: &Utf8Path,
) -> Result<()> {
    fs_err::create_dir_all(home)?;
    prune(home);
    let work = tempfile::Builder::new().prefix(".new-").tempdir_in(home)?;
    let fresh = utf8(work.path())?.join("root");
    for (path, target) in links {
        let path = fresh.join(path);
        if let Some(folder) = path.parent() {
            fs_err::create_dir_all(folder)?;
        }
        fs_err::os::unix::fs::symlink(target, path)?;
    }
    match fs_err::rename(&fresh, root) {
        // Another process made the same folder.
        Err(_) if root.is_dir() => Ok(()),
        other => Ok(other?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes empty files below a new folder.
    fn tree(files: &[&str]) -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        for file in files {
            let path = root.join(file);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, *file).unwrap();
        }
        (dir, root)
    }

    #[test]
    fn packages_side_by_side_become_one_prefix() {
        let (_dir, root) = tree(&[
            "llvm/include/llvm/IR.h",
            "llvm/lib/libLLVMCore.a",
            "llvm/lib/cmake/llvm/LLVMConfig.cmake",
            "mlir/include/mlir/IR.h",
            "mlir/lib/libMLIRIR.a",
            "mlir/lib/cmake/mlir/MLIRConfig.cmake",
            "mlir/bin/tblgen-lsp-server",
        ]);
        let parts = Parts::of(&root).unwrap().unwrap();
        let cache = root.join("cache");
        let merged = parts.merge(&cache).unwrap();
        for file in [
            "include/llvm/IR.h",
            "include/mlir/IR.h",
            "lib/libLLVMCore.a",
            "lib/libMLIRIR.a",
            "lib/cmake/llvm/LLVMConfig.cmake",
            "lib/cmake/mlir/MLIRConfig.cmake",
            "bin/tblgen-lsp-server",
        ] {
            assert!(merged.join(file).is_file(), "{file}");
        }
        assert_eq!(parts.merge(&cache).unwrap(), merged, "made once");
        fs_err::write(root.join("mlir/lib/libMLIRNew.a"), "").unwrap();
        let other = parts.merge(&cache).unwrap();
        assert_ne!(other, merged);
        assert!(other.join("lib/libMLIRNew.a").is_file());
        assert_eq!(Parts::of(&root.join("llvm")).unwrap(), None);
    }

    #[test]
    fn a_build_tree_has_the_headers_of_its_sources() {
        let (_dir, root) = tree(&[
            "source/llvm/include/llvm/IR.h",
            "source/llvm/LICENSE.TXT",
            "source/mlir/include/mlir/IR.h",
            "build/include/llvm/Config/llvm-config.h",
            "build/tools/mlir/include/mlir/IR.h.inc",
            "build/lib/libMLIRIR.a",
            "build/bin/mlir-tblgen",
        ]);
        let build = root.join("build");
        let configured = format!("LLVM_SOURCE_DIR:STATIC={root}/source/llvm\n");
        fs_err::write(build.join("CMakeCache.txt"), configured).unwrap();
        let parts = Parts::of(&build).unwrap().unwrap();
        let merged = parts.merge(&root.join("cache")).unwrap();
        for file in [
            "include/llvm/IR.h",
            "include/llvm/Config/llvm-config.h",
            "include/mlir/IR.h",
            "include/mlir/IR.h.inc",
            "lib/libMLIRIR.a",
            "bin/mlir-tblgen",
            "LICENSE.TXT",
        ] {
            assert!(merged.join(file).is_file(), "{file}");
        }
        fs_err::remove_dir_all(root.join("source")).unwrap();
        let error = Parts::of(&build).unwrap_err().to_string();
        assert!(error.contains("cmake --install"), "{error}");
    }
}
