//! The project's runs of mlir-tblgen, and what follows from their output files: the dialects and operations that the
//! project defines.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};

/// The program, by the beginning of its name.
const PROGRAM: &str = "mlir-tblgen";

/// The macro in a declaration of a dialect that has the qualified name of its class.
const CLASS: &str = "MLIR_DECLARE_EXPLICIT_TYPE_ID(";

/// The macro in a dialect's definition that has the qualified name of its class.
const DEFINED: &str = "MLIR_DEFINE_EXPLICIT_TYPE_ID(";

/// A dialect whose class mlir-tblgen has declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    /// `acme::AcmeDialect`.
    pub(crate) class: String,
    /// The generated file that declares it.
    pub(crate) file: Utf8PathBuf,
}

/// The contents of the generated files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Generated {
    /// Dialects by name, of those that are compiled into the archives.
    pub(crate) dialects: BTreeMap<String, Declared>,
    /// The ODS files that define operations of a dialect, by its name.
    pub(crate) operations: BTreeMap<String, Vec<Utf8PathBuf>>,
    /// The ODS files from which enums were made.
    pub(crate) enums: BTreeSet<Utf8PathBuf>,
    /// All declarations that were made.
    pub(crate) files: BTreeSet<Utf8PathBuf>,
    /// The folders in which the ODS files of operations look up what they include.
    pub(crate) include: Vec<Utf8PathBuf>,
}

/// A run of mlir-tblgen.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    generator: String,
    td: Utf8PathBuf,
    output: Utf8PathBuf,
    include: Vec<Utf8PathBuf>,
}

impl Generated {
    /// Reads the outputs of the runs among these commands; the build tree is `build`, and the compiler has
    /// read `compiled` for the archives.
    pub(crate) fn of(commands: &str, build: &Utf8Path, compiled: &[Utf8PathBuf]) -> Self {
        let mut found = Self::default();
        let mut defined = BTreeSet::new();
        for run in commands.lines().filter_map(|line| run(line, build)) {
            let definition = run.generator == "-gen-dialect-defs";
            if !run.generator.ends_with("-decls") && !definition {
                continue;
            }
            let Ok(text) = fs_err::read_to_string(&run.output) else {
                continue;
            };
            match run.generator.as_str() {
                "-gen-dialect-defs" => {
                    if compiled.contains(&run.output) {
                        defined.extend(classes(&text, DEFINED));
                    }
                    continue;
                }
                "-gen-dialect-decls" => {
                    for (name, class) in dialects(&text) {
                        let file = run.output.clone();
                        let declared = Declared { class, file };
                        found.dialects.entry(name).or_insert(declared);
                    }
                }
                "-gen-op-decls" => {
                    for folder in &run.include {
                        if !found.include.contains(folder) {
                            found.include.push(folder.clone());
                        }
                    }
                    for name in owners(&text) {
                        let files = found.operations.entry(name).or_default();
                        if !files.contains(&run.td) {
                            files.push(run.td.clone());
                        }
                    }
                }
                "-gen-enum-decls" => {
                    found.enums.insert(run.td.clone());
                }
                _ => {}
            }
            found.files.insert(run.output);
        }
        found
            .dialects
            .retain(|_, dialect| defined.contains(&dialect.class));
        found
    }

    /// The ODS file of a dialect's enums: a file that also defines the dialect's operations, or else the only file
    /// with enums in their folder.
    pub(crate) fn enums_of(&self, dialect: &str) -> Option<&Utf8PathBuf> {
        let operations = self.operations.get(dialect)?;
        if let Some(same) = operations.iter().find(|file| self.enums.contains(*file)) {
            return Some(same);
        }
        let folder = operations.first()?.parent();
        let mut beside = self.enums.iter().filter(|file| file.parent() == folder);
        beside.next().filter(|_| beside.next().is_none())
    }
}

/// The run of a command as Ninja has it: `cd FOLDER && …/mlir-tblgen -gen-… … x.td … -o OUT …`.
fn run(line: &str, build: &Utf8Path) -> Option<Run> {
    let words = shlex::split(line)?;
    let is_program = |word: &String| {
        let name = Utf8Path::new(word).file_name().unwrap_or_default();
        name.starts_with(PROGRAM)
    };
    let at = words.iter().position(is_program)?;
    let folder = match &words[..at] {
        [cd, folder, ..] if cd == "cd" => build.join(folder),
        _ => build.to_owned(),
    };
    let arguments = words[at + 1..].iter().take_while(|word| *word != "&&");
    let (mut generator, mut td, mut output) = (None, None, None);
    let mut include = Vec::new();
    let mut last = "";
    for word in arguments {
        if last == "-o" {
            output = Some(folder.join(word));
        } else if word.starts_with("-gen-") || word.starts_with("--gen-") {
            generator = Some(word.trim_start_matches('-'));
        } else if word.ends_with(".td") && !word.starts_with('-') {
            td = Some(folder.join(word));
        } else if let Some(path) = word.strip_prefix("-I") {
            include.push(folder.join(path));
        }
        last = word;
    }
    Some(Run {
        generator: format!("-{}", generator?),
        td: td?,
        output: output?,
        include,
    })
}

