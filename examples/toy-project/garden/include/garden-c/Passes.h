#ifndef GARDEN_C_PASSES_H
#define GARDEN_C_PASSES_H

#include "mlir-c/Pass.h"
#include "garden/Passes.capi.h.inc"

#endif
