//===-- Casters.h - Conversion between handles and Python objects ---------===//
//
// Handles are values: a caster makes one from the Python object for the time of
// a call, and takes the object out again for a result. A function may take a
// handle by value, reference or pointer; `nanobind::cast` gives values only.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_CASTERS_H
#define MONDO_PYTHON_CASTERS_H

#include "mondo/python/Affine.h"
#include "mondo/python/Values.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {
namespace support {

template <typename T, typename = void>
struct IsHandle : std::false_type {};
template <typename T>
struct IsHandle<T, std::void_t<typename T::MlirPythonHandle>> : std::true_type {};

/// Types, attributes and values: `T` may be a class that is derived from one.
template <typename T, typename = void>
struct IsKind : std::false_type {};
template <typename T>
struct IsKind<T, std::void_t<typename T::MlirPythonHandle::Raw,
                             decltype(&T::MlirPythonHandle::ownerOf)>>
    : std::true_type {};

/// Classes of the package itself, as opposed to those that an extension binds.
template <typename T, typename = void>
struct IsBuiltin : std::is_same<T, typename T::MlirPythonHandle> {};
template <typename T>
struct IsBuiltin<T, std::void_t<typename T::MlirPythonBuiltin>>
    : std::is_same<T, typename T::MlirPythonBuiltin> {};

constexpr size_t lengthOf(const char *text) {
  size_t length = 0;
  while (text[length])
    ++length;
  return length;
}

template <typename T, size_t... Is>
constexpr auto classNameOf(std::index_sequence<Is...>) {
  return nanobind::detail::descr<sizeof...(Is)>(T::pyClassName[Is]...);
}

/// The Python class's name in signatures.
template <typename T>
constexpr auto signatureName() {
  auto name = classNameOf<T>(std::make_index_sequence<lengthOf(T::pyClassName)>());
  if constexpr (IsBuiltin<T>::value)
    return nanobind::detail::const_name(MAKE_MLIR_PYTHON_QUALNAME("_mlir_libs._mlir.ir.")) + name;
  else
    return name;
}

/// The handle for the object, if it is of the kind; may raise what Python raises.
template <typename T>
std::optional<T> load(nanobind::handle object) {
  if constexpr (IsKind<T>::value) {
    using Root = typename T::MlirPythonHandle;
    if (!isInstance(object, Root::pythonClass()))
      return std::nullopt;
    typename Root::Raw raw{nullptr};
    try {
      raw = Root::rawOf(object);
    } catch (nanobind::python_error &) {
      // A value that is gone raises when it is used, if its class says what it is.
      if (!std::is_same_v<Root, PyValue> || !isInstance(object, T::pythonClass()))
        return std::nullopt;
    }
    if constexpr (!std::is_same_v<T, Root>)
      if (raw.ptr && !T::isaFunction(raw))
        return std::nullopt;
    T made(Root::ownerOf(raw, object), raw);
    made.known = nanobind::borrow(object);
    return made;
  } else {
    return T::fromPython(object);
  }
}

/// The object for a handle, of the class that Python knows as `T`.
template <typename T>
nanobind::object store(const T &handle) {
  if constexpr (IsKind<T>::value) {
    using Root = typename T::MlirPythonHandle;
    if constexpr (std::is_same_v<T, Root>) {
      if (handle.known)
        return handle.known;
      return handle.bestObject();
    } else {
      nanobind::handle cls = T::pythonClass();
      if (handle.known && isInstance(handle.known, cls))
        return handle.known;
      nanobind::object object = handle.bestObject();
      return isInstance(object, cls) ? object : nanobind::object(cls(object));
    }
  } else {
    return handle.toPython();
  }
}

template <typename T>
class HandleCaster {
public:
  static constexpr auto Name = signatureName<T>();
  using Value = T;
  template <typename U>
  using Cast = nanobind::detail::movable_cast_t<U>;
  template <typename U>
  bool can_cast() const {
    return nanobind::detail::is_pointer_v<U> || value.has_value();
  }

  bool from_python(nanobind::handle source, uint32_t, nanobind::detail::cleanup_list *) noexcept {
    value.reset();
    // Only a pointer can be null; other arguments leave it to the next overload.
    if (source.is_none())
      return true;
    try {
      std::optional<T> loaded = load<T>(source);
      if (!loaded)
        return false;
      value.emplace(std::move(*loaded));
      return true;
    } catch (nanobind::python_error &) {
      // The C++ exception holds that of Python, and drops it at the end of this handler.
      return false;
    } catch (std::exception &) {
      return false;
    }
  }

  static nanobind::handle from_cpp(const T &handle, nanobind::rv_policy,
                                   nanobind::detail::cleanup_list *) noexcept {
    try {
      return store<T>(handle).release();
    } catch (nanobind::python_error &error) {
      error.restore();
    } catch (std::exception &error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return {};
  }
  static nanobind::handle from_cpp(const T *handle, nanobind::rv_policy policy,
                                   nanobind::detail::cleanup_list *cleanup) noexcept {
    return handle ? from_cpp(*handle, policy, cleanup) : nanobind::none().release();
  }

  explicit operator T *() { return value ? &*value : nullptr; }
  explicit operator T &() { return checked(); }
  explicit operator T &&() { return std::move(checked()); }

private:
  T &checked() {
    if (!value)
      throw nanobind::next_overload();
    return *value;
  }

  std::optional<T> value;
};

/// An operation or a view of one, whichever it is.
class OperationBaseCaster {
public:
  static constexpr auto Name = signatureName<PyOperationBase>();
  using Value = PyOperationBase;
  template <typename U>
  using Cast = std::conditional_t<nanobind::detail::is_pointer_v<U>, PyOperationBase *,
                                  PyOperationBase &>;
  template <typename U>
  bool can_cast() const {
    return true;
  }

