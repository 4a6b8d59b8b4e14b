//! The inputs of a library's link, read from the response file that the link phase wrote.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file;
use mondo_toolchain::Linker;

/// The inputs of one link.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkInputs {
    /// Archives in the linker's order; true for those that are linked whole.
    pub archives: Vec<(Utf8PathBuf, bool)>,
    /// The exported functions.
    pub exports: BTreeSet<String>,
}

/// Reads `library.rsp` in the folder of a bundle, and the version script that it names.
///
/// # Errors
/// `ErrorKind::Link` where the bundle was not linked here.
pub fn read(out: &Utf8Path, linker: &Linker) -> Result<LinkInputs> {
    let path = out.join("library.rsp");
    let text = file::text(&path).map_err(|error| {
        Error::new(
            ErrorKind::Link,
            "the bundle has not been linked in this work folder",
        )
        .at(&path)
        .caused_by(error)
        .help("build the bundle first: `mondo bundle --force`")
    })?;
    let (mut inputs, script) = parse(&text);
    // The compiler driver adds these libraries to the link by itself.
    for name in ["libstdc++.a", "libgcc.a", "libgcc_eh.a"] {
        let output = Tool::new(&linker.cxx, "find a library of the compiler")
            .arg(format!("-print-file-name={name}"))
            .output()?;
        let path = Utf8PathBuf::from(output.stdout.trim());
        if path.is_file() {
            inputs.archives.push((path, false));
        }
    }
    if let Some(script) = script {
        inputs.exports = globals(&file::text(&script)?);
    }
    Ok(inputs)
}

/// The archives of a response file and the path of its version script.
fn parse(text: &str) -> (LinkInputs, Option<Utf8PathBuf>) {
    let mut inputs = LinkInputs::default();
    let mut script = None;
    let mut whole = false;
    for line in text.lines() {
        let arg = unquoted(line);
        if arg == "-Wl,--whole-archive" {
            whole = true;
        } else if arg == "-Wl,--no-whole-archive" {
            whole = false;
        } else if let Some(path) = arg.strip_prefix("-Wl,--version-script=") {
            script = Some(path.into());
        } else if !arg.starts_with('-') && arg.ends_with(".a") {
            inputs.archives.push((arg.into(), whole));
        }
    }
    (inputs, script)
}

/// Undoes the quoting that the link phase applies to an argument of a response file.
fn unquoted(line: &str) -> String {
    let mut arg = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        arg.push(if c == '\\' {
            chars.next().unwrap_or(c)
        } else {
            c
        });
    }
    arg
}

/// The names before `local:`, one a line, as the exports phase writes them.
fn globals(script: &str) -> BTreeSet<String> {
    script
        .lines()
        .take_while(|line| !line.contains("local:"))
        .filter_map(|line| line.trim().strip_suffix(';'))
        .map(|name| name.trim_start_matches("global:").trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_file_is_read_back() {
        let (inputs, script) = parse(
            "-shared\n-Wl,--version-script=/o\\ p/l.ver\n-Wl,--whole-archive\n/q/a\\ b.a\n\
             -Wl,--no-whole-archive\n-Wl,--start-group\n/q/c.a\n-lm\n-o\n/q/lib.so\n",
        );
        assert_eq!(
            inputs.archives,
            [("/q/a b.a".into(), true), ("/q/c.a".into(), false)]
        );
        assert_eq!(script, Some("/o p/l.ver".into()));
    }

    #[test]
    fn exports_are_what_stands_before_local() {
        let script = "V_1 {\n  global:\n    mlirA;\n    mlirB;\n  local:\n    *;\n};\n";
        let expected = ["mlirA", "mlirB"].map(str::to_owned);
        assert_eq!(globals(script), BTreeSet::from(expected));
    }
}
