//===-- IRAttributes.h - Builtin attributes -------------------------------===//
//
// Handles of the package's own classes; what they can do is in Python, and what
// the C API has for the handle.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_BINDINGS_PYTHON_IRATTRIBUTES_H
#define MLIR_BINDINGS_PYTHON_IRATTRIBUTES_H

#include "mlir-c/BuiltinAttributes.h"
#include "mlir/Bindings/Python/IRCore.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

// One class: its Python name, its base, its check, and its type id, where it has
// one of its own.
#define MONDO_PYTHON_BUILTIN(CLASS, NAME, BASE, ISA, TYPE_ID)                                     \
  class CLASS : public PyConcreteAttribute<CLASS, BASE> {                                         \
  public:                                                                                         \
    using MlirPythonBuiltin = CLASS;                                                              \
    static constexpr IsAFunctionTy isaFunction = ISA;                                             \
    static constexpr GetTypeIDFunctionTy getTypeIdFunction = TYPE_ID;                             \
    static constexpr const char *pyClassName = NAME;                                              \
    using PyConcreteAttribute<CLASS, BASE>::PyConcreteAttribute;                                  \
  };

MONDO_PYTHON_BUILTIN(PyAffineMapAttribute, "AffineMapAttr", PyAttribute, mlirAttributeIsAAffineMap,
                     mlirAffineMapAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyIntegerSetAttribute, "IntegerSetAttr", PyAttribute,
                     mlirAttributeIsAIntegerSet, mlirIntegerSetAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyDenseBoolArrayAttribute, "DenseBoolArrayAttr", PyAttribute,
                     mlirAttributeIsADenseBoolArray, nullptr)
MONDO_PYTHON_BUILTIN(PyDenseI8ArrayAttribute, "DenseI8ArrayAttr", PyAttribute,
                     mlirAttributeIsADenseI8Array, nullptr)
MONDO_PYTHON_BUILTIN(PyDenseI16ArrayAttribute, "DenseI16ArrayAttr", PyAttribute,
                     mlirAttributeIsADenseI16Array, nullptr)
MONDO_PYTHON_BUILTIN(PyDenseI32ArrayAttribute, "DenseI32ArrayAttr", PyAttribute,
                     mlirAttributeIsADenseI32Array, nullptr)
MONDO_PYTHON_BUILTIN(PyDenseI64ArrayAttribute, "DenseI64ArrayAttr", PyAttribute,
                     mlirAttributeIsADenseI64Array, nullptr)
MONDO_PYTHON_BUILTIN(PyDenseF32ArrayAttribute, "DenseF32ArrayAttr", PyAttribute,
                     mlirAttributeIsADenseF32Array, nullptr)
MONDO_PYTHON_BUILTIN(PyDenseF64ArrayAttribute, "DenseF64ArrayAttr", PyAttribute,
                     mlirAttributeIsADenseF64Array, nullptr)
MONDO_PYTHON_BUILTIN(PyArrayAttribute, "ArrayAttr", PyAttribute, mlirAttributeIsAArray,
                     mlirArrayAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloatAttribute, "FloatAttr", PyAttribute, mlirAttributeIsAFloat,
                     mlirFloatAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyIntegerAttribute, "IntegerAttr", PyAttribute, mlirAttributeIsAInteger,
                     nullptr)
MONDO_PYTHON_BUILTIN(PyBoolAttribute, "BoolAttr", PyAttribute, mlirAttributeIsABool, nullptr)
MONDO_PYTHON_BUILTIN(PySymbolRefAttribute, "SymbolRefAttr", PyAttribute, mlirAttributeIsASymbolRef,
                     nullptr)
MONDO_PYTHON_BUILTIN(PyFlatSymbolRefAttribute, "FlatSymbolRefAttr", PyAttribute,
                     mlirAttributeIsAFlatSymbolRef, nullptr)
MONDO_PYTHON_BUILTIN(PyOpaqueAttribute, "OpaqueAttr", PyAttribute, mlirAttributeIsAOpaque,
                     mlirOpaqueAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyDenseElementsAttribute, "DenseElementsAttr", PyAttribute,
                     mlirAttributeIsADenseElements, nullptr)
MONDO_PYTHON_BUILTIN(PyDenseIntElementsAttribute, "DenseIntElementsAttr", PyDenseElementsAttribute,
                     mlirAttributeIsADenseIntElements, nullptr)
MONDO_PYTHON_BUILTIN(PyDenseResourceElementsAttribute, "DenseResourceElementsAttr", PyAttribute,
                     mlirAttributeIsADenseResourceElements, nullptr)
MONDO_PYTHON_BUILTIN(PyDictAttribute, "DictAttr", PyAttribute, mlirAttributeIsADictionary,
                     mlirDictionaryAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyDenseFPElementsAttribute, "DenseFPElementsAttr", PyDenseElementsAttribute,
                     mlirAttributeIsADenseFPElements, nullptr)
MONDO_PYTHON_BUILTIN(PyTypeAttribute, "TypeAttr", PyAttribute, mlirAttributeIsAType,
                     mlirTypeAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyUnitAttribute, "UnitAttr", PyAttribute, mlirAttributeIsAUnit,
                     mlirUnitAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyStridedLayoutAttribute, "StridedLayoutAttr", PyAttribute,
                     mlirAttributeIsAStridedLayout, mlirStridedLayoutAttrGetTypeID)

#undef MONDO_PYTHON_BUILTIN

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MLIR_BINDINGS_PYTHON_IRATTRIBUTES_H
