//===-- mondo.h - C API of the mondo runtime ------------------------------===//
//
// Functions of the mondo library beside the C API of MLIR. The conventions are those of mlir-c.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_H
#define MONDO_H

#include "mlir-c/AffineExpr.h"
#include "mlir-c/IR.h"
#include "mlir-c/Rewrite.h"
#include "mlir-c/Support.h"
#include "mondo_backports.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the mondo runtime, e.g. "0.1.0". The string is static.
MLIR_CAPI_EXPORTED MlirStringRef mondoRuntimeVersion(void);

/// The version of the LLVM that the library was made from, e.g. "22.1.8". The string is static.
MLIR_CAPI_EXPORTED MlirStringRef mondoLlvmVersion(void);

/// Adds every dialect of the bundle, and the extensions that come with them, to the registry.
MLIR_CAPI_EXPORTED void mondoRegisterBundle(MlirDialectRegistry registry);

/// Registers every pass of the bundle with the global pass registry. Only the first call in a
/// process does anything; a call that finds another one under way waits for it.
MLIR_CAPI_EXPORTED void mondoRegisterBundlePasses(void);

/// Registers the bundle's translations (to LLVM IR) with the context.
MLIR_CAPI_EXPORTED void mondoRegisterBundleTranslations(MlirContext context);

/// Translates the module to LLVM IR, and passes its text to the callback. Fails if that cannot be,
/// and says why in diagnostics; and in a bundle that was made without the translation.
MLIR_CAPI_EXPORTED MlirLogicalResult mondoTranslateModuleToLLVMIR(
    MlirOperation module, MlirStringCallback callback, void *userData);

/// The number of dialects that the bundle was made with.
MLIR_CAPI_EXPORTED intptr_t mondoBundleDialectCount(void);

/// The name of a dialect of the bundle; they are sorted. The string is static. Empty if `index` is
/// out of range.
MLIR_CAPI_EXPORTED MlirStringRef mondoBundleDialectName(intptr_t index);

/// The address of a function of the bundle's runtime libraries, which compiled modules call, by MLIR's
/// name of it (`printNewline`). Null if the bundle has none of that name.
MLIR_CAPI_EXPORTED void *mondoRuntimeFunction(MlirStringRef name);

/// Waits until what runs in threads of the bundle's runtime libraries has ended, so that the code can
/// go. Does nothing within such a task.
MLIR_CAPI_EXPORTED void mondoRuntimeFinish(void);

/// Receives the reason of a fatal error of LLVM, before the process aborts.
typedef void (*MondoFatalErrorCallback)(MlirStringRef reason, void *userData);

/// Installs the handler that LLVM calls when it meets a state it cannot go on from (it aborts the
/// process after the call). Returns false, and changes nothing, if one is installed already.
MLIR_CAPI_EXPORTED bool
mondoInstallFatalErrorHandler(MondoFatalErrorCallback callback, void *userData);

/// Removes the handler; does nothing if there is none.
MLIR_CAPI_EXPORTED void mondoRemoveFatalErrorHandler(void);

//===----------------------------------------------------------------------===//
// Observers: learning of a death
//
// Every operation, block and block argument of the process may carry one observer, an address that
// means nothing to mondo. It travels with the object through every move, and ends with it: whoever
// destroys the object, from whatever language, the callback gets the observer.
//
// Getting and setting observers of one object is safe in any number of threads, but the object must
// not die meanwhile.
//===----------------------------------------------------------------------===//

/// Called with the observer of an operation, block or block argument when that dies, in whatever
/// thread destroys it, without any lock of mondo's held; before its memory is reused. Children die
/// before their parents. Must not call into MLIR about the object.
typedef void (*MondoDeathCallback)(void *observer);

/// Sets the one process-wide callback. Returns false and changes nothing if one is set already.
MLIR_CAPI_EXPORTED bool mondoSetDeathCallback(MondoDeathCallback callback);

/// The observer of the operation, or null.
MLIR_CAPI_EXPORTED void *mondoOperationGetObserver(MlirOperation op);

/// The observer of the operation that this one is in; null if it is in none, or that has none.
MLIR_CAPI_EXPORTED void *mondoOperationGetParentObserver(MlirOperation op);

