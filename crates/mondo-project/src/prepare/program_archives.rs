//! The objects of a program in an archive, with another name for `main`, and with constructors that are called when the
//! program runs.

use camino::Utf8PathBuf;
use mondo_core::digest;
use mondo_core::error::{ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::replace;
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
        let archive = folder.join(format!("lib{main}.a"));
        let command = Command {
            name: program.command.clone(),
            main: main.clone(),
        };
        // An archive that is written again would have the library linked again.
        let sources = self.sources(program)?;
        let mark = folder.join("sources");
        if archive.is_file() && fs_err::read_to_string(&mark).is_ok_and(|there| there == sources) {
            return Ok((archive, command));
        }
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
        self.request
            .linker
            .archiver(format!("make {archive}"))
            .fails_as(ErrorKind::Compile)
            .args(["qcsD", archive.as_str()])
            .args(&objects)
            .output()?;
        replace(&mark, sources.as_bytes())?;
        Ok((archive, command))
    }

    /// The objects of a program with their digests, one a line.
    fn sources(&self, program: &Program) -> Result<String> {
        let mut text = format!("{}\n", program.main());
        for object in &program.objects {
            let digest = digest::of_file(&self.folders.build.join(object))?;
            text.push_str(&format!("{digest} {object}\n"));
        }
        Ok(text)
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
