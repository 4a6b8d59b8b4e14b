//! `cargo lab distributions`: tests the wheel and its library with the C libraries and Pythons of other
//! releases of the distribution. Writes pythons.md and glibc.md of docs/measurements.

mod image;
mod report;
mod results;
mod symbols;

use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo::to_json;
use mondo_build::exec::Tool;
use mondo_build::toolchain;
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::{Context, Venv, requirements};
use serde::{Deserialize, Serialize};

use self::image::Image;
use self::results::{ImageResults, Ran, Subject};

/// The releases whose packages can be downloaded, each with a Python of it and the subject of the tests.
const IMAGES: &[(&str, &str, Subject)] = &[
    ("bullseye", "3.9", Subject::Library),
    ("bookworm", "3.11", Subject::Wheel),
    ("trixie", "3.13", Subject::Wheel),
    ("sid", "3.14", Subject::Wheel),
    ("sid", "3.15", Subject::Wheel),
];

/// The test folders that run under each Python.
const FOLDERS: &[&str] = &["suite", "lifetime", "model"];

/// The first version of numpy with wheels for a Python, if the pinned version has none.
const NUMPY: &[(&str, &str)] = &[("3.15", "numpy==2.5.5")];

/// Packages for checks of the Python sources, which need not be repeated under each Python.
const FOR_SOURCES: &[&str] = &[
    "ast_serialize",
    "librt",
    "mypy",
    "mypy_extensions",
    "pathspec",
];

/// The results in one distribution image, stored between runs, because those of all images take a quarter of
/// an hour.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// The wheel's digest.
    wheel: String,
    runs: Vec<Ran>,
}

/// Runs the whole suites under each Python, or under those of `only`. Writes the tables once there are
/// results of this wheel for each Python.
pub(crate) fn run(context: &Context<'_>, fresh: bool, only: &[String]) -> Result<()> {
    let bundle = context.bundle("default")?;
    let digest = &bundle.report.wheel.sha256;
    let mut results = Vec::new();
    let chosen = |version: &str| only.is_empty() || only.iter().any(|it| it == version);
    for (suite, version, subject) in IMAGES {
        let file = Utf8PathBuf::from(format!("{}.json", place(context, suite, version)));
        if !chosen(version) {
            if let Some(runs) = kept(&file, digest) {
                let cache = toolchain::cache_dir()?;
                results.push(ImageResults {
                    system: image::image(suite, version, &cache, false, context.sink)?,
                    subject: *subject,
                    runs,
                });
            }
            continue;
        }
        let place = Installation::make(context, &bundle.wheel, (suite, version), *subject, fresh)?;
        let runs = match subject {
            Subject::Library => vec![place.scenarios()?],
            Subject::Wheel => {
                place.smoke()?;
                FOLDERS
                    .iter()
                    .map(|folder| place.pytest(folder))
                    .collect::<Result<_>>()?
            }
        };
        let kept = Kept {
            wheel: digest.clone(),
            runs,
        };
        fs_err::write(file, to_json(&kept)?)?;
        results.push(ImageResults {
            system: place.system,
            subject: *subject,
            runs: kept.runs,
        });
    }
    if results.len() == IMAGES.len() {
        report::write(context, &bundle.wheel, &results)?;
    }
    console::out(report::pythons(&results));
    if results.iter().flat_map(|it| &it.runs).all(|ran| ran.passed) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Check,
        "tests fail in another distribution",
    ))
}

/// The folder in which an image's packages are installed. Its results are beside it.
fn place(context: &Context<'_>, suite: &str, version: &str) -> Utf8PathBuf {
    let name = format!("distributions/{suite}-python{version}");
    context.scratch().join(name)
}

/// The results of an earlier run; None if that was with another wheel.
fn kept(file: &Utf8Path, wheel: &str) -> Option<Vec<Ran>> {
    let kept: Kept = serde_json::from_slice(&fs_err::read(file).ok()?).ok()?;
    (kept.wheel == wheel).then_some(kept.runs)
}

/// Parses, runs passes and prints in each image. `cargo xtask test --all` runs this.
pub(crate) fn smoke(context: &Context<'_>, wheel: &Utf8Path) -> Result<()> {
    let wheel = wheel.canonicalize_utf8()?;
    for (suite, version, subject) in IMAGES {
        let start = Instant::now();
        Installation::make(context, &wheel, (suite, version), *subject, false)?.smoke()?;
        console::err(format!(
            "{suite}, Python {version}: {:.1} s",
            start.elapsed().as_secs_f64()
        ));
    }
    Ok(())
}

/// A distribution image, with the subject of the tests installed in a folder beside it.
struct Installation<'a> {
    context: &'a Context<'a>,
    wheel: &'a Utf8Path,
    system: Image,
    subject: Subject,
    /// The folder of installed packages.
    site: Utf8PathBuf,
}

impl<'a> Installation<'a> {
    fn make(
        context: &'a Context<'a>,
        wheel: &'a Utf8Path,
        (suite, version): (&str, &str),
        subject: Subject,
        fresh: bool,
    ) -> Result<Self> {
        let cache = toolchain::cache_dir()?;
        let system = image::image(suite, version, &cache, fresh, context.sink)?;
        let site = place(context, suite, version);
        if site.exists() {
            fs_err::remove_dir_all(&site)?;
        }
        let place = Self {
            context,
            wheel,
            system,
            subject,
            site,
        };
        place.install(version)?;
        Ok(place)
    }

