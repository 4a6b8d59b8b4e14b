//===-- create.cpp - Making an operation in one call ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/OperationSupport.h"

#include <memory>

extern "C" MlirOperation mondoOperationCreate(const MondoOperationParts *parts) {
  mlir::OperationState state(unwrap(parts->location), unwrap(parts->name));
  state.types.reserve(parts->nResults);
  for (intptr_t i = 0; i < parts->nResults; ++i)
    state.types.push_back(unwrap(parts->results[i]));
  state.operands.reserve(parts->nOperands);
  for (intptr_t i = 0; i < parts->nOperands; ++i)
    state.operands.push_back(unwrap(parts->operands[i]));
  for (intptr_t i = 0; i < parts->nAttributes; ++i)
    state.addAttribute(unwrap(parts->attributes[i].name), unwrap(parts->attributes[i].attribute));
  for (intptr_t i = 0; i < parts->nSuccessors; ++i)
    state.successors.push_back(unwrap(parts->successors[i]));
  for (intptr_t i = 0; i < parts->nRegions; ++i)
    state.addRegion(std::unique_ptr<mlir::Region>(unwrap(parts->regions[i])));
  return wrap(mlir::Operation::create(state));
}
