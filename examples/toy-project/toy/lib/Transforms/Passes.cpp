#include "toy/Passes.h"

#include "checksum.h"
#include "toy/Toy.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace toy {
#define GEN_PASS_DEF_TOYFORWARDFIELDS
#define GEN_PASS_DEF_TOYSTAMP
#include "toy/Passes.h.inc"
} // namespace toy

namespace {

struct ForwardFields : toy::impl::ToyForwardFieldsBase<ForwardFields> {
  void runOnOperation() override {
    getOperation()->walk([](toy::GetOp get) {
      auto make = get.getInput().getDefiningOp<toy::MakeOp>();
      if (!make || get.getIndex() >= make.getValues().size())
        return;
      get.getResult().replaceAllUsesWith(make.getValues()[get.getIndex()]);
      get.erase();
    });
  }
};

struct Stamp : toy::impl::ToyStampBase<Stamp> {
  void runOnOperation() override {
    getOperation()->walk([](toy::MakeOp make) {
      std::string text;
      llvm::raw_string_ostream(text) << make.getType();
      Builder builder(make);
      unsigned sum = toy_checksum(text.data(), text.size());
      make->setAttr("toy.stamp", builder.getI32IntegerAttr(sum));
    });
  }
};

} // namespace
