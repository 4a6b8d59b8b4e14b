//! The other LLVMs that the catalogue describes: the catalogue against each, bundles made from it under the
//! suite, and its kit.

use camino::{Utf8Path, Utf8PathBuf};
use mondo::{DEFAULT_LLVM, console};
use mondo_acceptance::older_kit;
use mondo_build::bundle::{self, Options};
use mondo_build::catalogue::Catalogue;
use mondo_build::manifest::Overrides;
use mondo_build::plan::Plan;
use mondo_build::{Result, manifest};
use mondo_testbed::{Context, Extent, Venv};

use super::extent;
use super::{python, rust};

/// Ends with the table that docs/contributing/new-llvm.md shows. The bundles are those that are named, else all of them with
/// `--all`, and the smallest one without it.
pub(super) fn check(extent: Extent, bundles: &[String], context: &Context<'_>) -> Result<()> {
    let names = extent::other(extent).iter().map(|name| (*name).to_owned());
    let bundles = match bundles {
        [] => names.collect(),
        named => named.to_vec(),
    };
    let catalogue = Catalogue::upstream()?;
    let others = catalogue
        .llvm
        .iter()
        .filter(|major| **major != DEFAULT_LLVM);
    let mut rows = Vec::new();
    for major in others {
        rows.extend(check_one(context, *major, &bundles, extent)?);
    }
    console::out(
        "| bundle | LLVM | wheel | suite | dialects | of those that the default LLVM has, not |",
    );
    console::out("|---|---|--:|---|--:|---|");
    rows.iter().for_each(console::out);
    Ok(())
}

fn check_one(
    context: &Context<'_>,
    major: u32,
    bundles: &[String],
    extent: Extent,
) -> Result<Vec<String>> {
    let other = Context::with_llvm(major, context.workspace, context.sink)?;
    rust::against_llvm(&other)?;
    // Cargo would compile everything again for each LLVM in turn if they shared a folder.
    let work_dir = other.scratch().join(format!("llvm-{major}"));
    let mut rows = Vec::new();
    let mut wheels = Vec::new();
    for name in bundles {
        let (row, wheel) = check_bundle(&other, major, name, &work_dir)?;
        rows.push(row);
        // A kit has no Rust compiler for a dialect in Rust.
        if name != "units" {
            wheels.push((name.clone(), wheel));
        }
    }
    if extent.is_all() {
        older_kit::check(major, &wheels, work_dir, &other)?;
    }
    Ok(rows)
}

/// The bundle's row of the table, and its wheel.
fn check_bundle(
    other: &Context<'_>,
    major: u32,
    name: &str,
    work_dir: &Utf8Path,
) -> Result<(String, Utf8PathBuf)> {
    let path = other.workspace.join(format!("manifests/{name}.toml"));
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
        ..Options::new(path, other.workspace)
    };
    let wheel = bundle::bundle(&options, other.sink)?.wheel;
    let venv = Venv::for_tests(other, &format!("{name}-{major}"))?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    let counts = venv.dir.join("suite.xml");
    let env = [
        ("MONDO_IMPORT_ROOT", root.as_str()),
        ("MONDO_BUNDLE", name),
        // The path is quoted as for a shell, since pytest splits the variable like a shell.
        ("PYTEST_ADDOPTS", &format!("--junitxml='{counts}'")),
    ];
    for (number, folder) in suites(name).iter().enumerate() {
        // The first alone writes the counts.
        let variables = if number == 0 { env.len() } else { 2 };
        python::pytest(other, &venv, &env[..variables], folder)?;
    }
    #[expect(clippy::cast_precision_loss, reason = "a wheel's size has few digits")]
    let size = fs_err::metadata(&wheel)?.len() as f64 / 1e6;
    let row = format!(
        "| {name} | {} | {size:.1} MB | {} passed, none failed | {} | {} |",
        other.toolchain.version,
        passed(&counts)?,
        plan.dialects.len(),
        lacking(&plan, &newest),
    );
    Ok((row, wheel))
}

/// The folders of tests for a bundle. The first is the one whose tests are counted.
fn suites(bundle: &str) -> &'static [&'static str] {
    match bundle {
        "default" => &["suite", "lifetime", "model", "tools"],
        "units" => &["units"],
        _ => &["suite"],
    }
}

fn lacking(plan: &Plan, newest: &Plan) -> String {
    let there = |name: &String| plan.dialects.iter().any(|dialect| dialect.name == *name);
    let names = newest.dialects.iter().map(|dialect| &dialect.name);
    let names: Vec<String> = names
        .filter(|name| !there(name))
        .map(|name| format!("`{name}`"))
        .collect();
    names.join(", ")
}

/// The number of tests that ran, of a suite that has passed.
fn passed(counts: &Utf8Path) -> Result<usize> {
    let text = fs_err::read_to_string(counts)?;
    let count = |key: &str| -> usize {
        let value = text.split_once(&format!(" {key}=\"")).map(|(_, rest)| rest);
        let digits = value.and_then(|rest| rest.split('"').next());
        digits
            .and_then(|digits| digits.parse().ok())
            .unwrap_or_default()
    };
    Ok(count("tests") - count("skipped"))
}
