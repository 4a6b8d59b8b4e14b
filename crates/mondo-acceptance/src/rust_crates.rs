//! mondo's crates as users of Cargo have them: checked without LLVM, published, and in a new program.

use std::time::{Duration, Instant};

use camino::Utf8Path;
use mondo_build::exec::Tool;
use mondo_build::path::utf8;
use mondo_build::{ErrorKind, Result, compile};
use mondo_testbed::Context;
use mondo_testbed::verdict::{expect, expect_words, json, tool};
use serde_json::Value;

/// The crates that are published, and files that each has besides those of every crate.
const PUBLISHED: &[(&str, &[&str])] = &[
    ("mondo-bytecode", &[]),
    (
        "mondo-sys",
        &["build/main.rs", "include/mondo.h", "src/declarations.rs"],
    ),
    ("mondo-ir", &["build/main.rs"]),
    ("mondo-dialect", &[]),
];

/// A program that compiles the Fibonacci numbers and prints one.
const PROGRAM: &str = r#"
use mondo_ir::{Context, EngineOptions, ExecutionEngine, Module, PassManager, Result};

const SOURCE: &str = "
func.func @fib(%n: i64) -> i64 {
  %two = arith.constant 2 : i64
  %is_small = arith.cmpi slt, %n, %two : i64
  %value = scf.if %is_small -> i64 {
    scf.yield %n : i64
  } else {
    %one = arith.constant 1 : i64
    %before = arith.subi %n, %one : i64
    %first = func.call @fib(%before) : (i64) -> i64
    %before_that = arith.subi %n, %two : i64
    %second = func.call @fib(%before_that) : (i64) -> i64
    %sum = arith.addi %first, %second : i64
    scf.yield %sum : i64
  }
  return %value : i64
}";

const LOWERING: &str = "builtin.module(convert-scf-to-cf,convert-cf-to-llvm,convert-arith-to-llvm,convert-func-to-llvm,\
                        reconcile-unrealized-casts)";

fn main() -> Result<()> {
    let engine = Context::new().enter(|ctx, ir| {
        let module = Module::parse(ctx, SOURCE)?;
        PassManager::parse(ctx, LOWERING)?.run(ir, module.owner())?;
        // SAFETY: the module has no constructors.
        unsafe { ExecutionEngine::new(ir, &module, &EngineOptions::new()) }
    })?;
    // SAFETY: the function takes and returns an i64, and touches no memory.
    let value = unsafe { engine.function::<unsafe extern "C" fn(i64) -> i64>("fib")?.call((20,)) };
    println!("fib(20) is {value}");
    Ok(())
}
"#;

