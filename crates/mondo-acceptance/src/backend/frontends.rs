//! Frontends other than `pip install`: each makes the same wheel.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_testbed::Venv;
use mondo_testbed::files::wheel_in;

use super::bench::{Bench, failed};

/// `pip wheel`, `python -m build` (an sdist, and the wheel from it) and `uv build` give the same bytes.
/// Returns the wheel.
pub(super) fn same_bytes(bench: &Bench<'_>, scratch: &Utf8Path) -> Result<Vec<u8>> {
    let list = bench.context.workspace.join("tests/python/frontends.txt");
    let tools = Venv::kept(bench.context, "frontends", &list)?;
    let project = bench.project.as_str();
    let out = |name: &str| scratch.join(name);
    let (pip, build, uv) = (out("by-pip"), out("by-build"), out("by-uv"));
    bench.pip(&["wheel", project, "--wheel-dir", pip.as_str()])?;
    let started = |venv: &Venv, arguments: &[&str]| {
        bench
            .environment(venv.python("run a frontend"))
            .args(arguments)
            .output()
    };
    let options = ["--no-isolation", "--skip-dependency-check", "--outdir"];
    let arguments = [&["-m", "build"], &options[..], &[build.as_str(), project]].concat();
    started(&tools, &arguments)?;
    let interpreter = bench.venv.dir.join("bin/python");
    let options = ["--offline", "--no-build-isolation", "--wheel", "--python"];
    let arguments = [
        &["-m", "uv", "build"],
        &options[..],
        &[interpreter.as_str(), "--out-dir", uv.as_str(), project],
    ];
    started(&tools, &arguments.concat())?;
    let mut wheels: BTreeMap<Vec<u8>, Vec<Utf8PathBuf>> = BTreeMap::new();
    for folder in [pip, build, uv] {
        let wheel = wheel_in(&folder)?.ok_or_else(|| failed("there is no wheel").at(&folder))?;
        wheels.entry(fs_err::read(&wheel)?).or_default().push(wheel);
    }
    if wheels.len() > 1 {
        return Err(failed("frontends make wheels with other bytes")
            .details(wheels.into_values().flatten().map(Utf8PathBuf::into_string)));
    }
    wheels
        .into_keys()
        .next()
        .ok_or_else(|| failed("there is no wheel"))
}
