#ifndef TOY_C_DIALECTS_H
#define TOY_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Toy, toy);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tick, tick);

/// True for a `!toy.struct`.
MLIR_CAPI_EXPORTED bool mlirTypeIsAToyStruct(MlirType type);

/// The struct type of these fields.
MLIR_CAPI_EXPORTED MlirType mlirToyStructTypeGet(MlirContext context, intptr_t count,
                                                 const MlirType *fields);

MLIR_CAPI_EXPORTED intptr_t mlirToyStructTypeGetNumFields(MlirType type);
MLIR_CAPI_EXPORTED MlirType mlirToyStructTypeGetField(MlirType type, intptr_t index);
MLIR_CAPI_EXPORTED MlirTypeID mlirToyStructTypeGetTypeID(void);

/// The parts of an operation with the interface of countable ones; -1 for another.
MLIR_CAPI_EXPORTED intptr_t mlirToyCountParts(MlirOperation operation);

#ifdef __cplusplus
}
#endif

#endif
