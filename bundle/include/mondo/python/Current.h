//===-- Current.h - What is current in a thread ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_CURRENT_H
#define MONDO_PYTHON_CURRENT_H

#include "mondo/python/Structure.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

namespace support {

/// A handle or nothing, which is used like a pointer and owns the handle: a thread that kept it for
/// the caller would keep its Python object alive.
template <typename T>
class Maybe {
public:
  Maybe() = default;
  Maybe(T handle) : handle(std::move(handle)) {}

  T *get() & { return handle ? &*handle : nullptr; }
  T *operator->() { return &*handle; }
  T &operator*() & { return *handle; }
  explicit operator bool() const { return handle.has_value(); }
  operator T *() & { return get(); }
  /// A pointer into a temporary would dangle: keep the result of the function (`auto ip = …`).
  operator T *() && = delete;
  friend bool operator==(const Maybe &maybe, std::nullptr_t) { return !maybe.handle; }
  friend bool operator!=(const Maybe &maybe, std::nullptr_t) { return maybe.handle.has_value(); }

private:
  std::optional<T> handle;
};

} // namespace support

/// The context, insertion point and location of the innermost `with` of each.
class PyThreadContextEntry {
public:
  static support::Maybe<PyMlirContext> getDefaultContext() {
    return find<PyMlirContext>(support::ir().attr("Context"));
  }
  static support::Maybe<PyInsertionPoint> getDefaultInsertionPoint() {
    try {
      return find<PyInsertionPoint>(PyInsertionPoint::pythonClass());
    } catch (nanobind::python_error &error) {
      // `current` of the class raises a ValueError if nothing is current.
      if (!error.matches(PyExc_ValueError))
        throw;
      return {};
    }
  }
  static support::Maybe<PyLocation> getDefaultLocation() {
    return find<PyLocation>(PyLocation::pythonClass());
  }

private:
  template <typename T>
  static support::Maybe<T> find(nanobind::handle cls) {
    nanobind::object current = cls.attr("current");
    if (current.is_none())
      return {};
    return *T::fromPython(current);
  }
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_CURRENT_H
