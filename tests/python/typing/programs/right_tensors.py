"""Structured operations on tensors."""

from __future__ import annotations

from mlir.dialects import arith, func, linalg, tensor
from mlir.extras import types as T
from mlir.ir import (
    AffineMap,
    Context,
    F32Type,
    InsertionPoint,
    Location,
    Module,
    OpResult,
    RankedTensorType,
    Value,
)


def matrix(rows: int, columns: int) -> Value:
    """A matrix of zeros."""
    empty = tensor.empty([rows, columns], F32Type.get())
    zero = arith.constant(T.f32(), 0.0)
    filled = linalg.fill(zero, outs=[empty])
    assert isinstance(filled, OpResult)
    return filled


def transposed(source: Value, rows: int, columns: int) -> Value:
    """A matrix with rows and columns exchanged."""
    into = tensor.EmptyOp([columns, rows], T.f32())
    op = linalg.transpose(source, outs=[into.result], permutation=[1, 0])
    return op.results[0]


def scaled(source: Value, factor: float) -> Value:
    """A matrix times a number, by a generic operation."""
    kind = RankedTensorType(source.type)
    identity = AffineMap.get_identity(kind.rank)
    generic = linalg.GenericOp(
        [kind],
        [source],
        [source],
        indexing_maps=[identity, identity],
        iterator_types=["parallel"] * kind.rank,
    )
    block = generic.regions[0].blocks.append(T.f32(), T.f32())
    with InsertionPoint(block):
        product = arith.mulf(block.arguments[0], arith.constant(T.f32(), factor))
        linalg.YieldOp([product])
    return generic.results[0]


def sliced(source: Value) -> tensor.ExtractSliceOp:
    """The first two rows and columns of a matrix."""
    kind = RankedTensorType.get([2, 2], T.f32())
    return tensor.ExtractSliceOp(
        kind,
        source,
        [],
        [],
        [],
        static_offsets=[0, 0],
        static_sizes=[2, 2],
        static_strides=[1, 1],
    )


def main() -> None:
    """Builds a module with a chain of them."""
    with Context(), Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):

            @func.FuncOp.from_py_func(T.tensor(4, 8, T.f32()))
            def chain(argument: Value) -> Value:
                other = transposed(argument, 4, 8)
                product = linalg.matmul(argument, other, outs=[matrix(4, 4)])
                assert isinstance(product, Value)
                return sliced(scaled(product, 0.5)).result

        assert module.operation.verify()
        assert "linalg.matmul" in str(module)


if __name__ == "__main__":
    main()
