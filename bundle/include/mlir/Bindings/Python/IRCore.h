//===-- IRCore.h - C++ extensions of this package -------------------------===//
//
// mondo's own classes under the names of MLIR's header of this path. They are
// handles of the package's Python objects and use the C API alone; see
// docs/reference/cpp-extensions.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_BINDINGS_PYTHON_IRCORE_H
#define MLIR_BINDINGS_PYTHON_IRCORE_H

#include "mlir/Bindings/Python/Globals.h"
#include "mlir/Bindings/Python/NanobindUtils.h"
#include "mondo/python/Affine.h"
#include "mondo/python/Attributes.h"
#include "mondo/python/Collections.h"
#include "mondo/python/Concrete.h"
#include "mondo/python/Creation.h"
#include "mondo/python/Current.h"
#include "mondo/python/Errors.h"
#include "mondo/python/Structure.h"

// Extensions use these without including them.
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Debug.h"
#include "mlir-c/Transforms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

inline MlirStringRef toMlirStringRef(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}
inline MlirStringRef toMlirStringRef(std::string_view text) {
  return mlirStringRefCreate(text.data(), text.size());
}
inline MlirStringRef toMlirStringRef(const nanobind::bytes &text) {
  return mlirStringRefCreate(static_cast<const char *>(text.data()), text.size());
}

/// The only result of an operation; raises if there are none or more.
inline MlirValue getUniqueResult(MlirOperation operation) {
  intptr_t count = mlirOperationGetNumResults(operation);
  if (count == 1)
    return mlirOperationGetResult(operation, 0);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  throw nanobind::value_error(
      ("Cannot call .result on operation " + std::string(name.data, name.length) + " which has " +
       std::to_string(count) + " results (it is only valid for operations with a single result)")
          .c_str());
}

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MLIR_BINDINGS_PYTHON_IRCORE_H
