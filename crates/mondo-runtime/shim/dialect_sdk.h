//===-- dialect_sdk.h - Dialects defined outside C++ ----------------------===//
//
// The functions under mondo-dialect, the SDK for dialects written in Rust. Their caller is in the same
// library, so nothing of this is exported, and nothing of it is promised to anyone else.
//
// A dialect is a table that lives as long as the process. Each context that loads the dialect gets
// an mlir::ExtensibleDialect made from the table; callbacks may run in any thread, at the same time.
// A `MondoSdk…` pointer that a callback gets is valid until the callback returns. No callback unwinds.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_DIALECT_SDK_H
#define MONDO_SHIM_DIALECT_SDK_H

#include "mlir-c/IR.h"
#include "mlir-c/Rewrite.h"
#include "mondo_backports.h"
#include "mlir-c/Support.h"
#include "mondo.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The receiver of a callback's error (mlir::function_ref<InFlightDiagnostic()>).
typedef struct MondoSdkDiagnostics MondoSdkDiagnostics;
/// mlir::AsmParser.
typedef struct MondoSdkParser MondoSdkParser;
/// mlir::AsmPrinter.
typedef struct MondoSdkPrinter MondoSdkPrinter;
/// An operation that is being parsed.
typedef struct MondoSdkOpParser MondoSdkOpParser;
/// mlir::OpAsmPrinter.
typedef struct MondoSdkOpPrinter MondoSdkOpPrinter;
/// A pass that runs.
typedef struct MondoSdkRun MondoSdkRun;
/// A growing list of attributes.
typedef struct MondoSdkAttributes MondoSdkAttributes;
/// A growing list of types.
typedef struct MondoSdkTypes MondoSdkTypes;
/// The results of folding an operation.
typedef struct MondoSdkFolded MondoSdkFolded;

/// A type or an attribute. `definition` is handed to the callbacks.
typedef struct MondoSdkParameterized {
  MlirStringRef name;
  const void *definition;
  bool memrefElement;
} MondoSdkParameterized;

/// How many values, regions or successors a group has.
typedef enum MondoSdkCount { MondoSdkOne, MondoSdkOptional, MondoSdkVariadic } MondoSdkCount;

/// A group of operands, results, regions or successors.
typedef struct MondoSdkGroup {
  MlirStringRef name;
  MondoSdkCount count;
} MondoSdkGroup;

/// The groups of one kind, in order.
typedef struct MondoSdkGroups {
  intptr_t count;
  const MondoSdkGroup *groups;
} MondoSdkGroups;

/// Traits of MLIR that an operation has. What follows from its groups is not among them.
typedef enum MondoSdkTrait {
  MondoSdkTraitTerminator,
  MondoSdkTraitIsolatedFromAbove,
  MondoSdkTraitSingleBlock,
  MondoSdkTraitNoTerminator,
  MondoSdkTraitNoRegionArguments,
  MondoSdkTraitSymbol,
  MondoSdkTraitSymbolTable,
  MondoSdkTraitCommutative,
  MondoSdkTraitIdempotent,
  MondoSdkTraitInvolution,
  MondoSdkTraitReturnLike,
  MondoSdkTraitConstantLike,
  MondoSdkTraitPure,
  MondoSdkTraitNoMemoryEffects,
  MondoSdkTraitRecursiveMemoryEffects,
  MondoSdkTraitRecursivelySpeculatable,
  MondoSdkTraitAlwaysSpeculatable,
  MondoSdkTraitAffineScope,
  MondoSdkTraitAutomaticAllocationScope,
  MondoSdkTraitGraphRegion,
  MondoSdkTraitSameTypeOperands,
  MondoSdkTraitSameOperandsAndResultType,
  MondoSdkTraitElementwise,
  MondoSdkTraitScalarizable,
  MondoSdkTraitVectorizable,
  MondoSdkTraitTensorizable
} MondoSdkTrait;

/// An effect on memory.
typedef enum MondoSdkEffectKind {
  MondoSdkRead,
  MondoSdkWrite,
  MondoSdkAllocate,
  MondoSdkFree
} MondoSdkEffectKind;

