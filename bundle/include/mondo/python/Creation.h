//===-- Creation.h - New operations and blocks ----------------------------===//
//
// The package makes operations, so that each has one object and one owner from the
// beginning, and so that what is wrong with the arguments is said in one way.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_PYTHON_CREATION_H
#define MONDO_PYTHON_CREATION_H

#include "mondo/python/Casters.h"
#include "mondo/python/Structure.h"

namespace mlir {
namespace python {
namespace MLIR_BINDINGS_PYTHON_DOMAIN {

namespace support {

/// The objects of handles, None for null; None in the place of no list.
template <typename T>
nanobind::object objectsOf(const std::optional<std::vector<T *>> &handles) {
  if (!handles)
    return nanobind::none();
  nanobind::list objects;
  for (const T *handle : *handles)
    objects.append(nanobind::cast(handle));
  return objects;
}

/// The handles that a sequence is made of; `what` is what a message calls one.
template <typename T>
std::vector<T> handlesOf(const nanobind::sequence &objects, const char *what) {
  std::vector<T> handles;
  for (nanobind::handle object : objects) {
    std::optional<T> handle = load<T>(object);
    if (!handle)
      throw nanobind::type_error((std::string("createBlock: ") + what + " " +
                                  std::to_string(handles.size()) + " is not a " + T::pyClassName)
                                     .c_str());
    handles.push_back(std::move(*handle));
  }
  return handles;
}

} // namespace support

nanobind::object PyOperation::create(std::string_view name,
                                     std::optional<std::vector<PyType *>> results,
                                     llvm::ArrayRef<MlirValue> operands,
                                     std::optional<nanobind::dict> attributes,
                                     std::optional<std::vector<PyBlock *>> successors, int regions,
                                     PyLocation &location, const nanobind::object &ip,
                                     bool inferType) {
  nanobind::list values;
  for (MlirValue operand : operands) {
    if (mlirValueIsNull(operand))
      throw nanobind::value_error("operand value cannot be None");
    values.append(
        support::fromCapsule(PyValue::pythonClass(), mlirPythonValueToCapsule(operand)));
  }
  return pythonClass().attr("create")(
      nanobind::str(name.data(), name.size()), support::objectsOf(results), values,
      support::orNone(attributes), support::objectsOf(successors), regions, location.toPython(),
      support::orNone(ip), inferType);
}

nanobind::object
PyOpView::buildGeneric(std::string_view name, std::tuple<int, bool> opRegionSpec,
                       nanobind::object operandSegmentSpecObj,
                       nanobind::object resultSegmentSpecObj,
                       std::optional<nanobind::list> resultTypeList, nanobind::list operandList,
                       std::optional<nanobind::dict> attributes,
                       std::optional<std::vector<PyBlock *>> successors, std::optional<int> regions,
                       PyLocation &location, const nanobind::object &maybeIp) {
  nanobind::object view = pythonClass()(
      nanobind::str(name.data(), name.size()), opRegionSpec, support::orNone(operandSegmentSpecObj),
      support::orNone(resultSegmentSpecObj), support::orNone(resultTypeList), operandList,
      support::orNone(attributes), support::objectsOf(successors), regions, location.toPython(),
      support::orNone(maybeIp));
  return view.attr("operation");
}

/// A new block, which the caller owns, with arguments of these types. Where no locations are given
/// it needs a current one.
inline MlirBlock createBlock(const nanobind::sequence &pyArgTypes,
                             const std::optional<nanobind::sequence> &pyArgLocs) {
  std::vector<PyType> types = support::handlesOf<PyType>(pyArgTypes, "type");
  std::vector<PyLocation> locations;
  if (pyArgLocs)
    locations = support::handlesOf<PyLocation>(*pyArgLocs, "location");
  else if (!types.empty())
    locations.assign(types.size(), PyLocation::current());
  if (locations.size() != types.size())
    throw nanobind::value_error(("createBlock: expected a location for each of the " +
                                 std::to_string(types.size()) + " arguments, got " +
                                 std::to_string(locations.size()))
                                    .c_str());
  std::vector<MlirType> rawTypes;
  std::vector<MlirLocation> rawLocations;
  for (size_t index = 0; index < types.size(); ++index) {
    rawTypes.push_back(types[index].get());
    rawLocations.push_back(locations[index].get());
    if (!mlirContextEqual(mlirTypeGetContext(rawTypes.front()),
                          mlirTypeGetContext(rawTypes.back())) ||
        !mlirContextEqual(mlirTypeGetContext(rawTypes.front()),
                          mlirLocationGetContext(rawLocations.back())))
      throw nanobind::value_error("createBlock: the types and locations are of different contexts");
  }
  return mlirBlockCreate(static_cast<intptr_t>(types.size()), rawTypes.data(),
                         rawLocations.data());
}

} // namespace MLIR_BINDINGS_PYTHON_DOMAIN
} // namespace python
} // namespace mlir

#endif // MONDO_PYTHON_CREATION_H
