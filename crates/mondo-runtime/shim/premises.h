//===-- premises.h - What verifiers and printers take for granted ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_PREMISES_H
#define MONDO_SHIM_PREMISES_H

#include "mlir/IR/Operation.h"

namespace mondo {

/// The premises of an operation: what MLIR dereferences in it or beside it without a look.
struct Premises {
  /// The operation's name, or the beginning of several ones, which ends with `_` or a dot.
  llvm::StringLiteral name;
  /// Verifies the premises of its verifier; null if it has none. Whatever fails here would fail in MLIR, or end the
  /// process. Says why, as verifiers do.
  llvm::LogicalResult (*toVerify)(mlir::Operation *op);
  /// True if the premises of its printer hold; null if it has none.
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
