//! The wheel and its library with the C libraries and Pythons of other releases of the distribution.

mod image;
mod symbols;

use std::time::{Duration, Instant};

use camino::Utf8Path;
use mondo::console;
use mondo_build::Result;
use mondo_build::toolchain;
use mondo_testbed::files::unzip;
use mondo_testbed::{Context, Venv};

use self::image::{Image, image};

/// The releases whose packages can be downloaded, each with a Python of it and the subject of the tests.
const IMAGES: [(&str, &str, Subject); 5] = [
    ("bullseye", "3.9", Subject::Library),
    ("bookworm", "3.11", Subject::Wheel),
    ("trixie", "3.13", Subject::Wheel),
    ("sid", "3.14", Subject::Wheel),
    ("sid", "3.15", Subject::Wheel),
];

/// The subject of the tests in a distribution image.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// The library alone, through ctypes, because the wheel requires a later Python.
    Library,
    /// The wheel.
    Wheel,
}

/// Parses, runs passes and prints in each image, with the default wheel, and compares the stubs of glibc with the oldest
/// glibc.
pub fn check(context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("default")?.wheel;
    for (suite, version, subject) in IMAGES {
        let start = Instant::now();
        let system = image(suite, version, &toolchain::cache_dir()?, context.sink)?;
        let site = context.empty_folder(&format!("distributions/{suite}-python{version}"))?;
        smoke(&wheel, version, subject, &system, &site, context)?;
        let seconds = start.elapsed().as_secs_f64();
        console::err(format!("{suite}, Python {version}: {seconds:.1} s"));
        if subject == Subject::Library {
            let count = symbols::check(&system)?;
            let glibc = system.glibc;
            console::err(format!(
                "glibc {glibc}: {count} symbols are where the stubs have them"
            ));
        }
    }
    Ok(())
}

/// Parses a module, runs passes on it and prints it in an image, with what is installed in `site`.
fn smoke(
    wheel: &Utf8Path,
    version: &str,
    subject: Subject,
    system: &Image,
    site: &Utf8Path,
    context: &Context<'_>,
) -> Result<()> {
    let tests = context.workspace.join("tests/python");
    let mut python = system
        .python("use the wheel in another distribution")
        .cwd(site)
        .env("PYTHONPATH", format!("{site}:{tests}"))
        .env("MONDO_IMPORT_ROOT", "mlir")
        .env("MONDO_BUNDLE", "default")
        .env("MONDO_EXAMPLES", context.workspace.join("examples"))
        .env("MONDO_LLVM_DIR", &context.toolchain.prefix);
    match subject {
        Subject::Wheel => {
            install(wheel, version, site, context)?;
            python = python.arg(tests.join("distributions/smoke.py"));
        }
        Subject::Library => {
            unzip(wheel, site)?;
            python = python
                .arg(tests.join("distributions/through_ctypes.py"))
                .arg(tests.join("suite/over_c.py"))
                .arg(site.join("mlir/_mlir_libs/libmlir_mondo.so"));
        }
    }
    python
        .time_limit(Duration::from_secs(120))
        .output()
        .map(drop)
}

/// Installs the wheel with this machine's pip, for the image's Python.
fn install(wheel: &Utf8Path, version: &str, site: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let abi = format!("cp{}", version.replace('.', ""));
    let arch = std::env::consts::ARCH;
    let platforms = ["2_28", "2_27", "2_17"].map(|glibc| format!("manylinux_{glibc}_{arch}"));
    let platforms = platforms
        .iter()
        .flat_map(|tag| ["--platform", tag.as_str()]);
    Venv::kept(context, "tools")?
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
        .args(["--target", site.as_str(), "--no-index", wheel.as_str()])
        .output()
        .map(drop)
}
