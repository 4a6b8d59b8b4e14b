//! Projects from their own CMake: `examples/toy-project` as its users have it, and what each mistake
//! of a project is answered with.

use std::time::Instant;

use camino::{Utf8Path, Utf8PathBuf};
use mondo::{DEFAULT_LLVM, console};
use mondo_build::bundle::{self, Options};
use mondo_build::exec::Tool;
use mondo_build::project_tests;
use mondo_build::{Error, ErrorKind, Result, digest, toolchain};
use mondo_testbed::files::copy_tree;
use mondo_testbed::phases::Phases;
use mondo_testbed::{Context, Extent, Venv, cargo, requirements};

use crate::project_bundle::{expect, options, passed};
use crate::standalone;

/// The `mlir` folder of LLVM's sources: the one that `MONDO_LLVM_SRC` names, else that of the distribution's
/// source package, which is downloaded once.
///
/// # Errors
///
/// Those of [`toolchain::sources`].
pub fn llvm_sources(context: &Context<'_>) -> Result<Utf8PathBuf> {
    let named = std::env::var("MONDO_LLVM_SRC").ok();
    if let Some(named) = named.filter(|folder| !folder.is_empty()) {
        return Ok(named.into());
    }
    let request = mondo::request(DEFAULT_LLVM)?;
    Ok(toolchain::sources(&request, context.sink)?.mlir)
}

/// Bundles projects from their own CMake, runs their tests, changes them and makes mistakes in them.
///
/// # Errors
///
/// If a result is not the expected one.
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
    let list = requirements(context);
    let text = fs_err::read_to_string(&list)?;
    let of_package = |line: &&str| line.split("==").next() == Some(package);
    let line = text.lines().find(of_package);
    line.map(str::to_owned).ok_or_else(|| {
        let what = format!("no version of {package} is pinned");
        Error::new(ErrorKind::Check, what).at(list)
    })
}

/// A class that is misspelt is named where the manifest has it.
fn misspelt(options: &Options, manifest: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let text = fs_err::read_to_string(manifest)?;
    let line = text.lines().position(|line| line.contains("\"TagAttr\""));
    fs_err::write(manifest, text.replace("\"TagAttr\"", "\"TagAtr\""))?;
    let said = bundle::bundle(options, context.sink).map(|made| made.wheel.to_string());
    fs_err::write(manifest, text)?;
    let said = said.unwrap_or_else(|error| error.to_string());
    let place = format!("bundle.toml:{}:", line.unwrap_or_default() + 1);
    let words = [place.as_str(), "did you mean `TagAttr`?"];
    if words.iter().all(|word| said.contains(word)) {
        return Ok(());
    }
    let what = "a misspelt class is not named where the manifest has it";
    Err(Error::new(ErrorKind::Check, what).because(said))
}

/// Makes a lit suite run its tests in the system's shell, one of which needs it.
fn ask_for_the_shell(suite: &Utf8Path) -> Result<()> {
    let config = suite.join("lit.cfg.py");
    let text = fs_err::read_to_string(&config)?;
    fs_err::write(&config, text.replace("ShTest()", "ShTest(True)"))?;
    let test = "// RUN: test \"$(basename %s)\" = shell.mlir\n";
    fs_err::write(suite.join("shell.mlir"), test)?;
    Ok(())
}

/// Makes a suite's configuration in the build tree compute the path of its main one, as `StableHLO` does.
fn compute_the_main_configuration(suite: &Utf8Path) -> Result<()> {
    let config = suite.join("lit.site.cfg.py.in");
    let text = fs_err::read_to_string(&config)?;
    let (written, computed) = (
        "@PROJECT_SOURCE_DIR@/test",
        "@PROJECT_SOURCE_DIR@\" + \"/test",
    );
    fs_err::write(&config, text.replace(written, computed))?;
    Ok(())
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
    let failed: Vec<&str> = results
        .iter()
        .filter(|result| result.failed())
        .map(|result| result.name.as_str())
        .collect();
    let named = |file: &str| failed.iter().any(|test| test.contains(file));
    if files.iter().all(|(file, _)| named(file))
        && failed.len() == files.len()
        && failed.len() < results.len()
    {
        return Ok(());
    }
    let what = "a test that ends the interpreter is not a failure";
    Err(Error::new(ErrorKind::Check, what).because(failed.join(", ")))
}

