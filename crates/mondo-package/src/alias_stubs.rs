//! Stubs for the package by which the users of a project import a bundle's modules. The package finds them while it
//! runs, which type checkers and editors do not: for these, each module has a file that passes on all of another one.

use std::collections::BTreeSet;

use mondo_plan::plan::Plan;

use crate::wheel::Stage;

/// The modules of a stage below the import root, by their paths there, without suffix: `dialects/func`.
#[must_use]
pub(crate) fn modules(stage: &Stage, root: &str) -> BTreeSet<String> {
    let paths = stage.entries.iter().filter_map(|entry| {
        let inside = entry.path.strip_prefix(root)?.strip_prefix('/')?;
        let module = inside.strip_suffix(".pyi").or(inside.strip_suffix(".py"))?;
        let identifier = |part: &str| !part.is_empty() && !part.contains(['.', '-']);
        let main = module.rsplit('/').next() == Some("__main__");
        (module.split('/').all(identifier) && !main).then(|| module.to_owned())
    });
    paths.collect()
}

/// Adds to a stage the stubs of those packages that the wheel of `owner` has: of a project, or of the bundle for
/// those of projects without a wheel of their own. `of_bundle` are the modules of the bundle's wheel.
pub(crate) fn lay_out(
    plan: &Plan,
    owner: Option<&str>,
    of_bundle: &BTreeSet<String>,
    stage: &mut Stage,
) {
    let aliases = plan.python.aliases.iter();
    let own = aliases.filter(|(_, project)| match owner {
        Some(owner) => *project == owner,
        None => !plan.has_wheel(project),
    });
    let names: Vec<&str> = own.map(|(name, _)| name.as_str()).collect();
    if names.is_empty() {
        return;
    }
    let root = plan.identity.import_root.as_str();
    let mut all = modules(stage, &root.replace('.', "/"));
    all.extend(of_bundle.iter().cloned());
    for name in names {
        let folder = name.replace('.', "/");
        for module in &all {
            stage.bytes(format!("{folder}/{module}.pyi"), stub(root, module));
        }
        // It makes a folder of modules a package with types, and a namespace of the import root has no file for it.
        stage.bytes(format!("{folder}/py.typed"), "");
        if !all.contains("__init__") {
            stage.bytes(format!("{folder}/__init__.pyi"), "");
        }
    }
}

/// The file that passes on a module's names.
fn stub(root: &str, module: &str) -> String {
    let module = match module.strip_suffix("__init__") {
        Some(package) => package.trim_end_matches('/'),
        None => module,
    };
    let parts = [root].into_iter().chain(module.split('/'));
    let parts: Vec<&str> = parts.filter(|it| !it.is_empty()).collect();
    format!("from {} import *\n", parts.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_python_files_below_the_root() {
        let mut stage = Stage::default();
        for path in [
            "acme/mlir/ir.py",
            "acme/mlir/ir.pyi",
            "acme/mlir/dialects/linalg/__init__.py",
            "acme/mlir/dialects/linalg/__main__.py",
            "acme/mlir/_mlir_libs/_mlir.abi3.so",
            "acme/mlir/py.typed",
            "acme/other.py",
            "toy/__init__.py",
        ] {
            stage.bytes(path, "");
        }
        let found: Vec<String> = modules(&stage, "acme/mlir").into_iter().collect();
        assert_eq!(found, ["dialects/linalg/__init__", "ir"]);
    }

    #[test]
    fn a_stub_passes_all_names_on() {
        assert_eq!(stub("acme.mlir", "ir"), "from acme.mlir.ir import *\n");
        assert_eq!(
            stub("acme.mlir", "dialects/linalg/__init__"),
            "from acme.mlir.dialects.linalg import *\n"
        );
        assert_eq!(stub("acme.mlir", "__init__"), "from acme.mlir import *\n");
    }
}
