#ifndef PYTHON_BINDINGS_TICK_OPS
#define PYTHON_BINDINGS_TICK_OPS

include "tick/TickOps.td"

#endif
