//! The command line under bad input, on the real toolchain: each case ends with its own exit code
//! and a message that names the culprit, and leaves earlier results as they were.
//!
//! Run by `cargo xtask test bad-input`. The manifests are the tests' own: no bundle of manifests/ is
//! needed.

#![expect(
    clippy::disallowed_types,
    reason = "tests start the program under test"
)]

mod crates;
mod prefix;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use prefix::FakePrefix;

/// A small bundle that needs no code generator, for cases that get as far as the link.
const MANIFEST: &str = r#"manifest = 1
[package]
distribution = "bad-input"
label = "badinput"
summary = "for a test"
license = "Apache-2.0 WITH LLVM-exception"
[llvm]
version = "22"
targets = []
[contents]
dialects = ["func", "arith"]
passes = ["transforms"]
"#;

struct Case {
    dir: tempfile::TempDir,
}

impl Case {
    fn new(manifest: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("bundle.toml"), manifest).unwrap();
        Self { dir }
    }

    fn dist(&self) -> PathBuf {
        self.dir.path().join("dist")
    }

    /// `mondo bundle` on the manifest, without the network.
    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mondo"));
        command
            .args(["bundle", "--offline", "--manifest"])
            .arg(self.dir.path().join("bundle.toml"))
            .arg("--out-dir")
            .arg(self.dist())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs it and expects this exit code and every one of these words on standard error.
    #[track_caller]
    fn fails(&self, mut command: Command, code: i32, words: &[&str]) {
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        for word in words {
            assert!(said.contains(word), "no {word:?} in:\n{said}");
        }
        assert!(!said.contains("panicked"), "{said}");
        self.no_leavings();
    }

    fn report(&self) -> Vec<u8> {
        std::fs::read(self.dir.path().join("build/mondo/reports/report.json")).unwrap()
    }

    /// Nothing is in the output folder but whole wheels.
    #[track_caller]
    fn no_leavings(&self) {
        for name in listing(&self.dist()) {
            assert!(
                name.ends_with(".whl") && !name.starts_with('.'),
                "{name} was left behind"
            );
        }
    }
}

fn listing(dir: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[track_caller]
fn succeeds(mut command: Command) -> Output {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

#[track_caller]
fn manifest_fails(from: &str, to: &str, code: i32, words: &[&str]) {
    assert!(MANIFEST.contains(from), "{from} is not in the manifest");
    let case = Case::new(&MANIFEST.replace(from, to));
    case.fails(case.command(), code, words);
}

#[test]
fn manifests() {
    manifest_fails(
        "label =",
        "lable =",
        10,
        &["bundle.toml:4:1", "lable", "label"],
    );
    manifest_fails("targets = []", "targets = 3", 10, &["bundle.toml:9:11"]);
    manifest_fails("\"badinput\"", "\"class\"", 10, &["class", "keyword"]);
    manifest_fails("\"badinput\"", "\"mlir\"", 10, &["mlir", "invalid label"]);
    manifest_fails("\"badinput\"", "\"9lives\"", 10, &["9lives"]);
    manifest_fails("manifest = 1", "manifest = 7", 10, &["7"]);
    manifest_fails("manifest = 1", "manifest = ", 10, &["bundle.toml:1"]);
    manifest_fails(
        "license = \"Apache-2.0 WITH LLVM-exception\"",
        "license = \"Beer\"",
        10,
        &["Beer"],
    );
    manifest_fails("\"func\"", "\"fnuc\"", 11, &["fnuc", "func"]);
    manifest_fails(
        "\"transforms\"",
        "\"transfroms\"",
        11,
        &["transfroms", "transforms"],
    );
    manifest_fails("targets = []", "targets = [\"X68\"]", 11, &["X68", "X86"]);
}

#[test]
fn no_such_manifest() {
    let case = Case::new(MANIFEST);
    std::fs::remove_file(case.dir.path().join("bundle.toml")).unwrap();
    case.fails(case.command(), 10, &["bundle.toml"]);
}

#[test]
fn errors_are_json_when_asked() {
    let case = Case::new(&MANIFEST.replace("label", "lable"));
    let mut command = case.command();
    let output = command.arg("--json").output().unwrap();
    let error: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(error["error"], "manifest");
    assert_eq!(error["exit_code"], 10);
}

#[test]
fn another_llvm() {
    manifest_fails(
        "version = \"22\"",
        "version = \"22.0.7\"",
        12,
        &["22.0.7", "22.1"],
    );
    let case = Case::new(MANIFEST);
    let mut command = case.command();
    command.args(["--llvm-dir", case.dir.path().to_str().unwrap()]);
    case.fails(command, 12, &["llvm-config.h"]);
}

#[test]
fn an_llvm_without_a_catalogue() {
    let what_next = ["llvm.version", "22", "docs/contributing/new-llvm.md"];
    for version in ["21", "24"] {
        let words = [&["bundle.toml:8:11", version], &what_next[..]].concat();
        let written = format!("version = \"{version}\"");
        // A prefix that the user names has another LLVM; without one, the catalogue decides.
        let case = Case::new(&MANIFEST.replace("version = \"22\"", &written));
        let mut command = case.command();
        command.env_remove("MONDO_LLVM_DIR");
        case.fails(command, 11, &words);
        let case = Case::new(MANIFEST);
        let mut command = case.command();
        command
            .env_remove("MONDO_LLVM_DIR")
            .args(["--llvm", version]);
        case.fails(command, 11, &[&["--llvm"], &what_next[..]].concat());
    }
}

#[test]
fn a_label_of_the_command_line() {
    for (label, why) in [
        ("class", "keyword"),
        ("mlir", "without a label"),
        ("a-b", "identifier"),
    ] {
        let case = Case::new(MANIFEST);
        let mut command = case.command();
        command.args(["--label", label]);
        case.fails(command, 10, &["--label", label, why]);
    }
}

/// A tree takes the place of an earlier tree, never of anything else.
#[test]
fn the_place_of_a_tree_is_taken() {
    let case = Case::new(MANIFEST);
    let mine = case.dist().join("bad_input-tree/mine.txt");
    std::fs::create_dir_all(mine.parent().unwrap()).unwrap();
    std::fs::write(&mine, "years of work").unwrap();
    let mut command = case.command();
    command.args(["--layout", "tree"]);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(30), "{said}");
    assert!(
        said.contains("mondo.json") && said.contains("--out-dir"),
        "{said}"
    );
    assert_eq!(listing(&case.dist()), ["bad_input-tree"]);
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), "years of work");
}

