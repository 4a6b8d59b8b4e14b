#ifndef GARDEN_GARDEN_H
#define GARDEN_GARDEN_H

#include "toy/Toy.h"

#include "garden/GardenOpsDialect.h.inc"
#define GET_OP_CLASSES
#include "garden/GardenOps.h.inc"

#endif
