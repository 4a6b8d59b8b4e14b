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
use mondo_build::{Error, ErrorKind, Result, audit, bundle, compile};
use mondo_testbed::files::{expect_same, wheel_in};
use mondo_testbed::verdict::{expect, expect_end, failed};
use mondo_testbed::{Context, Extent};

use environment::Environment;
use index::Index;

/// The bundles; `--all` has more than the first.
const BUNDLES: [&str; 3] = ["core", "standard", "default"];

/// Makes both wheels, installs them, begins a project that pip builds, and makes bundles with them alone.
/// Without `--all` that is core; `--all` also has the other bundles of a release, the release as a set, and a
/// second build of the command's wheel.
pub fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let scratch = context.empty_folder("installed")?;
    let dist = scratch.join("dist");
    let wheels = wheels(&dist, context)?;
    if extent.is_all() {
        let again = command(&scratch.join("again"), context)?;
        expect_same(
            &again,
            &wheels[0],
            "two builds of the command's wheel differ",
        )?;
    }
    for audit in audit::files(&wheels)? {
        audit::judge(&audit)?;
        let warnings = audit.findings.iter();
        let warnings = warnings.filter(|finding| finding.severity == Severity::Warning);
        let warnings: Vec<&str> = warnings.map(|finding| finding.what.as_str()).collect();
        let what = "the audit warns of a wheel of mondo's own";
        expect(warnings.is_empty(), what, warnings.join("\n"))?;
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
    environment.no_rust.was_not_started()?;
    for name in extent.first(1, &BUNDLES) {
        bundles(name, &wheels, &environment, context)?;
    }
    if extent.is_all() {
        release::check(&environment, &wheels, &scratch, context)?;
    }
    refusals(&environment, context)
}

/// The wheel of the command, then that of the kit.
pub(crate) fn wheels(dist: &Utf8Path, context: &Context<'_>) -> Result<[Utf8PathBuf; 2]> {
    let kit = kit(dist, context)?;
    // The kit's folder is removed, so that only the kit in the wheel can be found.
    fs_err::remove_dir_all(kit.folder)?;
    Ok([command(dist, context)?, kit.wheel.path])
}

/// The kit of the manifests' LLVM.
pub(crate) fn kit(out_dir: &Utf8Path, context: &Context<'_>) -> Result<kit::Built> {
    let options = Options {
        llvm: mondo::DEFAULT_LLVM,
        llvm_dir: None,
        offline: false,
        out_dir: out_dir.to_owned(),
        work_dir: bundle::work_dir(context.workspace),
    };
    kit::build(&options, context.sink)
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
        let output = environment.mondo(arguments).output_unchecked()?;
        expect_end(&format!("mondo {arguments:?}"), &output, 0, &[expected])?;
    }
    let program = environment
        .python("find the installed program")
        .arg("-c")
        .arg("import mondo_bundle as own; print(own.executable(), own.__version__)")
        .output()?;
    let expected = format!("{} {}", environment.program(), kit::VERSION);
    let finds = program.stdout.trim() == expected;
    let what = "the Python package does not find the program";
    expect(finds, what, program.stdout)?;
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
        let what = "pip and cargo install different commands";
        expect(by_pip == by_cargo, what, by_cargo)?;
    }
    Ok(())
}

/// Makes the bundle of a manifest, compares it with the one that cargo made, and imports it.
fn bundles(
    name: &str,
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
    let folder = environment.project.join(&out);
    let wheel = wheel_in(&folder)?;
    let with_cargo = context.bundle(name)?.wheel;
    expect_same(&wheel, &with_cargo, "a kit and cargo give different wheels")?;
    environment.no_rust.was_not_started()?;
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
    for (what, took) in [("at first", first), ("again", again)] {
        let [elapsed, processors] = [took.elapsed, took.processors].map(|time| time.as_secs_f64());
        console::err(format!(
            "{name} {what}: {elapsed:.1} s, and {processors:.1} s of processors"
        ));
    }
    Ok(())
}

/// The time of a command.
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
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks: Option<Vec<u32>> = ticks.map(|field| field.parse().ok()).collect();
    match ticks.as_deref() {
        Some([user, system]) => Ok(TICK * (user + system)),
        _ => Err(failed("Linux does not tell the time of processors").because(text)),
    }
}

/// Kits that are not there, do not fit or are damaged, and a bundle that needs more than a kit.
fn refusals(environment: &Environment, context: &Context<'_>) -> Result<()> {
    let refused = |arguments: &[&str], code: i32, words: &[&str]| {
        let bundle = ["bundle", "--offline", "--manifest"];
        let output = environment
            .mondo(&bundle)
            .args(arguments)
            .output_unchecked()?;
        expect_end(&format!("a bundle of {arguments:?}"), &output, code, words)
    };
    let core = "manifests/core.toml";
    let kit = environment.kit();
    let with_kit = ["--kit", kit.as_str()];
    let nowhere = ["contains no kit", "nowhere", "mondo kit build --llvm 22"];
    refused(&[core, "--kit", "nowhere"], 12, &nowhere)?;
    let no_kit = ["no kit for LLVM 19", "mondo-kit-19"];
    refused(&[core, "--llvm", "19"], 12, &no_kit)?;
    let other_llvm = [&[core, "--llvm", "19"], &with_kit[..]].concat();
    refused(&other_llvm, 12, &["for LLVM 22", "uses LLVM 19"])?;
    let changed =
        |file: &str, change: &dyn Fn(&str) -> String, arguments: &[&str], code, words: &[&str]| {
            let path = kit.join(file);
            let text = fs_err::read_to_string(&path)?;
            let other = change(&text);
            let what = format!("{path} lacks what is changed");
            expect(other != text, what, text.as_str())?;
            fs_err::write(&path, other)?;
            refused(arguments, code, words)?;
            fs_err::write(&path, text).map_err(Error::from)
        };
    let version = format!("\"mondo\": \"{}\"", kit::VERSION);
    let older = |text: &str| text.replace(&version, "\"mondo\": \"0.0.1\"");
    let words = ["it is for mondo 0.0.1", "pip install mondo-kit-22"];
    changed(
        "kit.json",
        &older,
        &[&[core], &with_kit[..]].concat(),
        12,
        &words,
    )?;
    let units = context.workspace.join("crates/dialects/units");
    let manifest = format!(
        "manifest = 1\n[package]\ndistribution = \"x\"\nlicense = \"MIT\"\n\
         [llvm]\nversion = \"22\"\ntargets = []\n\
         [contents]\ndialects = [\"arith\", \"units\"]\ncrates = [\"{units}\"]\n"
    );
    environment.write("rust.toml", &manifest)?;
    refused(&["rust.toml"], 12, &["Rust dialect", "MONDO_SOURCE_DIR"])?;
    let ir = "bundle/python/ir.py";
    changed(
        ir,
        &|text| format!("{text}\n"),
        &[core],
        15,
        &["damaged", ir],
    )?;
    environment.no_rust.was_not_started()?;
    // This comes after the check that no Rust was started, as `doctor` starts each program that it
    // finds.
    let said = environment.mondo(&["doctor"]).output()?.stdout;
    let sees = said.contains(kit.as_str()) && !said.contains("rustup");
    let what = "the doctor does not see the kit, or asks for Rust";
    expect(sees, what, said)
}
