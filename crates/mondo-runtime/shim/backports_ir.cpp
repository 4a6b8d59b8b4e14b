//===-- backports_ir.cpp - Newer functions over IR and passes -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo_backports.h"

#if LLVM_VERSION_MAJOR < 22

#include "mlir/CAPI/AffineExpr.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/IntegerSet.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/ThreadPool.h"

#include <iterator>
#include <optional>
#include <utility>

using namespace mlir;

//===----------------------------------------------------------------------===//
// Contexts and modules
//===----------------------------------------------------------------------===//

extern "C" unsigned mlirContextGetNumThreads(MlirContext context) {
  return unwrap(context)->getNumThreads();
}

extern "C" MlirLlvmThreadPool mlirContextGetThreadPool(MlirContext context) {
  return wrap(&unwrap(context)->getThreadPool());
}

extern "C" MlirModule mlirModuleCreateParseFromFile(MlirContext context, MlirStringRef fileName) {
  OwningOpRef<ModuleOp> parsed = parseSourceFile<ModuleOp>(unwrap(fileName), unwrap(context));
  return parsed ? wrap(parsed.release()) : MlirModule{nullptr};
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

static FileLineColLoc pointOf(MlirLocation location) {
  return dyn_cast<FileLineColLoc>(static_cast<LocationAttr>(unwrap(location)));
}

extern "C" MlirLocation mlirLocationFileLineColRangeGet(MlirContext context, MlirStringRef filename,
                                                        unsigned startLine, unsigned startColumn,
                                                        unsigned endLine, unsigned endColumn) {
  if (startLine != endLine || startColumn != endColumn)
    return {nullptr};
  return mlirLocationFileLineColGet(context, filename, startLine, startColumn);
}

extern "C" MlirIdentifier mlirLocationFileLineColRangeGetFilename(MlirLocation location) {
  FileLineColLoc point = pointOf(location);
  return point ? wrap(point.getFilename()) : MlirIdentifier{nullptr};
}

extern "C" int mlirLocationFileLineColRangeGetStartLine(MlirLocation location) {
  FileLineColLoc point = pointOf(location);
  return point ? static_cast<int>(point.getLine()) : -1;
}

extern "C" int mlirLocationFileLineColRangeGetStartColumn(MlirLocation location) {
  FileLineColLoc point = pointOf(location);
  return point ? static_cast<int>(point.getColumn()) : -1;
}

extern "C" int mlirLocationFileLineColRangeGetEndLine(MlirLocation location) {
  return mlirLocationFileLineColRangeGetStartLine(location);
}

extern "C" int mlirLocationFileLineColRangeGetEndColumn(MlirLocation location) {
  return mlirLocationFileLineColRangeGetStartColumn(location);
}

extern "C" bool mlirLocationIsAFileLineColRange(MlirLocation location) {
  return static_cast<bool>(pointOf(location));
}

extern "C" MlirLocation mlirLocationCallSiteGetCallee(MlirLocation location) {
  return wrap(cast<CallSiteLoc>(static_cast<LocationAttr>(unwrap(location))).getCallee());
}

extern "C" MlirLocation mlirLocationCallSiteGetCaller(MlirLocation location) {
  return wrap(cast<CallSiteLoc>(static_cast<LocationAttr>(unwrap(location))).getCaller());
}

extern "C" bool mlirLocationIsACallSite(MlirLocation location) {
  return isa<CallSiteLoc>(static_cast<LocationAttr>(unwrap(location)));
}

extern "C" MlirAttribute mlirLocationFusedGetMetadata(MlirLocation location) {
  return wrap(cast<FusedLoc>(static_cast<LocationAttr>(unwrap(location))).getMetadata());
}

extern "C" unsigned mlirLocationFusedGetNumLocations(MlirLocation location) {
  auto fused = dyn_cast<FusedLoc>(static_cast<LocationAttr>(unwrap(location)));
  return fused ? static_cast<unsigned>(fused.getLocations().size()) : 0;
}

extern "C" void mlirLocationFusedGetLocations(MlirLocation location, MlirLocation *locations) {
  if (auto fused = dyn_cast<FusedLoc>(static_cast<LocationAttr>(unwrap(location))))
    for (Location part : fused.getLocations())
      *locations++ = wrap(part);
}

extern "C" bool mlirLocationIsAFused(MlirLocation location) {
  return isa<FusedLoc>(static_cast<LocationAttr>(unwrap(location)));
}

extern "C" MlirIdentifier mlirLocationNameGetName(MlirLocation location) {
  return wrap(cast<NameLoc>(static_cast<LocationAttr>(unwrap(location))).getName());
}

extern "C" MlirLocation mlirLocationNameGetChildLoc(MlirLocation location) {
  return wrap(cast<NameLoc>(static_cast<LocationAttr>(unwrap(location))).getChildLoc());
}

extern "C" bool mlirLocationIsAName(MlirLocation location) {
  return isa<NameLoc>(static_cast<LocationAttr>(unwrap(location)));
}

//===----------------------------------------------------------------------===//
// Operations, blocks, values
//===----------------------------------------------------------------------===//

extern "C" void mlirOperationSetLocation(MlirOperation op, MlirLocation location) {
  unwrap(op)->setLoc(unwrap(location));
}

extern "C" bool mlirOperationIsBeforeInBlock(MlirOperation op, MlirOperation other) {
  return unwrap(op)->isBeforeInBlock(unwrap(other));
}

extern "C" void mlirOperationReplaceUsesOfWith(MlirOperation op, MlirValue of, MlirValue with) {
  unwrap(op)->replaceUsesOfWith(unwrap(of), unwrap(with));
}

extern "C" intptr_t mlirBlockGetNumSuccessors(MlirBlock block) {
  return static_cast<intptr_t>(unwrap(block)->getNumSuccessors());
}

extern "C" MlirBlock mlirBlockGetSuccessor(MlirBlock block, intptr_t pos) {
  return wrap(unwrap(block)->getSuccessor(static_cast<unsigned>(pos)));
}

extern "C" intptr_t mlirBlockGetNumPredecessors(MlirBlock block) {
  return std::distance(unwrap(block)->pred_begin(), unwrap(block)->pred_end());
}

extern "C" MlirBlock mlirBlockGetPredecessor(MlirBlock block, intptr_t pos) {
  return wrap(*std::next(unwrap(block)->pred_begin(), pos));
}

extern "C" void mlirBlockArgumentSetLocation(MlirValue value, MlirLocation location) {
  cast<BlockArgument>(unwrap(value)).setLoc(unwrap(location));
}

extern "C" MlirLocation mlirValueGetLocation(MlirValue value) {
  return wrap(unwrap(value).getLoc());
}

extern "C" void mlirValueReplaceAllUsesExcept(MlirValue of, MlirValue with, intptr_t numExceptions,
                                              MlirOperation *exceptions) {
  llvm::SmallPtrSet<Operation *, 4> kept;
  for (intptr_t i = 0; i < numExceptions; ++i)
    kept.insert(unwrap(exceptions[i]));
  unwrap(of).replaceAllUsesExcept(unwrap(with), kept);
}

/// The traits by which ODS says how many operands there are, for each number up to the last.
template <unsigned... N>
static bool countFits(RegisteredOperationName name, size_t count,
                      std::integer_sequence<unsigned, N...>) {
  bool exact = ((!name.hasTrait<OpTrait::NOperands<N + 2>::template Impl>() || count == N + 2) && ...);
  bool least =
      ((!name.hasTrait<OpTrait::AtLeastNOperands<N + 1>::template Impl>() || count >= N + 1) && ...);
  return exact && least;
}

extern "C" bool mondoOperandCountFits(MlirContext context, MlirStringRef opName, intptr_t count) {
  std::optional<RegisteredOperationName> name =
      RegisteredOperationName::lookup(unwrap(opName), unwrap(context));
  if (!name)
    return true;
  if (name->hasTrait<OpTrait::ZeroOperands>() && count != 0)
    return false;
  if (name->hasTrait<OpTrait::OneOperand>() && count != 1)
    return false;
  if (name->hasTrait<OpTrait::SameOperandsAndResultType>() && count == 0)
    return false;
  return countFits(*name, static_cast<size_t>(count),
                   std::make_integer_sequence<unsigned, 16>());
}

//===----------------------------------------------------------------------===//
// Affine expressions, attributes, types
//===----------------------------------------------------------------------===//

extern "C" MlirAffineExpr mlirSimplifyAffineExpr(MlirAffineExpr expr, uint32_t numDims,
                                                 uint32_t numSymbols) {
  return wrap(simplifyAffineExpr(unwrap(expr), numDims, numSymbols));
}

extern "C" MlirAffineExpr mlirAffineExprShiftDims(MlirAffineExpr expr, uint32_t numDims,
                                                  uint32_t shift, uint32_t offset) {
  return wrap(unwrap(expr).shiftDims(numDims, shift, offset));
}

extern "C" MlirAffineExpr mlirAffineExprShiftSymbols(MlirAffineExpr expr, uint32_t numSymbols,
                                                     uint32_t shift, uint32_t offset) {
  return wrap(unwrap(expr).shiftSymbols(numSymbols, shift, offset));
}

extern "C" MlirAttribute mlirIntegerSetAttrGet(MlirIntegerSet set) {
  return wrap(IntegerSetAttr::get(unwrap(set)));
}

extern "C" MlirIntegerSet mlirIntegerSetAttrGetValue(MlirAttribute attr) {
  return wrap(cast<IntegerSetAttr>(unwrap(attr)).getValue());
}

extern "C" uint64_t mlirDenseElementsAttrGetIndexValue(MlirAttribute attr, intptr_t pos) {
  return cast<DenseElementsAttr>(unwrap(attr)).getValues<uint64_t>()[pos];
}

extern "C" bool mlirShapedTypeIsStaticDim(MlirType type, intptr_t dim) {
  return !cast<ShapedType>(unwrap(type)).isDynamicDim(static_cast<unsigned>(dim));
}

extern "C" bool mlirShapedTypeIsStaticSize(int64_t size) { return !ShapedType::isDynamic(size); }

extern "C" bool mlirShapedTypeIsStaticStrideOrOffset(int64_t value) {
  return !ShapedType::isDynamic(value);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

extern "C" void mlirPassManagerEnableStatistics(MlirPassManager passManager,
                                                MlirPassDisplayMode displayMode) {
  bool list = displayMode == MLIR_PASS_DISPLAY_MODE_LIST;
  unwrap(passManager)
      ->enableStatistics(list ? PassDisplayMode::List : PassDisplayMode::Pipeline);
}

extern "C" void mlirPassManagerEnableTiming(MlirPassManager passManager) {
  unwrap(passManager)->enableTiming();
}

extern "C" void mondoPassManagerEnableIRPrinting(MlirPassManager passManager, bool printBeforeAll,
                                                 bool printAfterAll, bool printModuleScope,
                                                 bool printAfterOnlyOnChange,
                                                 bool printAfterOnlyOnFailure,
                                                 MlirOpPrintingFlags flags,
                                                 MlirStringRef treePrintingPath) {
  auto before = [printBeforeAll](Pass *, Operation *) { return printBeforeAll; };
  auto after = [printAfterAll](Pass *, Operation *) { return printAfterAll; };
  PassManager &manager = *unwrap(passManager);
  if (treePrintingPath.length == 0)
    manager.enableIRPrinting(before, after, printModuleScope, printAfterOnlyOnChange,
                             printAfterOnlyOnFailure, llvm::errs(), *unwrap(flags));
  else
    manager.enableIRPrintingToFileTree(before, after, printModuleScope, printAfterOnlyOnChange,
                                       printAfterOnlyOnFailure, unwrap(treePrintingPath),
                                       *unwrap(flags));
}

#endif // LLVM_VERSION_MAJOR < 22
