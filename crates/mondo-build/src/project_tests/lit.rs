//! lit, LLVM's test runner, over the suites that a project has configured in its build tree.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::replace;
use mondo_toolchain as toolchain;
use serde::Deserialize;

use super::environment::{Environment, TestResult, tail};

/// The file by which a project configures a suite.
const SITE: &str = "lit.site.cfg.py";

/// Code for a lit configuration that gives a suite the system's shell if the suite asks for it.
const SHELL: &str = include_str!("lit_shell.py");

/// Code for a lit configuration that evaluates a suite's and notes the folder of its tests.
const SOURCE: &str = include_str!("lit_source.py");

/// The regular expression for the interpreter in a RUN line: `%PYTHON`, `%python` or, as CIRCT writes, `%PYTHON%`. A longer
/// name is another substitution, such as `%PYTHONPATH`.
pub(super) const PYTHON: &str = r"%(PYTHON|python)(%|(?!\w))";

/// A suite of the project.
pub(super) struct Suite {
    /// Its configuration in the build tree.
    site: Utf8PathBuf,
    /// The folder of its tests; none if all tests run, for which it is not needed, and if lit does not know it.
    pub(super) source: Option<Utf8PathBuf>,
}

/// The suites of a project's build tree: the topmost of its folders with a configuration.
pub(super) fn suites(environment: &Environment<'_>) -> Result<Vec<Suite>> {
    let mut suites = Vec::new();
    for site in sites(&environment.tree.build)? {
        let source = match environment.chosen.as_slice() {
            [] => None,
            _ => source(environment, &site)?,
        };
        suites.push(Suite { site, source });
    }
    Ok(suites)
}

fn sites(build: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let mut found = Vec::new();
    let mut pending = vec![build.to_owned()];
    while let Some(next) = pending.pop() {
        let site = next.join(SITE);
        if site.is_file() {
            found.push(site);
            continue;
        }
        for entry in next.read_dir_utf8()? {
            let entry = entry?;
            let skipped = entry.file_name().starts_with('.') || entry.file_name() == "CMakeFiles";
            if entry.file_type()?.is_dir() && !skipped {
                pending.push(entry.into_path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The folder of a suite's tests, as lit finds it by evaluating the suite's configuration. A suite may end lit there
/// because the project's programs are not built yet; its main configuration is known by then.
fn source(environment: &Environment<'_>, site: &Utf8Path) -> Result<Option<Utf8PathBuf>> {
    let folder = folder(environment, site);
    let note = folder.join("source.txt");
    let text = format!(
        "site = {:?}\nnote = {:?}\n\n{SOURCE}",
        site.as_str(),
        note.as_str()
    );
    replace(&folder.join(SITE), text.as_bytes())?;
    replace(&note, b"")?;
    lit(environment)
        .args(["--show-suites", folder.as_str()])
        .output_unchecked()?;
    let source = Utf8PathBuf::from(fs_err::read_to_string(&note)?);
    Ok(source.canonicalize_utf8().ok())
}

/// The folder of mondo's configuration for a suite.
fn folder(environment: &Environment<'_>, site: &Utf8Path) -> Utf8PathBuf {
    let name = digest::short(site.as_str());
    environment.work.join("lit").join(name)
}

/// A suite of which tests are run.
pub(super) struct Run<'a> {
    suite: &'a Suite,
    /// The paths of the chosen tests, from the folder of its tests. Empty for all.
    below: Vec<Utf8PathBuf>,
}

/// The suites that have chosen tests.
pub(super) fn runs<'a>(environment: &Environment<'_>, suites: &'a [Suite]) -> Vec<Run<'a>> {
    let mut runs = Vec::new();
    for suite in suites {
        let mut below = Vec::new();
        for path in &environment.chosen {
            if let Some(source) = &suite.source {
                match path.strip_prefix(source) {
                    Ok(inside) => below.push(inside.to_owned()),
                    Err(_) if source.starts_with(path) => below.push(Utf8PathBuf::new()),
                    Err(_) => {}
                }
            }
        }
        if environment.chosen.is_empty() || !below.is_empty() {
            runs.push(Run { suite, below });
        }
    }
    runs
}

/// The texts of the chosen tests, among which the names of the programs are that they run; none if all tests run.
pub(super) fn names(environment: &Environment<'_>, runs: &[Run<'_>]) -> Result<Option<String>> {
    if environment.chosen.is_empty() {
        return Ok(None);
    }
    let mut text = String::new();
    for run in runs {
        let source = run.suite.source.as_deref();
        let source = source.unwrap_or(Utf8Path::new(""));
        let mut pending: Vec<Utf8PathBuf> =
            run.below.iter().map(|path| source.join(path)).collect();
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                for entry in path.read_dir_utf8()? {
                    pending.push(entry?.into_path());
                }
            } else {
                text.push_str(&String::from_utf8_lossy(&fs_err::read(&path)?));
                text.push('\n');
            }
        }
    }
    Ok(Some(text))
}

/// The text of a lit configuration that loads the project's own, and then puts the bundle's programs and packages
/// first.
fn config(environment: &Environment<'_>, site: &Utf8Path) -> String {
    let quoted = |text: &str| format!("{text:?}");
    // A suite's substitutions replace the names of its programs by paths in its build tree. These substitutions come
    // first, so they win.
    let programs = environment.tools.programs.iter();
    let programs = programs.map(|(name, path)| format!("({name:?}, {:?}), ", path.as_str()));
    let programs: String = programs.collect();
    format!(
        "{SHELL}\n\
         import os\nimport re\n\n\
         lit_config.load_config(config, {site})\n\
         python = {python}\n\
         config.environment[\"PATH\"] = {path} + os.pathsep + config.environment.get(\"PATH\", \"\")\n\
         config.substitutions.insert(0, (r\"{PYTHON}\", python))\n\
         for program, path in [{programs}]:\n    \
         word = r\"(?<![-.\\w/])\" + re.escape(program) + r\"(?![-.\\w])\"\n    \
         config.substitutions.insert(0, (word, path))\n",
        site = quoted(site.as_str()),
        python = quoted(environment.python.as_str()),
        path = quoted(&environment.path()),
    )
}

#[derive(Deserialize)]
struct Results {
    tests: Vec<One>,
}

#[derive(Deserialize)]
struct One {
    name: String,
    code: String,
    #[serde(default)]
    output: String,
}

/// Runs the suites.
pub(super) fn run(environment: &Environment<'_>, runs: &[Run<'_>]) -> Result<Vec<TestResult>> {
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let mut paths: Vec<Utf8PathBuf> = Vec::new();
    for Run { suite, below } in runs {
        let site = &suite.site;
        let folder = folder(environment, site);
        replace(&folder.join(SITE), config(environment, site).as_bytes())?;
        // lit takes the path of a test below the folder of its suite's configuration, where the test itself is not.
        paths.extend(below.iter().map(|path| folder.join(path)));
        if below.is_empty() {
            paths.push(folder);
        }
    }
    results(environment, "lit", &paths)
}

