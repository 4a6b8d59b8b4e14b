//! Projects from their own CMake: `examples/toy-project` as its users have it, and what each mistake
//! of a project is answered with.

use std::time::Instant;

use camino::{Utf8Path, Utf8PathBuf};
use mondo::{DEFAULT_LLVM, console};
use mondo_build::bundle::{self, Bundle, Options};
use mondo_build::exec::Tool;
use mondo_build::progress::Recorded;
use mondo_build::project_tests;
use mondo_build::{ErrorKind, Result, digest, toolchain};
use mondo_testbed::files::{copy_tree, replace_in};
use mondo_testbed::verdict::{expect, expect_words, failed};
use mondo_testbed::{Context, Extent, Venv, cargo};

use crate::project_bundle::{options, passed, shows, tested};
use crate::standalone;

/// The `mlir` folder of LLVM's sources: the one that `MONDO_LLVM_SRC` names, else that of the distribution's
/// source package, which is downloaded once.
pub fn llvm_sources(context: &Context<'_>) -> Result<Utf8PathBuf> {
    let named = std::env::var("MONDO_LLVM_SRC").ok();
    if let Some(named) = named.filter(|folder| !folder.is_empty()) {
        return Ok(named.into());
    }
    let request = mondo::request(DEFAULT_LLVM)?;
    Ok(toolchain::sources(&request, context.sink)?.mlir)
}

/// Bundles projects from their own CMake, runs their tests, changes them and makes mistakes in them.
pub fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    cargo::test_program(context, "projects", "answer the mistakes of projects")?;
    toys(context)?;
    kinds(context)?;
    if extent.is_all() {
        fortran(context)?;
    }
    let sources = llvm_sources(context)?;
    standalone::check(context, &sources)?;
    if extent.is_all() {
        test_dialects(context, &sources)?;
        llvm_tests(context, &sources)?;
    }
    Ok(())
}

/// A package that tests of projects need, in the version of this repository's own tests, as pip takes it.
fn pinned(package: &str, context: &Context<'_>) -> Result<String> {
    let list = context.workspace.join("tests/python/requirements.txt");
    let text = fs_err::read_to_string(&list)?;
    let mut lines = text.lines();
    let line = lines.find(|line| line.split("==").next() == Some(package));
    let line = line.map(str::to_owned);
    line.ok_or_else(|| failed(format!("no version of {package} is pinned")).at(list))
}

/// A class that is misspelt is named where the manifest has it.
fn misspelt(options: &Options, manifest: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let text = replace_in(manifest, "\"TagAttr\"", "\"TagAtr\"")?;
    let line = text.lines().position(|line| line.contains("\"TagAttr\""));
    let said = bundle::bundle(options, context.sink).map(|made| made.wheel.to_string());
    fs_err::write(manifest, text)?;
    let said = said.unwrap_or_else(|error| error.to_string());
    let place = format!("bundle.toml:{}:", line.unwrap_or_default() + 1);
    let what = "a misspelt class is not named where the manifest has it";
    expect_words(what, &said, &[&place, "did you mean `TagAttr`?"])
}

/// Makes a lit suite run its tests in the system's shell, one of which needs it, and its configuration in the build tree
/// compute the path of its main one, as `StableHLO` does.
fn change_configuration(suite: &Utf8Path) -> Result<()> {
    replace_in(&suite.join("lit.cfg.py"), "ShTest()", "ShTest(True)")?;
    let test = "// RUN: test \"$(basename %s)\" = shell.mlir\n";
    fs_err::write(suite.join("shell.mlir"), test)?;
    let [written, computed] = ["DIR@/test", "DIR@\" + \"/test"];
    replace_in(&suite.join("lit.site.cfg.py.in"), written, computed).map(drop)
}

