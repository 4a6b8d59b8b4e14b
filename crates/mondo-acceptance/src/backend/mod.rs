//! Projects with the build backend `mondo_bundle`: made by `mondo new`, built by pip, and edited in
//! place.

mod bench;
mod instrumented;
mod started;

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_build::Result;
use mondo_testbed::files::{expect_same, wheel_in, write_program};
use mondo_testbed::verdict::{expect, failed, tool};
use mondo_testbed::{Context, Extent, Venv};

use self::bench::Bench;
pub(crate) use self::bench::program;

/// The projects, and the options that they are made with.
const PROJECTS: [(&str, &str); 4] = [
    ("cove", "--cpp"),
    ("skerry", "--cmake"),
    ("reef", "--pick"),
    ("lagoon", "--rust"),
];

/// The longest that a build may take after an edit of one C++ file.
const EDIT: Duration = Duration::from_secs(5);

/// Has pip build and install each project, and runs its tests; then the first one editable. `--all` also
/// looks at the files that each begins with, and installs it editable; it runs those in C++ under a debugger and with AddressSanitizer, and the first one from
/// its sdist, with a compiler launcher, and with somebody who edits it.
pub fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let scratch = context.empty_folder("backend")?;
    let program = program(context)?;
    for (name, kind) in extent.first(1, &PROJECTS) {
        let mut bench = Bench {
            context,
            program: &program,
            project: scratch.join(name),
            venv: Venv::for_tests(context, name)?,
            sources: None,
        };
        let new = ["new", name, kind, "--dir", scratch.as_str()];
        let mut begin = bench.mondo("begin a project").args(new);
        if *kind == "--rust" {
            begin = begin.args(["--mondo", &started::repository(context, &scratch)?]);
        }
        begin.output()?;
        if *kind == "--rust" {
            bench.sources = Some(started::sources(&bench)?);
        }
        if extent.is_all() {
            started::files(&bench)?;
        }
        bench.pip(&["install", bench.project.as_str()])?;
        bench.pytest()?;
        let is_cpp = *kind == "--cpp";
        if is_cpp {
            editable(&bench, name)?;
        }
        if extent.is_all() && (is_cpp || *kind == "--cmake") {
            bench.uninstall(name)?;
            if is_cpp {
                edits_under_watch(&bench, name)?;
            }
            instrumented::debuggers(&bench, name)?;
            instrumented::sanitizer(&bench, name)?;
        }
        if extent.is_all() && is_cpp {
            same_bytes(&bench, &scratch)?;
        } else if extent.is_all() {
            bench.uninstall(name)?;
            bench.pip(&["install", "--editable", bench.project.as_str()])?;
            bench.pytest()?;
        }
        if extent.is_all() {
            started::left_clean(&bench)?;
        }
    }
    Ok(())
}

fn editable(bench: &Bench<'_>, name: &str) -> Result<()> {
    bench.develop(&[])?;
    bench.pytest()?;
    let server = bench.venv.dir.join(format!("bin/{name}-lsp-server"));
    bench
        .venv
        .python("ask the language server of the editable install")
        .env("PYTHONPATH", bench.context.workspace.join("tests/python"))
        .args(["-m", "tools.project", server.as_str(), name])
        .output()?;
    let again = bench.develop(&[])?;
    // The edit switches a fold off, which the project's test of that fold has to notice.
    let file = bench.project.join("dialect/lib/Dialect.cpp");
    let text = fs_err::read_to_string(&file)?;
    let edited = text.replacen("return unwrap.getBox();", "return {};", 1);
    fs_err::write(&file, edited)?;
    let edit = bench.develop(&[])?;
    console::err(format!(
        "{name}: {:.1} s after an edit of one C++ file, {:.1} s after none",
        edit.as_secs_f64(),
        again.as_secs_f64()
    ));
    let code = format!(
        "import {name}\n\
         from {name}.mlir import ir, passmanager\n\
         m = {name}.parse('''func.func @f(%a: !{name}.box<i32>) -> !{name}.box<i32> {{\n\
         %0 = {name}.unwrap %a : !{name}.box<i32>\n\
         %1 = {name}.wrap %0 : !{name}.box<i32>\n\
         func.return %1 : !{name}.box<i32> }}''')\n\
         passmanager.PassManager.parse('builtin.module(canonicalize)', m.context).run(m.operation)\n\
         print('{name}.wrap' in str(m))"
    );
    let printed = bench.python(&code)?;
    expect(printed == "True", "the edit is not in the library", printed)?;
    if edit > EDIT && std::env::var_os("CI").is_none() {
        console::err(format!("that is more than {} s", EDIT.as_secs()));
    }
    let module = bench.project.join(format!("python/{name}/new.py"));
    fs_err::write(&module, "print('new')\n")?;
    let said = bench.python(&format!("import {name}.new"))?;
    fs_err::remove_file(module)?;
    expect(said == "new", "a new Python module is not found", said)?;
    let (work, aside) = (bench.project.join("build"), bench.project.join("aside"));
    fs_err::rename(&work, &aside)?;
    let said = bench.python(&format!("import {name}.mlir.ir"))?;
    fs_err::rename(&aside, &work)?;
    let is_named = said.contains("has lost its work folder");
    expect(is_named, "a lost work folder is not named", said)?;
    fs_err::write(&file, text)?;
    bench.uninstall(name)?;
    let said = bench.python(&format!("import {name}"))?;
    let is_gone = said.contains("ModuleNotFoundError");
    expect(is_gone, "pip has not uninstalled the project", said)?;
    bench.pip(&["install", "--editable", bench.project.as_str()])?;
    bench.pytest()
}

