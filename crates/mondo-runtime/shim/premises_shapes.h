//===-- premises_shapes.h - What many premises have in common -------------===//
//
// The functions of the rows in premises_rows.cpp, and what a verifier says of an operation for which one does not hold.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_PREMISES_SHAPES_H
#define MONDO_SHIM_PREMISES_SHAPES_H

#include "premises.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Region.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace mondo::shapes {

using namespace mlir;

/// The number of operands at the row's place.
inline size_t operands(Operation *op, const Row &row) {
  if (row.place < 0) {
    const size_t first = static_cast<size_t>(-1 - row.place);
    return op->getNumOperands() - std::min<size_t>(first, op->getNumOperands());
  }
  const auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (!sizes || row.place >= sizes.size() || sizes[row.place] < 0)
    return 0;
  return static_cast<size_t>(sizes[row.place]);
}

/// The length of a list of attributes or flags; none for any other attribute.
inline std::optional<size_t> length(Attribute list) {
  if (const auto array = llvm::dyn_cast_or_null<ArrayAttr>(list))
    return array.size();
  if (const auto array = llvm::dyn_cast_or_null<DenseArrayAttr>(list))
    return static_cast<size_t>(array.size());
  return std::nullopt;
}

/// The sum of lengths; one below 0 is more than any operation has.
inline size_t sum(DenseI32ArrayAttr lengths) {
  size_t all = 0;
  for (int32_t length : lengths.asArrayRef())
    all += length < 0 ? size_t{INT32_MAX} : static_cast<size_t>(length);
  return all;
}

//===----------------------------------------------------------------------===//
// Shapes: what holds for a sound operation
//===----------------------------------------------------------------------===//

inline bool hasGroups(Operation *op, const Row &row) {
  const auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  // MLIR says what is wrong with a list of another length, and with more than one operand for `?`.
  if (!sizes || static_cast<size_t>(sizes.size()) != row.attribute.size())
    return true;
  return llvm::all_of(llvm::zip_equal(row.attribute, sizes.asArrayRef()), [](const auto &group) {
    const auto [sign, size] = group;
    return sign == '1' ? size == 1 : sign != '+' || size > 0;
  });
}

/// The number of entries that stand for an operand each.
inline size_t dynamics(llvm::ArrayRef<int64_t> entries) {
  return static_cast<size_t>(llvm::count(entries, ShapedType::kDynamic));
}

inline bool hasDynamic(Operation *op, const Row &row) {
  const auto list = op->getAttrOfType<DenseI64ArrayAttr>(row.attribute);
  return !list || dynamics(list.asArrayRef()) <= operands(op, row);
}

#if LLVM_VERSION_MAJOR >= 22
/// Where the list is missing, that of the memref's type is taken.
inline bool hasDynamicOfMemref(Operation *op, const Row &row) {
  const auto memref = op->getNumOperands() != 0
                          ? llvm::dyn_cast<MemRefType>(op->getOperand(0).getType())
                          : MemRefType();
  if (!memref || op->getAttr(row.attribute))
    return hasDynamic(op, row);
  llvm::SmallVector<int64_t> strides;
  int64_t offset = 0;
  const bool isShape = row.attribute == "const_shape";
  if (!isShape && failed(memref.getStridesAndOffset(strides, offset)))
    return true;
  const auto list = isShape ? memref.getShape() : llvm::ArrayRef<int64_t>(strides);
  return dynamics(list) <= operands(op, row);
}
#else
constexpr auto hasDynamicOfMemref = hasDynamic;
#endif

inline bool hasLengths(Operation *op, const Row &row) {
  const auto lengths = op->getAttrOfType<DenseI32ArrayAttr>(row.attribute);
  return !lengths || sum(lengths) <= operands(op, row);
}

/// In an operation whose operands are in groups, the first successor has a group of its own.
inline bool hasBranches(Operation *op, const Row &row) {
  const auto lengths = op->getAttrOfType<DenseI32ArrayAttr>(row.attribute);
  const size_t others = row.place < 0 ? 0 : 1;
  return !lengths ||
         (static_cast<size_t>(lengths.size()) + others >= op->getNumSuccessors() &&
          sum(lengths) <= operands(op, row));
}

