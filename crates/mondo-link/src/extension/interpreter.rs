//! The CPython that dialect crates' extensions are compiled for. The bundle's own extension uses the stable ABI and
//! runs on every CPython; an extension of a dialect crate runs on one version only.

use std::ffi::{OsStr, OsString};

use camino::Utf8PathBuf;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use serde::Deserialize;

/// The interpreter to use instead of `python3`.
const VARIABLE: &str = "MONDO_PYTHON";

/// Facts that an interpreter reports about itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Interpreter {
    /// The folder of `Python.h`.
    pub include: Utf8PathBuf,
    /// The end of an extension's file name: `.cpython-311-x86_64-linux-gnu.so`.
    pub suffix: String,
    /// (3, 11).
    pub version: (u8, u8),
    /// `cpython-311-x86_64-linux-gnu`; a free-threaded one is `cpython-313t-…`.
    soabi: String,
}

/// The interpreter's name: `$MONDO_PYTHON`, or `python3`.
#[must_use]
pub fn program() -> OsString {
    std::env::var_os(VARIABLE)
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "python3".into())
}

impl Interpreter {
    /// Asks the interpreter `python`, which must have its headers.
    ///
    /// # Errors
    /// `ErrorKind::MissingTool` where it is not there, or has no headers.
    pub fn find(python: &OsStr) -> Result<Self> {
        let ask = "import json, sys, sysconfig\n\
                   get = sysconfig.get_config_var\n\
                   print(json.dumps({'include': sysconfig.get_path('include'), \
                   'suffix': get('EXT_SUFFIX'), 'soabi': get('SOABI') or '', \
                   'version': sys.version_info[:2]}))";
        let output = Tool::new(python, "ask Python what extensions it loads")
            .fails_as(ErrorKind::MissingTool)
            .installed_by("apt-get install python3")
            .args(["-I", "-c", ask])
            .output()?
            .stdout;
        let found: Self = serde_json::from_str(&output).map_err(|error| {
            Error::new(ErrorKind::MissingTool, "cannot parse Python's output")
                .at(python.to_string_lossy())
                .because(output)
                .caused_by(error)
        })?;
        if found.include.join("Python.h").is_file() {
            return Ok(found);
        }
        let (major, minor) = found.version;
        Err(Error::new(ErrorKind::MissingTool, "Python.h was not found")
            .at(&found.include)
            .because("compiling a C++ extension requires the interpreter's headers")
            .help(format!(
                "apt-get install python{major}.{minor}-dev, or set {VARIABLE} to an interpreter \
                     that has them"
            )))
    }

    /// The ABI's part of a wheel's tag: `cp313`, or `cp313t` for a free-threaded interpreter.
    #[must_use]
    pub fn abi(&self) -> String {
        let number = self.soabi.split('-').nth(1);
        let (major, minor) = self.version;
        number.map_or_else(
            || format!("cp{major}{minor}"),
            |number| format!("cp{number}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_abi_tells_free_threaded_interpreters() {
        let interpreter = |soabi: &str| Interpreter {
            include: "/i".into(),
            suffix: ".so".into(),
            version: (3, 13),
            soabi: soabi.into(),
        };
        assert_eq!(interpreter("cpython-313-x86_64-linux-gnu").abi(), "cp313");
        assert_eq!(interpreter("cpython-313t-x86_64-linux-gnu").abi(), "cp313t");
        assert_eq!(interpreter("").abi(), "cp313");
    }
}
