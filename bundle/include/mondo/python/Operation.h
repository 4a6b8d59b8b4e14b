//===-- Operation.h - Operations, views of them, and modules --------------===//
//
// An operation can be erased by anybody. A handle asks its Python object for the
// raw pointer each time, which raises where the operation is gone.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_OPERATION_H
#define MONDO_PYTHON_OPERATION_H

#include "mondo/python/Types.h"

#include "llvm/ADT/ArrayRef.h"

#include <functional>
#include <string_view>
#include <tuple>
#include <vector>

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

class PyAsmState;
class PyBlock;
class PyOperation;
class PyOpView;
using PyOperationRef = PyObjectRef<PyOperation>;

enum class PyWalkResult : std::underlying_type_t<MlirWalkResult> {
  Advance = MlirWalkResultAdvance,
  Interrupt = MlirWalkResultInterrupt,
  Skip = MlirWalkResultSkip
};

enum class PyWalkOrder : std::underlying_type_t<MlirWalkOrder> {
  PreOrder = MlirWalkPreOrder,
  PostOrder = MlirWalkPostOrder
};

/// The base of operations and their views.
class PyOperationBase {
public:
  using MlirPythonHandle = PyOperationBase;
  static constexpr const char *pyClassName = "_OperationBase";

  virtual ~PyOperationBase() = default;

  static nanobind::handle pythonClass() {
    static support::Lasting cls;
    return cls.get([] { return nanobind::object(support::ir().attr("_OperationBase")); });
  }
  virtual PyOperation &getOperation() = 0;
  /// The Python object: an `Operation` or an `OpView`.
  virtual nanobind::object toPython() const = 0;

  bool verify() { return nanobind::cast<bool>(toPython().attr("verify")()); }
  void moveAfter(PyOperationBase &other) { toPython().attr("move_after")(other.toPython()); }
  void moveBefore(PyOperationBase &other) { toPython().attr("move_before")(other.toPython()); }
  bool isBeforeInBlock(PyOperationBase &other) {
    return nanobind::cast<bool>(toPython().attr("is_before_in_block")(other.toPython()));
  }
  void writeBytecode(const nanobind::object &fileObject, std::optional<int64_t> version) {
    toPython().attr("write_bytecode")(fileObject, version);
  }
  inline void walk(std::function<PyWalkResult(MlirOperation)> callback, PyWalkOrder order);

  /// Prints to a Python file, by default `sys.stdout`.
  void print(std::optional<int64_t> largeElementsLimit, std::optional<int64_t> largeResourceLimit,
             bool enableDebugInfo, bool prettyDebugInfo, bool printGenericOpForm,
             bool useLocalScope, bool useNameLocAsPrefix, bool assumeVerified,
             nanobind::object fileObject, bool binary, bool skipRegions) {
    nanobind::dict how = printing(largeElementsLimit, largeResourceLimit, enableDebugInfo,
                                  prettyDebugInfo, printGenericOpForm, useLocalScope,
                                  useNameLocAsPrefix, assumeVerified, skipRegions);
    how["file"] = support::orNone(fileObject);
    how["binary"] = binary;
    toPython().attr("print")(**how);
  }
  /// The same with the names of values that a state has.
  inline void print(PyAsmState &state, nanobind::object fileObject, bool binary);
  /// The text, or the bytes of it.
  nanobind::object getAsm(bool binary, std::optional<int64_t> largeElementsLimit,
                          std::optional<int64_t> largeResourceLimit, bool enableDebugInfo,
                          bool prettyDebugInfo, bool printGenericOpForm, bool useLocalScope,
                          bool useNameLocAsPrefix, bool assumeVerified, bool skipRegions) {
    nanobind::dict how = printing(largeElementsLimit, largeResourceLimit, enableDebugInfo,
                                  prettyDebugInfo, printGenericOpForm, useLocalScope,
                                  useNameLocAsPrefix, assumeVerified, skipRegions);
    how["binary"] = binary;
    return toPython().attr("get_asm")(**how);
  }

private:
  static nanobind::dict printing(std::optional<int64_t> largeElementsLimit,
                                 std::optional<int64_t> largeResourceLimit, bool enableDebugInfo,
                                 bool prettyDebugInfo, bool printGenericOpForm,
                                 bool useLocalScope, bool useNameLocAsPrefix, bool assumeVerified,
                                 bool skipRegions) {
    nanobind::dict how;
    how["large_elements_limit"] = largeElementsLimit;
    how["large_resource_limit"] = largeResourceLimit;
    how["enable_debug_info"] = enableDebugInfo;
    how["pretty_debug_info"] = prettyDebugInfo;
    how["print_generic_op_form"] = printGenericOpForm;
    how["use_local_scope"] = useLocalScope;
    how["use_name_loc_as_prefix"] = useNameLocAsPrefix;
    how["assume_verified"] = assumeVerified;
    how["skip_regions"] = skipRegions;
    return how;
  }
};

