//===-- Emitter.cpp - Writing operations of arith -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fxp;
using llvm::APFloat;
using llvm::APInt;

Type Emitter::type(Type element) const {
  if (auto shaped = dyn_cast<ShapedType>(shape))
    return shaped.clone(element);
  return element;
}

Type Emitter::integer(unsigned width) { return type(b.getIntegerType(width)); }

unsigned Emitter::width(Value value) {
  return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
}

static Value splat(ImplicitLocOpBuilder &b, Type type, TypedAttr element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    element = DenseElementsAttr::get(shaped, static_cast<Attribute>(element));
  return arith::ConstantOp::create(b, element);
}

Value Emitter::constant(const APInt &value) {
  Type element = b.getIntegerType(value.getBitWidth());
  return splat(b, type(element), IntegerAttr::get(element, value));
}

Value Emitter::constant(FloatType element, const APFloat &value) {
  return splat(b, type(element), FloatAttr::get(element, value));
}

Value Emitter::powerOfTwo(FloatType element, int exponent) {
  APFloat one(element.getFloatSemantics(), 1);
  return constant(element, scalbn(one, exponent, APFloat::rmNearestTiesToEven));
}

Value Emitter::resize(Value value, unsigned width, bool isSigned) {
  unsigned has = Emitter::width(value);
  if (width == has)
    return value;
  Type element = b.getIntegerType(width);
  if (width < has)
    return cast<arith::TruncIOp>(value, element);
  return isSigned ? cast<arith::ExtSIOp>(value, element) : cast<arith::ExtUIOp>(value, element);
}

Value Emitter::shiftLeft(Value value, unsigned count) {
  if (count == 0)
    return value;
  // Every bit leaves; a shift by the width has no meaning in arith.
  if (count >= width(value))
    return constant(APInt::getZero(width(value)));
  return op<arith::ShLIOp>(value, constant(APInt(width(value), count)));
}

Value Emitter::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(this->b, predicate, a, b);
}

Value Emitter::compare(arith::CmpFPredicate predicate, Value a, Value b) {
  return arith::CmpFOp::create(this->b, predicate, a, b);
}

Value Emitter::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, condition, yes, no);
}