/// A chosen folder without tests is named, and so are those that have some.
fn without_tests(options: &Options, context: &Context<'_>) -> Result<()> {
    let chosen = ["test/forward.mlir".into(), "lib/Toy".into()];
    let said = match project_tests::run("toy", &chosen, &[], options, context.sink) {
        Ok(results) => format!("{} results", results.len()),
        Err(error) => error.to_string(),
    };
    let words = ["`toy` has no tests in `lib/Toy`", "test (lit)"];
    if words.iter().all(|word| said.contains(word)) {
        return Ok(());
    }
    let what = "a chosen folder without tests is not named";
    Err(Error::new(ErrorKind::Check, what).because(said))
}

/// The entry of the project's own program, and that of the bundle's tool in its place.
const OWN_PROGRAM: &str = "tools = { toy-opt = { command = \"toy-opt\" } }\n";
const TOOL: &str = "tools = { toy-opt = \"opt\" }\n";

/// Makes the first project's own program a command of the bundle, and checks in its suite that it is the one that runs.
fn with_own_program(folder: &Utf8Path) -> Result<()> {
    let manifest = folder.join("bundle.toml");
    let text = fs_err::read_to_string(&manifest)?;
    let toy = "modules = \"ToyPythonModules\"\n";
    fs_err::write(&manifest, text.replace(toy, &format!("{toy}{OWN_PROGRAM}")))?;
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
    expect(
        made.report.projects.len() == 2,
        "the report has both projects",
        &made,
    )?;
    ask_for_the_shell(&folder.join("toy/test"))?;
    compute_the_main_configuration(&folder.join("toy/test"))?;
    for name in ["toy", "garden"] {
        let with = [pinned("mypy", context)?];
        passed(
            name,
            &project_tests::run(name, &[], &with, &options, context.sink)?,
        )?;
    }
    crash(&folder.join("garden/test"), &options, context)?;
    without_tests(&options, context)?;
    misspelt(&options, &folder.join("bundle.toml"), context)?;
    unchanged(&options, context)?;

    let source = folder.join("toy/lib/Toy/Toy.cpp");
    let text = fs_err::read_to_string(&source)?;
    fs_err::write(&source, text.replace("has more than", "has got more than"))?;
    let edited = bundle::bundle(&options, context.sink)?;
    let steps: Vec<usize> = edited
        .report
        .projects
        .iter()
        .map(|project| project.steps)
        .collect();
    // The object and its archive; the second project has no file of it.
    expect(
        !edited.up_to_date && steps == [2, 0],
        "one object is compiled again",
        &edited,
    )?;
    together(&folder, &options, context)
}

/// A bundle in which nothing changed asks Ninja about the projects, which has nothing to do, and runs no phase after that.
fn unchanged(options: &Options, context: &Context<'_>) -> Result<()> {
    let phases = Phases::new(context.sink);
    let start = Instant::now();
    let again = bundle::bundle(options, &phases)?;
    let seconds = start.elapsed().as_secs_f64();
    console::err(format!("nothing changed: {seconds:.2} s"));
    let archives: Vec<String> = again
        .report
        .projects
        .iter()
        .map(|project| format!("{}: {} archives", project.name, project.archives))
        .collect();
    let ran = phases.ended();
    let only = [("projects".to_owned(), archives.join("; "))];
    expect(
        again.up_to_date && ran == only,
        &format!("nothing is done where nothing changed: {ran:?}"),
        &again,
    )
}

/// The same projects in one wheel, whose `opt` runs the first one's suite in the place of its own program.
fn together(folder: &Utf8Path, options: &Options, context: &Context<'_>) -> Result<()> {
    let manifest = folder.join("bundle.toml");
    let text = fs_err::read_to_string(&manifest)?;
    let text = text
        .replace(
            "[contents]\n",
            "[wheel]\nsingle = true\n\n[contents]\ntools = [\"opt\"]\n",
        )
        .replace(OWN_PROGRAM, TOOL);
    fs_err::write(&manifest, text)?;
    runs_as("acme-opt", folder)?;
    for name in ["toy", "garden"] {
        passed(
            name,
            &project_tests::run(name, &[], &[], options, context.sink)?,
        )?;
    }
    let made = bundle::bundle(options, context.sink)?;
    expect(
        made.up_to_date && made.crate_wheels.is_empty(),
        "all is in one wheel",
        &made,
    )
}

