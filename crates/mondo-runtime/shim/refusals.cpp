//===-- refusals.cpp - What is missing where a parser or verifier refuses -===//
//
// Parsers of some dialects go on after a part that they could not read: they make an attribute of a type that is
// missing, or put a missing attribute among those of the operation, and MLIR asks it for its context. The error was
// emitted by then, so that MLIR refuses the operation as soon as its parser returns. Others take an attribute that they have
// read for one of a kind, without a look: they get an empty value of that kind, which they refuse, or which `models.cpp`
// refuses for them. Verifiers ask types for their width that have none (`models.cpp` refuses their operations). The verifier of
// layouts of `xegpu` divides by sizes that may be 0.
//
// The link (`--wrap`) puts these functions before MLIR's, wherever the premises of operations are asked. Each does what MLIR's
// does, but where that would end the process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "premises.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OperationSupport.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

using namespace mlir;

// MLIR's TypeAttr::get and NamedAttrList::set, by the names that `--wrap` gives them.
TypeAttr typeAttrInMlir(Type type) __asm__("__real__ZN4mlir8TypeAttr3getENS_4TypeE");
Attribute setInMlir(NamedAttrList *list, llvm::StringRef name, Attribute value) __asm__(
    "__real__ZN4mlir13NamedAttrList3setEN4llvm9StringRefENS_9AttributeE");

// The values of attributes, likewise.
llvm::StringRef stringInMlir(const StringAttr *attribute) __asm__(
    "__real__ZNK4mlir10StringAttr8getValueEv");
int64_t integerInMlir(const IntegerAttr *attribute) __asm__(
    "__real__ZNK4mlir11IntegerAttr6getIntEv");
AffineMap mapInMlir(const AffineMapAttr *attribute) __asm__(
    "__real__ZNK4mlir13AffineMapAttr8getValueEv");

// The functions that `--wrap` has callers of those, and of computeShapeRatio, reach instead.
TypeAttr typeAttr(Type type) __asm__("__wrap__ZN4mlir8TypeAttr3getENS_4TypeE");
Attribute setAttribute(NamedAttrList *list, llvm::StringRef name, Attribute value) __asm__(
    "__wrap__ZN4mlir13NamedAttrList3setEN4llvm9StringRefENS_9AttributeE");
std::optional<llvm::SmallVector<int64_t>>
ratioOfShapes(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> part) __asm__(
    "__wrap__ZN4mlir17computeShapeRatioEN4llvm8ArrayRefIlEES2_");

llvm::StringRef valueOfString(const StringAttr *attribute) __asm__(
    "__wrap__ZNK4mlir10StringAttr8getValueEv");
int64_t valueOfInteger(const IntegerAttr *attribute) __asm__(
    "__wrap__ZNK4mlir11IntegerAttr6getIntEv");
AffineMap valueOfMap(const AffineMapAttr *attribute) __asm__(
    "__wrap__ZNK4mlir13AffineMapAttr8getValueEv");
unsigned widthOf(const Type *type) __asm__("__wrap__ZNK4mlir4Type21getIntOrFloatBitWidthEv");

namespace {

thread_local unsigned misreadHere = 0;
std::atomic<unsigned> misreadAnywhere = 0;

void misread() {
  ++misreadHere;
  misreadAnywhere.fetch_add(1, std::memory_order_relaxed);
}

/// Whether an attribute is of the kind that its type says. The caller may have cast it without a look.
template <typename Kind>
bool isRead(const Kind *attribute) {
  Attribute any = *attribute;
  const bool is = any.getTypeID() == TypeID::get<Kind>();
  if (!is)
    misread();
  return is;
}

} // namespace

unsigned mondo::misreadsHere() { return misreadHere; }

unsigned mondo::misreadsAnywhere() { return misreadAnywhere.load(std::memory_order_relaxed); }

llvm::StringRef valueOfString(const StringAttr *attribute) {
  return isRead(attribute) ? stringInMlir(attribute) : llvm::StringRef();
}

int64_t valueOfInteger(const IntegerAttr *attribute) {
  return isRead(attribute) ? integerInMlir(attribute) : 0;
}

AffineMap valueOfMap(const AffineMapAttr *attribute) {
  return isRead(attribute) ? mapInMlir(attribute) : AffineMap::get(attribute->getContext());
}

/// The width of an integer or a float. Indices have the one in which MLIR stores them, other types one that some callers
/// divide by, and others divide 32 by.
unsigned widthOf(const Type *type) {
  if (const auto integer = llvm::dyn_cast_or_null<IntegerType>(*type))
    return integer.getWidth();
  if (auto real = llvm::dyn_cast_or_null<FloatType>(*type))
    return real.getWidth();
  misread();
  return *type && type->isIndex() ? IndexType::kInternalStorageBitWidth : 32;
}

TypeAttr typeAttr(Type type) { return type ? typeAttrInMlir(type) : TypeAttr(); }

/// Returns the attribute that the list had under this name, as MLIR's does: none where nothing is set.
Attribute setAttribute(NamedAttrList *list, llvm::StringRef name, Attribute value) {
  return value ? setInMlir(list, name, value) : Attribute();
}

/// The number of parts in each dimension of a shape, whose last dimensions are those of the part; nothing where a
/// dimension is no multiple of the part's. It does not call MLIR's, which a bundle need not have.
std::optional<llvm::SmallVector<int64_t>> ratioOfShapes(llvm::ArrayRef<int64_t> shape,
                                                        llvm::ArrayRef<int64_t> part) {
  if (shape.size() < part.size())
    return std::nullopt;
  llvm::SmallVector<int64_t> ratio(shape.begin(), shape.end());
  const size_t first = shape.size() - part.size();
  for (size_t at = 0; at < part.size(); ++at) {
    int64_t &size = ratio[first + at];
    // Neither quotient can be computed.
    if (part[at] == 0 || (part[at] == -1 && size == INT64_MIN) || size % part[at] != 0)
      return std::nullopt;
    size /= part[at];
  }
  return ratio;
}
