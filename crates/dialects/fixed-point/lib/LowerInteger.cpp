//===-- LowerInteger.cpp - Numbers as integers ----------------------------===//
//
// The exact result is calculated in an integer that is wide enough for it, then
// rounded and made to fit, as Exact.cpp does with constants.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fxp;
using arith::CmpIPredicate;
using llvm::APInt;

namespace {

/// A signed integer with its binary point. It has the bits that its values
/// need; one more is added before anything that could need it.
struct Wide {
  Value value;
  unsigned frac;
  /// True if it is known not to be negative, although it is signed.
  bool isPositive;
};

//===----------------------------------------------------------------------===//
// Rounding and overflow
//===----------------------------------------------------------------------===//

/// The addend of a number before `count` bits are dropped from its right.
Value roundingBias(Emitter &e, Value value, unsigned count, Rounding rounding) {
  unsigned width = Emitter::width(value);
  APInt ones = APInt::getLowBitsSet(width, count);
  APInt half = APInt::getOneBitSet(width, count - 1);
  // All ones for a negative number, else zero.
  auto sign = [&] { return e.op<arith::ShRSIOp>(value, e.constant(APInt(width, width - 1))); };
  switch (rounding) {
  case Rounding::Floor:
    return {};
  case Rounding::Ceil:
    return e.constant(ones);
  case Rounding::TowardZero:
    return e.op<arith::AndIOp>(sign(), e.constant(ones));
  case Rounding::NearestEven: {
    Value shifted = e.op<arith::ShRSIOp>(value, e.constant(APInt(width, count)));
    Value odd = e.op<arith::AndIOp>(shifted, e.constant(APInt(width, 1)));
    return e.op<arith::AddIOp>(odd, e.constant(half - 1));
  }
  case Rounding::NearestAway:
    return e.op<arith::AddIOp>(sign(), e.constant(half));
  case Rounding::NearestUp:
    return e.constant(half);
  }
  llvm_unreachable("every rounding is above");
}

/// The number with `frac` bits behind the point.
Wide withFraction(Emitter &e, Wide number, unsigned frac, Rounding rounding) {
  unsigned width = Emitter::width(number.value);
  if (number.frac <= frac) {
    unsigned more = frac - number.frac;
    Value wider = e.resize(number.value, width + more, /*isSigned=*/true);
    return {e.shiftLeft(wider, more), frac, number.isPositive};
  }
  unsigned count = number.frac - frac;
  // Nothing is added to round down, but a shift needs more bits than it drops.
  unsigned spare = rounding == Rounding::Floor ? 0 : 1;
  unsigned wide = std::max(width, count + 1) + spare;
  Value value = e.resize(number.value, wide, /*isSigned=*/true);
  if (Value bias = roundingBias(e, value, count, rounding))
    value = e.op<arith::AddIOp>(value, bias);
  value = e.op<arith::ShRSIOp>(value, e.constant(APInt(wide, count)));
  return {value, frac, number.isPositive};
}

/// The raw integer in the format's range.
Value limit(Emitter &e, Wide number, Format format, Overflow overflow) {
  unsigned width = Emitter::width(number.value);
  bool always = number.isPositive ? width - 1 <= format.width - format.isSigned
                                  : format.isSigned && width <= format.width;
  if (overflow == Overflow::Wrap || always)
    return e.resize(number.value, format.width, /*isSigned=*/true);
  unsigned wide = std::max(width, format.width + 1);
  Value value = e.resize(number.value, wide, /*isSigned=*/true);
  APInt greatest = APInt::getLowBitsSet(wide, format.width - format.isSigned);
  if (!number.isPositive) {
    APInt least = format.isSigned ? ~greatest : APInt::getZero(wide);
    value = e.op<arith::MaxSIOp>(value, e.constant(least));
  }
  value = e.op<arith::MinSIOp>(value, e.constant(greatest));
  return e.resize(value, format.width, /*isSigned=*/true);
}

Value fit(Emitter &e, Wide number, Format format, Rounding rounding, Overflow overflow) {
  // Only the low bits are calculated if no others are asked for.
  if (overflow == Overflow::Wrap && number.frac <= format.frac)
    return e.shiftLeft(e.resize(number.value, format.width, /*isSigned=*/true),
                       format.frac - number.frac);
  return limit(e, withFraction(e, number, format.frac, rounding), format, overflow);
}

/// An integer in which the format's numbers are signed.
Wide widen(Emitter &e, Value value, Format format) {
  if (format.isSigned)
    return {value, format.frac, /*isPositive=*/false};
  return {e.resize(value, format.width + 1, /*isSigned=*/false), format.frac, /*isPositive=*/true};
}

/// Both numbers with the fraction of the finer one, in equally many bits, and
/// `spare` bits more.
std::pair<Value, Value> align(Emitter &e, Wide a, Wide b, unsigned spare) {
  unsigned frac = std::max(a.frac, b.frac);
  unsigned width = std::max(Emitter::width(a.value) + (frac - a.frac),
                            Emitter::width(b.value) + (frac - b.frac)) +
                   spare;
  auto to = [&](Wide number) {
    return e.shiftLeft(e.resize(number.value, width, /*isSigned=*/true), frac - number.frac);
  };
  Value first = to(a);
  return {first, to(b)};
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Lowers the three operations by their common part. Modulo 2^W they need no more than
/// the result's W bits, which is how wrapping arithmetic becomes one operation.
template <typename Op, typename ArithOp>
class LowerArithmetic : public Lower<Op> {
public:
  using Lower<Op>::Lower;

  Value lower(Emitter &e, Op op, typename Op::Adaptor operands) const final {
    constexpr bool isProduct = std::is_same_v<Op, MulOp>;
    constexpr bool isDifference = std::is_same_v<Op, SubOp>;
    Format lhs = getNumType(op.getLhs().getType()), rhs = getNumType(op.getRhs().getType());
    Format result = getNumType(op.getType());
    unsigned frac = isProduct ? lhs.frac + rhs.frac : std::max(lhs.frac, rhs.frac);

    if (op.getOverflow() == Overflow::Wrap && frac <= result.frac) {
      auto low = [&](Value value, Format format) {
        value = e.resize(value, result.width, format.isSigned);
        return isProduct ? value : e.shiftLeft(value, result.frac - format.frac);
      };
      Value a = low(operands.getLhs(), lhs), b = low(operands.getRhs(), rhs);
      Value value = e.op<ArithOp>(a, b);
      return isProduct ? e.shiftLeft(value, result.frac - frac) : value;
    }

    Wide a = widen(e, operands.getLhs(), lhs), b = widen(e, operands.getRhs(), rhs);
    Wide exact = {Value(), frac, a.isPositive && b.isPositive && !isDifference};
    if constexpr (isProduct) {
      unsigned width = Emitter::width(a.value) + Emitter::width(b.value);
      exact.value = e.op<ArithOp>(e.resize(a.value, width, /*isSigned=*/true),
                                  e.resize(b.value, width, /*isSigned=*/true));
    } else {
      auto [first, second] = align(e, a, b, /*spare=*/1);
      exact.value = e.op<ArithOp>(first, second);
    }
    return fit(e, exact, result, op.getRounding(), op.getOverflow());
  }
};

struct LowerConstant : Lower<ConstantOp> {
  using Lower::Lower;
  Value lower(Emitter &e, ConstantOp op, Adaptor) const final {
    return e.constant(op.getValue().getRaw());
  }
};

struct LowerCmp : Lower<CmpOp> {
  using Lower::Lower;

  static CmpIPredicate predicate(Predicate predicate, bool isSigned) {
    switch (predicate) {
    case Predicate::EQ:
      return CmpIPredicate::eq;
    case Predicate::NE:
      return CmpIPredicate::ne;
    case Predicate::LT:
      return isSigned ? CmpIPredicate::slt : CmpIPredicate::ult;
    case Predicate::LE:
      return isSigned ? CmpIPredicate::sle : CmpIPredicate::ule;
    case Predicate::GT:
      return isSigned ? CmpIPredicate::sgt : CmpIPredicate::ugt;
    case Predicate::GE:
      return isSigned ? CmpIPredicate::sge : CmpIPredicate::uge;
    }
    llvm_unreachable("every predicate is above");
  }

  Value lower(Emitter &e, CmpOp op, Adaptor operands) const final {
    NumType lhs = getNumType(op.getLhs().getType()), rhs = getNumType(op.getRhs().getType());
    if (lhs == rhs)
      return e.compare(predicate(op.getPredicate(), lhs.getIsSigned()), operands.getLhs(),
                       operands.getRhs());
    auto [a, b] = align(e, widen(e, operands.getLhs(), lhs), widen(e, operands.getRhs(), rhs),
                        /*spare=*/0);
    return e.compare(predicate(op.getPredicate(), /*isSigned=*/true), a, b);
  }
};

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

struct LowerConvert : Lower<ConvertOp> {
  using Lower::Lower;
  Value lower(Emitter &e, ConvertOp op, Adaptor operands) const final {
    Wide number = widen(e, operands.getInput(), getNumType(op.getInput().getType()));
    return fit(e, number, getNumType(op.getType()), op.getRounding(), op.getOverflow());
  }
};

struct LowerFromInt : Lower<FromIntOp> {
  using Lower::Lower;
  Value lower(Emitter &e, FromIntOp op, Adaptor operands) const final {
    Format format(Emitter::width(op.getInput()), 0, !op.getIsUnsigned());
    return fit(e, widen(e, operands.getInput(), format), getNumType(op.getType()),
               Rounding::Floor, op.getOverflow());
  }
};

struct LowerToInt : Lower<ToIntOp> {
  using Lower::Lower;
  Value lower(Emitter &e, ToIntOp op, Adaptor operands) const final {
    Format format(Emitter::width(op.getResult()), 0, !op.getIsUnsigned());
    Wide number = widen(e, operands.getInput(), getNumType(op.getInput().getType()));
    return fit(e, number, format, op.getRounding(), op.getOverflow());
  }
};

struct LowerBitcast : Lower<BitcastOp> {
  using Lower::Lower;
  Value lower(Emitter &, BitcastOp, Adaptor operands) const final { return operands.getInput(); }
};

} // namespace

void fxp::populateIntegerPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LowerArithmetic<AddOp, arith::AddIOp>, LowerArithmetic<SubOp, arith::SubIOp>,
               LowerArithmetic<MulOp, arith::MulIOp>, LowerConstant, LowerCmp, LowerConvert,
               LowerFromInt, LowerToInt, LowerBitcast>(converter, patterns.getContext());
}
