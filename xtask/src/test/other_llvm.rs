//! The other LLVMs that the catalogue describes: the catalogue against each, bundles made from it under the
//! suite, and its kit.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_acceptance::older_kit;
use mondo_build::bundle::{self, Options};
use mondo_build::manifest::Overrides;
use mondo_build::{Result, manifest};
use mondo_testbed::{Context, Extent, Venv};

use super::ir::other_llvms;
use super::{python, rust};

/// The bundles that are tested, that of a run without `--all` first.
const BUNDLES: [&str; 5] = ["core", "standard", "default", "acme", "units"];

/// The gate has the smallest bundle of each LLVM; `--all` also the others, and the kit.
pub(super) fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    for major in other_llvms()? {
        let other = Context::with_llvm(major, context.workspace, context.sink)?;
        rust::against_llvm(&other)?;
        // Cargo would compile everything again for each LLVM in turn if they shared a folder.
        let work_dir = other.scratch().join(format!("llvm-{major}"));
        let mut wheels = Vec::new();
        for name in extent.first(1, &BUNDLES) {
            let wheel = tested(&other, major, name, &work_dir)?;
            // A kit has no Rust compiler for a dialect in Rust.
            if *name != "units" {
                wheels.push((*name, wheel));
            }
        }
        if extent.is_all() {
            older_kit::check(major, &wheels, work_dir, &other)?;
        }
    }
    Ok(())
}

/// Makes a bundle and runs the suite over it. Returns its wheel.
fn tested(other: &Context<'_>, major: u32, name: &str, work_dir: &Utf8Path) -> Result<Utf8PathBuf> {
    let path = other.manifest(name);
    let root = manifest::load(&path)?.import_root;
    let options = Options {
        overrides: Overrides {
            llvm: Some(major.to_string()),
            ..Overrides::default()
        },
        out_dir: work_dir.join("dist"),
        work_dir: work_dir.to_owned(),
        ..Options::new(path, other.workspace)
    };
    let wheel = bundle::bundle(&options, other.sink)?.wheel;
    let venv = Venv::with_wheels(other, &format!("{name}-{major}"), [&wheel])?;
    let env = [("MONDO_IMPORT_ROOT", root.as_str()), ("MONDO_BUNDLE", name)];
    for folder in suites(name) {
        python::pytest(other, &venv, &env, folder)?;
    }
    Ok(wheel)
}

/// The folders of tests for a bundle.
fn suites(bundle: &str) -> &'static [&'static str] {
    match bundle {
        "default" => &["suite", "lifetime", "model", "tools"],
        "units" => &["units"],
        _ => &["suite"],
    }
}
