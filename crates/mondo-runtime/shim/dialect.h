//===-- dialect.h - Classes behind dialect_sdk.h --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_DIALECT_H
#define MONDO_SHIM_DIALECT_H

#include "dialect_sdk.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OpImplementation.h"

#include <atomic>
#include <memory>

namespace mondo {

/// A dialect whose contents are in a table. One per context.
class DefinedDialect : public mlir::ExtensibleDialect {
public:
  DefinedDialect(mlir::MLIRContext *context, const MondoSdkDialect &table);

  /// The dialect of that name, if it is loaded and one of ours.
  static DefinedDialect *lookup(mlir::MLIRContext *context, llvm::StringRef name);

  const MondoSdkDialect &getTable() const { return table; }

  mlir::Type parseType(mlir::DialectAsmParser &parser) const override;
  void printType(mlir::Type type, mlir::DialectAsmPrinter &printer) const override;
  mlir::Attribute parseAttribute(mlir::DialectAsmParser &parser, mlir::Type type) const override;
  void printAttribute(mlir::Attribute attribute, mlir::DialectAsmPrinter &printer) const override;
  mlir::Operation *materializeConstant(mlir::OpBuilder &builder, mlir::Attribute value,
                                       mlir::Type type, mlir::Location loc) override;

  /// Set when a callback failed that has no way to report a failure: the next verification
  /// fails then.
  std::atomic<bool> failNextVerification{false};

private:
  const MondoSdkDialect &table;
};

/// The operation of that entry of the dialect's table.
std::unique_ptr<mlir::OperationName::Impl> makeOp(DefinedDialect &dialect, const MondoSdkOp &op);

/// Reserves one of the fixed number of inference functions for the operation, the same one each time.
/// False if none is free.
bool reserveInference(const MondoSdkOp &op, const MondoSdkCallbacks &callbacks);

/// Adds the interface that calls that function to the operation's interfaces.
void addInference(mlir::detail::InterfaceMap &interfaces, const MondoSdkOp &op);

/// An operation that is being parsed.
struct OpParser {
  mlir::OpAsmParser &parser;
  mlir::OperationState &state;
  const MondoSdkOp &op;
  llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand, 4> operands;
};

template <typename Opaque, typename T>
Opaque *toOpaque(T *pointer) {
  return reinterpret_cast<Opaque *>(pointer);
}

/// An array of MLIR's handles as C has it: both are one pointer.
inline const MlirAttribute *toC(llvm::ArrayRef<mlir::Attribute> attributes) {
  static_assert(sizeof(mlir::Attribute) == sizeof(MlirAttribute));
  return reinterpret_cast<const MlirAttribute *>(attributes.data());
}
inline llvm::ArrayRef<mlir::Attribute> fromC(intptr_t count, const MlirAttribute *attributes) {
  return {reinterpret_cast<const mlir::Attribute *>(attributes), static_cast<size_t>(count)};
}

} // namespace mondo

#endif // MONDO_SHIM_DIALECT_H
