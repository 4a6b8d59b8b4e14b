# The variables and targets of MLIR's top CMakeLists.txt that its other folders use, where MLIR_SOURCE_DIR has MLIR's
# sources. Its headers and archives are those of the bundle's LLVM. Values that a manifest defines stay.

set(MLIR_BINARY_DIR "${CMAKE_BINARY_DIR}/tools/mlir")
set(MLIR_MAIN_SRC_DIR "${MLIR_SOURCE_DIR}")
set(MLIR_TOOLS_DIR "${LLVM_RUNTIME_OUTPUT_INTDIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${LLVM_LIBRARY_OUTPUT_INTDIR}")
set(LLVM_SHLIB_OUTPUT_INTDIR "${LLVM_LIBRARY_DIR}")
set(CMAKE_INCLUDE_CURRENT_DIR ON)
set(CMAKE_CXX_STANDARD 17 CACHE STRING "C++ standard to conform to")
# mondo's modules come before these, since they are on the path already.
list(APPEND CMAKE_MODULE_PATH "${MLIR_SOURCE_DIR}/cmake/modules")

# These variables say for which devices the LLVM of the bundle compiles.
foreach(pair IN ITEMS "AMDGPU;MLIR_ENABLE_ROCM_CONVERSIONS" "SPIRV;MLIR_ENABLE_XEVM_CONVERSIONS"
    "NVPTX;LLVM_HAS_NVPTX_TARGET")
  list(GET pair 0 target)
  list(GET pair 1 variable)
  set(value 0)
  if(target IN_LIST LLVM_TARGETS_TO_BUILD)
    set(value 1)
  endif()
  set(${variable} ${value} CACHE BOOL "LLVM has code generation for ${target}.")
endforeach()

# Code for devices and their drivers, which the archives of an installed LLVM lack.
foreach(runner IN ITEMS CUDA ROCM SYCL LEVELZERO SPIRV_CPU VULKAN)
  set(MLIR_ENABLE_${runner}_RUNNER 0 CACHE BOOL "Enable building the MLIR ${runner} runner.")
endforeach()
foreach(option IN ITEMS NVPTXCOMPILER PYTHON_BENCHMARKS)
  set(MLIR_ENABLE_${option} 0 CACHE BOOL "An option of MLIR.")
endforeach()
set(MLIR_ENABLE_PDL_IN_PATTERNMATCH 1 CACHE BOOL "Enable PDL in PatternMatch.")
set(MLIR_INCLUDE_TESTS 0 CACHE BOOL "Generate build targets for MLIR's tests.")
set(MLIR_INCLUDE_INTEGRATION_TESTS 0 CACHE BOOL "Generate build targets for MLIR's integration tests.")
if(MLIR_INCLUDE_TESTS)
  add_definitions(-DMLIR_INCLUDE_TESTS)
endif()

# In MLIR's own build its programs are beside those of its tests. The configuration of the tests looks there alone for
# this one, which says if the machine runs code of the engine.
if(TARGET mlir-runner)
  get_target_property(runner mlir-runner LOCATION)
  file(MAKE_DIRECTORY "${MLIR_TOOLS_DIR}")
  file(CREATE_LINK "${runner}" "${MLIR_TOOLS_DIR}/mlir-runner" SYMBOLIC)
endif()

# MLIR's Python package. Stubs are made from built extensions, which there are none of here.
set(MLIR_PYTHON_PACKAGE_PREFIX "mlir" CACHE STRING "The package that has all of MLIR's Python.")
set(MLIR_BINDINGS_PYTHON_NB_DOMAIN "mlir" CACHE STRING "nanobind's domain of the bindings.")
set(MLIR_BINDINGS_PYTHON_INSTALL_PREFIX "python_packages/mlir_core/mlir" CACHE STRING "Folder of the bindings.")
set(MLIR_PYTHON_STUBGEN_ENABLED OFF CACHE BOOL "Generate type stubs of the bindings.")

# The tool that splits long generated sources, which an installed LLVM lacks.
set(sharder "${MLIR_SOURCE_DIR}/tools/mlir-src-sharder")
if(EXISTS "${sharder}/CMakeLists.txt" AND NOT TARGET mlir-src-sharder
    AND NOT "mlir-src-sharder" IN_LIST LLVM_EXTERNAL_PROJECTS)
  add_subdirectory("${sharder}" "${MLIR_BINARY_DIR}/tools/mlir-src-sharder")
endif()
