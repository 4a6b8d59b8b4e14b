//===-- premises_symbols.h - Operations that are looked up by a symbol ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_PREMISES_SYMBOLS_H
#define MONDO_SHIM_PREMISES_SYMBOLS_H

#include "mlir/IR/Operation.h"

namespace mondo::symbols {

/// `irdl`: a dialect that is in something.
llvm::LogicalResult verifyBase(mlir::Operation *op);
llvm::LogicalResult verifyParametric(mlir::Operation *op);

/// `llvm.mlir.ifunc`: a resolver.
llvm::LogicalResult verifyIFunc(mlir::Operation *op);

/// `omp`: a declaration of a reduction whose atomic region has an argument.
llvm::LogicalResult verifyReductions(mlir::Operation *op);

/// `omp.new_cli`: users that take its result for a loop.
llvm::LogicalResult verifyLoopInfo(mlir::Operation *op);
/// `omp.tile`: operands that refer to loops with variables.
llvm::LogicalResult verifyTile(mlir::Operation *op);

/// `spirv.SpecConstantComposite`: constants with a value.
llvm::LogicalResult verifyConstituents(mlir::Operation *op);

/// `transform.include`: a sequence with an argument, and attributes of it, for each operand.
llvm::LogicalResult verifyInclude(mlir::Operation *op);

/// `wasmssa.global_get`: a table of symbols around a constant that reads it.
llvm::LogicalResult verifyGlobalGet(mlir::Operation *op);

} // namespace mondo::symbols

#endif // MONDO_SHIM_PREMISES_SYMBOLS_H