  bool from_python(nanobind::handle source, uint32_t flags,
                   nanobind::detail::cleanup_list *cleanup) noexcept {
    if (source.is_none())
      return true;
    if (view.from_python(source, flags, cleanup)) {
      value = view.operator PyOpView *();
      return true;
    }
    if (operation.from_python(source, flags, cleanup)) {
      value = operation.operator PyOperation *();
      return true;
    }
    return false;
  }
  static nanobind::handle from_cpp(const PyOperationBase &base, nanobind::rv_policy,
                                   nanobind::detail::cleanup_list *) noexcept {
    try {
      return base.toPython().release();
    } catch (nanobind::python_error &error) {
      error.restore();
      return {};
    }
  }
  static nanobind::handle from_cpp(const PyOperationBase *base, nanobind::rv_policy policy,
                                   nanobind::detail::cleanup_list *cleanup) noexcept {
    return base ? from_cpp(*base, policy, cleanup) : nanobind::none().release();
  }

  explicit operator PyOperationBase *() { return value; }
  explicit operator PyOperationBase &() {
    if (!value)
      throw nanobind::next_overload();
    return *value;
  }

private:
  HandleCaster<PyOpView> view;
  HandleCaster<PyOperation> operation;
  PyOperationBase *value = nullptr;
};

/// A reference, which keeps its object.
template <typename T>
class ReferenceCaster {
public:
  using Ref = PyObjectRef<T>;
  static constexpr auto Name = signatureName<T>();
  using Value = Ref;
  template <typename U>
  using Cast = Ref;
  template <typename U>
  bool can_cast() const {
    return value.has_value();
  }

  bool from_python(nanobind::handle source, uint32_t flags,
                   nanobind::detail::cleanup_list *cleanup) noexcept {
    HandleCaster<T> caster;
    if (source.is_none() || !caster.from_python(source, flags, cleanup))
      return false;
    value.emplace(*caster.operator T *());
    return true;
  }
  static nanobind::handle from_cpp(const Ref &ref, nanobind::rv_policy policy,
                                   nanobind::detail::cleanup_list *cleanup) noexcept {
    Ref copy = ref;
    return HandleCaster<T>::from_cpp(copy.get(), policy, cleanup);
  }
  explicit operator Ref() { return *value; }

private:
  std::optional<Ref> value;
};

/// Pointers to handles, which live until the call is over; null for None.
template <typename T>
class PointerListCaster {
  using Entry = nanobind::detail::make_caster<T>;

public:
  using Value = std::vector<T *>;
  static constexpr auto Name = nanobind::detail::const_name("collections.abc.Sequence[") +
                               Entry::Name + nanobind::detail::const_name("]");
  template <typename U>
  using Cast = nanobind::detail::movable_cast_t<U>;
  template <typename U>
  bool can_cast() const {
    return true;
  }

  bool from_python(nanobind::handle source, uint32_t flags,
                   nanobind::detail::cleanup_list *cleanup) noexcept {
    value.clear();
    // `nanobind::cast` would let go of the handles before anybody uses the pointers.
    if (!cleanup || (flags & static_cast<uint32_t>(nanobind::detail::cast_flags::manual)))
      return false;
    size_t size;
    PyObject *kept;
    PyObject **objects = nanobind::detail::seq_get(source.ptr(), &size, &kept);
    nanobind::object keeper = nanobind::steal(kept);
    if (!objects)
      return false;
    try {
      auto entries = std::make_unique<std::vector<Entry>>(size);
      for (size_t index = 0; index < size; ++index) {
        if (!(*entries)[index].from_python(objects[index], flags, cleanup))
          return false;
        value.push_back((*entries)[index].operator T *());
      }
      nanobind::capsule owner(entries.get(), [](void *owned) noexcept {
        delete static_cast<std::vector<Entry> *>(owned);
      });
      entries.release();
      cleanup->append(owner.release().ptr());
      return true;
    } catch (nanobind::python_error &) {
      return false;
    } catch (std::exception &) {
      return false;
    }
  }
  template <typename List>
  static nanobind::handle from_cpp(List &&handles, nanobind::rv_policy policy,
                                   nanobind::detail::cleanup_list *cleanup) noexcept {
    nanobind::object list = nanobind::steal(PyList_New(0));
    for (T *handle : handles) {
      nanobind::object object = nanobind::steal(Entry::from_cpp(handle, policy, cleanup));
      if (!list || !object || PyList_Append(list.ptr(), object.ptr()))
        return {};
    }
    return list.release();
  }

  explicit operator Value *() { return &value; }
  explicit operator Value &() { return value; }
  explicit operator Value &&() { return std::move(value); }

private:
  Value value;
};

} // namespace support
} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

namespace nanobind {
namespace detail {

template <typename T>
struct type_caster<
    T, enable_if_t<mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::support::IsHandle<T>::value>>
    : mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::support::HandleCaster<T> {};

template <>
struct type_caster<mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::PyOperationBase>
    : mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::support::OperationBaseCaster {};

template <typename T>
struct type_caster<mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::PyObjectRef<T>>
    : mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::support::ReferenceCaster<T> {};

template <>
struct type_caster<mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::DefaultingPyMlirContext>
    : MlirDefaultingCaster<mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::DefaultingPyMlirContext> {};

template <>
struct type_caster<mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::DefaultingPyLocation>
    : MlirDefaultingCaster<mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::DefaultingPyLocation> {};

} // namespace detail
} // namespace nanobind

#endif // MONDO_PYTHON_CASTERS_H
