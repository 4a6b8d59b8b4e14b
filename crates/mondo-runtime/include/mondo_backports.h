//===-- mondo_backports.h - Newer functions of MLIR's C API for older LLVMs -===//
//
// Functions that the headers of a newer LLVM declare and those of an older one do not, by the same
// names; the shim defines them. So a user of the C API through mondo need not know which LLVM it is,
// as far as the older LLVM can do the same. The newer headers document what they do. The functions whose signature differs have names of mondo's.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_BACKPORTS_H
#define MONDO_BACKPORTS_H

#include "llvm/Config/llvm-config.h"

#if LLVM_VERSION_MAJOR < 22

#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/IR.h"
#include "mlir-c/IntegerSet.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Rewrite.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED unsigned mlirContextGetNumThreads(MlirContext context);
MLIR_CAPI_EXPORTED MlirLlvmThreadPool mlirContextGetThreadPool(MlirContext context);

/// Of a location in a file these are its line and column, twice: the older LLVM has no ranges, and
/// gives a null location where one is asked for that is not a point.
MLIR_CAPI_EXPORTED MlirLocation mlirLocationFileLineColRangeGet(MlirContext context,
                                                                MlirStringRef filename,
                                                                unsigned startLine,
                                                                unsigned startColumn,
                                                                unsigned endLine,
                                                                unsigned endColumn);
MLIR_CAPI_EXPORTED MlirIdentifier mlirLocationFileLineColRangeGetFilename(MlirLocation location);
MLIR_CAPI_EXPORTED int mlirLocationFileLineColRangeGetStartLine(MlirLocation location);
MLIR_CAPI_EXPORTED int mlirLocationFileLineColRangeGetStartColumn(MlirLocation location);
MLIR_CAPI_EXPORTED int mlirLocationFileLineColRangeGetEndLine(MlirLocation location);
MLIR_CAPI_EXPORTED int mlirLocationFileLineColRangeGetEndColumn(MlirLocation location);
MLIR_CAPI_EXPORTED bool mlirLocationIsAFileLineColRange(MlirLocation location);
MLIR_CAPI_EXPORTED MlirLocation mlirLocationCallSiteGetCallee(MlirLocation location);
MLIR_CAPI_EXPORTED MlirLocation mlirLocationCallSiteGetCaller(MlirLocation location);
MLIR_CAPI_EXPORTED bool mlirLocationIsACallSite(MlirLocation location);
MLIR_CAPI_EXPORTED MlirAttribute mlirLocationFusedGetMetadata(MlirLocation location);
MLIR_CAPI_EXPORTED unsigned mlirLocationFusedGetNumLocations(MlirLocation location);
MLIR_CAPI_EXPORTED void mlirLocationFusedGetLocations(MlirLocation location,
                                                      MlirLocation *locations);
MLIR_CAPI_EXPORTED bool mlirLocationIsAFused(MlirLocation location);
MLIR_CAPI_EXPORTED MlirIdentifier mlirLocationNameGetName(MlirLocation location);
MLIR_CAPI_EXPORTED MlirLocation mlirLocationNameGetChildLoc(MlirLocation location);
MLIR_CAPI_EXPORTED bool mlirLocationIsAName(MlirLocation location);

MLIR_CAPI_EXPORTED MlirModule mlirModuleCreateParseFromFile(MlirContext context,
                                                            MlirStringRef fileName);

MLIR_CAPI_EXPORTED void mlirOperationSetLocation(MlirOperation op, MlirLocation location);
MLIR_CAPI_EXPORTED bool mlirOperationIsBeforeInBlock(MlirOperation op, MlirOperation other);
MLIR_CAPI_EXPORTED void mlirOperationReplaceUsesOfWith(MlirOperation op, MlirValue of,
                                                       MlirValue with);

MLIR_CAPI_EXPORTED intptr_t mlirBlockGetNumSuccessors(MlirBlock block);
MLIR_CAPI_EXPORTED MlirBlock mlirBlockGetSuccessor(MlirBlock block, intptr_t pos);
MLIR_CAPI_EXPORTED intptr_t mlirBlockGetNumPredecessors(MlirBlock block);
MLIR_CAPI_EXPORTED MlirBlock mlirBlockGetPredecessor(MlirBlock block, intptr_t pos);

MLIR_CAPI_EXPORTED void mlirBlockArgumentSetLocation(MlirValue value, MlirLocation location);
MLIR_CAPI_EXPORTED MlirLocation mlirValueGetLocation(MlirValue value);
MLIR_CAPI_EXPORTED void mlirValueReplaceAllUsesExcept(MlirValue of, MlirValue with,
                                                      intptr_t numExceptions,
                                                      MlirOperation *exceptions);

