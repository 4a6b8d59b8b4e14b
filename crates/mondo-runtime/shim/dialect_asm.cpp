//===-- dialect_asm.cpp - Parsing and printing for dialect_sdk.h ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"
#include "properties.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mondo;

namespace {

AsmParser &unwrap(MondoSdkParser *parser) { return *reinterpret_cast<AsmParser *>(parser); }
OpParser &unwrap(MondoSdkOpParser *parser) { return *reinterpret_cast<OpParser *>(parser); }
AsmPrinter &unwrap(MondoSdkPrinter *printer) { return *reinterpret_cast<AsmPrinter *>(printer); }
OpAsmPrinter &unwrap(MondoSdkOpPrinter *printer) {
  return *reinterpret_cast<OpAsmPrinter *>(printer);
}

/// The two functions of MLIR's parser for one token.
struct Token {
  ParseResult (AsmParser::*expect)();
  ParseResult (AsmParser::*take)();
};

Token token(StringRef text) {
  using P = AsmParser;
  return llvm::StringSwitch<Token>(text)
      .Case("<", {&P::parseLess, &P::parseOptionalLess})
      .Case(">", {&P::parseGreater, &P::parseOptionalGreater})
      .Case("(", {&P::parseLParen, &P::parseOptionalLParen})
      .Case(")", {&P::parseRParen, &P::parseOptionalRParen})
      .Case("[", {&P::parseLSquare, &P::parseOptionalLSquare})
      .Case("]", {&P::parseRSquare, &P::parseOptionalRSquare})
      .Case("{", {&P::parseLBrace, &P::parseOptionalLBrace})
      .Case("}", {&P::parseRBrace, &P::parseOptionalRBrace})
      .Case(",", {&P::parseComma, &P::parseOptionalComma})
      .Case(":", {&P::parseColon, &P::parseOptionalColon})
      .Case("=", {&P::parseEqual, &P::parseOptionalEqual})
      .Case("+", {&P::parsePlus, &P::parseOptionalPlus})
#if LLVM_VERSION_MAJOR >= 22
      // Older parsers do not have these; a dialect that asks for them is told that they are missing.
      .Case("-", {&P::parseMinus, &P::parseOptionalMinus})
      .Case("/", {&P::parseSlash, &P::parseOptionalSlash})
#endif
      .Case("*", {&P::parseStar, &P::parseOptionalStar})
      .Case("?", {&P::parseQuestion, &P::parseOptionalQuestion})
      .Case("|", {&P::parseVerticalBar, &P::parseOptionalVerticalBar})
      .Case("->", {&P::parseArrow, &P::parseOptionalArrow})
      .Default({nullptr, nullptr});
}

} // namespace

extern "C" MondoSdkPlace mondoSdkParserPlace(MondoSdkParser *parser) {
  return {unwrap(parser).getCurrentLocation().getPointer()};
}

extern "C" void mondoSdkParserEmit(MondoSdkParser *parser, MondoSdkPlace place,
                                   MlirStringRef message) {
  unwrap(parser).emitError(SMLoc::getFromPointer(place.at)) << ::unwrap(message);
}

extern "C" bool mondoSdkParserTake(MondoSdkParser *parser, MlirStringRef text) {
  Token found = token(::unwrap(text));
  if (found.take)
    return succeeded((unwrap(parser).*found.take)());
  return succeeded(unwrap(parser).parseOptionalKeyword(::unwrap(text)));
}

extern "C" bool mondoSdkParserExpect(MondoSdkParser *parser, MlirStringRef text) {
  Token found = token(::unwrap(text));
  if (found.expect)
    return succeeded((unwrap(parser).*found.expect)());
  return succeeded(unwrap(parser).parseKeyword(::unwrap(text)));
}

extern "C" bool mondoSdkParserKeyword(MondoSdkParser *parser, MlirStringRef *keyword) {
  StringRef found;
  if (unwrap(parser).parseKeyword(&found))
    return false;
  *keyword = wrap(found);
  return true;
}

extern "C" bool mondoSdkParserString(MondoSdkParser *parser, MlirStringCallback callback,
                                     void *userData) {
  std::string found;
  if (unwrap(parser).parseString(&found))
    return false;
  callback(wrap(StringRef(found)), userData);
  return true;
}

extern "C" bool mondoSdkParserInteger(MondoSdkParser *parser, int64_t *value) {
  return succeeded(unwrap(parser).parseInteger(*value));
}

extern "C" bool mondoSdkParserType(MondoSdkParser *parser, MlirType *type) {
  Type found;
  if (unwrap(parser).parseType(found))
    return false;
  *type = wrap(found);
  return true;
}

