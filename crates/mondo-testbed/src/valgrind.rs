//! valgrind, which finds reads and writes of memory that is not allocated.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_build::toolchain::triplet;

use crate::context::Context;
use crate::system_program::SystemProgram;

/// The exit status of a program in which valgrind found an error.
const FOUND: u8 = 9;

/// valgrind as a prefix of other programs' commands.
#[derive(Debug, Clone)]
pub struct Valgrind {
    program: Utf8PathBuf,
    /// The folder that its package is unpacked into. None where it is installed.
    root: Option<Utf8PathBuf>,
}

impl Valgrind {
    /// Finds the valgrind of the machine, else that of the distribution's package.
    ///
    /// # Errors
    ///
    /// If it is not installed, and the package cannot be downloaded.
    pub fn find(context: &Context<'_>) -> Result<Self> {
        let found = SystemProgram::find(&["valgrind"], "usr/bin/valgrind", context)?;
        if let Some(root) = found.root() {
            place_debug_files(root)?;
        }
        Ok(Self {
            program: found.program().to_owned(),
            root: found.root().map(Utf8Path::to_owned),
        })
    }

    /// The beginning of a command that runs a program under it, with spaces between its words.
    #[must_use]
    pub fn runner(&self) -> String {
        let mut words = vec![self.program.to_string()];
        if let Some(root) = &self.root {
            words.push(format!("--extra-debuginfo-path={}", debug_folder(root)));
        }
        words.push("--quiet".to_owned());
        words.push(format!("--error-exitcode={FOUND}"));
        words.join(" ")
    }

    /// The variable that one which is not installed needs to find its own tools.
    #[must_use]
    pub fn variable(&self) -> Option<(&'static str, Utf8PathBuf)> {
        let root = self.root.as_ref()?;
        Some(("VALGRIND_LIB", root.join("usr/libexec/valgrind")))
    }
}

/// The folder with the debug files of the C library, without which valgrind does not start: it replaces functions of
/// the loader that only these name.
fn debug_folder(root: &Utf8Path) -> Utf8PathBuf {
    root.join("debug-files")
}

/// Links the unpacked debug files where valgrind looks for them. It searches by build-id in the system's folder alone; in
/// another one by the folder of the library and the name in its debug link, which is that of the debug file.
fn place_debug_files(root: &Utf8Path) -> Result<()> {
    let all = root.join("usr/lib/debug/.build-id");
    for library_folder in ["lib", "usr/lib"] {
        let place = debug_folder(root).join(library_folder).join(triplet());
        fs_err::create_dir_all(&place)?;
        for folder in all.read_dir_utf8()? {
            for file in folder?.path().read_dir_utf8()? {
                let file = file?;
                let link = place.join(file.file_name());
                if !link.is_symlink() {
                    fs_err::os::unix::fs::symlink(file.path(), link)?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_one_needs_no_folders() {
        let installed = Valgrind {
            program: "/usr/bin/valgrind".into(),
            root: None,
        };
        assert_eq!(
            installed.runner(),
            "/usr/bin/valgrind --quiet --error-exitcode=9"
        );
        assert_eq!(installed.variable(), None);
    }

    #[test]
    fn an_unpacked_one_finds_its_tools_and_the_debug_files_by_their_names() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap().to_owned();
        let file = root.join("usr/lib/debug/.build-id/7e/bc65.debug");
        fs_err::create_dir_all(file.parent().unwrap()).unwrap();
        fs_err::write(&file, "of ld.so").unwrap();
        place_debug_files(&root).unwrap();
        // A second run finds them there.
        place_debug_files(&root).unwrap();
        for library_folder in ["lib", "usr/lib"] {
            let link = debug_folder(&root)
                .join(library_folder)
                .join(triplet())
                .join("bc65.debug");
            assert_eq!(fs_err::read_to_string(link).unwrap(), "of ld.so");
        }
        let unpacked = Valgrind {
            program: root.join("usr/bin/valgrind"),
            root: Some(root.clone()),
        };
        let folder = format!("--extra-debuginfo-path={root}/debug-files ");
        assert!(unpacked.runner().contains(&folder), "{}", unpacked.runner());
        let (name, tools) = unpacked.variable().unwrap();
        assert_eq!(
            (name, tools),
            ("VALGRIND_LIB", root.join("usr/libexec/valgrind"))
        );
    }
}