/// True if the traits of the operation's name allow that number of operands. Functions that infer
/// the types of results access the operands that they expect, unchecked before LLVM 22.
MLIR_CAPI_EXPORTED bool mondoOperandCountFits(MlirContext context, MlirStringRef opName,
                                              intptr_t count);

//===----------------------------------------------------------------------===//
// Affine expressions, attributes, types
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED MlirAffineExpr mlirSimplifyAffineExpr(MlirAffineExpr expr, uint32_t numDims,
                                                         uint32_t numSymbols);
MLIR_CAPI_EXPORTED MlirAffineExpr mlirAffineExprShiftDims(MlirAffineExpr expr, uint32_t numDims,
                                                          uint32_t shift, uint32_t offset);
MLIR_CAPI_EXPORTED MlirAffineExpr mlirAffineExprShiftSymbols(MlirAffineExpr expr,
                                                             uint32_t numSymbols, uint32_t shift,
                                                             uint32_t offset);
MLIR_CAPI_EXPORTED MlirAttribute mlirIntegerSetAttrGet(MlirIntegerSet set);
MLIR_CAPI_EXPORTED MlirIntegerSet mlirIntegerSetAttrGetValue(MlirAttribute attr);
MLIR_CAPI_EXPORTED uint64_t mlirDenseElementsAttrGetIndexValue(MlirAttribute attr, intptr_t pos);
MLIR_CAPI_EXPORTED bool mlirShapedTypeIsStaticDim(MlirType type, intptr_t dim);
MLIR_CAPI_EXPORTED bool mlirShapedTypeIsStaticSize(int64_t size);
MLIR_CAPI_EXPORTED bool mlirShapedTypeIsStaticStrideOrOffset(int64_t value);

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

typedef enum {
  MLIR_PASS_DISPLAY_MODE_LIST,
  MLIR_PASS_DISPLAY_MODE_PIPELINE,
} MlirPassDisplayMode;

MLIR_CAPI_EXPORTED void mlirPassManagerEnableStatistics(MlirPassManager passManager,
                                                        MlirPassDisplayMode displayMode);
MLIR_CAPI_EXPORTED void mlirPassManagerEnableTiming(MlirPassManager passManager);

/// `mlirPassManagerEnableIRPrinting` with the parameters that it has in the newer LLVM.
MLIR_CAPI_EXPORTED void
mondoPassManagerEnableIRPrinting(MlirPassManager passManager, bool printBeforeAll,
                                 bool printAfterAll, bool printModuleScope,
                                 bool printAfterOnlyOnChange, bool printAfterOnlyOnFailure,
                                 MlirOpPrintingFlags flags, MlirStringRef treePrintingPath);

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

typedef struct MlirPatternRewriter {
  void *ptr;
} MlirPatternRewriter;
typedef struct MlirRewritePattern {
  const void *ptr;
} MlirRewritePattern;
typedef struct MlirPDLValue {
  const void *ptr;
} MlirPDLValue;
typedef struct MlirPDLResultList {
  void *ptr;
} MlirPDLResultList;

typedef enum {
  MLIR_GREEDY_REWRITE_STRICTNESS_ANY_OP,
  MLIR_GREEDY_REWRITE_STRICTNESS_EXISTING_AND_NEW_OPS,
  MLIR_GREEDY_REWRITE_STRICTNESS_EXISTING_OPS
} MlirGreedyRewriteStrictness;

typedef enum {
  MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_DISABLED,
  MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_NORMAL,
  MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_AGGRESSIVE
} MlirGreedySimplifyRegionLevel;

typedef struct {
  void (*construct)(void *userData);
  void (*destruct)(void *userData);
  MlirLogicalResult (*matchAndRewrite)(MlirRewritePattern pattern, MlirOperation op,
                                       MlirPatternRewriter rewriter, void *userData);
} MlirRewritePatternCallbacks;

typedef MlirLogicalResult (*MlirPDLRewriteFunction)(MlirPatternRewriter rewriter,
                                                    MlirPDLResultList results, size_t nValues,
                                                    MlirPDLValue *values, void *userData);
typedef MlirLogicalResult (*MlirPDLConstraintFunction)(MlirPatternRewriter rewriter,
                                                       MlirPDLResultList results, size_t nValues,
                                                       MlirPDLValue *values, void *userData);

/// Folding and merging constants cannot be switched off in the older LLVM: there are no functions
/// for it.
MLIR_CAPI_EXPORTED MlirGreedyRewriteDriverConfig mlirGreedyRewriteDriverConfigCreate(void);
MLIR_CAPI_EXPORTED void
mlirGreedyRewriteDriverConfigDestroy(MlirGreedyRewriteDriverConfig config);
MLIR_CAPI_EXPORTED int64_t
mlirGreedyRewriteDriverConfigGetMaxIterations(MlirGreedyRewriteDriverConfig config);
MLIR_CAPI_EXPORTED void
mlirGreedyRewriteDriverConfigSetMaxIterations(MlirGreedyRewriteDriverConfig config,
                                              int64_t maxIterations);
