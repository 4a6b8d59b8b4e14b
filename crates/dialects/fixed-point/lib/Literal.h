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

/// Reads `1.5`, `3` or `raw 384`, and what says its type. A number that the type
/// does not have is an error that says which is near.
mlir::ParseResult parseLiteral(mlir::AsmParser &parser,
                               llvm::function_ref<mlir::Type()> parseType, ValueAttr &value);

/// All the digits of a constant.
llvm::SmallString<32> decimal(ValueAttr value);

} // namespace fxp

#endif // FXP_LITERAL_H
