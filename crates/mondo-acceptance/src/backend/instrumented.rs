//! `mondo develop --debug` under gdb and lldb, and `mondo develop --sanitize address`.

use mondo_build::Result;
use mondo_testbed::SystemProgram;
use mondo_testbed::verdict::expect;

use super::bench::Bench;

/// A program in which the canonicalizer calls the folder of the project's operation.
fn folding(name: &str) -> String {
    format!(
        "import {name}\n\
         from {name}.mlir import passmanager\n\
         m = {name}.parse('''func.func @f(%a: i32) -> i32 {{\n\
         %0 = {name}.wrap %a : !{name}.box<i32>\n\
         %1 = {name}.unwrap %0 : !{name}.box<i32>\n\
         func.return %1 : i32 }}''')\n\
         passmanager.PassManager.parse('builtin.module(canonicalize)', m.context).run(m.operation)\n\
         assert '{name}.' not in str(m)\n"
    )
}

/// gdb and lldb stop in the dialect's C++, and show its file, its line and its callers.
pub(super) fn debuggers(bench: &Bench<'_>, name: &str) -> Result<()> {
    let gdb = SystemProgram::find(&["gdb"], "usr/bin/gdb", bench.context)?;
    let lldb = SystemProgram::find(&["lldb"], "usr/bin/lldb", bench.context)?;
    bench.develop(&["--debug"])?;
    let program = bench.project.join("fold.py");
    fs_err::write(&program, folding(name))?;
    let python = bench.venv.interpreter();
    let debuggee = [python.as_str(), program.as_str()];
    let function = format!("{name}::UnwrapOp::fold");
    let by_gdb = gdb
        .tool("stop in the dialect")
        .args(["-nx", "-batch", "-ex", "set breakpoint pending on"])
        .args(["-ex", &format!("break {function}"), "-ex", "run"])
        .args(["-ex", "backtrace", "-ex", "info source", "--args"])
        .args(debuggee)
        .output()?
        .stdout;
    // The debuggee runs without the variables that are set for lldb: it is a program of this
    // machine, and not of the packages that lldb is unpacked from.
    let clean = format!(
        "settings set target.unset-env-vars {}",
        SystemProgram::VARIABLES.join(" ")
    );
    let by_lldb = lldb
        .tool("stop in the dialect")
        .args(["--no-lldbinit", "--batch", "-o", &clean])
        .args(["-o", &format!("breakpoint set --name {function}")])
        .args(["-o", "run", "-o", "bt", "-o", "source info", "--"])
        .args(debuggee)
        .output()?
        .stdout;
    fs_err::remove_file(program)?;
    let place = bench.project.join("dialect/lib/Dialect.cpp");
    for (debugger, said, first, second) in [
        ("gdb", by_gdb, "#0 ", "#1 "),
        ("lldb", by_lldb, "frame #0: ", "frame #1: "),
    ] {
        // lldb also shows the frame when it stops.
        let frame = said.lines().find(|line| line.contains(first));
        let has_line = |line: &str| line.contains(&function) && line.contains("Dialect.cpp:");
        let holds =
            frame.is_some_and(has_line) && said.contains(second) && said.contains(place.as_str());
        let what = format!("{debugger} does not see the dialect's frames");
        expect(holds, what, said.as_str())?;
    }
    Ok(())
}

/// The project's tests pass with AddressSanitizer, and the sanitizer names the line of a mistake that
/// is made in the dialect.
pub(super) fn sanitizer(bench: &Bench<'_>, name: &str) -> Result<()> {
    let variables = bench.sanitized()?;
    let program = folding(name);
    let run = || {
        let python = bench.venv.python("run with a sanitizer");
        let python = variables.iter().fold(python, |tool, variable| {
            let (key, value) = variable.split_once('=').unwrap_or((variable, ""));
            tool.env(key, value)
        });
        python.args(["-c", &program]).output_unchecked()
    };
    let good = run()?;
    let what = "the dialect does not run with AddressSanitizer";
    expect(good.status.success(), what, good.stderr)?;
    let file = bench.project.join("dialect/lib/Dialect.cpp");
    let text = fs_err::read_to_string(&file)?;
    let mistake = "OpFoldResult UnwrapOp::fold(FoldAdaptor) {\n  \
                   volatile int *freed = new int[4];\n  delete[] freed;\n  (void)freed[1];";
    fs_err::write(
        &file,
        text.replacen("OpFoldResult UnwrapOp::fold(FoldAdaptor) {", mistake, 1),
    )?;
    let result = bench.sanitized().and_then(|_| run());
    fs_err::write(&file, text)?;
    let bad = result?;
    let is_found =
        bad.stderr.contains("heap-use-after-free") && bad.stderr.contains("Dialect.cpp:");
    let what = "AddressSanitizer does not find a use of freed memory";
    expect(is_found, what, bad.stderr)
}