/// What an effect is on.
typedef enum MondoSdkEffectOn {
  MondoSdkAllMemory,
  MondoSdkOperands,
  MondoSdkResults
} MondoSdkEffectOn;

/// An effect on all memory, or on the operands or results of a group.
typedef struct MondoSdkEffect {
  MondoSdkEffectKind kind;
  MondoSdkEffectOn on;
  intptr_t group;
} MondoSdkEffect;

/// Where control flow may go: from a region, or from the operation itself (-1), to a region or to
/// the operation itself. The arguments of the region, or the results, but for the first `skipped` get
/// values: from the operation, those of the group `operands` (-1: none); from a region, what its
/// terminator forwards.
typedef struct MondoSdkEdge {
  intptr_t from;
  intptr_t to;
  intptr_t operands;
  intptr_t skipped;
} MondoSdkEdge;

/// What another dialect's operation gets, with the dialect's name in `operation`: MemoryEffectOpInterface, where a group in an
/// effect is the index of an operand or result; ConditionallySpeculatable; and DialectInlinerInterface for its dialect, which
/// lets such operations be inlined.
typedef struct MondoSdkModel {
  MlirStringRef operation;
  bool hasEffects;
  intptr_t numEffects;
  const MondoSdkEffect *effects;
  bool speculatable;
  bool inlinable;
} MondoSdkModel;

/// The loop of each dimension of a group's operands.
typedef struct MondoSdkIndexing {
  intptr_t group;
  intptr_t rank;
  const intptr_t *loops;
} MondoSdkIndexing;

/// The interfaces of an operation (mlir::detail::InterfaceMap).
typedef struct MondoSdkInterfaceMap MondoSdkInterfaceMap;
/// Adds an interface that needs more of MLIR than others. A table has the address of such a function, so that only dialects with
/// the interface link what it needs.
typedef void (*MondoSdkAddInterface)(MondoSdkInterfaceMap *interfaces, MlirContext context);

/// The interfaces of an operation. A group or attribute is an index, and -1 stands for none.
typedef struct MondoSdkInterfaces {
  /// MemoryEffectOpInterface.
  bool hasEffects;
  intptr_t numEffects;
  const MondoSdkEffect *effects;
  /// BranchOpInterface: the group of operands of each successor.
  intptr_t numBranches;
  const intptr_t *branches;
  /// RegionBranchOpInterface.
  intptr_t numEdges;
  const MondoSdkEdge *edges;
  /// RegionBranchTerminatorOpInterface: the group that is handed on. Operations with the trait ReturnLike
  /// hand on all operands.
  bool forwards;
  intptr_t forwarded;
  /// CallOpInterface: the attribute that names the function, or the group of the called value, and the group of
  /// the arguments.
  bool calls;
  intptr_t callee;
  intptr_t calleeOperand;
  intptr_t callArguments;
  /// CallableOpInterface: the attribute with the function's type. Its body is the first region. A `function` also has
  /// FunctionOpInterface: passes may change its type, its arguments and their attributes.
  bool callable;
  bool function;
  intptr_t functionType;
  /// LoopLikeOpInterface: the body is the first region, whose first arguments are the induction variables; `inits` is the
  /// group of the values that the further arguments begin with.
  bool loops;
  intptr_t inductionVariables;
  intptr_t inits;
  /// ViewLikeOpInterface: the group of the operand that the first result is a view of.
  intptr_t viewed;
  /// DestinationStyleOpInterface: the group of the operands that the results are written to.
  intptr_t destinations;
  /// BufferizableOpInterface: on buffers, the operation is the same without the results that are tensors. It has destinations.
  MondoSdkAddInterface addBufferization;
  /// TilingInterface: the loops, which are parallel or reductions, and the groups that are sliced. An operation without
  /// `indexings` has a parallel loop for each dimension of its first destination, and all its tensors and memrefs are sliced
  /// alike. It has destinations.
  MondoSdkAddInterface addTiling;
  intptr_t numLoops;
  const bool *reductions;
  intptr_t numIndexings;
  const MondoSdkIndexing *indexings;
} MondoSdkInterfaces;

void mondoSdkAddBufferization(MondoSdkInterfaceMap *interfaces, MlirContext context);
void mondoSdkAddTiling(MondoSdkInterfaceMap *interfaces, MlirContext context);

