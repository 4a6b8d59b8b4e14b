//===-- FxpOperations.cpp - Operations made and looked at over IRCore.h ---===//
//
// These functions create operations and blocks, print them, and go through their
// parts with the classes of MLIR's `IRCore.h`. They are an example for extensions,
// and the tests call them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Bindings/Python/IRAttributes.h"
#include "mlir/Bindings/Python/IRCore.h"

namespace nb = nanobind;

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {
namespace fxp {

static std::vector<MlirValue> rawValues(const std::vector<PyValue *> &values) {
  std::vector<MlirValue> raw;
  for (PyValue *value : values)
    raw.push_back(value ? value->get() : MlirValue{nullptr});
  return raw;
}

static void addCreation(nb::module_ &m) {
  m.def(
      "create",
      [](std::string_view name, std::optional<std::vector<PyType *>> results,
         const std::vector<PyValue *> &operands, std::optional<nb::dict> attributes,
         std::optional<std::vector<PyBlock *>> successors, int regions, DefaultingPyLocation loc,
         const nb::object &ip, bool inferType) {
        return PyOperation::create(name, results, rawValues(operands), attributes, successors,
                                   regions, *loc.get(), ip, inferType);
      },
      nb::arg("name"), nb::arg("results") = nb::none(),
      nb::arg("operands") = std::vector<PyValue *>(), nb::arg("attributes") = nb::none(),
      nb::arg("successors") = nb::none(), nb::arg("regions") = 0,
      nb::arg("loc").none() = nb::none(), nb::arg("ip").none() = nb::none(),
      nb::arg("infer_type") = false);
  // Returns the Python object of an operation, looked up by the operation's C API handle.
  m.def("object_of", [](PyOperation &operation) {
    MlirOperation raw = operation.get();
    return PyOperation::forOperation(operation.getContext(), raw).getObject();
  });
  // Returns whether a value has a use while an operation that uses it is kept, and whether it has one
  // after the operation is dropped.
  m.def(
      "create_and_drop",
      [](PyValue &operand, DefaultingPyLocation loc) {
        MlirValue raw = operand.get();
        auto used = [raw] { return !mlirOpOperandIsNull(mlirValueGetFirstUse(raw)); };
        nb::object made = PyOperation::create("test.use", std::nullopt, raw, std::nullopt,
                                              std::nullopt, 0, *loc.get(), nb::bool_(false), false);
        bool before = used();
        made.reset();
        return std::make_pair(before, used());
      },
      nb::arg("operand"), nb::arg("loc").none() = nb::none());
  m.def(
      "build_generic",
      [](std::string_view name, std::tuple<int, bool> regionSpec, nb::object operandSpec,
         nb::object resultSpec, std::optional<nb::list> results, nb::list operands,
         std::optional<nb::dict> attributes, std::optional<int> regions, DefaultingPyLocation loc,
         const nb::object &ip) {
        return PyOpView::buildGeneric(name, regionSpec, operandSpec, resultSpec, results, operands,
                                      attributes, std::nullopt, regions, *loc.get(), ip);
      },
      nb::arg("name"), nb::arg("region_spec"), nb::arg("operand_spec") = nb::none(),
      nb::arg("result_spec") = nb::none(), nb::arg("results") = nb::none(),
      nb::arg("operands") = nb::list(), nb::arg("attributes") = nb::none(),
      nb::arg("regions") = nb::none(), nb::arg("loc").none() = nb::none(),
      nb::arg("ip").none() = nb::none());
  m.def("construct", [](const nb::object &cls, const nb::object &operation) {
    return PyOpView::constructDerived(cls, operation);
  });
  m.def("append_block",
        [](PyRegion &region, const nb::sequence &types, std::optional<nb::sequence> locs) {
          MlirBlock block = createBlock(types, locs);
          mlirRegionAppendOwnedBlock(region, block);
          return PyBlock(region.getParentOperation(), block);
        },
        nb::arg("region"), nb::arg("types"), nb::arg("locs") = nb::none());
  // Code that was written for upstream's handles tells them whether they are in a block. These two
  // functions do the same.
  m.def("append_by_c", [](PyBlock &block, PyOperation &operation) {
    mlirBlockAppendOwnedOperation(block.get(), operation.get());
    operation.setAttached(block.getParentOperation().getObject());
  });
  m.def("remove_by_c", [](PyOperation &operation) {
    mlirOperationRemoveFromParent(operation.get());
    operation.setDetached();
  });
}

/// Keeps an operation over calls.
struct Kept {
  PyOperationRef operation;
};

static void addOwnership(nb::module_ &m) {
  nb::class_<Kept>(m, "Kept")
      .def("__init__",
           [](Kept *self, PyOperation &operation) { new (self) Kept{operation.getRef()}; })
      .def("name",
           [](Kept &self) {
             MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(self.operation->get()));
             return std::string(name.data, name.length);
           })
      .def("object", [](Kept &self) { return self.operation.getObject(); })
      .def("erase", [](Kept &self) { self.operation->erase(); })
      .def("invalidate", [](Kept &self) { self.operation->setInvalid(); });
}

static void addPrinting(nb::module_ &m) {
  m.def("generic_form", [](PyOperationBase &base, bool binary) {
    return base.getAsm(binary, std::nullopt, std::nullopt, false, false, true, false, false, false,
                       false);
  }, nb::arg("operation"), nb::arg("binary") = false);
  m.def("print_to", [](PyOperationBase &base, nb::object file, bool skipRegions) {
    base.print(std::nullopt, std::nullopt, false, false, false, false, false, false, file, false,
               skipRegions);
  }, nb::arg("operation"), nb::arg("file"), nb::arg("skip_regions") = false);
  m.def("print_named_in", [](PyOperationBase &base, PyOperationBase &names, nb::object file) {
    PyAsmState state(names, /*useLocalScope=*/false);
    base.print(state, file, /*binary=*/false);
  });
  m.def("name_of_value", [](PyValue &value) {
    PyAsmState state(value.get(), /*useLocalScope=*/false);
    PyPrintAccumulator text;
    mlirValuePrintAsOperand(value.get(), state.get(), text.getCallback(), text.getUserData());
    return text.join();
  });
  // The messages of the notes of the errors that a function emits.
  m.def("notes_of", [](nb::callable emit, DefaultingPyMlirContext context) {
    nb::list messages;
    MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(
        context->get(),
        [](MlirDiagnostic raw, void *data) {
          PyDiagnostic diagnostic = raw;
          for (nb::handle note : diagnostic.getNotes())
            static_cast<nb::list *>(data)->append(note.attr("message"));
          return mlirLogicalResultSuccess();
        },
        &messages, nullptr);
    try {
      emit();
    } catch (nb::python_error &) {
      mlirContextDetachDiagnosticHandler(context->get(), handler);
      throw;
    }
    mlirContextDetachDiagnosticHandler(context->get(), handler);
    return messages;
  }, nb::arg("emit"), nb::arg("context").none() = nb::none());
}

/// The results of an operation whose names are of no interest: a sequence of the extension's own.
class Results : public Sliceable<Results, PyOpResult> {
public:
  static constexpr const char *pyClassName = "Results";
  explicit Results(PyOperationRef operation, intptr_t start = 0, intptr_t length = -1,
                   intptr_t step = 1)
      : Sliceable(start, length == -1 ? mlirOperationGetNumResults(operation->get()) : length,
                  step),
        operation(std::move(operation)) {}

  static void bindDerived(ClassTy &c) {
    c.def("__init__",
          [](Results *self, PyOperation &operation) { new (self) Results(operation.getRef()); });
    c.def("operation", [](Results &self) { return self.operation.getObject(); });
  }

private:
  friend class Sliceable<Results, PyOpResult>;
  intptr_t getRawNumElements() { return mlirOperationGetNumResults(operation->get()); }
  PyOpResult getRawElement(intptr_t index) {
    return PyOpResult(operation, mlirOperationGetResult(operation->get(), index));
  }
  Results slice(intptr_t start, intptr_t length, intptr_t step) {
    return Results(operation, start, length, step);
  }

  PyOperationRef operation;
};

static void addCollections(nb::module_ &m) {
  Results::bind(m);
  // Every other part, from the second on.
  m.def("odd_results", [](PyOperation &operation) {
    intptr_t count = mlirOperationGetNumResults(operation.get());
    return PyOpResultList(operation.getRef(), 1, count / 2, 2);
  });
  m.def("reversed_operands", [](PyOperation &operation) {
    intptr_t count = mlirOperationGetNumOperands(operation.get());
    return PyOpOperandList(operation.getRef(), count - 1, count, -1);
  });
  m.def("operands_of", [](PyOperation &operation) { return PyOpOperandList(operation.getRef()); });
  m.def("result_at", [](PyOpResultList &results, intptr_t index) {
    return results.getElement(index);
  });
  m.def("results_of_both", [](PyOpResultList &first, PyOpResultList &second) {
    return first.dunderAdd(second);
  });
  m.def("owner_of_results",
        [](PyOpResultList &results) { return results.getOperation().getObject(); });
  m.def("replace_operand", [](PyOperation &operation, intptr_t index, PyValue value) {
    PyOpOperandList(operation.getRef()).dunderSetItem(index, value);
  });
  m.def("regions_of", [](PyOperation &operation) { return PyRegionList(operation.getRef()); });
  m.def("arguments_of", [](PyBlock &block) {
    return PyBlockArgumentList(block.getParentOperation(), block.get());
  });
  m.def("neighbours", [](PyBlock &block) {
    PyBlockSuccessors next(block, block.getParentOperation());
    PyBlockPredecessors previous(block, block.getParentOperation());
    return std::make_pair(previous.size(), next.size());
  });
  m.def("replace_successor", [](PyOperation &operation, intptr_t index, PyBlock &block) {
    PyOpSuccessors(operation.getRef()).dunderSetItem(index, block);
  });
  m.def("blocks_of", [](PyRegion &region) {
    return PyBlockList(region.getParentOperation(), region);
  });
  m.def("append_to", [](PyBlockList &blocks, nb::args types, nb::object locs) {
    std::optional<nb::sequence> given;
    if (!locs.is_none())
      given = nb::cast<nb::sequence>(locs);
    return blocks.appendBlock(types, given);
  }, nb::arg("blocks"), nb::arg("types"), nb::arg("locs") = nb::none());
  m.def("operations_of", [](PyBlock &block) {
    return PyOperationList(block.getParentOperation(), block.get());
  });
  m.def("first_use", [](PyValue &value) { return PyOpOperand(mlirValueGetFirstUse(value)); });
  m.def("user_of", [](PyOpOperand &use) {
    return std::make_pair(nb::object(use.getOwner()), use.getOperandNumber());
  });
  m.def("attribute_names", [](PyOperation &operation) {
    std::vector<std::string> names;
    PyOpAttributeMap::forEachAttr(operation, [&](MlirStringRef name, MlirAttribute) {
      names.emplace_back(name.data, name.length);
    });
    return names;
  });
  m.def("rename_attribute",
        [](PyOperation &operation, const std::string &from, const std::string &to) {
          PyOpAttributeMap attributes(operation.getRef());
          attributes.dunderSetItem(
              to, nb::cast<PyAttribute>(nb::object(attributes.dunderGetItemNamed(from))));
          attributes.dunderDelItem(from);
          return std::make_pair(attributes.dunderContains(from), attributes.dunderLen());
        });
  m.def("attribute_at", [](PyOperation &operation, intptr_t index) {
    return PyOpAttributeMap(operation.getRef()).dunderGetItemIndexed(index);
  });
  m.def("attribute_or", [](PyOperation &operation, const std::string &name, nb::object other) {
    return PyOpAttributeMap(operation.getRef()).get(name, other);
  }, nb::arg("operation"), nb::arg("name"), nb::arg("other").none() = nb::none());
}

static void addAttributes(nb::module_ &m) {
  m.def("array_at", [](PyArrayAttribute &array, intptr_t index) {
    return PyAttribute(array.getContext(), array.getItem(index)).maybeDownCast();
  });
  m.def("number_at", [](PyDenseI64ArrayAttribute &array, intptr_t index) {
    return array.getItem(index);
  });
  m.def("number_at", [](PyDenseBoolArrayAttribute &array, intptr_t index) {
    return array.getItem(index);
  });
  m.def("path", [](const std::vector<std::string> &symbols, DefaultingPyMlirContext context) {
    return PySymbolRefAttribute::fromList(symbols, *context.get());
  }, nb::arg("symbols"), nb::arg("context").none() = nb::none());
  m.def("splat", [](const PyType &type, PyAttribute &element) {
    return PyDenseElementsAttribute::getSplat(type, element);
  });
  m.def("elements", [](const nb::list &of, std::optional<PyType> type,
                       DefaultingPyMlirContext context) {
    return PyDenseElementsAttribute::getFromList(of, type, context);
  }, nb::arg("of"), nb::arg("type") = nb::none(), nb::arg("context").none() = nb::none());
  m.def("elements_of_buffer", [](const nb_buffer &buffer, DefaultingPyMlirContext context) {
    return PyDenseElementsAttribute::getFromBuffer(buffer, true, std::nullopt, std::nullopt,
                                                   context);
  }, nb::arg("buffer"), nb::arg("context").none() = nb::none());
  m.def("resource", [](const nb_buffer &buffer, const PyType &type,
                       DefaultingPyMlirContext context) {
    return PyDenseResourceElementsAttribute::getFromBuffer(buffer, "it", type, std::nullopt, false,
                                                           context);
  }, nb::arg("buffer"), nb::arg("type"), nb::arg("context").none() = nb::none());
  m.def("element_at", [](PyDenseIntElementsAttribute &elements, intptr_t index) {
    return elements.dunderGetItem(index);
  });
  m.def("element_at", [](PyDenseFPElementsAttribute &elements, intptr_t index) {
    return elements.dunderGetItem(index);
  });
  m.def("count", [](PyDenseElementsAttribute &elements) { return elements.dunderLen(); });
  m.def("count", [](PyDictAttribute &dict) { return dict.dunderLen(); });
  m.def("has", [](PyDictAttribute &dict, const std::string &name) {
    return dict.dunderContains(name);
  });
  m.def("strings", [](nb::list objects) {
    std::vector<std::string> strings;
    for (auto [index, object] : llvm::enumerate(objects))
      strings.push_back(std::to_string(index) + pyTryCast<std::string>(object));
    return strings;
  });
}

static void addGlobals(nb::module_ &m) {
  m.def("current", []() -> nb::tuple {
    auto context = PyThreadContextEntry::getDefaultContext();
    auto ip = PyThreadContextEntry::getDefaultInsertionPoint();
    auto loc = PyThreadContextEntry::getDefaultLocation();
    return nb::make_tuple(context ? context->getObject() : nb::none(),
                          ip ? ip->toPython() : nb::none(),
                          loc != nullptr ? loc->toPython() : nb::none());
  });
  m.def("insert_at_current", [](PyOperationBase &operation) {
    auto ip = PyThreadContextEntry::getDefaultInsertionPoint();
    if (!ip)
      throw nb::value_error("there is no current insertion point");
    ip->insert(operation);
  });
  m.def("build_attribute", [](const std::string &kind, nb::object value, PyMlirContext &context) {
    return PyAttrBuilderMap::dunderGetItemNamed(kind)(value, context.getObject());
  });
  m.def("set_builder", [](const std::string &kind, nb::callable function, bool replace) {
    PyAttrBuilderMap::dunderSetItemNamed(kind, function, replace);
    return PyAttrBuilderMap::dunderContains(kind);
  });
  m.def("debug_flag", [](bool enable) {
    nb::object none = nb::none();
    bool before = PyGlobalDebugFlag::get(none);
    PyGlobalDebugFlag::set(none, enable);
    bool during = PyGlobalDebugFlag::get(none);
    PyGlobalDebugFlag::set(none, before);
    return during;
  });
  // None among operations is null.
  m.def("nulls", [](const std::vector<PyOperationBase *> &operations) {
    return std::count(operations.begin(), operations.end(), nullptr);
  });
  m.def("same_types", [](std::vector<PyType *> types) { return types; });
  m.def("cast_pointers",
        [](nb::object types) { return nb::cast<std::vector<PyType *>>(types).size(); });
}

void addOperationFunctions(nb::module_ &m) {
  addCreation(m);
  addOwnership(m);
  addPrinting(m);
  addCollections(m);
  addAttributes(m);
  addGlobals(m);
}

} // namespace fxp
} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir
