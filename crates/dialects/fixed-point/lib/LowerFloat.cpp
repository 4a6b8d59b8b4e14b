//===-- LowerFloat.cpp - Conversions from and to floats -------------------===//
//
// With operations of arith alone, and none whose result arith leaves open: a
// float is brought into range before it becomes an integer. Each conversion
// rounds once, as the folders do.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fxp;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using llvm::APFloat;
using llvm::APInt;

namespace {

FloatType floatType(Type type) { return cast<FloatType>(getElementTypeOrSelf(type)); }

unsigned precision(FloatType type) {
  return APFloat::semanticsPrecision(type.getFloatSemantics());
}

//===----------------------------------------------------------------------===//
// To floats
//===----------------------------------------------------------------------===//

struct LowerToFloat : Lower<ToFloatOp> {
  using Lower::Lower;

  /// Drops bits that half precision never sees, where double precision would
  /// have to round: the last bit that stays is set if any that goes is, so that
  /// the rounding to come goes the way of the whole number.
  static Value roundToOdd(Emitter &e, Value raw, bool isSigned) {
    unsigned width = Emitter::width(raw);
    unsigned count = width - 53;
    // Small numbers lose nothing in double precision, and stay as they are.
    APInt limit = APInt::getOneBitSet(width, 53);
    Value isSmall;
    if (isSigned) {
      // -2^53 <= raw < 2^53, in one comparison.
      Value moved = e.op<arith::AddIOp>(raw, e.constant(limit));
      isSmall = e.compare(CmpIPredicate::ult, moved, e.constant(limit << 1));
    } else {
      isSmall = e.compare(CmpIPredicate::ult, raw, e.constant(limit));
    }
    APInt low = APInt::getLowBitsSet(width, count);
    Value dropped = e.op<arith::AndIOp>(raw, e.constant(low));
    Value isExact =
        e.compare(CmpIPredicate::eq, dropped, e.constant(APInt::getZero(width)));
    Value kept = e.op<arith::AndIOp>(raw, e.constant(~low));
    Value odd = e.op<arith::OrIOp>(kept, e.constant(low + 1));
    return e.select(isSmall, raw, e.select(isExact, kept, odd));
  }

  Value lower(Emitter &e, ToFloatOp op, Adaptor operands) const final {
    NumType num = getNumType(op.getInput().getType());
    FloatType result = floatType(op.getType());
    Value raw = operands.getInput();
    // Half precision has too few exponents to be scaled in; bfloat16 would be
    // rounded twice by most targets.
    FloatType work = result;
    if (precision(result) < 24) {
      bool isNarrow = num.getWidth() <= 24;
      work = isNarrow ? FloatType(Float32Type::get(op.getContext()))
                      : FloatType(Float64Type::get(op.getContext()));
      // The magnitude of a signed number has a bit less.
      if (num.getWidth() > (num.getIsSigned() ? 54u : 53u))
        raw = roundToOdd(e, raw, num.getIsSigned());
    }
    Value number = num.getIsSigned() ? e.cast<arith::SIToFPOp>(raw, work)
                                     : e.cast<arith::UIToFPOp>(raw, work);
    if (num.getFrac() != 0)
      number = e.op<arith::MulFOp>(number,
                                   e.powerOfTwo(work, -static_cast<int>(num.getFrac())));
    return work == result ? number : e.cast<arith::TruncFOp>(number, result);
  }
};

//===----------------------------------------------------------------------===//
// From floats
//===----------------------------------------------------------------------===//

/// A float as sign, whole magnitude and fraction.
struct Parts {
  Value isNegative;
  /// An integer that has a spare bit for what rounding adds, unless no float
  /// so large has a fraction.
  Value whole;
  /// At least 0, below 1.
  Value fraction;
  /// True if the magnitude is 2^W or more, and `whole` without meaning.
  Value isHuge;
};

struct LowerFromFloat : Lower<FromFloatOp> {
  using Lower::Lower;

  /// The magnitude's remainder by 2^width. Every step is exact: what is left
  /// are trailing bits of the float.
  static Value remainder(Emitter &e, FloatType type, Value magnitude, unsigned width) {
    Value quotient = e.op<arith::MulFOp>(magnitude, e.powerOfTwo(type, -static_cast<int>(width)));
    // A float as large as its precision is an integer as it stands.
    Value hasFraction =
        e.compare(CmpFPredicate::OLT, quotient, e.powerOfTwo(type, precision(type)));
    Value zero = e.constant(type, APFloat::getZero(type.getFloatSemantics()));
    Type i64 = IntegerType::get(type.getContext(), 64);
    Value small = e.select(hasFraction, quotient, zero);
    Value whole = e.cast<arith::UIToFPOp>(e.cast<arith::FPToUIOp>(small, i64), type);
    Value multiple = e.op<arith::MulFOp>(whole, e.powerOfTwo(type, width));
    return e.select(hasFraction, e.op<arith::SubFOp>(magnitude, multiple), zero);
  }

