//! Third-party sources: those that the manifest gives, and the errors about those that it does not.

use std::process::Command;

use super::{Case, succeeds};

const FETCH: &str = "include(FetchContent)\nFetchContent_Declare(dep URL https://example.invalid/dep.tar.gz)\n\
                     FetchContent_MakeAvailable(dep)\n";
const EXTERNAL: &str = "include(ExternalProject)\n\
                        ExternalProject_Add(ext URL https://example.invalid/ext.tar.gz\n  \
                        CONFIGURE_COMMAND \"\" BUILD_COMMAND \"\" INSTALL_COMMAND \"\")\n";

impl Case {
    /// A third party's library with its own CMake.
    fn third_party(&self, folder: &str, name: &str) {
        self.write(
            &format!("{folder}/CMakeLists.txt"),
            &format!("add_library({name} STATIC {name}.cpp)\n"),
        );
        self.write(
            &format!("{folder}/{name}.cpp"),
            &format!("int {name}() {{ return 1; }}\n"),
        );
    }
}

#[test]
fn sources_from_folders_and_archives() {
    let lines = format!(
        "{FETCH}find_package(Other 3 REQUIRED)\n{EXTERNAL}add_dependencies(obj.OneCAPI ext)\n\
         target_link_libraries(OneCAPI PUBLIC dep other)\n\
         if(NOT EXISTS ${{Plain_ROOT}}/plain.h)\n  message(FATAL_ERROR none)\nendif()\n"
    );
    let case = Case::new();
    case.third_party("other-3.1", "other");
    let archive = case.dir.path().join("other.tar");
    succeeds(
        Command::new("tar")
            .arg("-cf")
            .arg(&archive)
            .arg("-C")
            .arg(case.dir.path())
            .arg("other-3.1"),
    );
    let digest = Command::new("sha256sum").arg(&archive).output().unwrap();
    let digest = String::from_utf8(digest.stdout).unwrap();
    let digest = digest.split(' ').next().unwrap();
    let keys = format!(
        "sources = {{ dep = \"dep\", Other = {{ url = \"other.tar\", sha256 = \"{digest}\" }}, ext = \
         \"ext\", Plain = \"plain\" }}"
    );
    let mut case = case.with_passes("one", &lines, &keys);
    case.third_party("dep", "dep");
    case.write("ext/readme", "");
    case.write("plain/plain.h", "");
    let mut command = case.plan();
    let output = command.arg("--offline").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let described = case.described("one");
    assert!(
        described.contains("libdep.a") && described.contains("libother.a"),
        "{described}"
    );
    case.manifest = case.manifest.replace(digest, &"0".repeat(64));
    case.fails(
        20,
        &["the source Other has another digest than the manifest's"],
    );
}

#[test]
fn sources_that_nothing_gives() {
    for (lines, words) in [
        (
            FETCH,
            [
                "one/CMakeLists.txt:12",
                "sources = { dep = \"folder\" }",
                "FETCHCONTENT_SOURCE_DIR_DEP",
            ],
        ),
        (
            EXTERNAL,
            [
                "one/CMakeLists.txt:11",
                "sources = { ext = \"folder\" }",
                "which downloads `ext`",
            ],
        ),
    ] {
        let case = Case::new().with_passes("one", lines, "");
        let mut command = case.command();
        command.arg("--offline");
        case.ends(command, 20, &words);
    }
}

/// The usual way to find nanobind, which finds mondo's.
#[test]
fn nanobind_by_pythons_import() {
    let lines = "find_package(Python 3 REQUIRED COMPONENTS Interpreter)\n\
                 execute_process(COMMAND ${Python_EXECUTABLE} -c \"import nanobind; print(nanobind.cmake_dir())\"\n  \
                 OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_DIR COMMAND_ERROR_IS_FATAL ANY)\n\
                 find_package(nanobind CONFIG REQUIRED)\n\
                 execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir\n  \
                 OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE dir COMMAND_ERROR_IS_FATAL ANY)\n\
                 if(NOT dir STREQUAL nanobind_DIR OR NOT nanobind_VERSION)\n  message(FATAL_ERROR ${dir})\nendif()\n";
    Case::new().with_passes("one", lines, "").is_planned();
}
