# nanobind as a project finds it: the functions of its CMake package, which build nothing here.

set(nanobind_VERSION 3.1.0)

function(nanobind_build_library name)
  if(NOT TARGET ${name})
    add_library(${name} INTERFACE)
  endif()
endfunction()

foreach(function IN ITEMS
    nanobind_opt_size nanobind_disable_stack_protector nanobind_set_visibility nanobind_compile_options
    nanobind_link_options nanobind_extension nanobind_extension_abi3 nanobind_lto nanobind_strip
    nanobind_musl_static_libcpp nanobind_add_stub)
  cmake_language(EVAL CODE "function(${function})\nendfunction()")
endforeach()

# An extension that is not declared by MLIR's functions has no place in the package.
function(nanobind_add_module name)
  message(FATAL_ERROR
    "the target `${name}` is made by nanobind_add_module; declare it by "
    "declare_mlir_python_extension, which says where in the package it belongs")
endfunction()
