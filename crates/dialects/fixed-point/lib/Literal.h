//===-- Literal.h - Constants as they are written ---------------*- C++ -*-===//
//
// The attribute and the operation write a constant alike.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FXP_LITERAL_H
#define FXP_LITERAL_H

#include "fxp/Exact.h"

namespace fxp {

/// Reads `1.5 : type`, `3 : type` or `raw 384 : type`. A number that the type
/// does not have is an error that says which is near.
mlir::ParseResult parseLiteral(mlir::AsmParser &parser, ValueAttr &value);

/// Writes all the digits of a constant, and its type.
void printLiteral(mlir::AsmPrinter &printer, ValueAttr value);

} // namespace fxp

#endif // FXP_LITERAL_H