/// The dialects that a generated file declares, each with its class.
fn dialects(text: &str) -> Vec<(String, String)> {
    let names = literals(text, "getDialectNamespace()");
    names.into_iter().zip(classes(text, CLASS)).collect()
}

/// The classes that a macro is called with.
fn classes(text: &str, called: &str) -> Vec<String> {
    let calls = text.split(called).skip(1);
    let classes = calls.filter_map(|rest| {
        let (class, _) = rest.split_once(')')?;
        Some(class.trim().trim_start_matches("::").to_owned())
    });
    classes.collect()
}

/// The dialects whose operations a generated file declares.
fn owners(text: &str) -> BTreeSet<String> {
    let names = literals(text, "getOperationName()");
    let owners = names.iter().filter_map(|name| name.split_once('.'));
    owners.map(|(dialect, _)| dialect.to_owned()).collect()
}

/// The texts that the functions of this name return.
fn literals(text: &str, function: &str) -> Vec<String> {
    let bodies = text.split(function).skip(1);
    let literals = bodies.filter_map(|rest| {
        let (body, _) = rest.split_once('}')?;
        let (_, literal) = body.split_once("StringLiteral(\"")?;
        let (literal, _) = literal.split_once('"')?;
        Some(literal.to_owned())
    });
    literals.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIALECT: &str = "namespace acme {\n\nclass AcmeDialect : public ::mlir::Dialect {\n\
        public:\n  static constexpr ::llvm::StringLiteral getDialectNamespace() {\n    return \
        ::llvm::StringLiteral(\"acme\");\n  }\n};\n} // namespace acme\n\
        MLIR_DECLARE_EXPLICIT_TYPE_ID(::acme::AcmeDialect)\n";

    const OPERATIONS: &str = "static constexpr ::llvm::StringLiteral getOperationName() {\n  return \
        ::llvm::StringLiteral(\"acme.add\");\n}\nother() { return ::llvm::StringLiteral(\"x.y\"); }\n";

    #[test]
    fn a_command_is_a_run() {
        let build = Utf8Path::new("/b");
        let line = "cd /b/include/acme && /llvm/bin/mlir-tblgen -gen-dialect-decls -dialect=acme \
                    -I/s/include '/s/a b/Acme.td' --write-if-changed -o AcmeDialect.h.inc -d x.d && \
                    cmake -E cmake_transform_depfile -o y";
        assert_eq!(
            run(line, build).unwrap(),
            Run {
                generator: "-gen-dialect-decls".to_owned(),
                td: "/s/a b/Acme.td".into(),
                output: "/b/include/acme/AcmeDialect.h.inc".into(),
                include: vec!["/s/include".into()],
            }
        );
        assert_eq!(run("c++ -c mlir-tblgen.cpp -o x.o", build), None);
    }

    #[test]
    fn dialects_that_are_not_compiled_are_not_the_archives() {
        let dir = tempfile::tempdir().unwrap();
        let build = Utf8Path::from_path(dir.path()).unwrap();
        let (declared, defined) = (build.join("D.h.inc"), build.join("D.cpp.inc"));
        fs_err::write(&declared, DIALECT).unwrap();
        fs_err::write(
            &defined,
            "MLIR_DEFINE_EXPLICIT_TYPE_ID(::acme::AcmeDialect)\n",
        )
        .unwrap();
        let commands = "mlir-tblgen -gen-dialect-decls /s/A.td -o D.h.inc\n\
                        mlir-tblgen -gen-dialect-defs /s/A.td -o D.cpp.inc\n";
        let found = Generated::of(commands, build, std::slice::from_ref(&defined));
        assert_eq!(found.dialects["acme"].class, "acme::AcmeDialect");
        assert_eq!(found.dialects["acme"].file, declared);
        assert_eq!(Generated::of(commands, build, &[]).dialects.len(), 0);
    }

    #[test]
    fn outputs_say_which_dialects_there_are() {
        assert_eq!(
            dialects(DIALECT),
            [("acme".to_owned(), "acme::AcmeDialect".to_owned())]
        );
        assert_eq!(owners(OPERATIONS), BTreeSet::from(["acme".to_owned()]));
    }

    #[test]
    fn enums_are_of_the_operations_file_or_of_the_only_one_beside_it() {
        let mut generated = Generated::default();
        let ops: Utf8PathBuf = "/s/acme/Ops.td".into();
        generated
            .operations
            .insert("acme".to_owned(), vec![ops.clone()]);
        assert_eq!(generated.enums_of("acme"), None);
        generated.enums.insert("/s/acme/Enums.td".into());
        generated.enums.insert("/s/other/Enums.td".into());
        assert_eq!(generated.enums_of("acme").unwrap(), "/s/acme/Enums.td");
        generated.enums.insert("/s/acme/More.td".into());
        assert_eq!(generated.enums_of("acme"), None);
        generated.enums.insert(ops.clone());
        assert_eq!(generated.enums_of("acme"), Some(&ops));
    }
}
