//! `[[project]]` under bad input, on the real toolchain: small projects with one mistake each. What
//! fails is said with the project, the place and the next step, and no wheel is left behind.
//!
//! Run by `cargo xtask test projects`.

#![expect(
    clippy::disallowed_types,
    reason = "tests start the program under test"
)]

mod archives;
mod before_compiling;
mod clashes;
mod machine;
mod notes;
mod options;
mod places;
mod precompiled;
mod refused;
mod sources;
mod third_party;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A project with one C API library, around which the cases write.
struct Case {
    dir: tempfile::TempDir,
    manifest: String,
}

const MANIFEST: &str = r#"manifest = 1
[package]
distribution = "bad-projects"
label = "badprojects"
license = "Apache-2.0 WITH LLVM-exception"
[llvm]
version = "22"
[contents]
dialects = ["func"]
"#;

const LISTS: &str = "cmake_minimum_required(VERSION 3.20)
project(one LANGUAGES C CXX)
find_package(MLIR REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH \"${MLIR_CMAKE_DIR}\" \"${LLVM_CMAKE_DIR}\")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include_directories(include)
add_mlir_public_c_api_library(OneCAPI PARTIAL_SOURCES_INTENDED one.cpp)
";

const HEADER: &str = "#pragma once
#define MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Name, Namespace)
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(One, one)
";

impl Case {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        Self {
            dir,
            manifest: MANIFEST.to_owned(),
        }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A project in a folder of its name, with these lines at the end of its `CMakeLists.txt` and these
    /// keys in the manifest.
    fn project(mut self, name: &str, lines: &str, keys: &str) -> Self {
        self.write(
            &format!("{name}/CMakeLists.txt"),
            &format!("{LISTS}{lines}"),
        );
        self.write(&format!("{name}/one.cpp"), "#include \"one-c/One.h\"\n");
        self.write(&format!("{name}/include/one-c/One.h"), HEADER);
        self.entry(name, keys);
        self
    }

    fn entry(&mut self, name: &str, keys: &str) {
        self.manifest.push_str(&format!(
            "[[project]]\nname = \"{name}\"\ncmake = \"{name}\"\n{keys}\n"
        ));
    }

    /// Adds a project, whose only C function registers passes.
    fn with_passes(mut self, name: &str, lines: &str, keys: &str) -> Self {
        let function = format!("{name}RegisterPasses");
        let keys = format!("dialects = []\npasses = \"{function}\"\n{keys}");
        self = self.project(name, lines, &keys);
        self.write(
            &format!("{name}/include/one-c/One.h"),
            &format!(
                "#pragma once\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\nvoid {function}(void);\n\
                 #ifdef __cplusplus\n}}\n#endif\n"
            ),
        );
        self.write(
            &format!("{name}/one.cpp"),
            &format!("#include \"one-c/One.h\"\nvoid {function}() {{}}\n"),
        );
        self
    }

    /// Expects that there is a plan, for which the projects are built. Returns what is printed of it.
    #[track_caller]
    fn is_planned(&self) -> String {
        let output = self.plan().output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The `dialect.toml` that mondo has written for a project once it is planned.
    fn described(&self, name: &str) -> String {
        let mut folders = std::fs::read_dir(self.work(name))
            .unwrap()
            .map(|folder| folder.unwrap());
        let own = folders.find(|folder| {
            let name = folder.file_name();
            name.to_str().unwrap().starts_with("manifest-")
        });
        std::fs::read_to_string(own.unwrap().path().join("crate/dialect.toml")).unwrap()
    }

    /// The folder of all that mondo makes for a project: its name, and a digest of its folder and options.
    fn work(&self, name: &str) -> PathBuf {
        let all = self.dir.path().join("target/mondo/projects");
        let mut folders = std::fs::read_dir(all)
            .unwrap()
            .map(|folder| folder.unwrap().path());
        let start = format!("{name}-");
        let of_name = |path: &PathBuf| {
            let file = path.file_name().unwrap().to_str().unwrap();
            file.starts_with(&start)
        };
        folders.find(of_name).unwrap()
    }

    fn dist(&self) -> PathBuf {
        self.dir.path().join("dist")
    }

    fn command(&self) -> Command {
        let mut command = self.program("bundle");
        command.arg("--out-dir").arg(self.dist());
        command
    }

    fn program(&self, subcommand: &str) -> Command {
        self.write("bundle.toml", &self.manifest);
        self.program_of(subcommand, "bundle.toml")
    }

    /// `mondo plan --build`.
    fn plan(&self) -> Command {
        let mut command = self.program("plan");
        command.arg("--build");
        command
    }

    fn program_of(&self, subcommand: &str, manifest: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mondo"));
        command
            .args([subcommand, "--manifest"])
            .arg(self.dir.path().join(manifest))
            .env("CARGO_TARGET_DIR", self.dir.path().join("target"))
            .stdin(Stdio::null());
        command
    }

    /// Expects this exit code and these words on standard error, and an empty output folder.
    #[track_caller]
    fn fails(&self, code: i32, words: &[&str]) -> String {
        self.ends(self.command(), code, words)
    }

    #[track_caller]
    fn ends(&self, mut command: Command, code: i32, words: &[&str]) -> String {
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        for word in words {
            assert!(said.contains(word), "no {word:?} in:\n{said}");
        }
        assert!(!said.contains("panicked"), "{said}");
        assert_eq!(files(&self.dist()), 0, "something was left behind: {said}");
        said
    }
}

fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn a_project_that_does_not_look_for_mlir() {
    let mut case = Case::new();
    case.write(
        "one/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(one LANGUAGES CXX)\n",
    );
    case.entry("one", "");
    case.fails(
        20,
        &[
            "`one` does not search for MLIR",
            "one/CMakeLists.txt",
            "find_package(MLIR REQUIRED CONFIG)",
            "unified = true",
        ],
    );
}

#[test]
fn a_project_that_wants_another_llvm() {
    let mut case = Case::new();
    case.write(
        "one/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(one LANGUAGES CXX)\n\
         find_package(LLVM 21 REQUIRED CONFIG)\n",
    );
    case.entry("one", "");
    case.fails(
        12,
        &[
            "requires another version",
            "one/CMakeLists.txt:3",
            "21",
            "22.1",
        ],
    );
}

#[test]
fn a_target_that_does_not_exist() {
    let modules =
        "include(AddMLIRPython)\nadd_mlir_python_modules(OnePythonModules ROOT_PREFIX x)\n";
    let case = Case::new().project("one", modules, "modules = \"OnePythonModule\"");
    case.fails(
        11,
        &[
            "`project.modules`",
            "`OnePythonModule`",
            "did you mean `OnePythonModules`?",
        ],
    );
    let switch = "option(ONE_ENABLE_PYTHON \"Bindings\" OFF)\noption(ONE_TOOLS \"Tools\" OFF)\n";
    let case = Case::new().project("one", switch, "modules = \"OnePythonModules\"");
    let said = case.fails(
        11,
        &[
            "the project has no add_mlir_python_modules target",
            "options of the project that are off; enable them in `define`: ONE_ENABLE_PYTHON\n",
        ],
    );
    assert!(!said.contains("ONE_TOOLS"), "{said}");
    let case = Case::new().project("one", "", "c-api = [\"OneCApi\"]");
    case.fails(
        11,
        &[
            "`project.c-api`",
            "did you mean `OneCAPI`?",
            "bundle.toml:13:9",
        ],
    );
    let case = Case::new().project("one", "", "libraries = \"OneCApi\"");
    case.fails(11, &["`project.libraries`", "did you mean `OneCAPI`?"]);
}

#[test]
fn a_function_of_cpp_that_no_header_declares() {
    let case = Case::new().project(
        "one",
        "",
        "libraries = \"OneCAPI\"\npasses = \"one::registerPases\"",
    );
    case.write(
        "one/include/one/Passes.h",
        "namespace one { void registerPasses(); }\n",
    );
    case.fails(
        11,
        &[
            "`project.passes` of `one` is `one::registerPases`, which no header declares",
            "bundle.toml:14:10",
            "did you mean `registerPasses`?",
        ],
    );
    let case = Case::new().project("one", "", "headers = \"one-c/Ona.h\"\npasses = \"one::f\"");
    case.fails(11, &["`project.headers`", "did you mean `one-c/One.h`?"]);
}

#[test]
fn a_shared_library_of_a_third_party() {
    let case = Case::new().project(
        "one",
        "target_link_libraries(OneCAPI PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/libthird.so.3)\n",
        "",
    );
    case.write("one/libthird.so.3", "");
    case.fails(
        21,
        &[
            "links shared libraries",
            "-lthird, which `OneCAPI`",
            "a static library",
        ],
    );
}

#[test]
fn flags_that_a_bundle_cannot_have() {
    let case = Case::new().project(
        "one",
        "target_compile_options(obj.OneCAPI PRIVATE -frtti)\n",
        "",
    );
    case.fails(
        20,
        &["the target `OneCAPI`", "`-frtti`", "one/CMakeLists.txt"],
    );
    let case = Case::new().project(
        "one",
        "target_link_options(OneCAPI INTERFACE -static-libstdc++)\n",
        "",
    );
    case.fails(20, &["`-static-libstdc++`", "one C++ runtime"]);
}

/// The property is switched off where CMake knows it, and the flag is refused.
#[test]
fn a_project_with_optimization_at_link_time() {
    let case = Case::new().project(
        "one",
        "set_property(TARGET OneCAPI obj.OneCAPI PROPERTY INTERPROCEDURAL_OPTIMIZATION ON)\n",
        "dialects = [\"two\"]",
    );
    // The project is built, and then lacks the dialect that its entry names.
    case.fails(11, &["`project.dialects` of `one` names `two`"]);
    let case = Case::new().project(
        "one",
        "target_compile_options(obj.OneCAPI PRIVATE -flto=auto)\n",
        "",
    );
    case.fails(20, &["the target `OneCAPI`", "`-flto=auto`"]);
}

#[test]
fn an_error_of_its_cmake_has_its_place() {
    let case = Case::new().project("one", "message(FATAL_ERROR \"no luck\")\n", "");
    let said = case.fails(20, &["one/CMakeLists.txt:10", "no luck", "configure.log"]);
    let log = said
        .split("the full output of CMake is in ")
        .nth(1)
        .unwrap();
    let log = log.lines().next().unwrap().trim();
    assert!(std::fs::read_to_string(log).unwrap().contains("no luck"));
    // LLVM's function finds the mistake; the line that called it is the project's.
    let library = "add_mlir_library(Two PARTIAL_SOURCES_INTENDED one.cpp\n  DEPENDS NoSuchTarget)\n\
                   message(\"no Doxygen\")\n";
    let said = Case::new()
        .project("one", library, "")
        .fails(20, &["one/CMakeLists.txt:10", "NoSuchTarget"]);
    assert!(!said.contains("no Doxygen"), "{said}");
}

#[test]
fn a_project_that_refuses_to_be_the_top_of_a_build() {
    let case = Case::new().project(
        "one",
        "if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)\n  \
         message(FATAL_ERROR \"name one in LLVM_EXTERNAL_PROJECTS\")\nendif()\n",
        "",
    );
    case.fails(
        20,
        &[
            "one/CMakeLists.txt:11",
            "name one in",
            "set `unified = true`",
        ],
    );
    let case = Case::new().project(
        "one",
        "",
        "unified = true\ndefine = { LLVM_EXTERNAL_PROJECTS = \"two;one\" }",
    );
    case.fails(20, &["LLVM_EXTERNAL_TWO_SOURCE_DIR"]);
}

#[test]
fn a_build_that_fails_shows_its_first_error() {
    let case = Case::new().project("one", "", "");
    case.write(
        "one/one.cpp",
        "#include \"one-c/One.h\"\nint x = y;\nint z = w;\n",
    );
    let said = case.fails(
        20,
        &["one.cpp.o failed to build", "one/one.cpp:2:9", "build.log"],
    );
    assert!(said.lines().count() < 45, "{said}");
}

#[test]
fn a_project_that_brings_nothing() {
    let case = Case::new().project("one", "", "");
    case.write("one/include/one-c/One.h", "#pragma once\n");
    // The compiler would fail.
    case.write("one/one.cpp", "#error compiled\n");
    case.fails(11, &["no dialects or passes", "`c-api`"]);
    let library = "add_mlir_library(One PARTIAL_SOURCES_INTENDED one.cpp)\n";
    let case = Case::new().project("one", library, "libraries = \"One\"");
    case.write("one/include/one-c/One.h", "#pragma once\n");
    case.write("one/one.cpp", "#error compiled\n");
    case.fails(11, &["no dialects or passes", "`dialect-classes = { toy ="]);
}

/// A dialect whose class is written by hand is registered by the class that the manifest names.
#[test]
fn a_dialect_without_ods_is_named_by_its_class() {
    let library = "include_directories(${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})\n\
                   add_mlir_library(One PARTIAL_SOURCES_INTENDED one.cpp)\n";
    let keys = "libraries = \"One\"\n\
                dialect-classes = { one = { class = \"one::OneDialect\", header = \"one/One.h\" } }";
    let case = Case::new().project("one", library, keys);
    case.write(
        "one/include/one/One.h",
        "#pragma once\n#include \"mlir/IR/Dialect.h\"\nnamespace one {\n\
         class OneDialect : public mlir::Dialect {\npublic:\n  explicit OneDialect(mlir::MLIRContext *context);\n  \
         static llvm::StringRef getDialectNamespace() { return \"one\"; }\n};\n}\n\
         MLIR_DECLARE_EXPLICIT_TYPE_ID(one::OneDialect)\n",
    );
    case.write(
        "one/one.cpp",
        "#include \"one/One.h\"\nMLIR_DEFINE_EXPLICIT_TYPE_ID(one::OneDialect)\n\
         one::OneDialect::OneDialect(mlir::MLIRContext *context)\n    : \
         Dialect(\"one\", context, mlir::TypeID::get<OneDialect>()) {}\n",
    );
    case.is_planned();
    let described = case.described("one");
    assert!(
        described.contains("class = \"one::OneDialect\""),
        "{described}"
    );
}

#[test]
fn two_projects_with_one_dialect_or_one_file() {
    let case = Case::new().project("one", "", "").project("two", "", "");
    case.fails(
        11,
        &["claims the dialect `one`", "the crate `one` also has it"],
    );
    let python = "python = \"py\"";
    let case = Case::new()
        .project("one", "", python)
        .project("two", "", python);
    case.write("py/dialects/same.py", "");
    case.fails(
        11,
        &[
            "`one` and `two` have the same Python file",
            "dialects/same.py",
            "bundle.toml:15:8",
        ],
    );
}

/// The launcher sees each compilation, one at a time with one job, and those alone that a change asks for.
#[test]
fn the_launcher_and_the_number_of_jobs_reach_the_projects_compiler() {
    let case = Case::new().project(
        "one",
        "add_mlir_public_c_api_library(TwoCAPI PARTIAL_SOURCES_INTENDED two.cpp three.cpp)\n",
        // The key makes the run fail once everything is compiled.
        "dialects = [\"two\"]",
    );
    for name in ["two", "three"] {
        case.write(&format!("one/{name}.cpp"), "#include \"one-c/One.h\"\n");
    }
    let launcher = case.dir.path().join("launcher");
    let (log, busy) = (case.dir.path().join("log"), case.dir.path().join("busy"));
    let script = format!(
        "#!/bin/sh\nmkdir {busy} || echo overlap >> {log}\nfor word; do case $word in *.cpp) echo \
         $word >> {log};; esac; done\nsleep 0.2\n\"$@\"; code=$?; rmdir {busy}; exit $code\n",
        busy = busy.display(),
        log = log.display()
    );
    case.write("launcher", &script);
    succeeds(Command::new("chmod").arg("+x").arg(&launcher));
    let compiled = || {
        let mut command = case.command();
        command
            .env("MONDO_COMPILER_LAUNCHER", &launcher)
            .env("CMAKE_BUILD_PARALLEL_LEVEL", "1");
        case.ends(command, 11, &["`project.dialects` of `one` names `two`"]);
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        let _ = std::fs::remove_file(&log);
        let mut files: Vec<String> = text
            .lines()
            .map(|line| line.rsplit('/').next().unwrap().to_owned())
            .collect();
        files.sort();
        files
    };
    // CMake tries the compiler as well.
    let first = compiled();
    let own: Vec<&String> = first
        .iter()
        .filter(|file| !file.starts_with("CMake"))
        .collect();
    assert_eq!(own, ["one.cpp", "three.cpp", "two.cpp"]);
    assert!(compiled().is_empty());
    case.write("one/two.cpp", "#include \"one-c/One.h\"\nint two;\n");
    assert_eq!(compiled(), ["two.cpp"]);
}

/// Ctrl-C while Ninja runs: exit code 130 and no wheel; the next run makes it.
#[test]
fn an_interrupted_build() {
    let case = Case::new().project(
        "one",
        "add_custom_command(OUTPUT slow.h COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/slow.sh)\n\
         add_custom_target(slow DEPENDS slow.h)\nadd_dependencies(obj.OneCAPI slow)\n\
         target_include_directories(obj.OneCAPI PRIVATE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})\n",
        "dialects = []\npasses = \"oneRegisterPasses\"",
    );
    case.write(
        "one/include/one-c/One.h",
        "#pragma once\n#include \"mlir-c/Support.h\"\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\
         MLIR_CAPI_EXPORTED void oneRegisterPasses(void);\n#ifdef __cplusplus\n}\n#endif\n",
    );
    case.write(
        "one/one.cpp",
        "#include \"one-c/One.h\"\nvoid oneRegisterPasses() {}\n",
    );
    let started = case.dir.path().join("started");
    let script = format!("echo $$ > {}\nsleep 300\n", started.display());
    case.write("one/slow.sh", &script);
    let child = case.command().stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    let process = || std::fs::read_to_string(&started).unwrap_or_default();
    while !process().ends_with('\n') {
        assert!(
            start.elapsed() < Duration::from_secs(300),
            "it did not get to the step"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    let start = Instant::now();
    succeeds(Command::new("kill").args(["-INT", &child.id().to_string()]));
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "it took long to stop"
    );
    assert_eq!(files(&case.dist()), 0, "{said}");
    // No command of the build goes on beside the next one, although the signal was for mondo alone.
    let process = Path::new("/proc").join(process().trim());
    let start = Instant::now();
    while process.exists() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "the command still runs"
        );
        std::thread::sleep(Duration::from_millis(50));
    }

    case.write("one/slow.sh", "touch slow.h\n");
    succeeds(&mut case.command());
    let names: Vec<String> = std::fs::read_dir(case.dist())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(
        names.iter().filter(|name| name.ends_with(".whl")).count(),
        1,
        "{names:?}"
    );
}

#[track_caller]
fn succeeds(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