#[test]
fn a_missing_archive() {
    let case = Case::new(MANIFEST);
    let prefix = FakePrefix::of_the_real_one(case.dir.path());
    prefix.remove("lib/libMLIRCAPIFunc.a");
    let mut command = case.command();
    command.arg("--llvm-dir").arg(prefix.path());
    case.fails(command, 12, &["libMLIRCAPIFunc.a", "incomplete"]);
}

/// A tool that is compiled from LLVM's sources, which are neither in the cache nor to be had.
#[test]
fn no_sources_of_a_tool() {
    let tools = "tools = [\"opt\", \"pdll-lsp-server\", \"tblgen-lsp-server\"]";
    let case = Case::new(&format!("{MANIFEST}{tools}\n"));
    let mut command = case.command();
    command
        .arg("--llvm-dir")
        .arg(std::env::var("MONDO_LLVM_DIR").expect("run by cargo xtask test"))
        .env("MONDO_CACHE_DIR", case.dir.path().join("cache"))
        .env_remove("MONDO_DEB_DIR");
    case.fails(
        command,
        14,
        &[
            "cannot download the sources of LLVM 22.1.8",
            "--offline forbids the network",
            "`contents.tools` names `pdll-lsp-server` and `tblgen-lsp-server`",
            "MONDO_DEB_DIR",
            "remove `pdll-lsp-server` and `tblgen-lsp-server` from `contents.tools`",
        ],
    );
}

#[test]
fn a_truncated_archive() {
    let case = Case::new(MANIFEST);
    let prefix = FakePrefix::of_the_real_one(case.dir.path());
    let mut bytes = prefix.bytes("lib/libMLIRArithDialect.a");
    bytes.truncate(bytes.len() * 2 / 3);
    prefix.replace("lib/libMLIRArithDialect.a", &bytes);
    let mut command = case.command();
    command.arg("--llvm-dir").arg(prefix.path());
    case.fails(command, 21, &["libMLIRArithDialect.a", ".cpp.o"]);
}

#[test]
fn an_undefined_symbol() {
    let case = Case::new(MANIFEST);
    let prefix = FakePrefix::of_the_real_one(case.dir.path());
    // The func dialect's C API archive, with one more member that calls linalg's.
    let source = "extern void mlirGetDialectHandle__linalg__(void);\n\
                  __attribute__((constructor)) static void extra(void) {\n\
                  mlirGetDialectHandle__linalg__(); }\n";
    extend_archive(&case, &prefix, "lib/libMLIRCAPIFunc.a", "extra", source);
    let mut command = case.command();
    command.arg("--llvm-dir").arg(prefix.path());
    case.fails(
        command,
        22,
        &[
            "mlirGetDialectHandle__linalg__",
            "libMLIRCAPIFunc.a(extra.o)",
            "libMLIRCAPILinalg.a(Linalg.cpp.o)",
            "linalg",
        ],
    );
}

