//! The suites that run in virtual environments.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_build::bundle::{self, Options};
use mondo_build::manifest::Overrides;
use mondo_testbed::files::tracked;
use mondo_testbed::verdict::expect;
use mondo_testbed::{Context, Extent, Venv};

use super::{rust, workflows};

/// ruff over what we write in Python, whose patterns are relative to the workspace, and what looks at
/// CI's files.
pub(super) fn lint(context: &Context<'_>) -> Result<()> {
    const OURS: [&str; 7] = [
        "bundle/python",
        "crates/dialects",
        "crates/mondo/python",
        "tests/api_diff",
        "tests/conformance",
        "tests/python",
        "examples",
    ];
    let tools = Venv::kept(context, "tools")?;
    for command in [&["check"][..], &["format", "--check"]] {
        tools
            .python("satisfy ruff")
            .cwd(context.workspace)
            .args(["-m", "ruff"])
            .args(command)
            .arg("--no-cache")
            .args(OURS)
            .stream()?;
    }
    tools
        .python("pass the examples of what copies upstream's tests")
        .cwd(context.workspace.join("tests/conformance"))
        .args(["-m", "doctest", "rewriting.py"])
        .output()?;
    workflows::check(context, &tools)
}

/// pytest, stubtest, mypy and pyright over each wheel in its own fresh environment. The gate has default and
/// core; `--all` has one more, dialect crates, two wheels in one environment, and moved packages.
pub(super) fn suites(extent: Extent, context: &Context<'_>) -> Result<()> {
    const WHEELS: [(&str, &str); 3] =
        [("default", "mlir"), ("core", "mlir"), ("acme", "acme.mlir")];
    for (name, root) in extent.first(2, &WHEELS) {
        suite(extent, context, name, root)?;
    }
    if !extent.is_all() {
        return Ok(());
    }
    for (name, root) in [("fxp", "mlir"), ("acme-fxp", "acme.mlir")] {
        dialect_wheel(context, name, root)?;
    }
    let options = Options {
        overrides: Overrides {
            label: Some("zeta".into()),
            ..Overrides::default()
        },
        out_dir: context.scratch().join("dist"),
        ..Options::new(context.manifest("core"), context.workspace)
    };
    let third = bundle::bundle(&options, context.sink)?.wheel;
    side_by_side(context, &third)?;
    moved(context, &third)
}

/// All that is asked of one wheel alone.
fn suite(extent: Extent, context: &Context<'_>, name: &str, root: &str) -> Result<()> {
    let venv = Venv::checked(context, name, &[context.bundle(name)?.wheel])?;
    // Of the table of misuses the gate has a part.
    let env = [
        ("MONDO_IMPORT_ROOT", root),
        ("MONDO_BUNDLE", name),
        ("MONDO_EXTENT", extent.name()),
    ];
    for folder in ["suite", "typing", "misuse"] {
        pytest(context, &venv, &env, folder)?;
    }
    stubtest(context, &venv, root)?;
    typecheck(context, &venv, root)?;
    if name == "default" {
        pytest(context, &venv, &env, "tools")?;
        example(context, &venv)?;
    }
    Ok(())
}

/// Every way to get an object against every way it can die; random edits against a model of them; a
/// million operations fetched and dropped. The gate has all of it.
pub(super) fn lifetime(context: &Context<'_>) -> Result<()> {
    let venv = Venv::with_wheels(context, "lifetime", [&context.bundle("default")?.wheel])?;
    let env = [("MONDO_IMPORT_ROOT", "mlir")];
    for folder in ["lifetime", "model"] {
        pytest(context, &venv, &env, folder)?;
    }
    Ok(())
}

/// Dialects defined in Rust: the SDK's own tests, and wheels with such dialects under pytest. One dialect fails when told
/// to; it is in no wheel that ships.
pub(super) fn dialects(context: &Context<'_>) -> Result<()> {
    rust::dialects(context)?;
    for (manifest, folder) in [
        ("manifests/units.toml", "units"),
        ("tests/python/faulty/bundle.toml", "faulty"),
    ] {
        let options = Options::new(context.workspace.join(manifest), context.workspace);
        let wheel = bundle::bundle(&options, context.sink)?.wheel;
        let venv = Venv::with_wheels(context, folder, [&wheel])?;
        pytest(context, &venv, &[], folder)?;
    }
    Ok(())
}

/// Two wheels and somebody else's in one environment.
fn side_by_side(context: &Context<'_>, third: &Utf8Path) -> Result<()> {
    let (ours, acme) = (context.bundle("default")?, context.bundle("acme")?);
    let venv = Venv::checked(
        context,
        "side-by-side",
        &[ours.wheel, acme.wheel, third.to_owned()],
    )?;
    pytest(context, &venv, &[], "side_by_side")
}