extern "C" bool mondoSdkParserOptionalType(MondoSdkParser *parser, MlirType *type) {
  Type found;
  const OptionalParseResult result = unwrap(parser).parseOptionalType(found);
  if (!result.has_value())
    return true;
  if (failed(*result))
    return false;
  *type = wrap(found);
  return true;
}

extern "C" bool mondoSdkParserAttribute(MondoSdkParser *parser, MlirType type,
                                        MlirAttribute *attribute) {
  Attribute found;
  if (unwrap(parser).parseAttribute(found, ::unwrap(type)))
    return false;
  *attribute = wrap(found);
  return true;
}

extern "C" MondoSdkParser *mondoSdkOpParserBase(MondoSdkOpParser *parser) {
  return toOpaque<MondoSdkParser>(static_cast<AsmParser *>(&unwrap(parser).parser));
}

extern "C" MlirLocation mondoSdkOpParserLocation(MondoSdkOpParser *parser) {
  return wrap(unwrap(parser).state.location);
}

extern "C" bool mondoSdkOpParserOperand(MondoSdkOpParser *parser) {
  return succeeded(unwrap(parser).parser.parseOperand(unwrap(parser).operands.emplace_back()));
}

extern "C" bool mondoSdkOpParserOperands(MondoSdkOpParser *parser) {
  return succeeded(unwrap(parser).parser.parseOperandList(unwrap(parser).operands));
}

extern "C" intptr_t mondoSdkOpParserNumOperands(MondoSdkOpParser *parser) {
  return unwrap(parser).operands.size();
}

extern "C" bool mondoSdkOpParserResolve(MondoSdkOpParser *parser, intptr_t index, MlirType type) {
  OpParser &session = unwrap(parser);
  return succeeded(session.parser.resolveOperand(session.operands[index], ::unwrap(type),
                                                 session.state.operands));
}

extern "C" bool mondoSdkOpParserAttrDict(MondoSdkOpParser *parser) {
  return succeeded(unwrap(parser).parser.parseOptionalAttrDict(unwrap(parser).state.attributes));
}

extern "C" void mondoSdkOpParserAddAttribute(MondoSdkOpParser *parser, MlirStringRef name,
                                             MlirAttribute attribute) {
  unwrap(parser).state.addAttribute(::unwrap(name), ::unwrap(attribute));
}

extern "C" void mondoSdkOpParserAddType(MondoSdkOpParser *parser, MlirType type) {
  unwrap(parser).state.addTypes(::unwrap(type));
}

extern "C" bool mondoSdkOpParserInfer(MondoSdkOpParser *parser) {
  OperationState &state = unwrap(parser).state;
  MLIRContext *context = state.getContext();
  auto *interface = state.name.getInterface<InferTypeOpInterface>();
  SmallVector<Type> types;
  if (!interface ||
      failed(interface->inferReturnTypes(context, state.location, state.operands,
                                         state.attributes.getDictionary(context),
                                         mondo::noProperties(), state.regions, types)))
    return false;
  state.addTypes(types);
  return true;
}

extern "C" void mondoSdkPrinterText(MondoSdkPrinter *printer, MlirStringRef text) {
  unwrap(printer) << ::unwrap(text);
}

extern "C" void mondoSdkPrinterString(MondoSdkPrinter *printer, MlirStringRef text) {
  unwrap(printer).printString(::unwrap(text));
}

extern "C" void mondoSdkPrinterType(MondoSdkPrinter *printer, MlirType type) {
  unwrap(printer).printType(::unwrap(type));
}

extern "C" void mondoSdkPrinterAttribute(MondoSdkPrinter *printer, MlirAttribute attribute,
                                         bool withType) {
  if (withType)
    unwrap(printer).printAttribute(::unwrap(attribute));
  else
    unwrap(printer).printAttributeWithoutType(::unwrap(attribute));
}

extern "C" MondoSdkPrinter *mondoSdkOpPrinterBase(MondoSdkOpPrinter *printer) {
  return toOpaque<MondoSdkPrinter>(static_cast<AsmPrinter *>(&unwrap(printer)));
}

extern "C" void mondoSdkOpPrinterOperand(MondoSdkOpPrinter *printer, MlirValue value) {
  unwrap(printer).printOperand(::unwrap(value));
}

extern "C" void mondoSdkOpPrinterAttrDict(MondoSdkOpPrinter *printer, MlirOperation op,
                                          intptr_t count, const MlirStringRef *elided) {
  SmallVector<StringRef> names;
  for (intptr_t i = 0; i < count; ++i)
    names.push_back(::unwrap(elided[i]));
  unwrap(printer).printOptionalAttrDict(::unwrap(op)->getAttrs(), names);
}
