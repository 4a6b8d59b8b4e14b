#ifndef GARDEN_PASSES_H
#define GARDEN_PASSES_H

#include <memory>

#include "mlir/Pass/Pass.h"

namespace garden {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "garden/Passes.h.inc"

} // namespace garden

#endif
