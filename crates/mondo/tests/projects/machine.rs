//! Projects that ask for more than the machine has: packages that are not installed, and memory.

use std::process::Command;

use super::Case;

#[test]
fn a_package_that_is_not_there() {
    let case = Case::new().project("one", "find_package(Oranges 3.1 REQUIRED)\n", "");
    case.fails(
        20,
        &[
            "which needs the package `Oranges` 3.1",
            "one/CMakeLists.txt:10",
            "OrangesConfig.cmake",
            "-dev",
            "set `Oranges_DIR`",
            "`CMAKE_PREFIX_PATH` in the project's `define`",
            "configure.log",
        ],
    );
    // A module of CMake looks for this one; the line that asks is the project's.
    let lines = "find_package(BLAS REQUIRED)\n";
    let vendor = "define = { BLA_VENDOR = \"NoSuchVendor\" }";
    Case::new().project("one", lines, vendor).fails(
        20,
        &[
            "which needs the package `BLAS`",
            "one/CMakeLists.txt:10",
            "`BLAS_LIBRARIES` in the project's `define`",
        ],
    );
    let lines = "find_library(ORANGES_LIBRARY oranges REQUIRED)\n";
    Case::new().project("one", lines, "").fails(
        20,
        &[
            "which needs `ORANGES_LIBRARY` (oranges)",
            "one/CMakeLists.txt:10",
            "set `ORANGES_LIBRARY` in the project's `define`",
        ],
    );
}

#[test]
fn a_package_in_another_version() {
    let lines =
        "set(Oranges_DIR ${PROJECT_SOURCE_DIR}/oranges)\nfind_package(Oranges 3.5 REQUIRED)\n";
    let case = Case::new().project("one", lines, "");
    case.write("one/oranges/OrangesConfig.cmake", "");
    let version = "set(PACKAGE_VERSION 1.2)\n";
    case.write("one/oranges/OrangesConfigVersion.cmake", version);
    let said = case.fails(
        20,
        &[
            "which needs the package `Oranges` in version 3.5",
            "one/CMakeLists.txt:11",
            "version: 1.2",
        ],
    );
    assert!(!said.contains("LLVM or MLIR"), "{said}");
}

/// The command with this shell script as the compiler's launcher.
fn with_launcher(case: &Case, script: &str) -> Command {
    let launcher = case.dir.path().join("launcher");
    case.write("launcher", &format!("#!/bin/sh\n{script}\n"));
    super::succeeds(Command::new("chmod").arg("+x").arg(&launcher));
    let mut command = case.command();
    command.env("MONDO_COMPILER_LAUNCHER", &launcher);
    command
}

/// A launcher ends the compiler as the system does when memory runs out, and prints what GCC's driver prints then.
#[test]
fn a_compiler_that_is_killed() {
    let case = Case::new().project("one", "", "");
    let launched = |script: &str| {
        case.ends(
            with_launcher(&case, script),
            20,
            &["one.cpp.o failed to build", "build.log", "one-"],
        )
    };
    let of_source = |then: &str| format!("case \"$*\" in *one.cpp*) {then};; esac; exec \"$@\"");
    let driver = "echo 'error.h: note' >&2; echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; \
                  echo 'compilation terminated.' >&2; exit 1";
    let said = launched(&of_source(driver));
    for word in [
        "failed to build: SIGKILL ended cc1plus",
        "when memory runs out",
        "CMAKE_BUILD_PARALLEL_LEVEL=1",
    ] {
        assert!(said.contains(word), "no {word:?} in:\n{said}");
    }
    let said = launched(&of_source("kill -KILL $$"));
    assert!(
        said.contains("SIGKILL ended a program of this step"),
        "{said}"
    );
    let said = launched(&of_source("kill -SEGV $$"));
    assert!(
        said.contains("SIGSEGV ended a program of this step"),
        "{said}"
    );
    assert!(!said.contains("PARALLEL_LEVEL"), "{said}");
}

/// Ninja names no step where one was asked to end.
#[test]
fn a_build_that_is_asked_to_end() {
    let case = Case::new().project("one", "", "");
    let script = "case \"$*\" in *one.cpp*) kill -TERM $PPID; exit 1;; esac; exec \"$@\"";
    case.ends(
        with_launcher(&case, script),
        20,
        &[
            "the project `one` failed to build: it was interrupted",
            "earlyoom",
            "CMAKE_BUILD_PARALLEL_LEVEL=1",
        ],
    );
}
