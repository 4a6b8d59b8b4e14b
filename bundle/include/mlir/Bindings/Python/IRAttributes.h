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

/// A Python object that has a buffer.
class nb_buffer : public nanobind::object {
  NB_OBJECT_DEFAULT(nb_buffer, object, "Buffer", PyObject_CheckBuffer)
};

/// An object as an element of an array attribute.
template <typename T>
T pyTryCast(nanobind::handle object) {
  try {
    return nanobind::cast<T>(object);
  } catch (std::bad_cast &) {
    throw std::runtime_error("Invalid attribute when attempting to create an ArrayAttribute (" +
                             nanobind::cast<std::string>(nanobind::repr(object)) + ")");
  }
}

// One class: its Python name, its base, its check, its type id where it has one of
// its own, and methods.
#define MONDO_PYTHON_BUILTIN_WITH(CLASS, NAME, BASE, ISA, TYPE_ID, ...)                           \
  class CLASS : public PyConcreteAttribute<CLASS, BASE> {                                         \
  public:                                                                                         \
    using MlirPythonBuiltin = CLASS;                                                              \
    static constexpr IsAFunctionTy isaFunction = ISA;                                             \
    static constexpr GetTypeIDFunctionTy getTypeIdFunction = TYPE_ID;                             \
    static constexpr const char *pyClassName = NAME;                                              \
    using PyConcreteAttribute<CLASS, BASE>::PyConcreteAttribute;                                  \
    __VA_ARGS__                                                                                   \
  };
#define MONDO_PYTHON_BUILTIN(CLASS, NAME, BASE, ISA, TYPE_ID)                                     \
  MONDO_PYTHON_BUILTIN_WITH(CLASS, NAME, BASE, ISA, TYPE_ID, )

MONDO_PYTHON_BUILTIN(PyAffineMapAttribute, "AffineMapAttr", PyAttribute, mlirAttributeIsAAffineMap,
                     mlirAffineMapAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyIntegerSetAttribute, "IntegerSetAttr", PyAttribute,
                     mlirAttributeIsAIntegerSet, mlirIntegerSetAttrGetTypeID)

// An array of numbers: as above, and the type of an element.
#define MONDO_PYTHON_DENSE_ARRAY(KIND, ELEMENT)                                                   \
  class PyDense##KIND##ArrayAttribute                                                             \
      : public PyConcreteAttribute<PyDense##KIND##ArrayAttribute> {                               \
  public:                                                                                         \
    using MlirPythonBuiltin = PyDense##KIND##ArrayAttribute;                                      \
    static constexpr IsAFunctionTy isaFunction = mlirAttributeIsADense##KIND##Array;              \
    static constexpr auto getAttribute = mlirDense##KIND##ArrayGet;                               \
    static constexpr auto getElement = mlirDense##KIND##ArrayGetElement;                          \
    static constexpr const char *pyClassName = "Dense" #KIND "ArrayAttr";                         \
    using PyConcreteAttribute::PyConcreteAttribute;                                               \
    ELEMENT getItem(intptr_t i) { return getElement(*this, support::inRange(*this, i)); }         \
  };

namespace support {
/// The index, if the array has such an element; else raises an IndexError.
inline intptr_t inRange(MlirAttribute array, intptr_t index) {
  if (index < 0 || index >= mlirDenseArrayGetNumElements(array))
    throw nanobind::index_error("DenseArray index out of range");
  return index;
}
} // namespace support

MONDO_PYTHON_DENSE_ARRAY(Bool, bool)
MONDO_PYTHON_DENSE_ARRAY(I8, int8_t)
MONDO_PYTHON_DENSE_ARRAY(I16, int16_t)
MONDO_PYTHON_DENSE_ARRAY(I32, int32_t)
MONDO_PYTHON_DENSE_ARRAY(I64, int64_t)
MONDO_PYTHON_DENSE_ARRAY(F32, float)
MONDO_PYTHON_DENSE_ARRAY(F64, double)

#undef MONDO_PYTHON_DENSE_ARRAY

MONDO_PYTHON_BUILTIN_WITH(PyArrayAttribute, "ArrayAttr", PyAttribute, mlirAttributeIsAArray,
                     mlirArrayAttrGetTypeID,
  /// Raises an IndexError if there is no such element.
  MlirAttribute getItem(intptr_t i) const {
    if (i < 0 || i >= mlirArrayAttrGetNumElements(*this))
      throw nanobind::index_error("ArrayAttribute index out of range");
    return mlirArrayAttrGetElement(*this, i);
  })
MONDO_PYTHON_BUILTIN(PyFloatAttribute, "FloatAttr", PyAttribute, mlirAttributeIsAFloat,
                     mlirFloatAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyIntegerAttribute, "IntegerAttr", PyAttribute, mlirAttributeIsAInteger,
                     nullptr)
