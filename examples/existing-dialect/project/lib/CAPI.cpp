//===-- CAPI.cpp - C API of the dialect tally -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tally-c/Tally.h"

#include "mlir/CAPI/IR.h"
#include "tally/Tally.h"

#include <bit>

#ifndef TALLY_VERSION
#error "TALLY_VERSION is given by the build"
#endif

int64_t tallyBits(uint64_t value) { return std::popcount(value); }

const char *tallyOperationNames(void) {
  return
#include "tally/TallyNames.inc"
      ;
}

bool tallyIsExtended(MlirContext context) {
  return unwrap(context)->getOrLoadDialect<tally::TallyDialect>()->extended;
}
