#include "garden-c/Passes.h"

#include "garden/Passes.h"

#include "mlir/CAPI/Pass.h"

using namespace garden;

extern "C" {
#include "garden/Passes.capi.cpp.inc"
}
