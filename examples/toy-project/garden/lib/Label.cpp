#include "garden/Garden.h"
#include "garden/Passes.h"

using namespace mlir;

namespace garden {
#define GEN_PASS_DEF_GARDENLABEL
#include "garden/Passes.h.inc"
} // namespace garden

namespace {

struct Label : garden::impl::GardenLabelBase<Label> {
  void runOnOperation() override {
    getOperation()->walk([](garden::PlantOp plant) {
      auto make = plant.getSeed().getDefiningOp<toy::MakeOp>();
      if (Attribute stamp = make ? make->getAttr("toy.stamp") : Attribute())
        plant->setAttr("garden.label", stamp);
    });
  }
};

} // namespace
