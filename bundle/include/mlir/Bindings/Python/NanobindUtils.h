//===-- NanobindUtils.h - Defaulting arguments, printing, sequences -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_BINDINGS_PYTHON_PYBINDUTILS_H
#define MLIR_BINDINGS_PYTHON_PYBINDUTILS_H

#include "mlir-c/Support.h"
#include "mlir/Bindings/Python/Nanobind.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/DataTypes.h"
#include "llvm/Support/raw_ostream.h"

#include <iterator>
#include <optional>
#include <string>
#include <typeinfo>
#include <variant>
#include <vector>

/// Lists and tuples in LLVM's ranges (`llvm::enumerate`, `llvm::zip`).
template <>
struct std::iterator_traits<nanobind::detail::fast_iterator> {
  using iterator_category = std::forward_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = nanobind::handle;
  using reference = const nanobind::handle;
  using pointer = void;
};

// The namespace of the classes, as MLIR's CMake modules call it by default.
#ifndef MLIR_BINDINGS_PYTHON_DOMAIN
#define MLIR_BINDINGS_PYTHON_DOMAIN mlir
#endif

namespace mlir {
namespace python {

/// An argument that may be None: the derived class says what stands for it, in
/// `static ReferrentTy &resolve()`, and what messages call it, in
/// `kTypeDescription`. It owns a handle, and refers to anything else.
template <typename DerivedTy, typename T>
class Defaulting {
public:
  using ReferrentTy = T;

  Defaulting() = default;
  Defaulting(T &referrent) : held(hold(referrent)) {}

  T *get() const {
    if constexpr (owned<T>(0))
      return held ? &*held : nullptr;
    else
      return held;
  }
  T *operator->() const { return get(); }

private:
  template <typename U>
  static constexpr auto owned(int)
      -> decltype(static_cast<typename U::MlirPythonHandle *>(nullptr), bool()) {
    return true;
  }
  template <typename U>
  static constexpr bool owned(...) {
    return false;
  }
  using Held = std::conditional_t<owned<T>(0), std::optional<T>, T *>;
  static Held hold(T &referrent) {
    if constexpr (owned<T>(0))
      return Held(referrent);
    else
      return &referrent;
  }

  mutable Held held{};
};

} // namespace python
} // namespace mlir

namespace nanobind {
namespace detail {

/// Converts a defaulting argument. What `resolve` throws for None goes on.
template <typename DefaultingTy>
struct MlirDefaultingCaster {
  NB_TYPE_CASTER(DefaultingTy, const_name(DefaultingTy::kTypeDescription))

  bool from_python(handle src, uint32_t flags, cleanup_list *cleanup) {
    using Referrent = typename DefaultingTy::ReferrentTy;
    if (src.is_none()) {
      fill(0);
      return true;
    }
    make_caster<Referrent> caster;
    if (!caster.from_python(src, flags, cleanup))
      return false;
    value = DefaultingTy(caster.operator Referrent &());
    return true;
  }
  static handle from_cpp(DefaultingTy src, rv_policy policy, cleanup_list *cleanup) noexcept {
    return make_caster<typename DefaultingTy::ReferrentTy>::from_cpp(src.get(), policy, cleanup);
  }

private:
  /// Takes the default by value, if the class has `current`.
  template <typename D = DefaultingTy>
  auto fill(int) -> decltype(D::current(), void()) {
    auto current = D::current();
    value = DefaultingTy(current);
  }
  template <typename D = DefaultingTy>
  void fill(...) {
    value = DefaultingTy(D::resolve());
  }
};

} // namespace detail
} // namespace nanobind

namespace mlir {

/// Puts the parts that a callback of the C API is given into one text.
struct PyPrintAccumulator {
  nanobind::list parts;

