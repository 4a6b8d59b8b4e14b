//! The suites that run in virtual environments.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::{ErrorKind, Result};
use mondo_testbed::{Context, Extent, Venv};

use super::workflows;

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
    let tools = Venv::tools(context)?;
    let ruff = |purpose: &str| {
        tools
            .python(purpose)
            .cwd(context.workspace)
            .args(["-m", "ruff"])
    };
    ruff("satisfy ruff")
        .args(["check", "--no-cache"])
        .args(OURS)
        .stream()?;
    ruff("satisfy ruff's formatter")
        .args(["format", "--check", "--no-cache"])
        .args(OURS)
        .stream()?;
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
    let third = context.third_label()?;
    side_by_side(context, &third)?;
    moved(context, &third)
}

/// All that is asked of one wheel alone.
fn suite(extent: Extent, context: &Context<'_>, name: &str, root: &str) -> Result<()> {
    let wheel = context.bundle(name)?.wheel;
    let venv = Venv::for_tests(context, name)?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    venv.python("pass pip check")
        .args(["-m", "pip", "check"])
        .output()?;
    let env = [("MONDO_IMPORT_ROOT", root), ("MONDO_BUNDLE", name)];
    pytest(context, &venv, &env, "suite")?;
    pytest(context, &venv, &env, "typing")?;
    // Of the table of misuses the gate has a part.
    let extent = if extent.is_all() { "all" } else { "gate" };
    let whole = [&env[..], &[("MONDO_EXTENT", extent)]].concat();
    pytest(context, &venv, &whole, "misuse")?;
    if name == "default" {
        pytest(context, &venv, &env, "tools")?;
    }
    stubtest(context, &venv, root)?;
    typecheck(context, &venv, root)?;
    example(context, &venv, name)
}

/// Every way to get an object against every way it can die; random edits against a model of them; a
/// million operations fetched and dropped. The gate has all of it.
pub(super) fn lifetime(context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("default")?.wheel;
    let venv = Venv::for_tests(context, "lifetime")?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    let env = [("MONDO_IMPORT_ROOT", "mlir")];
    for folder in ["lifetime", "model"] {
        pytest(context, &venv, &env, folder)?;
    }
    Ok(())
}

/// The suite of the tools over the wheel of the manifest `name`, whose tools are all of MLIR's.
pub(super) fn tools(context: &Context<'_>, name: &str, wheel: &Utf8Path) -> Result<()> {
    let venv = Venv::for_tests(context, name)?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    let env = [("MONDO_IMPORT_ROOT", "mlir"), ("MONDO_BUNDLE", name)];
    pytest(context, &venv, &env, "tools")
}

/// Two wheels and somebody else's in one environment.
fn side_by_side(context: &Context<'_>, third: &Utf8Path) -> Result<()> {
    let venv = Venv::for_tests(context, "side-by-side")?;
    let (ours, acme) = (context.bundle("default")?, context.bundle("acme")?);
    for wheel in [&ours.wheel, &acme.wheel, third] {
        venv.pip_install(&["--no-index", wheel.as_str()])?;
    }
    venv.python("pass pip check")
        .args(["-m", "pip", "check"])
        .output()?;
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
    let venv = Venv::for_tests(context, name)?;
    let wheels = made.crate_wheels.iter().chain([&made.wheel]);
    let wheels: Vec<&str> = wheels.map(|wheel| wheel.as_str()).collect();
    venv.pip_install(&[&["--no-index"], &wheels[..]].concat())?;
    venv.python("pass pip check")
        .args(["-m", "pip", "check"])
        .output()?;
    let list = context.workspace.join("tests/python/peer.txt");
    let upstream = Venv::kept(context, "peer", &list)?.packages()?;
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

pub(super) fn pytest(
    context: &Context<'_>,
    venv: &Venv,
    env: &[(&str, &str)],
    folder: &str,
) -> Result<()> {
    let python = context.workspace.join("tests/python");
    let tests = python.join(folder);
    let mut tool = venv
        .python("pass pytest")
        .args([
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--import-mode=importlib",
            "--rootdir",
        ])
        .arg(&tests)
        .arg(&tests)
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
const IN_SEVERAL_FORMS: [&str; 2] = ["dialects/linalg", "dialects/transform"];

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
    let source = context.workspace.join("bundle/python");
    let mut folders = vec![Utf8PathBuf::from("dialects"), Utf8PathBuf::from("extras")];
    while let Some(folder) = folders.pop() {
        for entry in package.join(&folder).read_dir_utf8()? {
            let path = folder.join(entry?.file_name());
            if package.join(&path).is_dir() {
                if !IN_SEVERAL_FORMS.contains(&path.as_str()) {
                    folders.push(path);
                }
                continue;
            }
            let Some(name) = path.as_str().strip_suffix(".py") else {
                continue;
            };
            let module = format!("{root}.{}", name.replace('/', "."));
            let module = module.trim_end_matches(".__init__").to_owned();
            if source.join(&path).is_file() {
                modules.push(module);
            }
        }
    }
    modules.sort();
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
fn example(context: &Context<'_>, venv: &Venv, bundle: &str) -> Result<()> {
    if bundle != "default" {
        return Ok(());
    }
    let script = Utf8Path::new("matmul.py");
    let examples = context.workspace.join("examples");
    let output = venv
        .python("run examples/matmul.py")
        .arg(examples.join(script))
        .output()?;
    if output.stdout.contains("llvm.func") {
        return Ok(());
    }
    Err(
        mondo_build::Error::new(ErrorKind::Check, "the example printed no LLVM dialect")
            .because(output.stdout),
    )
}
