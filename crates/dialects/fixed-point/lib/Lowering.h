//===-- Lowering.h - Fixed-point operations as operations of arith -*- C++ -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FXP_LOWERING_H
#define FXP_LOWERING_H

#include "fxp/Exact.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

namespace fxp {

/// Writes operations of arith for numbers, or for vectors or tensors of them
/// elementwise. Integers have the width that they are asked for.
class Emitter {
public:
  /// `shape` is a converted type; its elements do not matter.
  Emitter(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type shape)
      : b(loc, builder), shape(shape) {}

  /// `element`, or as many of it as the shape has.
  mlir::Type type(mlir::Type element) const;
  mlir::Type integer(unsigned width);

  mlir::Value constant(const llvm::APInt &value);
  mlir::Value constant(mlir::FloatType type, const llvm::APFloat &value);
  /// 2^exponent, which every float type here has between -128 and 127.
  mlir::Value powerOfTwo(mlir::FloatType type, int exponent);

  /// Extends or truncates.
  mlir::Value resize(mlir::Value value, unsigned width, bool isSigned);
  mlir::Value shiftLeft(mlir::Value value, unsigned count);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a, mlir::Value b);

  /// An operation whose result has the type of its first operand.
  template <typename Op, typename... Operands>
  mlir::Value op(mlir::Value first, Operands... rest) {
    return Op::create(b, first.getType(), first, rest...);
  }
  /// An operation from one type to another.
  template <typename Op>
  mlir::Value cast(mlir::Value value, mlir::Type element) {
    return Op::create(b, type(element), value);
  }
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);

  static unsigned width(mlir::Value value);

private:
  mlir::ImplicitLocOpBuilder b;
  mlir::Type shape;
};

/// Patterns for the operations on numbers and integers.
void populateIntegerPatterns(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);

/// Patterns for the conversions from and to floats.
void populateFloatPatterns(const mlir::TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);

/// A pattern for one operation. Where an operation's shape is not static there
/// are no constants of it, and it stays.
template <typename Op>
class Lower : public mlir::OpConversionPattern<Op> {
public:
  using mlir::OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename Op::Adaptor;

  virtual mlir::Value lower(Emitter &e, Op op, Adaptor operands) const = 0;

  mlir::LogicalResult
  matchAndRewrite(Op op, Adaptor operands,
                  mlir::ConversionPatternRewriter &rewriter) const final {
    mlir::Type type = this->getTypeConverter()->convertType(op.getType());
    if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type); shaped && !shaped.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "the shape is not static");
    Emitter e(rewriter, op.getLoc(), type);
    rewriter.replaceOp(op, lower(e, op, operands));
    return mlir::success();
  }
};

} // namespace fxp

#endif // FXP_LOWERING_H
