//! `mondo develop --watch` while somebody edits.

use mondo::console;
use mondo_build::Result;

use super::bench::Bench;

/// Starts the command, and has a script edit C++, Python and ODS as a person does, with a mistake among the
/// edits. The script fails where an edit is not in what Python imports next.
pub(super) fn edits(bench: &Bench<'_>, name: &str) -> Result<()> {
    let script = bench.context.workspace.join("tests/python/watch/edit.py");
    let said = bench
        .venv
        .python("edit under `mondo develop --watch`")
        .env("MONDO_PYTHON", bench.venv.dir.join("bin/python"))
        .env("VIRTUAL_ENV", &bench.venv.dir)
        .arg(script)
        .args([bench.program, &bench.project])
        .arg(name)
        .output()?
        .stdout;
    for line in said.lines() {
        console::err(format!("{name}: {line}"));
    }
    Ok(())
}
