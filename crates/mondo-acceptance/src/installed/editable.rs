//! Editable installs by pip and uv, whose isolated build environments are deleted after the build: what is imported
//! later has to be elsewhere.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_testbed::{Context, Extent, Venv};

use super::environment::{Environment, failed};
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
    environment
        .with_index(index, python.as_str(), "install the project editable")
        .args(["-m", "pip", "install", "--editable", "./toy"])
        .output()?;
    works(environment, &[&python, developed])?;
    toy::tests(environment)?;
    if extent.is_all() {
        let list = context.workspace.join("tests/python/frontends.txt");
        let uv = Venv::kept(context, "frontends", &list)?;
        let by_uv = isolated::bare_python(environment, "editable-by-uv")?;
        environment
            .with_index(
                index,
                uv.dir.join("bin/uv").as_str(),
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
    let mut dangling = Vec::new();
    dangling_below(&links, &mut dangling)?;
    if dangling.is_empty() {
        return Ok(());
    }
    Err(failed("an editable install has links to what is gone")
        .at(links)
        .details(dangling))
}

fn dangling_below(folder: &Utf8Path, found: &mut Vec<String>) -> Result<()> {
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            dangling_below(path, found)?;
        } else if !path.exists() {
            found.push(path.to_string());
        }
    }
    Ok(())
}
