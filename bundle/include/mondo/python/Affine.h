//===-- Affine.h - Affine expressions, maps and integer sets --------------===//
//
// All that the C API's headers of these names have, as far as extensions use it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_AFFINE_H
#define MONDO_PYTHON_AFFINE_H

#include "mondo/python/Context.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/IntegerSet.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

namespace support {

/// The base of affine expressions, maps and integer sets. `Api` has the C API's
/// functions for `RawTy`.
template <typename DerivedTy, typename RawTy, typename Api>
class AffineHandle : public BaseContextObject {
public:
  using MlirPythonHandle = DerivedTy;

  AffineHandle(PyMlirContextRef contextRef, RawTy raw)
      : BaseContextObject(std::move(contextRef)), raw(raw) {}

  static nanobind::handle pythonClass() {
    static Lasting cls;
    return cls.get([] { return nanobind::object(ir().attr(DerivedTy::pyClassName)); });
  }
  static std::optional<DerivedTy> fromPython(nanobind::handle object) {
    if (!isInstance(object, pythonClass()))
      return std::nullopt;
    RawTy raw{pointerOf(object, Api::capsule)};
    DerivedTy made(
        PyMlirContextRef(PyMlirContext(Api::context(raw), nanobind::borrow(object))), raw);
    made.known = nanobind::borrow(object);
    return made;
  }
  nanobind::object toPython() const {
    return known ? known : fromCapsule(pythonClass(), Api::toCapsule(raw));
  }

  bool operator==(const DerivedTy &other) const { return Api::equal(raw, other.get()); }
  operator RawTy() const { return raw; }
  RawTy get() const { return raw; }
  nanobind::object getCapsule() { return nanobind::steal(Api::toCapsule(raw)); }
  static DerivedTy createFromCapsule(const nanobind::object &capsule) {
    RawTy raw = Api::fromCapsule(capsule.ptr());
    if (!raw.ptr)
      nanobind::raise_python_error();
    return DerivedTy(PyMlirContext::forContext(Api::context(raw)), raw);
  }

  nanobind::object known;

private:
  RawTy raw;
};

struct AffineExprApi {
  static constexpr const char *capsule = MLIR_PYTHON_CAPSULE_AFFINE_EXPR;
  static MlirContext context(MlirAffineExpr raw) { return mlirAffineExprGetContext(raw); }
  static bool equal(MlirAffineExpr a, MlirAffineExpr b) { return mlirAffineExprEqual(a, b); }
  static PyObject *toCapsule(MlirAffineExpr raw) { return mlirPythonAffineExprToCapsule(raw); }
  static MlirAffineExpr fromCapsule(PyObject *it) { return mlirPythonCapsuleToAffineExpr(it); }
};

struct AffineMapApi {
  static constexpr const char *capsule = MLIR_PYTHON_CAPSULE_AFFINE_MAP;
  static MlirContext context(MlirAffineMap raw) { return mlirAffineMapGetContext(raw); }
  static bool equal(MlirAffineMap a, MlirAffineMap b) { return mlirAffineMapEqual(a, b); }
  static PyObject *toCapsule(MlirAffineMap raw) { return mlirPythonAffineMapToCapsule(raw); }
  static MlirAffineMap fromCapsule(PyObject *it) { return mlirPythonCapsuleToAffineMap(it); }
};

struct IntegerSetApi {
  static constexpr const char *capsule = MLIR_PYTHON_CAPSULE_INTEGER_SET;
  static MlirContext context(MlirIntegerSet raw) { return mlirIntegerSetGetContext(raw); }
  static bool equal(MlirIntegerSet a, MlirIntegerSet b) { return mlirIntegerSetEqual(a, b); }
  static PyObject *toCapsule(MlirIntegerSet raw) { return mlirPythonIntegerSetToCapsule(raw); }
  static MlirIntegerSet fromCapsule(PyObject *it) { return mlirPythonCapsuleToIntegerSet(it); }
};

} // namespace support

class PyAffineExpr
    : public support::AffineHandle<PyAffineExpr, MlirAffineExpr, support::AffineExprApi> {
public:
  using AffineHandle::AffineHandle;
  static constexpr const char *pyClassName = "AffineExpr";

  PyAffineExpr add(const PyAffineExpr &other) const {
    return of(mlirAffineAddExprGet(get(), other.get()));
  }
  PyAffineExpr mul(const PyAffineExpr &other) const {
    return of(mlirAffineMulExprGet(get(), other.get()));
  }
  PyAffineExpr floorDiv(const PyAffineExpr &other) const {
    return of(mlirAffineFloorDivExprGet(get(), other.get()));
  }
  PyAffineExpr ceilDiv(const PyAffineExpr &other) const {
    return of(mlirAffineCeilDivExprGet(get(), other.get()));
  }
  PyAffineExpr mod(const PyAffineExpr &other) const {
    return of(mlirAffineModExprGet(get(), other.get()));
  }
  nanobind::typed<nanobind::object, PyAffineExpr> maybeDownCast() {
    return nanobind::object(toPython().attr(MLIR_PYTHON_MAYBE_DOWNCAST_ATTR)());
  }

private:
  static PyAffineExpr of(MlirAffineExpr raw) {
    return PyAffineExpr(PyMlirContext::forContext(mlirAffineExprGetContext(raw)), raw);
  }
};

class PyAffineMap
    : public support::AffineHandle<PyAffineMap, MlirAffineMap, support::AffineMapApi> {
public:
  using AffineHandle::AffineHandle;
  static constexpr const char *pyClassName = "AffineMap";
};

class PyIntegerSet
    : public support::AffineHandle<PyIntegerSet, MlirIntegerSet, support::IntegerSetApi> {
public:
  using AffineHandle::AffineHandle;
  static constexpr const char *pyClassName = "IntegerSet";
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_AFFINE_H
