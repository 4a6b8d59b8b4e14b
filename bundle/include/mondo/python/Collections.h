//===-- Collections.h - The lists of operations, blocks and values --------===//
//
// Handles of the package's own sequences, which follow changes of the IR and raise
// where an operation or a block is gone.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_COLLECTIONS_H
#define MONDO_PYTHON_COLLECTIONS_H

#include "mondo/python/Casters.h"
#include "mondo/python/Structure.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

namespace support {

/// A part of a sequence: `length` entries from `start` on; all of them for a length of -1.
inline nanobind::object slice(nanobind::object sequence, intptr_t start, intptr_t length,
                              intptr_t step) {
  if (start == 0 && length == -1 && step == 1)
    return sequence;
  nanobind::object end = nanobind::none();
  // A negative end would be counted from the other side.
  if (length != -1 && start + length * step >= 0)
    end = nanobind::int_(start + length * step);
  nanobind::handle cls(reinterpret_cast<PyObject *>(&PySlice_Type));
  return sequence[cls(start, end, step)];
}

/// A sequence of `ElementTy`, of the Python class `DerivedTy::pyClassName`.
template <typename DerivedTy, typename ElementTy>
class Sequence : public ObjectHandle<DerivedTy> {
public:
  using typename ObjectHandle<DerivedTy>::OfObject;
  using SliceableT = Sequence;

  intptr_t size() { return static_cast<intptr_t>(nanobind::len(this->object)); }
  /// Counts from the end if the index is negative; raises an IndexError.
  ElementTy getElement(intptr_t index) {
    return nanobind::cast<ElementTy>(nanobind::object(this->object[index]));
  }
  /// The elements of both.
  std::vector<ElementTy> dunderAdd(DerivedTy &other) {
    std::vector<ElementTy> all;
    for (intptr_t index = 0, count = size(); index < count; ++index)
      all.push_back(getElement(index));
    for (intptr_t index = 0, count = other.size(); index < count; ++index)
      all.push_back(other.getElement(index));
    return all;
  }

protected:
  explicit Sequence(OfObject of) : ObjectHandle<DerivedTy>(std::move(of)) {}
  Sequence(nanobind::object whole, intptr_t start, intptr_t length, intptr_t step)
      : ObjectHandle<DerivedTy>(OfObject{slice(std::move(whole), start, length, step)}) {}
};

} // namespace support

// A sequence that an operation has in an attribute.
#define MONDO_PYTHON_SEQUENCE(CLASS, NAME, ELEMENT, ATTRIBUTE, MORE)                              \
  class CLASS : public support::Sequence<CLASS, ELEMENT> {                                        \
  public:                                                                                         \
    static constexpr const char *pyClassName = NAME;                                              \
    explicit CLASS(OfObject of) : Sequence(std::move(of)) {}                                      \
    CLASS(PyOperationRef operation, intptr_t startIndex = 0, intptr_t length = -1,                \
          intptr_t step = 1)                                                                      \
        : Sequence(operation.getObject().attr(ATTRIBUTE), startIndex, length, step) {}            \
    MORE                                                                                          \
  };

MONDO_PYTHON_SEQUENCE(PyRegionList, "RegionSequence", PyRegion, "regions", )
MONDO_PYTHON_SEQUENCE(PyOpResultList, "OpResultList", PyOpResult, "results",
                      PyOperationRef &getOperation() {
                        owner = support::operationOf(nanobind::object(object.attr("owner")));
                        return *owner;
                      }

                    private:
                      std::optional<PyOperationRef> owner;)
MONDO_PYTHON_SEQUENCE(PyOpOperandList, "OpOperandList", PyValue, "operands",
                      void dunderSetItem(intptr_t index, PyValue value) {
                        object.attr("__setitem__")(index, nanobind::cast(value));
                      })
MONDO_PYTHON_SEQUENCE(PyOpSuccessors, "OpSuccessors", PyBlock, "successors",
                      void dunderSetItem(intptr_t index, PyBlock block) {
                        object.attr("__setitem__")(index, block.toPython());
                      })

