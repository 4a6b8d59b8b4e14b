#ifndef GARDEN_C_DIALECTS_H
#define GARDEN_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Garden, garden);

#ifdef __cplusplus
}
#endif

#endif
