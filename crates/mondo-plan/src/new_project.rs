//! A new Python project from templates: pip builds it, and its tests pass.

mod sources;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};

use crate::names::reserved;
use crate::new_dialect::{CPP, File, RUST, Words, check, files, write};
pub use sources::MondoSources;

/// The project's own part of its MLIR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents {
    /// Dialects of MLIR's alone.
    Pick,
    /// A dialect in C++, with a Python extension.
    Cpp,
    /// A dialect in C++ with a `CMake` project of its own.
    Cmake,
    /// A dialect in Rust, which is compiled with these sources of mondo's, if they are known.
    Rust(Option<MondoSources>),
}

/// The files of every project. Names that a tool of this checkout would take for its own are others
/// here: see [`place`].
const ANY: &[File] = files!("project/any":
    "README.md",
    "gitignore",
    "github/wheel.yml",
    "pyproject.toml",
    "python/NAME/__init__.py",
    "tests/test_package.py",
    "vscode/extensions.json",
    "vscode/settings.json",
);

const CARGO_TOML: &[File] = files!("project/rust":
    "Cargo.toml",
);

/// The files of a `CMake` project beside the sources, which are those of a dialect crate in C++.
const CMAKE: &[File] = files!("project/cmake":
    "CMakeLists.txt",
    "include/NAME/CMakeLists.txt",
    "lib/CMakeLists.txt",
    "python/CMakeLists.txt",
    "python/dialects/NAME_ops.td",
);

/// The template of CI's file.
const WORKFLOW: &str = "github/wheel.yml";

const LICENSE: &str = include_str!("../../../LICENSE");

/// The place of a template's file in a project.
fn place(path: &Utf8Path) -> Utf8PathBuf {
    match path.as_str() {
        "gitignore" => ".gitignore".into(),
        WORKFLOW => ".github/workflows/wheel.yml".into(),
        _ if path.starts_with("vscode") => format!(".{path}").into(),
        _ => path.to_owned(),
    }
}

/// Writes the project `name` into the folder of that name in `dir`. Returns the folder.
///
/// # Errors
/// `ErrorKind::Manifest` for a name that cannot be a project's, and `ErrorKind::Io` for a folder that is
/// there already.
pub fn create(name: &str, contents: &Contents, dir: &Utf8Path) -> Result<Utf8PathBuf> {
    check(name)?;
    if let Some(why) = reserved(name) {
        return Err(Error::new(
            ErrorKind::Manifest,
            format!("`{name}` cannot be a project's name"),
        )
        .because(why)
        .help("choose a word of your own"));
    }
    let folder = camino::absolute_utf8(dir)?.join(name);
    if folder.exists() {
        return Err(
            Error::new(ErrorKind::Io, format!("the project `{name}` is not made"))
                .at(&folder)
                .because("there is something of this name already")
                .help("choose another name, or another folder with --dir"),
        );
    }
    write(texts(name, contents).into_iter(), &folder)?;
    Ok(folder)
}

impl Contents {
    /// True if CI can build the project: a dialect in Rust needs mondo's sources there.
    #[must_use]
    pub fn has_workflow(&self) -> bool {
        match self {
            Self::Pick | Self::Cpp | Self::Cmake => true,
            Self::Rust(sources) => matches!(sources, Some(MondoSources::Git { .. })),
        }
    }
}

fn texts(name: &str, contents: &Contents) -> Vec<(Utf8PathBuf, String)> {
    let words = words(name, contents);
    let text = |(path, text): &File| (place(&words.path(path)), words.text(text));
    let any = ANY.iter();
    let any = any.filter(|(path, _)| *path != WORKFLOW || contents.has_workflow());
    let mut texts: Vec<(Utf8PathBuf, String)> = any.map(text).collect();
    texts.push(("LICENSE".into(), LICENSE.to_owned()));
    let dialect = match contents {
        Contents::Pick => return texts,
        Contents::Cpp | Contents::Cmake => CPP,
        Contents::Rust(_) => RUST,
    };
    for (path, template) in dialect {
        let path = words.path(path);
        match path.as_str() {
            // The manifest is in pyproject.toml, and the crate's in a template of its own.
            "bundle.toml" | "Cargo.toml" => {}
            "dialect.toml" if *contents == Contents::Cmake => {}
            // That of a project names the command of its wheel.
            ".vscode/settings.json" => {}
            "python-ext/Module.cpp" if *contents == Contents::Cmake => {
                texts.push(("dialect/python/Module.cpp".into(), words.text(template)));
            }
            _ if path.starts_with("tests") => {
                let template = IN_PROJECTS
                    .iter()
                    .fold((*template).to_owned(), |text, (from, to)| {
                        text.replace(from, to)
                    });
                texts.push((path, words.text(&template)));
            }
            _ => texts.push((Utf8Path::new("dialect").join(path), words.text(template))),
        }
    }
    let more = match contents {
        Contents::Rust(_) => CARGO_TOML,
        Contents::Cmake => CMAKE,
        Contents::Cpp | Contents::Pick => &[],
    };
    let more = more.iter().map(text);
    texts.extend(more.map(|(path, text)| (Utf8Path::new("dialect").join(path), text)));
    texts
}

