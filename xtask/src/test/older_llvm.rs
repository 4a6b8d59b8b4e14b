//! The other LLVMs that the catalogue describes: the catalogue against each, bundles made from it under the
//! suite, and its kit.

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_acceptance::older_kit;
use mondo_build::bundle::{self, Options};
use mondo_build::manifest::Overrides;
use mondo_build::plan::Plan;
use mondo_build::{Result, manifest};
use mondo_testbed::{Context, Extent, Venv};

use super::ir::other_llvms;
use super::{python, rust};

/// The bundles that are tested, that of a run without `--all` first.
const BUNDLES: [&str; 4] = ["core", "standard", "default", "acme"];

/// Ends with the table that docs/contributing/new-llvm.md shows. Without `--all` the smallest
/// bundle is tested.
pub(super) fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let names = extent.first(1, &BUNDLES);
    let mut rows = Vec::new();
    for major in other_llvms()? {
        rows.extend(check_one(context, major, names, extent)?);
    }
    console::out(
        "| bundle | LLVM | wheel | suite | dialects | of those that the newest has, not |",
    );
    console::out("|---|---|--:|---|--:|---|");
    rows.iter().for_each(console::out);
    Ok(())
}

fn check_one(
    context: &Context<'_>,
    major: u32,
    bundles: &[&str],
    extent: Extent,
) -> Result<Vec<String>> {
    let older = Context::with_llvm(major, context.workspace, context.sink)?;
    rust::against_llvm(&older)?;
    // Cargo would compile everything again for each LLVM in turn if they shared a folder.
    let work_dir = older.scratch().join(format!("llvm-{major}"));
    let mut rows = Vec::new();
    let mut wheels = Vec::new();
    for name in bundles {
        let (row, wheel) = check_bundle(&older, major, name, &work_dir)?;
        rows.push(row);
        wheels.push(((*name).to_owned(), wheel));
    }
    if extent.is_all() {
        older_kit::check(major, &wheels, work_dir, &older)?;
    }
    Ok(rows)
}

/// The bundle's row of the table, and its wheel.
fn check_bundle(
    older: &Context<'_>,
    major: u32,
    name: &str,
    work_dir: &Utf8Path,
) -> Result<(String, Utf8PathBuf)> {
    let path = older.workspace.join(format!("manifests/{name}.toml"));
    let root = manifest::load(&path)?.import_root;
    let overrides = Overrides {
        llvm: Some(major.to_string()),
        ..Overrides::default()
    };
    let plan = bundle::make_plan(&path, &overrides)?;
    let newest = bundle::make_plan(&path, &Overrides::default())?;
    let options = Options {
        overrides,
        out_dir: work_dir.join("dist"),
        work_dir: work_dir.to_owned(),
        ..Options::new(path, older.workspace)
    };
    let wheel = bundle::bundle(&options, older.sink)?.wheel;
    let venv = Venv::with_wheels(older, &format!("{name}-{major}"), [&wheel])?;
    let counts = venv.dir.join("suite.xml");
    let env = [
        ("MONDO_IMPORT_ROOT", root.as_str()),
        ("MONDO_BUNDLE", name),
        // The path is quoted as for a shell, since pytest splits the variable like a shell.
        ("PYTEST_ADDOPTS", &format!("--junitxml='{counts}'")),
    ];
    python::pytest(older, &venv, &env, "suite")?;
    #[expect(clippy::cast_precision_loss, reason = "a wheel's size has few digits")]
    let size = fs_err::metadata(&wheel)?.len() as f64 / 1e6;
    let row = format!(
        "| {name} | {} | {size:.1} MB | {} passed, none failed | {} | {} |",
        older.toolchain.version,
        passed(&counts)?,
        plan.dialects.len(),
        lacking(&plan, &newest),
    );
    Ok((row, wheel))
}

fn lacking(plan: &Plan, newest: &Plan) -> String {
    let has = |name: &String| plan.dialects.iter().any(|dialect| dialect.name == *name);
    let names = newest.dialects.iter().map(|dialect| &dialect.name);
    let names = names
        .filter(|name| !has(name))
        .map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}

/// The number of tests that ran, of a suite that has passed.
fn passed(counts: &Utf8Path) -> Result<usize> {
    let text = fs_err::read_to_string(counts)?;
    let count = |key: &str| -> Option<usize> {
        let (_, value) = text.split_once(&format!(" {key}=\""))?;
        value.split('"').next()?.parse().ok()
    };
    Ok(count("tests").unwrap_or_default() - count("skipped").unwrap_or_default())
}
