//===-- FxpModule.cpp - Python classes of the fixed-point dialect ---------===//
//
// As any downstream project writes it: the dialect's C API and MLIR's adaptors
// for nanobind, nothing of MLIR's C++. The dialect itself is in the library that
// this extension needs at run time, where there is one of it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fxp-c/Fxp.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/IR.h"
#include "mlir/Bindings/Python/Diagnostics.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace mlir::python::nanobind_adaptors;

/// The low 64 bits of an integer that the type has; others are a ValueError.
static uint64_t rawBits(MlirType type, const nb::int_ &raw) {
  unsigned width = mlirFxpNumTypeGetWidth(type);
  nb::object one = nb::int_(1);
  nb::object range = one << nb::int_(mlirFxpNumTypeIsSigned(type) ? width - 1 : width);
  nb::object least = mlirFxpNumTypeIsSigned(type) ? -range : nb::object(nb::int_(0));
  if (raw < least || raw >= range)
    throw nb::value_error(nb::str("the raw integer {} is not in range({}, {})")
                              .format(raw, least, range)
                              .c_str());
  return nb::cast<uint64_t>(raw & ((one << nb::int_(64)) - one));
}

/// The number as a fraction, which has every number exactly.
static nb::object fraction(MlirAttribute value) {
  MlirType type = mlirFxpValueAttrGetNumType(value);
  int64_t raw = mlirFxpValueAttrGetRaw(value);
  nb::object numerator = mlirFxpNumTypeIsSigned(type) ? nb::int_(raw) : nb::int_(uint64_t(raw));
  nb::object denominator = nb::int_(1) << nb::int_(mlirFxpNumTypeGetFrac(type));
  return nb::module_::import_("fractions").attr("Fraction")(numerator, denominator);
}

static void addNumType(nb::module_ &m) {
  mlir_type_subclass(m, "NumType", mlirTypeIsAFxpNum, mlirFxpNumTypeGetTypeID)
      .def_classmethod(
          "get",
          [](const nb::object &cls, unsigned width, unsigned frac, bool isSigned,
             MlirContext context) {
            mlir::python::CollectDiagnosticsToStringScope scope(context);
            MlirType type = mlirFxpNumTypeGetChecked(mlirLocationUnknownGet(context), width, frac,
                                                     isSigned);
            if (mlirTypeIsNull(type))
              throw nb::value_error(scope.takeMessage().c_str());
            return cls(type);
          },
          "The type of numbers of `width` bits, `frac` of them behind the point.",
          nb::arg("cls"), nb::arg("width"), nb::arg("frac"), nb::arg("signed") = true,
          nb::arg("context") = nb::none())
      .def_property_readonly("width", mlirFxpNumTypeGetWidth, "How many bits a number has in all.")
      .def_property_readonly("frac", mlirFxpNumTypeGetFrac,
                             "How many of them are behind the binary point.")
      .def_property_readonly("signed", mlirFxpNumTypeIsSigned, "Whether numbers have a sign.");
}

static void addValueAttr(nb::module_ &m) {
  mlir_attribute_subclass(m, "ValueAttr", mlirAttributeIsAFxpValue, mlirFxpValueAttrGetTypeID)
      .def_classmethod(
          "get",
          [](const nb::object &cls, MlirType type, const nb::int_ &raw) {
            MlirContext context = mlirTypeGetContext(type);
            // The element type of vectors and tensors is asked of a constant of
            // them, which zero is for every one; what can have none is refused.
            mlir::python::CollectDiagnosticsToStringScope scope(context);
            MlirLocation loc = mlirLocationUnknownGet(context);
            MlirAttribute zero = mlirFxpValueAttrGetChecked(loc, type, 0);
            if (mlirAttributeIsNull(zero))
              throw nb::value_error(scope.takeMessage().c_str());
            uint64_t bits = rawBits(mlirFxpValueAttrGetNumType(zero), raw);
            return cls(mlirFxpValueAttrGetChecked(loc, type, bits));
          },
          "The constant of a number type, or of a vector or tensor of it, with this raw integer.",
          nb::arg("cls"), nb::arg("type"), nb::arg("raw"))
      .def_property_readonly(
          "raw",
          [](MlirAttribute self) -> nb::int_ {
            int64_t raw = mlirFxpValueAttrGetRaw(self);
            if (mlirFxpNumTypeIsSigned(mlirFxpValueAttrGetNumType(self)))
              return nb::int_(raw);
            return nb::int_(static_cast<uint64_t>(raw));
          },
          "The raw integer.")
      .def_property_readonly("value", fraction, "The number, as a `fractions.Fraction`.")
      .def_property_readonly("num_type", mlirFxpValueAttrGetNumType,
                             "The type of the number, or of the elements that it is the value of.");
}

NB_MODULE(_fxp, m) {
  m.doc() = "Types, attributes and registration of the fixed-point dialect.";
  m.def(
      "register_dialect",
      [](MlirContext context, bool load) {
        MlirDialectHandle handle = mlirGetDialectHandle__fxp__();
        mlirDialectHandleRegisterDialect(handle, context);
        if (load)
          mlirDialectHandleLoadDialect(handle, context);
      },
      "Makes the dialect known to a context.", nb::arg("context") = nb::none(),
      nb::arg("load") = true);
  m.def("register_passes", mlirRegisterFxpPasses, "Makes the dialect's passes known by name.");
  addNumType(m);
  addValueAttr(m);
}
