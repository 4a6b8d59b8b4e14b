//! A bundle's tree in other people's build backends: `examples/vendoring`, built by pip.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::bundle::{self, Options};
use mondo_build::manifest::Overrides;
use mondo_build::report::Layout;
use mondo_build::{Result, audit};
use mondo_testbed::files::{copy_tree, wheel_in};
use mondo_testbed::verdict::expect;
use mondo_testbed::{Context, Extent, Venv};

/// The projects by their backends, and what each calls itself and its MLIR. The first has an extension
/// of its own that is one file of C, and needs no crate.
const PROJECTS: [(&str, &str); 3] = [
    ("scikit-build-core", "tide"),
    ("maturin", "brook"),
    ("hatchling", "glen"),
];

/// The tag that projects with an extension of their own give themselves, in their pyproject.toml.
const OWN_TAG: &str = "cp310-abi3-manylinux_2_36_x86_64";

/// The tag of a project that has nothing but the tree: what the minimum glibc in `mlir.toml` gives.
const TAG_BY_MINIMUM: &str = "cp310-abi3-manylinux_2_28_x86_64";

/// The conda package of `examples/conda`: its tests pass, and its libraries are those of the wheel.
fn conda(scratch: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let recipe = scratch.join("conda");
    copy_tree(&context.workspace.join("examples/conda"), &recipe)?;
    let wheel = context.bundle("acme")?.wheel;
    let folder = recipe.join("wheel");
    fs_err::create_dir_all(&folder)?;
    let copy = folder.join(wheel.file_name().unwrap_or_default());
    fs_err::copy(&wheel, &copy)?;
    Venv::kept(context, "conda")?
        .python("build a conda package of a wheel")
        .arg(context.workspace.join("tests/python/conda/build.py"))
        .args([recipe.join("recipe.yaml"), scratch.join("conda-work"), copy])
        .output()
        .map(drop)
}

/// Builds the wheels of the projects, audits them, and runs their tests in one environment, in one
/// process, without the trees. The gate has the first project, `--all` has the three.
pub fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let projects = extent.first(1, &PROJECTS);
    let scratch = context.empty_folder("vendoring")?;
    let examples = context.workspace.join("examples/vendoring");
    let backends = Venv::kept(context, "backends")?;
    if extent.is_all() {
        conda(&scratch, context)?;
    }
    let mut wheels = Vec::new();
    for &(backend, label) in projects {
        let project = scratch.join(backend);
        copy_tree(&examples.join(backend), &project)?;
        tree(context, &examples, label, &project.join("vendor"))?;
        let wheel = pip_wheel(context, &backends, &project, &scratch.join(label))?;
        let tag = match label {
            "glen" => TAG_BY_MINIMUM,
            _ => OWN_TAG,
        };
        let is_tagged = wheel.file_name() == Some(&format!("{label}-0.1.0-{tag}.whl"));
        expect(is_tagged, format!("the tag is not {tag}"), wheel.as_str())?;
        // The wheel must not need the folder that its files come from.
        fs_err::remove_dir_all(project.join("vendor"))?;
        wheels.push(wheel);
    }
    for audit in audit::files(&wheels)? {
        audit::judge(&audit)?;
    }
    let venv = Venv::checked(context, "vendoring", &wheels)?;
    let tests = projects.iter();
    let tests = tests.map(|(backend, _)| scratch.join(backend).join("tests"));
    // Of the tests over all wheels, the gate runs those of its wheel; that project's own are named after it, too.
    let of_one = (!extent.is_all()).then_some(["-k", PROJECTS[0].1]);
    venv.pytest("pass the tests of what vendors MLIR", &[])
        .args(tests)
        .arg(context.workspace.join("tests/python/vendoring"))
        .args(of_one.into_iter().flatten())
        .stream()
}

/// Makes the tree of `mlir.toml` under `label`.
fn tree(context: &Context<'_>, examples: &Utf8Path, label: &str, out_dir: &Utf8Path) -> Result<()> {
    let options = Options {
        overrides: Overrides {
            label: Some(label.into()),
            ..Overrides::default()
        },
        layout: Layout::Tree,
        out_dir: out_dir.to_owned(),
        ..Options::new(examples.join("mlir.toml"), context.workspace)
    };
    let made = bundle::bundle(&options, context.sink)?;
    let again = bundle::bundle(&options, context.sink)?;
    let is_known = !made.up_to_date && again.up_to_date;
    let what = "it is not known whether a tree is up to date";
    expect(is_known, what, made.wheel)
}

fn pip_wheel(
    context: &Context<'_>,
    backends: &Venv,
    project: &Utf8Path,
    dir: &Utf8Path,
) -> Result<Utf8PathBuf> {
    let target = context.scratch().join("vendoring-target");
    let mut pip = backends.python("build a wheel with pip");
    if project.ends_with("maturin") {
        // Under pip, maturin asks nobody else.
        pip = pip.env("MATURIN_PEP517_ARGS", "--compatibility manylinux_2_36");
    }
    pip.args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"])
        .args(["--disable-pip-version-check", "--no-cache-dir"])
        // The backends are those of our list.
        .args(["--no-build-isolation", "--check-build-dependencies"])
        .arg("--wheel-dir")
        .arg(dir)
        .arg(project)
        .env("CARGO_TARGET_DIR", target)
        .output()?;
    wheel_in(dir)
}
