//===-- premises_lists.h - Lists that have to agree with operands ---------===//
//
// Premises of verifiers and printers that take an entry of a list for each operand of a group, or
// an operand for each dynamic entry of a list. Each function is in a row of the table in
// premises.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_PREMISES_LISTS_H
#define MONDO_SHIM_PREMISES_LISTS_H

#include "mlir/IR/Operation.h"

namespace mondo::lists {

/// `acc`: operands for devices, and the list of these.
llvm::LogicalResult verifyDevices(mlir::Operation *op);
bool canPrintDevices(mlir::Operation *op);

/// `acc.routine`: names and dimensions for devices, and the lists of these.
llvm::LogicalResult verifyRoutine(mlir::Operation *op);
bool canPrintRoutine(mlir::Operation *op);

/// An operand for each dynamic entry of a list.
llvm::LogicalResult verifyMixed(mlir::Operation *op);

/// An entry for each successor of an operation that branches, and as many operands as these say.
llvm::LogicalResult verifyBranches(mlir::Operation *op);

/// `nvvm.mma`: an operand for each matrix.
bool hasMatrices(mlir::Operation *op);

/// `omp`: the symbols, types and kinds of a clause, and its variables.
llvm::LogicalResult verifyLinear(mlir::Operation *op);
bool canPrintClauses(mlir::Operation *op);

/// `omp.new_cli`: users that take its result for a loop.
llvm::LogicalResult verifyLoopInfo(mlir::Operation *op);
/// `omp.tile`: operands that refer to loops with variables.
llvm::LogicalResult verifyTile(mlir::Operation *op);

/// `pdl_interp.create_operation`: an operand for each name.
bool canPrintCreation(mlir::Operation *op);

/// `shard`: the numbers of dimensions.
llvm::LogicalResult verifyAxes(mlir::Operation *op);
/// `shard.recv`: a list, if there are operands for it.
bool canPrintReceive(mlir::Operation *op);

/// `sparse_tensor.coiterate`: at least one space.
llvm::LogicalResult verifySpaces(mlir::Operation *op);

/// `spirv.EXT.ConstantCompositeReplicate`: a value with a first element.
llvm::LogicalResult verifyReplicate(mlir::Operation *op);

/// `transform.structured`: the lists, if there are operands for them.
bool canPrintFuse(mlir::Operation *op);
bool canPrintPad(mlir::Operation *op);

/// `transform.xegpu`: the lists that their printers have no other form without.
bool canPrintLayout(mlir::Operation *op);
bool canPrintConversion(mlir::Operation *op);
bool canPrintThreads(mlir::Operation *op);
bool canPrintPrefetch(mlir::Operation *op);

/// `xegpu.create_nd_tdesc`: an operand for each dynamic entry of a shape, and of strides.
llvm::LogicalResult verifyDescriptor(mlir::Operation *op);
bool canPrintDescriptor(mlir::Operation *op);

/// `xegpu.load_nd`: an entry of the permutation for each dimension.
llvm::LogicalResult verifyLoad(mlir::Operation *op);

} // namespace mondo::lists

#endif // MONDO_SHIM_PREMISES_LISTS_H
