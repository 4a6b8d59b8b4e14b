//! mondo as its users have it: installed by pip from its two wheels, without Rust, in an empty home.

mod ci;
mod editable;
pub(crate) mod environment;
mod index;
mod integrations;
mod isolated;
mod release;
mod toy;
mod users;

use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_audit::Severity;
use mondo_build::kit::{self, CommandOptions, Options};
use mondo_build::{ErrorKind, Result, audit, bundle, compile};
use mondo_testbed::files::wheel_in;
use mondo_testbed::{Context, Extent};

use environment::{Environment, failed};
use index::Index;

/// The longest that a bundle may take on two cores with nothing else to do: a first one, and one again with everything in
/// the caches. On a machine with more to do, the time of the processors tells: it may be that of both cores.
const FIRST: Duration = Duration::from_secs(60);
const AGAIN: [(&str, Duration); 3] = [
    ("core", Duration::from_secs(3)),
    ("standard", Duration::from_secs(10)),
    ("default", Duration::from_secs(10)),
];

/// Makes both wheels, installs them, begins a project that pip builds, and makes bundles with them alone.
/// Without `--all` that is core; `--all` also has the other bundles of a release, the release as a set, and a
/// second build of the command's wheel.
///
/// # Errors
///
/// If a result is not the expected one.
pub fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let scratch = context.empty_folder("installed")?;
    let dist = scratch.join("dist");
    let wheels = wheels(&dist, context)?;
    if extent.is_all() {
        let again = command(&scratch.join("again"), context)?;
        if fs_err::read(&again)? != fs_err::read(&wheels[0])? {
            return Err(failed("two builds of the command's wheel differ").details([again]));
        }
    }
    for audit in audit::files(&wheels)? {
        audit::judge(&audit)?;
        let warnings = audit.findings.iter();
        let warnings = warnings.filter(|finding| finding.severity == Severity::Warning);
        let warnings: Vec<&str> = warnings.map(|finding| finding.what.as_str()).collect();
        if !warnings.is_empty() {
            return Err(failed("the audit warns of a wheel of mondo's own").details(warnings));
        }
    }
    let environment = Environment::new(&scratch, &wheels, context)?;
    command_line(&environment)?;
    integrations::check(extent, &environment, &wheels[0], context)?;
    let pinned = isolated::pinned(extent, &environment, &scratch)?;
    let index = Index::start(&scratch.join("index"), context)?;
    index.add(&dist)?;
    index.add(&pinned)?;
    toy::check(&environment, &index, context)?;
    let developed = isolated::without_pip(&environment, toy::NAME, &pinned)?;
    editable::check(extent, &environment, &developed, &index, context)?;
    users::check(&environment, &index, context)?;
    if extent.is_all() {
        by_cargo(&environment, &scratch, context)?;
        isolated::frontends(&environment, &index, context)?;
        ci::check(&environment, &index, &scratch, context)?;
    }
    index.nothing_foreign(&environment)?;
    environment.no_rust_was_started()?;
    for (name, limit) in extent.first(1, &AGAIN) {
        bundles(name, *limit, &wheels, &environment, context)?;
    }
    if extent.is_all() {
        release::check(&environment, &wheels, &scratch, context)?;
    }
    refusals(&environment, context)
}

/// The wheel of the command, then that of the kit.
pub(crate) fn wheels(dist: &Utf8Path, context: &Context<'_>) -> Result<[Utf8PathBuf; 2]> {
    let options = Options {
        llvm: mondo::DEFAULT_LLVM,
        llvm_dir: None,
        offline: false,
        out_dir: dist.to_owned(),
        work_dir: bundle::work_dir(context.workspace),
    };
    let kit = kit::build(&options, context.sink)?;
    // The kit's folder is removed, so that only the kit in the wheel can be found.
    fs_err::remove_dir_all(kit.folder)?;
    Ok([command(dist, context)?, kit.wheel.path])
}

fn command(dist: &Utf8Path, context: &Context<'_>) -> Result<Utf8PathBuf> {
    let options = CommandOptions {
        out_dir: dist.to_owned(),
        work_dir: bundle::work_dir(context.workspace),
    };
    Ok(kit::command(&options, context.sink)?.path)
}

