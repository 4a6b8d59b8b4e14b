//! Options of a project and of the bundle that meet in its `CMake`.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use super::{Case, LISTS};

/// The same are refused in a `dialect.toml`.
#[test]
fn flags_that_no_code_of_a_bundle_has() {
    for (lines, flag, why) in [
        (
            "target_compile_options(obj.OneCAPI PRIVATE -march=native)",
            "`-march=native`",
            "other machines",
        ),
        (
            "target_compile_options(obj.OneCAPI PRIVATE -fsanitize=address)",
            "`-fsanitize=address`",
            "runtime",
        ),
        (
            "set_source_files_properties(one.cpp PROPERTIES COMPILE_OPTIONS --coverage)",
            "`--coverage`",
            "profile",
        ),
        (
            "target_compile_definitions(obj.OneCAPI PRIVATE _GLIBCXX_USE_CXX11_ABI=0)",
            "`-D_GLIBCXX_USE_CXX11_ABI=0`",
            "the C++ library's classes would differ",
        ),
    ] {
        let case = Case::new().project("one", &format!("{lines}\n"), "");
        case.fails(
            20,
            &["the target `OneCAPI`", flag, why, "one/CMakeLists.txt"],
        );
    }
    let lines = "option(ONE_NATIVE \"For this machine\" ON)\nif(ONE_NATIVE)\n  \
                 target_compile_options(obj.OneCAPI PRIVATE -march=native)\nendif()\n";
    let case = Case::new().project("one", lines, "");
    case.fails(
        20,
        &[
            "one/CMakeLists.txt:12",
            "set `ONE_NATIVE = \"OFF\"` in `define`",
        ],
    );
}

/// It changes no instruction set.
#[test]
fn a_tuning_for_this_machine() {
    let lines = "target_compile_options(obj.OneCAPI PRIVATE -mtune=native)\n";
    Case::new().with_passes("one", lines, "").is_planned();
}

/// The bundle's flags are no variables that a project sets anew, so that no path of the machine is in its objects.
#[test]
fn flags_of_the_bundle_stay_where_a_project_sets_its_own() {
    let case = Case::new().with_passes("one", "", "define = { CMAKE_C_FLAGS = \"-O1\" }");
    let lists = LISTS.replace(
        "include_directories",
        "set(CMAKE_CXX_FLAGS \"-O1\")\ninclude_directories",
    );
    case.write("one/CMakeLists.txt", &lists);
    case.write(
        "one/one.cpp",
        "#include \"one-c/One.h\"\nstruct Base { virtual ~Base(); };\nBase::~Base() {}\n\
         const char *oneFile() { return __FILE__; }\nvoid oneRegisterPasses() {}\n",
    );
    case.is_planned();
    let archive = std::fs::read(case.work("one").join("build/libOneCAPI.a")).unwrap();
    let has = |text: &str| {
        archive
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    assert!(has("one/one.cpp") && has(".text.oneRegisterPasses"));
    assert!(
        !has(case.dir.path().to_str().unwrap()),
        "a path of this machine"
    );
    assert!(!has("_ZTI4Base"), "type information");
}

/// A project's own optimization; `NDEBUG` is that of MLIR's archives whatever it says.
#[test]
fn a_project_without_optimization() {
    for key in [
        "CMAKE_CXX_FLAGS_RELEASE",
        "\"CMAKE_CXX_FLAGS_RELEASE:STRING\"",
    ] {
        let keys = format!("define = {{ {key} = \"-O0 -UNDEBUG\" }}");
        let case = Case::new().with_passes("one", "", &keys);
        case.write(
            "one/one.cpp",
            "#include \"one-c/One.h\"\n#ifdef __OPTIMIZE__\n#error optimized\n#endif\n\
             #ifndef NDEBUG\n#error assertions\n#endif\nvoid oneRegisterPasses() {}\n",
        );
        case.is_planned();
    }
}

/// `plan --build` builds projects with the launcher that it is given.
#[test]
fn a_plan_with_a_compiler_launcher() {
    let case = Case::new().with_passes("one", "", "");
    let log = case.dir.path().join("launched");
    case.write(
        "launcher",
        &format!("#!/bin/sh\necho \"$@\" >> {}\nexec \"$@\"\n", log.display()),
    );
    let launcher = case.dir.path().join("launcher");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&launcher, mode).unwrap();
    let mut command = case.plan();
    let output = command
        .arg("--compiler-launcher")
        .arg(&launcher)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let launched = std::fs::read_to_string(log).unwrap();
    assert!(launched.contains("one.cpp"), "{launched}");
}