typedef struct MondoSdkCallbacks MondoSdkCallbacks;

/// A rewrite pattern for operations of the name `root`. `definition` is handed to the callbacks.
typedef struct MondoSdkPattern {
  MlirStringRef name;
  MlirStringRef root;
  const void *definition;
  const MondoSdkCallbacks *callbacks;
  uint16_t benefit;
} MondoSdkPattern;

/// What a pattern has done. If it failed, it has changed nothing and reported the error.
typedef enum MondoSdkRewritten { MondoSdkNotMatched, MondoSdkMatched, MondoSdkFailed } MondoSdkRewritten;

/// The kind of an option of a pass.
typedef enum MondoSdkOptionKind { MondoSdkFlag, MondoSdkInteger, MondoSdkText } MondoSdkOptionKind;

/// An option of a pass; `initial` is its value where none is given.
typedef struct MondoSdkOption {
  MlirStringRef name;
  MlirStringRef summary;
  MondoSdkOptionKind kind;
  MlirStringRef initial;
} MondoSdkOption;

typedef struct MondoSdkStatistic {
  MlirStringRef name;
  MlirStringRef summary;
} MondoSdkStatistic;

/// A pass; `operation` is the operation that it runs on, or empty. `definition` is handed to the callbacks. It calls `runPass` if
/// `runs`, and then applies its patterns until none matches.
typedef struct MondoSdkPass {
  MlirStringRef name;
  MlirStringRef summary;
  MlirStringRef operation;
  const void *definition;
  const MondoSdkCallbacks *callbacks;
  bool runs;
  intptr_t numOptions;
  const MondoSdkOption *options;
  intptr_t numStatistics;
  const MondoSdkStatistic *statistics;
  intptr_t numPatterns;
  const MondoSdkPattern *patterns;
} MondoSdkPass;

/// An operation; its name is with the dialect's. `definition` is handed to the callbacks.
typedef struct MondoSdkOp {
  MlirStringRef name;
  const void *definition;
  const MondoSdkCallbacks *callbacks;
  intptr_t numTraits;
  const MondoSdkTrait *traits;
  intptr_t numAttributes;
  const MlirStringRef *attributes;
  MondoSdkGroups operands;
  MondoSdkGroups results;
  MondoSdkGroups regions;
  MondoSdkGroups successors;
  /// The operation that ends a block of its regions where no terminator is written; empty if there is none.
  MlirStringRef terminator;
  MondoSdkInterfaces interfaces;
  bool folds;
  bool infers;
  bool hasAssembly;
  bool hasDefaults;
  intptr_t numPatterns;
  const MondoSdkPattern *patterns;
  bool inlinable;
} MondoSdkOp;

/// The time at which an operation is verified: its parts, then what its definition alone cannot say, and that
/// again after all that is in its regions was verified.
typedef enum MondoSdkVerification {
  MondoSdkVerifyParts,
  MondoSdkVerifyWhole,
  MondoSdkVerifyRegions
} MondoSdkVerification;

/// What becomes of a type: a conversion that does not know it is asked before the dialect's own fails.
typedef enum MondoSdkLoweredType {
  MondoSdkTypeUnknown,
  MondoSdkTypeLowered,
  MondoSdkTypeFailed
} MondoSdkLoweredType;

