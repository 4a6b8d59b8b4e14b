#ifndef TOY_PASSES_H
#define TOY_PASSES_H

#include <memory>

#include "mlir/Pass/Pass.h"

namespace toy {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "toy/Passes.h.inc"

} // namespace toy

#endif
