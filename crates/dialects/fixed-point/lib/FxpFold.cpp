//===-- FxpFold.cpp - Folding of operations on constants ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fxp/Exact.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fxp;
using llvm::APFloat;
using llvm::APInt;

//===----------------------------------------------------------------------===//
// Constants of every kind
//===----------------------------------------------------------------------===//

/// The number of a constant operand, if it is one.
static std::optional<Exact> number(Attribute attr) {
  if (auto value = dyn_cast_if_present<ValueAttr>(attr))
    return Exact::of(value.getRaw(), value.getNumType());
  return std::nullopt;
}

/// The integer or float of a scalar constant, or of one whose elements are all
/// equal.
template <typename ScalarAttr>
static std::optional<typename ScalarAttr::ValueType> scalar(Attribute attr) {
  if (auto value = dyn_cast_if_present<ScalarAttr>(attr))
    return value.getValue();
  auto elements = dyn_cast_if_present<DenseElementsAttr>(attr);
  if (!elements || !elements.isSplat())
    return std::nullopt;
  if (auto value = dyn_cast<ScalarAttr>(elements.getSplatValue<Attribute>()))
    return value.getValue();
  return std::nullopt;
}

static bool hasStaticShape(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return !shaped || shaped.hasStaticShape();
}

/// A constant of `type` with all elements `raw`; null for a tensor or vector of
/// dynamic shape, whose number of elements is not known.
static Attribute constant(Type type, const APInt &raw) {
  return hasStaticShape(type) ? ValueAttr::get(type, raw) : Attribute();
}

/// The same for the builtin types of integers and floats.
static Attribute plainConstant(Type type, TypedAttr element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.hasStaticShape() ? DenseElementsAttr::get(shaped, element) : Attribute();
  return element;
}

static Attribute integerConstant(Type type, const APInt &value) {
  return plainConstant(type, IntegerAttr::get(getElementTypeOrSelf(type), value));
}

static bool isNumber(Attribute attr, uint64_t whole) {
  std::optional<Exact> value = number(attr);
  return value && value->compare({APInt(8, whole), 0}) == 0;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <typename Op, typename Calculate>
static Attribute foldBinary(Op op, typename Op::FoldAdaptor adaptor, Calculate calculate) {
  std::optional<Exact> lhs = number(adaptor.getLhs()), rhs = number(adaptor.getRhs());
  if (!lhs || !rhs)
    return {};
  return constant(op.getType(), fit(calculate(*lhs, *rhs), getNumType(op.getType()),
                                    op.getRounding(), op.getOverflow()));
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // A constant operand is the right one: the operation commutes. Where the
  // types differ, the number may not fit.
  if (isNumber(adaptor.getRhs(), 0) && getLhs().getType() == getType())
    return getLhs();
  return foldBinary(*this, adaptor, [](const Exact &a, const Exact &b) { return a + b; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isNumber(adaptor.getRhs(), 0) && getLhs().getType() == getType())
    return getLhs();
  if (getLhs() == getRhs())
    return constant(getType(), APInt::getZero(getNumType(getType()).getWidth()));
  return foldBinary(*this, adaptor, [](const Exact &a, const Exact &b) { return a - b; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isNumber(adaptor.getRhs(), 1) && getLhs().getType() == getType())
    return getLhs();
  if (isNumber(adaptor.getRhs(), 0))
    return constant(getType(), APInt::getZero(getNumType(getType()).getWidth()));
  return foldBinary(*this, adaptor, [](const Exact &a, const Exact &b) { return a * b; });
}

OpFoldResult CmpOp::fold(FoldAdaptor adaptor) {
  int order = 0;
  if (getLhs() != getRhs()) {
    std::optional<Exact> lhs = number(adaptor.getLhs()), rhs = number(adaptor.getRhs());
    if (!lhs || !rhs)
      return {};
    order = lhs->compare(*rhs);
  }
  auto holds = [&] {
    switch (getPredicate()) {
    case Predicate::EQ:
      return order == 0;
    case Predicate::NE:
      return order != 0;
    case Predicate::LT:
      return order < 0;
    case Predicate::LE:
      return order <= 0;
    case Predicate::GT:
      return order > 0;
    case Predicate::GE:
      return order >= 0;
    }
    llvm_unreachable("every predicate is above");
  };
  return integerConstant(getType(), APInt(1, holds()));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

OpFoldResult ConvertOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  std::optional<Exact> input = number(adaptor.getInput());
  if (!input)
    return {};
  return constant(getType(), fit(*input, getNumType(getType()), getRounding(), getOverflow()));
}

OpFoldResult FromFloatOp::fold(FoldAdaptor adaptor) {
  std::optional<APFloat> input = scalar<FloatAttr>(adaptor.getInput());
  if (!input)
    return {};
  return constant(getType(), fitFloat(*input, getNumType(getType()), getRounding(), getOverflow()));
}

OpFoldResult ToFloatOp::fold(FoldAdaptor adaptor) {
  std::optional<Exact> input = number(adaptor.getInput());
  if (!input)
    return {};
  auto element = cast<FloatType>(getElementTypeOrSelf(getType()));
  return plainConstant(getType(),
                       FloatAttr::get(element, toFloat(*input, element.getFloatSemantics())));
}

OpFoldResult FromIntOp::fold(FoldAdaptor adaptor) {
  std::optional<APInt> input = scalar<IntegerAttr>(adaptor.getInput());
  if (!input)
    return {};
  return constant(getType(), fit(Exact::ofInteger(*input, !getIsUnsigned()), getNumType(getType()),
                                 Rounding::Floor, getOverflow()));
}

OpFoldResult ToIntOp::fold(FoldAdaptor adaptor) {
  std::optional<Exact> input = number(adaptor.getInput());
  if (!input)
    return {};
  Format format(getElementTypeOrSelf(getType()).getIntOrFloatBitWidth(), 0, !getIsUnsigned());
  return integerConstant(getType(), fit(*input, format, getRounding(), getOverflow()));
}

OpFoldResult BitcastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (auto inner = getInput().getDefiningOp<BitcastOp>();
      inner && inner.getInput().getType() == getType())
    return inner.getInput();
  std::optional<APInt> raw;
  if (auto value = dyn_cast_if_present<ValueAttr>(adaptor.getInput()))
    raw = value.getRaw();
  else
    raw = scalar<IntegerAttr>(adaptor.getInput());
  if (!raw)
    return {};
  return getNumType(getType()) ? constant(getType(), *raw) : integerConstant(getType(), *raw);
}
