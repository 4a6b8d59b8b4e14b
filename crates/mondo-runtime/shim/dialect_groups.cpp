//===-- dialect_groups.cpp - Groups of operands and results ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mondo;

bool mondo::isDefined(Operation *op) {
  Dialect *dialect = op->getDialect();
  return dialect && op->isRegistered() && dialect->getRegisteredInterface<IsDefined>();
}

/// The number of groups that do not have exactly one value.
static unsigned countOpen(const MondoSdkGroups &groups) {
  unsigned open = 0;
  for (intptr_t i = 0; i < groups.count; ++i)
    open += groups.groups[i].count != MondoSdkOne;
  return open;
}

bool mondo::hasSegments(const MondoSdkGroups &groups) { return countOpen(groups) > 1; }

/// The group's row among `total` values. The attribute may be anything, as the operation need not be verified.
static Row rowOf(Operation *op, const MondoSdkGroups &groups, StringRef segments, intptr_t group,
                 unsigned total) {
  if (group < 0 || group >= groups.count)
    return {0, 0};
  ArrayRef<int32_t> sizes;
  if (hasSegments(groups)) {
    auto attribute = dyn_cast_or_null<DenseI32ArrayAttr>(op->getAttr(segments));
    if (!attribute || attribute.size() != groups.count)
      return {0, 0};
    sizes = attribute.asArrayRef();
  }
  const int64_t fixed = groups.count - countOpen(groups);
  int64_t first = 0, count = 0;
  for (intptr_t i = 0; i <= group; ++i) {
    first += count;
    if (!sizes.empty())
      count = sizes[i];
    else
      count = groups.groups[i].count == MondoSdkOne ? 1 : static_cast<int64_t>(total) - fixed;
    if (count < 0 || first + count > static_cast<int64_t>(total))
      return {0, 0};
  }
  return {static_cast<unsigned>(first), static_cast<unsigned>(count)};
}

Row mondo::operandRow(Operation *op, intptr_t group) {
  return rowOf(op, entryOf(op).operands, kOperandSegments, group, op->getNumOperands());
}

Row mondo::resultRow(Operation *op, intptr_t group) {
  return rowOf(op, entryOf(op).results, kResultSegments, group, op->getNumResults());
}

OperandRange mondo::operandsOf(Operation *op, intptr_t group) {
  const Row row = operandRow(op, group);
  return op->getOperands().slice(row.first, row.count);
}

MutableOperandRange mondo::mutableOperandsOf(Operation *op, intptr_t group) {
  const Row row = operandRow(op, group);
  if (!hasSegments(entryOf(op).operands))
    return MutableOperandRange(op, row.first, row.count);
  const auto name = StringAttr::get(op->getContext(), kOperandSegments);
  const Attribute sizes = op->getAttr(name);
  if (!sizes || row.count == 0)
    return MutableOperandRange(op, row.first, row.count);
  const MutableOperandRange::OperandSegment segment(group, NamedAttribute(name, sizes));
  return MutableOperandRange(op, row.first, row.count, segment);
}

//===----------------------------------------------------------------------===//
// dialect_sdk.h
//===----------------------------------------------------------------------===//

extern "C" const void *mondoSdkOpDefinition(MlirOperation op) {
  return isDefined(unwrap(op)) ? entryOf(unwrap(op)).definition : nullptr;
}

extern "C" void mondoSdkOpOperandGroup(MlirOperation op, intptr_t group, intptr_t *first,
                                       intptr_t *count) {
  const Row row = operandRow(unwrap(op), group);
  *first = row.first;
  *count = row.count;
}

extern "C" void mondoSdkOpResultGroup(MlirOperation op, intptr_t group, intptr_t *first,
                                      intptr_t *count) {
  const Row row = resultRow(unwrap(op), group);
  *first = row.first;
  *count = row.count;
}
