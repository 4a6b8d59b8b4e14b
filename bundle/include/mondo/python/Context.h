//===-- Context.h - Contexts, locations and what depends on them ----------===//
//
// The bases of all handles of what belongs to a context; types, attributes and
// affine objects are in files of their own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_CONTEXT_H
#define MONDO_PYTHON_CONTEXT_H

#include "mondo/python/Native.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

class PyMlirContext;
using PyMlirContextRef = PyObjectRef<PyMlirContext>;

/// A context. The Python object is looked up when somebody asks for it.
class PyMlirContext {
public:
  using MlirPythonHandle = PyMlirContext;
  static constexpr const char *pyClassName = "Context";
  struct ErrorCapture;

  PyMlirContext() = delete;
  PyMlirContext(MlirContext context) : context(context) {}
  /// `keepAlive` is the context's object, or one that keeps the context alive.
  PyMlirContext(MlirContext context, nanobind::object keepAlive)
      : context(context), keepAlive(std::move(keepAlive)) {}

  static PyMlirContext withObject(const PyMlirContext &other, nanobind::object object) {
    return PyMlirContext(other.context, std::move(object));
  }
  static nanobind::handle pythonClass() {
    static support::Lasting cls;
    // `_Context` is the base of `Context`, which an extension may have replaced by a class of
    // its own.
    return cls.get([] { return nanobind::object(support::ir().attr("_Context")); });
  }
  static std::optional<PyMlirContext> fromPython(nanobind::handle object) {
    if (!support::isInstance(object, pythonClass()))
      return std::nullopt;
    return PyMlirContext({support::pointerOf(object, MLIR_PYTHON_CAPSULE_CONTEXT)},
                         nanobind::borrow(object));
  }

  static PyMlirContextRef forContext(MlirContext context) {
    return PyMlirContextRef(PyMlirContext(context));
  }

  /// The context of the innermost `with`; raises if there is none.
  static PyMlirContext current() {
    nanobind::object context = support::ir().attr("Context").attr("current");
    if (context.is_none())
      throw std::runtime_error(
          "An MLIR function requires a Context but none was provided in the call or from the "
          "surrounding environment. Either pass to the function with a 'context=' argument or "
          "establish a default using 'with Context():'");
    return *fromPython(context);
  }

  MlirContext get() const { return context; }
  PyMlirContextRef getRef() const {
    return PyMlirContextRef(PyMlirContext(context, getObject()));
  }

  /// The Python object.
  nanobind::object getObject() const {
    if (keepAlive && support::isInstance(keepAlive, pythonClass()))
      return keepAlive;
    nanobind::object object = support::fromCapsule(support::ir().attr("Context"),
                                                   mlirPythonContextToCapsule(context));
    // An object that did not keep the context alive does not begin to.
    if (keepAlive)
      keepAlive = object;
    return object;
  }
  nanobind::object toPython() const { return getObject(); }

  nanobind::object getCapsule() {
    return nanobind::steal(mlirPythonContextToCapsule(context));
  }
  static nanobind::object createFromCapsule(nanobind::object capsule) {
    return support::ir().attr("Context").attr(MLIR_PYTHON_CAPI_FACTORY_ATTR)(capsule);
  }
  static size_t getLiveCount() {
    return nanobind::cast<size_t>(pythonClass().attr("_get_live_count")());
  }
  size_t getLiveModuleCount() {
    return nanobind::cast<size_t>(getObject().attr("_get_live_module_count")());
  }
  static nanobind::object contextEnter(nanobind::object context) {
    return context.attr("__enter__")();
  }
  void contextExit(const nanobind::object &excType, const nanobind::object &excVal,
                   const nanobind::object &excTb) {
    getObject().attr("__exit__")(excType, excVal, excTb);
  }
  nanobind::object attachDiagnosticHandler(nanobind::object callback) {
    return getObject().attr("attach_diagnostic_handler")(callback);
  }
  void setEmitErrorDiagnostics(bool value) {
    getObject().attr("emit_error_diagnostics") = value;
  }
  bool getEmitErrorDiagnostics() {
    return nanobind::cast<bool>(getObject().attr("emit_error_diagnostics"));
  }

private:
  MlirContext context;
  mutable nanobind::object keepAlive;
};