/// The func dialect's C API archive, with one more member whose variable has a fixed place in a program's memory.
#[test]
fn code_that_is_for_programs_alone() {
    let case = Case::new(MANIFEST);
    let prefix = FakePrefix::of_the_real_one(case.dir.path());
    let source = "static __thread int seen __attribute__((tls_model(\"local-exec\")));\n\
                  __attribute__((constructor)) static void fixed(void) { ++seen; }\n";
    extend_archive(&case, &prefix, "lib/libMLIRCAPIFunc.a", "fixed", source);
    let mut command = case.command();
    command.arg("--llvm-dir").arg(prefix.path());
    case.fails(
        command,
        22,
        &[
            "libMLIRCAPIFunc.a is not position-independent",
            "libMLIRCAPIFunc.a(fixed.o): R_",
            "against seen",
            "compile it with -fPIC",
        ],
    );
}

/// The func dialect's C API archive, with one more member that calls what glibc 2.34 brought.
#[test]
fn a_minimum_that_cannot_be_met() {
    let case = Case::new(&format!("{MANIFEST}[link]\nminimum-glibc = \"2.17\"\n"));
    let prefix = FakePrefix::of_the_real_one(case.dir.path());
    let source = "extern int close_range(unsigned, unsigned, int);\n\
                  __attribute__((constructor)) static void newer(void) { close_range(9, 9, 0); }\n";
    extend_archive(&case, &prefix, "lib/libMLIRCAPIFunc.a", "newer", source);
    let mut command = case.command();
    command.arg("--llvm-dir").arg(prefix.path());
    case.fails(
        command,
        22,
        &[
            "the minimum glibc 2.17 cannot be met",
            "close_range (since glibc 2.34)",
            "libMLIRCAPIFunc.a(newer.o)",
            "minimum-glibc = \"2.34\"",
        ],
    );
}

#[test]
fn sizes_of_what_has_none() {
    let case = Case::new(MANIFEST);
    let size = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mondo"));
        command
            .arg("size")
            .args(arguments)
            .current_dir(case.dir.path());
        command
    };
    case.fails(size(&["bundle.toml"]), 25, &["bundle.toml", ".whl"]);
    case.fails(size(&["none.whl"]), 30, &["none.whl"]);
    case.fails(
        size(&["--diff", "bundle.toml", "none.whl"]),
        25,
        &["bundle.toml"],
    );
    case.fails(
        size(&["bundle.toml", "--html", "none/x.html"]),
        30,
        &["none/x.html", "none is not a folder", "--html"],
    );
    assert!(!case.dir.path().join("none").exists());
}

/// Everything in `dist` is uploaded, so that only wheels may be there.
#[test]
fn reports_are_not_beside_wheels() {
    let case = Case::new(MANIFEST);
    let elsewhere = case.dir.path().join("report.json");
    let mut command = case.command();
    command.arg("--report").arg(&elsewhere);
    succeeds(command);
    case.no_leavings();
    let reports = listing(&case.dir.path().join("build/mondo/reports"));
    let [named, sizes, last] = reports.as_slice() else {
        panic!("{reports:?}")
    };
    assert!(named.starts_with("bad_input-") && named.ends_with(".report.json"));
    assert!(sizes.ends_with(".sizes.json") && last == "report.json");
    let written = std::fs::read(elsewhere).unwrap();
    assert!(written.starts_with(b"{") && written == case.report());
}

/// A second TypeID of the func dialect, as a static library that was linked in twice brings it.
#[test]
fn a_duplicated_static() {
    let case = Case::new(MANIFEST);
    succeeds(case.command());
    let before = wheel_bytes(&case.dist());
    let prefix = FakePrefix::of_the_real_one(case.dir.path());
    let source = "static long second __asm__(\"_ZN4mlir6detail14TypeIDResolverINS_4func11FuncDialectEvE2idE\");\n\
                  __attribute__((constructor)) static void twice(void) { ++second; }\n";
    extend_archive(&case, &prefix, "lib/libMLIRCAPIFunc.a", "twice", source);
    let mut command = case.command();
    command.arg("--llvm-dir").arg(prefix.path());
    case.fails(
        command,
        24,
        &[
            "typeid",
            "FuncDialect",
            "libMLIRCAPIFunc.a(twice.o)",
            "libMLIRFuncDialect.a(FuncOps.cpp.o)",
        ],
    );
    assert_eq!(
        wheel_bytes(&case.dist()),
        before,
        "the last good wheel is gone"
    );
}

/// Adds one more member, compiled from C, to an archive of the prefix.
fn extend_archive(case: &Case, prefix: &FakePrefix, archive: &str, name: &str, text: &str) {
    let file = |end: &str| case.dir.path().join(format!("{name}.{end}"));
    std::fs::write(file("c"), text).unwrap();
    let mut compile = Command::new("gcc");
    succeeds_with(
        compile
            .args(["-c", "-fPIC", "-o"])
            .arg(file("o"))
            .arg(file("c")),
    );
    prefix.replace(archive, &prefix.bytes(archive));
    let mut add = Command::new("ar");
    succeeds_with(add.arg("r").arg(prefix.path().join(archive)).arg(file("o")));
}

