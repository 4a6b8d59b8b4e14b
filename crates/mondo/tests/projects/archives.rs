//! The archives that a project's own link lines name: which go into the library, which into an extension, and which
//! into neither.

use super::{Case, LISTS};

/// The beginning of every archive's file is all that a plan needs.
const EMPTY_ARCHIVE: &str = "!<arch>\n";

#[test]
fn an_archive_that_is_linked_by_its_name_alone() {
    let case = Case::new().with_passes(
        "one",
        "link_directories(${CMAKE_CURRENT_SOURCE_DIR}/ext)\n\
         add_library(two STATIC two.cpp)\ntarget_link_libraries(two PUBLIC third)\n\
         target_link_directories(two PUBLIC ext)\ntarget_link_libraries(OneCAPI PUBLIC two)\n",
        "",
    );
    case.write("one/two.cpp", "");
    case.write("one/ext/libthird.a", EMPTY_ARCHIVE);
    case.is_planned();
    let described = case.described("one");
    assert!(described.contains("one/ext/libthird.a\""), "{described}");
}

#[test]
fn an_archive_of_which_the_project_wants_all() {
    let case = Case::new().with_passes(
        "one",
        "add_library(regs STATIC two.cpp)\nadd_library(more STATIC two.cpp)\n\
         target_link_libraries(OneCAPI PUBLIC \"$<LINK_LIBRARY:WHOLE_ARCHIVE,regs>\" more)\n",
        "",
    );
    case.write("one/two.cpp", "static int two = 2;\n");
    case.is_planned();
    let described = case.described("one");
    let whole = described.split("whole = [").nth(1).unwrap();
    let whole = whole.split(']').next().unwrap();
    assert!(
        whole.contains("libregs.a") && whole.contains("libOneCAPI.a"),
        "{whole}"
    );
    assert!(!whole.contains("libmore.a"), "{whole}");
}

#[test]
fn a_library_without_an_archive() {
    let lines = "add_library(objects OBJECT one.cpp)\nadd_library(every INTERFACE)\n\
                 target_link_libraries(every INTERFACE OneCAPI)\n";
    let case = Case::new().project("one", lines, "libraries = \"objects\"");
    case.fails(
        11,
        &[
            "`project.libraries`",
            "`objects`",
            "an object library",
            "bundle.toml:13:13",
        ],
    );
    let case = Case::new().project("one", lines, "c-api = \"every\"");
    case.fails(11, &["`project.c-api`", "`every`", "an interface library"]);
}

/// An extension with private libraries: `mid`, which needs `deep`, and these.
pub(super) fn extension(private: &str) -> Case {
    let case = Case::new().with_passes(
        "one",
        &format!(
            "include(AddMLIRPython)\nadd_subdirectory(py)\n\
             add_library(deep STATIC deep.cpp)\nadd_library(mid STATIC mid.cpp)\n\
             target_link_libraries(mid PRIVATE deep PUBLIC OneCAPI)\n\
             set_property(GLOBAL PROPERTY one_private {private})\n"
        ),
        "modules = \"M\"",
    );
    case.write("one/deep.cpp", "int deep() { return 1; }\n");
    case.write("one/mid.cpp", "int deep();\nint mid() { return deep(); }\n");
    case.write("one/e.cpp", "int mid();\nint e() { return mid(); }\n");
    case.write("one/ext/libthird.a", EMPTY_ARCHIVE);
    case.write("one/ext/libfourth.a", EMPTY_ARCHIVE);
    case.write(
        "one/py/CMakeLists.txt",
        &format!(
            "add_library(third STATIC IMPORTED)\n\
             set_target_properties(third PROPERTIES IMPORTED_LOCATION ${{PROJECT_SOURCE_DIR}}/ext/libthird.a)\n\
             declare_mlir_python_sources(S)\n\
             declare_mlir_python_extension(S.E MODULE_NAME _one ADD_TO_PARENT S SOURCES ../e.cpp\n\
             PRIVATE_LINK_LIBS mid third {private} EMBED_CAPI_LINK_LIBS MLIRCAPIIR OneCAPI)\n\
             add_mlir_python_modules(M ROOT_PREFIX x DECLARED_SOURCES S COMMON_CAPI_LINK_LIBS)\n"
        ),
    );
    case
}

#[test]
fn an_extension_has_its_own_archives_and_what_they_need() {
    let case = extension("${PROJECT_SOURCE_DIR}/ext/libfourth.a");
    case.is_planned();
    let described = case.described("one");
    let extension = described.split("[[extension]]").nth(1).unwrap();
    let archives = extension.split("archives = [").nth(1).unwrap();
    let archives = archives.split(']').next().unwrap();
    for file in ["libmid.a", "libdeep.a", "ext/libthird.a", "ext/libfourth.a"] {
        assert!(archives.contains(file), "no {file} in {archives}");
    }
    // The bundle's library has it.
    assert!(!archives.contains("libOneCAPI.a"), "{archives}");
}

#[test]
fn an_extension_with_a_shared_library() {
    let case = extension("third-party ${PROJECT_SOURCE_DIR}/ext/libfifth.so.1");
    case.write("one/ext/libfifth.so.1", "");
    case.fails(
        21,
        &[
            "the extension `_one` of the project `one` links shared libraries",
            "-lthird-party, which the extension `_one`",
            "-lfifth, which the extension `_one`",
            "a static library",
        ],
    );
}

/// An archive of another project that its own libraries do not need.
#[test]
fn an_archive_that_only_the_next_project_needs() {
    let lists = LISTS.replace("OneCAPI", "TwoCAPI");
    let case = Case::new()
        .with_passes(
            "one",
            "add_library(OneExtra STATIC extra.cpp)\n\
             export(TARGETS OneExtra FILE ${CMAKE_BINARY_DIR}/lib/cmake/One/OneConfig.cmake)\n",
            "",
        )
        .with_passes("two", "", "needs = [\"one\"]");
    case.write("one/extra.cpp", "int oneExtra() { return 5; }\n");
    case.write(
        "two/CMakeLists.txt",
        &format!(
            "{lists}find_package(One REQUIRED CONFIG)\ntarget_link_libraries(TwoCAPI PUBLIC OneExtra)\n"
        ),
    );
    case.is_planned();
    let archive = case.work("one").join("build/libOneExtra.a");
    assert!(archive.is_file(), "{}", archive.display());
    let [one, two] = ["one", "two"].map(|name| case.described(name));
    assert!(!one.contains("libOneExtra.a"), "{one}");
    assert!(two.contains(archive.to_str().unwrap()), "{two}");
}
