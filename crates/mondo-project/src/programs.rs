//! Programs of a project that become commands of the bundle: their objects, with another name for `main`.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_plan::manifest::Word;
use mondo_plan::plan::constructors;
use mondo_toolchain as toolchain;

use crate::closure::Closure;
use crate::dialect_toml::Command;
use crate::file_api::Target;
use crate::prepare::Preparation;

/// A program, and what it needs.
#[derive(Debug)]
pub(crate) struct Program {
    /// The name of its target.
    name: String,
    /// The name of its command.
    command: String,
    /// Its own objects, as Ninja calls them.
    objects: Vec<String>,
    /// The archives that it links.
    pub(crate) closure: Closure,
}

impl Program {
    /// The program of this target, whose archives are those of `closure`. `inputs` are the objects of the target and of all
    /// that it links.
    pub(crate) fn new(
        name: &Word,
        command: &str,
        target: &Target,
        closure: Closure,
        inputs: Vec<String>,
    ) -> Self {
        let name = name.get_ref().clone();
        let folder = target.paths.build.join(format!("CMakeFiles/{name}.dir"));
        let own = |object: &String| {
            let object = Utf8Path::new(object);
            object.extension() == Some("o") && object.starts_with(&folder)
        };
        Self {
            objects: inputs.into_iter().filter(own).collect(),
            command: command.to_owned(),
            closure,
            name,
        }
    }

    /// The targets of Ninja to build.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &String> {
        self.objects.iter().chain(&self.closure.own)
    }

    /// The name of its `main` in the library.
    fn main(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        format!(
            "mondo_program_{}",
            self.name.chars().map(plain).collect::<String>()
        )
    }
}

impl Preparation<'_> {
    /// Makes an archive with the objects of a program, all of which are linked as in the program: their constructors may
    /// register things. These are called when the program runs.
    pub(crate) fn archive_of(&self, program: &Program) -> Result<(Utf8PathBuf, Command)> {
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

#[cfg(test)]
mod tests {
    use mondo_plan::spanned::Spanned;

    use super::*;
    use crate::file_api::Paths;

    #[test]
    fn a_program_has_the_objects_of_its_own_target() {
        let target = Target {
            paths: Paths {
                build: "tools".into(),
            },
            ..Target::default()
        };
        let inputs = [
            "tools/CMakeFiles/toy-opt.dir/main.cpp.o",
            "tools/CMakeFiles/toy-opt.dir/sub/help.cpp.o",
            "tools/CMakeFiles/toy-opt.dir/cmake_pch.hxx.gch",
            "tools/CMakeFiles/toy-opt-lib.dir/lib.cpp.o",
            "lib/CMakeFiles/obj.Toy.dir/Toy.cpp.o",
        ];
        let closure = Closure {
            own: vec!["lib/libToy.a".to_owned()],
            ..Closure::default()
        };
        let name = Spanned::new(0..0, "toy-opt".to_owned());
        let inputs = inputs.map(str::to_owned).to_vec();
        let program = Program::new(&name, "acme-toy", &target, closure, inputs);
        let targets: Vec<&String> = program.targets().collect();
        let expected = [
            "tools/CMakeFiles/toy-opt.dir/main.cpp.o",
            "tools/CMakeFiles/toy-opt.dir/sub/help.cpp.o",
            "lib/libToy.a",
        ];
        assert_eq!(targets, expected);
        assert_eq!(program.main(), "mondo_program_toy_opt");
    }
}
