//! A copy of upstream's tests in which the package has the bundle's import root, and the lines that
//! this project contradicts on purpose are changed.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::{Error, ErrorKind, Result};

use super::expected::{Edit, FILE};
use super::run_line;

/// Folders whose files are no tests of the bindings: they are C++, or want a GPU or a JIT's runtime.
const LEFT_OUT: [&str; 2] = ["integration/", "lib/"];

/// Copies the folder `from` to `to`; returns the tests by their paths below it, sorted.
pub(super) fn copy(
    from: &Utf8Path,
    to: &Utf8Path,
    root: &str,
    edits: &[Edit],
) -> Result<Vec<String>> {
    let mut tests = Vec::new();
    let mut changed = Vec::new();
    for path in files(from)? {
        let Ok(relative) = path.strip_prefix(from) else {
            continue;
        };
        let target = to.join(relative);
        fs_err::create_dir_all(target.parent().unwrap_or(to))?;
        if relative.extension() != Some("py") {
            fs_err::copy(&path, &target)?;
            continue;
        }
        let mut text = rename(&fs_err::read_to_string(&path)?, root);
        for edit in edits.iter().filter(|edit| relative == edit.test) {
            if text.contains(&edit.line) {
                text = text.replace(&edit.line, &edit.becomes);
                changed.push(&edit.line);
            }
        }
        fs_err::write(&target, &text)?;
        let name = relative.as_str();
        if run_line::has_any(&text) && !LEFT_OUT.iter().any(|folder| name.starts_with(folder)) {
            tests.push(name.to_owned());
        }
    }
    if let Some(edit) = edits.iter().find(|edit| !changed.contains(&&edit.line)) {
        return Err(Error::new(
            ErrorKind::Check,
            "a line that is to be changed is not there",
        )
        .at(from.join(&edit.test))
        .because(format!("{FILE} says it is `{}`", edit.line))
        .help("use the sources of the LLVM that the toolchain is, or correct the file"));
    }
    tests.sort();
    Ok(tests)
}

fn files(folder: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8()? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.into_path());
            } else {
                found.push(entry.into_path());
            }
        }
    }
    Ok(found)
}

/// The parts of upstream's package that a test names in full.
const PARTS: [&str; 8] = [
    "ir",
    "dialects",
    "passmanager",
    "rewrite",
    "runtime",
    "extras",
    "execution_engine",
    "_mlir_libs",
];

/// Names the package `root` instead of `mlir`: where it is imported, and wherever one of its parts
/// is named in full, be it in code or in what is expected to be printed.
fn rename(text: &str, root: &str) -> String {
    const NAME: &str = "mlir";
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(NAME) {
        let (before, after) = (&rest[..at], &rest[at + NAME.len()..]);
        renamed.push_str(before);
        let whole = !renamed.ends_with(|c: char| c.is_alphanumeric() || "_.%".contains(c));
        let part = after.strip_prefix('.').is_some_and(|after| {
            let end = after.find(|c: char| !c.is_alphanumeric() && c != '_');
            PARTS.contains(&&after[..end.unwrap_or(after.len())])
        });
        let imported = ["from ", "import "]
            .iter()
            .any(|word| renamed.ends_with(word))
            && !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        renamed.push_str(if whole && (part || imported) {
            root
        } else {
            NAME
        });
        rest = after;
    }
    renamed.push_str(rest);
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_package_is_renamed() {
        for (text, expected) in [
            ("from mlir.ir import *", "from acme.mlir.ir import *"),
            ("import mlir", "import acme.mlir"),
            (
                "import mlir.dialects.x as x",
                "import acme.mlir.dialects.x as x",
            ),
            ("<class 'mlir.ir.Value'>", "<class 'acme.mlir.ir.Value'>"),
            ("import mlirs", "import mlirs"),
            ("from my.mlir.ir import x", "from my.mlir.ir import x"),
            ("#mlir.sparse %mlir.ir", "#mlir.sparse %mlir.ir"),
            ("mlir.irdl = libmlir", "mlir.irdl = libmlir"),
        ] {
            assert_eq!(rename(text, "acme.mlir"), expected);
            assert_eq!(rename(text, "mlir"), text);
        }
    }

    #[test]
    fn an_edit_that_finds_nothing_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        fs_err::create_dir_all(dir.join("from/ir")).unwrap();
        fs_err::write(dir.join("from/ir/a.py"), "# RUN: %PYTHON %s\nassert x\n").unwrap();
        fs_err::write(dir.join("from/ir/b.py"), "import mlir\n").unwrap();
        let edit = |line: &str| -> Edit {
            let text = format!("test = 'ir/a.py'\nline = '{line}'\nbecomes = 'pass'\nreason = 'r'");
            toml::from_str(&text).unwrap()
        };
        let (from, to) = (dir.join("from"), dir.join("to"));
        let tests = copy(&from, &to, "acme.mlir", &[edit("assert x")]).unwrap();
        assert_eq!(tests, ["ir/a.py"]);
        let text = fs_err::read_to_string(to.join("ir/a.py")).unwrap();
        assert!(text.ends_with("\npass\n"), "{text}");
        let error = copy(&from, &to, "mlir", &[edit("assert y")]).unwrap_err();
        assert!(error.to_string().contains("assert y"), "{error}");
    }
}
