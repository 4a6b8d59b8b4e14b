//! A project's own tests over the bundle: lit suites, programs and pytest, in a fresh environment with its wheels.

mod environment;
mod lit;
mod missing;
mod places;
mod programs;
mod pytest;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::progress::{self, Sink};
use mondo_link::extension;
use mondo_new::project::package_of;
use mondo_plan::document::suggest;
use mondo_plan::manifest;
use mondo_project::{BuildTree, Tools};
use mondo_toolchain as toolchain;

use self::environment::Environment;
pub use self::environment::TestResult;
use crate::bundle::{self, Bundle, Options};
use crate::kit;

/// The test runners, as pip takes them. lit needs psutil for a suite with a limit of time for each test.
const RUNNERS: &[&str] = &["lit==23.1.5", "psutil==7.2.2", "pytest==9.2.0"];

/// Bundles, and runs the tests of the project `name`: those in the files and folders `tests`, which are below the
/// project's folder, or all if there are none. `with` lists further packages for the environment, as pip takes them.
/// The results are sorted by name.
///
/// # Errors
/// `ErrorKind::Plan` for a name that is not a project's, `ErrorKind::Check` where it has no tests, and the
/// errors of the bundle.
pub fn run(
    name: &str,
    tests: &[Utf8PathBuf],
    with: &[String],
    options: &Options,
    sink: &dyn Sink,
) -> Result<Vec<TestResult>> {
    let manifest = manifest::load_with(&options.manifest, &options.overrides)?;
    let known = manifest
        .projects
        .iter()
        .map(|project| project.name.get_ref().as_str());
    let Some(project) = manifest
        .projects
        .iter()
        .find(|project| project.name.get_ref() == name)
    else {
        return Err(Error::new(
            ErrorKind::Plan,
            format!("the manifest has no project `{name}`"),
        )
        .at(&options.manifest)
        .help(suggest(name, known)));
    };
    let chosen = environment::chosen(project, tests)?;
    let bundle = bundle::bundle(options, sink)?;
    let source = kit::source(options.kit.as_deref(), manifest.llvm.major)?;
    let request = bundle::toolchain_request(&manifest, options, &source)?;
    let toolchain = toolchain::find(&request, sink)?;
    let tools = Tools::find(&options.python, options.offline, sink)?;
    let tree = BuildTree::of(project, &options.work_dir);
    let work = tree.own.join("tests");
    let (python, _) = progress::phase(sink, "environment", "install the wheels", || {
        let python = install(&work.join("venv"), &bundle, with)?;
        Ok::<_, Error>((python, "ready".to_owned()))
    })?;
    let programs = environment::Tools::of(project, manifest.label.as_deref(), &python, &work)?;
    let environment = Environment {
        tools: programs,
        project,
        tree: &tree,
        toolchain: &toolchain,
        python,
        work,
        chosen,
    };
    let suites = lit::suites(&environment)?;
    let folders = suites.iter().filter_map(|suite| suite.source.clone());
    let places = places::Places::of(project, folders.collect());
    places.have_tests(tests, &environment.chosen)?;
    let runs = lit::runs(&environment, &suites);
    if !runs.is_empty() {
        progress::phase(
            sink,
            "tools",
            "build the programs that the tests run",
            || {
                let names = lit::names(&environment, &runs)?;
                let steps = tree.build_programs(names.as_deref(), &tools, &toolchain, sink)?;
                Ok::<_, Error>(((), format!("{steps} steps")))
            },
        )?;
    }
    let (mut results, _) = progress::phase(sink, "tests", name, || {
        let mut results = lit::run(&environment, &runs)?;
        results.extend(programs::run(&environment, suites.is_empty())?);
        results.extend(pytest::run(&environment)?);
        missing::find(&mut results, &environment);
        let failed = results.iter().filter(|result| result.failed()).count();
        let outcome = format!(
            "{} of {} without failure",
            results.len() - failed,
            results.len()
        );
        Ok::<_, Error>((results, outcome))
    })?;
    if results.is_empty() && !tests.is_empty() {
        return Err(places.without_tests(tests.iter().map(Utf8PathBuf::as_path)));
    }
    if results.is_empty() {
        return Err(Error::new(
            ErrorKind::Check,
            format!("no tests found in the project `{name}`"),
        )
        .at(&project.folder)
        .because(
            "its build folder has no lit.site.cfg.py, and its test folders have no test_*.py \
             or *_test.py",
        )
        .help(
            "list the test folders in `tests`, or in `programs` if the tests are Python \
             programs, or enable the tests with the project's own option in `define`",
        ));
    }
    results.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(results)
}

/// The next step where the tests of the project `name` fail because packages are missing.
#[must_use]
pub fn next_step(name: &str, results: &[TestResult], options: &Options) -> Option<String> {
    let manifest = manifest::load_with(&options.manifest, &options.overrides).ok()?;
    let mut projects = manifest.projects.iter();
    let project = projects.find(|project| project.name.get_ref() == name)?;
    let package = package_of(&project.folder);
    missing::help(name, package.as_deref(), results)
}

/// A fresh environment with the bundle's wheels and the runners. Returns its interpreter.
fn install(folder: &Utf8Path, bundle: &Bundle, with: &[String]) -> Result<Utf8PathBuf> {
    Tool::new(extension::program(), "make an environment for the tests")
        .fails_as(ErrorKind::MissingTool)
        .installed_by("apt-get install python3-venv")
        .args(["-m", "venv", "--clear", folder.as_str()])
        .output()?;
    let python = folder.join("bin/python");
    let pip = |purpose: &str| {
        Tool::new(python.as_str(), purpose)
            .fails_as(ErrorKind::Network)
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
            ])
    };
    pip("install the bundle")
        .args(["--no-index", "--no-deps"])
        .arg(&bundle.wheel)
        .args(&bundle.crate_wheels)
        .output()?;
    pip("install the test runners")
        .args(RUNNERS)
        .args(with)
        .output()?;
    Ok(python)
}