inline bool hasAttribute(Operation *op, const Row &row) {
  return static_cast<bool>(op->getAttr(row.attribute));
}

inline bool isListed(Operation *op, const Row &row) {
  return operands(op, row) == 0 || hasAttribute(op, row);
}

inline bool isListedOrGiven(Operation *op, const Row &row) {
  return operands(op, row) != 0 || hasAttribute(op, row);
}

/// The first successor is the default's.
inline bool hasCases(Operation *op, const Row &row) {
  return op->getNumSuccessors() <= 1 || hasAttribute(op, row);
}

/// The list of devices has the attribute's name and an ending.
inline bool hasValues(Operation *op, const Row &row) {
  const Attribute devices = op->getAttr((row.attribute + "DeviceType").str());
  return length(devices).value_or(0) == 0 || hasAttribute(op, row);
}

inline bool isWithin(Operation *op, const Row &row) {
  return length(op->getAttr(row.attribute)).value_or(0) <= operands(op, row);
}

/// The printer reads an operand for each kind, and the list wherever there are operands.
inline bool hasKinds(Operation *op, const Row &row) { return isWithin(op, row) && isListed(op, row); }

/// A clause has a list of symbols and one of flags, with an entry for each operand, or lacks them.
inline bool hasClause(Operation *op, const Row &row) {
  const auto covers = [&](llvm::StringRef ending) {
    const auto entries = length(op->getAttr((row.attribute + ending).str()));
    return !entries || *entries >= operands(op, row);
  };
  return covers("_syms") && covers("_byref");
}

/// The first two groups are variables and their allocators.
inline bool hasAllocators(Operation *op, const Row &) {
  const auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  return !sizes || sizes.size() < 2 || sizes[0] <= std::max(sizes[1], 0);
}

/// The number is one of the operand's and of the result's dimensions. MLIR says what is wrong with other types.
inline bool isDimension(Operation *op, const Row &row) {
  const auto number = op->getAttrOfType<IntegerAttr>(row.attribute);
  const auto has = [&](Value value) {
    const auto type = llvm::dyn_cast<ShapedType>(value.getType());
    return !type || !type.hasRank() ||
           number.getValue().ult(static_cast<uint64_t>(type.getRank()));
  };
  return !number || (llvm::all_of(op->getOperands().take_front(1), has) &&
                     llvm::all_of(op->getResults().take_front(1), has));
}

inline bool hasBody(Operation *op, const Row &) {
  return op->getNumRegions() == 0 || !op->getRegion(0).empty();
}

inline bool hasArgument(Operation *op, const Row &) {
  return op->getNumRegions() != 0 && op->getRegion(0).getNumArguments() != 0;
}

/// A vector for a vector, and something with a shape for something with a shape. MLIR says what is wrong with the rest.
inline bool hasResultAlike(Operation *op, const Row &) {
  if (op->getNumOperands() == 0 || op->getNumResults() == 0)
    return true;
  const Type operand = op->getOperand(0).getType(), result = op->getResult(0).getType();
  if (llvm::isa<VectorType>(operand))
    return llvm::isa<VectorType>(result);
  return !llvm::isa<ShapedType>(operand) || llvm::isa<ShapedType>(result);
}

inline bool hasVectors(Operation *op, const Row &) {
  const auto isSound = [](Type type) {
    return llvm::isa<VectorType, BFloat16Type, Float16Type, Float32Type, Float64Type, Float80Type,
                     Float128Type>(type) ||
           type.isSignlessInteger() || type.getAbstractType().getName().starts_with("llvm.p");
  };
  return llvm::all_of(op->getOperandTypes(), isSound) &&
         llvm::all_of(op->getResultTypes(), isSound);
}

inline bool hasMemorySpace(Operation *op, const Row &) {
  const auto memref = op->getNumOperands() != 0
                          ? llvm::dyn_cast<MemRefType>(op->getOperand(0).getType())
                          : MemRefType();
  return !memref || memref.getMemorySpace();
}

