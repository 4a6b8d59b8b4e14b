//===-- FxpClasses.cpp - Fixed-point classes over IRCore.h ----------------===//
//
// The dialect's classes once more, as a project writes them that uses MLIR's
// `IRCore.h` (LLVM 22 and later) in place of `NanobindAdaptors.h`, and functions
// that take each kind of handle.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fxp-c/Fxp.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir/Bindings/Python/IRAttributes.h"
#include "mlir/Bindings/Python/IRCore.h"
#include "mlir/Bindings/Python/IRTypes.h"

namespace nb = nanobind;

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {
namespace fxp {

struct PyNumType : PyConcreteType<PyNumType> {
  static constexpr IsAFunctionTy isaFunction = mlirTypeIsAFxpNum;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction = mlirFxpNumTypeGetTypeID;
  static constexpr const char *pyClassName = "NumType";
  static inline const MlirStringRef name = mlirStringRefCreateFromCString("fxp.num");
  using PyConcreteType::PyConcreteType;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](unsigned width, unsigned frac, bool isSigned, DefaultingPyLocation loc) {
          PyMlirContext::ErrorCapture errors(loc->getContext());
          MlirType type = mlirFxpNumTypeGetChecked(loc, width, frac, isSigned);
          if (mlirTypeIsNull(type))
            throw MLIRError("Invalid type", errors.take());
          return PyNumType(loc->getContext(), type);
        },
        "The type of numbers of `width` bits, `frac` of them behind the point.", nb::arg("width"),
        nb::arg("frac"), nb::arg("signed") = true, nb::arg("loc").none() = nb::none());
    c.def_prop_ro("width", [](PyNumType &self) { return mlirFxpNumTypeGetWidth(self); },
                  "How many bits a number has in all.");
    c.def_prop_ro("frac", [](const PyNumType &self) { return mlirFxpNumTypeGetFrac(self.get()); });
    // Overloads: a number of bits, or another type's.
    c.def("is_wider", [](PyNumType &self, unsigned width) {
      return mlirFxpNumTypeGetWidth(self) > width;
    });
    c.def("is_wider", [](PyNumType &self, PyNumType other) {
      return mlirFxpNumTypeGetWidth(self) > mlirFxpNumTypeGetWidth(other);
    });
  }
};

static bool isNumTensor(MlirType type) {
  return mlirTypeIsARankedTensor(type) &&
         mlirTypeIsAFxpNum(mlirShapedTypeGetElementType(type));
}

/// Derived from a class of the package, whose static method has the same name.
struct PyNumTensorType : PyConcreteType<PyNumTensorType, PyRankedTensorType> {
  static constexpr IsAFunctionTy isaFunction = isNumTensor;
  static constexpr const char *pyClassName = "NumTensorType";
  using PyConcreteType::PyConcreteType;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](std::vector<int64_t> shape, PyNumType &element) {
          return PyNumTensorType(element.getContext(),
                                 mlirRankedTensorTypeGet(shape.size(), shape.data(), element,
                                                         mlirAttributeGetNull()));
        },
        nb::arg("shape"), nb::arg("element"));
    c.def_prop_ro("num_type", [](PyNumTensorType &self) {
      return PyNumType(self.getContext(), mlirShapedTypeGetElementType(self));
    });
  }
};

class PyValueAttr : public PyConcreteAttribute<PyValueAttr> {
public:
  static constexpr IsAFunctionTy isaFunction = mlirAttributeIsAFxpValue;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction = mlirFxpValueAttrGetTypeID;
  static constexpr const char *pyClassName = "ValueAttr";
  using PyConcreteAttribute::PyConcreteAttribute;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](PyType &type, int64_t raw) {
          MlirLocation loc = mlirLocationUnknownGet(type.getContext()->get());
          return PyValueAttr(type.getContext(), mlirFxpValueAttrGetChecked(loc, type, raw));
        },
        nb::arg("type"), nb::arg("raw"));
    c.def_prop_ro("raw", [](PyValueAttr &self) { return mlirFxpValueAttrGetRaw(self); });
    c.def("__int__", [](PyValueAttr &self) { return mlirFxpValueAttrGetRaw(self); });
  }
};

static bool isNumValue(MlirValue value) { return mlirTypeIsAFxpNum(mlirValueGetType(value)); }

struct PyNumValue : PyConcreteValue<PyNumValue> {
  static constexpr IsAFunctionTy isaFunction = isNumValue;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction = mlirFxpNumTypeGetTypeID;
  static constexpr const char *pyClassName = "NumValue";
  using PyConcreteValue::PyConcreteValue;

  static void bindDerived(ClassTy &c) {
    c.def_prop_ro("num_type", [](PyNumValue &self) {
      return PyNumType(self.getParentOperation()->getContext(), mlirValueGetType(self.get()));
    });
    c.def("owner_name", [](PyNumValue &self) {
      MlirStringRef name =
          mlirIdentifierStr(mlirOperationGetName(self.getParentOperation()->get()));
      return std::string(name.data, name.length);
    });
  }
};

