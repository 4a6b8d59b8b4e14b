//! What each command does: hand the arguments to `mondo-build` or `mondo-audit`, print the result.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::bundle::{self, Options};
use mondo_build::matrix::{Axes, matrix};
use mondo_build::new_dialect::{self, Language};
use mondo_build::progress::Sink;
use mondo_build::source::Source;
use mondo_build::{Error, ErrorKind, Result, dialect_crate, manifest, toolchain};
use serde_json::{Value, json};

use crate::args::{
    Args, BundleArgs, Command, DoctorArgs, ManifestArgs, MatrixArgs, NewDialectArgs,
};
use crate::progress::{Terminal, Verbosity};
use crate::say;
use crate::{
    audit, bench, coexist, conformance, differential, fuzz, size, survey, test, tidy, userlands,
};

/// Runs the command that `args` names.
pub(crate) fn run(args: &Args, sink: &Terminal) -> Result<()> {
    let workspace = workspace()?;
    let json = args.json();
    match &args.command {
        Command::Bundle(bundle) => make(bundle, &workspace, json, args.verbosity(), sink),
        Command::Plan(plan) => {
            let plan = bundle::make_plan(&plan.manifest.manifest, &plan.overrides())?;
            let text = if json {
                to_json(&plan)?
            } else {
                plan.summary()
            };
            say::out(text);
            Ok(())
        }
        Command::Matrix(axes) => list_jobs(axes, &workspace, json, sink),
        Command::Audit(args) => audit::run(args, json),
        Command::Size(args) => size::run(args, &workspace, json, sink),
        Command::Doctor(doctor) => diagnose(doctor, json),
        Command::Manifest(manifest) => manifests(manifest),
        Command::NewDialect(new) => new_dialect(new),
        Command::Test(test) => {
            let context = test::Context {
                extent: test::Extent::new(test.all),
                ..context(&workspace, sink)?
            };
            test::run(&test.groups, &test.older, &context)
        }
        Command::Survey => survey::run(&context(&workspace, sink)?),
        Command::Coexist => coexist::run(&context(&workspace, sink)?),
        Command::Differential => differential::run(&context(&workspace, sink)?),
        Command::Userlands(args) => {
            userlands::run(&context(&workspace, sink)?, args.fresh, &args.python)
        }
        Command::Fuzz(fuzz) => fuzz::run(&fuzz.targets, fuzz.seconds, true, &workspace),
        Command::Tidy => tidy::run(&workspace, sink),
        Command::Conformance(conformance) => {
            let output = conformance::Output {
                json,
                verbosity: args.verbosity(),
            };
            conformance::run(conformance, &context(&workspace, sink)?, output)
        }
        Command::Bench(bench) => {
            let context = context(&workspace, sink)?;
            bench::run(bench.what, &bench.paths, &context, json)
        }
    }
}

/// What tests and measurements are made with.
fn context<'a>(workspace: &'a Utf8Path, sink: &'a dyn Sink) -> Result<test::Context<'a>> {
    Ok(test::Context {
        workspace,
        sink,
        extent: test::Extent::All,
        toolchain: toolchain::find(&request(DEFAULT_LLVM)?, sink)?,
    })
}

/// The folder of this workspace: xtask's parent. A test that runs a copy says where that is.
fn workspace() -> Result<Utf8PathBuf> {
    let dir = std::env::var("MONDO_WORKSPACE_DIR").map_or_else(
        |_| Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
        Utf8PathBuf::from,
    );
    dir.canonicalize_utf8().map_err(|error| {
        Error::new(ErrorKind::Io, "the workspace is not where it was")
            .at(dir)
            .caused_by(error)
    })
}

