//! Type stubs for alias packages. An alias package is the one by which the users of a project import a bundle's
//! modules. It finds the modules at run time, which type checkers and editors cannot follow. So for each module it
//! also has a `.pyi` file that re-exports all names of the bundle's module.

use std::collections::BTreeMap;

use mondo_core::error::Result;
use mondo_core::file;
use mondo_plan::plan::Plan;

use crate::wheel::{Source, Stage};

/// The texts of stubs, each by the path of its module below the import root, without a suffix (`dialects/func`).
pub type Stubs = BTreeMap<String, String>;

/// The stubs of a stage's modules below the import root.
///
/// # Errors
/// `ErrorKind::Io` where a module cannot be read.
pub(crate) fn stubs(stage: &Stage, root: &str) -> Result<Stubs> {
    let folder = root.replace('.', "/");
    let mut found = Stubs::new();
    let mut typed = Vec::new();
    for entry in &stage.entries {
        let inside = entry.path.strip_prefix(&folder);
        let Some(inside) = inside.and_then(|inside| inside.strip_prefix('/')) else {
            continue;
        };
        let stub_file = inside.strip_suffix(".pyi");
        let Some(module) = stub_file.or_else(|| inside.strip_suffix(".py")) else {
            continue;
        };
        let identifier = |part: &str| !part.is_empty() && !part.contains(['.', '-']);
        if !module.split('/').all(identifier) || module.rsplit('/').next() == Some("__main__") {
            continue;
        }
        let text = match &entry.source {
            Source::File(path) => file::read(path, file::LARGEST_TEXT)?,
            Source::Bytes(bytes) => bytes.clone(),
        };
        let text = stub(root, module, &String::from_utf8_lossy(&text));
        // Type checkers read the stub of a module and not its code.
        if stub_file.is_some() {
            typed.push((module.to_owned(), text));
        } else {
            found.insert(module.to_owned(), text);
        }
    }
    found.extend(typed);
    Ok(found)
}

/// Adds the stubs of alias packages to `stage`. `owner` is the project whose wheel this is, or none for the bundle's
/// wheel, which has the packages of projects without a wheel of their own. `of_bundle` are the stubs for the modules
/// of the bundle's wheel.
///
/// # Errors
/// `ErrorKind::Io` where a module cannot be read.
pub(crate) fn lay_out(
    plan: &Plan,
    owner: Option<&str>,
    of_bundle: &Stubs,
    stage: &mut Stage,
) -> Result<()> {
    let aliases = plan.python.aliases.iter();
    let owned = aliases.filter(|(_, project)| match owner {
        Some(owner) => *project == owner,
        None => !plan.has_wheel(project),
    });
    let names: Vec<&str> = owned.map(|(name, _)| name.as_str()).collect();
    if names.is_empty() {
        return Ok(());
    }
    let mut all = stubs(stage, &plan.identity.import_root)?;
    for (module, text) in of_bundle {
        all.entry(module.clone()).or_insert_with(|| text.clone());
    }
    // The stub `__init__.pyi` makes a folder a regular package for type checkers. The stage has no file for it where
    // the import root is a namespace package.
    all.entry("__init__".to_owned()).or_default();
    for name in names {
        let folder = name.replace('.', "/");
        for (module, text) in &all {
            stage.bytes(format!("{folder}/{module}.pyi"), text.as_bytes());
        }
        stage.bytes(format!("{folder}/py.typed"), "");
    }
    Ok(())
}

/// The text of a stub that re-exports the names of a module. `import *` skips the names that `__all__` does not list
/// and those that begin with an underscore. A program may use these all the same, so they are re-exported one by one.
fn stub(root: &str, module: &str, text: &str) -> String {
    let (package, module) = match module.rsplit_once('/') {
        Some((package, "__init__")) => (package, package),
        Some((package, _)) => (package, module),
        None if module == "__init__" => ("", ""),
        None => ("", module),
    };
    let package = dotted(root, package);
    let module = dotted(root, module);
    let limited = text.lines().any(|line| line.starts_with("__all__"));
    let mut lines = Vec::new();
    if limited {
        let stars = text.lines().filter_map(|line| star(line, &package));
        lines.extend(stars.map(|other| format!("from {other} import *\n")));
    }
    lines.push(format!("from {module} import *\n"));
    let mut names: Vec<&str> = text.lines().filter_map(defined).collect();
    names.retain(|name| !name.starts_with("__") && (limited || name.starts_with('_')));
    names.sort_unstable();
    names.dedup();
    lines.extend(
        names
            .iter()
            .map(|name| format!("from {module} import {name} as {name}\n")),
    );
    lines.concat()
}