/// An argument for which None stands for the current context.
class DefaultingPyMlirContext : public Defaulting<DefaultingPyMlirContext, PyMlirContext> {
public:
  using Defaulting::Defaulting;
  static constexpr const char kTypeDescription[] = "Context";
  static PyMlirContext current() { return PyMlirContext::current(); }
  /// The reference is good until the thread's next call of this function.
  static PyMlirContext &resolve() {
    // The Python object is left out, as the thread-local variable would keep it alive.
    static thread_local std::optional<PyMlirContext> last;
    return last.emplace(current().get());
  }
};

/// The base of what belongs to a context, which it keeps alive.
class BaseContextObject {
public:
  BaseContextObject(PyMlirContextRef ref) : contextRef(std::move(ref)) {}
  PyMlirContextRef &getContext() { return contextRef; }

private:
  PyMlirContextRef contextRef;
};

/// A location.
class PyLocation : public BaseContextObject {
public:
  using MlirPythonHandle = PyLocation;
  static constexpr const char *pyClassName = "Location";

  PyLocation(PyMlirContextRef contextRef, MlirLocation loc)
      : BaseContextObject(std::move(contextRef)), loc(loc) {}

  static nanobind::handle pythonClass() {
    static support::Lasting cls;
    return cls.get([] { return nanobind::object(support::ir().attr("Location")); });
  }
  static std::optional<PyLocation> fromPython(nanobind::handle object) {
    if (!support::isInstance(object, pythonClass()))
      return std::nullopt;
    MlirLocation loc{support::pointerOf(object, MLIR_PYTHON_CAPSULE_LOCATION)};
    PyLocation made(
        PyMlirContextRef(PyMlirContext(mlirLocationGetContext(loc), nanobind::borrow(object))),
        loc);
    made.object = nanobind::borrow(object);
    return made;
  }
  nanobind::object toPython() const {
    return object ? object
                  : support::fromCapsule(pythonClass(), mlirPythonLocationToCapsule(loc));
  }

  /// The location of the innermost `with`; raises if there is none.
  static PyLocation current() {
    // A context has to be current; its own message says so.
    PyMlirContext::current();
    nanobind::object location = pythonClass().attr("current");
    if (location.is_none())
      throw std::runtime_error(
          "An MLIR function requires a Location but none was provided in the call or from the "
          "surrounding environment. Either pass to the function with a 'loc=' argument or "
          "establish a default using 'with loc:'");
    return *fromPython(location);
  }

  operator MlirLocation() const { return loc; }
  MlirLocation get() const { return loc; }

  static nanobind::object contextEnter(nanobind::object location) {
    return location.attr("__enter__")();
  }
  void contextExit(const nanobind::object &excType, const nanobind::object &excVal,
                   const nanobind::object &excTb) {
    toPython().attr("__exit__")(excType, excVal, excTb);
  }
  nanobind::object getCapsule() { return nanobind::steal(mlirPythonLocationToCapsule(loc)); }
  static PyLocation createFromCapsule(nanobind::object capsule) {
    MlirLocation loc = mlirPythonCapsuleToLocation(capsule.ptr());
    if (mlirLocationIsNull(loc))
      nanobind::raise_python_error();
    return PyLocation(PyMlirContext::forContext(mlirLocationGetContext(loc)), loc);
  }

private:
  MlirLocation loc;
  nanobind::object object;
};

/// An argument for which None stands for the current location.
class DefaultingPyLocation : public Defaulting<DefaultingPyLocation, PyLocation> {
public:
  using Defaulting::Defaulting;
  static constexpr const char kTypeDescription[] = "Location";
  static PyLocation current() { return PyLocation::current(); }
  /// The reference is good until the thread's next call of this function.
  static PyLocation &resolve() {
    static thread_local std::optional<PyLocation> last;
    MlirLocation loc = current().get();
    return last.emplace(PyMlirContext::forContext(mlirLocationGetContext(loc)), loc);
  }
  operator MlirLocation() const { return get()->get(); }
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_CONTEXT_H
