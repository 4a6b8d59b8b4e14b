//===-- Structure.h - Blocks, regions, insertion points -------------------===//
//
// Also the symbol table of an operation, the names of its values when printed, and
// the registry of dialects. Operations themselves are in `Operation.h`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_STRUCTURE_H
#define MONDO_PYTHON_STRUCTURE_H

#include "mondo/python/Attributes.h"
#include "mondo/python/Operation.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

namespace support {

/// A Python object of the class `DerivedTy::pyClassName`.
template <typename DerivedTy>
class ObjectHandle {
public:
  using MlirPythonHandle = DerivedTy;

  static nanobind::handle pythonClass() {
    static Lasting cls;
    return cls.get([] { return nanobind::object(ir().attr(DerivedTy::pyClassName)); });
  }
  static std::optional<DerivedTy> fromPython(nanobind::handle object) {
    if (!isInstance(object, pythonClass()))
      return std::nullopt;
    return DerivedTy(OfObject{nanobind::borrow(object)});
  }
  nanobind::object toPython() const { return object; }

  /// Tells the constructor from others that take one object.
  struct OfObject {
    nanobind::object object;
  };

protected:
  explicit ObjectHandle(OfObject of) : object(std::move(of.object)) {}

  nanobind::object object;
};

/// The operation behind an `Operation` or an `OpView`.
inline PyOperationRef operationOf(nanobind::object object) {
  return PyOperationRef(PyOperation::ofObject(nanobind::object(object.attr("operation"))));
}

} // namespace support

/// A block.
class PyBlock : public support::ObjectHandle<PyBlock> {
public:
  static constexpr const char *pyClassName = "Block";

  explicit PyBlock(OfObject of) : ObjectHandle(std::move(of)) {}
  PyBlock(PyOperationRef parentOperation, MlirBlock block)
      : ObjectHandle(
            OfObject{support::fromCapsule(pythonClass(), mlirPythonBlockToCapsule(block))}),
        parent(std::move(parentOperation)) {}

  /// Raises if the block is gone.
  MlirBlock get() const { return {support::pointerOf(object, MLIR_PYTHON_CAPSULE_BLOCK)}; }
  void checkValid() { get(); }
  PyOperationRef &getParentOperation() {
    if (!parent)
      parent = support::operationOf(nanobind::object(object.attr("owner")));
    return *parent;
  }
  nanobind::object getCapsule() { return object.attr(MLIR_PYTHON_CAPI_PTR_ATTR); }

private:
  std::optional<PyOperationRef> parent;
};

PyBlock PyOperation::getBlock() {
  return *PyBlock::fromPython(nanobind::object(getObject().attr("block")));
}

/// A region. The C API has no capsule for it: the handle is found by its place
/// in its operation.
class PyRegion : public support::ObjectHandle<PyRegion> {
public:
  static constexpr const char *pyClassName = "Region";

  explicit PyRegion(OfObject of) : ObjectHandle(std::move(of)) {}
  PyRegion(PyOperationRef parentOperation, MlirRegion region)
      : ObjectHandle(OfObject{find(parentOperation, region)}), parent(std::move(parentOperation)) {}

  MlirRegion get() {
    PyOperationRef &owner = getParentOperation();
    nanobind::object regions = owner.getObject().attr("regions");
    for (size_t index = 0, count = nanobind::len(regions); index < count; ++index)
      if (regions[index].equal(object))
        return mlirOperationGetRegion(owner->get(), static_cast<intptr_t>(index));
    throw nanobind::value_error("the region is not one of its operation");
  }
  operator MlirRegion() { return get(); }
  void checkValid() { getParentOperation()->checkValid(); }
  PyOperationRef &getParentOperation() {
    if (!parent)
      parent = support::operationOf(nanobind::object(object.attr("owner")));
    return *parent;
  }

private:
  static nanobind::object find(PyOperationRef &owner, MlirRegion region) {
    MlirOperation raw = owner->get();
    for (intptr_t index = 0, count = mlirOperationGetNumRegions(raw); index < count; ++index)
      if (mlirRegionEqual(mlirOperationGetRegion(raw, index), region))
        return nanobind::object(owner.getObject().attr("regions")[index]);
    throw nanobind::value_error("the region is not one of the operation");
  }

