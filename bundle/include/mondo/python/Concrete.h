//===-- Concrete.h - Bases of an extension's own classes ------------------===//
//
// `PyConcreteType`, `PyConcreteAttribute` and `PyConcreteValue`. A derived class
// has `isaFunction` and `pyClassName`, may have `getTypeIdFunction` and `name`,
// and adds methods in `bindDerived`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_CONCRETE_H
#define MONDO_PYTHON_CONCRETE_H

#include "mlir/Bindings/Python/Globals.h"
#include "mondo/python/Class.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {
namespace support {

/// The part that the three bases share.
template <typename DerivedTy, typename BaseTy>
class Concrete : public BaseTy {
public:
  using ClassTy = Class<DerivedTy, BaseTy>;
  using GetTypeIDFunctionTy = MlirTypeID (*)();
  static constexpr GetTypeIDFunctionTy getTypeIdFunction = nullptr;
  static inline const MlirStringRef name{};

  using BaseTy::BaseTy;

  /// The class that this extension has bound, else the package's of the name.
  static nanobind::handle pythonClass() {
    if (bound)
      return bound;
    static Lasting cls;
    return cls.get([] { return nanobind::object(ir().attr(DerivedTy::pyClassName)); });
  }

  /// The raw handle, if it is one of this class's; else raises a ValueError.
  static typename BaseTy::MlirPythonHandle::Raw castFrom(typename BaseTy::MlirPythonHandle &from) {
    auto raw = from.get();
    if (DerivedTy::isaFunction(raw))
      return raw;
    std::string text = nanobind::cast<std::string>(nanobind::repr(nanobind::cast(from)));
    throw nanobind::value_error((std::string("Cannot cast ") + BaseTy::MlirPythonHandle::what +
                                 " to " + DerivedTy::pyClassName + " (from " + text + ")")
                                    .c_str());
  }

  static void bindDerived(ClassTy &) {}

protected:
  /// Makes the Python class, with what types and attributes have alike.
  static ClassTy makeClass(nanobind::module_ &m, const char *argument, const char *nameProperty) {
    ClassTy cls = makePlainClass(m, argument);
    cls.def_prop_ro_static("static_typeid", [](nanobind::handle) {
      if (!DerivedTy::getTypeIdFunction)
        throw nanobind::attribute_error(
            (std::string(DerivedTy::pyClassName) + " has no typeid.").c_str());
      return PyTypeID(DerivedTy::getTypeIdFunction());
    });
    if (DerivedTy::name.length != 0)
      cls.def_prop_ro_static(nameProperty, [](nanobind::handle) {
        return nanobind::str(DerivedTy::name.data, DerivedTy::name.length);
      });
    cls.def("__repr__", &Concrete::describe);
    return cls;
  }
  static ClassTy makePlainClass(nanobind::module_ &m, const char *argument) {
    static_assert(!IsBuiltin<DerivedTy>::value,
                  "the package has this class already; an extension cannot bind it again");
    ClassTy cls(m, DerivedTy::pyClassName);
    bound = cls.inc_ref().ptr();
    cls.defineCast(argument);
    return cls;
  }
  /// The caster that the package calls for an object with this class's type id. Several
  /// classes may share one: what the check refuses is of the base.
  static nanobind::callable caster() {
    return nanobind::borrow<nanobind::callable>(
        nanobind::cpp_function([](typename BaseTy::MlirPythonHandle &from) -> nanobind::object {
          nanobind::object object = nanobind::cast(from);
          nanobind::handle root = BaseTy::MlirPythonHandle::pythonClass();
          nanobind::handle cls =
              DerivedTy::isaFunction(from.get()) ? pythonClass() : BaseTy::pythonClass();
          return cls.is(root) ? object : nanobind::object(cls(object));
        }));
  }
  static nanobind::str describe(DerivedTy &self) {
    PyPrintAccumulator text;
    text.parts.append(DerivedTy::pyClassName);
    text.parts.append("(");
    BaseTy::MlirPythonHandle::print(self.get(), text.getCallback(), text.getUserData());
    text.parts.append(")");
    return text.join();
  }

private:
  static inline PyObject *bound = nullptr;
};

} // namespace support

