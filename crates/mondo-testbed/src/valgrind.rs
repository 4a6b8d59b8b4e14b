//! valgrind, which finds reads and writes of memory that is not allocated.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_build::toolchain::triplet;

use crate::context::Context;
use crate::files::write_program;
use crate::system_program::SystemProgram;

/// Finds the machine's valgrind, or else that of the distribution's package. Returns the beginning of a command that runs a
/// program under it, with spaces between its words. The command exits with status 9 if valgrind finds an error.
pub fn valgrind(context: &Context<'_>) -> Result<String> {
    let found = SystemProgram::find(&["valgrind"], "usr/bin/valgrind", context)?;
    let program = match found.root() {
        Some(root) => starter(root, &context.scratch())?,
        None => found.program().to_owned(),
    };
    Ok(format!("{program} --quiet --error-exitcode=9"))
}

/// Writes the program that starts the valgrind that is unpacked in `root`. Valgrind replaces functions of the loader,
/// and finds them only by the symbols in the debug files of the C library.
fn starter(root: &Utf8Path, scratch: &Utf8Path) -> Result<Utf8PathBuf> {
    let debug_files = root.join("debug-files");
    place_debug_files(root, &debug_files)?;
    fs_err::create_dir_all(scratch)?;
    let program = scratch.join("valgrind");
    let script = format!(
        "#!/bin/sh\nVALGRIND_LIB='{root}/usr/libexec/valgrind' exec '{root}/usr/bin/valgrind' \
         '--extra-debuginfo-path={debug_files}' \"$@\"\n"
    );
    write_program(&program, &script)?;
    Ok(program)
}

/// Links the unpacked debug files where valgrind looks for them. It searches by build-id only in the system's folder; in
/// another one it searches by the library's folder and the name in its debug link, which is that of the debug file.
fn place_debug_files(root: &Utf8Path, debug_files: &Utf8Path) -> Result<()> {
    for library_folder in ["lib", "usr/lib"] {
        let place = debug_files.join(library_folder).join(triplet());
        fs_err::create_dir_all(&place)?;
        for folder in root.join("usr/lib/debug/.build-id").read_dir_utf8()? {
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
    use mondo_build::exec::Tool;

    use super::*;

    #[test]
    fn an_unpacked_valgrind_finds_its_tools_and_the_debug_files() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap().to_owned();
        for folder in ["usr/lib/debug/.build-id/7e", "usr/bin"] {
            fs_err::create_dir_all(root.join(folder)).unwrap();
        }
        let file = root.join("usr/lib/debug/.build-id/7e/bc65.debug");
        fs_err::write(file, "of ld.so").unwrap();
        let printer = "#!/bin/sh\necho $VALGRIND_LIB $*\n";
        write_program(&root.join("usr/bin/valgrind"), printer).unwrap();
        let program = starter(&root, &root).unwrap();
        // A second run finds the links there.
        assert_eq!(starter(&root, &root).unwrap(), program);
        let printed = Tool::new(program, "print").arg("--quiet").output().unwrap();
        assert_eq!(
            printed.stdout.trim(),
            format!(
                "{root}/usr/libexec/valgrind --extra-debuginfo-path={root}/debug-files --quiet"
            )
        );
        for library_folder in ["lib", "usr/lib"] {
            let link = root
                .join("debug-files")
                .join(library_folder)
                .join(triplet());
            let text = fs_err::read_to_string(link.join("bc65.debug")).unwrap();
            assert_eq!(text, "of ld.so");
        }
    }
}
