//! A new Python project from templates: pip builds it, and its tests pass.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::names::reserved;

use super::contents::Contents;
use super::{sources, workflow};
use crate::dialect::{CPP, RUST, check};
use crate::new_folder::Texts;
use crate::template::{File, Words, files};

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

/// The tests of a package that a project's `CMake` describes.
const EXISTING: &[File] = files!("project/existing":
    "tests/test_package.py",
);

const LICENSE: &str = include_str!("../../../../LICENSE");

/// The expression of that text.
const LICENSE_EXPRESSION: &str = "Apache-2.0 WITH LLVM-exception";

/// The place of a template's file in a project.
fn place(path: &Utf8Path) -> Utf8PathBuf {
    match path.as_str() {
        "gitignore" => ".gitignore".into(),
        WORKFLOW => ".github/workflows/wheel.yml".into(),
        _ if path.starts_with("vscode") => format!(".{path}").into(),
        _ => path.to_owned(),
    }
}

/// The files of the project `name`.
///
/// # Errors
/// `ErrorKind::Manifest` for a name that cannot be a project's.
pub(super) fn texts(name: &str, contents: &Contents) -> Result<Texts> {
    check(name)?;
    match reserved(name) {
        None => Ok(made(name, contents)),
        Some(why) => Err(Error::new(
            ErrorKind::Manifest,
            format!("`{name}` cannot be a project's name"),
        )
        .because(why)
        .help("choose a word of your own")),
    }
}

fn made(name: &str, contents: &Contents) -> Texts {
    let words = words(name, contents);
    let text = |(path, text): &File| (place(&words.path(path)), words.text(text));
    let any = ANY.iter();
    let any = any.filter(|(path, _)| *path != WORKFLOW || contents.has_workflow());
    let mut texts: Texts = any.map(text).collect();
    if let Contents::Existing(existing) = contents {
        // Its Python package is the project's own.
        texts.retain(|(path, _)| !path.starts_with("python") && !path.starts_with("tests"));
        texts.extend(EXISTING.iter().map(text));
        let license = existing.license_text().unwrap_or(LICENSE);
        texts.push(("LICENSE".into(), license.to_owned()));
        return texts;
    }
    texts.push(("LICENSE".into(), LICENSE.to_owned()));
    let dialect = match contents {
        Contents::Pick | Contents::Existing(_) => return texts,
        Contents::Cpp | Contents::Cmake => CPP,
        Contents::Rust(_) => RUST,
    };
    for (path, template) in dialect {
        let path = words.path(path);
        match path.as_str() {
            // The manifest is in pyproject.toml, and the crate's in a template of its own.
            "bundle.toml" | "Cargo.toml" => {}
            "dialect.toml" if *contents == Contents::Cmake => {}
            // A project has its own, with the command of its wheel.
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
        Contents::Cpp | Contents::Pick | Contents::Existing(_) => &[],
    };
    let more = more.iter().map(text);
    texts.extend(more.map(|(path, text)| (Utf8Path::new("dialect").join(path), text)));
    texts
}

/// The differences of a project's tests from those of a dialect crate: the root of imports, one wheel in place of
/// two. The wheel of an editable install is for this machine.
const IN_PROJECTS: [(&str, &str); 5] = [
    ("from mlir", "from @name@.mlir"),
    ("[\"@dist@-mlir\", \"@dist@-dialect\"]", "[\"@dist@\"]"),
    ("wheel(\"@dist@-mlir\")", "wheel(\"@dist@\")"),
    (
        "    assert \"manylinux_2_17_\" in wheel(name).read_text(\"WHEEL\")",
        "    tags = wheel(name).read_text(\"WHEEL\")\n    assert \"manylinux_2_17_\" in tags or \"-linux_\" in tags",
    ),
    (
        "    assert \"manylinux_2_17_\" in wheel(\"@dist@\").read_text(\"WHEEL\")",
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
        Contents::Existing(existing) => (
            "A project with its own CMake, in a private MLIR for Python.",
            "MLIR for Python, with dialects of its own",
            format!("{}\n{tools}", existing.contents()),
        ),
    };
    let words = Words::new(name, Utf8Path::new(""));
    let project = match contents {
        Contents::Cmake => words.text(PROJECT),
        Contents::Existing(existing) => existing.entry(),
        Contents::Pick | Contents::Cpp | Contents::Rust(_) => String::new(),
    };
    let (known, needs) = match contents {
        Contents::Rust(known) => (known.as_ref(), sources::NEEDS.to_owned()),
        Contents::Existing(existing) => {
            let command = existing.test_command();
            let tests = "Run the project's own tests against the package:";
            (None, format!("{tests}\n\n    {command}\n\n"))
        }
        Contents::Pick | Contents::Cpp | Contents::Cmake => (None, String::new()),
    };
    let (root, package, license, dialects) = match contents {
        Contents::Existing(existing) => (
            existing.root(name),
            existing.root_line(),
            existing.license.unwrap_or(LICENSE_EXPRESSION),
            existing.dialects(),
        ),
        _ => (
            format!("{name}.mlir"),
            "python-sources = [\"python\"]\n".to_owned(),
            LICENSE_EXPRESSION,
            String::new(),
        ),
    };
    let words = words
        .with("@requirement@", &sources::requirement())
        .with("@dependency@", &sources::dependency(known))
        .with("@needs@", &needs)
        .with("@about@", about)
        .with("@project@", &project)
        .with("@package@", &package)
        .with("@root@", &root)
        .with("@license@", license)
        .with("@dialects@", &dialects)
        .with("@summary@", summary)
        .with("@contents@", &list);
    workflow::words(words, contents)
}

#[cfg(test)]
mod tests {
    use super::super::sources::MondoSources;
    use super::*;

    #[test]
    fn a_template_has_no_placeholder_left() {
        for contents in [
            Contents::Pick,
            Contents::Cpp,
            Contents::Cmake,
            Contents::Rust(None),
        ] {
            for (path, text) in texts("my_toy", &contents).unwrap() {
                let mark = text.split('@').nth(1).filter(|word| {
                    word.chars().all(char::is_alphabetic) && text.contains(&format!("@{word}@"))
                });
                assert_eq!(mark, None, "{path}");
            }
        }
    }

    /// `mondo` on PyPI is another project, so that nothing of a new project may ask for it.
    #[test]
    fn a_new_project_asks_for_this_version_of_mondo_and_for_no_other_distribution() {
        let sources = MondoSources::parse("https://example.org/mondo").unwrap();
        for contents in [Contents::Pick, Contents::Rust(Some(sources))] {
            let texts = texts("toy", &contents).unwrap();
            let text = |name: &str| {
                let found = texts.iter().find(|(path, _)| path.ends_with(name));
                found.map(|(_, text)| text.as_str()).unwrap()
            };
            let pinned = format!("mondo-bundle=={}", env!("CARGO_PKG_VERSION"));
            let pyproject: toml::Table = text("pyproject.toml").parse().unwrap();
            let system = &pyproject["build-system"];
            assert_eq!(
                system["requires"].as_array().unwrap(),
                &[pinned.clone().into()]
            );
            assert_eq!(system["build-backend"].as_str(), Some("mondo_bundle"));
            let install = format!("pip install build {pinned}\n");
            assert!(text("wheel.yml").contains(&install));
        }
    }

    #[test]
    fn names_that_something_else_has_are_refused() {
        for name in ["func", "a-b", "class", "json"] {
            let error = texts(name, &Contents::Pick).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Manifest, "{name}");
        }
    }
}
