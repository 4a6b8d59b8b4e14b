//===-- premises.h - Premises of verifiers and printers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_PREMISES_H
#define MONDO_SHIM_PREMISES_H

#include "mlir/IR/Operation.h"

namespace mondo {

/// The premises of an operation: the parts of it, or of operations beside it, that MLIR
/// dereferences without a check.
struct Premises {
  /// The operation's name, or the beginning of several ones, which ends with `_` or a dot.
  llvm::StringLiteral name;
  /// Checks what the operation's verifier takes for granted; null if that is nothing. An operation that fails here would fail
  /// in MLIR's verifier, or crash it. The reason is emitted as a diagnostic, as verifiers do.
  llvm::LogicalResult (*toVerify)(mlir::Operation *op);
  /// Returns whether what the operation's printer takes for granted holds; null if that is nothing.
  bool (*toPrint)(mlir::Operation *op);
};

/// The premises of the operations of this name; null if they have none.
const Premises *premisesOf(llvm::StringRef name);

/// The sizes of an operation's groups of operands, as `1*?`; null where no group has exactly one.
const llvm::StringLiteral *groupsOf(llvm::StringRef name);

/// Verifies that groups of exactly one operand have one.
llvm::LogicalResult verifyGroups(mlir::Operation *op, llvm::StringRef groups);

/// The premises of verifiers of dialects' attributes on a module, and on modules in it.
llvm::LogicalResult verifyContainers(mlir::Operation *op);

} // namespace mondo

#endif // MONDO_SHIM_PREMISES_H
