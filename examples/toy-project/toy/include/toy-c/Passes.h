#ifndef TOY_C_PASSES_H
#define TOY_C_PASSES_H

#include "mlir-c/Pass.h"
#include "toy/Passes.capi.h.inc"

#endif
