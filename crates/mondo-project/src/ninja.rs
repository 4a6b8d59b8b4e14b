//! Runs of Ninja: the targets of a project, and the first error of a build that fails.

use std::collections::HashSet;
use std::os::unix::process::ExitStatusExt;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::{Output, Tool};
use mondo_core::file::replace;
use mondo_core::progress::Sink;
use mondo_toolchain::{self as toolchain, Toolchain};

use crate::configure::Folders;
use crate::ended::Ended;
use crate::tools::Tools;

/// The variable by which `CMake` takes the number of jobs.
const JOBS: &str = "CMAKE_BUILD_PARALLEL_LEVEL";

/// The most lines of a compiler's message that an error shows.
const LINES: usize = 30;

/// A project's build tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ninja<'a> {
    pub(crate) tools: &'a Tools,
    pub(crate) name: &'a str,
    pub(crate) folders: &'a Folders,
    pub(crate) toolchain: &'a Toolchain,
}

impl Ninja<'_> {
    fn tool(&self) -> Tool {
        let tool = Tool::new(
            self.tools.ninja.as_str(),
            format!("build the project `{}`", self.name),
        )
        .args(["-C", self.folders.build.as_str()])
        .env("LC_ALL", "C");
        self.tools
            .run(toolchain::with_libraries(tool, self.toolchain))
    }

    /// Builds these targets, and reports each step to `sink`. Returns the number of steps that Ninja ran.
    pub(crate) fn build(&self, targets: &[String], sink: &dyn Sink) -> Result<usize> {
        let mut tool = self.tool();
        if let Ok(jobs) = std::env::var(JOBS)
            && jobs.parse::<u32>().is_ok()
        {
            tool = tool.args(["-j", jobs.as_str()]);
        }
        let output = tool.args(targets).output_unchecked_watched(&|line| {
            if let Some((done, all)) = step(line) {
                let target = target(line).map(|target| format!(", {target}"));
                let target = target.unwrap_or_default();
                sink.update(&format!(
                    "build {}: step {done} of {all}{target}",
                    self.name
                ));
            }
        })?;
        let log = self.folders.shared.join("build.log");
        if output.status.success() {
            let steps = output
                .stdout
                .lines()
                .filter(|line| step(line).is_some())
                .count();
            if steps > 0 {
                replace(&log, output.stdout.as_bytes())?;
            }
            return Ok(steps);
        }
        replace(
            &log,
            format!("{}{}", output.stdout, output.stderr).as_bytes(),
        )?;
        Err(self.failure(&output, &log))
    }

    fn failure(&self, output: &Output, log: &Utf8Path) -> Error {
        let all = format!("{}{}", output.stdout, output.stderr);
        let failure = first_failure(&all);
        let ended = match failure.step {
            Some(_) => Ended::of_step(failure.code, &failure.said),
            None => Ended::of_ninja(output.status.code(), output.status.signal()),
        };
        if let Some(ended) = ended {
            return self.ended(&ended, &failure, output, log);
        }
        let Failure {
            step: failed,
            command,
            said,
            ..
        } = failure;
        let lines: Vec<&str> = said.lines().collect();
        let from = lines.iter().position(|line| line.contains("error"));
        let shown = &lines[from.unwrap_or(0)..];
        let place = shown.first().and_then(|line| {
            let (place, _) = line.split_once(": ")?;
            place.contains(':').then(|| place.to_owned())
        });
        let shown = match shown[..shown.len().min(LINES)].join("\n") {
            // A command may fail without a word.
            shown if shown.trim().is_empty() => {
                format!("this command failed and printed nothing: {command}")
            }
            shown => shown,
        };
        let error = Error::new(
            ErrorKind::Compile,
            match failed {
                Some(step) => format!("the project `{}`: {step} failed to build", self.name),
                None => format!("the project `{}` failed to build", self.name),
            },
        )
        .because(shown)
        .help(format!("the full output of Ninja is in {log}"));
        match place {
            Some(place) => error.at(place),
            None => error.at(&self.folders.build),
        }
    }

    /// The error for a step, or for Ninja, that a signal ended. What was printed of it has no error of the code.
    fn ended(&self, ended: &Ended, failure: &Failure, output: &Output, log: &Utf8Path) -> Error {
        let what = match &failure.step {
            Some(step) => format!(
                "the project `{}`: {step} failed to build: {ended}",
                self.name
            ),
            None => format!("the project `{}` failed to build: {ended}", self.name),
        };
        let lines: Vec<&str> = failure.said.lines().collect();
        let last = lines[lines.len().saturating_sub(LINES)..].join("\n");
        Error::new(ErrorKind::Compile, what)
            .at(&self.folders.build)
            .because(format!("{}\n{last}", ended.reason()))
            .help(format!(
                "{}; the full output of Ninja is in {log}",
                ended.help()
            ))
            .on_full_disk(output)
    }

    /// True if there is such a target, which may be a file.
    pub(crate) fn knows(&self, target: &str) -> Result<bool> {
        let output = self
            .tool()
            .args(["-t", "query", target])
            .output_unchecked()?;
        Ok(output.status.success())
    }

    /// The commands that make these targets and all that they need, one a line.
    pub(crate) fn commands(&self, targets: &[String]) -> Result<String> {
        if targets.is_empty() {
            return Ok(String::new());
        }
        let tool = self.tool().args(["-t", "commands"]).args(targets);
        Ok(tool.output()?.stdout)
    }

    /// The commands that make all that the project makes by default, one a line.
    pub(crate) fn all_commands(&self) -> Result<String> {
        Ok(self.tool().args(["-t", "commands"]).output()?.stdout)
    }

    /// The object files and precompiled headers that go into these targets, by the names that Ninja has for them. A
    /// guess from the names of sources would miss the objects of generated files, of unity builds and of files
    /// outside of their folder.
    pub(crate) fn objects(&self, targets: &[String]) -> Result<Vec<String>> {
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let tool = self.tool().args(["-t", "inputs"]).args(targets);
        let output = tool.output()?;
        let files = output.stdout.lines().map(unquoted);
        let compiled = files.filter(|file| {
            let extension = Utf8Path::new(file).extension();
            matches!(extension, Some("o" | "gch" | "pch"))
        });
        Ok(compiled.map(str::to_owned).collect())
    }

    /// The files that went into these objects, as the compiler reported them: Ninja's deps log.
    pub(crate) fn read_by(&self, objects: &[&String]) -> Result<Vec<Utf8PathBuf>> {
        if objects.is_empty() {
            return Ok(Vec::new());
        }
        let output = self.tool().args(["-t", "deps"]).args(objects).output()?;
        // Each object names its headers, and most of them are the same: text is compared faster than paths.
        let files = output
            .stdout
            .lines()
            .filter(|line| line.starts_with("    "));
        let files: HashSet<&str> = files.map(str::trim).collect();
        let files = files.into_iter();
        let mut files: Vec<Utf8PathBuf> = files.map(|file| self.folders.build.join(file)).collect();
        files.sort();
        files.dedup();
        Ok(files)
    }
}

