//! The check that no Python file of a project has the path of one of the bundle's own.

use camino::Utf8Path;
use mondo_core::error::{ErrorKind, Result};
use mondo_core::source::Source;
use mondo_plan::manifest::Project;
use mondo_plan::plan::Plan;
use mondo_project::Prepared;

/// Refuses projects that bring a Python file which the bundle has itself, before anything is linked.
pub(super) fn check(
    projects: &[Project],
    prepared: &[Prepared],
    plan: &Plan,
    source: &Source,
) -> Result<()> {
    let python = source.python();
    for (project, built) in projects.iter().zip(prepared) {
        let files = built.python_files();
        let twice = files.filter(|(inside, _)| is_bundles(inside, &python, plan));
        let twice: Vec<String> = twice
            .map(|(inside, from)| format!("{inside}: {from}"))
            .collect();
        if !twice.is_empty() {
            let what = format!(
                "the project `{}` has Python files that the bundle already contains",
                built.name
            );
            let error = project.error(ErrorKind::Plan, &project.name, what);
            return Err(error.details(twice).help(
                "remove them from the project's Python sources, or rename them: the bundle \
                 already contains the modules of MLIR's package",
            ));
        }
    }
    Ok(())
}

/// True if the bundle has a file at this path below the import root. `python` is the folder of its own Python.
fn is_bundles(inside: &Utf8Path, python: &Utf8Path, plan: &Plan) -> bool {
    let by_hand = python.join(inside).is_file();
    let parts: Vec<&str> = inside.as_str().split('/').collect();
    let upstreams = |module: &str| {
        let mut dialects = plan
            .dialects
            .iter()
            .filter(|dialect| dialect.of_crate.is_none());
        dialects.any(|dialect| dialect.python.as_deref() == Some(module))
    };
    match parts[..] {
        ["dialects", file] => {
            let stem = file.split('.').next().unwrap_or(file);
            let generated = ["_ops_gen", "_enum_gen"].iter().any(|end| {
                let module = stem
                    .strip_prefix('_')
                    .and_then(|rest| rest.strip_suffix(end));
                module.is_some_and(upstreams)
            });
            upstreams(stem) || generated || (by_hand && stem.starts_with('_'))
        }
        ["dialects", module, file, ..] => {
            let stem = file.split('.').next().unwrap_or(file);
            let excluded = &plan.excluded.modules;
            by_hand && upstreams(module) && !excluded.contains_key(&format!("{module}.{stem}"))
        }
        ["runtime", ..] => by_hand && plan.execution_engine,
        _ => by_hand,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mondo_plan::catalogue::Catalogue;
    use mondo_plan::{manifest, plan};

    #[test]
    fn files_are_the_bundles_where_it_has_them() {
        let text = "manifest = 1\n[package]\ndistribution = \"a\"\nlicense = \"MIT\"\n[llvm]\nversion = \"22\"\n\
                    [contents]\ndialects = [\"func\", \"transform\"]\n";
        let manifest = manifest::parse(text, "bundle.toml".into()).unwrap();
        let catalogue = Catalogue::upstream().unwrap();
        let plan = plan::resolve(&manifest, &catalogue, &[], "x86_64").unwrap();
        let python = Source::locate().unwrap().python();
        for (path, expected) in [
            ("ir.py", true),
            ("toy.py", false),
            ("dialects/func.py", true),
            ("dialects/_func_ops_gen.py", true),
            ("dialects/scf.py", false),
            ("dialects/_ods_common.py", true),
            ("dialects/_toy_ops_gen.py", false),
            ("dialects/transform/__init__.py", true),
            ("dialects/transform/mine.py", false),
            ("dialects/linalg/__init__.py", false),
        ] {
            assert_eq!(is_bundles(path.into(), &python, &plan), expected, "{path}");
        }
    }
}