/// The differences of a project's tests from those of a dialect crate: the root of imports, one wheel in the place of
/// two, and an older glibc. The wheel of an editable install is for this machine.
const IN_PROJECTS: [(&str, &str); 5] = [
    ("from mlir", "from @name@.mlir"),
    ("[\"@dist@-mlir\", \"@dist@-dialect\"]", "[\"@dist@\"]"),
    ("wheel(\"@dist@-mlir\")", "wheel(\"@dist@\")"),
    (
        "    assert \"manylinux_2_28_\" in wheel(name).read_text(\"WHEEL\")",
        "    tags = wheel(name).read_text(\"WHEEL\")\n    assert \"manylinux_2_17_\" in tags or \"-linux_\" in tags",
    ),
    (
        "    assert \"manylinux_2_28_\" in wheel(\"@dist@\").read_text(\"WHEEL\")",
        "    tags = wheel(\"@dist@\").read_text(\"WHEEL\")\n    assert \"manylinux_2_17_\" in tags or \"-linux_\" in tags",
    ),
];

/// The entry of a `CMake` project in the manifest.
const PROJECT: &str = "
# The project as its CMake describes it; mondo configures and builds it against this LLVM.
[[tool.mondo.project]]
name = \"@name@\"
cmake = \"dialect\"
modules = \"@Name@PythonModules\"
passes = \"@name@RegisterPasses\"
license = \"Apache-2.0 WITH LLVM-exception\"
";

