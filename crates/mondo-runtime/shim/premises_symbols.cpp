//===-- premises_symbols.cpp - Operations that are looked up by a symbol --===//
//
// A verifier that looks up an operation may find none, or one that nobody has verified yet.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "premises.h"
#include "premises_symbols.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Region.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Visitors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"

#include <cstddef>
#include <cstdint>

using namespace mlir;
using llvm::LogicalResult;
using mondo::isNamed;

namespace {

/// The operation that a symbol refers to; null if there is none. MLIR's look-up takes it for granted that each table on the
/// way has a region.
Operation *symbolIn(Operation *table, Attribute symbol) {
  const auto reference = llvm::dyn_cast_or_null<SymbolRefAttr>(symbol);
  if (!reference)
    return nullptr;
  StringAttr name = reference.getRootReference();
  const auto in = [](Operation *table, StringAttr name) {
    const bool isTable =
        table && table->hasTrait<OpTrait::SymbolTable>() && table->getNumRegions() != 0;
    return isTable ? SymbolTable::lookupSymbolIn(table, name) : nullptr;
  };
  Operation *found = in(table, name);
  for (FlatSymbolRefAttr nested : reference.getNestedReferences())
    found = in(found, nested.getAttr());
  return found;
}

/// The same in the nearest table around an operation.
Operation *symbolFrom(Operation *op, Attribute symbol) {
  return op ? symbolIn(SymbolTable::getNearestSymbolTable(op), symbol) : nullptr;
}

/// The type of a function; null if it has none.
FunctionType typeOf(Operation *function) {
  const auto type = function->getAttrOfType<TypeAttr>("function_type");
  return type ? llvm::dyn_cast<FunctionType>(type.getValue()) : FunctionType();
}

/// An operation of `irdl` looks for a symbol around the dialect that it is part of.
LogicalResult verifyIrdl(Operation *op, llvm::StringRef attribute) {
  const auto symbol = op->getAttrOfType<SymbolRefAttr>(attribute);
  if (!symbol)
    return success();
  Operation *dialect = op;
  while (dialect && !isNamed(dialect, "irdl.dialect"))
    dialect = dialect->getParentOp();
  if (dialect && dialect->getParentOp())
    return success();
  return op->emitOpError() << "symbol '" << symbol << "' not found";
}

//===----------------------------------------------------------------------===//
// Attributes of dialects on modules
//===----------------------------------------------------------------------===//

/// The dialect `gpu` looks for the function of each launch in its module, and compares the function's type with the launch's
/// operands.
LogicalResult verifyLaunches(Operation *module) {
  const auto check = [](Operation *op) {
    if (isNamed(op, "gpu.launch_func")) {
      const auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
      int64_t sum = 0;
      bool isNegative = false;
      for (int32_t size : sizes ? sizes.asArrayRef() : llvm::ArrayRef<int32_t>()) {
        sum += size;
        isNegative |= size < 0;
      }
      if (isNegative || sum != int64_t{op->getNumOperands()})
        return WalkResult(op->emitOpError("operand count (")
                          << op->getNumOperands() << ") does not match with the total size (" << sum
                          << ") specified in attribute 'operandSegmentSizes'");
    }
    if (isNamed(op, "gpu.func") && !typeOf(op))
      return WalkResult(op->emitOpError("requires attribute 'function_type'"));
    if (op->hasTrait<OpTrait::SymbolTable>() && op->getNumRegions() == 0)
      return WalkResult(op->emitOpError("requires one region"));
    return WalkResult::advance();
  };
  return failure(module->walk(check).wasInterrupted());
}

/// The dialect `shape` looks up the libraries of functions, and asks each for its mapping.
LogicalResult verifyLibraries(Operation *module, ArrayAttr libraries) {
  for (Attribute name : libraries) {
    // MLIR says what is wrong with something else, and with a symbol of something else.
    if (!llvm::isa_and_nonnull<SymbolRefAttr>(name))
      return success();
    Operation *library = symbolIn(module, name);
    if (!library)
      return module->emitError() << name << " does not refer to FunctionLibraryOp";
    if (!isNamed(library, "shape.function_library"))
      return success();
    if (!library->getAttrOfType<DictionaryAttr>("mapping"))
      return library->emitOpError("requires attribute 'mapping'");
  }
  return success();
}

} // namespace