/// A plan that builds projects waits for other builds in its folder of intermediate files, and says so.
#[test]
fn a_plan_that_waits_for_another_build() {
    let case = Case::new().with_passes("one", "", "");
    let folder = case.dir.path().join("target/mondo");
    std::fs::create_dir_all(&folder).unwrap();
    let lock = std::fs::File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    std::fs::write(folder.join("lock"), "process 4711: mondo bundle\n").unwrap();
    let mut command = case.plan();
    let mut running = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(running.stderr.take().unwrap()).lines();
    let start = "waiting for another build in ";
    let said = lines.find(|line| line.as_ref().unwrap().contains(start));
    let said = said.unwrap().unwrap();
    assert!(
        said.ends_with("target/mondo (process 4711: mondo bundle)"),
        "{said}"
    );
    drop(lock);
    lines.for_each(drop);
    assert!(running.wait().unwrap().success());
}

/// A path that no option of the compiler maps is an error of the audit.
#[test]
fn a_path_of_the_projects_sources_in_the_library() {
    let case = Case::new().with_passes(
        "one",
        "target_compile_definitions(obj.OneCAPI PRIVATE HERE=\"${CMAKE_CURRENT_SOURCE_DIR}\")\n",
        "",
    );
    case.write(
        "one/one.cpp",
        "#include \"one-c/One.h\"\n#include <cstdio>\nvoid oneRegisterPasses() { std::puts(HERE); }\n",
    );
    case.fails(24, &["names a folder of this build", "/one"]);
}

#[test]
fn a_bundle_without_the_network() {
    let fetch = "include(FetchContent)\nFetchContent_Declare(dep URL ${CMAKE_CURRENT_SOURCE_DIR}/dep.tar)\n\
                 FetchContent_MakeAvailable(dep)\n";
    let environment =
        "message(FATAL_ERROR \"git: $ENV{GIT_ALLOW_PROTOCOL}, proxy: $ENV{https_proxy}\")\n";
    for (lines, words) in [
        (
            fetch,
            ["FETCHCONTENT_FULLY_DISCONNECTED", "one/CMakeLists.txt:12"],
        ),
        (environment, ["git: file", "proxy: http://127.0.0.1:9"]),
    ] {
        let case = Case::new().project("one", lines, "");
        let mut command = case.command();
        command.arg("--offline");
        case.ends(command, 20, &words);
    }
}

/// Two manifests may have projects of one name. Those with other options have a build tree of their own.
#[test]
fn manifests_with_projects_of_one_name() {
    let case = Case::new().with_passes("one", "", "define = { ONE = 1 }");
    case.write("bundle.toml", &case.manifest);
    assert!(planned(&case, "bundle.toml").contains("2 steps"));
    case.write("other.toml", &case.manifest.replace("ONE = 1", "ONE = 2"));
    assert!(planned(&case, "other.toml").contains("2 steps"));
    let said = planned(&case, "bundle.toml");
    assert!(!said.contains("steps"), "{said}");
    // The same options: the same build tree, whatever the label.
    let labelled = case.manifest.replace("badprojects", "more");
    case.write(
        "third.toml",
        &labelled.replace("bad-projects", "more-projects"),
    );
    let said = planned(&case, "third.toml");
    assert!(!said.contains("steps"), "{said}");
}

#[track_caller]
fn planned(case: &Case, manifest: &str) -> String {
    let mut command = case.program_of("plan", manifest);
    let output = command.arg("--build").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn a_package_of_another_project_that_is_not_needed() {
    let case = Case::new().project("one", "", "").project(
        "two",
        "find_package(One REQUIRED CONFIG)\n",
        "",
    );
    case.fails(
        20,
        &[
            "two/CMakeLists.txt:10",
            "`one` is a project of this manifest",
            "needs = [\"one\"]",
        ],
    );
}

#[test]
fn a_command_that_fails_without_a_word() {
    let case = Case::new().project(
        "one",
        "add_custom_command(OUTPUT g.h COMMAND test 1 -eq 2)\n\
         add_custom_target(g DEPENDS g.h)\nadd_dependencies(obj.OneCAPI g)\n",
        "",
    );
    case.fails(
        20,
        &["g.h failed to build", "printed nothing", "test 1 -eq 2"],
    );
}

/// `plan` without `--build` reads what the last build left, and writes nothing.
#[test]
fn a_plan_of_the_last_build() {
    let case = Case::new().with_passes("one", "", "");
    let output = case.program("plan").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(11), "{errors}");
    assert!(
        errors.contains("the project `one` is not built yet") && errors.contains("plan --build"),
        "{errors}"
    );
    assert!(!case.dir.path().join("target").exists());

    let built = case.is_planned();
    std::fs::write(case.dir.path().join("one/one.cpp"), "not C++").unwrap();
    let output = case.program("plan").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), built);
}