/// The package is not installed: the tests put it in many places.
fn moved(context: &Context<'_>, third: &Utf8Path) -> Result<()> {
    let venv = Venv::for_tests(context, "moved")?;
    let core = context.bundle("core")?.wheel;
    let env = [
        ("MONDO_WHEEL", core.as_str()),
        ("MONDO_OTHER_LABEL", third.as_str()),
        ("MONDO_WORKSPACE", context.workspace.as_str()),
    ];
    pytest(context, &venv, &env, "moved")
}

/// A base and the wheel of the dialect crate `fixed-point`, installed together.
fn dialect_wheel(context: &Context<'_>, name: &str, root: &str) -> Result<()> {
    let made = context.bundle(name)?;
    let venv = Venv::checked(
        context,
        name,
        &[&made.crate_wheels[..], &[made.wheel]].concat(),
    )?;
    let upstream = Venv::kept(context, "peer")?.packages()?;
    let archive =
        mondo_acceptance::crates::built(context, "fixed-point-")?.join("libfixed-point.a");
    let crates = context.workspace.join("crates/dialects");
    let env = [
        ("MONDO_IMPORT_ROOT", root),
        ("MONDO_BUNDLE", name),
        ("MONDO_FXP_ARCHIVE", archive.as_str()),
        ("MONDO_CRATES", crates.as_str()),
        ("MONDO_UPSTREAM", upstream.as_str()),
    ];
    if name == "fxp" {
        pytest(context, &venv, &env, "tools")?;
    }
    pytest(context, &venv, &env, "fxp")
}

/// The tests of a folder, on several cores; each test stands alone.
pub(super) fn pytest(
    context: &Context<'_>,
    venv: &Venv,
    env: &[(&str, &str)],
    folder: &str,
) -> Result<()> {
    let python = context.workspace.join("tests/python");
    let tests = python.join(folder);
    let mut tool = venv
        .pytest("pass pytest", &[&tests])
        .args(["--import-mode=importlib", "--rootdir", tests.as_str()])
        .args(["-n", "auto", "--maxprocesses", "4", "--dist", "worksteal"])
        // The plugin `mondo_fixtures` is there, and suites that are packages import one another.
        .env("PYTHONPATH", &python)
        .env("MONDO_EXAMPLES", context.workspace.join("examples"))
        .env("MONDO_LLVM_DIR", &context.toolchain.prefix);
    for (key, value) in env {
        tool = tool.env(key, value);
    }
    tool.stream()
}

/// The stubs say what the extension has, and nothing else.
fn stubtest(context: &Context<'_>, venv: &Venv, root: &str) -> Result<()> {
    let native = format!("{root}._mlir_libs._mlir");
    let tests = context.workspace.join("tests/python");
    venv.python("pass stubtest")
        .arg(tests.join("check_stubs.py"))
        .arg(native)
        .args(["--concise", "--ignore-unused-allowlist", "--allowlist"])
        .arg(tests.join("stubtest-allowlist.txt"))
        .stream()
}

/// Packages whose constructors take their arguments in several forms and hand them on by `*`, or by
/// names that LLVM versions differ in: mypy cannot follow that.
const IN_SEVERAL_FORMS: [&str; 2] = ["dialects/linalg/", "dialects/transform/"];

/// mypy over the dialects' modules and extras that are written by hand. It reads those that
/// mlir-tblgen wrote as well, and reports nothing in them: that is nobody's to correct.
fn typecheck(context: &Context<'_>, venv: &Venv, root: &str) -> Result<()> {
    let place = venv
        .python("find the installed package")
        .args([
            "-c",
            "import importlib, sys; print(*importlib.import_module(sys.argv[1]).__path__)",
        ])
        .arg(root)
        .output()?;
    let package = Utf8Path::new(place.stdout.trim());
    let mut modules = Vec::new();
    for file in tracked(
        context.workspace,
        &["bundle/python/dialects/*.py", "bundle/python/extras/*.py"],
    )? {
        let path = file.trim_start_matches("bundle/python/");
        let is_followed = !IN_SEVERAL_FORMS
            .iter()
            .any(|folder| path.starts_with(folder));
        // A bundle has a part of the dialects.
        if is_followed && package.join(path).is_file() {
            let name = path.trim_end_matches(".py").trim_end_matches("/__init__");
            modules.push(format!("{root}.{}", name.replace('/', ".")));
        }
    }
    let path = context.scratch().join("mypy.ini");
    fs_err::write(&path, "[mypy]\ndisallow_untyped_defs = true\n")?;
    let tool = venv
        .python("pass mypy")
        .args(["-m", "mypy", "--config-file"]);
    modules
        .iter()
        .fold(tool.arg(&path), |tool, module| tool.args(["-m", module]))
        .stream()
}

/// README's first example, run exactly as printed there.
fn example(context: &Context<'_>, venv: &Venv) -> Result<()> {
    let output = venv
        .python("run examples/matmul.py")
        .arg(context.workspace.join("examples/matmul.py"))
        .output()?;
    let is_lowered = output.stdout.contains("llvm.func");
    let what = "the example printed no LLVM dialect";
    expect(is_lowered, what, output.stdout)
}
