#ifndef PYTHON_BINDINGS_GARDEN_OPS
#define PYTHON_BINDINGS_GARDEN_OPS

include "garden/GardenOps.td"

#endif
