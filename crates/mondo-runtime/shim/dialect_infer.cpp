//===-- dialect_infer.cpp - Functions that infer results' types -----------===//
//
// The functions of InferTypeOpInterface are not told which operation they infer types for. So this
// file has an array of functions, which differ in nothing but their index, and each operation with
// inferred types gets one of them for the process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"
#include "properties.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include <array>
#include <mutex>
#include <utility>

using namespace mlir;
using namespace mondo;

namespace {

constexpr size_t kPlaces = 512;

using InferFn = decltype(InferTypeOpInterface::Concept::inferReturnTypes);
using RefineFn = decltype(InferTypeOpInterface::Concept::refineReturnTypes);

struct Place {
  const MondoSdkOp *op;
  const MondoSdkCallbacks *callbacks;
};

// A place is written once, before any context can have the operation, and only read after that.
std::array<Place, kPlaces> places;
std::mutex placesMutex;
size_t taken = 0;

/// All attributes, in one dictionary: an operation that exists has its own ones in its properties.
DictionaryAttr allOf(MLIRContext *context, const MondoSdkOp &op, DictionaryAttr attributes,
                     mondo::PropertyRef properties) {
  // An operation without attributes may come without a dictionary.
  NamedAttrList all(attributes ? attributes : DictionaryAttr::get(context));
  if (properties)
    for (intptr_t i = 0; i < op.numAttributes; ++i)
      if (Attribute value = properties.as<Attribute *>()[i])
        all.set(unwrap(op.attributes[i]), value);
  return all.getDictionary(context);
}

LogicalResult inferAt(size_t place, MLIRContext *context, std::optional<Location> location,
                      ValueRange operands, DictionaryAttr attributes, mondo::PropertyRef properties,
                      RegionRange regions, SmallVectorImpl<Type> &types) {
  SmallVector<MlirValue> values;
  for (Value operand : operands)
    values.push_back(wrap(operand));
  SmallVector<MlirRegion> bodies;
  for (Region *region : regions)
    bodies.push_back(wrap(region));
  MlirLocation where = location ? wrap(*location) : MlirLocation{nullptr};
  const auto &[op, callbacks] = places[place];
  SmallVector<Type> found;
  if (!callbacks->infer(op->definition, wrap(context), where, values.size(), values.data(),
                        wrap(Attribute(allOf(context, *op, attributes, properties))),
                        bodies.size(), bodies.data(),
                        toOpaque<MondoSdkTypes>(static_cast<SmallVectorImpl<Type> *>(&found))))
    return failure();
  types.assign(found.begin(), found.end());
  return success();
}

template <size_t place>
LogicalResult infer(MLIRContext *context, std::optional<Location> location, ValueRange operands,
                    DictionaryAttr attributes, mondo::PropertyRef properties, RegionRange regions,
                    SmallVectorImpl<Type> &types) {
  return inferAt(place, context, location, operands, attributes, properties, regions, types);
}

LogicalResult refineAt(size_t place, MLIRContext *context, std::optional<Location> location,
                       ValueRange operands, DictionaryAttr attributes, mondo::PropertyRef properties,
                       RegionRange regions, SmallVectorImpl<Type> &types) {
  SmallVector<Type> inferred;
  if (failed(inferAt(place, context, location, operands, attributes, properties, regions,
                     inferred)))
    return failure();
  if (TypeRange(inferred) == TypeRange(types))
    return success();
  return emitOptionalError(location, "'",
                           unwrap(places[place].op->name),
                           "' op has results of types ", types,
                           ", but what it is given makes them ", inferred);
}

template <size_t place>
LogicalResult refine(MLIRContext *context, std::optional<Location> location, ValueRange operands,
                     DictionaryAttr attributes, mondo::PropertyRef properties, RegionRange regions,
                     SmallVectorImpl<Type> &types) {
  return refineAt(place, context, location, operands, attributes, properties, regions, types);
}

bool compatible(TypeRange lhs, TypeRange rhs) { return lhs == rhs; }

template <size_t... indices>
constexpr std::array<std::pair<InferFn, RefineFn>, sizeof...(indices)>
makeRow(std::index_sequence<indices...>) {
  return {std::pair<InferFn, RefineFn>{infer<indices>, refine<indices>}...};
}
constexpr auto row = makeRow(std::make_index_sequence<kPlaces>());

/// The place of the operation; `taken` if it has none. Under the mutex.
size_t placeOf(const MondoSdkOp &op) {
  size_t place = 0;
  while (place < taken && places[place].op != &op)
    ++place;
  return place;
}

/// The place that the next `Model` is made for. MLIR constructs models without arguments.
thread_local size_t modelled = 0;

struct Model : public InferTypeOpInterface::Concept {
  using Interface = InferTypeOpInterface;
  Model() : Concept{row[modelled].first, row[modelled].second, compatible} {}
};

} // namespace

bool mondo::reserveInference(const MondoSdkOp &op, const MondoSdkCallbacks &callbacks) {
  std::lock_guard<std::mutex> lock(placesMutex);
  size_t place = placeOf(op);
  if (place == kPlaces)
    return false;
  if (place == taken)
    places[taken++] = {&op, &callbacks};
  return true;
}

void mondo::addInference(detail::InterfaceMap &interfaces, const MondoSdkOp &op) {
  {
    std::lock_guard<std::mutex> lock(placesMutex);
    modelled = placeOf(op);
  }
  interfaces.insertModels<Model>();
}
