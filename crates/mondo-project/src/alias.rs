//! The alias package: the package by which the users of a project import a bundle whose import root has another name.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::file::replace;

/// The package's only file. `@NAME@` is its name and `@ROOT@` the bundle's import root.
const TEMPLATE: &str = include_str!("../data/alias.py");

/// Writes the package `name` below `folder`, whose contents go to the top of a wheel. Returns the folder.
///
/// # Errors
/// `ErrorKind::Io` where it cannot be written.
pub fn alias(folder: &Utf8Path, name: &str, root: &str) -> Result<Utf8PathBuf> {
    let text = TEMPLATE.replace("@NAME@", name).replace("@ROOT@", root);
    let path = folder.join(name.replace('.', "/")).join("__init__.py");
    if !fs_err::read_to_string(&path).is_ok_and(|there| there == text) {
        if folder.exists() {
            fs_err::remove_dir_all(folder)?;
        }
        replace(&path, text.as_bytes())?;
    }
    Ok(folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mondo_core::exec::Tool;

    /// Runs Python in a folder with a package `acme.mlir` and its other name `toy`.
    fn python(arguments: &[&str]) -> String {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        for (path, text) in [
            ("acme/mlir/ir.py", "class Type:\n    pass\n"),
            ("acme/mlir/notes.txt", "data"),
            (
                "acme/mlir/dialects/cli.py",
                "from .. import ir\nprint(__name__, __package__, ir.Type)\n",
            ),
            ("acme/mlir/dialects/linalg/__init__.py", ""),
            ("acme/mlir/dialects/linalg/__main__.py", "print('main')\n"),
        ] {
            replace(&folder.join(path), text.as_bytes()).unwrap();
        }
        alias(&folder.join("alias"), "toy", "acme.mlir").unwrap();
        let path = format!("{folder}:{folder}/alias");
        let tool = Tool::new("python3", "import the package").env("PYTHONPATH", path);
        tool.args(arguments).output().unwrap().stdout
    }

    #[test]
    fn its_modules_run_as_programs() {
        let said = python(&["-m", "toy.dialects.cli"]);
        assert_eq!(
            said.trim(),
            "__main__ toy.dialects <class 'acme.mlir.ir.Type'>"
        );
        assert_eq!(python(&["-m", "toy.dialects.linalg"]).trim(), "main");
    }

    #[test]
    fn its_modules_and_data_are_found() {
        let text = "import importlib.resources, inspect, pkgutil, acme.mlir.ir, toy.ir\n\
                    assert toy.ir is acme.mlir.ir\n\
                    assert [it.name for it in pkgutil.walk_packages(toy.__path__, 'toy.')] == ['toy.ir']\n\
                    below = pkgutil.walk_packages(__import__('toy.dialects').dialects.__path__, 'toy.dialects.')\n\
                    print(*sorted(it.name for it in below))\n\
                    print((importlib.resources.files('toy') / 'notes.txt').read_text())\n\
                    print(inspect.getsource(toy.ir.Type).split()[1])\n\
                    try:\n    import toy.nothing\nexcept ModuleNotFoundError as error:\n    print(error)\n";
        let said = python(&["-c", text]);
        let expected = "toy.dialects.cli toy.dialects.linalg toy.dialects.linalg.__main__\ndata\nType:\n\
                        No module named 'toy.nothing'\n";
        assert_eq!(said, expected);
    }
}