/// The dialect of the example tarn is checked, its tests are built, and the crates are documented, where there is no LLVM, no
/// libclang, no C++ compiler, and nothing that says where they are.
pub fn check_without_llvm(context: &Context<'_>) -> Result<()> {
    let folder = context.workspace.join("examples/tarn");
    let target = context.scratch().join("without-llvm");
    let cargo = |purpose: &str, command: &[&str]| {
        without_llvm(purpose, &folder)
            .env("CARGO_TARGET_DIR", target.as_str())
            .env("CXX", "/nonexistent/c++")
            .env("LIBCLANG_PATH", "/nonexistent")
            .args(command)
            .output()
    };
    let dialect = ["--quiet", "--locked", "--package", "tarn-dialect"];
    let of_dialect = |command: &[&'static str]| [command, dialect.as_slice()].concat();
    cargo("check a dialect without LLVM", &of_dialect(&["check"]))?;
    cargo(
        "build a dialect's tests without LLVM",
        &of_dialect(&["test", "--no-run"]),
    )?;
    cargo(
        "document a dialect and what it is made of without LLVM",
        &of_dialect(&[
            "doc",
            "--no-deps",
            "--package",
            "mondo-ir",
            "--package",
            "mondo-dialect",
            "--package",
            "mondo-sys",
        ]),
    )
    .map(drop)
}

/// The packages have all their files and what an index shows of them. With `uploaded`, cargo makes, verifies and does not
/// upload them, for which it asks the registry.
pub fn check_packages(context: &Context<'_>, uploaded: bool) -> Result<()> {
    let cargo = |purpose: &str| without_llvm(purpose, context.workspace);
    let metadata = cargo("read the packages' metadata")
        .args(["metadata", "--no-deps", "--locked", "--format-version", "1"])
        .output()?;
    let metadata = json(&metadata.stdout)?;
    for (name, files) in PUBLISHED {
        let all = metadata["packages"].as_array().into_iter().flatten();
        let package = all.clone().find(|package| package["name"] == *name);
        check_fields(name, package.unwrap_or(&Value::Null))?;
        let listed = cargo("list the files of a package")
            .args([
                "package",
                "--list",
                "--allow-dirty",
                "--offline",
                "--package",
                name,
            ])
            .output()?
            .stdout;
        let every = ["Cargo.toml", "LICENSE", "README.md", "src/lib.rs"];
        for file in every.iter().chain(*files) {
            let what = format!("the package {name} lacks {file}");
            expect(listed.lines().any(|line| line == *file), what, &listed)?;
        }
    }
    if !uploaded {
        return Ok(());
    }
    let names = PUBLISHED.iter().flat_map(|(name, _)| ["--package", name]);
    cargo("publish the packages without an upload")
        .args(["publish", "--dry-run", "--allow-dirty", "--locked"])
        .args(names)
        .env(
            "CARGO_TARGET_DIR",
            context.scratch().join("published").as_str(),
        )
        .output()
        .map(drop)
}

/// The public items of mondo-ir and mondo-dialect are those of their lists.
pub fn check_public_api(context: &Context<'_>) -> Result<()> {
    let target = context.scratch().join("public-api");
    let cargo = |purpose: &str| {
        without_llvm(purpose, context.workspace).env("CARGO_TARGET_DIR", target.as_str())
    };
    // Without the tables of typed operations, which follow from ODS.
    for package in ["mondo-ir", "mondo-dialect"] {
        cargo("describe a crate as JSON")
            // rustdoc's JSON is unstable. public-api is of the version that reads that of the pinned compiler.
            .env("RUSTC_BOOTSTRAP", "1")
            .args(["rustdoc", "--quiet", "--locked", "--package", package])
            .args(["--features", "mondo-ir/typed-operations"])
            .args(["--", "-Z", "unstable-options", "--output-format", "json"])
            .output()?;
    }
    without_llvm("compare the public API", context.workspace)
        .env("MONDO_RUSTDOC_JSON", target.join("doc").as_str())
        .args(["test", "--quiet", "--locked", "--profile", "xtask"])
        .args(["--package", "mondo-dialect", "--test", "public_api"])
        .stream()
}

/// What cargo and an index ask of a package.
fn check_fields(name: &str, package: &Value) -> Result<()> {
    for field in ["description", "license", "readme", "rust_version"] {
        let what = format!("{name} has no {field}");
        expect(package[field].is_string(), what, package)?;
    }
    for field in ["categories", "keywords"] {
        let count = package[field].as_array().map_or(0, Vec::len);
        let what = format!("{name} has {count} {field}");
        expect((1..=5).contains(&count), what, package)?;
    }
    let what = format!("{name} may not be published");
    expect(package["publish"].is_null(), what, package)?;
    for dependency in package["dependencies"].as_array().into_iter().flatten() {
        let what = format!("{name} has a dependency without a version");
        expect(dependency["req"] != "*", what, dependency)?;
    }
    Ok(())
}

/// From `cargo new` to a compiled Fibonacci number, in less than two minutes and with nothing compiled before. The program then
/// runs outside of cargo. Without a library, cargo and the linker say which variable is missing.
pub fn check_first_program(context: &Context<'_>, library: &Utf8Path) -> Result<()> {
    const MOST: Duration = Duration::from_secs(120);
    // Outside of the workspace, of which cargo would make the program a member.
    let folder = tempfile::tempdir()?;
    let folder = utf8(folder.path())?;
    let program = folder.join("fib");
    let crate_ = context.workspace.join("crates/mondo-ir");
    let cargo = |purpose: &str| {
        without_llvm(purpose, &program).env("CARGO_TARGET_DIR", folder.join("target").as_str())
    };
    let run = || cargo("run a new program").args(["run", "--offline"]);

    let start = Instant::now();
    without_llvm("make a new program", folder)
        .args(["new", "--vcs", "none", "fib"])
        .output()?;
    cargo("add mondo-ir to a new program")
        .args(["add", "--offline", "--path", crate_.as_str()])
        .output()?;
    fs_err::write(program.join("src/main.rs"), PROGRAM)?;
    let printed = run().env("MONDO_LIBRARY_DIR", library.as_str()).output()?;
    let taken = start.elapsed();

    let expected = "fib(20) is 6765";
    expect_words("the first program", &printed.stdout, &[expected])?;
    let what = "the first program takes more than two minutes";
    expect(taken < MOST, what, format!("{taken:?}"))?;
    context.sink.note(&format!(
        "from `cargo new` to a compiled function: {taken:.1?}"
    ));

    let outside = tool(
        folder.join("target/debug/fib").as_str(),
        "run a program outside of cargo",
    );
    let outside = outside.env_remove("LD_LIBRARY_PATH").output()?;
    expect_words("the program outside of cargo", &outside.stdout, &[expected])?;

    let Err(error) = run().output() else {
        return expect(false, "a program without a library is linked", "");
    };
    let words = ["MONDO_LIBRARY_DIR is not set", "mondo bundle --layout tree"];
    expect_words("a program without a library", &error.to_string(), &words)
}

/// cargo without what mondo's own runs of it are told.
fn without_llvm(purpose: &str, folder: &Utf8Path) -> Tool {
    ["MONDO_LLVM_DIR", "MONDO_LIBCLANG_DIR", "MONDO_LIBRARY_DIR"]
        .into_iter()
        .fold(compile::cargo(purpose), Tool::env_remove)
        .fails_as(ErrorKind::Check)
        .cwd(folder)
}