/// Gives the operation an observer in place of the one it has; null removes it.
MLIR_CAPI_EXPORTED void mondoOperationSetObserver(MlirOperation op, void *observer);

/// The observer of the block, or null.
MLIR_CAPI_EXPORTED void *mondoBlockGetObserver(MlirBlock block);

/// Gives the block an observer in place of the one it has; null removes it.
MLIR_CAPI_EXPORTED void mondoBlockSetObserver(MlirBlock block, void *observer);

/// The observer of the block argument, or null.
MLIR_CAPI_EXPORTED void *mondoBlockArgumentGetObserver(MlirValue argument);

/// Gives the block argument an observer in place of the one it has; null removes it.
MLIR_CAPI_EXPORTED void mondoBlockArgumentSetObserver(MlirValue argument, void *observer);

/// Asks for deaths to be counted (true), or withdraws one such request (false).
MLIR_CAPI_EXPORTED void mondoCountDeaths(bool wanted);

/// A number that changed if an operation, a block or a block argument died between two calls, as long
/// as deaths are counted: what was known by address then may be something else now.
MLIR_CAPI_EXPORTED uint64_t mondoDeathCount(void);

/// Creates and destroys operations, blocks and block arguments in a context of its own, in every
/// way that MLIR has. Returns false if a death was not seen: then the library was put together
/// wrongly, and no observer can be relied on.
MLIR_CAPI_EXPORTED bool mondoHooksWork(void);

//===----------------------------------------------------------------------===//
// Making operations
//===----------------------------------------------------------------------===//

/// The parts of a new operation. The arrays are the caller's and only read.
typedef struct MondoOperationParts {
  MlirStringRef name;
  MlirLocation location;
  intptr_t nResults;
  const MlirType *results;
  intptr_t nOperands;
  const MlirValue *operands;
  intptr_t nAttributes;
  const MlirNamedAttribute *attributes;
  intptr_t nSuccessors;
  const MlirBlock *successors;
  intptr_t nRegions;
  const MlirRegion *regions;
} MondoOperationParts;

/// Makes an operation, which owns the regions from then on. It is what mlirOperationCreate does where
/// no types are inferred, without the copies of everything that an MlirOperationState has.
MLIR_CAPI_EXPORTED MlirOperation mondoOperationCreate(const MondoOperationParts *parts);

/// Fails if the verifier would refuse an operation of this name for its operands, attributes (a dictionary,
/// or null) or number of regions, and passes the verifier's message to the callback. What it would say about
/// results does not count: their types are about to be inferred.
MLIR_CAPI_EXPORTED MlirLogicalResult mondoInferenceCheck(
    MlirStringRef name, MlirLocation location, intptr_t nOperands, const MlirValue *operands,
    MlirAttribute attributes, intptr_t nRegions, MlirStringCallback callback, void *userData);

/// Fails if the operation's verifier refuses the numbers of its operands, results, regions or successors, or misses an
/// attribute, and passes the verifier's message to the callback.
MLIR_CAPI_EXPORTED bool mondoOperationHasParts(MlirOperation op, MlirStringCallback callback,
                                               void *userData);

/// Passes the names of the attributes that an operation is defined with to the callback, each with a line's end; nothing if no
/// loaded dialect has the operation.
MLIR_CAPI_EXPORTED void mondoOperationNames(MlirContext context, MlirStringRef name,
                                            MlirStringCallback callback, void *userData);

/// The operation before this one in its block, or null.
MLIR_CAPI_EXPORTED MlirOperation mondoOperationGetPrevious(MlirOperation op);

//===----------------------------------------------------------------------===//
// Inherent attributes
//
// MLIR keeps them in a form of each operation's own, sets that to null where an attribute is of the wrong
// kind, and dereferences nulls when it prints or writes the operation.
//===----------------------------------------------------------------------===//

/// As mlirOperationSetAttributeByName. Returns false, and changes nothing, if the operation does not take
/// the attribute.
MLIR_CAPI_EXPORTED bool mondoOperationSetAttribute(MlirOperation op, MlirStringRef name,
                                                   MlirAttribute attribute);

/// As mlirOperationRemoveAttributeByName. An inherent attribute that has a default gets that.
MLIR_CAPI_EXPORTED bool mondoOperationRemoveAttribute(MlirOperation op, MlirStringRef name);