template <typename DerivedTy, typename BaseTy = PyType>
class PyConcreteType : public support::Concrete<DerivedTy, BaseTy> {
public:
  using Base = PyConcreteType;
  using typename support::Concrete<DerivedTy, BaseTy>::ClassTy;
  using typename support::Concrete<DerivedTy, BaseTy>::GetTypeIDFunctionTy;
  using IsAFunctionTy = bool (*)(MlirType);

  PyConcreteType(PyMlirContextRef contextRef, MlirType type)
      : support::Concrete<DerivedTy, BaseTy>(std::move(contextRef), type) {}
  PyConcreteType(PyType &from) : PyConcreteType(from.getContext(), PyConcreteType::castFrom(from)) {
    this->known = from.known;
  }

  static void bind(nanobind::module_ &m) {
    ClassTy cls = PyConcreteType::makeClass(m, "cast_from_type", "type_name");
    if (DerivedTy::getTypeIdFunction)
      PyGlobals::get().registerTypeCaster(DerivedTy::getTypeIdFunction(),
                                          PyConcreteType::caster(), /*replace=*/true);
    DerivedTy::bindDerived(cls);
  }
};

template <typename DerivedTy, typename BaseTy = PyAttribute>
class PyConcreteAttribute : public support::Concrete<DerivedTy, BaseTy> {
public:
  using Base = PyConcreteAttribute;
  using typename support::Concrete<DerivedTy, BaseTy>::ClassTy;
  using typename support::Concrete<DerivedTy, BaseTy>::GetTypeIDFunctionTy;
  using IsAFunctionTy = bool (*)(MlirAttribute);

  PyConcreteAttribute(PyMlirContextRef contextRef, MlirAttribute attr)
      : support::Concrete<DerivedTy, BaseTy>(std::move(contextRef), attr) {}
  PyConcreteAttribute(PyAttribute &from)
      : PyConcreteAttribute(from.getContext(), PyConcreteAttribute::castFrom(from)) {
    this->known = from.known;
  }

  static void bind(nanobind::module_ &m) {
    ClassTy cls = PyConcreteAttribute::makeClass(m, "cast_from_attr", "attr_name");
    if (DerivedTy::getTypeIdFunction)
      PyGlobals::get().registerTypeCaster(DerivedTy::getTypeIdFunction(),
                                          PyConcreteAttribute::caster(), /*replace=*/true);
    DerivedTy::bindDerived(cls);
  }
};

template <typename DerivedTy>
class PyConcreteValue : public support::Concrete<DerivedTy, PyValue> {
public:
  using Base = PyConcreteValue;
  using typename support::Concrete<DerivedTy, PyValue>::ClassTy;
  using typename support::Concrete<DerivedTy, PyValue>::GetTypeIDFunctionTy;
  using IsAFunctionTy = bool (*)(MlirValue);

  PyConcreteValue(PyOperationRef operationRef, MlirValue value)
      : support::Concrete<DerivedTy, PyValue>(std::move(operationRef), value) {}
  PyConcreteValue(PyValue &from)
      : PyConcreteValue(from.getParentOperation(), PyConcreteValue::castFrom(from)) {
    this->known = from.known;
  }

  static void bind(nanobind::module_ &m) {
    ClassTy cls = PyConcreteValue::makePlainClass(m, "value");
    cls.def("__str__", &PyConcreteValue::describe);
    if (DerivedTy::getTypeIdFunction)
      PyGlobals::get().registerValueCaster(DerivedTy::getTypeIdFunction(),
                                           PyConcreteValue::caster(), /*replace=*/true);
    DerivedTy::bindDerived(cls);
  }
};

/// A result of an operation.
class PyOpResult : public PyConcreteValue<PyOpResult> {
public:
  using MlirPythonBuiltin = PyOpResult;
  static constexpr IsAFunctionTy isaFunction = mlirValueIsAOpResult;
  static constexpr const char *pyClassName = "OpResult";
  using PyConcreteValue::PyConcreteValue;
};

/// An argument of a block.
class PyBlockArgument : public PyConcreteValue<PyBlockArgument> {
public:
  using MlirPythonBuiltin = PyBlockArgument;
  static constexpr IsAFunctionTy isaFunction = mlirValueIsABlockArgument;
  static constexpr const char *pyClassName = "BlockArgument";
  using PyConcreteValue::PyConcreteValue;
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_CONCRETE_H
