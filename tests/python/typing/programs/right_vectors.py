"""Vectors, mathematical functions and branches between blocks."""

from __future__ import annotations

from mlir.dialects import arith, cf, func, math, vector
from mlir.extras import types as T
from mlir.ir import (
    AffineMap,
    Block,
    Context,
    FunctionType,
    InsertionPoint,
    Location,
    Module,
    OpResult,
    Value,
    VectorType,
)


def norm(values: Value) -> OpResult:
    """The square root of the sum of squares."""
    squares = arith.mulf(values, values, fastmath=arith.FastMathFlags.fast)
    total = vector.reduction(T.f32(), vector.CombiningKind.ADD, squares)
    return math.sqrt(total)


def repeated(value: Value, count: int) -> OpResult:
    """A vector of one number."""
    return vector.broadcast(VectorType.get([count], T.f32()), value)


def loaded(buffer: Value, count: int) -> Value:
    """A vector from a buffer, padded with zeros."""
    zero = arith.constant(T.index(), 0)
    padding = arith.constant(T.f32(), 0.0)
    op = vector.TransferReadOp(
        VectorType.get([count], T.f32()),
        buffer,
        [zero],
        AffineMap.get_identity(1),
        padding,
        [True],
    )
    return op.result


def absolute() -> func.FuncOp:
    """A function of several blocks."""
    f32 = T.f32()
    function = func.FuncOp("absolute", FunctionType.get([f32], [f32]))
    entry: Block = function.add_entry_block()
    negative = entry.create_after()
    done = negative.create_after(f32)
    (argument,) = entry.arguments
    with InsertionPoint(entry):
        zero = arith.constant(f32, 0.0)
        is_less = arith.cmpf(arith.CmpFPredicate.OLT, argument, zero)
        cf.cond_br(is_less, [], [argument], negative, done)
    with InsertionPoint(negative):
        cf.BranchOp([arith.negf(argument)], done)
    with InsertionPoint(done):
        func.ReturnOp([done.arguments[0]])
    return function


def main() -> None:
    """Builds a module with all of them."""
    with Context(), Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):
            assert len(absolute().body.blocks) == 3

            @func.FuncOp.from_py_func(T.memref(16, T.f32()))
            def scaled(buffer: Value) -> Value:
                values = loaded(buffer, 4)
                return arith.divf(values, repeated(norm(values), 4))

        assert module.operation.verify()


if __name__ == "__main__":
    main()