/// The identity of the kind of attributes `name`, such as `gpu.object`, of a dialect that the context has loaded; null for
/// any other name.
MLIR_CAPI_EXPORTED MlirTypeID mondoAttributeKindTypeID(MlirContext context, MlirStringRef name);

/// The index of the first of the attributes that a new operation was made with and has not taken; -1 if it
/// has them all.
MLIR_CAPI_EXPORTED intptr_t mondoOperationFindLostAttribute(MlirOperation op, intptr_t count,
                                                            const MlirNamedAttribute *attributes);

/// The first operation, it or one in it, that lacks something which bytecode of this version has to have of
/// it, so that the writer would dereference a null; null if there is none.
MLIR_CAPI_EXPORTED MlirOperation mondoOperationFindUnwritable(MlirOperation op, int64_t version);

//===----------------------------------------------------------------------===//
// Reading bytecode
//
// As mlirOperationCreateParse and mlirModuleCreateParse, of bytecode that may be damaged. MLIR sets an operation's
// properties from its dictionary of attributes, and those to null whose attribute is of the wrong kind;
// verifiers and printers dereference them. So before the verifier sees the operations, those are refused
// that have lost an attribute of their dictionary. The result is null where the bytecode cannot be read, and
// diagnostics say why. `name` is the file's name in locations.
//===----------------------------------------------------------------------===//

/// A name in the dictionary of an operation: the one of this number among all operations of the file, from 0
/// on, parents before what is in them.
typedef struct MondoBytecodeName {
  intptr_t operation;
  MlirStringRef name;
} MondoBytecodeName;

/// Reads one operation. The names of all dictionaries are in the order of the operations.
MLIR_CAPI_EXPORTED MlirOperation mondoOperationReadBytecode(MlirContext context, MlirStringRef bytes,
                                                            MlirStringRef name, intptr_t count,
                                                            const MondoBytecodeName *names);

/// Reads a module: the one of the file, or a new one around its operations.
MLIR_CAPI_EXPORTED MlirOperation mondoModuleReadBytecode(MlirContext context, MlirStringRef bytes,
                                                         MlirStringRef name, intptr_t count,
                                                         const MondoBytecodeName *names);

/// Parses a module from text, as mlirModuleCreateParse does; `name` is the file's name in locations.
MLIR_CAPI_EXPORTED MlirOperation mondoModuleParse(MlirContext context, MlirStringRef text,
                                                  MlirStringRef name);

//===----------------------------------------------------------------------===//
// The place of an object in its tree
//===----------------------------------------------------------------------===//

/// True if neither the operation nor anything in it uses a value or a block that is outside of it.
MLIR_CAPI_EXPORTED bool mondoOperationIsClosed(MlirOperation op);
/// True if no operation in `op` uses a value or a block outside of it, and `op` itself none outside of the tree that it is in.
MLIR_CAPI_EXPORTED bool mondoOperationIsClosedInside(MlirOperation op);

/// The state of a tree, which says whether MLIR's own code may have it. Passes, verifiers and printers follow operands and
/// successors to what they are in, and values and blocks to their users, of which they also replace and erase some; and
/// they recurse as deep as regions nest.
typedef enum MondoTreeState {
  /// No use goes into it or out of it.
  MondoTreeIsClosed,
  /// Something in it uses a value or a block that is not.
  MondoTreeUsesOthers,
  /// Something that is not in it uses a value or a block of it.
  MondoTreeIsUsed,
  /// Its regions nest deeper than 1000 levels.
  MondoTreeIsTooDeep
} MondoTreeState;

/// The state of the tree of an operation without a parent.
MLIR_CAPI_EXPORTED MondoTreeState mondoOperationGetTreeState(MlirOperation root);

/// True if the operation's regions nest deeper than 1000 levels.
MLIR_CAPI_EXPORTED bool mondoOperationIsTooDeep(MlirOperation op);

/// As mlirOperationClone, of an operation whose operands and successors may be null. It must not be too deep.
MLIR_CAPI_EXPORTED MlirOperation mondoOperationClone(MlirOperation op);

/// The topmost ancestor of the operation, or the operation itself if it has no parent.
MLIR_CAPI_EXPORTED MlirOperation mondoOperationGetRoot(MlirOperation op);

/// The operation that the region is part of; null for a region that belongs to none.
MLIR_CAPI_EXPORTED MlirOperation mondoRegionGetParentOperation(MlirRegion region);

