//! The objects of a program in an archive, with another name for `main`, and with constructors that are called when the
//! program runs.

use camino::Utf8PathBuf;
use mondo_core::error::{ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_plan::plan::constructors;
use mondo_toolchain as toolchain;

use super::Preparation;
use crate::dialect_toml::Command;
use crate::programs::Program;

impl Preparation<'_> {
    /// Makes an archive with the objects of a program, all of which are linked as in the program: their constructors may
    /// register things. These are called when the program runs.
    pub(super) fn archive_of(&self, program: &Program) -> Result<(Utf8PathBuf, Command)> {
        let main = program.main();
        let constructors = constructors(&main);
        let folder = self.folders.own.join("programs").join(&program.name);
        if folder.is_dir() {
            fs_err::remove_dir_all(&folder)?;
        }
        fs_err::create_dir_all(&folder)?;
        let mut objects = Vec::new();
        for (number, object) in program.objects.iter().enumerate() {
            let renamed = folder.join(format!("{number}.o"));
            self.objcopy()
                .arg(format!("--redefine-sym=main={main}"))
                .arg(format!("--rename-section=.init_array={constructors}"))
                .arg(self.folders.build.join(object))
                .arg(&renamed)
                .output()?;
            objects.push(renamed);
        }
        let archive = folder.join(format!("lib{main}.a"));
        self.request
            .linker
            .archiver(format!("make {archive}"))
            .fails_as(ErrorKind::Compile)
            .args(["qcsD", archive.as_str()])
            .args(&objects)
            .output()?;
        let command = Command {
            name: program.command.clone(),
            main,
        };
        Ok((archive, command))
    }

    /// LLVM's own, or that of binutils.
    fn objcopy(&self) -> Tool {
        let of_llvm = self.request.toolchain.prefix.join("bin/llvm-objcopy");
        let program = match of_llvm.is_file() {
            true => of_llvm.as_str(),
            false => "objcopy",
        };
        let tool = Tool::new(program, "rename the `main` of a program")
            .fails_as(ErrorKind::Compile)
            .installed_by("apt-get install binutils");
        toolchain::with_libraries(tool, self.request.toolchain)
    }
}