/// An operation.
class PyOperation : public PyOperationBase, public BaseContextObject {
public:
  using MlirPythonHandle = PyOperation;
  static constexpr const char *pyClassName = "Operation";

  PyOperation(PyMlirContextRef contextRef, MlirOperation operation)
      : BaseContextObject(std::move(contextRef)), raw(operation) {}

  static PyOperation withObject(const PyOperation &other, nanobind::object object) {
    PyOperation made(other);
    made.known = std::move(object);
    return made;
  }
  static nanobind::handle pythonClass() {
    static support::Lasting cls;
    return cls.get([] { return nanobind::object(support::ir().attr("Operation")); });
  }
  static std::optional<PyOperation> fromPython(nanobind::handle object) {
    if (!support::isInstance(object, pythonClass()))
      return std::nullopt;
    return ofObject(nanobind::borrow(object));
  }
  /// The handle of an `Operation`, alive or not.
  static PyOperation ofObject(nanobind::object object) {
    PyObject *capsule = PyObject_GetAttrString(object.ptr(), MLIR_PYTHON_CAPI_PTR_ATTR);
    MlirOperation raw{nullptr};
    if (capsule)
      raw = mlirPythonCapsuleToOperation(nanobind::steal(capsule).ptr());
    // An operation that is gone raises when it is used.
    PyErr_Clear();
    MlirContext context{nullptr};
    if (raw.ptr)
      context = mlirOperationGetContext(raw);
    PyOperation made(PyMlirContextRef(PyMlirContext(context, object)), raw);
    made.known = std::move(object);
    return made;
  }

  nanobind::object getObject() const {
    if (!known)
      known = support::fromCapsule(pythonClass(), mlirPythonOperationToCapsule(raw));
    return known;
  }
  nanobind::object toPython() const override { return getObject(); }
  PyOperation &getOperation() override { return *this; }

  static PyOperationRef forOperation(PyMlirContextRef contextRef, MlirOperation operation,
                                     nanobind::object /*parentKeepAlive*/ = nanobind::object()) {
    PyOperation made(std::move(contextRef), operation);
    made.getObject();
    return PyOperationRef(std::move(made));
  }
  /// The package's object owns a detached operation.
  static PyOperationRef createDetached(PyMlirContextRef contextRef, MlirOperation operation,
                                       nanobind::object parentKeepAlive = nanobind::object()) {
    return forOperation(std::move(contextRef), operation, std::move(parentKeepAlive));
  }
  static PyOperationRef parse(PyMlirContextRef contextRef, const std::string &source,
                              const std::string &sourceName) {
    nanobind::object parsed = pythonClass().attr("parse")(
        source, nanobind::arg("source_name") = sourceName,
        nanobind::arg("context") = contextRef.getObject());
    return PyOperationRef(ofObject(nanobind::object(parsed.attr("operation"))));
  }

  /// Makes an operation by its name, and inserts it: at `ip`, at the current insertion point for
  /// None, or nowhere for False. The result is the package's object, which owns an operation that
  /// is in no block. Raises what `Operation.create` raises. The operands must be live.
  static inline nanobind::object create(std::string_view name,
                                        std::optional<std::vector<PyType *>> results,
                                        llvm::ArrayRef<MlirValue> operands,
                                        std::optional<nanobind::dict> attributes,
                                        std::optional<std::vector<PyBlock *>> successors,
                                        int regions, PyLocation &location,
                                        const nanobind::object &ip, bool inferType);

  /// Raises if the operation is gone.
  MlirOperation get() const {
    return {support::pointerOf(getObject(), MLIR_PYTHON_CAPSULE_OPERATION)};
  }
  operator MlirOperation() const { return get(); }
  void checkValid() const { get(); }
  PyOperationRef getRef() const {
    getObject();
    return PyOperationRef(*this);
  }

  bool isAttached() { return nanobind::cast<bool>(getObject().attr("attached")); }
  /// The package sees by itself where an operation is: these two have nothing to do.
  void setAttached(const nanobind::object & /*parent*/ = nanobind::object()) {}
  void setDetached() {}
  /// Makes the object raise from now on.
  void setInvalid() { getObject().attr("_set_invalid")(); }
  void detachFromParent() { getObject().attr("detach_from_parent")(); }
  inline PyBlock getBlock();
  std::optional<PyOperationRef> getParentOperation() {
    nanobind::object parent = getObject().attr("parent");
    if (parent.is_none())
      return std::nullopt;
    return PyOperationRef(ofObject(nanobind::object(parent.attr("operation"))));
  }
  nanobind::object getCapsule() { return getObject().attr(MLIR_PYTHON_CAPI_PTR_ATTR); }
  static nanobind::object createFromCapsule(const nanobind::object &capsule) {
    return pythonClass().attr(MLIR_PYTHON_CAPI_FACTORY_ATTR)(capsule);
  }
  nanobind::object createOpView() { return getObject().attr("opview"); }
  void erase() { getObject().attr("erase")(); }
  nanobind::object clone(const nanobind::object &ip) { return getObject().attr("clone")(ip); }

private:
  /// The handle from which the Python object is looked up, and which nothing else uses.
  MlirOperation raw;
  mutable nanobind::object known;
};

