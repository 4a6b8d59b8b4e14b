//===-- nesting.cpp - How deep types, attributes and expressions nest -----===//
//
// MLIR prints them, and writes, compares and replaces what is in them, by recursion.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"

#include "mlir/CAPI/AffineExpr.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerUnion.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace mlir;

namespace {

/// The levels that attributes and types may have; mondo-bytecode has the same number for bytecode and text.
constexpr unsigned mostNested = 3000;

/// Something that a context keeps once, by its address.
struct Thing {
  enum Sort { type, attribute, expression } sort;
  const void *address;
};

/// A thing whose parts are looked at now.
struct Open {
  const void *address;
  llvm::SmallVector<Thing, 4> parts;
  /// The levels of the parts that were looked at.
  unsigned levels = 0;
};

llvm::SmallVector<Thing, 4> partsOf(Thing whole) {
  llvm::SmallVector<Thing, 4> parts;
  auto add = [&](Thing::Sort sort, const void *address) {
    if (address)
      parts.push_back({sort, address});
  };
  auto addAttribute = [&](Attribute part) { add(Thing::attribute, part.getAsOpaquePointer()); };
  auto addType = [&](Type part) { add(Thing::type, part.getAsOpaquePointer()); };
  auto addExpression = [&](AffineExpr part) {
    if (isa<AffineBinaryOpExpr>(part))
      add(Thing::expression, part.getAsOpaquePointer());
  };
  switch (whole.sort) {
  case Thing::type:
    Type::getFromOpaquePointer(whole.address).walkImmediateSubElements(addAttribute, addType);
    break;
  case Thing::attribute: {
    auto attribute = Attribute::getFromOpaquePointer(whole.address);
    attribute.walkImmediateSubElements(addAttribute, addType);
    if (auto map = dyn_cast<AffineMapAttr>(attribute))
      for (AffineExpr result : map.getValue().getResults())
        addExpression(result);
    if (auto set = dyn_cast<IntegerSetAttr>(attribute))
      for (AffineExpr constraint : set.getValue().getConstraints())
        addExpression(constraint);
    break;
  }
  case Thing::expression: {
    auto binary = cast<AffineBinaryOpExpr>(
        AffineExpr(static_cast<AffineExpr::ImplType *>(const_cast<void *>(whole.address))));
    addExpression(binary.getLHS());
    addExpression(binary.getRHS());
    break;
  }
  }
  return parts;
}

bool isTooDeep(Thing whole) {
  llvm::SmallVector<Thing, 4> parts = partsOf(whole);
  if (parts.empty())
    return false;
  // Things share parts, so that following each path could take for ever. A structure that is in itself, which some
  // dialects have, counts as nothing there.
  llvm::DenseMap<const void *, unsigned> known{{whole.address, 0}};
  llvm::SmallVector<Open, 8> open;
  open.push_back({whole.address, std::move(parts)});
  while (!open.empty()) {
    Open &last = open.back();
    if (last.parts.empty()) {
      const unsigned levels = last.levels + 1;
      if (levels > mostNested)
        return true;
      known[last.address] = levels;
      open.pop_back();
      if (!open.empty())
        open.back().levels = std::max(open.back().levels, levels);
      continue;
    }
    const Thing part = last.parts.pop_back_val();
    const auto [place, isNew] = known.try_emplace(part.address, 0);
    if (!isNew) {
      last.levels = std::max(last.levels, place->second);
      continue;
    }
    if (open.size() > mostNested)
      return true;
    open.push_back({part.address, partsOf(part)});
  }
  return false;
}

} // namespace

extern "C" bool mondoTypeIsTooDeep(MlirType type) { return isTooDeep({Thing::type, type.ptr}); }

extern "C" bool mondoAttributeIsTooDeep(MlirAttribute attribute) {
  return isTooDeep({Thing::attribute, attribute.ptr});
}

extern "C" bool mondoAffineExprIsTooDeep(MlirAffineExpr expression) {
  return isa<AffineBinaryOpExpr>(unwrap(expression)) && isTooDeep({Thing::expression, expression.ptr});
}
