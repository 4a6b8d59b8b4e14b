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
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

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

  /// The reason why no operation of the dialect is valid; empty if there is none.
  std::string refusal;

private:
  const MondoSdkDialect &table;
};

/// An empty interface, which marks a dialect as one that was made from a table.
class IsDefined : public mlir::DialectInterface::Base<IsDefined> {
public:
  explicit IsDefined(mlir::Dialect *dialect) : Base(dialect) {}
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(IsDefined)
};

/// True if the operation is of a dialect that was made from a table.
bool isDefined(mlir::Operation *op);

/// The entry of an operation of a dialect that was made from a table. Its address is the operation's TypeID.
inline const MondoSdkOp &entryOf(mlir::Operation *op) {
  return *static_cast<const MondoSdkOp *>(op->getName().getTypeID().getAsOpaquePointer());
}

inline const MondoSdkOp &entryOf(mlir::OperationName name) {
  return *static_cast<const MondoSdkOp *>(name.getTypeID().getAsOpaquePointer());
}

/// The names of an operation's properties, in order.
llvm::SmallVector<mlir::StringAttr> propertyNames(mlir::MLIRContext *context, const MondoSdkOp &op);

/// True if the entry has the trait.
inline bool has(const MondoSdkOp &op, MondoSdkTrait trait) {
  return llvm::is_contained(llvm::ArrayRef(op.traits, op.numTraits), trait);
}

/// The attributes that say how many values each group has, where more than one group may have any number.
constexpr llvm::StringLiteral kOperandSegments = "operandSegmentSizes";
constexpr llvm::StringLiteral kResultSegments = "resultSegmentSizes";

/// True if an attribute says how many values each of the groups has.
bool hasSegments(const MondoSdkGroups &groups);

/// A row of values: the index of the first, and their number.
struct Row {
  unsigned first;
  unsigned count;
};

/// The values of a group of the operation's operands or results. Empty where the numbers do not fit.
Row operandRow(mlir::Operation *op, intptr_t group);
Row resultRow(mlir::Operation *op, intptr_t group);
mlir::OperandRange operandsOf(mlir::Operation *op, intptr_t group);
mlir::MutableOperandRange mutableOperandsOf(mlir::Operation *op, intptr_t group);

/// The TypeIDs of the traits of an operation.
llvm::SmallVector<mlir::TypeID> traitsOf(const MondoSdkOp &op);
/// The checks of an operation's traits, before and after what is in its regions.
mlir::LogicalResult verifyTraits(mlir::Operation *op, const MondoSdkOp &entry);
mlir::LogicalResult verifyRegionTraits(mlir::Operation *op, const MondoSdkOp &entry);

/// Adds the interfaces of an operation but for the inference of types; the other functions add some of them.
void addInterfaces(mlir::detail::InterfaceMap &interfaces, const MondoSdkOp &op,
                   mlir::MLIRContext *context);
void addControlFlow(mlir::detail::InterfaceMap &interfaces, const MondoSdkOp &op);
void addCalls(mlir::detail::InterfaceMap &interfaces, const MondoSdkOp &op);
void addStorage(mlir::detail::InterfaceMap &interfaces, const MondoSdkOp &op);
using Effects = llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>;
mlir::MemoryEffects::Effect *effectOf(MondoSdkEffectKind kind);
mlir::LogicalResult verifyInterfaces(mlir::Operation *op, const MondoSdkOp &entry);
mlir::LogicalResult verifyRegionInterfaces(mlir::Operation *op, const MondoSdkOp &entry);
mlir::LogicalResult verifyFunction(mlir::Operation *op, const MondoSdkOp &entry);
mlir::LogicalResult verifyStorage(mlir::Operation *op, const MondoSdkOp &entry);

/// The loop of each dimension of an operand, where the operation is tiled; none for an operand that is not sliced.
std::optional<llvm::SmallVector<intptr_t>> loopsOf(mlir::Operation *op, unsigned operand);
/// The number of the operation's loops.
unsigned countLoops(mlir::Operation *op);

/// The patterns that a pass of ours applies.
struct Rewriting {
  /// The changes that they may still make.
  int64_t left;
  /// True if one of them has failed.
  bool hasFailed;
};

/// What the pass of ours that runs in this thread applies; null if none runs.
extern thread_local Rewriting *rewriting;

/// Adds rewrite patterns.
void addPatterns(mlir::RewritePatternSet &patterns, llvm::ArrayRef<MondoSdkPattern> entries);

/// Registers the passes of a dialect under their names.
void registerPasses(const MondoSdkDialect &table);

/// Adds the dialect of a table to a registry.
void insertDialect(mlir::DialectRegistry &registry, const MondoSdkDialect &table);

/// Adds the interfaces that the table has for operations of other dialects. An error is the dialect's refusal.
void attachModels(DefinedDialect &dialect);

/// The interface by which MLIR asks what may be inlined.
std::unique_ptr<mlir::DialectInterface> makeInliner(mlir::Dialect *dialect);

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
  /// The arguments of the region that is read next.
  llvm::SmallVector<mlir::OpAsmParser::Argument> arguments;
};

/// Gives the operation that was read the regions that were not written, and their blocks the terminators that are
/// understood.
mlir::ParseResult completeRegions(OpParser &session);

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
