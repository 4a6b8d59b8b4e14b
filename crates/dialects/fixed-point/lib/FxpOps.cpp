//===-- FxpOps.cpp - Operations on fixed-point numbers --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Literal.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace fxp;

#if LLVM_VERSION_MAJOR < 23
// The newer name.
using PropertyRef = OpaqueProperties;
#endif

/// `type` with other elements.
static Type withElement(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  auto parseType = [&]() -> Type {
    Type type;
    return failed(parser.parseColonType(type)) ? Type() : type;
  };
  ValueAttr value;
  if (parser.parseOptionalAttrDict(result.attributes) || parseLiteral(parser, parseType, value))
    return failure();
  result.getOrAddProperties<Properties>().value = value;
  result.addTypes(value.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDict((*this)->getAttrs(), {getValueAttrName()});
  printer << ' ' << decimal(getValue()) << " : " << getType();
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  setNameFn(getResult(), "cst");
}

//===----------------------------------------------------------------------===//
// Types of operations with two operands
//===----------------------------------------------------------------------===//

/// One type stands for three that are equal.
static ParseResult parseBinaryTypes(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result) {
  if (failed(parser.parseOptionalLParen())) {
    if (parser.parseType(lhs))
      return failure();
    rhs = result = lhs;
    return success();
  }
  return failure(parser.parseType(lhs) || parser.parseComma() || parser.parseType(rhs) ||
                 parser.parseRParen() || parser.parseArrow() || parser.parseType(result));
}

static void printBinaryTypes(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs, Type result) {
  if (lhs == rhs && rhs == result)
    printer << lhs;
  else
    printer << '(' << lhs << ", " << rhs << ") -> " << result;
}

/// The result type of a builder that is given none: the operands' type
/// where they have one, else the narrowest that has every number of both.
static LogicalResult inferBinaryType(std::optional<Location> loc, ValueRange operands,
                                     SmallVectorImpl<Type> &types) {
  if (operands.size() != 2)
    return emitOptionalError(loc, "expected two operands");
  Type shape = operands[0].getType();
  NumType lhs = getNumType(shape), rhs = getNumType(operands[1].getType());
  if (!lhs || !rhs)
    return emitOptionalError(loc, "expected operands of type '!fxp.num', or vectors or tensors "
                                  "of it");
  if (lhs == rhs) {
    types.push_back(shape);
    return success();
  }
  bool isSigned = lhs.getIsSigned() || rhs.getIsSigned();
  auto whole = [&](NumType type) {
    return type.getWidth() - type.getFrac() + (isSigned && !type.getIsSigned());
  };
  unsigned frac = std::max(lhs.getFrac(), rhs.getFrac());
  unsigned width = std::max(whole(lhs), whole(rhs)) + frac;
  if (width > NumType::kMaxWidth)
    return emitOptionalError(loc, "the result needs a type of its own: one that has the numbers "
                                  "of both ",
                             lhs, " and ", rhs, " would have ", width, " bits");
  types.push_back(withElement(shape, NumType::get(lhs.getContext(), width, frac, isSigned)));
  return success();
}

// The verifier compares inferred result types with those of the operation, by
// refineReturnTypes. An operation may have any result format, since its result is
// rounded to it, so every format is accepted; a trait compares the shapes.
#define FXP_BINARY_OP(Op)                                                                          \
  LogicalResult Op::inferReturnTypes(MLIRContext *, std::optional<Location> loc,                   \
                                     ValueRange operands, DictionaryAttr, PropertyRef,             \
                                     RegionRange, SmallVectorImpl<Type> &types) {                  \
    return inferBinaryType(loc, operands, types);                                                  \
  }                                                                                                \
  LogicalResult Op::refineReturnTypes(MLIRContext *, std::optional<Location>, ValueRange,          \
                                      DictionaryAttr, PropertyRef, RegionRange,                    \
                                      SmallVectorImpl<Type> &) {                                   \
    return success();                                                                              \
  }
FXP_BINARY_OP(AddOp)
FXP_BINARY_OP(SubOp)
FXP_BINARY_OP(MulOp)
#undef FXP_BINARY_OP

LogicalResult CmpOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                      ValueRange operands, DictionaryAttr, PropertyRef,
                                      RegionRange, SmallVectorImpl<Type> &types) {
  if (operands.empty())
    return emitOptionalError(loc, "expected two operands");
  types.push_back(withElement(operands[0].getType(), IntegerType::get(context, 1)));
  return success();
}

//===----------------------------------------------------------------------===//
// BitcastOp
//===----------------------------------------------------------------------===//

/// The width of a number's raw integer, or of an integer.
static unsigned rawWidth(Type type) {
  if (NumType num = getNumType(type))
    return num.getWidth();
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth();
}

LogicalResult BitcastOp::verify() {
  unsigned from = rawWidth(getInput().getType()), to = rawWidth(getType());
  if (from != to)
    return emitOpError("takes bits as they are, but its operand has ")
           << from << " and its result " << to;
  return success();
}

#define GET_OP_CLASSES
#include "fxp/FxpOps.cpp.inc"