/// The commands that need no compiler.
fn command_line(environment: &Environment) -> Result<()> {
    for (arguments, expected) in [
        (&["--version"][..], "LLVM 19, 22"),
        (&["kit", "check"], "complete"),
        (&["completions", "bash"], "_mondo()"),
        (&["man"], ".TH mondo 1"),
        (&["plan", "--manifest", "manifests/core.toml"], "arith"),
    ] {
        let said = environment.mondo(arguments).output()?;
        if !said.stdout.contains(expected) {
            return Err(failed(format!(
                "`mondo {}` does not print {expected:?}",
                arguments.join(" ")
            ))
            .because(said.stdout));
        }
    }
    let program = environment
        .python("find the installed program")
        .arg("-c")
        .arg("import mondo_bundle as own; print(own.executable(), own.__version__)")
        .output()?;
    let expected = format!("{} {}", environment.program(), kit::VERSION);
    if program.stdout.trim() != expected {
        return Err(failed("the Python package does not find the program")
            .because(program.stdout)
            .help(expected));
    }
    environment
        .python("start the program as a module")
        .args(["-m", "mondo_bundle", "--help"])
        .output()
        .map(drop)
}

/// `cargo install` gives the same command. Without the optimizer, as the rest of this program was compiled: that is
/// there already.
fn by_cargo(environment: &Environment, scratch: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let root = scratch.join("by-cargo");
    compile::cargo("install the command")
        .fails_as(ErrorKind::Check)
        .args(["install", "--locked", "--quiet", "--profile", "xtask"])
        .args(["--path", "crates/mondo", "--root", root.as_str()])
        .cwd(context.workspace)
        .output()?;
    let program = root.join("bin/mondo");
    for arguments in [&["--help"][..], &["--version"], &["man"]] {
        let by_pip = environment.mondo(arguments).output()?.stdout;
        let by_cargo = environment
            .program_of(program.as_str(), "run the command that cargo installed")
            .args(arguments)
            .output()?
            .stdout;
        if by_pip != by_cargo {
            return Err(
                failed("pip and cargo install different commands").details([by_pip, by_cargo])
            );
        }
    }
    Ok(())
}

/// Makes the bundle of a manifest, compares it with the one that cargo made, and imports it.
fn bundles(
    name: &str,
    limit: Duration,
    wheels: &[Utf8PathBuf],
    environment: &Environment,
    context: &Context<'_>,
) -> Result<()> {
    let manifest = format!("manifests/{name}.toml");
    let out = format!("dist-{name}");
    let arguments = [
        "bundle",
        "--quiet",
        "--manifest",
        &manifest,
        "--out-dir",
        &out,
    ];
    let first = timed(&arguments, environment)?;
    let again = timed(&[&arguments[..], &["--force"]].concat(), environment)?;
    for (what, took, limit) in [("at first", first, FIRST), ("again", again, limit)] {
        console::err(format!(
            "{name} {what}: {:.1} s, and {:.1} s of processors; allowed are {} s on two quiet cores",
            took.elapsed.as_secs_f64(),
            took.processors.as_secs_f64(),
            limit.as_secs()
        ));
    }
    let folder = environment.project.join(&out);
    let wheel = wheel_in(&folder)?;
    let with_cargo = context.bundle(name)?.wheel;
    if wheel.file_name() != with_cargo.file_name()
        || fs_err::read(&wheel)? != fs_err::read(&with_cargo)?
    {
        return Err(failed("a kit and cargo give different wheels").details([wheel, with_cargo]));
    }
    environment.no_rust_was_started()?;
    environment
        .mondo(&["check", wheel.as_str()])
        .args(wheels)
        .output()?;
    environment.install(&[wheel.as_str()])?;
    environment
        .python("use the bundle")
        .args(["-c", PROGRAM])
        .output()?;
    environment.uninstall(&match name {
        "default" => "mondo-mlir".to_owned(),
        other => format!("mondo-mlir-{other}"),
    })?;
    for (took, limit) in [(first, FIRST), (again, limit)] {
        if took.processors > limit * 2 {
            return Err(failed(format!(
                "the bundle {name} took {:.1} s of processors, which two cores cannot do in {} s",
                took.processors.as_secs_f64(),
                limit.as_secs()
            )));
        }
        // The machine may be busy: what cannot be explained by that is a defect.
        if took.elapsed > limit * 4 {
            return Err(failed(format!(
                "the bundle {name} took {:.1} s, and {} s are allowed",
                took.elapsed.as_secs_f64(),
                limit.as_secs()
            )));
        }
    }
    Ok(())
}

/// The time of a command.
#[derive(Clone, Copy)]
struct Took {
    elapsed: Duration,
    /// The time of all processors, also in the programs that were started.
    processors: Duration,
}