MONDO_PYTHON_BUILTIN(PyBoolAttribute, "BoolAttr", PyAttribute, mlirAttributeIsABool, nullptr)
MONDO_PYTHON_BUILTIN_WITH(PySymbolRefAttribute, "SymbolRefAttr", PyAttribute,
                          mlirAttributeIsASymbolRef,
                     nullptr,
  static PySymbolRefAttribute fromList(const std::vector<std::string> &symbols,
                                       PyMlirContext &context) {
    return nanobind::cast<PySymbolRefAttribute>(
        pythonClass().attr("get")(symbols, context.getObject()));
  })
MONDO_PYTHON_BUILTIN(PyFlatSymbolRefAttribute, "FlatSymbolRefAttr", PyAttribute,
                     mlirAttributeIsAFlatSymbolRef, nullptr)
MONDO_PYTHON_BUILTIN(PyOpaqueAttribute, "OpaqueAttr", PyAttribute, mlirAttributeIsAOpaque,
                     mlirOpaqueAttrGetTypeID)
MONDO_PYTHON_BUILTIN_WITH(PyDenseElementsAttribute, "DenseElementsAttr", PyAttribute,
                     mlirAttributeIsADenseElements, nullptr,
  static PyDenseElementsAttribute getFromList(const nanobind::list &attributes,
                                              std::optional<PyType> explicitType,
                                              DefaultingPyMlirContext contextWrapper) {
    return nanobind::cast<PyDenseElementsAttribute>(pythonClass().attr("get")(
        attributes, nanobind::arg("type") = explicitType,
        nanobind::arg("context") = contextWrapper->getObject()));
  }
  static PyDenseElementsAttribute getFromBuffer(const nb_buffer &array, bool signless,
                                                const std::optional<PyType> &explicitType,
                                                std::optional<std::vector<int64_t>> explicitShape,
                                                DefaultingPyMlirContext contextWrapper) {
    return nanobind::cast<PyDenseElementsAttribute>(pythonClass().attr("get")(
        array, signless, explicitType, explicitShape, contextWrapper->getObject()));
  }
  static PyDenseElementsAttribute getSplat(const PyType &shapedType, PyAttribute &elementAttr) {
    return nanobind::cast<PyDenseElementsAttribute>(
        pythonClass().attr("get_splat")(shapedType, elementAttr));
  }
  intptr_t dunderLen() const { return mlirElementsAttrGetNumElements(*this); })
MONDO_PYTHON_BUILTIN_WITH(PyDenseIntElementsAttribute, "DenseIntElementsAttr",
                          PyDenseElementsAttribute,
                     mlirAttributeIsADenseIntElements, nullptr,
  /// Raises an IndexError if there is no such element.
  nanobind::int_ dunderGetItem(intptr_t pos) const {
    return nanobind::int_(nanobind::object(nanobind::cast(*this)[pos]));
  })
MONDO_PYTHON_BUILTIN_WITH(PyDenseResourceElementsAttribute, "DenseResourceElementsAttr",
                          PyAttribute,
                     mlirAttributeIsADenseResourceElements, nullptr,
  static PyDenseResourceElementsAttribute
  getFromBuffer(const nb_buffer &buffer, const std::string &name, const PyType &type,
                std::optional<size_t> alignment, bool isMutable,
                DefaultingPyMlirContext contextWrapper) {
    return nanobind::cast<PyDenseResourceElementsAttribute>(pythonClass().attr("get_from_buffer")(
        buffer, name, type, alignment, isMutable, contextWrapper->getObject()));
  })
MONDO_PYTHON_BUILTIN_WITH(PyDictAttribute, "DictAttr", PyAttribute, mlirAttributeIsADictionary,
                     mlirDictionaryAttrGetTypeID,
  intptr_t dunderLen() const { return mlirDictionaryAttrGetNumElements(*this); }
  bool dunderContains(const std::string &name) const {
    return !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
        *this, mlirStringRefCreate(name.data(), name.size())));
  })
MONDO_PYTHON_BUILTIN_WITH(PyDenseFPElementsAttribute, "DenseFPElementsAttr",
                          PyDenseElementsAttribute,
                     mlirAttributeIsADenseFPElements, nullptr,
  /// Raises an IndexError if there is no such element.
  nanobind::float_ dunderGetItem(intptr_t pos) const {
    return nanobind::float_(nanobind::object(nanobind::cast(*this)[pos]));
  })
MONDO_PYTHON_BUILTIN(PyTypeAttribute, "TypeAttr", PyAttribute, mlirAttributeIsAType,
                     mlirTypeAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyUnitAttribute, "UnitAttr", PyAttribute, mlirAttributeIsAUnit,
                     mlirUnitAttrGetTypeID)
MONDO_PYTHON_BUILTIN(PyStridedLayoutAttribute, "StridedLayoutAttr", PyAttribute,
                     mlirAttributeIsAStridedLayout, mlirStridedLayoutAttrGetTypeID)

#undef MONDO_PYTHON_BUILTIN
#undef MONDO_PYTHON_BUILTIN_WITH

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MLIR_BINDINGS_PYTHON_IRATTRIBUTES_H