/// Projects that want to be part of LLVM's build, each in a wheel of its own, and the audit of a bundle that
/// they break.
fn kinds(context: &Context<'_>) -> Result<()> {
    let folder = copied(context, "crates/mondo-project/fixtures/kinds", "kinds")?;
    let manifest = folder.join("bundle.toml");
    let options = options(context, manifest.clone(), "kinds");
    for name in ["island", "harbor", "lagoon", "reef"] {
        passed(
            name,
            &project_tests::run(name, &[], &[], &options, context.sink)?,
        )?;
    }
    let made = bundle::bundle(&options, context.sink)?;
    let excluded = made
        .report
        .projects
        .iter()
        .flat_map(|project| &project.excluded);
    let excluded: Vec<&str> = excluded.map(String::as_str).collect();
    expect(
        matches!(excluded[..], [one] if one.contains("`island_tools` of the project `island`")),
        "the report names the extension that no bundle has, and nothing else",
        &made,
    )?;
    let mut notes = made
        .report
        .projects
        .iter()
        .flat_map(|project| &project.notes);
    expect(
        notes.any(|note| {
            note.contains("`harbor` and the bundle's LLVM both define the target MLIRTestReducer")
        }),
        "the report says that a project makes a target of LLVM's",
        &made,
    )?;
    // Its CMake declares MLIR's own Python package, too, and a module beside it.
    let mut notes = made
        .report
        .projects
        .iter()
        .flat_map(|project| &project.notes);
    let lacks = "`harbor` embeds the Python of dialects that this bundle lacks: scf, transform;";
    expect(
        notes.any(|note| note.contains(lacks)),
        "the report says which of the groups that the project declares for MLIR the bundle lacks",
        &made,
    )?;
    let before = digest::of_tree(&options.out_dir)?;
    let text = fs_err::read_to_string(&manifest)?;
    let stones = stones(&folder)?;
    let with_stones = format!("python-root = true\ndefine = {{ ISLAND_STONES = \"{stones}\" }}\n");
    let cases = [
        (
            ErrorKind::Link,
            "python-root = true\n",
            with_stones.as_str(),
            [
                "libstones.a is not position-independent",
                "libstones.a(stones.o): R_",
                "CMakeLists.txt) of the project `island` links",
            ],
        ),
        (
            ErrorKind::Audit,
            "python-root = true\n",
            "python-root = true\ndefine = { ISLAND_OPTION = \"harbor-limit\" }\n",
            [
                "a command-line option is registered twice",
                "`-harbor-limit`",
                "libMLIRHarbor.a(Harbor.cpp.o) of `harbor` and libMLIRIsland.a(Island.cpp.o) of `island`",
            ],
        ),
        (
            ErrorKind::Audit,
            "/../base\"\n",
            "/../base\"\nHARBOR_COPY = true\n",
            [
                "TypeIDResolverIN6harbor5BasinEvE2idE",
                "libMLIRHarborBase.a(Depth.cpp.o) in _harbor.",
                "libMLIRHarborBase.a belongs to `harbor`",
            ],
        ),
    ];
    for (kind, from, to, words) in cases {
        fs_err::write(&manifest, text.replace(from, to))?;
        let said = match bundle::bundle(&options, context.sink) {
            Ok(made) => return expect(false, "a bundle with a clash is refused", &made),
            Err(error) if error.kind() == kind => error.to_string(),
            Err(error) => return Err(error),
        };
        if let Some(word) = words.iter().find(|word| !said.contains(**word)) {
            let what = format!("the error of a clash lacks `{word}`");
            return Err(Error::new(ErrorKind::Check, what).because(said));
        }
    }
    if digest::of_tree(&options.out_dir)? == before {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Check,
        "a bundle that was refused changed the wheels of before",
    )
    .at(&options.out_dir))
}

/// Makes a static library for programs alone: its variable has a fixed place in a program's memory.
fn stones(folder: &Utf8Path) -> Result<Utf8PathBuf> {
    let file = |name: &str| folder.join(name);
    let text = "static __thread int seen __attribute__((tls_model(\"local-exec\")));\n\
                int stones(void) { return ++seen; }\n";
    fs_err::write(file("stones.c"), text)?;
    let (source, object, archive) = (file("stones.c"), file("stones.o"), file("libstones.a"));
    Tool::new("gcc", "compile a third party's library")
        .args(["-c", "-o", object.as_str(), source.as_str()])
        .output()?;
    Tool::new("ar", "make a third party's library")
        .args(["rc", archive.as_str(), object.as_str()])
        .output()?;
    Ok(archive)
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
    passed(
        name,
        &project_tests::run(name, &[], &[], &options, context.sink)?,
    )
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
    expect(
        results.len() == test.len() && results.iter().all(|result| result.result == "PASS"),
        "the chosen tests of upstream's suite pass: that of the dialect, and one that the engine runs",
        &made,
    )?;
    let projects = &made.report.projects;
    expect(
        projects
            .iter()
            .any(|project| project.dialects == ["python_test"]),
        "the project's dialect is in the bundle",
        &made,
    )?;
    let mut notes = projects.iter().flat_map(|project| &project.notes);
    expect(
        notes.any(|note| note.contains("the bundle's LLVM both define")),
        "the report says that the project defines targets of LLVM",
        &made,
    )
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