/// The callbacks of a dialect. Unless a comment says otherwise, they return true for success. A
/// failure has been reported before they return.
struct MondoSdkCallbacks {
  bool (*verifyParameters)(const void *definition, MondoSdkDiagnostics *diagnostics, intptr_t count,
                           const MlirAttribute *parameters);
  bool (*parseParameters)(const void *definition, MlirContext context, MondoSdkParser *parser,
                          MondoSdkAttributes *parameters);
  void (*printParameters)(const void *definition, MlirContext context, MondoSdkPrinter *printer,
                          intptr_t count, const MlirAttribute *parameters);
  bool (*verifyOp)(const void *definition, MlirOperation op, MondoSdkVerification when);
  bool (*parseOp)(const void *definition, MlirContext context, MondoSdkOpParser *parser);
  void (*printOp)(const void *definition, MlirOperation op, MondoSdkOpPrinter *printer);
  /// Returns true if `folded` has results now.
  bool (*fold)(const void *definition, MlirOperation op, intptr_t count,
               const MlirAttribute *constants, MondoSdkFolded *folded);
  /// `location` may be null: then nothing is reported.
  bool (*infer)(const void *definition, MlirContext context, MlirLocation location, intptr_t count,
                const MlirValue *operands, MlirAttribute attributes, intptr_t numRegions,
                const MlirRegion *regions, MondoSdkTypes *types);
  /// Returns true if the attribute is a constant of the type.
  bool (*acceptsConstant)(const void *definition, MlirAttribute value, MlirType type);
  /// Adds the default of each attribute of an operation to the list, or null where there is none.
  void (*defaults)(const void *definition, MlirContext context, MondoSdkAttributes *defaults);
  MondoSdkRewritten (*rewrite)(const void *definition, MlirOperation op, MlirPatternRewriter rewriter);
  bool (*runPass)(const void *definition, MlirOperation op, MondoSdkRun *run);
  /// Returns true if the pattern has matched. If it failed, it has changed nothing and reported the error.
  bool (*lower)(const void *definition, MlirOperation op, intptr_t numOperands, const intptr_t *counts,
                const MlirValue *values, MondoConversionRewriter *rewriter);
  MondoSdkLoweredType (*lowerType)(const void *definition, MlirType type, MlirType *lowered);
};

/// A conversion pattern of `convert-to-llvm`, for operations of the name `root`. `definition` is handed to `lower`.
typedef struct MondoSdkLoweringPattern {
  MlirStringRef root;
  const void *definition;
  uint16_t benefit;
} MondoSdkLoweringPattern;

typedef struct MondoSdkDialect MondoSdkDialect;
/// Adds an interface to a dialect (mlir::Dialect) that is being loaded.
typedef void (*MondoSdkAddDialectInterface)(void *dialect, const MondoSdkDialect *table);

/// ConvertToLLVMPatternInterface: the patterns, and what the dialect's types become. `add` is the function below, or null.
typedef struct MondoSdkToLlvm {
  MondoSdkAddDialectInterface add;
  intptr_t numPatterns;
  const MondoSdkLoweringPattern *patterns;
  bool convertsTypes;
  /// Is handed to `lowerType`.
  const void *definition;
} MondoSdkToLlvm;

void mondoSdkAddToLlvm(void *dialect, const MondoSdkDialect *table);

/// A dialect. `definition` is handed to `acceptsConstant`. `constantOp` is the operation that constants
/// become, named in full; empty if there is none.
struct MondoSdkDialect {
  MlirStringRef name;
  const void *definition;
  const MondoSdkCallbacks *callbacks;
  intptr_t numDepends;
  const MlirStringRef *depends;
  intptr_t numTypes;
  const MondoSdkParameterized *types;
  intptr_t numAttributes;
  const MondoSdkParameterized *attributes;
  intptr_t numOps;
  const MondoSdkOp *ops;
  intptr_t numPasses;
  const MondoSdkPass *passes;
  MlirStringRef constantOp;
  MlirStringRef constantAttribute;
  /// Of operations of the dialects that this one depends on. One that cannot be added is an error, and no operation of the
  /// dialect is valid then.
  intptr_t numModels;
  const MondoSdkModel *models;
  MondoSdkToLlvm toLlvm;
};

/// Adds the dialect to the registry. The table and all that it points to stay as they are until the
/// process ends; its address is the dialect's TypeID. An operation that infers takes one of a fixed
/// number of places in the process: false, and nothing added, if they are used up.
bool mondoSdkRegisterDialect(MlirDialectRegistry registry, const MondoSdkDialect *dialect);

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

/// The type of that name of a loaded dialect; null, with the diagnostics told why, if the parameters
/// are refused, and null without a word if there is no such type.
MlirType mondoSdkTypeGet(MlirContext context, MlirLocation location, MlirStringRef dialect,
                         MlirStringRef name, intptr_t count, const MlirAttribute *parameters);
/// True if it is the type of that name.
bool mondoSdkTypeIs(MlirType type, MlirStringRef dialect, MlirStringRef name);
/// The number of parameters of a type that one of the functions above recognises.
intptr_t mondoSdkTypeGetNumParameters(MlirType type);
MlirAttribute mondoSdkTypeGetParameter(MlirType type, intptr_t index);

