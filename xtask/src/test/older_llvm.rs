//! The other LLVMs that the catalogue describes: the catalogue against each, and the core bundle made
//! from it under its suite.

use mondo_build::bundle::{self, Options};
use mondo_build::catalogue::Catalogue;
use mondo_build::manifest::Overrides;
use mondo_build::{Result, toolchain};

use super::python::{self, Venv};
use super::{Context, rust};
use crate::commands::{DEFAULT_LLVM, request};

const BUNDLE: &str = "core";

pub(super) fn check(context: &Context<'_>) -> Result<()> {
    let catalogue = Catalogue::upstream()?;
    let others = catalogue
        .llvm
        .iter()
        .filter(|major| **major != DEFAULT_LLVM);
    others
        .copied()
        .try_for_each(|major| check_one(context, major))
}

fn check_one(context: &Context<'_>, major: u32) -> Result<()> {
    let older = Context {
        workspace: context.workspace,
        sink: context.sink,
        toolchain: toolchain::find(&request(major)?, context.sink)?,
    };
    rust::against_llvm(&older)?;
    // Cargo would compile everything again for each LLVM in turn if they shared a folder.
    let work_dir = context.scratch().join(format!("llvm-{major}"));
    let manifest = context.workspace.join(format!("manifests/{BUNDLE}.toml"));
    let options = Options {
        overrides: Overrides {
            label: None,
            llvm: Some(major.to_string()),
        },
        out_dir: work_dir.join("dist"),
        work_dir,
        ..Options::new(manifest, context.workspace)
    };
    let wheel = bundle::bundle(&options, context.sink)?.wheel;
    let venv = Venv::fresh(&older, &format!("{BUNDLE}-{major}"))?;
    venv.pip_install(&["--requirement", python::requirements(&older).as_str()])?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    let env = [("MONDO_IMPORT_ROOT", "mlir"), ("MONDO_BUNDLE", BUNDLE)];
    python::pytest(&older, &venv, &env, "suite")
}
