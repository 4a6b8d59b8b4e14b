//===-- Class.h - Python classes that derive from the package's -----------===//
//
// The counterpart of `nanobind::class_` for classes whose objects are the
// package's: an ordinary Python class, with functions that nanobind makes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_CLASS_H
#define MONDO_PYTHON_CLASS_H

#include "mondo/python/Casters.h"

#include <stdexcept>

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {
namespace support {

/// A property of the class itself: a descriptor whose getter takes the class.
class ClassProperty {
public:
  static nanobind::object make(nanobind::object getter) {
    static Lasting type;
    nanobind::handle cls = type.get([] {
      PyType_Slot slots[] = {{Py_tp_descr_get, reinterpret_cast<void *>(&get)},
                             {Py_tp_dealloc, reinterpret_cast<void *>(&dealloc)},
                             {0, nullptr}};
      PyType_Spec spec = {"mondo.ClassProperty", sizeof(Object), 0, Py_TPFLAGS_DEFAULT, slots};
      PyObject *made = PyType_FromSpec(&spec);
      if (!made)
        nanobind::raise_python_error();
      return nanobind::steal(made);
    });
    auto *object = PyObject_New(Object, reinterpret_cast<PyTypeObject *>(cls.ptr()));
    if (!object)
      nanobind::raise_python_error();
    object->getter = getter.release().ptr();
    return nanobind::steal(reinterpret_cast<PyObject *>(object));
  }

private:
  struct Object {
    PyObject_HEAD
    PyObject *getter;
  };
  static PyObject *get(PyObject *self, PyObject *instance, PyObject *cls) {
    if (!cls)
      cls = reinterpret_cast<PyObject *>(Py_TYPE(instance));
    return PyObject_CallFunctionObjArgs(reinterpret_cast<Object *>(self)->getter, cls, nullptr);
  }
  static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_DECREF(reinterpret_cast<Object *>(self)->getter);
    PyObject_Free(self);
    Py_DECREF(type);
  }
};

/// The first text among the arguments: the docstring.
inline const char *docOf() { return nullptr; }
template <typename First, typename... Rest>
const char *docOf(const First &first, const Rest &...rest) {
  if constexpr (std::is_convertible_v<First, const char *>)
    return first;
  else
    return docOf(rest...);
}

/// True if the package's classes are made in `__new__`, so that it and not
/// `__init__` needs the argument.
inline bool constructsInNew() {
  static const bool inNew = [] {
    nanobind::object type = ir().attr("Type");
    try {
      type.attr("__new__")(type);
      return false;
    } catch (nanobind::python_error &) {
      return true;
    }
  }();
  return inNew;
}

template <typename Func>
struct IsInit : std::false_type {};
template <typename... Args>
struct IsInit<nanobind::init<Args...>> : std::true_type {};

/// A Python class `T` that is derived from the one of `Base`.
template <typename T, typename Base>
class Class : public nanobind::object {
  using Root = typename T::MlirPythonHandle;

public:
  using Type = T;

  Class() = default;

  template <typename... Extra>
  Class(nanobind::handle scope, const char *name, const Extra &...) {
    nanobind::handle base = Base::pythonClass();
    nanobind::dict names;
    names["__module__"] = moduleOf(scope);
    names["__qualname__"] = qualifiedName(scope, name);
    nanobind::handle metaclass(reinterpret_cast<PyObject *>(Py_TYPE(base.ptr())));
    static_cast<nanobind::object &>(*this) = metaclass(name, nanobind::make_tuple(base), names);
    // nanobind chains overloads through the scope of a function, and refuses a
    // name that the base has for something else: functions have a scope of
    // their own. It lives as long as the process, like functions of nanobind.
    nanobind::handle plain(reinterpret_cast<PyObject *>(&PyType_Type));
    functions = plain(name, nanobind::make_tuple(), nanobind::borrow(names).attr("copy")());
    functions.inc_ref();
    scope.attr(name) = *this;
  }

  template <typename Func, typename... Extra>
  Class &def(const char *name, Func &&f, const Extra &...extra) {
    static_assert(!IsInit<std::decay_t<Func>>::value,
                  "an object of this class is one of the package's: make it in a static function "
                  "that returns the handle (def_static), not in a constructor");
    if (std::string(name) == "__init__")
      throw std::logic_error("__init__ of a class that is derived from the package's is its own");
    return method(name, std::forward<Func>(f), extra...);
  }
  template <typename Func, typename... Extra>
  Class &def_static(const char *name, Func &&f, const Extra &...extra) {
    nanobind::cpp_function_def(std::forward<Func>(f), nanobind::scope(functions),
                               nanobind::name(name), extra...);
    return publish(name);
  }
  template <typename Getter, typename... Extra>
  Class &def_prop_ro(const char *name, Getter &&getter, const Extra &...extra) {
    return property(name, reader(std::forward<Getter>(getter), extra...), nanobind::none(),
                    docOf(extra...));
  }
  template <typename Getter, typename Setter, typename... Extra>
  Class &def_prop_rw(const char *name, Getter &&getter, Setter &&setter, const Extra &...extra) {
    nanobind::object write =
        nanobind::cpp_function<T>(std::forward<Setter>(setter), nanobind::is_method(),
                                  nanobind::scope(functions));
    return property(name, reader(std::forward<Getter>(getter), extra...), write, docOf(extra...));
  }
  template <typename Getter, typename... Extra>
  Class &def_prop_ro_static(const char *name, Getter &&getter, const Extra &...extra) {
    attr(name) = ClassProperty::make(nanobind::cpp_function(
        std::forward<Getter>(getter), nanobind::scope(functions), extra...));
    return *this;
  }

  /// Defines how an object is made: from another of the root class that the
  /// check accepts. `argument` is the name of the parameter.
  void defineCast(const char *argument) {
    nanobind::object base = nanobind::borrow(Base::pythonClass());
    bool inNew = constructsInNew();
    method(
        "__init__",
        [base, inNew](nanobind::handle self, Root &from) {
          T::castFrom(from);
          if (!inNew)
            base.attr("__init__")(self, nanobind::cast(from));
        },
        nanobind::arg(argument));
    if (!inNew)
      return;
    nanobind::object checker = functions;
    std::string keyword = argument;
    attr("__new__") = nanobind::cpp_function(
        [base, checker, keyword](nanobind::handle cls, nanobind::args args,
                                 nanobind::kwargs kwargs) {
          // An object of the scope of functions runs `__init__` alone, which
          // raises what is wrong with the arguments. A derived class with an
          // `__init__` of its own has more arguments, and ours is the first.
          if (cls.attr("__init__").is(checker.attr("__init__")) || args.size() == 0)
            checker(*args, **kwargs);
          else
            checker(args[0]);
          nanobind::object from =
              args.size() ? nanobind::object(args[0]) : nanobind::object(kwargs[keyword.c_str()]);
          return base.attr("__new__")(cls, from);
        },
        nanobind::name("__new__"));
  }

private:
  static nanobind::object moduleOf(nanobind::handle scope) {
    return scope.attr(PyModule_Check(scope.ptr()) ? "__name__" : "__module__");
  }
  static nanobind::object qualifiedName(nanobind::handle scope, const char *name) {
    if (PyModule_Check(scope.ptr()))
      return nanobind::str(name);
    return scope.attr("__qualname__") + nanobind::str(".") + nanobind::str(name);
  }

  template <typename Func, typename... Extra>
  Class &method(const char *name, Func &&f, const Extra &...extra) {
    nanobind::cpp_function_def<T>(std::forward<Func>(f), nanobind::scope(functions),
                                  nanobind::name(name), nanobind::is_method(), extra...);
    return publish(name);
  }
  Class &publish(const char *name) {
    attr(name) = functions.attr(name);
    return *this;
  }
  template <typename Getter, typename... Extra>
  nanobind::object reader(Getter &&getter, const Extra &...extra) {
    return nanobind::cpp_function<T>(std::forward<Getter>(getter), nanobind::is_method(),
                                     nanobind::is_getter(), nanobind::scope(functions), extra...);
  }
  Class &property(const char *name, nanobind::object get, nanobind::object set, const char *doc) {
    nanobind::handle type(reinterpret_cast<PyObject *>(&PyProperty_Type));
    attr(name) = type(get, set, nanobind::none(),
                      doc ? nanobind::object(nanobind::str(doc)) : nanobind::none());
    return *this;
  }

  nanobind::object functions;
};

} // namespace support
} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_CLASS_H
