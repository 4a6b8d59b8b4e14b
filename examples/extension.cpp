//===-- extension.cpp - Somebody else's extension -------------------------===//
//
// An extension as other people write them: MLIR's C API, and MLIR's adaptors for nanobind. It knows a
// package by its import root alone (MLIR_PYTHON_PACKAGE_PREFIX), and links with -lMLIRPythonCAPI.
// tests/python/suite/test_extension.py builds and uses it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

namespace nb = nanobind;
using namespace mlir::python::nanobind_adaptors;

NB_MODULE(extension, m) {
  m.def("name", [](MlirOperation op) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    return std::string(name.data, name.length);
  });
  m.def("same_operation", [](MlirOperation op) { return op; });
  m.def("same_value", [](MlirValue value) { return value; });
  m.def("same_attribute", [](MlirAttribute attribute) { return attribute; });
  m.def("same_location", [](MlirLocation location) { return location; });
  m.def("same_block", [](MlirBlock block) { return mlirBlockGetParentOperation(block); });
  m.def("erase", [](MlirOperation op) { mlirOperationDestroy(op); });
  m.def("index", [](MlirContext context) { return mlirIndexTypeGet(context); },
        nb::arg("context") = nb::none());
  m.def("parse", [](MlirContext context, const std::string &text) {
    return mlirModuleCreateParse(context, mlirStringRefCreate(text.data(), text.size()));
  });
  mlir_type_subclass(m, "WideIntegerType", [](MlirType type) {
    return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 32;
  }).def_property_readonly("width", [](MlirType self) { return mlirIntegerTypeGetWidth(self); });
}
