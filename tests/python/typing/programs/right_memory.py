"""Memory: buffers, parts of them, and affine loops over them."""

from __future__ import annotations

from mlir.dialects import affine, arith, func, memref
from mlir.extras import types as T
from mlir.ir import (
    AffineExpr,
    AffineMap,
    Context,
    InsertionPoint,
    IntegerAttr,
    Location,
    MemRefType,
    Module,
    OpResult,
    StringAttr,
    TypeAttr,
    UnitAttr,
    Value,
)


def buffer(rows: int, columns: int) -> OpResult:
    """A buffer of its own, aligned."""
    kind = MemRefType.get([rows, columns], T.f32())
    alignment = IntegerAttr.get(T.i64(), 64)
    return memref.alloc(kind, [], [], alignment=alignment)


def corner(source: Value) -> OpResult:
    """The first two rows and columns."""
    part = memref.subview(source, [0, 0], [2, 2], [1, 1])
    kind = MemRefType(part.type)
    assert kind.shape == [2, 2]
    strides, offset = kind.get_strides_and_offset()
    assert strides[-1] == 1 and offset == 0
    return part


def doubled(source: Value, rows: int) -> None:
    """Doubles the first column by an affine loop."""
    zero = arith.constant(T.index(), 0)
    for row in affine.for_(0, rows, 1):
        element = memref.load(source, [row, zero])
        memref.store(arith.addf(element, element), source, [row, zero])
        affine.yield_([])


def skewed(source: Value) -> None:
    """Reads along a diagonal, by a map."""
    row, column = AffineExpr.get_dim(0), AffineExpr.get_dim(1)
    diagonal = AffineMap.get(2, 0, [row, row + column])
    loop = affine.AffineForOp(0, 2)
    with InsertionPoint(loop.body):
        counter = loop.induction_variable
        affine.AffineLoadOp(T.f32(), source, [counter, counter], diagonal)
        affine.AffineYieldOp([])


def main() -> None:
    """Builds a module with a global and a function."""
    with Context(), Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):
            kind = MemRefType.get([4], T.f32())
            memref.global_(
                StringAttr.get("table"),
                TypeAttr.get(kind),
                sym_visibility="private",
                initial_value=UnitAttr.get(),
            )

            @func.FuncOp.from_py_func()
            def work() -> None:
                made = buffer(4, 4)
                doubled(made, 4)
                skewed(made)
                corner(made)
                memref.dealloc(made)

        assert module.operation.verify()


if __name__ == "__main__":
    main()
