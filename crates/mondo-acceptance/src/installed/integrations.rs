//! Other tools that run the audit: the composite action of CI, pre-commit, and cibuildwheel's
//! `audit-command`.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_testbed::verdict::{expect, failed};
use mondo_testbed::{Context, Extent, Venv};

use super::environment::Environment;

/// The page with the line for cibuildwheel.
const PAGE: &str = "docs/guide/audit.md";

/// Runs each over `wheel`, which is clean; pre-commit itself with `--all`.
pub(super) fn check(
    extent: Extent,
    environment: &Environment,
    wheel: &Utf8Path,
    context: &Context<'_>,
) -> Result<()> {
    action(environment, wheel, context)?;
    cibuildwheel(environment, wheel, context)?;
    if extent.is_all() {
        pre_commit(environment, wheel, context)?;
    }
    Ok(())
}

/// The action's step, with the variables that its file sets.
fn action(environment: &Environment, wheel: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let text = fs_err::read_to_string(context.workspace.join("action.yml"))?;
    for variable in ["PATHS", "SARIF", "FAIL_ON", "POLICY"] {
        let is_set = text.contains(&format!("        {variable}: ${{{{ inputs."));
        let what = format!("action.yml does not set {variable}");
        expect(is_set, what, text.as_str())?;
    }
    let script = context.workspace.join("ci/audit.sh");
    let pattern = wheel.with_file_name("mondo_bundle-*.whl");
    // The input `paths` has empty lines and blanks, as a CI file may have.
    let paths = format!("\n   \n  {pattern}\n  ");
    let variables = [
        ("PATHS", paths.as_str()),
        ("SARIF", "action.sarif"),
        ("FAIL_ON", "warning"),
        ("POLICY", ""),
    ];
    environment.shell(&script, &variables).output()?;
    let log = fs_err::read_to_string(environment.project.join("action.sarif"))?;
    let what = "the action left no SARIF log";
    expect(log.contains("\"2.1.0\""), what, log)?;
    let variables = [("PATHS", "none-*.whl"), ("FAIL_ON", "error")];
    let output = environment.shell(&script, &variables).output_unchecked()?;
    let fails = !output.status.success() && output.stderr.contains("none-*.whl");
    let what = "the action takes no wheel for a clean one";
    expect(fails, what, output.stderr)
}

/// The command that the page tells cibuildwheel to run for each wheel.
fn cibuildwheel(environment: &Environment, wheel: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let page = fs_err::read_to_string(context.workspace.join(PAGE))?;
    let command = page
        .lines()
        .find_map(|line| line.strip_prefix("audit-command = \"")?.strip_suffix('"'))
        .ok_or_else(|| failed(format!("{PAGE} has no `audit-command` for cibuildwheel")))?;
    let line = command.replace("{wheel}", wheel.as_str());
    let script = environment.write("audit-command.sh", &line)?;
    environment.shell(&script, &[]).output().map(drop)
}

/// `pre-commit try-repo` with this checkout, for a repository that has the wheel, and one that has a file of that name.
fn pre_commit(environment: &Environment, wheel: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let python = Venv::kept(context, "pre-commit")?.interpreter();
    let folder = environment.project.join("pre-commit");
    fs_err::create_dir_all(&folder)?;
    let good = wheel.file_name().unwrap_or_default();
    fs_err::copy(wheel, folder.join(good))?;
    fs_err::write(folder.join("bad.whl"), "no wheel")?;
    let run = |program: &str, arguments: &[&str]| {
        let tool = environment.program_of(program, "run pre-commit in a repository");
        tool.args(arguments).cwd(&folder).output_unchecked()
    };
    run("git", &["init", "--quiet"])?;
    run("git", &["add", "--all"])?;
    let hook = [
        "-m",
        "pre_commit",
        "try-repo",
        context.workspace.as_str(),
        "mondo-audit",
        "--files",
    ];
    for (file, passes) in [(good, true), ("bad.whl", false)] {
        let output = run(python.as_str(), &[&hook[..], &[file]].concat())?;
        let is_told = output.status.success() == passes && output.stdout.contains("mondo audit");
        let what = format!("pre-commit does not tell {file} from the other file");
        expect(is_told, what, output.stdout + &output.stderr)?;
    }
    Ok(())
}
