#include "garden-c/Dialects.h"

#include "garden/Garden.h"

#include "mlir/CAPI/Registration.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Garden, garden, garden::GardenDialect)
