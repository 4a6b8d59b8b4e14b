//! The other LLVMs that the catalogue describes: the catalogue against each, and bundles made from it
//! under the suite.

use mondo_build::bundle::{self, Options};
use mondo_build::catalogue::Catalogue;
use mondo_build::manifest::Overrides;
use mondo_build::{Result, manifest, toolchain};

use super::python::{self, Venv};
use super::{Context, rust};
use crate::commands::{DEFAULT_LLVM, request};

pub(super) fn check(context: &Context<'_>, bundles: &[String]) -> Result<()> {
    let catalogue = Catalogue::upstream()?;
    let others = catalogue
        .llvm
        .iter()
        .filter(|major| **major != DEFAULT_LLVM);
    others
        .copied()
        .try_for_each(|major| check_one(context, major, bundles))
}

fn check_one(context: &Context<'_>, major: u32, bundles: &[String]) -> Result<()> {
    let older = Context {
        workspace: context.workspace,
        sink: context.sink,
        toolchain: toolchain::find(&request(major)?, context.sink)?,
    };
    rust::against_llvm(&older)?;
    bundles
        .iter()
        .try_for_each(|name| check_bundle(&older, major, name))
}

fn check_bundle(older: &Context<'_>, major: u32, name: &str) -> Result<()> {
    // Cargo would compile everything again for each LLVM in turn if they shared a folder.
    let work_dir = older.scratch().join(format!("llvm-{major}"));
    let path = older.workspace.join(format!("manifests/{name}.toml"));
    let root = manifest::load(&path)?.import_root;
    let options = Options {
        overrides: Overrides {
            label: None,
            llvm: Some(major.to_string()),
        },
        out_dir: work_dir.join("dist"),
        work_dir,
        ..Options::new(path, older.workspace)
    };
    let wheel = bundle::bundle(&options, older.sink)?.wheel;
    let venv = Venv::for_tests(older, &format!("{name}-{major}"))?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    let env = [("MONDO_IMPORT_ROOT", root.as_str()), ("MONDO_BUNDLE", name)];
    python::pytest(older, &venv, &env, "suite")
}
