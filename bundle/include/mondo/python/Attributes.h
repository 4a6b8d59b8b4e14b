//===-- Attributes.h - The package's string attribute ---------------------===//
//
// The other builtin attributes are in `IRAttributes.h`, as upstream has them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_ATTRIBUTES_H
#define MONDO_PYTHON_ATTRIBUTES_H

#include "mondo/python/Concrete.h"

#include "mlir-c/BuiltinAttributes.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

class PyStringAttribute : public PyConcreteAttribute<PyStringAttribute> {
public:
  using MlirPythonBuiltin = PyStringAttribute;
  static constexpr IsAFunctionTy isaFunction = mlirAttributeIsAString;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction = mlirStringAttrGetTypeID;
  static constexpr const char *pyClassName = "StringAttr";
  using PyConcreteAttribute::PyConcreteAttribute;
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_ATTRIBUTES_H