  std::optional<PyOperationRef> parent;
};

/// A place for new operations.
class PyInsertionPoint : public support::ObjectHandle<PyInsertionPoint> {
public:
  static constexpr const char *pyClassName = "InsertionPoint";

  explicit PyInsertionPoint(OfObject of) : ObjectHandle(std::move(of)) {}
  PyInsertionPoint(const PyBlock &block) : PyInsertionPoint(made(block.toPython())) {}
  PyInsertionPoint(PyOperationBase &before) : PyInsertionPoint(made(before.toPython())) {}
  PyInsertionPoint(PyOperationRef before) : PyInsertionPoint(made(before.getObject())) {}

  static PyInsertionPoint atBlockBegin(PyBlock &block) {
    return *fromPython(nanobind::object(pythonClass().attr("at_block_begin")(block.toPython())));
  }
  static PyInsertionPoint atBlockTerminator(PyBlock &block) {
    return *fromPython(
        nanobind::object(pythonClass().attr("at_block_terminator")(block.toPython())));
  }
  static PyInsertionPoint after(PyOperationBase &operation) {
    return *fromPython(nanobind::object(pythonClass().attr("after")(operation.toPython())));
  }
  void insert(PyOperationBase &operation) { object.attr("insert")(operation.toPython()); }
  static nanobind::object contextEnter(nanobind::object point) { return point.attr("__enter__")(); }
  void contextExit(const nanobind::object &excType, const nanobind::object &excVal,
                   const nanobind::object &excTb) {
    object.attr("__exit__")(excType, excVal, excTb);
  }
  PyBlock &getBlock() {
    block = PyBlock::fromPython(nanobind::object(object.attr("block")));
    return *block;
  }
  std::optional<PyOperationRef> &getRefOperation() {
    nanobind::object found = object.attr("ref_operation");
    if (found.is_none())
      before.reset();
    else
      before = support::operationOf(found);
    return before;
  }

private:
  static OfObject made(nanobind::object from) { return OfObject{pythonClass()(from)}; }

  std::optional<PyBlock> block;
  std::optional<PyOperationRef> before;
};

/// The names of an operation's values in printed IR.
class PyAsmState {
public:
  PyAsmState(MlirValue value, bool useLocalScope)
      : PyAsmState(support::fromCapsule(PyValue::pythonClass(), mlirPythonValueToCapsule(value)),
                   useLocalScope, true) {}
  PyAsmState(PyOperationBase &operation, bool useLocalScope)
      : PyAsmState(operation.getOperation().getObject(), useLocalScope, false) {}
  PyAsmState(const PyAsmState &) = delete;
  ~PyAsmState() {
    if (state.ptr)
      mlirAsmStateDestroy(state);
    mlirOpPrintingFlagsDestroy(flags);
  }

  /// The C API's state, which is of the time of the first call. Raises if the operation or value is
  /// gone.
  MlirAsmState get() {
    if (isValue) {
      MlirValue value = PyValue::rawOf(of);
      if (!state.ptr)
        state = mlirAsmStateCreateForValue(value, flags);
    } else {
      MlirOperation operation{support::pointerOf(of, MLIR_PYTHON_CAPSULE_OPERATION)};
      if (!state.ptr)
        state = mlirAsmStateCreateForOperation(operation, flags);
    }
    return state;
  }
  /// The package's object, which follows changes of the operation.
  nanobind::object toPython() const { return object; }

private:
  PyAsmState(nanobind::object of, bool useLocalScope, bool isValue)
      : object(support::ir().attr("AsmState")(of, useLocalScope)), of(std::move(of)),
        isValue(isValue), flags(mlirOpPrintingFlagsCreate()) {
    if (useLocalScope)
      mlirOpPrintingFlagsUseLocalScope(flags);
  }

