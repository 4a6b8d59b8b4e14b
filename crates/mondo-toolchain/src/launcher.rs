//! The compiler launcher: a program such as sccache, which is given a compiler's command and may answer
//! it from a cache.

use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::{Output, Tool};

use crate::host::path_dirs;

/// The variable that names the launcher; `none` for none.
const VARIABLE: &str = "MONDO_COMPILER_LAUNCHER";

/// The launchers of which the first that `PATH` has is taken where none is named.
const DEFAULTS: &[&str] = &["sccache", "ccache"];

/// The variable with the longest time that a launcher may take for one file, in seconds.
const LIMIT_VARIABLE: &str = "MONDO_LAUNCHER_TIMEOUT";

/// The default limit. A file takes seconds to compile, and a launcher needs a minute more if the server of its cache
/// does not answer.
const LIMIT: Duration = Duration::from_secs(600);

/// A program that compilers are started through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    program: Utf8PathBuf,
    /// The longest time that it may take for one file.
    limit: Duration,
}

impl Launcher {
    /// The launcher that `named` or `MONDO_COMPILER_LAUNCHER` names, else sccache or ccache, if one is installed.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTool`] where the named program is not there, and where `MONDO_LAUNCHER_TIMEOUT` is no
    /// number.
    pub fn find(named: Option<&str>) -> Result<Option<Self>> {
        let variable = std::env::var(VARIABLE).ok();
        let named = named.map(str::to_owned).or(variable);
        let program = match named.as_deref().filter(|name| !name.is_empty()) {
            Some("none") => None,
            None => DEFAULTS.iter().find_map(|name| on_path(name)),
            Some(name) if name.contains('/') => {
                let program = mondo_core::path::absolute(Utf8Path::new(name))?;
                if !is_program(&program) {
                    return Err(missing(name, "the program does not exist"));
                }
                Some(program)
            }
            Some(name) => match on_path(name) {
                Some(program) => Some(program),
                None => return Err(missing(name, "it is not on PATH")),
            },
        };
        let Some(program) = program else {
            return Ok(None);
        };
        let limit = limit(std::env::var(LIMIT_VARIABLE).ok().as_deref())?;
        Ok(Some(Self { program, limit }))
    }

    /// The program, absolute.
    #[must_use]
    pub fn program(&self) -> &Utf8Path {
        &self.program
    }

    /// Runs `tool` through the launcher. If that fails, `tool` runs without the launcher; if this run succeeds, the
    /// error is the launcher's. A launcher that exceeds the time limit is killed.
    ///
    /// # Errors
    /// [`ErrorKind::Compile`] for a launcher that fails where the compiler does not, or that takes too long.
    pub fn run(&self, tool: &Tool) -> Result<Output> {
        let through = tool.through(&self.program).time_limit(self.limit);
        let start = Instant::now();
        let output = match through.output_unchecked() {
            Err(error)
                if error.kind() != ErrorKind::Interrupted && start.elapsed() > self.limit =>
            {
                let seconds = self.limit.as_secs();
                return Err(self.failure(&format!(
                    "it did not compile one file within {seconds} s; set {LIMIT_VARIABLE} to \
                     change the limit"
                )));
            }
            other => other?,
        };
        if output.status.success() {
            return Ok(output);
        }
        let alone = tool.output_unchecked()?;
        if !alone.status.success() {
            return Ok(alone);
        }
        Err(self.failure(&format!(
            "{}\nThe compiler succeeds without it.",
            through.said(&output)
        )))
    }

    /// The error of a launcher that fails.
    #[must_use]
    pub fn failure(&self, why: &str) -> Error {
        Error::new(ErrorKind::Compile, "the compiler launcher failed")
            .at(&self.program)
            .because(why)
            .help(format!(
                "fix the launcher, or build without it: `--compiler-launcher none` or \
                 {VARIABLE}=none"
            ))
    }
}

fn missing(name: &str, why: &str) -> Error {
    Error::new(
        ErrorKind::MissingTool,
        format!("the compiler launcher `{name}` was not found"),
    )
    .because(why)
    .help(format!(
        "install it, or set another with `--compiler-launcher` or {VARIABLE}; `none` disables it"
    ))
}

fn limit(seconds: Option<&str>) -> Result<Duration> {
    let Some(text) = seconds.filter(|text| !text.is_empty()) else {
        return Ok(LIMIT);
    };
    match text.parse() {
        Ok(seconds) if seconds > 0 => Ok(Duration::from_secs(seconds)),
        _ => Err(Error::new(
            ErrorKind::MissingTool,
            format!("invalid {LIMIT_VARIABLE}: {text:?} (expected a number of seconds)"),
        )
        .help(format!(
            "set it to a number such as {}, or unset it",
            LIMIT.as_secs()
        ))),
    }
}

fn on_path(name: &str) -> Option<Utf8PathBuf> {
    path_dirs()
        .map(|dir| dir.join(name))
        .find(|program| is_program(program))
}

fn is_program(path: &Utf8Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let metadata = fs_err::metadata(path);
    metadata.is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn script(dir: &Utf8Path, text: &str) -> Launcher {
        let program = dir.join("launcher");
        fs_err::write(&program, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs_err::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        Launcher::find(Some(program.as_str())).unwrap().unwrap()
    }

    #[test]
    fn a_launcher_that_is_not_there_is_named() {
        for name in ["no-such-launcher", "/nowhere/launcher"] {
            let error = Launcher::find(Some(name)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::MissingTool);
            assert!(error.to_string().contains(name), "{error}");
        }
        assert_eq!(Launcher::find(Some("none")).unwrap(), None);
    }

    #[test]
    fn the_launcher_and_the_compiler_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let tool = |script: &str| Tool::new("sh", "compile this").args(["-c", script]);
        let good = script(dir, "echo launched; exec \"$@\"");
        assert_eq!(good.run(&tool("echo x")).unwrap().stdout, "launched\nx\n");
        let bad = script(dir, "echo the server is gone >&2; exit 2");
        let error = bad.run(&tool("true")).unwrap_err().to_string();
        assert!(error.starts_with("the compiler launcher failed"), "{error}");
        assert!(error.contains("the server is gone"), "{error}");
        let both = bad.run(&tool("echo in the source >&2; exit 1")).unwrap();
        assert!(both.stderr.contains("in the source"));
    }

    #[test]
    fn a_launcher_that_does_not_end_is_stopped_with_all_that_it_started() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let pid = dir.join("pid");
        let mut hangs = script(dir, &format!("sleep 600 & echo $! > {pid}; wait"));
        hangs.limit = Duration::from_secs(1);
        let start = Instant::now();
        let error = hangs.run(&Tool::new("true", "compile this")).unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(60));
        let text = error.to_string();
        assert!(text.starts_with("the compiler launcher failed"), "{text}");
        assert!(
            text.contains("did not compile one file within 1 s"),
            "{text}"
        );
        assert!(text.contains(LIMIT_VARIABLE), "{text}");
        let pid = fs_err::read_to_string(&pid).unwrap();
        let stat = format!("/proc/{}/stat", pid.trim());
        // The process is gone, or a zombie that has not been waited for.
        let ended = || fs_err::read_to_string(&stat).map_or(true, |text| text.contains(") Z "));
        while !ended() {
            assert!(start.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_time_limit_is_a_number_of_seconds() {
        assert_eq!(limit(None).unwrap(), LIMIT);
        assert_eq!(limit(Some("5")).unwrap(), Duration::from_secs(5));
        for text in ["0", "soon", "-1"] {
            let error = limit(Some(text)).unwrap_err().to_string();
            assert!(error.contains(LIMIT_VARIABLE), "{error}");
        }
    }
}