/// The index of the region in its operation; -1 for a region that belongs to none.
MLIR_CAPI_EXPORTED intptr_t mondoRegionGetNumber(MlirRegion region);

/// The number of uses of the block as a successor, wherever the operations are. Fills in the operations of the first
/// `capacity` of them.
MLIR_CAPI_EXPORTED intptr_t mondoBlockGetUsers(MlirBlock block, intptr_t capacity, MlirOperation *users);

/// The region that the block is in; null for a block that is in none.
MLIR_CAPI_EXPORTED MlirRegion mondoBlockGetParentRegionOrNull(MlirBlock block);

//===----------------------------------------------------------------------===//
// The depth of types, attributes and affine expressions
//
// MLIR prints and writes them by recursion. True if one nests deeper than 3000 levels, or has more than 2^28 parts when
// each is counted as often as it is printed.
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED bool mondoTypeIsTooDeep(MlirType type);
/// Also of a location, which is an attribute.
MLIR_CAPI_EXPORTED bool mondoAttributeIsTooDeep(MlirAttribute attribute);
MLIR_CAPI_EXPORTED bool mondoAffineExprIsTooDeep(MlirAffineExpr expression);

/// What is known of the things of one context, so that each part of a new thing is not gone through again.
typedef struct MondoNesting {
  void *ptr;
} MondoNesting;

MLIR_CAPI_EXPORTED MondoNesting mondoNestingCreate(void);
MLIR_CAPI_EXPORTED void mondoNestingDestroy(MondoNesting nesting);
/// Called before a structure gets its elements, which makes it and all types that it is in deeper. False if one of them
/// could become too deep; the structure must not get them then.
MLIR_CAPI_EXPORTED bool mondoNestingTakesElements(MondoNesting nesting, MlirType structure, intptr_t count,
                                                  const MlirType *elements);
/// As the functions above. The thing is of the context that the nesting is for.
MLIR_CAPI_EXPORTED bool mondoNestingTypeIsTooDeep(MondoNesting nesting, MlirType type);
MLIR_CAPI_EXPORTED bool mondoNestingAttributeIsTooDeep(MondoNesting nesting, MlirAttribute attribute);
MLIR_CAPI_EXPORTED bool mondoNestingAffineExprIsTooDeep(MondoNesting nesting, MlirAffineExpr expression);

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

/// As `mlirApplyPatternsAndFoldGreedilyWithOp`. Patterns may erase operations that others use, which then have
/// operands from an operation `builtin.unrealized_conversion_cast`.
MLIR_CAPI_EXPORTED bool mondoApplyPatternsGreedily(MlirOperation op, MlirFrozenRewritePatternSet patterns,
                                                   MlirGreedyRewriteDriverConfig config);

/// As `mlirWalkAndApplyPatterns`, likewise, and patterns may erase other operations than the one they matched.
MLIR_CAPI_EXPORTED void mondoWalkAndApplyPatterns(MlirOperation op, MlirFrozenRewritePatternSet patterns);

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// The answer of a conversion's target to an operation: always, never, if a callback says so, or if all types of the
/// operation are converted.
typedef enum MondoLegality { MondoLegal, MondoIllegal, MondoDynamic, MondoConvertedTypes } MondoLegality;

/// A rule for the operation of that name, or for the dialect of that name. If it is recursive, what is in a legal operation
/// is legal.
typedef struct MondoLegalityRule {
  MlirStringRef name;
  bool isDialect;
  bool isRecursive;
  MondoLegality legality;
} MondoLegalityRule;

/// A pattern for operations of the name `root`. It calls the conversion's callback, or gives the operation the converted types.
typedef struct MondoConversionPattern {
  MlirStringRef root;
  unsigned benefit;
  bool retypes;
} MondoConversionPattern;

typedef struct MondoConversionTypes MondoConversionTypes;
typedef struct MondoConversionRewriter MondoConversionRewriter;
typedef void (*MondoConversionTypeCallback)(MlirType type, void *data);

