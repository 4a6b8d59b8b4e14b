//===-- Values.h - Values -------------------------------------------------===//
//
// The handle of a result or a block argument. Its operation is in `Operation.h`, its
// block in `Structure.h`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_VALUES_H
#define MONDO_PYTHON_VALUES_H

#include "mondo/python/Operation.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

/// A value: the handle, and the Python object where C++ was given one.
class PyValue {
public:
  using MlirPythonHandle = PyValue;
  using Raw = MlirValue;
  static constexpr const char *pyClassName = "Value";
  static constexpr const char *what = "value";

  PyValue(PyOperationRef parentOperation, MlirValue value)
      : parentOperation(std::move(parentOperation)), value(value) {}
  virtual ~PyValue() = default;
  PyValue(const PyValue &) = default;
  PyValue &operator=(const PyValue &) = default;

  static nanobind::handle pythonClass() {
    static support::Lasting cls;
    return cls.get([] { return nanobind::object(support::ir().attr("Value")); });
  }
  static MlirValue rawOf(nanobind::handle object) {
    return {support::pointerOf(object, MLIR_PYTHON_CAPSULE_VALUE)};
  }
  /// The operation that defines the value, or whose block it is an argument of.
  static PyOperationRef ownerOf(MlirValue raw, nanobind::handle object) {
    if (!raw.ptr) {
      // The value's own object raises in the place of the operation's.
      PyMlirContextRef nowhere(PyMlirContext({nullptr}, nanobind::borrow(object)));
      PyOperation gone(std::move(nowhere), {nullptr});
      return PyOperationRef(PyOperation::withObject(gone, nanobind::borrow(object)));
    }
    MlirOperation owner = mlirValueIsAOpResult(raw)
                              ? mlirOpResultGetOwner(raw)
                              : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(raw));
    MlirContext context = mlirTypeGetContext(mlirValueGetType(raw));
    PyMlirContextRef owning(PyMlirContext(context, nanobind::borrow(object)));
    return PyOperationRef(PyOperation(std::move(owning), owner));
  }
  static bool isNull(MlirValue raw) { return mlirValueIsNull(raw); }
  static void print(MlirValue raw, MlirStringCallback callback, void *data) {
    mlirValuePrint(raw, callback, data);
  }
  nanobind::object bestObject() const {
    return nanobind::object(
        support::fromCapsule(pythonClass(), mlirPythonValueToCapsule(get()))
            .attr(MLIR_PYTHON_MAYBE_DOWNCAST_ATTR)());
  }

  /// Raises if the value is gone.
  MlirValue get() const { return known ? rawOf(known) : value; }
  operator MlirValue() const { return get(); }
  PyOperationRef &getParentOperation() { return parentOperation; }
  void checkValid() {
    if (known)
      rawOf(known);
    else
      parentOperation->checkValid();
  }
  nanobind::object getCapsule() { return nanobind::steal(mlirPythonValueToCapsule(get())); }
  nanobind::typed<nanobind::object, PyValue> maybeDownCast() { return bestObject(); }
  static PyValue createFromCapsule(nanobind::object capsule) {
    MlirValue value = mlirPythonCapsuleToValue(capsule.ptr());
    if (mlirValueIsNull(value))
      nanobind::raise_python_error();
    nanobind::object object = pythonClass().attr(MLIR_PYTHON_CAPI_FACTORY_ATTR)(capsule);
    PyValue made(ownerOf(value, object), value);
    made.known = std::move(object);
    return made;
  }

  nanobind::object known;

private:
  PyOperationRef parentOperation;
  MlirValue value;
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_VALUES_H