#[track_caller]
fn succeeds_with(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn no_compiler() {
    let case = Case::new(MANIFEST);
    let mut command = case.command();
    command.env("CXX", "/nonexistent/c++");
    case.fails(command, 13, &["/nonexistent/c++"]);
}

#[test]
fn no_linker() {
    let case = Case::new(MANIFEST);
    let prefix = FakePrefix::of_the_real_one(case.dir.path());
    prefix.remove_program("ld.lld");
    // The scripts in place of LLVM's programs follow links with it.
    std::os::unix::fs::symlink("/usr/bin/readlink", case.dir.path().join("readlink")).unwrap();
    let mut command = case.command();
    command
        .arg("--llvm-dir")
        .arg(prefix.path())
        .env("PATH", case.dir.path())
        // Without a compiler of the host, mondo takes the locked one, and the linker beside it.
        .env("CXX", "/usr/bin/g++")
        .env("RUSTC", "/nonexistent/rustc");
    case.fails(command, 13, &["lld not found", "apt-get install lld"]);
}

#[test]
fn a_manifest_beside_that_of_the_project() {
    let case = Case::new(MANIFEST);
    std::fs::write(
        case.dir.path().join("pyproject.toml"),
        "[project]\nname = \"x\"\n[tool.mondo]\nmanifest = 1\n",
    )
    .unwrap();
    let mut command = case.command();
    command.current_dir(case.dir.path());
    case.fails(
        command,
        10,
        &["two manifests", "pyproject.toml:3:1", "bundle.toml"],
    );
}

#[test]
fn nothing_provisioned_and_no_network() {
    let case = Case::new(MANIFEST);
    let mut command = case.command();
    command
        .env("MONDO_CACHE_DIR", case.dir.path().join("cache"))
        .env_remove("MONDO_LLVM_DIR");
    case.fails(command, 14, &["libmlir-22-dev", "--llvm-dir"]);
}

/// The output folder is on a file system of one megabyte, in a mount namespace of our own.
#[test]
fn a_full_disk() {
    let case = Case::new(MANIFEST);
    succeeds(case.command());
    let full = case.dir.path().join("full");
    std::fs::create_dir(&full).unwrap();
    let script = "mount -t tmpfs -o size=1m tmpfs \"$1\" && shift && \"$@\"; code=$?; \
                  ls -A \"$FULL\" | sed 's/^/left: /' >&2; exit $code";
    let mut command = Command::new("unshare");
    command
        .args(["--map-root-user", "--mount", "sh", "-c", script, "sh"])
        .arg(&full)
        .arg(env!("CARGO_BIN_EXE_mondo"))
        .args(["bundle", "--offline", "--force", "--manifest"])
        .arg(case.dir.path().join("bundle.toml"))
        .arg("--out-dir")
        .arg(&full)
        .env("FULL", &full);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(30), "{said}");
    assert!(said.contains("space"), "{said}");
    assert!(!said.contains("left: "), "something was left: {said}");
}

/// Ctrl-C while each phase runs: exit code 130, the wheel of before untouched, and a later run works.
#[test]
fn an_interrupt_in_any_phase() {
    let case = Case::new(MANIFEST);
    succeeds(case.command());
    let before = wheel_bytes(&case.dist());
    for phase in ["compile", "collect", "exports", "link", "audit", "wheel"] {
        let mut command = case.command();
        command.arg("--force").env("CI", "true");
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut said = String::new();
        let mut signalled = None;
        for line in lines {
            let line = line.unwrap();
            let reached = signalled.is_none() && line.trim_start().starts_with(phase);
            said.push_str(&line);
            said.push('\n');
            if reached {
                succeeds_with(Command::new("kill").args(["-INT", &child.id().to_string()]));
                signalled = Some(Instant::now());
            }
        }
        let start = signalled.expect("the phase was reached");
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(130), "in {phase}: {said}");
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{phase} took long to stop"
        );
        case.no_leavings();
        assert_eq!(
            wheel_bytes(&case.dist()),
            before,
            "the wheel changed in {phase}"
        );
    }
    let mut again = case.command();
    again.arg("--force");
    succeeds(again);
    assert_eq!(
        wheel_bytes(&case.dist()),
        before,
        "another build, other bytes"
    );
}

fn wheel_bytes(dist: &Path) -> Vec<u8> {
    let name = listing(dist)
        .into_iter()
        .find(|name| name.ends_with(".whl"));
    std::fs::read(dist.join(name.expect("a wheel"))).unwrap()
}
