//! A copy of the provisioned LLVM in which single files can be broken: symbolic links all the way,
//! but for what a test replaces.

use std::path::{Path, PathBuf};

/// An LLVM prefix of links.
pub(crate) struct FakePrefix {
    path: PathBuf,
    real: PathBuf,
}

impl FakePrefix {
    /// Links everything of the prefix that `MONDO_LLVM_DIR` names, which `cargo xtask test` sets.
    pub(crate) fn of_the_real_one(dir: &Path) -> Self {
        let real = PathBuf::from(std::env::var("MONDO_LLVM_DIR").expect("run by cargo xtask test"));
        let path = dir.join("usr/lib/llvm-22");
        std::fs::create_dir_all(path.join("lib")).unwrap();
        for entry in std::fs::read_dir(&real).unwrap() {
            let name = entry.unwrap().file_name();
            if name != "lib" {
                link(&real.join(&name), &path.join(&name));
            }
        }
        for entry in std::fs::read_dir(real.join("lib")).unwrap() {
            let name = entry.unwrap().file_name();
            link(&real.join("lib").join(&name), &path.join("lib").join(&name));
        }
        // A prefix of distribution packages has other folders beside it: those of zlib and zstd,
        // and of the programs' libraries.
        let beside = real.join("../x86_64-linux-gnu");
        if beside.is_dir() {
            link(&beside, &path.join("../x86_64-linux-gnu"));
        }
        Self { path, real }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn remove(&self, file: &str) {
        std::fs::remove_file(self.path.join(file)).unwrap();
    }

    /// Leaves out one of its programs. The others stay where they are.
    pub(crate) fn remove_program(&self, name: &str) {
        self.remove("bin");
        std::fs::create_dir(self.path.join("bin")).unwrap();
        for entry in std::fs::read_dir(self.real.join("bin")).unwrap() {
            let other = entry.unwrap().file_name();
            if other != name {
                link(
                    &self.real.join("bin").join(&other),
                    &self.path.join("bin").join(&other),
                );
            }
        }
    }

    pub(crate) fn bytes(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.real.join(file)).unwrap()
    }

    /// Puts bytes where the link was.
    pub(crate) fn replace(&self, file: &str, bytes: &[u8]) {
        self.remove(file);
        std::fs::write(self.path.join(file), bytes).unwrap();
    }
}

fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).unwrap();
}