  nanobind::object object;
  nanobind::object of;
  bool isValue;
  MlirAsmState state{nullptr};
  MlirOpPrintingFlags flags;
};

void PyOperationBase::print(PyAsmState &state, nanobind::object fileObject, bool binary) {
  toPython().attr("print")(state.toPython(), support::orNone(fileObject), binary);
}

/// The symbols of an operation.
class PySymbolTable : public support::ObjectHandle<PySymbolTable> {
public:
  static constexpr const char *pyClassName = "SymbolTable";

  explicit PySymbolTable(OfObject of) : ObjectHandle(std::move(of)) {}
  explicit PySymbolTable(PyOperationBase &operation)
      : ObjectHandle(OfObject{pythonClass()(operation.toPython())}) {}

  nanobind::object dunderGetItem(const std::string &name) { return object[name.c_str()]; }
  void dunderDel(const std::string &name) { object.attr("__delitem__")(name); }
  void erase(PyOperationBase &symbol) { object.attr("erase")(symbol.toPython()); }
  PyStringAttribute insert(PyOperationBase &symbol) {
    return string(object.attr("insert")(symbol.toPython()));
  }
  static PyStringAttribute getSymbolName(PyOperationBase &symbol) {
    return string(pythonClass().attr("get_symbol_name")(symbol.toPython()));
  }
  static void setSymbolName(PyOperationBase &symbol, const std::string &name) {
    pythonClass().attr("set_symbol_name")(symbol.toPython(), name);
  }
  static PyStringAttribute getVisibility(PyOperationBase &symbol) {
    return string(pythonClass().attr("get_visibility")(symbol.toPython()));
  }
  static void setVisibility(PyOperationBase &symbol, const std::string &visibility) {
    pythonClass().attr("set_visibility")(symbol.toPython(), visibility);
  }
  static void replaceAllSymbolUses(const std::string &oldSymbol, const std::string &newSymbol,
                                   PyOperationBase &from) {
    pythonClass().attr("replace_all_symbol_uses")(oldSymbol, newSymbol, from.toPython());
  }
  static void walkSymbolTables(PyOperationBase &from, bool allSymUsesVisible,
                               nanobind::object callback) {
    pythonClass().attr("walk_symbol_tables")(from.toPython(), allSymUsesVisible, callback);
  }

private:
  static PyStringAttribute string(nanobind::object object) {
    return nanobind::cast<PyStringAttribute>(object);
  }
};

/// The dialects that contexts can be given.
class PyDialectRegistry : public support::ObjectHandle<PyDialectRegistry> {
public:
  static constexpr const char *pyClassName = "DialectRegistry";

  explicit PyDialectRegistry(OfObject of) : ObjectHandle(std::move(of)) {}
  PyDialectRegistry() : ObjectHandle(OfObject{pythonClass()()}) {}
  /// The package's object owns the registry.
  PyDialectRegistry(MlirDialectRegistry registry)
      : ObjectHandle(OfObject{
            support::fromCapsule(pythonClass(), mlirPythonDialectRegistryToCapsule(registry))}) {}

  MlirDialectRegistry get() const {
    return {support::pointerOf(object, MLIR_PYTHON_CAPSULE_DIALECT_REGISTRY)};
  }
  operator MlirDialectRegistry() const { return get(); }
  nanobind::object getCapsule() { return object.attr(MLIR_PYTHON_CAPI_PTR_ATTR); }
  static PyDialectRegistry createFromCapsule(nanobind::object capsule) {
    return *fromPython(
        nanobind::object(pythonClass().attr(MLIR_PYTHON_CAPI_FACTORY_ATTR)(capsule)));
  }
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_STRUCTURE_H
