//! The file of CI of a new project: each of its steps passes, with the wheels of mondo in place of an index.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_testbed::files::copy_tree;
use mondo_testbed::verdict::expect;
use mondo_testbed::{Context, Venv};

use super::environment::Environment;
use super::index::Index;
use crate::workflow::steps;

/// The project's name.
const NAME: &str = "quay";

/// The steps with scripts. The last is of the job that publishes.
const STEPS: [&str; 4] = [
    "Build the sdist, and the wheel from it",
    "Audit the wheel",
    "Test the wheel",
    "Compare the files with the tag",
];

/// Begins a project with a dialect in C++, and runs the steps of its file of CI. `scratch` is for the
/// wheels of `build` and pytest, which `index` gets.
pub(super) fn check(
    environment: &Environment,
    index: &Index,
    scratch: &Utf8Path,
    context: &Context<'_>,
) -> Result<()> {
    let tools = scratch.join("ci-tools");
    let lists = ["frontends", "requirements"]
        .map(|name| context.workspace.join(format!("tests/python/{name}.txt")));
    let constraints = lists
        .iter()
        .flat_map(|list| ["--constraint", list.as_str()]);
    environment
        .python("fetch build and pytest")
        .args(["-m", "pip", "download", "--quiet"])
        .args(["--dest", tools.as_str()])
        .args(constraints)
        .args(["build", "pytest"])
        .output()?;
    // The project's CI file makes environments beside the project, so that it gets a folder of its
    // own around it.
    let folder = scratch.join("ci");
    fs_err::create_dir_all(&folder)?;
    environment
        .mondo(&["new", NAME, "--cpp", "--dir", folder.as_str()])
        .output()?;
    let project = folder.join(NAME);
    let steps = steps(&project.join(".github/workflows/wheel.yml"))?;
    let names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
    let what = "the file of CI has other steps";
    expect(names == STEPS, what, names.join(", "))?;
    environment.forget_wheels()?;
    index.add(&tools)?;
    let (compare, build) = (&steps[STEPS.len() - 1], &steps[..STEPS.len() - 1]);
    for step in build {
        let purpose = format!("pass the step of CI \"{}\"", step.name);
        let said = index
            .tool(environment, "sh", &purpose)
            .args(["-e", "-c", &step.script])
            .cwd(&project)
            .output()?
            .stdout;
        let ran = step.name != STEPS[2] || said.contains(" passed");
        expect(ran, "CI of a new project runs no test", said)?;
    }
    let dist = project.join("dist");
    let files = dist.read_dir_utf8()?;
    let files = files.map(|entry| Ok(entry?.into_path()));
    let files: Vec<Utf8PathBuf> = files.collect::<Result<_>>()?;
    Venv::kept(context, "twine")?
        .python("pass twine's checks")
        .args(["-m", "twine", "check", "--strict"])
        .args(&files)
        .output()?;
    for (tag, passes) in [("v0.1.0", true), ("v0.1.1", false)] {
        // The artifacts of two jobs, as the action downloads them; both have the sdist.
        let publish = folder.join(tag);
        for artifact in ["dist-3.11", "dist-3.12"] {
            copy_tree(&dist, &publish.join("built").join(artifact))?;
        }
        let said = environment
            .program_of("env", "compare the files with the tag")
            .arg(format!("TAG={tag}"))
            .args(["sh", "-e", "-c", &compare.script])
            .cwd(&publish)
            .output_unchecked()?;
        let what = format!("the job that publishes does not tell the version of {tag}");
        expect(said.status.success() == passes, what, said.stderr)?;
    }
    Ok(())
}