void PyOperationBase::walk(std::function<PyWalkResult(MlirOperation)> callback,
                           PyWalkOrder order) {
  nanobind::object results = support::ir().attr("WalkResult");
  auto visit = [&](nanobind::object operation) -> nanobind::object {
    switch (callback(PyOperation::ofObject(nanobind::object(operation.attr("operation"))))) {
    case PyWalkResult::Advance:
      return results.attr("ADVANCE");
    case PyWalkResult::Interrupt:
      return results.attr("INTERRUPT");
    case PyWalkResult::Skip:
      return results.attr("SKIP");
    }
    return results.attr("ADVANCE");
  };
  nanobind::object orders = support::ir().attr("WalkOrder");
  toPython().attr("walk")(nanobind::cpp_function(visit),
                          order == PyWalkOrder::PreOrder ? orders.attr("PRE_ORDER")
                                                         : orders.attr("POST_ORDER"));
}

/// An operation as its dialect's class shows it.
class PyOpView : public PyOperationBase {
public:
  using MlirPythonHandle = PyOpView;
  static constexpr const char *pyClassName = "OpView";

  PyOpView(const nanobind::object &operationObject)
      : operation(PyOperation::ofObject(nanobind::object(operationObject.attr("operation")))),
        view(operationObject) {}

  static nanobind::handle pythonClass() {
    static support::Lasting cls;
    return cls.get([] { return nanobind::object(support::ir().attr("OpView")); });
  }
  static std::optional<PyOpView> fromPython(nanobind::handle object) {
    if (!support::isInstance(object, pythonClass()))
      return std::nullopt;
    return PyOpView(nanobind::borrow(object));
  }
  PyOperation &getOperation() override { return operation; }
  nanobind::object toPython() const override {
    if (support::isInstance(view, pythonClass()))
      return view;
    return view.attr("opview");
  }
  nanobind::object getOperationObject() { return operation.getObject(); }

  /// Makes an operation by what its dialect's class says of it: the number of regions and if there
  /// may be more, and the sizes of the groups of operands and results. The result is the
  /// `Operation`.
  static inline nanobind::object buildGeneric(
      std::string_view name, std::tuple<int, bool> opRegionSpec,
      nanobind::object operandSegmentSpecObj, nanobind::object resultSegmentSpecObj,
      std::optional<nanobind::list> resultTypeList, nanobind::list operandList,
      std::optional<nanobind::dict> attributes, std::optional<std::vector<PyBlock *>> successors,
      std::optional<int> regions, PyLocation &location, const nanobind::object &maybeIp);

  /// A view of the class `cls`, whose own `__init__` does not run.
  static nanobind::object constructDerived(const nanobind::object &cls,
                                           const nanobind::object &operation) {
    nanobind::object view = cls.attr("__new__")(cls);
    pythonClass().attr("__init__")(view, operation);
    return view;
  }

private:
  PyOperation operation;
  nanobind::object view;
};

class PyModule;
using PyModuleRef = PyObjectRef<PyModule>;

/// A module.
class PyModule : public BaseContextObject {
public:
  using MlirPythonHandle = PyModule;
  static constexpr const char *pyClassName = "Module";

  static nanobind::handle pythonClass() {
    static support::Lasting cls;
    return cls.get([] { return nanobind::object(support::ir().attr("Module")); });
  }
  static PyModule withObject(const PyModule &, nanobind::object object) {
    return *fromPython(object);
  }
  static std::optional<PyModule> fromPython(nanobind::handle object) {
    if (!support::isInstance(object, pythonClass()))
      return std::nullopt;
    MlirModule raw{support::pointerOf(object, MLIR_PYTHON_CAPSULE_MODULE)};
    return PyModule(
        PyMlirContextRef(PyMlirContext(mlirModuleGetContext(raw), nanobind::borrow(object))),
        nanobind::borrow(object));
  }
  nanobind::object getObject() const { return object; }
  nanobind::object toPython() const { return object; }

  /// The package's object owns the module.
  static PyModuleRef forModule(MlirModule module) {
    return PyModuleRef(
        *fromPython(support::fromCapsule(pythonClass(), mlirPythonModuleToCapsule(module))));
  }
  MlirModule get() const { return {support::pointerOf(object, MLIR_PYTHON_CAPSULE_MODULE)}; }
  PyModuleRef getRef() const { return PyModuleRef(*this); }
  nanobind::object getCapsule() { return object.attr(MLIR_PYTHON_CAPI_PTR_ATTR); }
  static nanobind::object createFromCapsule(nanobind::object capsule) {
    return pythonClass().attr(MLIR_PYTHON_CAPI_FACTORY_ATTR)(capsule);
  }

private:
  PyModule(PyMlirContextRef contextRef, nanobind::object object)
      : BaseContextObject(std::move(contextRef)), object(std::move(object)) {}

  nanobind::object object;
};

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_OPERATION_H
