//! Running upstream's tests with lit, LLVM's test runner. A lit.cfg.py in `tests` configures it.

use camino::Utf8Path;
use mondo_build::path::utf8;
use mondo_build::toolchain;
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::verdict::json;
use mondo_testbed::{Context, Venv};

use super::expected::Expected;
use crate::projects::llvm_sources;

/// The time limit of one test in seconds, far above the time of the slowest one on a busy machine.
const TIME_LIMIT: &str = "600";

/// Runs the tests whose paths match the regular expression `pattern`. `config` is the folder with lit.cfg.py, `venv` the
/// environment with lit and the package under test; `parameters` are further ones of lit.cfg.py.
pub(super) fn run(
    config: &Utf8Path,
    venv: &Venv,
    parameters: &[(&str, String)],
    pattern: &str,
    expected: &Expected,
    context: &Context<'_>,
) -> Result<()> {
    let prefix = &context.toolchain.prefix;
    let libraries = toolchain::tool_path(&context.toolchain);
    let filecheck = prefix.join("bin/FileCheck");
    if !filecheck.is_file() {
        // Without it each test would fail.
        let what = "LLVM's FileCheck is not there";
        return Err(Error::new(ErrorKind::Toolchain, what).at(filecheck));
    }
    // An empty folder for copies of the tests and for their output.
    let work = tempfile::Builder::new()
        .prefix("conformance-")
        .tempdir_in(context.scratch())?;
    let work = utf8(work.path())?;
    let results = work.join("results.json");
    let common = [
        ("mlir", llvm_sources(context)?.into_string()),
        ("work", work.to_string()),
        ("python", venv.interpreter().into_string()),
        ("llvm", prefix.to_string()),
        ("libraries", libraries.unwrap_or_default()),
    ];
    let failing: Vec<&str> = expected.failing().collect();
    let defined = common.iter().chain(parameters);
    venv.program("lit", "pass upstream's tests")
        .args(["--verbose", "--succinct", "--timeout", TIME_LIMIT])
        .args(["--output", results.as_str(), "--filter", pattern])
        .args(["--xfail", &failing.join(";")])
        .args(defined.map(|(key, value)| format!("-D{key}={value}")))
        .arg(config)
        .stream()?;
    if !pattern.is_empty() {
        return Ok(());
    }
    let results = json(&fs_err::read_to_string(&results)?)?;
    let tests = results["tests"].as_array().into_iter().flatten();
    let outcome = |test: &serde_json::Value| {
        Some((test["name"].as_str()?.to_owned(), test["code"] == "PASS"))
    };
    expected.covers(&tests.filter_map(outcome).collect())
}
