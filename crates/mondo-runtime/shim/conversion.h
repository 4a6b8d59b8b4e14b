//===-- conversion.h - What the drivers of conversions share ----*- C++ -*-===//
//
// An operation with results that a pattern erases is replaced by a placeholder, since MLIR leaves uses of freed memory
// where something still uses such a result in the end.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_CONVERSION_H
#define MONDO_CONVERSION_H

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Transforms/DialectConversion.h"

/// Makes placeholders legal.
void allowPlaceholders(mlir::ConversionTarget &target, mlir::MLIRContext *context);

/// Erases an operation. True if a placeholder took its place, because it has results.
bool eraseOrReplace(mlir::ConversionPatternRewriter &rewriter, mlir::Operation *op);

/// Removes what took the place of erased operations. False, with an error, if something uses it.
bool removePlaceholders(mlir::Operation *top);

/// A pattern that runs: the `MondoConversionRewriter` of its callback.
struct ActivePattern {
  const mlir::TypeConverter &types;
  mlir::ConversionPatternRewriter &rewriter;
  /// Is set where a placeholder takes the place of an operation; null if the driver removes none.
  bool *hasPlaceholders;
};

#if LLVM_VERSION_MAJOR >= 20
using ConvertedOperands = llvm::ArrayRef<mlir::ValueRange>;
#else
using ConvertedOperands = llvm::ArrayRef<mlir::Value>;
#endif

/// Calls a pattern's callback with the number of operands, the number of values that each has become, those values, and the
/// rewriter.
template <typename Callback>
mlir::LogicalResult callPattern(ConvertedOperands operands, ActivePattern active, Callback callback) {
  llvm::SmallVector<MlirValue> values;
  llvm::SmallVector<intptr_t> counts;
  for (const mlir::ValueRange one : operands) {
    counts.push_back(static_cast<intptr_t>(one.size()));
    for (mlir::Value value : one)
      values.push_back(wrap(value));
  }
  return mlir::success(callback(static_cast<intptr_t>(counts.size()), counts.data(), values.data(),
                                reinterpret_cast<MondoConversionRewriter *>(&active)));
}

#endif // MONDO_CONVERSION_H
