//===-- float16_utils.cpp - Floats of two bytes ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runner.h"

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>

static float fromBits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

float mondo::toFloat(Half value) {
  const uint32_t sign = uint32_t(value.bits & 0x8000) << 16;
  const int exponent = value.bits >> 10 & 0x1f;
  const uint32_t fraction = value.bits & 0x3ff;
  if (exponent == 0x1f)
    return fromBits(sign | 0x7f800000 | fraction << 13);
  // A subnormal number of f16 is a normal one of f32.
  if (exponent == 0)
    return std::ldexp(sign ? -float(fraction) : float(fraction), -24);
  return fromBits(sign | uint32_t(exponent + 127 - 15) << 23 | fraction << 13);
}

float mondo::toFloat(BFloat value) { return fromBits(uint32_t(value.bits) << 16); }

/// Rounds to the nearest bf16, and to the even one of two.
static uint16_t roundToBFloat(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  if (std::isnan(value))
    return uint16_t(bits >> 16 | 0x40);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// A bf16 is returned in the lowest bits of a floating point register, on x86-64 and on AArch64.
static float inRegister(uint16_t bits) { return fromBits(bits); }

extern "C" {

void RUNNER(printF16)(uint16_t bits) { printf("%g", mondo::toFloat(mondo::Half{bits})); }

void RUNNER(printBF16)(uint16_t bits) { printf("%g", mondo::toFloat(mondo::BFloat{bits})); }

float RUNNER(__truncsfbf2)(float value) { return inRegister(roundToBFloat(value)); }

float RUNNER(__truncdfbf2)(double value) {
  // To round twice is not to round once: the first result is made odd if it is not exact, so that the
  // second can tell.
  float nearest = float(value);
  if (double(nearest) != value && !std::isnan(value) && !std::isinf(nearest)) {
    uint32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    if (std::fabs(double(nearest)) > std::fabs(value))
      --bits;
    nearest = fromBits(bits | 1);
  }
  return inRegister(roundToBFloat(nearest));
}

} // extern "C"
