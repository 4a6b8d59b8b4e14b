//===-- Types.h - Types, attributes and type ids --------------------------===//
//
// The handles of any kind. Classes for single kinds are in `IRTypes.h`,
// `IRAttributes.h` and, for an extension's own, `Concrete.h`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_TYPES_H
#define MONDO_PYTHON_TYPES_H

#include "mondo/python/Context.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

class PyTypeID {
public:
  using MlirPythonHandle = PyTypeID;
  static constexpr const char *pyClassName = "TypeID";

  PyTypeID(MlirTypeID typeID) : typeID(typeID) {}
  static nanobind::handle pythonClass() {
    static support::Lasting cls;
    return cls.get([] { return nanobind::object(support::ir().attr("TypeID")); });
  }
  static std::optional<PyTypeID> fromPython(nanobind::handle object) {
    if (!support::isInstance(object, pythonClass()))
      return std::nullopt;
    return PyTypeID({support::pointerOf(object, MLIR_PYTHON_CAPSULE_TYPEID)});
  }
  nanobind::object toPython() const {
    return support::fromCapsule(pythonClass(), mlirPythonTypeIDToCapsule(typeID));
  }

  bool operator==(const PyTypeID &other) const { return mlirTypeIDEqual(typeID, other.typeID); }
  operator MlirTypeID() const { return typeID; }
  MlirTypeID get() const { return typeID; }
  nanobind::object getCapsule() { return nanobind::steal(mlirPythonTypeIDToCapsule(typeID)); }
  static PyTypeID createFromCapsule(nanobind::object capsule) {
    MlirTypeID typeID = mlirPythonCapsuleToTypeID(capsule.ptr());
    if (mlirTypeIDIsNull(typeID))
      nanobind::raise_python_error();
    return PyTypeID(typeID);
  }

private:
  MlirTypeID typeID;
};

/// A type: the handle, and the Python object where C++ was given one.
class PyType : public BaseContextObject {
public:
  using MlirPythonHandle = PyType;
  using Raw = MlirType;
  static constexpr const char *pyClassName = "Type";
  static constexpr const char *what = "type";

  PyType(PyMlirContextRef contextRef, MlirType type)
      : BaseContextObject(std::move(contextRef)), type(type) {}

  static nanobind::handle pythonClass() {
    static support::Lasting cls;
    return cls.get([] { return nanobind::object(support::ir().attr("Type")); });
  }
  static MlirType rawOf(nanobind::handle object) {
    return {support::pointerOf(object, MLIR_PYTHON_CAPSULE_TYPE)};
  }
  /// Keeps the context of `raw` alive by the type's own object.
  static PyMlirContextRef ownerOf(MlirType raw, nanobind::handle object) {
    return PyMlirContextRef(PyMlirContext(mlirTypeGetContext(raw), nanobind::borrow(object)));
  }
  static bool isNull(MlirType raw) { return mlirTypeIsNull(raw); }
  static void print(MlirType raw, MlirStringCallback callback, void *data) {
    mlirTypePrint(raw, callback, data);
  }
  /// The object that the package has for the type, of the class that fits best.
  nanobind::object bestObject() const {
    return support::fromCapsule(pythonClass(), mlirPythonTypeToCapsule(type));
  }

  bool operator==(const PyType &other) const { return mlirTypeEqual(type, other.type); }
  operator MlirType() const { return type; }
  MlirType get() const { return type; }
  nanobind::object getCapsule() { return nanobind::steal(mlirPythonTypeToCapsule(type)); }
  static PyType createFromCapsule(nanobind::object capsule) {
    MlirType type = mlirPythonCapsuleToType(capsule.ptr());
    if (mlirTypeIsNull(type))
      nanobind::raise_python_error();
    return PyType(PyMlirContext::forContext(mlirTypeGetContext(type)), type);
  }
  nanobind::typed<nanobind::object, PyType> maybeDownCast() {
    return nanobind::object(bestObject().attr(MLIR_PYTHON_MAYBE_DOWNCAST_ATTR)());
  }