#undef MONDO_PYTHON_SEQUENCE

/// The arguments of a block.
class PyBlockArgumentList : public support::Sequence<PyBlockArgumentList, PyBlockArgument> {
public:
  static constexpr const char *pyClassName = "BlockArgumentList";
  explicit PyBlockArgumentList(OfObject of) : Sequence(std::move(of)) {}
  PyBlockArgumentList(PyOperationRef operation, MlirBlock block, intptr_t startIndex = 0,
                      intptr_t length = -1, intptr_t step = 1)
      : Sequence(PyBlock(std::move(operation), block).toPython().attr("arguments"), startIndex,
                 length, step) {}
};

// The blocks that control may go to from a block, or come from.
#define MONDO_PYTHON_NEIGHBOURS(CLASS, NAME, ATTRIBUTE)                                           \
  class CLASS : public support::Sequence<CLASS, PyBlock> {                                        \
  public:                                                                                         \
    static constexpr const char *pyClassName = NAME;                                              \
    explicit CLASS(OfObject of) : Sequence(std::move(of)) {}                                      \
    CLASS(PyBlock block, PyOperationRef /*operation*/, intptr_t startIndex = 0,                   \
          intptr_t length = -1, intptr_t step = 1)                                                \
        : Sequence(block.toPython().attr(ATTRIBUTE), startIndex, length, step) {}                 \
  };

MONDO_PYTHON_NEIGHBOURS(PyBlockSuccessors, "BlockSuccessors", "successors")
MONDO_PYTHON_NEIGHBOURS(PyBlockPredecessors, "BlockPredecessors", "predecessors")

#undef MONDO_PYTHON_NEIGHBOURS

/// The blocks of a region.
class PyBlockList : public support::ObjectHandle<PyBlockList> {
public:
  static constexpr const char *pyClassName = "BlockList";
  explicit PyBlockList(OfObject of) : ObjectHandle(std::move(of)) {}
  PyBlockList(PyOperationRef operation, MlirRegion region)
      : ObjectHandle(OfObject{PyRegion(std::move(operation), region).toPython().attr("blocks")}) {}

  intptr_t dunderLen() { return static_cast<intptr_t>(nanobind::len(object)); }
  PyBlock dunderGetItem(intptr_t index) {
    return nanobind::cast<PyBlock>(nanobind::object(object[index]));
  }
  PyBlock appendBlock(const nanobind::args &pyArgTypes,
                      const std::optional<nanobind::sequence> &pyArgLocs) {
    return nanobind::cast<PyBlock>(nanobind::object(object.attr("append")(
        *pyArgTypes, nanobind::arg("arg_locs") = support::orNone(pyArgLocs))));
  }
};

/// The operations of a block.
class PyOperationList : public support::ObjectHandle<PyOperationList> {
public:
  static constexpr const char *pyClassName = "OperationList";
  explicit PyOperationList(OfObject of) : ObjectHandle(std::move(of)) {}
  PyOperationList(PyOperationRef parentOperation, MlirBlock block)
      : ObjectHandle(
            OfObject{PyBlock(std::move(parentOperation), block).toPython().attr("operations")}) {}

  intptr_t dunderLen() { return static_cast<intptr_t>(nanobind::len(object)); }
  nanobind::typed<nanobind::object, PyOpView> dunderGetItem(intptr_t index) {
    return nanobind::object(object[index]);
  }
};

/// A use of a value.
class PyOpOperand : public support::ObjectHandle<PyOpOperand> {
public:
  static constexpr const char *pyClassName = "OpOperand";
  explicit PyOpOperand(OfObject of) : ObjectHandle(std::move(of)) {}
  PyOpOperand(MlirOpOperand opOperand) : ObjectHandle(OfObject{find(opOperand)}) {}