/// A file's name without the quotes of the shell, in which Ninja puts those that need them.
fn unquoted(name: &str) -> &str {
    let inside = name
        .strip_prefix('\'')
        .and_then(|inside| inside.strip_suffix('\''));
    inside.unwrap_or(name)
}

/// The numbers of `[3/9] Building CXX object …`.
fn step(line: &str) -> Option<(&str, &str)> {
    let (numbers, what) = line.strip_prefix('[')?.split_once("] ")?;
    // The step that re-checks globs is not counted, because Ninja runs it in each build.
    let globs = what.ends_with("Re-checking globbed directories...");
    numbers.split_once('/').filter(|_| !globs)
}

/// The target of a step: that of `CMakeFiles/obj.Toy.dir/Toy.cpp.o` is `Toy`; the name of the file that a step makes where
/// `CMake` has no folder for it, such as `lib/libToy.a`.
fn target(line: &str) -> Option<&str> {
    let file = line.rsplit(' ').next()?;
    let target = match file.split_once("CMakeFiles/") {
        Some((_, rest)) => rest.split_once(".dir/")?.0,
        None => file.rsplit('/').next()?,
    };
    Some(target.strip_prefix("obj.").unwrap_or(target)).filter(|target| !target.is_empty())
}

/// The first failed step.
#[derive(Debug, Default)]
struct Failure {
    /// Its output. `None` if Ninja itself failed.
    step: Option<String>,
    /// Its exit code, where Ninja prints it.
    code: Option<i32>,
    /// Its command.
    command: String,
    /// The text that its program printed, or Ninja.
    said: String,
}

fn first_failure(all: &str) -> Failure {
    let mut lines = all.lines().skip_while(|line| !line.starts_with("FAILED: "));
    let Some(head) = lines.next() else {
        return Failure {
            said: all.trim().to_owned(),
            ..Failure::default()
        };
    };
    let head = head.trim_start_matches("FAILED: ");
    let (code, failed) = head.split_once("] ").unwrap_or(("", head));
    let code = code
        .strip_prefix("[code=")
        .and_then(|code| code.parse().ok());
    // The command is one line.
    let command = lines.next().unwrap_or_default().trim().to_owned();
    let said: Vec<&str> = lines
        .take_while(|line| step(line).is_none() && !line.starts_with("ninja: "))
        .collect();
    Failure {
        step: Some(failed.trim().to_owned()),
        code,
        command,
        said: said.join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_has_its_number() {
        assert_eq!(step("[3/19] Building CXX object a.o"), Some(("3", "19")));
        assert_eq!(
            step("[0/2] Re-checking globbed directories..."),
            None,
            "no step of the build"
        );
        assert_eq!(step("a.cpp:3:1: warning: [1/2]"), None);
    }

    #[test]
    fn a_step_has_its_target() {
        for (line, expected) in [
            (
                "[3/9] Building CXX object toy/CMakeFiles/obj.Toy.dir/lib/Toy.cpp.o",
                Some("Toy"),
            ),
            (
                "[4/9] Linking CXX static library lib/libToy.a",
                Some("libToy.a"),
            ),
            ("[5/9] Building ToyOps.h.inc...", Some("ToyOps.h.inc...")),
            ("[6/9] ", None),
        ] {
            assert_eq!(target(line), expected, "{line}");
        }
    }

    #[test]
    fn the_first_failure_is_found() {
        let all = "[1/3] Building a\n[2/3] Building b\nFAILED: [code=1] lib/b.o \nc++ -c b.cpp\n\
                   b.cpp:3:1: error: no\n  more\n[3/3] Building c\nFAILED: lib/c.o \nc++ -c\n\
                   c.cpp:1:1: error: other\nninja: build stopped: subcommand failed.\n";
        let failed = first_failure(all);
        assert_eq!(failed.step.as_deref(), Some("lib/b.o"));
        assert_eq!(failed.code, Some(1));
        assert_eq!(failed.command, "c++ -c b.cpp");
        assert_eq!(failed.said, "b.cpp:3:1: error: no\n  more");
        let failed = first_failure("ninja: error: unknown target 'x'\n");
        assert_eq!(
            (failed.step, failed.said.as_str()),
            (None, "ninja: error: unknown target 'x'")
        );
    }
}