  nanobind::object known;

private:
  MlirType type;
};

/// An attribute: the handle, and the Python object where C++ was given one.
class PyAttribute : public BaseContextObject {
public:
  using MlirPythonHandle = PyAttribute;
  using Raw = MlirAttribute;
  static constexpr const char *pyClassName = "Attribute";
  static constexpr const char *what = "attribute";

  PyAttribute(PyMlirContextRef contextRef, MlirAttribute attr)
      : BaseContextObject(std::move(contextRef)), attr(attr) {}

  static nanobind::handle pythonClass() {
    static support::Lasting cls;
    return cls.get([] { return nanobind::object(support::ir().attr("Attribute")); });
  }
  static MlirAttribute rawOf(nanobind::handle object) {
    return {support::pointerOf(object, MLIR_PYTHON_CAPSULE_ATTRIBUTE)};
  }
  static PyMlirContextRef ownerOf(MlirAttribute raw, nanobind::handle object) {
    return PyMlirContextRef(PyMlirContext(mlirAttributeGetContext(raw), nanobind::borrow(object)));
  }
  static bool isNull(MlirAttribute raw) { return mlirAttributeIsNull(raw); }
  static void print(MlirAttribute raw, MlirStringCallback callback, void *data) {
    mlirAttributePrint(raw, callback, data);
  }
  nanobind::object bestObject() const {
    return support::fromCapsule(pythonClass(), mlirPythonAttributeToCapsule(attr));
  }

  bool operator==(const PyAttribute &other) const { return mlirAttributeEqual(attr, other.attr); }
  operator MlirAttribute() const { return attr; }
  MlirAttribute get() const { return attr; }
  nanobind::object getCapsule() { return nanobind::steal(mlirPythonAttributeToCapsule(attr)); }
  static PyAttribute createFromCapsule(const nanobind::object &capsule) {
    MlirAttribute attr = mlirPythonCapsuleToAttribute(capsule.ptr());
    if (mlirAttributeIsNull(attr))
      nanobind::raise_python_error();
    return PyAttribute(PyMlirContext::forContext(mlirAttributeGetContext(attr)), attr);
  }
  nanobind::typed<nanobind::object, PyAttribute> maybeDownCast() {
    return nanobind::object(bestObject().attr(MLIR_PYTHON_MAYBE_DOWNCAST_ATTR)());
  }

  nanobind::object known;

private:
  MlirAttribute attr;
};

/// An attribute under a name, which it owns.
class PyNamedAttribute {
public:
  using MlirPythonHandle = PyNamedAttribute;
  static constexpr const char *pyClassName = "NamedAttribute";

  PyNamedAttribute(MlirAttribute attr, std::string ownedName)
      : ownedName(std::make_unique<std::string>(std::move(ownedName))) {
    namedAttr = mlirNamedAttributeGet(
        mlirIdentifierGet(mlirAttributeGetContext(attr),
                          mlirStringRefCreate(this->ownedName->data(), this->ownedName->size())),
        attr);
  }
  static nanobind::handle pythonClass() {
    static support::Lasting cls;
    return cls.get([] { return nanobind::object(support::ir().attr("NamedAttribute")); });
  }
  static std::optional<PyNamedAttribute> fromPython(nanobind::handle object) {
    if (!support::isInstance(object, pythonClass()))
      return std::nullopt;
    return PyNamedAttribute(PyAttribute::rawOf(object.attr("attr")),
                            nanobind::cast<std::string>(object.attr("name")));
  }
  nanobind::object toPython() const {
    MlirAttribute attr = namedAttr.attribute;
    return PyAttribute(PyMlirContext::forContext(mlirAttributeGetContext(attr)), attr)
        .bestObject()
        .attr("get_named")(*ownedName);
  }

  MlirNamedAttribute namedAttr;

private:
  std::unique_ptr<std::string> ownedName;
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_TYPES_H
