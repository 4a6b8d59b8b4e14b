# MLIR's module of this name finds Python and nanobind in order to build extensions. They are built
# from the recorded sources instead, for the interpreter that mondo uses, so that CMake needs no more
# than to know that interpreter.

set(MLIR_MINIMUM_PYTHON_VERSION 3.10)

macro(mlir_configure_python_dev_packages)
  find_package(Python3 ${MLIR_MINIMUM_PYTHON_VERSION} COMPONENTS Interpreter Development.Module)
  find_package(Python ${MLIR_MINIMUM_PYTHON_VERSION} COMPONENTS Interpreter Development.Module)
  find_package(nanobind CONFIG QUIET)
endmacro()

macro(mlir_detect_pybind11_install)
endmacro()

macro(mlir_detect_nanobind_install)
endmacro()
