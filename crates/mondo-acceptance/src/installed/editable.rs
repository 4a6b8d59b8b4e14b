//! Editable installs by pip and uv, whose isolated build environments are deleted after the build: what is imported
//! later has to be elsewhere.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_testbed::verdict::expect;
use mondo_testbed::{Context, Extent, Venv};

use super::environment::Environment;
use super::index::Index;
use super::{isolated, toy};

/// Installs the project `toy` editable with pip, with `--all` also with uv. `developed` is the interpreter of an environment
/// that `mondo develop` has installed it into before; that install has to work as well.
pub(super) fn check(
    extent: Extent,
    environment: &Environment,
    developed: &Utf8Path,
    index: &Index,
    context: &Context<'_>,
) -> Result<()> {
    let python = environment.interpreter();
    index
        .tool(environment, python.as_str(), "install the project editable")
        .args(["-m", "pip", "install", "--editable", "./toy"])
        .output()?;
    works(environment, &[&python, developed])?;
    toy::tests(environment)?;
    if extent.is_all() {
        let uv = Venv::kept(context, "frontends")?.dir.join("bin/uv");
        let by_uv = isolated::bare_python(environment, "editable-by-uv")?;
        index
            .tool(
                environment,
                uv.as_str(),
                "install the project editable with uv",
            )
            .args(["pip", "install", "--python", by_uv.as_str()])
            .args(["--editable", "./toy"])
            .output()?;
        works(environment, &[&python, developed, &by_uv])?;
    }
    Ok(())
}

/// Each interpreter imports the project, and no link in its folder of links is dangling.
fn works(environment: &Environment, interpreters: &[&Utf8Path]) -> Result<()> {
    let program = "import toy\n\
                   from toy.mlir import ir\n\
                   with ir.Context():\n    ir.Module.parse('func.func @f() { return }')\n";
    for python in interpreters {
        environment
            .program_of(python.as_str(), "import the editable project")
            .args(["-c", program])
            .output()?;
    }
    let links = environment.project.join("toy/build/mondo/develop/toy/site");
    let dangling = Tool::new("find", "find dangling links")
        .args([links.as_str(), "-xtype", "l"])
        .output()?
        .stdout;
    let what = "an editable install has links to what is gone";
    expect(dangling.is_empty(), what, dangling)
}