/// A test that ends the interpreter, and a file that cannot be imported, hide no other test and do not pass; those after
/// the first, in the order of their files, did not run.
fn crash(folder: &Utf8Path, options: &Options, context: &Context<'_>) -> Result<()> {
    let files = [
        ("import_test.py", "import no_such_module\n"),
        (
            "y_crash_test.py",
            "import os\ndef test_crash(): os.abort()\n",
        ),
        ("z_test.py", "def test_z(): pass\n"),
    ];
    for (file, text) in files {
        fs_err::write(folder.join(file), text)?;
    }
    let results = project_tests::run("garden", &[], &[], options, context.sink)?;
    for (file, _) in files {
        fs_err::remove_file(folder.join(file))?;
    }
    let failed = results.iter().filter(|result| result.failed());
    let failed: Vec<&str> = failed.map(|result| result.name.as_str()).collect();
    let is_named = |file: &str| failed.iter().any(|test| test.contains(file));
    let all = files.iter().all(|(file, _)| is_named(file)) && failed.len() == files.len();
    let what = "a test that ends the interpreter is not a failure";
    expect(all && failed.len() < results.len(), what, failed.join(", "))
}

/// A chosen folder without tests is named, and so are those that have some.
fn without_tests(options: &Options, context: &Context<'_>) -> Result<()> {
    let chosen = ["test/forward.mlir".into(), "lib/Toy".into()];
    let outcome = project_tests::run("toy", &chosen, &[], options, context.sink).map_or_else(
        |error| error.to_string(),
        |results| format!("{} results", results.len()),
    );
    let words = ["`toy` has no tests in `lib/Toy`", "test (lit)"];
    expect_words(
        "a chosen folder without tests is not named",
        &outcome,
        &words,
    )
}

/// The entry of the project's own program, and that of the bundle's tool in its place.
const OWN_PROGRAM: &str = "tools = { toy-opt = { command = \"toy-opt\" } }\n";
const TOOL: &str = "tools = { toy-opt = \"opt\" }\n";

/// Makes the first project's own program a command of the bundle, and checks in its suite that it is the one that runs.
fn with_own_program(folder: &Utf8Path) -> Result<()> {
    let toy = "modules = \"ToyPythonModules\"\n";
    let with_program = format!("{toy}{OWN_PROGRAM}");
    replace_in(&folder.join("bundle.toml"), toy, &with_program)?;
    runs_as("toy-opt", folder)
}

/// Writes a test of the first project that its program is this command of the wheel.
fn runs_as(command: &str, folder: &Utf8Path) -> Result<()> {
    let test = format!(
        "// RUN: echo toy-opt > %t\n// RUN: FileCheck %s --input-file=%t\n// CHECK: /bin/{command}{{{{$}}}}\n"
    );
    fs_err::write(folder.join("toy/test/tool.mlir"), test)?;
    Ok(())
}

/// Two projects in one library: their own tests, a change of one file, and no change.
fn toys(context: &Context<'_>) -> Result<()> {
    let folder = copied(context, "examples/toy-project", "toy-project")?;
    let options = options(context, folder.join("bundle.toml"), "toys");
    with_own_program(&folder)?;
    let made = bundle::bundle(&options, context.sink)?;
    let what = "the report has both projects";
    shows(made.report.projects.len() == 2, what, &made)?;
    change_configuration(&folder.join("toy/test"))?;
    for name in ["toy", "garden"] {
        tested(name, &[pinned("mypy", context)?], &options, context)?;
    }
    crash(&folder.join("garden/test"), &options, context)?;
    without_tests(&options, context)?;
    misspelt(&options, &folder.join("bundle.toml"), context)?;
    unchanged(&options)?;

    let source = folder.join("toy/lib/Toy/Toy.cpp");
    replace_in(&source, "has more than", "has got more than")?;
    let edited = bundle::bundle(&options, context.sink)?;
    let projects = edited.report.projects.iter();
    let steps: Vec<usize> = projects.map(|project| project.steps).collect();
    // The object and its archive; the second project has no file of it.
    let one_object = !edited.up_to_date && steps == [2, 0];
    shows(one_object, "one object is compiled again", &edited)?;
    together(&folder, &options, context)
}

/// A bundle in which nothing changed asks Ninja about the projects, which has nothing to do, and runs no phase after that.
fn unchanged(options: &Options) -> Result<()> {
    let phases = Recorded::default();
    let start = Instant::now();
    let again = bundle::bundle(options, &phases)?;
    let seconds = start.elapsed().as_secs_f64();
    console::err(format!("nothing changed: {seconds:.2} s"));
    let projects = again.report.projects.iter();
    let archives: Vec<String> = projects
        .map(|project| format!("{}: {} archives", project.name, project.archives))
        .collect();
    let ran = phases.into_ended();
    let only = [("projects".to_owned(), archives.join("; "))];
    let what = format!("nothing is done where nothing changed: {ran:?}");
    shows(again.up_to_date && ran == only, &what, &again)
}