/// Starts `mondo develop --watch`, and has a script edit C++, Python and ODS as a person does, with a mistake among the
/// edits. The script fails where an edit is not in what Python imports next.
fn edits_under_watch(bench: &Bench<'_>, name: &str) -> Result<()> {
    let script = bench.context.workspace.join("tests/python/watch/edit.py");
    let printed = bench
        .venv
        .python("edit under `mondo develop --watch`")
        .env("MONDO_PYTHON", bench.venv.interpreter())
        .env("VIRTUAL_ENV", &bench.venv.dir)
        .arg(script)
        .args([bench.program, &bench.project])
        .arg(name)
        .output()?
        .stdout;
    for line in printed.lines() {
        console::err(format!("{name}: {line}"));
    }
    Ok(())
}

/// The wheel from the sdist, and the one that was compiled through a launcher, have the same bytes as
/// the project's own.
fn same_bytes(bench: &Bench<'_>, scratch: &Utf8Path) -> Result<()> {
    let build = |project: &Utf8Path, name: &str, launcher: &str| -> Result<Utf8PathBuf> {
        let out = scratch.join(name);
        let arguments = ["wheel", project.as_str(), "--wheel-dir", out.as_str()];
        bench.pip_with(launcher, &arguments)?;
        wheel_in(&out)
    };
    let first = build(&bench.project, "plain", "none")?;
    let dist = scratch.join("sdist");
    bench
        .mondo("build the sdist")
        .args(["pep517", "build-sdist", "--project", bench.project.as_str()])
        .args(["--out-dir", dist.as_str()])
        .output()?;
    let name = bench.project.file_name().unwrap_or_default();
    let archive = dist.join(format!("{name}-0.1.0.tar.gz"));
    tool("tar", "unpack the sdist")
        .args(["-xzf", archive.as_str(), "-C", dist.as_str()])
        .output()?;
    let unpacked = dist.join(format!("{name}-0.1.0"));
    let log = scratch.join("launched");
    let launcher = scratch.join("launcher");
    let script = format!("#!/bin/sh\necho \"$@\" >> '{log}'\nexec \"$@\"\n");
    write_program(&launcher, &script)?;
    let launched = build(&unpacked, "from-sdist", launcher.as_str())?;
    expect_same(
        &launched,
        &first,
        "the wheel from the sdist has other bytes",
    )?;
    let runs = fs_err::read_to_string(log)?;
    // The dialect's two files, its extension's one, nanobind's, and those for an older glibc.
    let all = runs.lines().filter(|line| line.contains(".cpp")).count() >= 4;
    expect(all, "the launcher was not given each C++ file", runs)?;
    write_program(
        &launcher,
        "#!/bin/sh\necho the server is gone >&2; exit 1\n",
    )?;
    let file = unpacked.join("dialect/lib/CAPI.cpp");
    let text = fs_err::read_to_string(&file)?;
    fs_err::write(&file, format!("// Edited.\n{text}"))?;
    match build(&unpacked, "from-nothing", launcher.as_str()) {
        Err(error) if error.to_string().contains("the compiler launcher failed") => Ok(()),
        Err(error) => Err(failed("a launcher that fails is not named").caused_by(error)),
        Ok(_) => Err(failed("a launcher that fails is passed over")),
    }
}