    /// Installs the wheel with this machine's pip, for the image's Python. For a test of the library alone,
    /// the wheel is unpacked, because it does not support that Python.
    fn install(&self, version: &str) -> Result<()> {
        let wheel = self.wheel;
        if self.subject == Subject::Library {
            return Tool::new("python3", "unpack the wheel")
                .args(["-m", "zipfile", "-e", wheel.as_str(), self.site.as_str()])
                .output()
                .map(drop);
        }
        self.pip(version, &["--no-index", wheel.as_str()])
    }

    /// Installs the packages that the suites need.
    fn install_tools(&self) -> Result<()> {
        let version = self.minor();
        let numpy = NUMPY.iter().find(|(python, _)| *python == version);
        let list = fs_err::read_to_string(requirements(self.context))?;
        let wanted: Vec<&str> = list
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter(|line| {
                let name = line.split("==").next().unwrap_or_default();
                !FOR_SOURCES.contains(&name)
            })
            .map(|line| match numpy {
                Some((_, newer)) if line.starts_with("numpy==") => newer,
                _ => line,
            })
            .collect();
        self.pip(&version, &wanted)
    }

    /// The Python's minor version: `3.13`.
    fn minor(&self) -> String {
        let numbers: Vec<&str> = self.system.python_version.split('.').take(2).collect();
        numbers.join(".")
    }

    fn pip(&self, version: &str, args: &[&str]) -> Result<()> {
        let abi = format!("cp{}", version.replace('.', ""));
        let arch = std::env::consts::ARCH;
        let platforms = ["2_28", "2_27", "2_17"].map(|it| format!("manylinux_{it}_{arch}"));
        let platforms = platforms.iter().flat_map(|it| ["--platform", it.as_str()]);
        Venv::tools(self.context)?
            .python("install packages for another Python")
            .args(["-m", "pip", "install", "--quiet"])
            .args(["--disable-pip-version-check", "--no-deps"])
            // pip compares the Python that a package requires with the Python that runs pip, and not with
            // `--python-version`.
            .arg("--ignore-requires-python")
            .args(["--only-binary=:all:", "--implementation", "cp"])
            .args(["--python-version", version, "--abi", abi.as_str()])
            .args(["--abi", "abi3", "--abi", "none"])
            .args(platforms)
            .args(["--target", self.site.as_str()])
            .args(args)
            .output()
            .map(drop)
    }

    fn python(&self, purpose: &str) -> Tool {
        let tests = self.context.workspace.join("tests/python");
        self.system
            .python(purpose)
            .cwd(&self.site)
            .env("PYTHONPATH", format!("{}:{tests}", self.site))
            .env("MONDO_IMPORT_ROOT", "mlir")
            .env("MONDO_BUNDLE", "default")
            .env("MONDO_EXAMPLES", self.context.workspace.join("examples"))
            .env("MONDO_LLVM_DIR", &self.context.toolchain.prefix)
    }

    /// Parses a module, runs passes on it and prints it.
    fn smoke(&self) -> Result<()> {
        let tests = self.context.workspace.join("tests/python");
        let tool = match self.subject {
            Subject::Wheel => self
                .python("use the wheel in another distribution")
                .arg(tests.join("distributions/smoke.py")),
            Subject::Library => self
                .python("use the library in another distribution")
                .arg(tests.join("distributions/through_ctypes.py"))
                .arg(tests.join("suite/over_c.py"))
                .arg(self.library()),
        };
        tool.time_limit(Duration::from_secs(120)).output()?;
        if self.subject == Subject::Library {
            let count = symbols::check(&self.system)?;
            console::err(format!(
                "glibc {}: {count} symbols are where the stubs have them",
                self.system.glibc
            ));
        }
        Ok(())
    }

    fn library(&self) -> Utf8PathBuf {
        self.site.join("mlir/_mlir_libs/libmlir_mondo.so")
    }

    /// Runs the scenarios that use the C API alone.
    fn scenarios(&self) -> Result<Ran> {
        self.smoke()?;
        let program = self.context.workspace.join("tests/python/suite/over_c.py");
        let listed = self
            .python("list scenarios")
            .args([
                "-c",
                "import runpy, sys; print(*runpy.run_path(sys.argv[1])['SCENARIOS'])",
            ])
            .arg(&program)
            .output()?;
        let names: Vec<&str> = listed.stdout.split_whitespace().collect();
        let mut failed = Vec::new();
        for name in &names {
            let done = self
                .python("run a scenario")
                .arg("-Wignore")
                .arg(&program)
                .args([self.library().as_str(), name])
                .time_limit(Duration::from_secs(120))
                .output_unchecked()?;
            if !done.status.success() || !done.stdout.ends_with("done\n") {
                console::err(format!("{name}: {}", done.stderr));
                failed.push(*name);
            }
        }
        Ok(Ran {
            passed: failed.is_empty(),
            summary: format!(
                "parse, passes, print; {} of {} scenarios over the C API",
                names.len() - failed.len(),
                names.len()
            ),
        })
    }

    fn pytest(&self, folder: &str) -> Result<Ran> {
        if !self.site.join("pytest").is_dir() {
            self.install_tools()?;
        }
        let tests = self.context.workspace.join("tests/python").join(folder);
        console::err(format!(
            "Python {} of {}: {folder}",
            self.system.python_version, self.system.suite
        ));
        let done = self
            .python("pass pytest in another distribution")
            .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .args(["--import-mode=importlib", "--rootdir"])
            .arg(&tests)
            .arg(&tests)
            .output_unchecked()?;
        let passed = done.status.success();
        if !passed {
            console::err(&done.stdout);
            console::err(&done.stderr);
        }
        let last = done.stdout.lines().last().unwrap_or_default();
        let summary = last.trim_matches(['=', ' ']);
        Ok(Ran {
            passed,
            summary: summary
                .rsplit_once(" in ")
                .map_or(summary, |(counts, _)| counts)
                .to_owned(),
        })
    }
}
