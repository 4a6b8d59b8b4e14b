//! The example `tarn`: a language whose compiler is written in Rust, from Rust and from Python.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_build::bundle::{self, Options};
use mondo_build::exec::Tool;
use mondo_testbed::cargo::cargo;
use mondo_testbed::verdict::{expect_words, tool};
use mondo_testbed::{Context, Extent, Venv};

/// The number of generated programs whose results are compared with the interpreter's: in the gate, and with `--all`.
const PROGRAMS: [&str; 2] = ["300", "10000"];

/// The tests of its syntax, its wheel under pytest, generated programs against the interpreter, an object file that C's
/// linker takes, and the compiler's errors about an invalid program.
pub fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let folder = context.workspace.join("examples/tarn");
    let options = Options::new(folder.join("bundle.toml"), context.workspace);
    let wheel = bundle::bundle(&options, context.sink)?.wheel;
    let venv = Venv::with_wheels(context, "tarn", [&wheel])?;
    venv.pytest("run the language's tests", &[&folder.join("tests")])
        .stream()?;

    let cargo = |purpose: &str, command: &str| {
        cargo(context, purpose)
            .cwd(&folder)
            .env("CARGO_TARGET_DIR", context.scratch().join("tarn"))
            .env("MONDO_LIBRARY_DIR", &venv.dir)
            .args([command, "--quiet", "--locked"])
    };
    let tarn = |purpose: &str, arguments: &[&str]| {
        cargo(purpose, "run")
            .args(["--package", "tarn", "--"])
            .args(arguments)
    };
    cargo("pass the tests of the language's syntax", "test")
        .args(["--package", "tarn-syntax"])
        .stream()?;
    let count = PROGRAMS[usize::from(extent.is_all())];
    let comparison = tarn("compare programs", &["compare", count]).output()?;
    let agree = format!("{count} programs agree with the interpreter");
    expect_words("generated programs differ", &comparison.stdout, &[&agree])?;
    let run = ["run", "programs/primes.tarn", "1000", "0"];
    let result = tarn("run a program", &run).output()?;
    expect_words("the primes are wrong", &result.stdout, &["168"])?;
    object_file(context, &folder, &|arguments| {
        tarn("make an object file", arguments)
    })
}

/// Links an object file of a program into a library, and calls it.
fn object_file(
    context: &Context<'_>,
    folder: &Utf8Path,
    tarn: &dyn Fn(&[&str]) -> Tool,
) -> Result<()> {
    let scratch = context.empty_folder("tarn-object")?;
    let (object, library) = (scratch.join("gcd.o"), scratch.join("libgcd.so"));
    let program = folder.join("programs/gcd.tarn");
    tarn(&["object", program.as_str(), object.as_str()]).output()?;
    tool("cc", "link an object file")
        .args(["-shared", object.as_str(), "-o", library.as_str()])
        .output()?;
    let script = format!(
        "import ctypes; gcd = ctypes.CDLL('{library}').gcd; gcd.restype = ctypes.c_int64; \
         print(gcd(ctypes.c_int64(1071), ctypes.c_int64(462)))"
    );
    let result = tool("python3", "call a function of an object file")
        .args(["-c", &script])
        .output()?;
    expect_words("the divisor is wrong", &result.stdout, &["21"])
}