  nanobind::typed<nanobind::object, PyOpView> getOwner() const {
    return nanobind::object(object.attr("owner"));
  }
  size_t getOperandNumber() const {
    return nanobind::cast<size_t>(object.attr("operand_number"));
  }

private:
  /// The C API has no capsule for a use: it is found among those of its value.
  static nanobind::object find(MlirOpOperand use) {
    MlirOperation owner = mlirOpOperandGetOwner(use);
    unsigned number = mlirOpOperandGetOperandNumber(use);
    nanobind::object operation =
        PyOperation::forOperation(PyMlirContext::forContext(mlirOperationGetContext(owner)), owner)
            .getObject();
    nanobind::object value = operation.attr("operands")[number];
    for (nanobind::handle each : value.attr("uses"))
      if (nanobind::cast<unsigned>(each.attr("operand_number")) == number &&
          each.attr("owner").attr("operation").is(operation))
        return nanobind::borrow(each);
    throw nanobind::value_error("the use is not one of its value");
  }
};

/// The attributes of an operation, by name and by place.
class PyOpAttributeMap : public support::ObjectHandle<PyOpAttributeMap> {
public:
  static constexpr const char *pyClassName = "OpAttributeMap";
  explicit PyOpAttributeMap(OfObject of) : ObjectHandle(std::move(of)) {}
  PyOpAttributeMap(PyOperationRef operation)
      : ObjectHandle(OfObject{operation.getObject().attr("attributes")}) {}

  nanobind::typed<nanobind::object, PyAttribute> dunderGetItemNamed(const std::string &name) {
    return nanobind::object(object[name.c_str()]);
  }
  PyNamedAttribute dunderGetItemIndexed(intptr_t index) {
    // A mapping, which counts by `__getitem__` alone.
    return std::move(*PyNamedAttribute::fromPython(
        nanobind::object(object[nanobind::int_(index)])));
  }
  nanobind::typed<nanobind::object, std::optional<PyAttribute>>
  get(const std::string &key, nanobind::object defaultValue) {
    return object.attr("get")(key, support::orNone(defaultValue));
  }
  void dunderSetItem(const std::string &name, const PyAttribute &attr) {
    object.attr("__setitem__")(name, nanobind::cast(attr));
  }
  void dunderDelItem(const std::string &name) { object.attr("__delitem__")(name); }
  intptr_t dunderLen() { return static_cast<intptr_t>(nanobind::len(object)); }
  bool dunderContains(const std::string &name) {
    return nanobind::cast<bool>(object.attr("__contains__")(name));
  }

  /// Calls a function with each attribute; it must not change them.
  static void forEachAttr(MlirOperation operation,
                          llvm::function_ref<void(MlirStringRef, MlirAttribute)> function) {
    for (intptr_t index = 0; index < mlirOperationGetNumAttributes(operation); ++index) {
      MlirNamedAttribute named = mlirOperationGetAttribute(operation, index);
      function(mlirIdentifierStr(named.name), named.attribute);
    }
  }
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

// nanobind has a caster for each `std::vector`, which only one for a class itself overrides.
#define MONDO_PYTHON_POINTER_LIST(CLASS)                                                          \
  template <>                                                                                     \
  struct nanobind::detail::type_caster<                                                           \
      std::vector<mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::CLASS *>>                            \
      : mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::support::PointerListCaster<                    \
            mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN::CLASS> {};

MONDO_PYTHON_POINTER_LIST(PyType)
MONDO_PYTHON_POINTER_LIST(PyAttribute)
MONDO_PYTHON_POINTER_LIST(PyValue)
MONDO_PYTHON_POINTER_LIST(PyLocation)
MONDO_PYTHON_POINTER_LIST(PyBlock)
MONDO_PYTHON_POINTER_LIST(PyRegion)
MONDO_PYTHON_POINTER_LIST(PyOperation)
MONDO_PYTHON_POINTER_LIST(PyOperationBase)

#undef MONDO_PYTHON_POINTER_LIST

#endif // MONDO_PYTHON_COLLECTIONS_H
