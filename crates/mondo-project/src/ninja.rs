//! Runs of Ninja: the targets of a project, and the first error of a build that fails.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::replace;
use mondo_toolchain::{self as toolchain, Toolchain};

use crate::configure::Folders;

/// The variable by which `CMake` takes the number of jobs.
const JOBS: &str = "CMAKE_BUILD_PARALLEL_LEVEL";

/// The most lines of a compiler's message that an error shows.
const LINES: usize = 30;

/// A project's build tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ninja<'a> {
    pub(crate) program: &'a Utf8Path,
    pub(crate) name: &'a str,
    pub(crate) folders: &'a Folders,
    pub(crate) toolchain: &'a Toolchain,
}

impl Ninja<'_> {
    fn tool(&self) -> Tool {
        let tool = Tool::new(
            self.program.as_str(),
            format!("build the project `{}`", self.name),
        )
        .args(["-C", self.folders.build.as_str()])
        .env("LC_ALL", "C");
        toolchain::with_libraries(tool, self.toolchain)
    }

    /// Builds these targets. Returns how many steps it ran.
    pub(crate) fn build(&self, targets: &[String]) -> Result<usize> {
        let mut tool = self.tool();
        if let Ok(jobs) = std::env::var(JOBS)
            && jobs.parse::<u32>().is_ok()
        {
            tool = tool.args(["-j", jobs.as_str()]);
        }
        let output = tool.args(targets).output_unchecked()?;
        let log = self.folders.own.join("build.log");
        if output.status.success() {
            let steps = output.stdout.lines().filter(|line| is_step(line)).count();
            if steps > 0 {
                replace(&log, output.stdout.as_bytes())?;
            }
            return Ok(steps);
        }
        replace(
            &log,
            format!("{}{}", output.stdout, output.stderr).as_bytes(),
        )?;
        Err(self.failure(&output.stdout, &output.stderr, &log))
    }

    fn failure(&self, stdout: &str, stderr: &str, log: &Utf8Path) -> Error {
        let all = format!("{stdout}{stderr}");
        let (step, said) = first_failure(&all);
        let lines: Vec<&str> = said.lines().collect();
        let from = lines.iter().position(|line| line.contains("error"));
        let shown = &lines[from.unwrap_or(0)..];
        let place = shown.first().and_then(|line| {
            let (place, _) = line.split_once(": ")?;
            place.contains(':').then(|| place.to_owned())
        });
        let shown = shown[..shown.len().min(LINES)].join("\n");
        let error = Error::new(
            ErrorKind::Compile,
            match step {
                Some(step) => format!("the project `{}`: {step} cannot be made", self.name),
                None => format!("the project `{}` cannot be built", self.name),
            },
        )
        .because(shown)
        .help(format!("all that Ninja said is in {log}"));
        match place {
            Some(place) => error.at(place),
            None => error.at(&self.folders.build),
        }
    }

    /// The commands that make these targets and all that they need, one a line.
    pub(crate) fn commands(&self, targets: &[String]) -> Result<String> {
        if targets.is_empty() {
            return Ok(String::new());
        }
        let tool = self.tool().args(["-t", "commands"]).args(targets);
        Ok(tool.output()?.stdout)
    }

    /// The files that went into these objects, as the compiler said: Ninja's deps log.
    pub(crate) fn read_by(&self, objects: &[String]) -> Result<Vec<Utf8PathBuf>> {
        if objects.is_empty() {
            return Ok(Vec::new());
        }
        let output = self.tool().args(["-t", "deps"]).args(objects).output()?;
        let files = output
            .stdout
            .lines()
            .filter(|line| line.starts_with("    "));
        let mut files: Vec<Utf8PathBuf> = files
            .map(|line| self.folders.build.join(line.trim()))
            .collect();
        files.sort();
        files.dedup();
        Ok(files)
    }
}

/// `[3/9] Building CXX object …`.
fn is_step(line: &str) -> bool {
    // Ninja looks for new files of globs at each run.
    let globs = line.ends_with("Re-checking globbed directories...");
    line.starts_with('[') && line.contains('/') && line.contains("] ") && !globs
}

/// The first failed step, and what its program printed.
fn first_failure(all: &str) -> (Option<String>, String) {
    let mut lines = all.lines().skip_while(|line| !line.starts_with("FAILED: "));
    let Some(head) = lines.next() else {
        return (None, all.trim().to_owned());
    };
    let step = head.trim_start_matches("FAILED: ");
    let step = step.split_once("] ").map_or(step, |(_, step)| step);
    // The command is one line.
    let said: Vec<&str> = lines
        .skip(1)
        .take_while(|line| !is_step(line) && !line.starts_with("ninja: "))
        .collect();
    (Some(step.trim().to_owned()), said.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_is_found() {
        let all = "[1/3] Building a\n[2/3] Building b\nFAILED: [code=1] lib/b.o \nc++ -c b.cpp\n\
                   b.cpp:3:1: error: no\n  more\n[3/3] Building c\nFAILED: lib/c.o \nc++ -c\n\
                   c.cpp:1:1: error: other\nninja: build stopped: subcommand failed.\n";
        let (step, said) = first_failure(all);
        assert_eq!(step.as_deref(), Some("lib/b.o"));
        assert_eq!(said, "b.cpp:3:1: error: no\n  more");
        let (step, said) = first_failure("ninja: error: unknown target 'x'\n");
        assert_eq!(
            (step, said.as_str()),
            (None, "ninja: error: unknown target 'x'")
        );
    }
}
