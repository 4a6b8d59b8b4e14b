//! Two users who build nothing: one installs the package and runs README's program, one audits the wheel of somebody else.
//! Each begins with an environment that has pip and nothing else, and with an index.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_testbed::Context;
use mondo_testbed::files::wheel_in;
use mondo_testbed::verdict::{expect, expect_end, failed};

use super::environment::Environment;
use super::index::Index;

/// Runs what both of them do. `index` has the wheels of the command and of the kit, and gets that of the default bundle.
pub(super) fn check(environment: &Environment, index: &Index, context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("default")?.wheel;
    let folder = environment.project.join("published");
    fs_err::create_dir_all(&folder)?;
    fs_err::copy(&wheel, folder.join(wheel.file_name().unwrap_or_default()))?;
    index.add(&folder)?;
    python_user(environment, index, context)?;
    auditor(environment, index)
}

/// `pip install mondo-mlir`, then the first program of README.
fn python_user(environment: &Environment, index: &Index, context: &Context<'_>) -> Result<()> {
    let user = User::new("python-user", environment, index)?;
    user.pip(&["install", "mondo-mlir"])?;
    let readme = fs_err::read_to_string(context.workspace.join("README.md"))?;
    let program = readme
        .split_once("```python\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .map(|(program, _)| program)
        .ok_or_else(|| failed("README has no program in Python"))?;
    let printed = user.run("python", &["-c", program]).output()?.stdout;
    let says = printed.contains("it was destroyed by a pass pipeline");
    let what = "README's program does not print what README says";
    expect(says, what, printed)
}

/// `pip install mondo-bundle`, then the guide's commands over a wheel that pip downloads.
fn auditor(environment: &Environment, index: &Index) -> Result<()> {
    let user = User::new("auditor", environment, index)?;
    user.pip(&["install", "mondo-bundle"])?;
    user.pip(&[
        "download",
        "--no-deps",
        "--dest",
        "downloaded",
        "mondo-mlir",
    ])?;
    let wheel = wheel_in(&user.folder.join("downloaded"))?;
    let wheel = wheel.as_str();
    // A file that is not a wheel is the auditor's daily bread: one error, with the exit code of bad input.
    fs_err::write(user.folder.join("broken.whl"), "PK")?;
    for (arguments, code, words) in [
        (
            &["audit", wheel][..],
            0,
            &["platform tag", "holds", "passed"][..],
        ),
        (&["audit", "--explain", "exports"], 0, &["exports"]),
        (&["audit", "--sarif", "audit.sarif", wheel], 0, &["passed"]),
        (
            &["audit", "--write-baseline", "baseline.json", wheel],
            0,
            &[],
        ),
        (
            &["audit", "--baseline", "baseline.json", wheel],
            0,
            &["passed"],
        ),
        (&["check", wheel], 0, &["mondo-mlir"]),
        (&["audit", "broken.whl"], 24, &[]),
    ] {
        let output = user.run("mondo", arguments).output_unchecked()?;
        expect_end(&format!("mondo {arguments:?}"), &output, code, words)?;
    }
    Ok(())
}

/// A virtual environment with pip, and a folder to work in.
struct User<'a> {
    folder: Utf8PathBuf,
    environment: &'a Environment,
    index: &'a Index,
}

impl<'a> User<'a> {
    fn new(name: &str, environment: &'a Environment, index: &'a Index) -> Result<Self> {
        let folder = environment.project.join(name);
        environment
            .python("make an environment for a user")
            .args(["-m", "venv", folder.join("venv").as_str()])
            .output()?;
        Ok(Self {
            folder,
            environment,
            index,
        })
    }

    /// A program of this user's environment.
    fn run(&self, program: &str, arguments: &[&str]) -> Tool {
        let program = self.folder.join("venv/bin").join(program);
        self.tool(&program, "run a program as a user")
            .args(arguments)
    }

    fn pip(&self, arguments: &[&str]) -> Result<()> {
        let python = self.folder.join("venv/bin/python");
        self.tool(&python, "install packages as a user")
            .args(["-m", "pip"])
            .args(arguments)
            .output()
            .map(drop)
    }

    fn tool(&self, program: &Utf8Path, purpose: &str) -> Tool {
        self.index
            .tool(self.environment, program.as_str(), purpose)
            .cwd(&self.folder)
    }
}
