//! The only place that starts other programs. Every run is logged, can be interrupted, and turns a
//! missing program or a failing one into a typed error that shows the program's message.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};

use crate::error::{Error, ErrorKind, Result};
use crate::interrupt::{self, Stop};

/// The time in which an interrupted program ends what it has started.
const GRACE: Duration = Duration::from_secs(2);

/// A program to run. Build it up, then call [`Tool::output`] or [`Tool::stream`].
#[derive(Debug, Clone)]
pub struct Tool {
    program: OsString,
    args: Vec<OsString>,
    env: Vec<(OsString, Option<OsString>)>,
    cwd: Option<Utf8PathBuf>,
    purpose: String,
    kind: ErrorKind,
    install: Option<String>,
    time_limit: Option<Duration>,
    stop: Option<Arc<Stop>>,
}

/// The result of a finished program.
#[derive(Debug)]
pub struct Output {
    /// The exit status.
    pub status: ExitStatus,
    /// Its standard output, with invalid UTF-8 replaced.
    pub stdout: String,
    /// Its standard error, with invalid UTF-8 replaced.
    pub stderr: String,
}

impl Tool {
    /// `program` is a path or a name to look up on `PATH`; `purpose` ends the sentence "could not …".
    pub fn new(program: impl Into<OsString>, purpose: impl Into<String>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
            purpose: purpose.into(),
            kind: ErrorKind::Compile,
            install: None,
            time_limit: None,
            stop: None,
        }
    }

    /// Replaces the purpose.
    #[must_use]
    pub fn purpose(mut self, purpose: impl Into<String>) -> Self {
        self.purpose = purpose.into();
        self
    }

    /// Sets the time limit: a program that exceeds it is killed, and that is an error. By default
    /// there is no limit.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Kills the program, and all processes that it started, once `stop` is set. The error then is
    /// `ErrorKind::Interrupted`.
    #[must_use]
    pub fn until(mut self, stop: &Arc<Stop>) -> Self {
        self.stop = Some(Arc::clone(stop));
        self
    }

    /// Sets the kind of error for a failing exit status; the default is [`ErrorKind::Compile`].
    #[must_use]
    pub fn fails_as(mut self, kind: ErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the command that installs the program, for the error where it is missing.
    #[must_use]
    pub fn installed_by(mut self, command: impl Into<String>) -> Self {
        self.install = Some(command.into());
        self
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args
            .extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets an environment variable of the program.
    #[must_use]
    pub fn env(mut self, key: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env
            .push((key.as_ref().to_owned(), Some(value.as_ref().to_owned())));
        self
    }

    /// Takes an inherited environment variable away.
    #[must_use]
    pub fn env_remove(mut self, key: impl AsRef<OsStr>) -> Self {
        self.env.push((key.as_ref().to_owned(), None));
        self
    }

    /// Runs in this folder.
    #[must_use]
    pub fn cwd(mut self, dir: impl AsRef<Utf8Path>) -> Self {
        self.cwd = Some(dir.as_ref().to_owned());
        self
    }

    /// Makes the same command the arguments of `program`, a launcher that starts it.
    #[must_use]
    pub fn through(&self, program: &Utf8Path) -> Self {
        let mut tool = self.clone();
        tool.args.insert(0, self.program.clone());
        tool.program = program.as_str().into();
        tool
    }

    /// The command as one line, for logs and messages.
    #[must_use]
    pub fn command_line(&self) -> String {
        let mut line = self.program.to_string_lossy().into_owned();
        for arg in &self.args {
            line.push(' ');
            line.push_str(&arg.to_string_lossy());
        }
        line
    }

    /// Runs to the end and returns what it printed; a failing status is an error that quotes it.
    ///
    /// # Errors
    /// The tool's own kind where it cannot be started or fails, and `ErrorKind::Interrupted` after
    /// Ctrl-C.
    pub fn output(&self) -> Result<Output> {
        let output = self.output_unchecked()?;
        if output.status.success() {
            Ok(output)
        } else {
            Err(self.failure(&output))
        }
    }

    /// Like [`Tool::output`], and hands each line of standard error to `watch` as it is written.
    ///
    /// # Errors
    /// The tool's own kind where it cannot be started or fails, and `ErrorKind::Interrupted` after
    /// Ctrl-C.
    pub fn output_watched(&self, watch: &(dyn Fn(&str) + Sync)) -> Result<Output> {
        let output = self.watched(&|_| {}, watch)?;
        if output.status.success() {
            Ok(output)
        } else {
            Err(self.failure(&output))
        }
    }

    /// Like [`Tool::output_unchecked`], and hands each line of standard output to `watch` as it is written.
    ///
    /// # Errors
    /// The tool's own kind where it cannot be started, and `ErrorKind::Interrupted` after Ctrl-C.
    pub fn output_unchecked_watched(&self, watch: &(dyn Fn(&str) + Sync)) -> Result<Output> {
        self.watched(watch, &|_| {})
    }

    fn watched(
        &self,
        stdout: &(dyn Fn(&str) + Sync),
        stderr: &(dyn Fn(&str) + Sync),
    ) -> Result<Output> {
        let mut child = self.spawn(Stdio::piped(), Stdio::piped())?;
        let streams = (child.stdout.take(), child.stderr.take());
        thread::scope(|scope| {
            let stdout = scope.spawn(|| lines(streams.0, stdout));
            let stderr = scope.spawn(|| lines(streams.1, stderr));
            let status = self.wait(&mut child)?;
            Ok(Output {
                status,
                stdout: stdout.join().unwrap_or_default(),
                stderr: stderr.join().unwrap_or_default(),
            })
        })
    }

    /// Like [`Tool::output`], but a failing exit status is not an error; the caller checks it.
    ///
    /// # Errors
    /// The tool's own kind where it cannot be started, and `ErrorKind::Interrupted` after Ctrl-C.
    pub fn output_unchecked(&self) -> Result<Output> {
        let mut child = self.spawn(Stdio::piped(), Stdio::piped())?;
        let stdout = drain(child.stdout.take());
        let stderr = drain(child.stderr.take());
        let status = self.wait(&mut child)?;
        let text = |reader: thread::JoinHandle<Vec<u8>>| {
            String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
        };
        Ok(Output {
            status,
            stdout: text(stdout),
            stderr: text(stderr),
        })
    }

    /// Runs to the end with the terminal as its output; a failing status is an error.
    ///
    /// # Errors
    /// The tool's own kind where it cannot be started or fails, and `ErrorKind::Interrupted` after
    /// Ctrl-C.
    pub fn stream(&self) -> Result<()> {
        let mut child = self.spawn(Stdio::inherit(), Stdio::inherit())?;
        let status = self.wait(&mut child)?;
        if status.success() {
            return Ok(());
        }
        Err(Error::new(self.kind, format!("could not {}", self.purpose))
            .at(self.command_line())
            .because(format!("it failed with {status}; its output is above")))
    }

    /// The end of the output of a failed run.
    #[must_use]
    pub fn said(&self, output: &Output) -> String {
        let output_text = if output.stderr.trim().is_empty() {
            &output.stdout
        } else {
            &output.stderr
        };
        tail(output_text.trim(), 60)
    }

    /// The error for a run that ended badly, with the end of what it printed.
    #[must_use]
    pub fn failure(&self, output: &Output) -> Error {
        Error::new(self.kind, format!("could not {}", self.purpose))
            .at(elide(&self.command_line(), 300))
            .because(format!(
                "it failed with {}:\n{}",
                output.status,
                self.said(output)
            ))
            .on_full_disk(output)
    }

    #[expect(
        clippy::disallowed_types,
        reason = "this is the module that the lint points to"
    )]
    fn spawn(&self, stdout: Stdio, stderr: Stdio) -> Result<Child> {
        interrupt::check()?;
        tracing::debug!(command = %self.command_line(), "run");
        let mut command = std::process::Command::new(&self.program);
        command
            .args(&self.args)
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr);
        for (key, value) in &self.env {
            match value {
                Some(value) => command.env(key, value),
                None => command.env_remove(key),
            };
        }
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        if self.has_own_group() {
            // A process group of its own, which `kill` ends as a whole.
            command.process_group(0);
        }
        spawned(|| command.spawn()).map_err(|error| {
            let program = self.program.to_string_lossy();
            if error.kind() == std::io::ErrorKind::NotFound {
                let error = Error::new(
                    ErrorKind::MissingTool,
                    format!(
                        "`{program}` was not found, so mondo could not {}",
                        self.purpose
                    ),
                );
                match &self.install {
                    Some(install) => error.help(format!("install it: {install}")),
                    None => error.help(format!("install `{program}`, or add it to PATH")),
                }
            } else {
                Error::new(self.kind, format!("could not {}", self.purpose))
                    .at(program.into_owned())
                    .caused_by(error)
            }
        })
    }

    fn wait(&self, child: &mut Child) -> Result<ExitStatus> {
        let mut pause = Duration::from_micros(200);
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                // A child that died of the same Ctrl-C is reported as an interruption and not as a failure.
                interrupt::check()?;
                return Ok(status);
            }
            let stopped = match &self.stop {
                Some(stop) => stop.check(),
                None => interrupt::check(),
            };
            if let Err(interrupted) = stopped {
                self.kill(child);
                return Err(interrupted);
            }
            if let Some(limit) = self.time_limit.filter(|limit| start.elapsed() > *limit) {
                self.kill(child);
                return Err(Error::new(self.kind, format!("could not {}", self.purpose))
                    .at(elide(&self.command_line(), 300))
                    .because(format!("it was still running after {} s", limit.as_secs())));
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// True for a program that may be killed, so that it and its children form a process group of their own.
    fn has_own_group(&self) -> bool {
        self.stop.is_some() || self.time_limit.is_some()
    }

    /// Ends `child`, and the whole process group if it has one of its own. Another child is asked first: Ninja starts
    /// its commands in groups of their own, which no signal for it reaches, and ends them when it is asked to. Errors are
    /// ignored: they mean that the process has ended already.
    fn kill(&self, child: &mut Child) {
        if self.has_own_group() {
            let _ = kill_group(child);
        } else if let Some(pid) = pid(child) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
            let since = Instant::now();
            while matches!(child.try_wait(), Ok(None)) && since.elapsed() < GRACE {
                thread::sleep(Duration::from_millis(5));
            }
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Output {
    /// True if the program has run into a full disk. A program that writes through a memory map, as linkers do, dies
    /// of a bus error then.
    #[must_use]
    pub fn is_of_full_disk(&self) -> bool {
        [&self.stderr, &self.stdout].iter().any(|text| {
            text.contains("No space left on device") || text.contains("signal 7 [Bus error]")
        })
    }
}

impl Error {
    /// Changes this error to one of the operating system if the program that printed `output` has run into a full
    /// disk.
    #[must_use]
    pub fn on_full_disk(self, output: &Output) -> Self {
        match output.is_of_full_disk() {
            true => self
                .with_kind(ErrorKind::Io)
                .help("the disk is full: free some space, and build again"),
            false => self,
        }
    }
}

fn pid(child: &Child) -> Option<rustix::process::Pid> {
    let id = i32::try_from(child.id()).ok()?;
    rustix::process::Pid::from_raw(id)
}

/// Ends the process group that `child` leads.
fn kill_group(child: &Child) -> std::io::Result<()> {
    let group = pid(child).ok_or(std::io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::kill_process_group(
        group,
        rustix::process::Signal::KILL,
    )?)
}

fn drain(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // The text read before an error is still worth showing.
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Reads to the end, and hands each line to `watch` as it comes.
fn lines(stream: Option<impl Read>, watch: &(dyn Fn(&str) + Sync)) -> String {
    let mut text = String::new();
    for line in stream
        .into_iter()
        .flat_map(|stream| BufReader::new(stream).split(b'\n'))
    {
        // The text read before an error is still worth showing.
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line);
        watch(&line);
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    let skipped = all.len().saturating_sub(lines);
    let mut shown = all[skipped..].join("\n");
    if skipped > 0 {
        shown.insert_str(0, &format!("… {skipped} lines before\n"));
    }
    shown
}

fn elide(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most).collect();
    format!("{head} …")
}

/// Starts a program. If this process has just written the program's file, another thread's fork may still have the
/// file open for writing, and execve(2) fails with `ETXTBSY` until that child has called exec. So the start is
/// repeated.
fn spawned(mut spawn: impl FnMut() -> std::io::Result<Child>) -> std::io::Result<Child> {
    for _ in 0..100 {
        match spawn() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(10));
            }
            started => return started,
        }
    }
    spawn()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interrupt::StopOnDrop;

    #[test]
    fn a_missing_program_says_how_to_get_it() {
        let error = Tool::new("mondo-no-such-program", "test this")
            .installed_by("apt-get install it")
            .output()
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MissingTool);
        assert!(error.to_string().contains("apt-get install it"), "{error}");
    }

    #[test]
    fn a_program_that_is_still_being_written_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let program = Utf8Path::from_path(dir.path()).unwrap().join("program");
        fs_err::write(&program, "#!/bin/sh\necho run\n").unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs_err::set_permissions(&program, mode).unwrap();
        let writer = fs_err::OpenOptions::new().append(true).open(&program);
        let closed = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            drop(writer);
        });
        let output = Tool::new(program.as_str(), "run it").output().unwrap();
        assert_eq!(output.stdout, "run\n");
        closed.join().unwrap();
    }

    #[test]
    fn a_program_that_takes_too_long_is_stopped() {
        let start = Instant::now();
        let error = Tool::new("sleep", "wait")
            .arg("60")
            .time_limit(Duration::from_millis(50))
            .output()
            .unwrap_err();
        assert!(error.to_string().contains("still running"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_stopped_program_ends_with_all_that_it_started() {
        let stop = Arc::new(Stop::default());
        let start = Instant::now();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("pid");
        // The shell's standard output stays open as long as the inner `sleep` lives, so the test ends only if `sleep`
        // is killed, too.
        let script = format!("sleep 60 & echo $! > {}; wait", file.display());
        let error = thread::scope(|scope| {
            let tool = Tool::new("sh", "wait").args(["-c", &script]).until(&stop);
            let running = scope.spawn(move || tool.output());
            while fs_err::read_to_string(&file).unwrap_or_default().is_empty() {
                assert!(start.elapsed() < Duration::from_secs(30));
                thread::sleep(Duration::from_millis(5));
            }
            drop(StopOnDrop(&stop));
            running.join().unwrap().unwrap_err()
        });
        assert_eq!(error.kind(), ErrorKind::Interrupted);
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_full_disk_is_told_from_other_failures() {
        for (said, kind) in [
            ("ar: x.a: No space left on device", ErrorKind::Io),
            ("ld terminated with signal 7 [Bus error]", ErrorKind::Io),
            ("x.cpp:1: error: y", ErrorKind::Compile),
        ] {
            let tool = Tool::new("sh", "make this").fails_as(ErrorKind::Compile);
            let error = tool.args(["-c", &format!("echo '{said}' >&2; exit 1")]);
            let error = error.output().unwrap_err();
            assert_eq!(error.kind(), kind);
            let free = error.to_string().contains("free some space");
            assert_eq!(free, kind == ErrorKind::Io, "{error}");
        }
    }

    #[test]
    fn a_failing_program_is_quoted() {
        let error = Tool::new("sh", "fail")
            .args(["-c", "echo reason >&2; exit 3"])
            .output();
        let text = error.unwrap_err().to_string();
        assert!(
            text.contains("reason") && text.contains("exit status: 3"),
            "{text}"
        );
    }
}
