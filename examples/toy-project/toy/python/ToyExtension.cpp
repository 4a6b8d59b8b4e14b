#include "toy-c/Dialects.h"

#include "mlir/Bindings/Python/Nanobind.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

namespace nb = nanobind;
using namespace mlir::python::nanobind_adaptors;

NB_MODULE(_toy, m) {
  auto type = mlir_type_subclass(m, "StructType", mlirTypeIsAToyStruct,
                                 mlirToyStructTypeGetTypeID);
  type.def_classmethod(
      "get",
      [](const nb::object &cls, const std::vector<MlirType> &fields, MlirContext context) {
        if (fields.empty())
          throw nb::value_error("a struct has at least one field");
        return cls(mlirToyStructTypeGet(context, fields.size(), fields.data()));
      },
      nb::arg("cls"), nb::arg("fields"), nb::arg("context") = nb::none());
  type.def_property_readonly("fields", [](MlirType self) {
    std::vector<MlirType> fields;
    for (intptr_t i = 0, count = mlirToyStructTypeGetNumFields(self); i < count; ++i)
      fields.push_back(mlirToyStructTypeGetField(self, i));
    return fields;
  });
  m.def("count_parts", [](MlirOperation operation) { return mlirToyCountParts(operation); });
}