fn dotted(root: &str, path: &str) -> String {
    let parts = [root].into_iter().chain(path.split('/'));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(".")
}

/// The module of `from .x import *` at the start of a line, in a module of `package`.
fn star(line: &str, package: &str) -> Option<String> {
    let name = line.strip_prefix("from ")?.trim_end();
    let name = name.strip_suffix("import *")?.trim();
    let inside = name.trim_start_matches('.');
    let Some(up) = (name.len() - inside.len()).checked_sub(1) else {
        return Some(name.to_owned());
    };
    let mut parts: Vec<&str> = package.split('.').collect();
    parts.truncate(parts.len().saturating_sub(up));
    parts.extend(Some(inside).filter(|inside| !inside.is_empty()));
    Some(parts.join("."))
}

/// The name that a line at the top of a module defines: a class, a function or a variable.
fn defined(line: &str) -> Option<&str> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = ["class ", "def ", "async def "]
        .iter()
        .find_map(|keyword| line.strip_prefix(keyword));
    let text = rest.unwrap_or(line);
    let (name, after) = text.split_at(text.find(|c| !word(c))?);
    let after = after.trim_start();
    let variable = (after.starts_with('=') && !after.starts_with("==")) || after.starts_with(": ");
    let good = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
    (good && (rest.is_some() || variable)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_python_files_below_the_root() {
        let mut stage = Stage::default();
        for (path, text) in [
            ("acme/mlir/ir.pyi", "class _Typed: ...\n"),
            ("acme/mlir/ir.py", "class _Code:\n    pass\n"),
            ("acme/mlir/dialects/linalg/__init__.py", ""),
            ("acme/mlir/dialects/linalg/__main__.py", ""),
            ("acme/mlir/_mlir_libs/_mlir.abi3.so", ""),
            ("acme/mlir/py.typed", ""),
            ("acme/other.py", ""),
            ("toy/__init__.py", ""),
        ] {
            stage.bytes(path, text);
        }
        let found = stubs(&stage, "acme.mlir").unwrap();
        let names: Vec<&String> = found.keys().collect();
        assert_eq!(names, ["dialects/linalg/__init__", "ir"]);
        assert!(found["ir"].contains("_Typed") && !found["ir"].contains("_Code"));
    }

    #[test]
    fn a_stub_passes_all_names_on() {
        assert_eq!(stub("acme.mlir", "ir", ""), "from acme.mlir.ir import *\n");
        assert_eq!(
            stub("acme.mlir", "dialects/linalg/__init__", ""),
            "from acme.mlir.dialects.linalg import *\n"
        );
        assert_eq!(
            stub("acme.mlir", "__init__", ""),
            "from acme.mlir import *\n"
        );
        let text = "from ._toy_ops_gen import *\nfrom ..extras.types import *\n__all__ = [\"a\"]\n\n\
                    def a():\n    b = 1\n\nc: int = 2\nif a == c:\n    pass\n_d = 3\n";
        insta::assert_snapshot!(stub("acme.mlir", "dialects/toy", text), @r"
        from acme.mlir.dialects._toy_ops_gen import *
        from acme.mlir.extras.types import *
        from acme.mlir.dialects.toy import *
        from acme.mlir.dialects.toy import _d as _d
        from acme.mlir.dialects.toy import a as a
        from acme.mlir.dialects.toy import c as c
        ");
        let text = "from ._x import *\n_d = 3\ne = 4\n";
        insta::assert_snapshot!(stub("acme.mlir", "dialects/linalg/__init__", text), @r"
        from acme.mlir.dialects.linalg import *
        from acme.mlir.dialects.linalg import _d as _d
        ");
    }
}