MlirAttribute mondoSdkAttributeGet(MlirContext context, MlirLocation location, MlirStringRef dialect,
                                   MlirStringRef name, intptr_t count,
                                   const MlirAttribute *parameters);
bool mondoSdkAttributeIs(MlirAttribute attribute, MlirStringRef dialect, MlirStringRef name);
intptr_t mondoSdkAttributeGetNumParameters(MlirAttribute attribute);
MlirAttribute mondoSdkAttributeGetParameter(MlirAttribute attribute, intptr_t index);

void mondoSdkAttributesPush(MondoSdkAttributes *attributes, MlirAttribute attribute);
/// Adds null.
void mondoSdkAttributesPushNothing(MondoSdkAttributes *attributes);
void mondoSdkTypesPush(MondoSdkTypes *types, MlirType type);
void mondoSdkFoldedPushAttribute(MondoSdkFolded *folded, MlirAttribute attribute);
void mondoSdkFoldedPushValue(MondoSdkFolded *folded, MlirValue value);

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The definition of an operation; null if it is of no dialect that was registered here.
const void *mondoSdkOpDefinition(MlirOperation op);
/// The innermost operation around one that is isolated from above, or else the outermost; null if there is none.
MlirOperation mondoSdkIsolatedAncestor(MlirOperation op);
/// The operands or results of a group of such an operation. Where the numbers of the groups do not fit the operation, which
/// its verifier refuses, the group is empty.
void mondoSdkOpOperandGroup(MlirOperation op, intptr_t group, intptr_t *first, intptr_t *count);
void mondoSdkOpResultGroup(MlirOperation op, intptr_t group, intptr_t *first, intptr_t *count);

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// The value of an option of that index, which is of that kind. A text lives as long as the run.
bool mondoSdkRunFlag(MondoSdkRun *run, intptr_t option);
int64_t mondoSdkRunInteger(MondoSdkRun *run, intptr_t option);
MlirStringRef mondoSdkRunText(MondoSdkRun *run, intptr_t option);
/// Adds to the statistic of that index.
void mondoSdkRunCount(MondoSdkRun *run, intptr_t statistic, uint64_t number);

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

void mondoSdkEmit(MondoSdkDiagnostics *diagnostics, MlirStringRef message);
/// An error that begins with the operation's name.
void mondoSdkEmitOpError(MlirOperation op, MlirStringRef message);
void mondoSdkEmitError(MlirLocation location, MlirStringRef message);
/// Makes the next verification of an operation of the dialect in this context fail. For errors in
/// callbacks that MLIR gives no way to fail.
void mondoSdkFailNextVerification(MlirOperation op);

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// A place in the text.
typedef struct MondoSdkPlace {
  const char *at;
} MondoSdkPlace;

MondoSdkPlace mondoSdkParserPlace(MondoSdkParser *parser);
void mondoSdkParserEmit(MondoSdkParser *parser, MondoSdkPlace place, MlirStringRef message);
/// Takes a token if it is there: one of `< > ( ) [ ] { } , : = + - * / ? |` or `->`, or a keyword. False
/// if it is not.
bool mondoSdkParserTake(MondoSdkParser *parser, MlirStringRef token);
/// Takes a token like mondoSdkParserTake, and reports an error if it is not there.
bool mondoSdkParserExpect(MondoSdkParser *parser, MlirStringRef token);
/// Any keyword. The text lives as long as the source.
bool mondoSdkParserKeyword(MondoSdkParser *parser, MlirStringRef *keyword);
/// A string in quotes; the callback gets what it stands for.
bool mondoSdkParserString(MondoSdkParser *parser, MlirStringCallback callback, void *userData);
bool mondoSdkParserInteger(MondoSdkParser *parser, int64_t *value);
bool mondoSdkParserType(MondoSdkParser *parser, MlirType *type);
/// A type, if there is one; `*type` stays as it is if there is none.
bool mondoSdkParserOptionalType(MondoSdkParser *parser, MlirType *type);
/// An attribute; of `type` if that is not null, which is then not written.
bool mondoSdkParserAttribute(MondoSdkParser *parser, MlirType type, MlirAttribute *attribute);