  static Parts split(Emitter &e, FloatType type, Value number, unsigned width, Overflow overflow) {
    Value zero = e.constant(type, APFloat::getZero(type.getFloatSemantics()));
    Parts parts;
    parts.isNegative = e.compare(CmpFPredicate::OLT, number, zero);
    Value magnitude = e.select(parts.isNegative, e.op<arith::NegFOp>(number), number);
    if (overflow == Overflow::Wrap)
      magnitude = remainder(e, type, magnitude, width);
    Value limit = e.powerOfTwo(type, width);
    parts.isHuge = e.compare(CmpFPredicate::OGE, magnitude, limit);
    // False for NaN, which becomes zero here.
    Value isInRange = e.compare(CmpFPredicate::OLT, magnitude, limit);
    magnitude = e.select(isInRange, magnitude, zero);
    unsigned wide = std::min(width + 1, 64u);
    parts.whole =
        e.cast<arith::FPToUIOp>(magnitude, IntegerType::get(type.getContext(), wide));
    parts.fraction = e.op<arith::SubFOp>(magnitude, e.cast<arith::UIToFPOp>(parts.whole, type));
    return parts;
  }

  /// True if the magnitude grows by one.
  static Value roundsUp(Emitter &e, FloatType type, Parts parts, Rounding rounding) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    unsigned width = Emitter::width(parts.whole);
    auto against = [&](CmpFPredicate predicate, Value value) {
      return e.compare(predicate, parts.fraction, value);
    };
    auto hasFraction = [&] {
      return against(CmpFPredicate::OGT, e.constant(type, APFloat::getZero(semantics)));
    };
    Value never = e.constant(APInt(1, 0));
    auto half = [&] { return e.powerOfTwo(type, -1); };
    switch (rounding) {
    case Rounding::Floor:
      return e.select(parts.isNegative, hasFraction(), never);
    case Rounding::Ceil:
      return e.select(parts.isNegative, never, hasFraction());
    case Rounding::TowardZero:
      return never;
    case Rounding::NearestEven: {
      Value bit = e.op<arith::AndIOp>(parts.whole, e.constant(APInt(width, 1)));
      Value isOdd = e.compare(CmpIPredicate::ne, bit, e.constant(APInt::getZero(width)));
      return e.select(isOdd, against(CmpFPredicate::OGE, half()),
                      against(CmpFPredicate::OGT, half()));
    }
    case Rounding::NearestAway:
      return against(CmpFPredicate::OGE, half());
    case Rounding::NearestUp:
      return e.select(parts.isNegative, against(CmpFPredicate::OGT, half()),
                      against(CmpFPredicate::OGE, half()));
    }
    llvm_unreachable("every rounding is above");
  }

  Value lower(Emitter &e, FromFloatOp op, Adaptor operands) const final {
    NumType num = getNumType(op.getType());
    FloatType type = floatType(op.getInput().getType());
    Value number = operands.getInput();
    if (precision(type) < 24) {
      type = Float32Type::get(op.getContext());
      number = e.cast<arith::ExtFOp>(number, type);
    }
    // Exact; what exceeds even the float is out of any range, and a multiple of
    // all that wraps.
    if (num.getFrac() != 0)
      number = e.op<arith::MulFOp>(number, e.powerOfTwo(type, num.getFrac()));

    Parts parts = split(e, type, number, num.getWidth(), op.getOverflow());
    Value magnitude = parts.whole;
    unsigned width = Emitter::width(magnitude);
    if (op.getRounding() != Rounding::TowardZero) {
      Value up = roundsUp(e, type, parts, op.getRounding());
      magnitude = e.op<arith::AddIOp>(magnitude, e.resize(up, width, /*isSigned=*/false));
    }
    Value zero = e.constant(APInt::getZero(width));
    Value negated = e.op<arith::SubIOp>(zero, magnitude);
    Value value = e.select(parts.isNegative, negated, magnitude);
    value = e.resize(value, num.getWidth(), /*isSigned=*/false);
    if (op.getOverflow() == Overflow::Wrap)
      return value;

    // The greatest magnitudes on either side of zero.
    APInt positive = num.getMax().zextOrTrunc(width);
    APInt negative = num.getIsSigned() ? positive + 1 : APInt::getZero(width);
    Value greatest = e.select(parts.isNegative, e.constant(negative), e.constant(positive));
    Value extreme = e.select(parts.isNegative, e.constant(num.getMin()), e.constant(num.getMax()));
    Value isBeyond = e.compare(CmpIPredicate::ugt, magnitude, greatest);
    Value isOut = e.op<arith::OrIOp>(parts.isHuge, isBeyond);
    return e.select(isOut, extreme, value);
  }
};

} // namespace

void fxp::populateFloatPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LowerToFloat, LowerFromFloat>(converter, patterns.getContext());
}
