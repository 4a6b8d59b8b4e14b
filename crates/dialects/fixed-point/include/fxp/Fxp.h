//===-- Fxp.h - The fixed-point dialect -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FXP_FXP_H
#define FXP_FXP_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/APInt.h"

#include "fxp/FxpDialect.h.inc"

#include "fxp/FxpEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "fxp/FxpTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fxp/FxpAttributes.h.inc"

#define GET_OP_CLASSES
#include "fxp/FxpOps.h.inc"

namespace fxp {

/// The number type of `type`, which is one or a container of them; null for
/// anything else.
NumType getNumType(mlir::Type type);

} // namespace fxp

#endif // FXP_FXP_H
