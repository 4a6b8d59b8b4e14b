//===-- Native.h - The package's native module ----------------------------===//
//
// Access to the classes of `<root>._mlir_libs._mlir.ir`, and the reference type
// that upstream calls `PyObjectRef`. `<root>` is `MLIR_PYTHON_PACKAGE_PREFIX`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_NATIVE_H
#define MONDO_PYTHON_NATIVE_H

#include "mlir/Bindings/Python/NanobindUtils.h"

#include "mlir-c/IR.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

#include "llvm/Config/llvm-config.h"

#include <atomic>
#include <optional>
#include <string>
#include <utility>

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

namespace support {

/// A Python object that is looked up once and lives as long as the process. It
/// is no function-local static: the lookup may release the interpreter's lock,
/// and a second thread would wait for the static while it holds the lock.
class Lasting {
public:
  template <typename Find>
  nanobind::handle get(Find &&find) {
    PyObject *known = object.load();
    if (known)
      return known;
    PyObject *found = nanobind::object(find()).release().ptr();
    if (object.compare_exchange_strong(known, found))
      return found;
    Py_DECREF(found);
    return known;
  }

private:
  std::atomic<PyObject *> object{nullptr};
};

/// The module `<root>._mlir_libs._mlir`.
inline nanobind::handle nativeModule() {
  static Lasting module;
  return module.get([] {
    nanobind::object found =
        nanobind::module_::import_(MAKE_MLIR_PYTHON_QUALNAME("_mlir_libs._mlir"));
    std::string version = nanobind::cast<std::string>(found.attr("_llvm_version"));
    // The C API differs between LLVM's major versions.
    if (version.substr(0, version.find('.')) != std::to_string(LLVM_VERSION_MAJOR))
      throw nanobind::import_error(
          ("this extension was compiled with the headers of LLVM " +
           std::to_string(LLVM_VERSION_MAJOR) + ", and " MAKE_MLIR_PYTHON_QUALNAME("ir") +
           " has LLVM " + version)
              .c_str());
    return found;
  });
}

/// The module `<root>._mlir_libs._mlir.ir`.
inline nanobind::handle ir() {
  static Lasting module;
  return module.get([] { return nanobind::object(nativeModule().attr("ir")); });
}

/// True if `object` is an instance of the class `cls`.
inline bool isInstance(nanobind::handle object, nanobind::handle cls) {
  int is = PyObject_IsInstance(object.ptr(), cls.ptr());
  if (is < 0)
    nanobind::raise_python_error();
  return is;
}

/// The pointer in the capsule of an object of this package; raises what the
/// object raises, for instance for an operation that was erased.
inline void *pointerOf(nanobind::handle object, const char *capsuleName) {
  nanobind::object capsule = object.attr(MLIR_PYTHON_CAPI_PTR_ATTR);
  void *pointer = PyCapsule_GetPointer(capsule.ptr(), capsuleName);
  if (!pointer)
    nanobind::raise_python_error();
  return pointer;
}

/// None in the place of no object.
inline nanobind::object orNone(const nanobind::object &given) {
  return given ? given : nanobind::none();
}
template <typename T>
nanobind::object orNone(const std::optional<T> &given) {
  return given ? nanobind::object(*given) : nanobind::none();
}

/// The object of `cls` for the handle in a new capsule.
inline nanobind::object fromCapsule(nanobind::handle cls, PyObject *capsule) {
  if (!capsule)
    nanobind::raise_python_error();
  return cls.attr(MLIR_PYTHON_CAPI_FACTORY_ATTR)(nanobind::steal(capsule));
}

} // namespace support

/// A reference to an object of the package, and what C++ knows of it.
template <typename T>
class PyObjectRef {
public:
  explicit PyObjectRef(T referrent) : referrent(std::move(referrent)) {}
  PyObjectRef(T *referrent, nanobind::object object)
      : referrent(T::withObject(*referrent, std::move(object))) {}

  /// The reference count of the Python object.
  int getRefCount() { return static_cast<int>(Py_REFCNT(getObject().ptr())) - 1; }

  /// The Python object, which this reference gives up.
  nanobind::object releaseObject() {
    nanobind::object object = referrent->getObject();
    referrent.reset();
    return object;
  }

  T *get() { return referrent ? &*referrent : nullptr; }
  T *operator->() { return get(); }
  T &operator*() { return *referrent; }
  nanobind::object getObject() { return referrent->getObject(); }
  operator bool() const { return referrent.has_value(); }

  using NBTypedT = nanobind::typed<nanobind::object, T>;

private:
  std::optional<T> referrent;
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_NATIVE_H
