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
#include "mlir-c/Support.h"

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

/// An operation; its name is with the dialect's. `definition` is handed to the callbacks.
typedef struct MondoSdkOp {
  MlirStringRef name;
  const void *definition;
  intptr_t numAttributes;
  const MlirStringRef *attributes;
  bool pure;
  bool commutative;
  bool constantLike;
  bool folds;
  bool infers;
  bool hasAssembly;
} MondoSdkOp;

/// The callbacks of a dialect. Unless a comment says otherwise, they return true for success. A
/// failure has been reported before they return.
typedef struct MondoSdkCallbacks {
  bool (*verifyParameters)(const void *definition, MondoSdkDiagnostics *diagnostics, intptr_t count,
                           const MlirAttribute *parameters);
  bool (*parseParameters)(const void *definition, MlirContext context, MondoSdkParser *parser,
                          MondoSdkAttributes *parameters);
  void (*printParameters)(const void *definition, MlirContext context, MondoSdkPrinter *printer,
                          intptr_t count, const MlirAttribute *parameters);
  bool (*verifyOp)(const void *definition, MlirOperation op);
  bool (*parseOp)(const void *definition, MlirContext context, MondoSdkOpParser *parser);
  void (*printOp)(const void *definition, MlirOperation op, MondoSdkOpPrinter *printer);
  /// Returns true if `folded` has results now.
  bool (*fold)(const void *definition, MlirOperation op, intptr_t count,
               const MlirAttribute *constants, MondoSdkFolded *folded);
  /// `location` may be null: then nothing is reported.
  bool (*infer)(const void *definition, MlirContext context, MlirLocation location, intptr_t count,
                const MlirValue *operands, MlirAttribute attributes, MondoSdkTypes *types);
  /// Returns true if the attribute is a constant of the type.
  bool (*acceptsConstant)(const void *definition, MlirAttribute value, MlirType type);
} MondoSdkCallbacks;

/// A dialect. `definition` is handed to `acceptsConstant`. `constantOp` is the operation that constants
/// become, named in full; empty if there is none.
typedef struct MondoSdkDialect {
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
  MlirStringRef constantOp;
  MlirStringRef constantAttribute;
} MondoSdkDialect;

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
void mondoSdkTypesPush(MondoSdkTypes *types, MlirType type);
void mondoSdkFoldedPushAttribute(MondoSdkFolded *folded, MlirAttribute attribute);
void mondoSdkFoldedPushValue(MondoSdkFolded *folded, MlirValue value);

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

#ifdef __cplusplus
}
#endif

#endif // MONDO_SHIM_DIALECT_SDK_H
