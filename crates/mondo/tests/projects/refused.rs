//! The places of options that no bundle can have, where `CMake` does not tell them, and the next step for each.

use super::{Case, LISTS};

const RTTI: &str = "LLVM and the rest of the bundle are compiled without RTTI";

/// `CMake` knows the line of a source's `COMPILE_OPTIONS`. That of others is found in the project's files.
#[test]
fn rtti_of_one_source() {
    for lines in [
        "set_source_files_properties(one.cpp PROPERTIES COMPILE_OPTIONS -frtti)\n",
        "set_source_files_properties(one.cpp PROPERTIES COMPILE_FLAGS \"-O1 -frtti\")\n",
    ] {
        let case = Case::new().project("one", lines, "");
        case.fails(
            20,
            &[
                "the target `OneCAPI`",
                "`-frtti`",
                RTTI,
                "one/CMakeLists.txt:10\n",
            ],
        );
    }
}

/// LLVM's functions put `-fno-rtti` behind these, and `find_package(LLVM)` says itself if LLVM has RTTI.
#[test]
fn rtti_that_reaches_no_library_of_llvms_functions() {
    for option in ["CMAKE_CXX_FLAGS = \"-frtti\"", "LLVM_ENABLE_RTTI = true"] {
        let keys = format!("define = {{ {option} }}");
        let case = Case::new().with_passes("one", "", &keys);
        case.write(
            "one/one.cpp",
            "#include \"one-c/One.h\"\n#ifdef __GXX_RTTI\n#error type information\n#endif\n\
             void oneRegisterPasses() {}\n",
        );
        case.is_planned();
    }
}

#[test]
fn a_flag_of_the_manifest() {
    let case = Case::new().project(
        "one",
        "",
        "define = { CMAKE_CXX_FLAGS = \"-O1 -march=native\" }",
    );
    case.fails(
        20,
        &[
            "the target `OneCAPI`",
            "bundle.toml:13:30",
            "remove it from `define`",
        ],
    );
    let plain = "add_library(plain STATIC plain.cpp)\ntarget_link_libraries(plain PUBLIC MLIRIR)\n\
                 target_link_libraries(OneCAPI PUBLIC plain)\n";
    let case = Case::new().project("one", plain, "define = { CMAKE_CXX_FLAGS = \"-frtti\" }");
    case.write("one/plain.cpp", "");
    case.fails(
        20,
        &[
            "the target `plain`",
            "bundle.toml:13:30",
            "remove it from `define`; LLVM's `isa`",
        ],
    );
}

/// The next step names LLVM's option where that adds the flag, and nowhere else.
#[test]
fn the_runtime_of_cpp() {
    for lines in [
        "target_link_options(OneCAPI INTERFACE -static-libstdc++)\n",
        "target_link_libraries(OneCAPI PUBLIC -l:libstdc++.a)\n",
        "string(APPEND CMAKE_SHARED_LINKER_FLAGS \" -static-libgcc\")\n",
    ] {
        let case = Case::new().project("one", lines, "");
        let words = [
            "one/CMakeLists.txt:10\n",
            "one C++ runtime",
            "remove it from the project's link options",
        ];
        let said = case.fails(20, &words);
        assert!(!said.contains("LLVM_STATIC_LINK_CXX_STDLIB"), "{said}");
    }
    let options = LISTS.replace(
        "include(AddLLVM)",
        "include(AddLLVM)\ninclude(HandleLLVMOptions)",
    );
    for (text, keys, place) in [
        (
            options.clone(),
            "define = { LLVM_STATIC_LINK_CXX_STDLIB = true }",
            "bundle.toml:13:42",
        ),
        (
            options.replace("include(TableGen)", "set(LLVM_STATIC_LINK_CXX_STDLIB ON)"),
            "",
            "one/CMakeLists.txt:5\n",
        ),
    ] {
        let case = Case::new().project("one", "", keys);
        case.write("one/CMakeLists.txt", &text);
        case.fails(
            20,
            &[
                "`-static-libstdc++`",
                place,
                "remove LLVM_STATIC_LINK_CXX_STDLIB",
            ],
        );
    }
    let keys = "define = { CMAKE_CXX_STANDARD_LIBRARIES = \"-l:libstdc++.a\" }";
    let case = Case::new().project("one", "", keys);
    case.fails(
        20,
        &[
            "`-l:libstdc++.a`",
            "bundle.toml:13:43",
            "remove it from `define`",
        ],
    );
}

#[test]
fn a_library_of_llvm_that_is_misspelt() {
    let lines = "target_link_libraries(OneCAPI PUBLIC MLIRFuncDialct)\n";
    let case = Case::new().project("one", lines, "");
    case.fails(
        21,
        &[
            "-lMLIRFuncDialct, which `OneCAPI` (",
            "one/CMakeLists.txt:10) links",
            "did you mean `MLIRFuncDialect`",
        ],
    );
}

/// A package that is neither LLVM nor MLIR, in a version that the machine does not have.
#[test]
fn another_version_of_another_package() {
    let case = Case::new().project(
        "one",
        "set(Dep_DIR ${CMAKE_CURRENT_SOURCE_DIR}/dep)\nfind_package(Dep 9 REQUIRED CONFIG)\n",
        "",
    );
    case.write("one/dep/DepConfig.cmake", "");
    case.write("one/dep/DepConfigVersion.cmake", "set(PACKAGE_VERSION 3)\n");
    let said = case.fails(
        20,
        &["one/CMakeLists.txt:11", "\"Dep\"", "\"9\"", "configure.log"],
    );
    assert!(!said.contains("llvm.version"), "{said}");
}
