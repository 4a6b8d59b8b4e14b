# nanobind as a project finds it: the functions of its CMake package, which build nothing here.

set(nanobind_VERSION 2.15.0)

function(nanobind_build_library name)
  if(NOT TARGET ${name})
    add_library(${name} INTERFACE)
  endif()
endfunction()

foreach(function IN ITEMS
    nanobind_opt_size nanobind_disable_stack_protector nanobind_set_visibility nanobind_compile_options
    nanobind_link_options nanobind_extension nanobind_extension_abi3 nanobind_lto nanobind_strip
    nanobind_musl_static_libcpp)
  cmake_language(EVAL CODE "function(${function})\nendfunction()")
endforeach()

# Stubs are made from a built extension, which there is none of here.
function(nanobind_add_stub name)
  if(NOT TARGET ${name})
    add_custom_target(${name})
  endif()
endfunction()

# An extension that is not declared by MLIR's functions has no place in the package: the record names it.
function(nanobind_add_module name)
  include(AddMLIRPython)
  _mondo_never_built(${name} MODULE)
  set_property(GLOBAL APPEND PROPERTY MONDO_EXCLUDED ${name})
endfunction()