MLIR_CAPI_EXPORTED int64_t
mlirGreedyRewriteDriverConfigGetMaxNumRewrites(MlirGreedyRewriteDriverConfig config);
MLIR_CAPI_EXPORTED void
mlirGreedyRewriteDriverConfigSetMaxNumRewrites(MlirGreedyRewriteDriverConfig config,
                                               int64_t maxNumRewrites);
MLIR_CAPI_EXPORTED bool
mlirGreedyRewriteDriverConfigGetUseTopDownTraversal(MlirGreedyRewriteDriverConfig config);
MLIR_CAPI_EXPORTED void
mlirGreedyRewriteDriverConfigSetUseTopDownTraversal(MlirGreedyRewriteDriverConfig config,
                                                    bool useTopDownTraversal);
MLIR_CAPI_EXPORTED MlirGreedyRewriteStrictness
mlirGreedyRewriteDriverConfigGetStrictness(MlirGreedyRewriteDriverConfig config);
MLIR_CAPI_EXPORTED void
mlirGreedyRewriteDriverConfigSetStrictness(MlirGreedyRewriteDriverConfig config,
                                           MlirGreedyRewriteStrictness strictness);
MLIR_CAPI_EXPORTED MlirGreedySimplifyRegionLevel
mlirGreedyRewriteDriverConfigGetRegionSimplificationLevel(MlirGreedyRewriteDriverConfig config);
MLIR_CAPI_EXPORTED void mlirGreedyRewriteDriverConfigSetRegionSimplificationLevel(
    MlirGreedyRewriteDriverConfig config, MlirGreedySimplifyRegionLevel level);

/// `mlirApplyPatternsAndFoldGreedily` of the older LLVM does not look at the configuration.
MLIR_CAPI_EXPORTED MlirLogicalResult
mlirApplyPatternsAndFoldGreedilyWithOp(MlirOperation op, MlirFrozenRewritePatternSet patterns,
                                       MlirGreedyRewriteDriverConfig config);

MLIR_CAPI_EXPORTED MlirRewriterBase mlirPatternRewriterAsBase(MlirPatternRewriter rewriter);
MLIR_CAPI_EXPORTED MlirOperation
mlirRewriterBaseGetOperationAfterInsertion(MlirRewriterBase rewriter);

MLIR_CAPI_EXPORTED MlirRewritePattern mlirOpRewritePatternCreate(
    MlirStringRef rootName, unsigned benefit, MlirContext context,
    MlirRewritePatternCallbacks callbacks, void *userData, size_t nGeneratedNames,
    MlirStringRef *generatedNames);
MLIR_CAPI_EXPORTED MlirRewritePatternSet mlirRewritePatternSetCreate(MlirContext context);
MLIR_CAPI_EXPORTED void mlirRewritePatternSetDestroy(MlirRewritePatternSet set);
MLIR_CAPI_EXPORTED void mlirRewritePatternSetAdd(MlirRewritePatternSet set,
                                                 MlirRewritePattern pattern);

MLIR_CAPI_EXPORTED MlirValue mlirPDLValueAsValue(MlirPDLValue value);
MLIR_CAPI_EXPORTED MlirType mlirPDLValueAsType(MlirPDLValue value);
MLIR_CAPI_EXPORTED MlirOperation mlirPDLValueAsOperation(MlirPDLValue value);
MLIR_CAPI_EXPORTED MlirAttribute mlirPDLValueAsAttribute(MlirPDLValue value);
MLIR_CAPI_EXPORTED void mlirPDLResultListPushBackValue(MlirPDLResultList results,
                                                       MlirValue value);
MLIR_CAPI_EXPORTED void mlirPDLResultListPushBackType(MlirPDLResultList results, MlirType value);
MLIR_CAPI_EXPORTED void mlirPDLResultListPushBackOperation(MlirPDLResultList results,
                                                           MlirOperation value);
MLIR_CAPI_EXPORTED void mlirPDLResultListPushBackAttribute(MlirPDLResultList results,
                                                           MlirAttribute value);
MLIR_CAPI_EXPORTED void
mlirPDLPatternModuleRegisterRewriteFunction(MlirPDLPatternModule pdlModule, MlirStringRef name,
                                            MlirPDLRewriteFunction function, void *userData);
MLIR_CAPI_EXPORTED void mlirPDLPatternModuleRegisterConstraintFunction(
    MlirPDLPatternModule pdlModule, MlirStringRef name, MlirPDLConstraintFunction function,
    void *userData);

#ifdef __cplusplus
}
#endif

#endif // LLVM_VERSION_MAJOR < 22

#endif // MONDO_BACKPORTS_H