/// A program that uses an installed bundle.
const PROGRAM: &str = "\
from mlir.ir import Context, Module
with Context():
    module = Module.parse('func.func @f() { return }')
    assert 'func.func @f()' in str(module), str(module)
";

fn timed(arguments: &[&str], environment: &Environment) -> Result<Took> {
    let (start, before) = (Instant::now(), of_children()?);
    environment.mondo(arguments).output()?;
    Ok(Took {
        elapsed: start.elapsed(),
        processors: of_children()?.saturating_sub(before),
    })
}

/// The time of processors that the finished programs of this process took (`man 5 proc`: `cutime` and `cstime`).
fn of_children() -> Result<Duration> {
    /// Linux tells it in hundredths of seconds, whatever the kernel counts in.
    const TICK: Duration = Duration::from_millis(10);
    let text = fs_err::read_to_string("/proc/self/stat")?;
    // The name of the program, in parentheses, may have spaces.
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks: Option<Vec<u32>> = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .map(|field| field.parse().ok())
        .collect();
    match ticks.as_deref() {
        Some([user, system]) => Ok(TICK * (user + system)),
        _ => Err(failed("Linux does not tell the time of processors").because(text)),
    }
}

/// Kits that are not there, do not fit or are damaged, and a bundle that needs more than a kit.
fn refusals(environment: &Environment, context: &Context<'_>) -> Result<()> {
    let bundle = ["bundle", "--offline", "--manifest"];
    let refused = |arguments: &[&str], code: i32, words: &[&str]| -> Result<()> {
        let output = environment.mondo(arguments).output_unchecked()?;
        let all = words.iter().all(|word| output.stderr.contains(word));
        if output.status.code() == Some(code) && all {
            return Ok(());
        }
        Err(failed(format!(
            "`mondo {}` is to end with {code}",
            arguments.join(" ")
        ))
        .because(output.stderr)
        .details(words.iter().map(ToString::to_string)))
    };
    let core = "manifests/core.toml";
    refused(
        &[&bundle[..], &[core, "--kit", "nowhere"]].concat(),
        12,
        &["contains no kit", "nowhere", "mondo kit build --llvm 22"],
    )?;
    refused(
        &[&bundle[..], &[core, "--llvm", "19"]].concat(),
        12,
        &["no kit for LLVM 19", "mondo-kit-19"],
    )?;
    let kit = environment.kit();
    let arguments = [&bundle[..], &[core, "--llvm", "19", "--kit", kit.as_str()]].concat();
    refused(&arguments, 12, &["for LLVM 22", "uses LLVM 19"])?;
    let record = kit.join("kit.json");
    let own = fs_err::read_to_string(&record)?;
    let version = format!("\"mondo\": \"{}\"", kit::VERSION);
    if !own.contains(&version) {
        return Err(failed("kit.json does not say the version of mondo").at(record));
    }
    fs_err::write(&record, own.replace(&version, "\"mondo\": \"0.0.1\""))?;
    let arguments = [&bundle[..], &[core, "--kit", kit.as_str()]].concat();
    refused(
        &arguments,
        12,
        &["it is for mondo 0.0.1", "pip install mondo-kit-22"],
    )?;
    fs_err::write(&record, own)?;
    let units = context.workspace.join("crates/dialects/units");
    environment.write(
        "rust.toml",
        &format!(
            "manifest = 1\n[package]\ndistribution = \"x\"\nlicense = \"MIT\"\n\
             [llvm]\nversion = \"22\"\ntargets = []\n\
             [contents]\ndialects = [\"arith\", \"units\"]\ncrates = [\"{units}\"]\n"
        ),
    )?;
    refused(
        &[&bundle[..], &["rust.toml"]].concat(),
        12,
        &["Rust dialect", "MONDO_SOURCE_DIR"],
    )?;
    let changed = kit.join("bundle/python/ir.py");
    let text = fs_err::read_to_string(&changed)?;
    fs_err::write(&changed, format!("{text}\n"))?;
    refused(
        &[&bundle[..], &[core]].concat(),
        15,
        &["damaged", "bundle/python/ir.py"],
    )?;
    fs_err::write(&changed, text)?;
    environment.no_rust_was_started()?;
    // This comes after the check that no Rust was started, as `doctor` starts each program that it
    // finds.
    let said = environment.mondo(&["doctor"]).output()?.stdout;
    if said.contains(kit.as_str()) && !said.contains("rustup") {
        return Ok(());
    }
    Err(failed("the doctor does not see the kit, or asks for Rust").because(said))
}