/// The parser of types, attributes and tokens that an operation's parser has.
MondoSdkParser *mondoSdkOpParserBase(MondoSdkOpParser *parser);
/// The location of the operation.
MlirLocation mondoSdkOpParserLocation(MondoSdkOpParser *parser);
/// One operand, or any number with commas between; each is kept under the next index from zero.
bool mondoSdkOpParserOperand(MondoSdkOpParser *parser);
bool mondoSdkOpParserOperands(MondoSdkOpParser *parser);
intptr_t mondoSdkOpParserNumOperands(MondoSdkOpParser *parser);
/// Gives the operation the operand of that index, which is of that type.
bool mondoSdkOpParserResolve(MondoSdkOpParser *parser, intptr_t index, MlirType type);
bool mondoSdkOpParserAttrDict(MondoSdkOpParser *parser);
/// The same after the keyword `attributes`, if that is there.
bool mondoSdkOpParserAttributes(MondoSdkOpParser *parser);
/// An operand, if there is one. `*found` says so.
bool mondoSdkOpParserOptionalOperand(MondoSdkOpParser *parser, bool *found);
/// A symbol's name, which becomes an attribute.
bool mondoSdkOpParserSymbolName(MondoSdkOpParser *parser, MlirStringRef attribute);
/// Arguments of the region that is read next, with their types, in parentheses.
bool mondoSdkOpParserArguments(MondoSdkOpParser *parser);
/// The region of that index. The arguments read before are those of its first block.
bool mondoSdkOpParserRegion(MondoSdkOpParser *parser, intptr_t index);
/// A region, if there is one.
bool mondoSdkOpParserOptionalRegion(MondoSdkOpParser *parser, intptr_t index, bool *found);
bool mondoSdkOpParserSuccessor(MondoSdkOpParser *parser);
/// A successor, if there is one.
bool mondoSdkOpParserOptionalSuccessor(MondoSdkOpParser *parser, bool *found);
intptr_t mondoSdkOpParserNumSuccessors(MondoSdkOpParser *parser);
void mondoSdkOpParserAddAttribute(MondoSdkOpParser *parser, MlirStringRef name,
                                  MlirAttribute attribute);
void mondoSdkOpParserAddType(MondoSdkOpParser *parser, MlirType type);
/// Adds the types that the operation infers from its operands and attributes.
bool mondoSdkOpParserInfer(MondoSdkOpParser *parser);

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void mondoSdkPrinterText(MondoSdkPrinter *printer, MlirStringRef text);
/// The text in quotes, with what needs it escaped.
void mondoSdkPrinterString(MondoSdkPrinter *printer, MlirStringRef text);
void mondoSdkPrinterType(MondoSdkPrinter *printer, MlirType type);
void mondoSdkPrinterAttribute(MondoSdkPrinter *printer, MlirAttribute attribute, bool withType);
MondoSdkPrinter *mondoSdkOpPrinterBase(MondoSdkOpPrinter *printer);
void mondoSdkOpPrinterOperand(MondoSdkOpPrinter *printer, MlirValue value);
/// The attributes of the operation but for those named.
void mondoSdkOpPrinterAttrDict(MondoSdkOpPrinter *printer, MlirOperation op, intptr_t count,
                               const MlirStringRef *elided);

/// The same with the keyword `attributes` before them.
void mondoSdkOpPrinterAttributes(MondoSdkOpPrinter *printer, MlirOperation op, intptr_t count,
                                 const MlirStringRef *elided);
void mondoSdkOpPrinterSymbolName(MondoSdkOpPrinter *printer, MlirStringRef name);
/// The arguments of a block with their types, in parentheses.
void mondoSdkOpPrinterArguments(MondoSdkOpPrinter *printer, MlirBlock block);
void mondoSdkOpPrinterSuccessor(MondoSdkOpPrinter *printer, MlirBlock block);
/// A region; with the arguments of its first block if `withArguments`, and without the terminator that is
/// understood.
void mondoSdkOpPrinterRegion(MondoSdkOpPrinter *printer, MlirRegion region, bool withArguments);

#ifdef __cplusplus
}
#endif

#endif // MONDO_SHIM_DIALECT_SDK_H