/// The same projects in one wheel, whose `opt` runs the first one's suite in place of its own program.
fn together(folder: &Utf8Path, options: &Options, context: &Context<'_>) -> Result<()> {
    let manifest = folder.join("bundle.toml");
    let single = "[wheel]\nsingle = true\n\n[contents]\ntools = [\"opt\"]\n";
    replace_in(&manifest, "[contents]\n", single)?;
    replace_in(&manifest, OWN_PROGRAM, TOOL)?;
    runs_as("acme-opt", folder)?;
    for name in ["toy", "garden"] {
        tested(name, &[], options, context)?;
    }
    let made = bundle::bundle(options, context.sink)?;
    let is_one = made.up_to_date && made.crate_wheels.is_empty();
    shows(is_one, "all is in one wheel", &made)
}

/// Projects that want to be part of LLVM's build, each in a wheel of its own, and the audit of a bundle that
/// they break.
fn kinds(context: &Context<'_>) -> Result<()> {
    let folder = copied(context, "crates/mondo-project/fixtures/kinds", "kinds")?;
    let manifest = folder.join("bundle.toml");
    let options = options(context, manifest.clone(), "kinds");
    for name in ["island", "harbor", "lagoon", "reef"] {
        tested(name, &[], &options, context)?;
    }
    let made = bundle::bundle(&options, context.sink)?;
    let projects = &made.report.projects;
    let excluded: Vec<&String> = projects
        .iter()
        .flat_map(|project| &project.excluded)
        .collect();
    let holds =
        matches!(excluded[..], [one] if one.contains("`island_tools` of the project `island`"));
    let what = "the report names the extension that no bundle has, and nothing else";
    shows(holds, what, &made)?;
    for note in [
        "`harbor` and the bundle's LLVM both define the target MLIRTestReducer",
        // Harbor's CMake also declares MLIR's own Python package, and another module.
        "`harbor` embeds the Python of dialects that this bundle lacks: scf, transform;",
    ] {
        let what = &format!("the report says that {note}");
        shows(has_note(&made, note), what, &made)?;
    }
    let before = digest::of_tree(&options.out_dir)?;
    let stones = stones(&folder)?;
    let root = "python-root = true\n";
    let with_stones = format!("{root}define = {{ ISLAND_STONES = \"{stones}\" }}\n");
    let copy = "/../base\"\nHARBOR_COPY = true\n";
    let not_independent = [
        "libstones.a is not position-independent",
        "libstones.a(stones.o): R_",
        "CMakeLists.txt) of the project `island` links",
    ];
    let two_copies = [
        "TypeIDResolverIN6harbor5BasinEvE2idE",
        "libMLIRHarborBase.a(Depth.cpp.o) in _harbor.",
        "libMLIRHarborBase.a belongs to `harbor`",
    ];
    for (kind, from, to, words) in [
        (ErrorKind::Link, root, &*with_stones, not_independent),
        (ErrorKind::Audit, "/../base\"\n", copy, two_copies),
    ] {
        let text = replace_in(&manifest, from, to)?;
        let said = match bundle::bundle(&options, context.sink) {
            Ok(made) => return shows(false, "a bundle with a clash is refused", &made),
            Err(error) if error.kind() == kind => error.to_string(),
            Err(error) => return Err(error),
        };
        fs_err::write(&manifest, text)?;
        expect_words("the error of a clash lacks a word", &said, &words)?;
    }
    let is_kept = digest::of_tree(&options.out_dir)? == before;
    let what = "a bundle that was refused changed the wheels of before";
    expect(is_kept, what, options.out_dir)
}

/// Whether the report of a project in the bundle has a note with this text.
fn has_note(made: &Bundle, text: &str) -> bool {
    let mut notes = made
        .report
        .projects
        .iter()
        .flat_map(|project| &project.notes);
    notes.any(|note| note.contains(text))
}