  void *getUserData() { return this; }
  MlirStringCallback getCallback() {
    return [](MlirStringRef part, void *self) {
      static_cast<PyPrintAccumulator *>(self)->parts.append(
          nanobind::str(part.data, part.length));
    };
  }
  nanobind::str join() {
    return nanobind::cast<nanobind::str>(nanobind::str("").attr("join")(parts));
  }
};

/// Writes the parts into a file: its path, or an object with `write`.
class PyFileAccumulator {
public:
  PyFileAccumulator(const nanobind::object &fileOrPath, bool binary) : binary(binary) {
    std::string path;
    if (nanobind::try_cast<std::string>(fileOrPath, path)) {
      std::error_code error;
      file.emplace(path, error);
      if (error)
        throw nanobind::value_error(
            ("Unable to open file for writing: " + error.message()).c_str());
    } else {
      write = fileOrPath.attr("write");
    }
  }
  void *getUserData() { return this; }
  MlirStringCallback getCallback() {
    return [](MlirStringRef part, void *data) {
      auto *self = static_cast<PyFileAccumulator *>(data);
      if (self->file) {
        self->file->write(part.data, part.length);
        return;
      }
      nanobind::gil_scoped_acquire attached;
      if (self->binary)
        self->write(nanobind::bytes(part.data, part.length));
      else
        self->write(nanobind::str(part.data, part.length));
    };
  }

private:
  std::optional<llvm::raw_fd_ostream> file;
  nanobind::object write;
  bool binary;
};

/// Keeps the text of a callback that is called once.
struct PySinglePartStringAccumulator {
  void *getUserData() { return this; }
  MlirStringCallback getCallback() {
    return [](MlirStringRef part, void *self) {
      static_cast<PySinglePartStringAccumulator *>(self)->value =
          nanobind::str(part.data, part.length);
    };
  }
  nanobind::str takeValue() {
    if (!value)
      throw std::runtime_error("the callback was not called");
    nanobind::str taken = std::move(*value);
    value.reset();
    return taken;
  }

private:
  std::optional<nanobind::str> value;
};

/// The base of an extension's own sequences. `Derived` has `pyClassName`, counts what it is a part
/// of in `getRawNumElements`, gives an element of that in `getRawElement`, makes another part in
/// `slice(start, length, step)`, and may add methods in `bindDerived`.
template <typename Derived, typename ElementTy>
class Sliceable {
protected:
  using ClassTy = nanobind::class_<Derived>;

public:
  explicit Sliceable(intptr_t startIndex, intptr_t length, intptr_t step)
      : startIndex(startIndex), length(length), step(step) {
    if (length < 0)
      throw nanobind::value_error("a slice cannot have a negative length");
  }

  /// Counts from the end if the index is negative; raises an IndexError.
  ElementTy getElement(intptr_t index) {
    if (index < 0)
      index += length;
    if (index < 0 || index >= length)
      throw nanobind::index_error("index out of range");
    intptr_t raw = startIndex + index * step;
    // The underlying sequence may have become shorter since the slice was made.
    if (raw < 0 || raw >= self().getRawNumElements())
      throw nanobind::index_error("index out of range");
    return self().getRawElement(raw);
  }
  intptr_t size() { return length; }
  std::vector<ElementTy> dunderAdd(Derived &other) {
    std::vector<ElementTy> all;
    for (intptr_t index = 0; index < length; ++index)
      all.push_back(getElement(index));
    for (intptr_t index = 0; index < other.length; ++index)
      all.push_back(other.getElement(index));
    return all;
  }

  static void bind(nanobind::module_ &m) {
    ClassTy cls(m, Derived::pyClassName);
    cls.def("__len__", [](Derived &self) { return self.length; });
    cls.def("__getitem__", [](Derived &self, intptr_t index) {
      return downcast(self.getElement(index), 0);
    });
    cls.def("__getitem__", [](Derived &self, nanobind::slice slice) {
      auto [start, stop, step, count] = slice.compute(static_cast<size_t>(self.length));
      (void)stop;
      return self.slice(self.startIndex + static_cast<intptr_t>(start) * self.step,
                        static_cast<intptr_t>(count), self.step * static_cast<intptr_t>(step));
    });
    cls.def("__add__", [](Derived &self, Derived &other) { return self.dunderAdd(other); });
    Derived::bindDerived(cls);
  }
  static void bindDerived(ClassTy &) {}

  intptr_t startIndex;
  intptr_t length;
  intptr_t step;

private:
  Derived &self() { return static_cast<Derived &>(*this); }
  /// The object of the class that fits best, for elements that have one.
  template <typename T>
  static auto downcast(T element, int) -> decltype(nanobind::object(element.maybeDownCast())) {
    return element.maybeDownCast();
  }
  template <typename T>
  static nanobind::object downcast(T element, long) {
    return nanobind::cast(std::move(element));
  }
};

} // namespace mlir

namespace llvm {

template <>
struct DenseMapInfo<MlirTypeID> {
  static MlirTypeID getEmptyKey() {
    return mlirTypeIDCreate(DenseMapInfo<void *>::getEmptyKey());
  }
  static MlirTypeID getTombstoneKey() {
    return mlirTypeIDCreate(DenseMapInfo<void *>::getTombstoneKey());
  }
  static unsigned getHashValue(const MlirTypeID &typeID) { return mlirTypeIDHashValue(typeID); }
  static bool isEqual(const MlirTypeID &a, const MlirTypeID &b) { return mlirTypeIDEqual(a, b); }
};

} // namespace llvm

#endif // MLIR_BINDINGS_PYTHON_PYBINDUTILS_H
