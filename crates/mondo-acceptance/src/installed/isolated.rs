//! Builds in environments of their own, as pip, build and uv make them by default: with what the backend asks for,
//! without pip, and with nothing but LLVM's packages in the cache.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_build::backend::{NANOBIND, PROJECT_TOOLS};
use mondo_testbed::files::wheel_in;
use mondo_testbed::verdict::expect;
use mondo_testbed::{Context, Extent, Venv};

use super::environment::Environment;
use super::index::Index;
use super::toy;
use crate::no_rust::SYSTEM;

/// Fetches the wheels that builds of extensions ask for, and with `--all` those of projects too. Returns their folder.
pub(super) fn pinned(
    extent: Extent,
    environment: &Environment,
    scratch: &Utf8Path,
) -> Result<Utf8PathBuf> {
    let folder = scratch.join("pinned");
    let mut wanted = vec![NANOBIND.to_owned()];
    if extent.is_all() {
        wanted.extend(PROJECT_TOOLS.map(str::to_owned));
    }
    environment
        .python("fetch what builds ask for")
        .args(["-m", "pip", "download", "--quiet", "--no-deps"])
        .args(["--only-binary", ":all:", "--dest", folder.as_str()])
        .args(wanted)
        .output()?;
    Ok(folder)
}

/// `mondo develop` for a Python without pip says so before it compiles, and then takes what is installed. Returns the
/// interpreter.
pub(super) fn without_pip(
    environment: &Environment,
    project: &str,
    pinned: &Utf8Path,
) -> Result<Utf8PathBuf> {
    environment.forget_wheels()?;
    let python = bare_python(environment, "without-pip")?;
    let develop = || {
        environment
            .mondo(&["develop", "--python", python.as_str()])
            .cwd(environment.project.join(project))
            .output_unchecked()
    };
    let refused = develop()?;
    let words = ["no pip", NANOBIND];
    let says = words.iter().all(|word| refused.stderr.contains(word));
    let at_start = refused.status.code() == Some(14) && says && !refused.stderr.contains("link ");
    let what = "a Python without pip is not told at the start";
    expect(at_start, what, refused.stderr)?;
    environment
        .python("install what is asked for")
        .args(["-m", "pip", "--python", python.as_str(), "install"])
        .args(["--quiet", "--no-index", NANOBIND])
        .args(["--find-links", pinned.as_str()])
        .output()?;
    let built = develop()?;
    let what = "an installed nanobind is not taken";
    expect(built.status.success(), what, built.stderr)?;
    Ok(python)
}

/// The interpreter of a new environment without pip.
pub(super) fn bare_python(environment: &Environment, name: &str) -> Result<Utf8PathBuf> {
    let venv = environment.project.join(name);
    environment
        .python("make an environment without pip")
        .args(["-m", "venv", "--without-pip", venv.as_str()])
        .output()?;
    Ok(venv.join("bin/python"))
}

/// `mondo develop` for a Python without pip has uv fetch what it needs.
fn by_uv(environment: &Environment, project: &str, index: &Index, tools: &Venv) -> Result<()> {
    environment.forget_wheels()?;
    let python = bare_python(environment, "for-uv")?;
    let program = environment.program();
    index
        .tool(environment, "env", "fetch with uv")
        .arg(format!("PATH={}:{SYSTEM}", tools.dir.join("bin")))
        .args([program.as_str(), "develop", "--force"])
        .args(["--python", python.as_str()])
        .cwd(environment.project.join(project))
        .output()
        .map(drop)
}

/// pip, build and uv make the same wheel of each kind of project that needs no Rust.
pub(super) fn frontends(
    environment: &Environment,
    index: &Index,
    context: &Context<'_>,
) -> Result<()> {
    let tools = Venv::kept(context, "frontends")?;
    by_uv(environment, toy::NAME, index, &tools)?;
    for (name, kind) in [("cay", "--cmake"), ("key", "--pick"), ("isle", "--cpp")] {
        environment.mondo(&["new", name, kind]).output()?;
        let project = environment.project.join(name);
        let project = project.as_str();
        let (python, frontend) = (environment.interpreter(), tools.interpreter());
        let (python, frontend) = (python.as_str(), frontend.as_str());
        let mut wheels = BTreeSet::new();
        for (by, program, arguments) in [
            ("pip", python, &["-m", "pip", "wheel", "--wheel-dir"][..]),
            ("build", frontend, &["-m", "build", "--outdir"]),
            (
                "uv",
                frontend,
                &[
                    "-m",
                    "uv",
                    "build",
                    "--wheel",
                    "--python",
                    python,
                    "--out-dir",
                ],
            ),
        ] {
            let out = environment.project.join(format!("{name}-by-{by}"));
            environment.forget_wheels()?;
            index
                .tool(environment, program, "build in an isolated environment")
                .args(arguments)
                .args([out.as_str(), project])
                .output()?;
            wheels.insert(fs_err::read(wheel_in(&out)?)?);
        }
        let what = format!("frontends make different wheels of {name}");
        expect(wheels.len() == 1, what, project)?;
    }
    Ok(())
}
