#ifndef PYTHON_BINDINGS_TOY_OPS
#define PYTHON_BINDINGS_TOY_OPS

include "toy/ToyOps.td"

#endif