static void addContexts(nb::module_ &m) {
  m.def("context", [](DefaultingPyMlirContext context) { return context->getRef(); },
        nb::arg("context").none() = nb::none());
  m.def("location", [](DefaultingPyLocation loc) { return *loc.get(); },
        nb::arg("loc").none() = nb::none());
  m.def("context_of", [](PyType &type) { return type.getContext().getObject(); });
}

static void addOperations(nb::module_ &m) {
  m.def("name_of", [](PyOperationBase &base) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(base.getOperation().get()));
    return std::string(name.data, name.length);
  });
  m.def("parent_of", [](PyOperation &operation) { return operation.getParentOperation(); });
  m.def("block_of", [](PyOperationBase &base) { return base.getOperation().getBlock(); });
  m.def("view_of", [](PyOperation &operation) { return operation.createOpView(); });
  m.def("region_of_block", [](PyBlock &block) {
    return PyRegion(block.getParentOperation(), mlirBlockGetParentRegion(block.get()));
  });
  m.def("blocks_in", [](PyRegion &region) {
    int count = 0;
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      ++count;
    return count;
  });
  m.def("move_to_begin", [](PyOperationBase &base, PyBlock &block) {
    base.getOperation().detachFromParent();
    PyInsertionPoint::atBlockBegin(block).insert(base);
  });
  m.def("names_in", [](PyOperationBase &base) {
    std::vector<std::string> names;
    base.walk(
        [&](MlirOperation operation) {
          MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
          names.emplace_back(name.data, name.length);
          return PyWalkResult::Advance;
        },
        PyWalkOrder::PreOrder);
    return names;
  });
  m.def("parse", [](const std::string &source, DefaultingPyMlirContext context) {
    return PyOperation::parse(context->getRef(), source, "here");
  }, nb::arg("source"), nb::arg("context").none() = nb::none());
  m.def("body_of", [](PyModule &module) {
    return PyOperation::forOperation(module.getContext(), mlirModuleGetOperation(module.get()));
  });
  m.def("symbol", [](PyOperationBase &base, const std::string &name) {
    return PySymbolTable(base).dunderGetItem(name);
  });
  m.def("symbol_name", [](PyOperationBase &base) { return PySymbolTable::getSymbolName(base); });
}

static void addOthers(nb::module_ &m) {
  m.def("doubled", [](PyAffineExpr &expr) { return expr.add(expr); });
  m.def("results_of", [](PyAffineMap &map) { return mlirAffineMapGetNumResults(map); });
  m.def("named", [](PyAttribute &attr) { return PyNamedAttribute(attr, "it"); });
  m.def("widths", [](std::vector<PyNumType> types) {
    std::vector<unsigned> widths;
    for (PyNumType &type : types)
      widths.push_back(mlirFxpNumTypeGetWidth(type));
    return widths;
  });
  m.def("or_none", [](std::optional<PyType> type) { return type; },
        nb::arg("type").none() = nb::none());
  m.def("is_null", [](PyType *type) { return type == nullptr; }, nb::arg("type").none());
  m.def("float_kind", [](const PyF32Type &) { return 32; });
  m.def("float_kind", [](const PyF64Type &) { return 64; });
  m.def("call", [](nb::callable function, PyNumType &type) {
    try {
      return nb::object(function(type));
    } catch (nb::python_error &error) {
      if (!error.matches(PyExc_KeyError))
        throw;
      return nb::object(nb::str("caught"));
    }
  });
  m.def("fail", [](const std::string &message, PyLocation &loc) {
    std::vector<PyDiagnostic::DiagnosticInfo> errors;
    errors.push_back({PyDiagnosticSeverity::Error, loc, "the reason", {}});
    throw MLIRError(message, std::move(errors));
  });
  m.def("search_prefixes", [] { return PyGlobals::get().getDialectSearchPrefixes(); });
  m.def("has_builder", [](const std::string &kind) {
    return PyGlobals::get().lookupAttributeBuilder(kind).has_value();
  });
  m.def("type_id", [] { return PyTypeID(mlirFxpNumTypeGetTypeID()); });
}

/// In FxpOperations.cpp.
void addOperationFunctions(nb::module_ &m);

} // namespace fxp
} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

NB_MODULE(_fxp_classes, m) {
  using namespace mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::fxp;
  m.doc() = "Types, attributes and values of the fixed-point dialect, over IRCore.h.";
  PyNumType::bind(m);
  PyNumTensorType::bind(m);
  PyValueAttr::bind(m);
  PyNumValue::bind(m);
  addContexts(m);
  addOperations(m);
  addOthers(m);
  addOperationFunctions(m);
}