/// A conversion. The callbacks get `data`; `rule` and `pattern` are indices.
typedef struct MondoConversion {
  MlirContext context;
  intptr_t numRules;
  const MondoLegalityRule *rules;
  intptr_t numPatterns;
  const MondoConversionPattern *patterns;
  /// True if each operation has to become legal, not only those that are illegal.
  bool isFull;
  /// True if `materialize` may be called.
  bool materializes;
  /// True if casts between converted and unconverted types stay.
  bool keepsCasts;
  void *data;
  bool (*isLegal)(void *data, intptr_t rule, MlirOperation op);
  /// Pushes the types that the type becomes. False if there are none.
  bool (*convertType)(void *data, MlirType type, MondoConversionTypes *types);
  /// A value of the type for these values, or null. `made` may be set to an operation that is in no block, which is
  /// inserted.
  MlirValue (*materialize)(void *data, bool toSource, MlirType type, intptr_t numValues, const MlirValue *values,
                           MlirLocation location, MlirOperation *made);
  /// `counts` has the number of converted values for each operand, all of which are in `values`. Returns true if it has
  /// converted the operation.
  bool (*rewrite)(void *data, intptr_t pattern, MlirOperation op, intptr_t numOperands, const intptr_t *counts,
                  const MlirValue *values, MondoConversionRewriter *rewriter);
} MondoConversion;

/// Converts an operation and all that is in it. False if that fails, with diagnostics unless a callback has failed.
MLIR_CAPI_EXPORTED bool mondoApplyConversion(MlirOperation op, const MondoConversion *conversion);

MLIR_CAPI_EXPORTED void mondoConversionTypesPush(MondoConversionTypes *types, MlirType type);
/// Calls the callback with each type that a type becomes. False if there are none.
MLIR_CAPI_EXPORTED bool mondoConversionConvertType(MondoConversionRewriter *rewriter, MlirType type,
                                                   MondoConversionTypeCallback callback, void *data);
/// The rewriter, for `mlirRewriterBaseInsert` and the like.
MLIR_CAPI_EXPORTED MlirRewriterBase mondoConversionRewriterAsBase(MondoConversionRewriter *rewriter);
/// Moves the blocks of a region into an empty one, and converts the types of their arguments. False if a type cannot be.
MLIR_CAPI_EXPORTED bool mondoConversionMoveRegion(MondoConversionRewriter *rewriter, MlirRegion from, MlirRegion to);
/// Replaces each result of the operation by so many values as `counts` has for it. With LLVM 19 that is one.
MLIR_CAPI_EXPORTED void mondoConversionReplace(MondoConversionRewriter *rewriter, MlirOperation op,
                                               const intptr_t *counts, const MlirValue *values);
/// Erases the operation. The conversion fails if something uses its results in the end. False if the driver cannot see that,
/// so that the operation stays.
MLIR_CAPI_EXPORTED bool mondoConversionErase(MondoConversionRewriter *rewriter, MlirOperation op);

//===----------------------------------------------------------------------===//
// Conversions by patterns of a set
//
// The patterns of a set may bring a type converter each. What a program inserts while a pattern runs, without the
// rewriter, the driver has to be told of: otherwise it neither makes that legal nor takes it back.
//===----------------------------------------------------------------------===//

/// A conversion of types. It is of one context, as it remembers what types become.
typedef struct MondoTypeConverter MondoTypeConverter;

/// Sets the type that a type becomes. False if it becomes none.
typedef bool (*MondoTypeConversion)(void *data, MlirType type, MlirType *converted);

MLIR_CAPI_EXPORTED MondoTypeConverter *mondoTypeConverterCreate(MondoTypeConversion convert, void *data);
MLIR_CAPI_EXPORTED void mondoTypeConverterDestroy(MondoTypeConverter *converter);
/// Forgets what types became.
MLIR_CAPI_EXPORTED void mondoTypeConverterForget(MondoTypeConverter *converter);

/// `operands` has a converted value for each operand. Returns true if the pattern has converted the operation.
typedef bool (*MondoConvertOperation)(void *data, MlirOperation op, intptr_t numOperands, const MlirValue *operands,
                                      MlirPatternRewriter rewriter);

/// Adds a pattern. The set gives `data` to `destroy` with the pattern. The type converter has to outlive the pattern.
MLIR_CAPI_EXPORTED void mondoRewritePatternSetAddConversion(MlirRewritePatternSet set, MlirStringRef root,
                                                            unsigned benefit, const MondoTypeConverter *converter,
                                                            MondoConvertOperation convert, void (*destroy)(void *data),
                                                            void *data);