fn words(name: &str, contents: &Contents) -> Words {
    let tools =
        "tools = [\"opt\", \"lsp-server\"]   # the commands @dist@-opt and @dist@-lsp-server";
    let tools = tools.replace("@dist@", &name.replace('_', "-"));
    let (about, summary, list) = match contents {
        Contents::Pick => (
            "MLIR for Python, with the dialects that this project needs.",
            "A private MLIR",
            format!(
                "dialects = [\"@core\"]         # names, or sets: \"@all\", \"@standard\", \"@core\"\n{tools}"
            ),
        ),
        Contents::Cpp => (
            "A dialect in C++ (`dialect/`), in a private MLIR for Python.",
            "A dialect in C++, in a private MLIR",
            format!("crates = [\"dialect\"]\ndialects = [\"@core\", \"{name}\"]\n{tools}"),
        ),
        Contents::Cmake => (
            "A dialect in C++ with its own CMake (`dialect/`), in a private MLIR for Python.",
            "A dialect in C++, in a private MLIR",
            format!(
                "dialects = [\"@core\"]         # those of the project come by themselves\n{tools}"
            ),
        ),
        Contents::Rust(_) => (
            "A dialect in Rust (`dialect/`), in a private MLIR for Python.",
            "A dialect in Rust, in a private MLIR",
            format!("crates = [\"dialect\"]\ndialects = [\"@core\", \"{name}\"]\n{tools}"),
        ),
    };
    let (image, packages) = match contents {
        Contents::Rust(_) => ("rust:1.95-bookworm", "python3-dev python3-pip python3-venv"),
        _ => (
            "debian:bookworm",
            "ca-certificates g++ git python3-dev python3-pip python3-venv",
        ),
    };
    let words = Words::new(name, Utf8Path::new(""));
    let project = match contents {
        Contents::Cmake => words.text(PROJECT),
        Contents::Pick | Contents::Cpp | Contents::Rust(_) => String::new(),
    };
    let known = match contents {
        Contents::Rust(known) => known.as_ref(),
        Contents::Pick | Contents::Cpp | Contents::Cmake => None,
    };
    let needs = match contents {
        Contents::Rust(_) => sources::NEEDS,
        Contents::Pick | Contents::Cpp | Contents::Cmake => "",
    };
    words
        .with("@sources@", &sources::step(known))
        .with("@requirement@", &sources::requirement(known))
        .with("@dependency@", &sources::dependency(known))
        .with("@needs@", needs)
        .with("@about@", about)
        .with("@project@", &project)
        .with("@summary@", summary)
        .with("@contents@", &list)
        .with("@image@", image)
        .with("@packages@", packages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;
    use crate::{dialect_crate, manifest, plan};

    #[test]
    fn a_plan_takes_each_project() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        for (name, contents) in [
            ("my_pick", Contents::Pick),
            ("my_cpp", Contents::Cpp),
            ("my_rust", Contents::Rust(None)),
            (
                "my_git",
                Contents::Rust(Some(MondoSources::Git {
                    url: "ssh://git@example.org/mondo".into(),
                    revision: "v1".into(),
                })),
            ),
            (
                "my_path",
                Contents::Rust(Some(MondoSources::Folder("../mondo".into()))),
            ),
            ("my_cmake", Contents::Cmake),
        ] {
            let folder = create(name, &contents, dir).unwrap();
            let manifest = manifest::load(&folder.join("pyproject.toml")).unwrap();
            assert_eq!(manifest.import_root, format!("{name}.mlir"));
            assert!(manifest.wheel.single);
            let crates = dialect_crate::load_all(&manifest, "nowhere".into()).unwrap();
            let catalogue = Catalogue::upstream().unwrap();
            // A project's dialects are not known before it is configured.
            let plan = plan::resolve(&manifest, &catalogue, &crates, "x86_64").unwrap();
            let server = plan
                .tools
                .iter()
                .find(|it| it.name == "lsp-server")
                .unwrap();
            let read = |path: &str| fs_err::read_to_string(folder.join(path)).unwrap();
            let settings: serde_json::Value =
                serde_json::from_str(&read(".vscode/settings.json")).unwrap();
            let path = settings["mlir.server_path"].as_str().unwrap();
            assert!(
                path.ends_with(&format!("/bin/{}", server.command)),
                "{path}"
            );
            let commands = format!("{}-opt and {}", name.replace('_', "-"), server.command);
            assert!(read("pyproject.toml").contains(&commands), "{name}");
            assert!(read(".vscode/extensions.json").contains("mlir"), "{name}");
            let workflow = folder.join(".github/workflows/wheel.yml");
            assert_eq!(workflow.is_file(), contents.has_workflow(), "{name}");
            assert!(folder.join(".gitignore").is_file());
            for (path, text) in texts(name, &contents) {
                let mark = text.split('@').nth(1).filter(|it| {
                    it.chars().all(char::is_alphabetic) && text.contains(&format!("@{it}@"))
                });
                assert_eq!(mark, None, "{path}");
            }
            let again = create(name, &contents, dir).unwrap_err();
            assert_eq!(again.kind(), ErrorKind::Io);
        }
        assert!(dir.join("my_cpp/dialect/include/my_cpp/MyCpp.td").is_file());
        assert!(dir.join("my_rust/dialect/Cargo.toml").is_file());
        let cmake = manifest::load(&dir.join("my_cmake/pyproject.toml")).unwrap();
        assert_eq!(cmake.projects[0].name.get_ref(), "my_cmake");
        assert!(dir.join("my_cmake/dialect/python/Module.cpp").is_file());
        for name in ["my_cpp", "my_cmake", "my_rust"] {
            let tests = dir.join(format!("{name}/tests/test_{name}.py"));
            let tests = fs_err::read_to_string(tests).unwrap();
            for gone in ["-mlir\"", "-dialect\"", "manylinux_2_28", "from mlir"] {
                assert!(!tests.contains(gone), "{name}: {gone}");
            }
        }
        assert!(!dir.join("my_cmake/dialect/dialect.toml").exists());
        assert_eq!(dir.read_dir_utf8().unwrap().count(), 6);
    }

    #[test]
    fn names_that_something_else_has_are_refused() {
        for name in ["func", "a-b", "class", "json"] {
            let error = create(name, &Contents::Pick, "/nonexistent".into()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Manifest, "{name}");
        }
    }
}