fn make(
    args: &BundleArgs,
    workspace: &Utf8Path,
    json: bool,
    verbosity: Verbosity,
    sink: &dyn Sink,
) -> Result<()> {
    let options = Options {
        llvm_dir: args.toolchain.llvm_dir.clone(),
        offline: args.toolchain.offline,
        update_lock: args.toolchain.update_lock,
        out_dir: args.out_dir.clone(),
        force: args.force,
        overrides: args.select.overrides(),
        layout: args.layout.into(),
        ..Options::new(&args.select.manifest.manifest, workspace)
    };
    let bundle = bundle::bundle(&options, sink)?;
    if json {
        say::out(to_json(&bundle.report)?);
    } else if verbosity == Verbosity::Quiet {
        for wheel in [&bundle.wheel].into_iter().chain(&bundle.crate_wheels) {
            say::out(wheel);
        }
    } else {
        let state = if bundle.up_to_date {
            "up to date"
        } else {
            "made"
        };
        say::out(format!(
            "{state}: {}\n{}",
            bundle.wheel,
            bundle.report.table()
        ));
    }
    Ok(())
}

/// One line of JSON for `fromJSON`, or a job a line for people.
fn list_jobs(args: &MatrixArgs, workspace: &Utf8Path, json: bool, sink: &dyn Sink) -> Result<()> {
    let mut axes = Axes {
        manifests: args.manifest.clone(),
        labels: args.label.clone(),
        llvm: args.llvm.clone(),
    };
    if axes.manifests.is_empty() {
        for entry in workspace.join("manifests").read_dir_utf8()? {
            let entry = entry?;
            if entry.path().extension() == Some("toml") {
                axes.manifests.push(Utf8PathBuf::from(format!(
                    "manifests/{}",
                    entry.file_name()
                )));
            }
        }
        axes.manifests.sort();
    }
    let matrix = matrix(&axes, sink)?;
    if json {
        say::out(matrix.to_json()?);
        return Ok(());
    }
    for job in &matrix.include {
        say::out(format!("{:<32} {}", job.name, job.manifest));
    }
    Ok(())
}

fn new_dialect(args: &NewDialectArgs) -> Result<()> {
    let language = if args.rust {
        Language::Rust
    } else {
        Language::Cpp
    };
    let folder = new_dialect::create(&args.name, language, &args.dir, &Source::locate()?)?;
    say::out(format!(
        "made: {folder}\nnext: cargo xtask bundle --manifest {}",
        folder.join("bundle.toml")
    ));
    Ok(())
}

/// The LLVM of every manifest in manifests/.
pub(crate) const DEFAULT_LLVM: u32 = 22;

/// What to look for, by the command line.
pub(crate) fn request(llvm: u32) -> Result<toolchain::Request> {
    toolchain::Request::from_environment(llvm, Source::locate()?.toolchain_lock())
}

fn diagnose(args: &DoctorArgs, json: bool) -> Result<()> {
    let request = toolchain::Request {
        llvm_dir: args.toolchain.llvm_dir.clone(),
        offline: args.toolchain.offline,
        update_lock: args.toolchain.update_lock,
        ..request(args.llvm)?
    };
    let report = toolchain::doctor(&request)?;
    if json {
        say::out(to_json(&report)?);
    } else {
        say::out(report);
    }
    Ok(())
}

fn manifests(args: &ManifestArgs) -> Result<()> {
    if args.schema {
        say::out(to_json(&manifest::schema())?);
    }
    if args.dialect_schema {
        say::out(to_json(&dialect_crate::schema())?);
    }
    for path in &args.paths {
        manifest::load(path)?;
        say::out(format!("{path}: ok"));
    }
    Ok(())
}

pub(crate) fn to_json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string_pretty(value)
        .map_err(|error| Error::new(ErrorKind::Io, "the result is not JSON").caused_by(error))
}

/// An error as JSON: kind, exit code and its parts.
pub(crate) fn error_json(error: &Error) -> Value {
    json!({
        "error": error.kind().name(),
        "exit_code": error.kind().exit_code(),
        "what": error.what(),
        "at": error.place(),
        "offenders": error.offending(),
        "help": error.next_step(),
        "message": error.to_string(),
    })
}