/// The folding mode is that of MlirDialectConversionFoldingMode, from 0 to 2.
typedef struct MondoConversionOptions {
  intptr_t numRules;
  const MondoLegalityRule *rules;
  bool isFull;
  bool buildsMaterializations;
  unsigned foldingMode;
} MondoConversionOptions;

/// Converts an operation and all that is in it. False if that fails.
MLIR_CAPI_EXPORTED bool mondoApplyConversionPatterns(MlirOperation op, MlirFrozenRewritePatternSet patterns,
                                                     const MondoConversionOptions *options);

/// Tells the driver that an operation, or a block, was inserted with all that is in it. The rewriter of this function and
/// of those below is one that a conversion gave to a pattern.
MLIR_CAPI_EXPORTED void mondoConversionInserted(MlirPatternRewriter rewriter, MlirOperation op);
MLIR_CAPI_EXPORTED void mondoConversionBlockInserted(MlirPatternRewriter rewriter, MlirBlock block);
/// Moves a block that is in a region into another one, before a block or to the end.
MLIR_CAPI_EXPORTED void mondoConversionMoveBlock(MlirPatternRewriter rewriter, MlirBlock block, MlirRegion to,
                                                 MlirBlock before);
/// Tells the driver that an operation is about to be changed in place.
MLIR_CAPI_EXPORTED void mondoConversionModifies(MlirPatternRewriter rewriter, MlirOperation op);
/// Erases an operation. The conversion fails if something uses its results in the end.
MLIR_CAPI_EXPORTED void mondoConversionErases(MlirPatternRewriter rewriter, MlirOperation op);
/// Converts the types of the arguments of a region's blocks. False if a type cannot be. The converter has to outlive the
/// conversion.
MLIR_CAPI_EXPORTED bool mondoConversionConvertRegion(MlirPatternRewriter rewriter, MlirRegion region,
                                                     const MondoTypeConverter *converter);
/// True if the value is defined before an operation, where that can use it.
MLIR_CAPI_EXPORTED bool mondoValueDominates(MlirValue value, MlirOperation op);

//===----------------------------------------------------------------------===//
// Interrupts
//
// MLIR has no way to end a pass pipeline from outside. Between the two calls below a SIGINT, for which
// some handler is installed, makes the pipelines of the context leave out the passes that have not
// begun, and rewrites the patterns: the IR stays as the last pass or pattern left it.
//===----------------------------------------------------------------------===//

/// Asked after a signal, in the thread that is about to run a pass or to apply a pattern, whether the
/// rest of the work is to be left out. `isStarter` is true in the thread that began. Any number of
/// threads may ask at a time. Where another thread than the starter gets false, the starter is asked
/// later.
typedef bool (*MondoInterruptQuestion)(bool isStarter, void *userData);

/// The state between mondoInterruptsBegin and mondoInterruptsEnd.
typedef struct MondoInterrupts MondoInterrupts;

/// Begins. `isMainThread` is true in the one thread that sets signal handlers; what another thread begins
/// can only be a part of work that is under way. `patterns` says that the caller itself applies patterns,
/// of which none relies on another. Null if nothing can interrupt: there is no handler for SIGINT, or
/// somebody else handles the context's actions. Until the end only this thread begins and ends work of the
/// context, or threads that run its passes.
MLIR_CAPI_EXPORTED MondoInterrupts *mondoInterruptsBegin(
    MlirContext context, bool isMainThread, bool patterns, MondoInterruptQuestion question, void *userData);

/// Ends, in the thread that began. Returns true if something was left out.
MLIR_CAPI_EXPORTED bool mondoInterruptsEnd(MondoInterrupts *interrupts);

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// Lets the context use the process's one thread pool, and switches its threading on (which must be
/// off before). The pool's threads start when there is work for them, and survive a fork: in the
/// child the pool starts anew with the next task.
MLIR_CAPI_EXPORTED void mondoContextUseSharedThreadPool(MlirContext context);

//===----------------------------------------------------------------------===//
// Dialects that are defined at run time
//===----------------------------------------------------------------------===//

/// The entries of operations in a context that are not registered, while a dialect that has them is loaded: MLIR frees such
/// an entry although operations point to it. Those operations stay unregistered.
typedef struct MondoKeptNames MondoKeptNames;