/// The Python program that starts lit: that of the bundle's LLVM, for which the project's suites are written, where
/// the toolchain has it, and otherwise the one that pip has installed. The interfaces of suites differ among versions:
/// since LLVM 23, a suite can no longer set `lit_config.maxIndividualTestTime`.
fn program(prefix: &Utf8Path) -> String {
    let start = "import lit.main; lit.main.main()";
    let of_llvm = prefix.join("utils/lit");
    if of_llvm.join("lit/main.py").is_file() {
        format!(
            "import sys; sys.path.insert(0, {:?}); {start}",
            of_llvm.as_str()
        )
    } else {
        start.to_owned()
    }
}

/// lit, without its arguments.
fn lit(environment: &Environment<'_>) -> Tool {
    let tool = Tool::new(environment.python.as_str(), "run lit")
        .fails_as(ErrorKind::Check)
        .args(["-c", &program(&environment.toolchain.prefix)])
        // By this variable, suites that let lit choose a shell use lit's internal one.
        .env("LIT_USE_INTERNAL_SHELL", "1");
    toolchain::with_libraries(tool, environment.toolchain)
}

/// Runs lit over these paths, above which are configurations whose names begin with `prefix`.
pub(super) fn results(
    environment: &Environment<'_>,
    prefix: &str,
    paths: &[Utf8PathBuf],
) -> Result<Vec<TestResult>> {
    let report = environment.work.join(format!("{prefix}.json"));
    if report.exists() {
        fs_err::remove_file(&report)?;
    }
    let output = lit(environment)
        .args(["--quiet", "--output", report.as_str()])
        .args(["--config-prefix", prefix])
        .args(paths)
        .output_unchecked()?;
    let Ok(text) = fs_err::read_to_string(&report) else {
        return Err(Error::new(
            ErrorKind::Check,
            format!(
                "lit cannot run the tests of the project `{}`",
                environment.project.name.get_ref()
            ),
        )
        .because(tail(&format!("{}{}", output.stdout, output.stderr))));
    };
    let results: Results = serde_json::from_str(&text).map_err(|error| {
        Error::new(ErrorKind::Check, "cannot read lit's results")
            .at(&report)
            .caused_by(error)
    })?;
    let result = |one: One| {
        let failed = TestResult {
            name: one.name,
            result: one.code,
            output: Some(tail(&one.output)),
            missing: Vec::new(),
        };
        let output = failed.output.clone().filter(|_| failed.failed());
        TestResult { output, ..failed }
    };
    Ok(results.tests.into_iter().map(result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lit_is_that_of_the_bundles_llvm() {
        let folder = tempfile::tempdir().unwrap();
        let prefix = Utf8Path::from_path(folder.path()).unwrap();
        assert_eq!(program(prefix), "import lit.main; lit.main.main()");
        let lit = prefix.join("utils/lit/lit");
        fs_err::create_dir_all(&lit).unwrap();
        fs_err::write(lit.join("main.py"), "").unwrap();
        let expected = format!(
            "import sys; sys.path.insert(0, \"{prefix}/utils/lit\"); import lit.main; lit.main.main()"
        );
        assert_eq!(program(prefix), expected);
    }
}
