//===-- CAPI.cpp - C API of the fixed-point dialect -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fxp-c/Fxp.h"
#include "fxp/Fxp.h"
#include "fxp/Passes.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace fxp;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Fxp, fxp, FxpDialect)

void mlirRegisterFxpPasses(void) { registerFxpPasses(); }

bool mlirTypeIsAFxpNum(MlirType type) { return isa<NumType>(unwrap(type)); }

MlirTypeID mlirFxpNumTypeGetTypeID(void) { return wrap(NumType::getTypeID()); }

MlirType mlirFxpNumTypeGetChecked(MlirLocation loc, unsigned width, unsigned frac, bool isSigned) {
  Location where = unwrap(loc);
  return wrap(Type(NumType::getChecked(where, where.getContext(), width, frac, isSigned)));
}

unsigned mlirFxpNumTypeGetWidth(MlirType type) { return cast<NumType>(unwrap(type)).getWidth(); }

unsigned mlirFxpNumTypeGetFrac(MlirType type) { return cast<NumType>(unwrap(type)).getFrac(); }

bool mlirFxpNumTypeIsSigned(MlirType type) { return cast<NumType>(unwrap(type)).getIsSigned(); }

bool mlirAttributeIsAFxpValue(MlirAttribute attr) { return isa<ValueAttr>(unwrap(attr)); }

MlirTypeID mlirFxpValueAttrGetTypeID(void) { return wrap(ValueAttr::getTypeID()); }

MlirAttribute mlirFxpValueAttrGetChecked(MlirLocation loc, MlirType type, uint64_t raw) {
  Location where = unwrap(loc);
  NumType num = getNumType(unwrap(type));
  // A type of anything else is refused below, where the words for it are.
  llvm::APInt bits = llvm::APInt(64, raw).zextOrTrunc(num ? num.getWidth() : 64);
  return wrap(Attribute(
      ValueAttr::getChecked(where, where.getContext(), unwrap(type), bits)));
}

int64_t mlirFxpValueAttrGetRaw(MlirAttribute attr) {
  auto value = cast<ValueAttr>(unwrap(attr));
  return value.getNumType().getIsSigned()
             ? value.getRaw().getSExtValue()
             : static_cast<int64_t>(value.getRaw().getZExtValue());
}

MlirType mlirFxpValueAttrGetNumType(MlirAttribute attr) {
  return wrap(Type(cast<ValueAttr>(unwrap(attr)).getNumType()));
}
