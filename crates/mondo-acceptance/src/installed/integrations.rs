//! Other tools that run the audit: the composite action of CI, pre-commit, and cibuildwheel's
//! `audit-command`.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_testbed::Context;

use super::environment::{Environment, failed};

/// The page with the line for cibuildwheel.
const PAGE: &str = "docs/guide/audit.md";

/// Runs each over `wheel`, which is clean.
pub(super) fn check(
    environment: &Environment,
    wheel: &Utf8Path,
    context: &Context<'_>,
) -> Result<()> {
    action(environment, wheel, context)?;
    cibuildwheel(environment, wheel, context)?;
    hook(environment, wheel, context)
}

/// The action's step, with the variables that its file sets.
fn action(environment: &Environment, wheel: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let text = fs_err::read_to_string(context.workspace.join("action.yml"))?;
    for variable in ["PATHS", "SARIF", "FAIL_ON", "POLICY"] {
        if !text.contains(&format!("        {variable}: ${{{{ inputs.")) {
            return Err(failed(format!("action.yml does not set {variable}")));
        }
    }
    let script = context.workspace.join("ci/audit.sh");
    let pattern = wheel.with_file_name("mondo-*.whl");
    // As a file of CI has it that is not careful about blanks.
    let paths = format!("\n   \n  {pattern}\n  ");
    let variables = [
        ("PATHS", paths.as_str()),
        ("SARIF", "action.sarif"),
        ("FAIL_ON", "warning"),
        ("POLICY", ""),
    ];
    environment.shell(&script, &variables).output()?;
    let log = fs_err::read_to_string(environment.project.join("action.sarif"))?;
    if !log.contains("\"2.1.0\"") {
        return Err(failed("the action left no SARIF log"));
    }
    let variables = [("PATHS", "none-*.whl"), ("FAIL_ON", "error")];
    let output = environment.shell(&script, &variables).output_unchecked()?;
    if output.status.success() || !output.stderr.contains("none-*.whl") {
        return Err(failed("the action takes no wheel for a clean one").because(output.stderr));
    }
    Ok(())
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

/// The entry of the pre-commit hook, as pre-commit starts it: with the names of files.
fn hook(environment: &Environment, wheel: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let hooks = fs_err::read_to_string(context.workspace.join(".pre-commit-hooks.yaml"))?;
    let value = |key: &str| {
        let line = hooks.lines().find_map(|line| line.trim().strip_prefix(key));
        line.map(str::trim)
            .ok_or_else(|| failed(format!(".pre-commit-hooks.yaml has no `{key}`")))
    };
    if value("- id:")? != "mondo-audit" {
        return Err(failed("the hook is not called mondo-audit"));
    }
    let line = format!("{} '{wheel}'", value("entry:")?);
    let script = environment.write("hook.sh", &line)?;
    environment.shell(&script, &[]).output().map(drop)
}
