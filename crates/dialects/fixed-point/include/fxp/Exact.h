//===-- Exact.h - Numbers before they are made to fit -----------*- C++ -*-===//
//
// Exact numbers, for the folders. A result is exact until `fit` rounds it once
// and makes it wrap or saturate: the meaning of every operation of the dialect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FXP_EXACT_H
#define FXP_EXACT_H

#include "fxp/Fxp.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"

namespace fxp {

/// The number `raw * 2^-frac`. The raw integer is signed, and as wide as it
/// has to be.
struct Exact {
  llvm::APInt raw;
  unsigned frac;

  /// The number whose bits are `raw`, which is as wide as the type.
  static Exact of(const llvm::APInt &raw, NumType type);
  /// An integer.
  static Exact ofInteger(const llvm::APInt &value, bool isSigned);

  Exact operator+(const Exact &other) const;
  Exact operator-(const Exact &other) const;
  Exact operator*(const Exact &other) const;
  /// Negative, zero or positive, as this number is to the other.
  int compare(const Exact &other) const;
};

/// The destination of numbers: the format of a type, or of an integer.
struct Format {
  unsigned width;
  unsigned frac;
  bool isSigned;

  Format(unsigned width, unsigned frac, bool isSigned)
      : width(width), frac(frac), isSigned(isSigned) {}
  Format(NumType type)
      : Format(type.getWidth(), type.getFrac(), type.getIsSigned()) {}
};

/// Rounds to the format's fraction bits, then wraps or saturates to its range.
llvm::APInt fit(const Exact &value, Format format, Rounding rounding, Overflow overflow);

/// True if the number is representable in the format.
bool has(Format format, const Exact &value);

/// The nearest float of `semantics`.
llvm::APFloat toFloat(const Exact &value, const llvm::fltSemantics &semantics);

/// The float in the format. NaN is zero, and so is an infinity that wraps.
llvm::APInt fitFloat(const llvm::APFloat &value, Format format, Rounding rounding,
                     Overflow overflow);

/// All the decimal digits of a number; there is always a point and a digit
/// behind it, by which MLIR's lexer knows a number that is not an integer.
llvm::SmallString<32> toDecimal(const Exact &value);

} // namespace fxp

#endif // FXP_EXACT_H
