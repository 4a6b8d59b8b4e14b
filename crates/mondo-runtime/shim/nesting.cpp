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
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <optional>

using namespace mlir;

namespace {

/// The levels that attributes and types may have; mondo-bytecode has the same number for bytecode and text.
constexpr unsigned mostNested = 3000;

/// The parts that they may have. Each `[a, a]` doubles them, so that printing 60 such levels would take years.
constexpr unsigned mostParts = 1u << 28;

/// Something that a context keeps once, by its address.
struct Thing {
  enum Sort { type, attribute, expression } sort;
  const void *address;
};

/// How deep a thing nests, and how many things are in it, counted once for each path.
struct Extent {
  unsigned levels = 0;
  unsigned size = 1;

  void add(Extent part) {
    levels = std::max(levels, part.levels);
    size = llvm::SaturatingAdd(size, part.size);
  }

  bool isTooMuch() const { return levels > mostNested || size > mostParts; }
};

/// The extent of a thing without parts.
constexpr Extent leaf{1, 1};

/// Smaller things are gone through again, which costs less than keeping them.
constexpr unsigned leastKeptLevels = 16, leastKeptSize = 64;

using Extents = llvm::DenseMap<const void *, Extent>;

/// A thing whose parts are looked at now.
struct Open {
  const void *address;
  llvm::SmallVector<Thing, 4> parts;
  /// The extent of the parts that were looked at.
  Extent extent;
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

/// The extent of a thing; none if it is too much. `kept` has what earlier calls found, and gets what this one finds; it
/// may be null.
std::optional<Extent> extentOf(Thing whole, Extents *kept = nullptr) {
  llvm::SmallVector<Thing, 4> parts = partsOf(whole);
  if (parts.empty())
    return leaf;
  // Things share parts, so that following each path could take for ever. A structure that is in itself, which some
  // dialects have, counts as nothing there; what was found meanwhile is not true of its parts elsewhere.
  llvm::SmallDenseMap<const void *, Extent, 8> known{{whole.address, {}}};
  bool isInItself = false;
  llvm::SmallVector<Open, 8> open;
  open.push_back({whole.address, std::move(parts), {}});
  while (!open.empty()) {
    Open &last = open.back();
    if (last.parts.empty()) {
      Extent extent = last.extent;
      ++extent.levels;
      if (extent.isTooMuch())
        return std::nullopt;
      known[last.address] = extent;
      open.pop_back();
      if (!open.empty())
        open.back().extent.add(extent);
      continue;
    }
    const Thing part = last.parts.pop_back_val();
    if (auto place = known.find(part.address); place != known.end()) {
      isInItself |= place->second.levels == 0;
      last.extent.add(place->second);
      continue;
    }
    if (kept)
      if (auto place = kept->find(part.address); place != kept->end()) {
        last.extent.add(place->second);
        continue;
      }
    parts = partsOf(part);
    if (parts.empty()) {
      last.extent.add(leaf);
      continue;
    }
    if (open.size() > mostNested)
      return std::nullopt;
    known.try_emplace(part.address);
    open.push_back({part.address, std::move(parts), {}});
  }
  if (kept && !isInItself)
    for (auto [address, extent] : known)
      if (extent.levels >= leastKeptLevels || extent.size >= leastKeptSize)
        kept->try_emplace(address, extent);
  return known.lookup(whole.address);
}

bool isTooDeep(Thing whole, Extents *kept = nullptr) { return !extentOf(whole, kept); }

/// What is known of the things of one context.
struct Nesting {
  Extents extents;
  /// The structures that got their elements after they were made, the deepest of them when they were last measured, and
  /// how much deeper the later ones can have made it. A structure grows with those in it, which do not know it.
  llvm::SmallVector<MlirType, 0> structures;
  unsigned deepest = 0, growth = 0;

  /// The levels of the deepest of the structures; none if one is too much.
  std::optional<unsigned> measure() {
    unsigned levels = 0;
    Extents known;
    for (MlirType structure : structures) {
      std::optional<Extent> extent = extentOf({Thing::type, structure.ptr}, &known);
      if (!extent)
        return std::nullopt;
      levels = std::max(levels, extent->levels);
    }
    return levels;
  }

  bool takesElements(MlirType structure, llvm::ArrayRef<MlirType> elements) {
    extents.clear();
    unsigned levels = 1;
    for (MlirType element : elements) {
      std::optional<Extent> extent = extentOf({Thing::type, element.ptr}, &extents);
      if (!extent)
        return false;
      levels = std::max(levels, extent->levels + 1);
    }
    if (deepest + growth + levels > mostNested) {
      std::optional<unsigned> measured = measure();
      if (!measured || *measured + levels > mostNested)
        return false;
      deepest = *measured;
      growth = 0;
    }
    growth += levels;
    structures.push_back(structure);
    extents.clear();
    return true;
  }
};

Nesting *unwrapNesting(MondoNesting nesting) { return static_cast<Nesting *>(nesting.ptr); }

Extents *extentsOf(MondoNesting nesting) { return &unwrapNesting(nesting)->extents; }

bool isBinary(MlirAffineExpr expression) { return isa<AffineBinaryOpExpr>(unwrap(expression)); }

} // namespace

extern "C" bool mondoTypeIsTooDeep(MlirType type) { return isTooDeep({Thing::type, type.ptr}); }

extern "C" bool mondoAttributeIsTooDeep(MlirAttribute attribute) {
  return isTooDeep({Thing::attribute, attribute.ptr});
}

extern "C" bool mondoAffineExprIsTooDeep(MlirAffineExpr expression) {
  return isBinary(expression) && isTooDeep({Thing::expression, expression.ptr});
}

extern "C" MondoNesting mondoNestingCreate() { return {new Nesting}; }

extern "C" void mondoNestingDestroy(MondoNesting nesting) { delete unwrapNesting(nesting); }

extern "C" bool mondoNestingTakesElements(MondoNesting nesting, MlirType structure, intptr_t count,
                                          const MlirType *elements) {
  return unwrapNesting(nesting)->takesElements(structure, llvm::ArrayRef(elements, count));
}

extern "C" bool mondoNestingTypeIsTooDeep(MondoNesting nesting, MlirType type) {
  return isTooDeep({Thing::type, type.ptr}, extentsOf(nesting));
}

extern "C" bool mondoNestingAttributeIsTooDeep(MondoNesting nesting, MlirAttribute attribute) {
  return isTooDeep({Thing::attribute, attribute.ptr}, extentsOf(nesting));
}

extern "C" bool mondoNestingAffineExprIsTooDeep(MondoNesting nesting, MlirAffineExpr expression) {
  return isBinary(expression) && isTooDeep({Thing::expression, expression.ptr}, extentsOf(nesting));
}
