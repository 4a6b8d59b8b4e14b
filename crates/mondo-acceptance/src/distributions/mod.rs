//! The wheel and its library with the C libraries and Pythons of other releases of the distribution.

mod image;
mod symbols;

use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_build::toolchain;
use mondo_testbed::files::{make_empty, unzip};
use mondo_testbed::{Context, Venv};

use self::image::Image;

/// The releases whose packages can be downloaded, each with a Python of it and the subject of the tests.
const IMAGES: &[(&str, &str, Subject)] = &[
    ("bullseye", "3.9", Subject::Library),
    ("bookworm", "3.11", Subject::Wheel),
    ("trixie", "3.13", Subject::Wheel),
    ("sid", "3.14", Subject::Wheel),
    ("sid", "3.15", Subject::Wheel),
];

/// The subject of the tests in a distribution image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// The library alone, through ctypes, because the wheel requires a later Python.
    Library,
    /// The wheel.
    Wheel,
}

/// The folder in which an image's packages are installed.
fn place(context: &Context<'_>, suite: &str, version: &str) -> Utf8PathBuf {
    let name = format!("distributions/{suite}-python{version}");
    context.scratch().join(name)
}

/// Parses, runs passes and prints in each image, with the default wheel.
///
/// # Errors
///
/// If the wheel or its library does not work there, or a stub of glibc differs from the glibc of that release.
pub fn check(context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("default")?.wheel;
    for (suite, version, subject) in IMAGES {
        let start = Instant::now();
        Installation::make(context, &wheel, (suite, version), *subject)?.smoke()?;
        console::err(format!(
            "{suite}, Python {version}: {:.1} s",
            start.elapsed().as_secs_f64()
        ));
    }
    Ok(())
}

/// A distribution image, and the folder beside it in which the tested packages are installed.
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
    ) -> Result<Self> {
        let cache = toolchain::cache_dir()?;
        let system = image::image(suite, version, &cache, context.sink)?;
        let site = place(context, suite, version);
        make_empty(&site)?;
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
        if self.subject == Subject::Library {
            return unzip(self.wheel, &self.site);
        }
        let abi = format!("cp{}", version.replace('.', ""));
        let arch = std::env::consts::ARCH;
        let platforms = ["2_28", "2_27", "2_17"].map(|glibc| format!("manylinux_{glibc}_{arch}"));
        let platforms = platforms
            .iter()
            .flat_map(|tag| ["--platform", tag.as_str()]);
        Venv::kept(self.context, "tools")?
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
            .args([
                "--target",
                self.site.as_str(),
                "--no-index",
                self.wheel.as_str(),
            ])
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
}
