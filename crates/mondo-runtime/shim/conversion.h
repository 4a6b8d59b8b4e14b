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

#include "mlir/Transforms/DialectConversion.h"

/// Makes placeholders legal.
void allowPlaceholders(mlir::ConversionTarget &target, mlir::MLIRContext *context);

/// Erases an operation with results.
void replaceByPlaceholder(mlir::ConversionPatternRewriter &rewriter, mlir::Operation *op);

/// Removes what took the place of erased operations. False, with an error, if something uses it.
bool removePlaceholders(mlir::Operation *top);

#endif // MONDO_CONVERSION_H
