//! Libraries whose object files are not named after the sources of their folder.

use super::Case;

/// The headers of the C API are those that its objects read, and each object has its name from `CMake`.
#[test]
fn sources_may_be_generated_unified_precompiled_or_of_another_folder() {
    let copy = "COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/two.cpp";
    let case = Case::new().with_passes(
        "one",
        &format!(
            "set_target_properties(obj.OneCAPI PROPERTIES UNITY_BUILD ON)\n\
             set(two ${{CMAKE_CURRENT_BINARY_DIR}}/generated/two.cpp)\n\
             add_custom_command(OUTPUT ${{two}} {copy} ${{two}} DEPENDS two.cpp)\n\
             add_library(two STATIC ${{two}})\n\
             target_precompile_headers(two PRIVATE <string>)\n\
             add_subdirectory(sub)\n\
             target_link_libraries(OneCAPI PUBLIC two three)\n"
        ),
        "",
    );
    case.write("one/two.cpp", "int two() { return 2; }\n");
    case.write("one/three.cpp", "int three() { return 3; }\n");
    case.write(
        "one/sub/CMakeLists.txt",
        "add_library(three STATIC ../three.cpp)\n",
    );
    let said = case.is_planned();
    assert!(said.contains("pass groups        one"), "{said}");
    let described = case.described("one");
    assert!(described.contains("include/one-c/One.h"), "{described}");
}

/// All objects of the C API library are of a generated file, which alone says what its headers are.
#[test]
fn the_c_api_may_be_generated() {
    let case = Case::new().with_passes("one", "", "");
    let lists = super::LISTS.replace(
        "PARTIAL_SOURCES_INTENDED one.cpp",
        "PARTIAL_SOURCES_INTENDED ${CMAKE_CURRENT_BINARY_DIR}/g.cpp",
    );
    let made = "add_custom_command(OUTPUT g.cpp DEPENDS one.cpp COMMAND ${CMAKE_COMMAND} -E copy \
                ${CMAKE_CURRENT_SOURCE_DIR}/one.cpp g.cpp)\n";
    case.write("one/CMakeLists.txt", &format!("{lists}{made}"));
    let said = case.is_planned();
    assert!(said.contains("pass groups        one"), "{said}");
}