inline bool hasTensor(Operation *op, const Row &row) {
  const auto elements = llvm::dyn_cast_or_null<ElementsAttr>(op->getAttr(row.attribute));
  return !elements || llvm::isa<TensorType>(elements.getType());
}

/// Each element has a size in bits, by which MLIR compares vectors with memory.
inline bool hasSizes(Operation *op, const Row &) {
  const auto isSized = [](Type type) {
    while (const auto shaped = llvm::dyn_cast<ShapedType>(type))
      type = shaped.getElementType();
    return llvm::isa<ComplexType, DataLayoutTypeInterface>(type) || type.isIntOrIndexOrFloat();
  };
  return llvm::all_of(op->getOperandTypes(), isSized) && llvm::all_of(op->getResultTypes(), isSized);
}

inline bool hasText(Operation *op, const Row &row) {
  const auto text = op->getAttrOfType<StringAttr>(row.attribute);
  return !text || !text.getValue().empty();
}

/// No list in the list is empty.
inline bool hasNested(Operation *op, const Row &row) {
  const auto lists = op->getAttrOfType<ArrayAttr>(row.attribute);
  return !lists || llvm::none_of(lists, [](Attribute list) { return length(list) == 0; });
}

inline bool hasEntries(Operation *op, const Row &row) {
  const auto list = op->getAttrOfType<ArrayAttr>(row.attribute);
  return !list || list.size() >= static_cast<size_t>(row.place);
}

/// Maps with an operand for each input, besides as many others as the row's place says.
inline bool hasMaps(Operation *op, const Row &row) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::SplitString(row.attribute, names);
  size_t needed = static_cast<size_t>(row.place);
  for (llvm::StringRef name : names) {
    const auto map = op->getAttrOfType<AffineMapAttr>(name);
    if (!map)
      return false;
    needed += map.getValue().getNumInputs();
  }
  return op->getNumOperands() >= needed;
}

/// What holds, and what is said with the attribute's name where it does not.
constexpr Shape Alike = {
    hasResultAlike, "requires a result that has a shape, as its first operand has one", false};
constexpr Shape Allocators = {hasAllocators, ""};
constexpr Shape Argument = {hasArgument, "", false};
constexpr Shape Body = {hasBody, "requires a block in its body", false};
constexpr Shape Branches = {
    hasBranches, "requires the number of operands of each successor in"};
constexpr Shape Cases = {hasCases, "has successors, which require attribute", false};
constexpr Shape Clause = {hasClause, ""};
constexpr Shape Dimension = {isDimension, "requires the number of a dimension in", false};
constexpr Shape Dynamic = {
    hasDynamic, "has fewer operands than there are dynamic entries in"};
constexpr Shape DynamicOfMemref = {
    hasDynamicOfMemref, "has fewer operands than there are dynamic entries in"};
constexpr Shape Entries = {hasEntries, "requires more entries in", false};
constexpr Shape Groups = {
    hasGroups, "operand groups require the sizes (1: one, ?: at most one, +: some, *: any)"};
constexpr Shape Kinds = {hasKinds, ""};
constexpr Shape Lengths = {hasLengths, ""};
constexpr Shape Listed = {isListed, "has operands, which require attribute"};
constexpr Shape ListedOrGiven = {isListedOrGiven, "", false};
constexpr Shape Maps = {
    hasMaps, "requires affine maps with an operand for each input:", false};
constexpr Shape MemorySpace = {hasMemorySpace, "requires a memory space", false};
constexpr Shape Needed = {hasAttribute, "requires attribute", false};
constexpr Shape Nested = {hasNested, "requires no empty list in", false};
constexpr Shape Sized = {hasSizes, "requires elements of types that have a size", false};
constexpr Shape Tensor = {hasTensor, "requires elements of a tensor in", false};
constexpr Shape Text = {hasText, "requires a text in", false};
constexpr Shape Values = {hasValues, ""};
constexpr Shape Vectors = {hasVectors, "takes vectors, numbers and pointers of LLVM", false};
constexpr Shape Within = {isWithin, ""};

} // namespace mondo::shapes

#endif // MONDO_SHIM_PREMISES_SHAPES_H
