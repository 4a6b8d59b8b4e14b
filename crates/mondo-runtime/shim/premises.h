//===-- premises.h - Premises of verifiers and printers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_PREMISES_H
#define MONDO_SHIM_PREMISES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mondo {

/// When an operation is verified: before what is in it, as MLIR does, or after.
enum class Time { Before, After };

/// The premises of an operation: the parts of it, or of operations beside it, that MLIR
/// dereferences without a check.
struct Premises {
  /// The operation's name, or the beginning of several ones, which ends with `_` or a dot.
  llvm::StringLiteral name;
  /// Checks what the operation's verifier takes for granted; null if that is nothing. An operation that fails here would fail
  /// in MLIR's verifier, or crash it. The reason is emitted as a diagnostic, as verifiers do.
  llvm::LogicalResult (*toVerify)(mlir::Operation *op);
  /// Returns whether what the operation's printer takes for granted holds; null if that is nothing.
  bool (*toPrint)(mlir::Operation *op) = nullptr;
  /// Whether the verifier looks into the operation, and is called after what is in there was verified.
  Time time = Time::Before;
  /// Whether the parser takes an attribute for one of a kind without a look, and goes on with another one.
  bool misreads = false;
};

/// Whether an operation of these premises is verified after what is in it; they may be null.
inline bool waits(const Premises *premises) { return premises && premises->time == Time::After; }

/// Whether there is an operation, of this name.
inline bool isNamed(mlir::Operation *op, llvm::StringRef name) {
  return op && op->getName().getStringRef() == name;
}

/// The premises of the operations of this name; null if they have none.
const Premises *premisesOf(llvm::StringRef name);

struct Row;

/// What many operations have in common.
struct Shape {
  bool (*holds)(mlir::Operation *op, const Row &row);
  /// What the verifier says of an operation for which it does not hold, before the attribute's name.
  llvm::StringLiteral error;
  /// Whether it counts operands of groups, whose places differ between versions of LLVM.
  bool counts = true;
};

/// Who takes it for granted that a row holds. Where it does not, the operation is refused, or printed in the generic form.
enum class Asks { Verifier, Printer, Both };

/// A premise that several operations share. Each row names the attribute and the operands that it is about.
struct Row {
  llvm::StringLiteral op;
  Asks asks;
  const Shape &shape;
  llvm::StringLiteral attribute = "";
  int place = 0;
};

/// The rows of the operations of this name.
llvm::ArrayRef<Row> rowsOf(llvm::StringRef name);

/// Verifies that the rows hold that the verifier takes for granted.
llvm::LogicalResult verifyRows(mlir::Operation *op, llvm::ArrayRef<Row> rows);

/// Returns whether the rows hold that the printer takes for granted.
bool canPrintRows(mlir::Operation *op, llvm::ArrayRef<Row> rows);

/// How often this thread, or any, took an attribute for one of another kind, or asked a type for its width that has none.
unsigned misreadsHere();
unsigned misreadsAnywhere();

/// The premises of verifiers of dialects' attributes on a module, and on modules in it.
llvm::LogicalResult verifyContainers(mlir::Operation *op);

} // namespace mondo

#endif // MONDO_SHIM_PREMISES_H
