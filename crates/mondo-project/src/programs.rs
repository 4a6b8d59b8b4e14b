//! Programs of a project that become commands of the bundle.

use camino::Utf8Path;
use mondo_plan::manifest::Word;

use crate::closure::Closure;
use crate::file_api::Target;

/// A program, and what it needs.
#[derive(Debug)]
pub(crate) struct Program {
    /// The name of its target.
    pub(crate) name: String,
    /// The name of its command.
    pub(crate) command: String,
    /// Its own objects, as Ninja calls them.
    pub(crate) objects: Vec<String>,
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
    pub(crate) fn main(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        format!(
            "mondo_program_{}",
            self.name.chars().map(plain).collect::<String>()
        )
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