/// Makes a static library for programs alone: its variable has a fixed place in a program's memory.
fn stones(folder: &Utf8Path) -> Result<Utf8PathBuf> {
    let text = "static __thread int seen __attribute__((tls_model(\"local-exec\")));\n\
                int stones(void) { return ++seen; }\n";
    fs_err::write(folder.join("stones.c"), text)?;
    Tool::new("sh", "make a third party's library")
        .args(["-ec", "gcc -c stones.c && ar rc libstones.a stones.o"])
        .cwd(folder)
        .output()?;
    Ok(folder.join("libstones.a"))
}

/// A fresh copy of a folder of this repository.
fn copied(context: &Context<'_>, from: &str, name: &str) -> Result<Utf8PathBuf> {
    let folder = context.empty_folder(name)?;
    copy_tree(&context.workspace.join(from), &folder)?;
    Ok(folder)
}

/// The folders of LLVM's `mlir` that the project of its test dialects has.
const TEST_DIALECTS: &[&str] = &["test/lib/Dialect/Test", "test/python"];

/// The files of upstream's folder that the crate of `python_test` is made of.
const FILES_OF_TEST_DIALECTS: &[&str] = &["python/mlir/dialects/python_test.py", "LICENSE.TXT"];

/// The dialects of LLVM's own tests: `test`, whose archive the distribution has, and `python_test`, with its
/// extension.
fn test_dialects(context: &Context<'_>, sources: &Utf8Path) -> Result<()> {
    let name = "test-dialects";
    let folder = copied(context, "crates/mondo-project/fixtures/test-dialects", name)?;
    let llvm = folder.join("llvm/mlir");
    for inside in TEST_DIALECTS {
        copy_tree(&sources.join(inside), &llvm.join(inside))?;
    }
    for file in FILES_OF_TEST_DIALECTS {
        let to = llvm.join(file);
        fs_err::create_dir_all(to.parent().unwrap_or(&llvm))?;
        fs_err::copy(sources.join(file), to)?;
    }
    let options = options(context, folder.join("bundle.toml"), name);
    tested(name, &[], &options, context)
}

/// The folders of LLVM's own tests and of its Python package by their own CMake, whose targets are those of an LLVM that
/// was built with tests. All of them are configured, the library of `python_test` is built with its extension, and lit runs
/// upstream's test of them as upstream's suite configures it.
fn llvm_tests(context: &Context<'_>, sources: &Utf8Path) -> Result<()> {
    let folder = context.scratch().join("llvm-tests");
    fs_err::create_dir_all(&folder)?;
    let from = "crates/mondo-project/fixtures/llvm-tests/bundle.toml";
    let text = fs_err::read_to_string(context.workspace.join(from))?;
    let manifest = folder.join("bundle.toml");
    fs_err::write(&manifest, text.replace("@mlir@", sources.as_str()))?;
    let options = options(context, manifest, "llvm-tests");
    let test = [
        "python/dialects/python_test.py".into(),
        "mlir-runner/simple.mlir".into(),
    ];
    let with = [pinned("numpy", context)?];
    let results = project_tests::run("llvm-tests", &test, &with, &options, context.sink)?;
    passed("llvm-tests", &results)?;
    let made = bundle::bundle(&options, context.sink)?;
    let all = results.len() == test.len() && results.iter().all(|result| result.result == "PASS");
    let what =
        "the chosen tests of upstream's suite pass: the dialect's, and one that the engine runs";
    shows(all, what, &made)?;
    let mut projects = made.report.projects.iter();
    let has_dialect = projects.any(|project| project.dialects == ["python_test"]);
    shows(has_dialect, "the project's dialect is in the bundle", &made)?;
    let is_noted = has_note(&made, "the bundle's LLVM both define");
    let what = "the report says that the project defines targets of LLVM";
    shows(is_noted, what, &made)
}

/// Makes the wheel of Flang's dialects and runs its tests. Its toolchain has a package more than that of
/// the others.
fn fortran(context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("fortran")?.wheel;
    let venv = Venv::for_tests(context, "fortran")?;
    venv.pip_install(&["--no-deps", wheel.as_str()])?;
    let python = context.workspace.join("tests/python");
    let tests = python.join("fortran");
    venv.pytest("run the tests of FIR", &[&tests])
        // The module `mondo_fixtures` is there.
        .env("PYTHONPATH", &python)
        .output()
        .map(drop)
}
