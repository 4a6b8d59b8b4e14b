//! Runs tests, as many at once as there are processors.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use camino::Utf8Path;
use mondo_build::exec::Tool;
use mondo_build::progress::{self, Sink};
use mondo_build::toolchain::{self, Toolchain};
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::Venv;

use super::run_line::{self, RunLine};

/// More than the slowest takes on a machine that is busy with other things.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// What tests are run with.
pub(super) struct Runner<'a> {
    pub(super) venv: &'a Venv,
    pub(super) toolchain: &'a Toolchain,
    /// The mlir folder of LLVM's sources.
    pub(super) mlir: &'a Utf8Path,
    /// The prepared copies of the tests.
    pub(super) copies: &'a Utf8Path,
    /// Where what they print is kept until `FileCheck` has read it.
    pub(super) outputs: &'a Utf8Path,
}

/// How one test ended.
#[derive(Debug)]
pub(super) struct TestResult {
    pub(super) test: String,
    pub(super) seconds: f64,
    /// Why it does not pass, if it does not.
    pub(super) failure: Option<String>,
}

impl Runner<'_> {
    /// The results of all `tests`, in their order.
    pub(super) fn run_all(&self, tests: &[String], sink: &dyn Sink) -> Result<Vec<TestResult>> {
        let detail = format!("{} of upstream's tests", tests.len());
        let (results, _) = progress::phase(sink, "run", &detail, || {
            let results = self.in_turn(tests, sink)?;
            let passed = results.iter().filter(|r| r.failure.is_none()).count();
            let outcome = format!("{passed} of {} pass", results.len());
            Ok::<_, Error>((results, outcome))
        })?;
        Ok(results)
    }

    fn in_turn(&self, tests: &[String], sink: &dyn Sink) -> Result<Vec<TestResult>> {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..workers.min(tests.len()) {
                scope.spawn(|| {
                    while let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let result = self.run_one(test);
                        let stop = result.is_err();
                        if let Ok(mut results) = results.lock() {
                            results.push(result);
                            sink.update(&format!("{} of {}", results.len(), tests.len()));
                        }
                        if stop {
                            next.store(tests.len(), Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let results = results
            .into_inner()
            .map_err(|_| Error::new(ErrorKind::Check, "a thread that runs tests died"))?;
        let mut results = results.into_iter().collect::<Result<Vec<_>>>()?;
        results.sort_by(|a, b| a.test.cmp(&b.test));
        Ok(results)
    }

    fn run_one(&self, test: &str) -> Result<TestResult> {
        let start = Instant::now();
        let failure = match self.commands(test) {
            Ok(Ok(lines)) => self.run_lines(test, &lines)?,
            Ok(Err(unknown)) => Some(unknown),
            Err(error) => return Err(error),
        };
        Ok(TestResult {
            test: test.to_owned(),
            seconds: start.elapsed().as_secs_f64(),
            failure,
        })
    }

    fn commands(&self, test: &str) -> Result<Result<Vec<RunLine>, String>> {
        let path = self.copies.join(test);
        let folder = path.parent().unwrap_or(self.copies);
        let library = |name: &str| self.toolchain.prefix.join(format!("lib/lib{name}.so"));
        let (runner, c_runner) = (library("mlir_runner_utils"), library("mlir_c_runner_utils"));
        let names = [
            ("%mlir_src_root", self.mlir.as_str()),
            ("%mlir_src_dir", self.mlir.as_str()),
            ("%mlir_runner_utils", runner.as_str()),
            ("%mlir_c_runner_utils", c_runner.as_str()),
            ("%S", folder.as_str()),
            ("%s", path.as_str()),
        ];
        Ok(run_line::parse(&fs_err::read_to_string(&path)?, &names))
    }

    /// The first thing that goes wrong.
    fn run_lines(&self, test: &str, lines: &[RunLine]) -> Result<Option<String>> {
        for (number, line) in lines.iter().enumerate() {
            let name = format!("{}.{number}", test.replace('/', "."));
            let outcome = self.run_line(line, &self.outputs.join(name));
            match outcome {
                Ok(()) => {}
                // What the test is to blame for; anything else is this machine's.
                Err(error) if error.kind() == ErrorKind::Check => {
                    return Ok(Some(error.to_string()));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    fn run_line(&self, line: &RunLine, printed: &Utf8Path) -> Result<()> {
        let mut program = self
            .venv
            .python("run the test")
            .args(&line.arguments)
            .time_limit(TIME_LIMIT);
        for (key, value) in &line.env {
            program = program.env(key, value);
        }
        let mut output = program.output_to(printed, line.both)?;
        if !output.status.success() {
            output.stdout = String::from_utf8_lossy(&fs_err::read(printed)?).into_owned();
            return Err(program.failure(&output));
        }
        let Some(arguments) = &line.check else {
            return Ok(());
        };
        let filecheck = self.toolchain.prefix.join("bin/FileCheck");
        let major = self.toolchain.version.split('.').next().unwrap_or_default();
        let check = Tool::new(
            filecheck.as_str(),
            "find what the test expects to be printed",
        )
        .fails_as(ErrorKind::Check)
        .installed_by(format!("apt-get install llvm-{major}-tools"))
        .args(arguments)
        .arg(format!("--input-file={printed}"))
        .time_limit(TIME_LIMIT);
        toolchain::with_libraries(check, self.toolchain)
            .output()
            .map(drop)
    }
}
