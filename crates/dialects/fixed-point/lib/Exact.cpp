//===-- Exact.cpp - Numbers before they are made to fit -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fxp/Exact.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace fxp;
using llvm::APFloat;
using llvm::APInt;

/// Wide enough for any double times 2^64: 1024 bits before the point of the
/// largest, 64 more of the scale, and a sign.
static constexpr unsigned kFloatWidth = 1024 + NumType::kMaxWidth + 8;

Exact Exact::of(const APInt &raw, NumType type) {
  return {type.getIsSigned() ? raw.sext(raw.getBitWidth() + 1)
                             : raw.zext(raw.getBitWidth() + 1),
          type.getFrac()};
}

Exact Exact::ofInteger(const APInt &value, bool isSigned) {
  unsigned width = value.getBitWidth() + 1;
  return {isSigned ? value.sext(width) : value.zext(width), 0};
}

/// Both raw integers with the same fraction and width, and `spare` bits that
/// neither needs.
static std::pair<APInt, APInt> align(const Exact &a, const Exact &b, unsigned spare) {
  unsigned frac = std::max(a.frac, b.frac);
  unsigned width = std::max(a.raw.getBitWidth() + (frac - a.frac),
                            b.raw.getBitWidth() + (frac - b.frac)) +
                   spare;
  return {a.raw.sext(width).shl(frac - a.frac), b.raw.sext(width).shl(frac - b.frac)};
}

Exact Exact::operator+(const Exact &other) const {
  auto [a, b] = align(*this, other, 1);
  return {a + b, std::max(frac, other.frac)};
}

Exact Exact::operator-(const Exact &other) const {
  auto [a, b] = align(*this, other, 1);
  return {a - b, std::max(frac, other.frac)};
}

Exact Exact::operator*(const Exact &other) const {
  unsigned width = raw.getBitWidth() + other.raw.getBitWidth();
  return {raw.sext(width) * other.raw.sext(width), frac + other.frac};
}

int Exact::compare(const Exact &other) const {
  auto [a, b] = align(*this, other, 0);
  return a.slt(b) ? -1 : a.sgt(b);
}

/// Drops `count` bits from the right.
static APInt roundAway(APInt value, unsigned count, Rounding rounding) {
  // One bit more, for what is added before the shift.
  value = value.sext(std::max(value.getBitWidth(), count + 1) + 1);
  unsigned width = value.getBitWidth();
  APInt ones = APInt::getLowBitsSet(width, count);
  APInt half = APInt::getOneBitSet(width, count - 1);
  switch (rounding) {
  case Rounding::Floor:
    break;
  case Rounding::Ceil:
    value += ones;
    break;
  case Rounding::TowardZero:
    if (value.isNegative())
      value += ones;
    break;
  case Rounding::NearestEven:
    // A tie reaches the next number only with the bit that makes this one odd.
    value += half - 1 + value.extractBits(1, count).zext(width);
    break;
  case Rounding::NearestAway:
    value += value.isNegative() ? half - 1 : half;
    break;
  case Rounding::NearestUp:
    value += half;
    break;
  }
  return value.ashr(count);
}

/// The raw integer with the format's fraction bits, however wide it becomes.
static APInt withFraction(const Exact &value, unsigned frac, Rounding rounding) {
  if (value.frac > frac)
    return roundAway(value.raw, value.frac - frac, rounding);
  unsigned more = frac - value.frac;
  return value.raw.sext(value.raw.getBitWidth() + more).shl(more);
}

/// The low bits of an integer, or the nearest integer in range.
static APInt limit(const APInt &value, Format format, Overflow overflow) {
  if (overflow == Overflow::Wrap)
    return value.sextOrTrunc(format.width);
  unsigned width = std::max(value.getBitWidth(), format.width + 1);
  APInt least = format.isSigned ? APInt::getSignedMinValue(format.width).sext(width)
                                : APInt::getZero(width);
  APInt greatest = format.isSigned ? APInt::getSignedMaxValue(format.width).sext(width)
                                   : APInt::getMaxValue(format.width).zext(width);
  APInt wide = value.sext(width);
  if (wide.slt(least))
    wide = least;
  if (wide.sgt(greatest))
    wide = greatest;
  return wide.trunc(format.width);
}

APInt fxp::fit(const Exact &value, Format format, Rounding rounding, Overflow overflow) {
  return limit(withFraction(value, format.frac, rounding), format, overflow);
}

bool fxp::has(Format format, const Exact &value) {
  APInt raw = fit(value, format, Rounding::Floor, Overflow::Saturate);
  unsigned width = format.width + 1;
  Exact back = {format.isSigned ? raw.sext(width) : raw.zext(width), format.frac};
  return back.compare(value) == 0;
}

APFloat fxp::toFloat(const Exact &value, const llvm::fltSemantics &semantics) {
  // Quadruple precision has every number exactly, so that this rounds once.
  APFloat wide(APFloat::IEEEquad());
  wide.convertFromAPInt(value.raw, /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
  wide = scalbn(wide, -static_cast<int>(value.frac), APFloat::rmNearestTiesToEven);
  bool losesInfo;
  wide.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return wide;
}

APInt fxp::fitFloat(const APFloat &value, Format format, Rounding rounding, Overflow overflow) {
  // To APFloat no integer is exactly what -0.0 is.
  if (value.isNaN() || value.isZero())
    return APInt::getZero(format.width);
  // A literal may be greater than any double; like every great float it is a
  // multiple of all the powers of two that wrap.
  if (value.isInfinity() || ilogb(value) > APFloat::semanticsMaxExponent(APFloat::IEEEdouble())) {
    if (overflow == Overflow::Wrap)
      return APInt::getZero(format.width);
    APInt extreme = value.isNegative() ? APInt::getSignedMinValue(kFloatWidth)
                                       : APInt::getSignedMaxValue(kFloatWidth);
    return limit(extreme, format, overflow);
  }
  // Quadruple precision scales any double exactly. Two bits behind the point,
  // and a third that says whether anything lies farther right, tell a tie from
  // what is above or below one.
  APFloat scaled = value;
  bool losesInfo;
  scaled.convert(APFloat::IEEEquad(), APFloat::rmTowardZero, &losesInfo);
  scaled = scalbn(scaled, static_cast<int>(format.frac) + 2, APFloat::rmTowardZero);
  llvm::APSInt whole(kFloatWidth, /*isUnsigned=*/false);
  bool isExact;
  scaled.convertToInteger(whole, APFloat::rmTowardZero, &isExact);
  APInt raw = whole.shl(1);
  if (!isExact)
    raw += value.isNegative() ? APInt::getAllOnes(kFloatWidth) : APInt(kFloatWidth, 1);
  return limit(roundAway(raw, 3, rounding), format, overflow);
}

llvm::SmallString<32> fxp::toDecimal(const Exact &value) {
  llvm::SmallString<32> text;
  if (value.raw.isNegative())
    text += '-';
  // The last digit's factor of ten takes four bits more.
  APInt rest = value.raw.sext(value.raw.getBitWidth() + value.frac + 4).abs();
  rest.lshr(value.frac).toString(text, 10, /*Signed=*/false);
  text += '.';
  APInt mask = APInt::getLowBitsSet(rest.getBitWidth(), value.frac);
  do {
    rest = (rest & mask) * 10;
    text += static_cast<char>('0' + rest.lshr(value.frac).getZExtValue());
  } while (!(rest & mask).isZero());
  return text;
}
