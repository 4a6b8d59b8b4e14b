#ifndef GARDEN_PASSES
#define GARDEN_PASSES

include "mlir/Pass/PassBase.td"

def GardenLabel : Pass<"garden-label"> {
  let summary = "Gives each garden.plant the stamp of the toy.make that its seed is from";
}

#endif
