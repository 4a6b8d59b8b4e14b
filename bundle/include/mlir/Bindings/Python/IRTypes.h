//===-- IRTypes.h - Builtin types -----------------------------------------===//
//
// Handles of the package's own classes; what they can do is in Python, and what
// the C API has for the handle.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_BINDINGS_PYTHON_IRTYPES_H
#define MLIR_BINDINGS_PYTHON_IRTYPES_H

#include "mlir-c/BuiltinTypes.h"
#include "mlir/Bindings/Python/IRCore.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

inline int mlirTypeIsAIntegerOrFloat(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type);
}

class PyIntegerType : public PyConcreteType<PyIntegerType> {
public:
  using MlirPythonBuiltin = PyIntegerType;
  static constexpr IsAFunctionTy isaFunction = mlirTypeIsAInteger;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction = mlirIntegerTypeGetTypeID;
  static constexpr const char *pyClassName = "IntegerType";
  using PyConcreteType::PyConcreteType;

  enum Signedness { Signless, Signed, Unsigned };
};

// One class: its Python name, its base, its check, and its type id, where it has
// one of its own.
#define MONDO_PYTHON_BUILTIN(CLASS, NAME, BASE, ISA, TYPE_ID)                                     \
  class CLASS : public PyConcreteType<CLASS, BASE> {                                              \
  public:                                                                                         \
    using MlirPythonBuiltin = CLASS;                                                              \
    static constexpr IsAFunctionTy isaFunction = ISA;                                             \
    static constexpr GetTypeIDFunctionTy getTypeIdFunction = TYPE_ID;                             \
    static constexpr const char *pyClassName = NAME;                                              \
    using PyConcreteType<CLASS, BASE>::PyConcreteType;                                            \
  };

MONDO_PYTHON_BUILTIN(PyIndexType, "IndexType", PyType, mlirTypeIsAIndex, mlirIndexTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloatType, "FloatType", PyType, mlirTypeIsAFloat, nullptr)
MONDO_PYTHON_BUILTIN(PyFloat4E2M1FNType, "Float4E2M1FNType", PyFloatType, mlirTypeIsAFloat4E2M1FN,
                     mlirFloat4E2M1FNTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloat6E2M3FNType, "Float6E2M3FNType", PyFloatType, mlirTypeIsAFloat6E2M3FN,
                     mlirFloat6E2M3FNTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloat6E3M2FNType, "Float6E3M2FNType", PyFloatType, mlirTypeIsAFloat6E3M2FN,
                     mlirFloat6E3M2FNTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloat8E4M3FNType, "Float8E4M3FNType", PyFloatType, mlirTypeIsAFloat8E4M3FN,
                     mlirFloat8E4M3FNTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloat8E5M2Type, "Float8E5M2Type", PyFloatType, mlirTypeIsAFloat8E5M2,
                     mlirFloat8E5M2TypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloat8E4M3Type, "Float8E4M3Type", PyFloatType, mlirTypeIsAFloat8E4M3,
                     mlirFloat8E4M3TypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloat8E4M3FNUZType, "Float8E4M3FNUZType", PyFloatType,
                     mlirTypeIsAFloat8E4M3FNUZ, mlirFloat8E4M3FNUZTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloat8E4M3B11FNUZType, "Float8E4M3B11FNUZType", PyFloatType,
                     mlirTypeIsAFloat8E4M3B11FNUZ, mlirFloat8E4M3B11FNUZTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloat8E5M2FNUZType, "Float8E5M2FNUZType", PyFloatType,
                     mlirTypeIsAFloat8E5M2FNUZ, mlirFloat8E5M2FNUZTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloat8E3M4Type, "Float8E3M4Type", PyFloatType, mlirTypeIsAFloat8E3M4,
                     mlirFloat8E3M4TypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFloat8E8M0FNUType, "Float8E8M0FNUType", PyFloatType,
                     mlirTypeIsAFloat8E8M0FNU, mlirFloat8E8M0FNUTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyBF16Type, "BF16Type", PyFloatType, mlirTypeIsABF16,
                     mlirBFloat16TypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyF16Type, "F16Type", PyFloatType, mlirTypeIsAF16, mlirFloat16TypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyTF32Type, "FloatTF32Type", PyFloatType, mlirTypeIsATF32,
                     mlirFloatTF32TypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyF32Type, "F32Type", PyFloatType, mlirTypeIsAF32, mlirFloat32TypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyF64Type, "F64Type", PyFloatType, mlirTypeIsAF64, mlirFloat64TypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyNoneType, "NoneType", PyType, mlirTypeIsANone, mlirNoneTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyComplexType, "ComplexType", PyType, mlirTypeIsAComplex,
                     mlirComplexTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyShapedType, "ShapedType", PyType, mlirTypeIsAShaped, nullptr)
MONDO_PYTHON_BUILTIN(PyVectorType, "VectorType", PyShapedType, mlirTypeIsAVector,
                     mlirVectorTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyRankedTensorType, "RankedTensorType", PyShapedType, mlirTypeIsARankedTensor,
                     mlirRankedTensorTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyUnrankedTensorType, "UnrankedTensorType", PyShapedType,
                     mlirTypeIsAUnrankedTensor, mlirUnrankedTensorTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyMemRefType, "MemRefType", PyShapedType, mlirTypeIsAMemRef,
                     mlirMemRefTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyUnrankedMemRefType, "UnrankedMemRefType", PyShapedType,
                     mlirTypeIsAUnrankedMemRef, mlirUnrankedMemRefTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyTupleType, "TupleType", PyType, mlirTypeIsATuple, mlirTupleTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyFunctionType, "FunctionType", PyType, mlirTypeIsAFunction,
                     mlirFunctionTypeGetTypeID)
MONDO_PYTHON_BUILTIN(PyOpaqueType, "OpaqueType", PyType, mlirTypeIsAOpaque,
                     mlirOpaqueTypeGetTypeID)

#undef MONDO_PYTHON_BUILTIN

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MLIR_BINDINGS_PYTHON_IRTYPES_H