/// Begins, without names.
MLIR_CAPI_EXPORTED MondoKeptNames *mondoKeptNamesCreate(MlirContext context);

/// Keeps the entry of a name. Nothing uses operations of that name until the end.
MLIR_CAPI_EXPORTED void mondoKeptNamesAdd(MondoKeptNames *names, MlirStringRef name);

/// Ends, after the dialect was loaded, or was not.
MLIR_CAPI_EXPORTED void mondoKeptNamesDestroy(MondoKeptNames *names);

/// What checks a trait that the caller wrote. `verify` may be null: then only MLIR's own checks of the trait are made. It
/// is called with an operation, and again with `regions` when everything inside of it is valid, in whatever thread
/// verifies; it may emit errors, and changes nothing. `release`, which may be null, is called once.
typedef struct {
  bool (*verify)(MlirOperation op, bool regions, void *data);
  void (*release)(void *data);
  void *data;
} MondoDynamicTraitCallbacks;

/// Returns whether the context has an operation of this name that was defined at run time, and no verifier that the caller
/// of another function here wrote is at work.
MLIR_CAPI_EXPORTED bool mondoDynamicOperationCanChange(MlirContext context, MlirStringRef name);

/// Gives such an operation a trait, which lives as long as the context. No operation of the context is verified
/// meanwhile. Returns false if it has the trait; then the callbacks are released at once.
MLIR_CAPI_EXPORTED bool mondoDynamicOperationAddTrait(MlirContext context, MlirStringRef name, MlirTypeID trait,
                                                      MondoDynamicTraitCallbacks callbacks);

/// Says of such an operation that it has no effects and can be executed speculatively.
MLIR_CAPI_EXPORTED void mondoDynamicOperationMakePure(MlirContext context, MlirStringRef name);

/// Returns whether operations of this name have a trait.
MLIR_CAPI_EXPORTED bool mondoOperationNameHasTrait(MlirContext context, MlirStringRef name, MlirTypeID trait);

/// The trait of operations that end a block.
MLIR_CAPI_EXPORTED MlirTypeID mondoIsTerminatorTraitTypeID(void);

/// The trait of operations whose blocks need no terminator.
MLIR_CAPI_EXPORTED MlirTypeID mondoNoTerminatorTraitTypeID(void);

/// The kind of the types, or else attributes, that a dialect defines by this name at run time; null if there are none.
MLIR_CAPI_EXPORTED MlirTypeID mondoDynamicKindTypeID(MlirContext context, MlirStringRef dialect, MlirStringRef name,
                                                     bool attribute);

/// A type of a kind that the dialect defines; null, with errors at the location, if the parameters do not fit.
MLIR_CAPI_EXPORTED MlirType mondoDynamicTypeGet(MlirLocation location, MlirTypeID kind, MlirStringRef dialect,
                                                intptr_t count, const MlirAttribute *parameters);

/// An attribute of a kind that the dialect defines; null, with errors at the location, if the parameters do not fit.
MLIR_CAPI_EXPORTED MlirAttribute mondoDynamicAttributeGet(MlirLocation location, MlirTypeID kind, MlirStringRef dialect,
                                                          intptr_t count, const MlirAttribute *parameters);

/// Returns whether a type or attribute was defined at run time.
MLIR_CAPI_EXPORTED bool mondoTypeIsDynamic(MlirType type);
MLIR_CAPI_EXPORTED bool mondoAttributeIsDynamic(MlirAttribute attribute);

/// Copies the parameters of such a type or attribute, as many as there is room for, and returns how many it has.
MLIR_CAPI_EXPORTED intptr_t mondoDynamicTypeGetParameters(MlirType type, intptr_t capacity, MlirAttribute *parameters);
MLIR_CAPI_EXPORTED intptr_t mondoDynamicAttributeGetParameters(MlirAttribute attribute, intptr_t capacity,
                                                               MlirAttribute *parameters);

/// The name of such a type or attribute in its dialect.
MLIR_CAPI_EXPORTED MlirStringRef mondoDynamicTypeGetName(MlirType type);
MLIR_CAPI_EXPORTED MlirStringRef mondoDynamicAttributeGetName(MlirAttribute attribute);

#ifdef __cplusplus
}
#endif

#endif // MONDO_H
