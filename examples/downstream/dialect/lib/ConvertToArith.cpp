//===-- ConvertToArith.cpp - The pass convert-tinyc-to-arith --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tinyc/Tinyc.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tinyc {
#define GEN_PASS_DEF_CONVERTTINYCTOARITH
#include "tinyc/Passes.h.inc"
} // namespace tinyc

using namespace tinyc;

/// The base is squared for each bit of the exponent, and what is squared is
/// multiplied where the bit is set.
static Value multiplyOut(OpBuilder &builder, PowerOp op) {
  Location loc = op.getLoc();
  Value result, square = op.getBase();
  for (uint64_t exponent = op.getExponent(); exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      result = result ? arith::MulIOp::create(builder, loc, result, square).getResult() : square;
    if (exponent > 1)
      square = arith::MulIOp::create(builder, loc, square, square);
  }
  if (result)
    return result;
  TypedAttr one = builder.getOneAttr(op.getType());
  return arith::ConstantOp::create(builder, loc, one);
}

namespace {

class ConvertTinycToArith : public tinyc::impl::ConvertTinycToArithBase<ConvertTinycToArith> {
public:
  void runOnOperation() final {
    getOperation()->walk([](PowerOp op) {
      OpBuilder builder(op);
      op.replaceAllUsesWith(multiplyOut(builder, op));
      op.erase();
    });
  }
};

} // namespace
