//===-- dialect_regions.cpp - Regions and successors in custom forms ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mondo;

static OpParser &sessionOf(MondoSdkOpParser *parser) {
  return *reinterpret_cast<OpParser *>(parser);
}
static OpAsmPrinter &printerOf(MondoSdkOpPrinter *printer) {
  return *reinterpret_cast<OpAsmPrinter *>(printer);
}

/// The region of that index of what is read.
static Region &regionAt(OpParser &session, intptr_t index) {
  while (static_cast<intptr_t>(session.state.regions.size()) <= index)
    session.state.addRegion();
  return *session.state.regions[index];
}

/// Ends each block of the region that has no terminator with the operation of that name.
static void terminate(Region &region, const MondoSdkOp &op, OpBuilder &builder, Location location) {
  const StringRef name = unwrap(op.terminator);
  for (Block &block : region) {
    if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&block);
    OperationState state(location, name);
    builder.create(state);
  }
}

ParseResult mondo::completeRegions(OpParser &session) {
  const MondoSdkOp &op = session.op;
  intptr_t wanted = 0;
  while (wanted < op.regions.count && op.regions.groups[wanted].count != MondoSdkVariadic)
    ++wanted;
  if (wanted > 0)
    (void)regionAt(session, wanted - 1);
  if (op.terminator.length == 0)
    return success();
  OpBuilder builder(session.parser.getContext());
  for (std::unique_ptr<Region> &region : session.state.regions)
    if (!region->empty())
      terminate(*region, op, builder, session.state.location);
  return success();
}

//===----------------------------------------------------------------------===//
// dialect_sdk.h
//===----------------------------------------------------------------------===//

extern "C" bool mondoSdkOpParserOptionalOperand(MondoSdkOpParser *parser, bool *found) {
  OpAsmParser::UnresolvedOperand operand;
  const OptionalParseResult result = sessionOf(parser).parser.parseOptionalOperand(operand);
  *found = result.has_value();
  if (!*found)
    return true;
  if (failed(*result))
    return false;
  sessionOf(parser).operands.push_back(operand);
  return true;
}

extern "C" bool mondoSdkOpParserAttributes(MondoSdkOpParser *parser) {
  OpParser &session = sessionOf(parser);
  return succeeded(session.parser.parseOptionalAttrDictWithKeyword(session.state.attributes));
}

extern "C" bool mondoSdkOpParserSymbolName(MondoSdkOpParser *parser, MlirStringRef attribute) {
  OpParser &session = sessionOf(parser);
  StringAttr name;
  if (session.parser.parseSymbolName(name))
    return false;
  session.state.addAttribute(unwrap(attribute), name);
  return true;
}

extern "C" bool mondoSdkOpParserArguments(MondoSdkOpParser *parser) {
  OpParser &session = sessionOf(parser);
  return succeeded(session.parser.parseArgumentList(
      session.arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true));
}

extern "C" bool mondoSdkOpParserRegion(MondoSdkOpParser *parser, intptr_t index) {
  OpParser &session = sessionOf(parser);
  Region &region = regionAt(session, index);
  const ParseResult result = session.parser.parseRegion(region, session.arguments);
  // A body in braces with nothing in it is a block, where one without terminator is meant.
  if (succeeded(result) && region.empty() && session.op.terminator.length > 0)
    region.emplaceBlock();
  session.arguments.clear();
  return succeeded(result);
}

extern "C" bool mondoSdkOpParserOptionalRegion(MondoSdkOpParser *parser, intptr_t index,
                                               bool *found) {
  OpParser &session = sessionOf(parser);
  auto region = std::make_unique<Region>();
  const OptionalParseResult result =
      session.parser.parseOptionalRegion(*region, session.arguments);
  session.arguments.clear();
  *found = result.has_value();
  if (!*found)
    return true;
  if (failed(*result))
    return false;
  Region &into = regionAt(session, index);
  into.takeBody(*region);
  if (into.empty() && session.op.terminator.length > 0)
    into.emplaceBlock();
  return true;
}

extern "C" bool mondoSdkOpParserSuccessor(MondoSdkOpParser *parser) {
  OpParser &session = sessionOf(parser);
  Block *successor = nullptr;
  if (session.parser.parseSuccessor(successor))
    return false;
  session.state.addSuccessors(successor);
  return true;
}

extern "C" bool mondoSdkOpParserOptionalSuccessor(MondoSdkOpParser *parser, bool *found) {
  OpParser &session = sessionOf(parser);
  Block *successor = nullptr;
  const OptionalParseResult result = session.parser.parseOptionalSuccessor(successor);
  *found = result.has_value();
  if (!*found)
    return true;
  if (failed(*result))
    return false;
  session.state.addSuccessors(successor);
  return true;
}

extern "C" intptr_t mondoSdkOpParserNumSuccessors(MondoSdkOpParser *parser) {
  return sessionOf(parser).state.successors.size();
}

extern "C" void mondoSdkOpPrinterAttributes(MondoSdkOpPrinter *printer, MlirOperation op,
                                            intptr_t count, const MlirStringRef *elided) {
  SmallVector<StringRef> names;
  for (intptr_t i = 0; i < count; ++i)
    names.push_back(unwrap(elided[i]));
  printerOf(printer).printOptionalAttrDictWithKeyword(unwrap(op)->getAttrs(), names);
}

extern "C" void mondoSdkOpPrinterSymbolName(MondoSdkOpPrinter *printer, MlirStringRef name) {
  printerOf(printer).printSymbolName(unwrap(name));
}

extern "C" void mondoSdkOpPrinterArguments(MondoSdkOpPrinter *printer, MlirBlock block) {
  OpAsmPrinter &out = printerOf(printer);
  out << '(';
  llvm::interleaveComma(unwrap(block)->getArguments(), out,
                        [&](BlockArgument argument) { out.printRegionArgument(argument); });
  out << ')';
}

extern "C" void mondoSdkOpPrinterSuccessor(MondoSdkOpPrinter *printer, MlirBlock block) {
  printerOf(printer).printSuccessor(unwrap(block));
}

/// True if the block's terminator has nothing to say, so that it is understood where the operation `around` has one.
static bool isUnderstood(Block &block, const MondoSdkOp &around) {
  if (around.terminator.length == 0 || block.empty())
    return false;
  Operation &last = block.back();
  return last.getName().getStringRef() == unwrap(around.terminator) &&
         last.getNumOperands() == 0 && last.getNumResults() == 0 && last.getAttrs().empty();
}

extern "C" void mondoSdkOpPrinterRegion(MondoSdkOpPrinter *printer, MlirRegion region,
                                        bool withArguments) {
  Region &body = *unwrap(region);
  Operation *around = body.getParentOp();
  const bool understood = llvm::hasSingleElement(body) && around && isDefined(around) &&
                          isUnderstood(body.front(), entryOf(around));
  // An empty block is written, so that it is not read as none.
  const bool isEmpty = llvm::hasSingleElement(body) && body.front().empty();
  printerOf(printer).printRegion(body, withArguments, !understood, isEmpty);
}