LogicalResult mondo::verifyContainers(Operation *op) {
  if (!llvm::isa<ModuleOp>(op) || op->getNumRegions() == 0)
    return success();
  if (op->getDiscardableAttr("gpu.container_module") && failed(verifyLaunches(op)))
    return failure();
  if (const auto libraries = op->getAttrOfType<ArrayAttr>("shape.lib"))
    if (failed(verifyLibraries(op, libraries)))
      return failure();
  for (Operation &inner : op->getRegion(0).getOps())
    if (failed(verifyContainers(&inner)))
      return failure();
  return success();
}

LogicalResult mondo::symbols::verifyBase(Operation *op) { return verifyIrdl(op, "base_ref"); }

LogicalResult mondo::symbols::verifyParametric(Operation *op) { return verifyIrdl(op, "base_type"); }

LogicalResult mondo::symbols::verifyIFunc(Operation *op) {
  const auto resolver = op->getAttrOfType<FlatSymbolRefAttr>("resolver");
  Operation *module = op->getParentOp();
  while (module && !(module->hasTrait<OpTrait::SymbolTable>() &&
                     module->hasTrait<OpTrait::IsIsolatedFromAbove>()))
    module = module->getParentOp();
  if (!resolver || !module || symbolIn(module, resolver))
    return success();
  return op->emitOpError("must have a function resolver");
}

LogicalResult mondo::symbols::verifyReductions(Operation *op) {
  // The groups of operands are those of LLVM 22 and later.
  if (LLVM_VERSION_MAJOR < 22)
    return success();
  for (llvm::StringRef list : {"in_reduction_syms", "reduction_syms", "task_reduction_syms"}) {
    const auto names = op->getAttrOfType<ArrayAttr>(list);
    for (Attribute name : names ? names.getValue() : llvm::ArrayRef<Attribute>()) {
      Operation *declaration = symbolFrom(op, name);
      if (!isNamed(declaration, "omp.declare_reduction"))
        continue;
      if (declaration->getNumRegions() < 4)
        return declaration->emitOpError("expected 6 regions");
      Region &atomic = declaration->getRegion(3);
      if (!atomic.empty() && atomic.getNumArguments() == 0)
        return declaration->emitOpError(
            "expects atomic reduction region with two arguments of the same type");
    }
  }
  return success();
}

/// MLIR takes the type of each constant's value.
LogicalResult mondo::symbols::verifyConstituents(Operation *op) {
  const auto constituents = op->getAttrOfType<ArrayAttr>("constituents");
  const auto type = op->getAttrOfType<TypeAttr>("type");
  // A type that is no composite is refused before its constituents are looked up.
  if (!constituents || !type || type.getValue().isIntOrIndexOrFloat())
    return success();
  for (Attribute constituent : constituents) {
    Operation *constant = symbolFrom(op->getParentOp(), constituent);
    if (!isNamed(constant, "spirv.SpecConstant"))
      return op->emitOpError("unknown constituent ") << constituent;
    if (!llvm::isa_and_nonnull<TypedAttr>(constant->getAttr("default_value")))
      return constant->emitOpError("requires attribute 'default_value'");
  }
  return success();
}

LogicalResult mondo::symbols::verifyInclude(Operation *op) {
  Operation *callee = symbolFrom(op, op->getAttr("target"));
  if (!isNamed(callee, "transform.named_sequence"))
    return success();
  const FunctionType function = typeOf(callee);
  if (!function || function.getNumInputs() != op->getNumOperands())
    return op->emitError("incorrect number of operands for callee");
  const auto attributes = callee->getAttrOfType<ArrayAttr>("arg_attrs");
  const auto isDictionary = [](Attribute entry) {
    return llvm::isa_and_nonnull<DictionaryAttr>(entry);
  };
  if (!attributes || (attributes.size() == function.getNumInputs() &&
                      llvm::all_of(attributes, isDictionary)))
    return success();
  return callee->emitOpError("expects argument attribute array to have the same number of elements "
                             "as the number of function arguments, got ")
         << attributes.size() << ", but expected " << function.getNumInputs();
}

LogicalResult mondo::symbols::verifyGlobalGet(Operation *op) {
  if (SymbolTable::getNearestSymbolTable(op))
    return success();
  for (Operation *outer = op->getParentOp(); outer; outer = outer->getParentOp())
    if (isNamed(outer, "wasmssa.global"))
      return op->emitOpError("is in no table of symbols");
  return success();
}
