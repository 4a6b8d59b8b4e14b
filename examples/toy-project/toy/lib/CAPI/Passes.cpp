#include "toy-c/Passes.h"

#include "toy/Passes.h"

#include "mlir/CAPI/Pass.h"

using namespace toy;

extern "C" {
#include "toy/Passes.capi.cpp.inc"
}
