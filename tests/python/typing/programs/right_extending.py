"""Patterns in Python, operations by name, and a class for operations of one's own."""

from __future__ import annotations

from typing import Any

from mlir.dialects import arith, func
from mlir.extras import types as T
from mlir.ir import (
    Context,
    InsertionPoint,
    IntegerAttr,
    Location,
    Module,
    Operation,
    OpView,
    Region,
    Value,
)
from mlir.rewrite import (
    PatternRewriter,
    RewritePatternSet,
    apply_patterns_and_fold_greedily,
)


def to_shift(op: arith.MulIOp, rewriter: PatternRewriter) -> bool | None:
    """Replaces a product with two by a sum; a true result says that nothing was done."""
    factor = op.rhs.owner
    if not isinstance(factor, OpView) or not isinstance(factor, arith.ConstantOp):
        return True
    value = factor.value
    if not isinstance(value, IntegerAttr) or value.value != 2:
        return True
    with rewriter.ip, op.location:
        total = arith.AddIOp(op.lhs, op.lhs)
    rewriter.replace_op(op, total)
    return None


def rewritten(module: Module) -> str:
    """The module after the pattern."""
    patterns = RewritePatternSet()
    patterns.add(arith.MulIOp, to_shift)
    apply_patterns_and_fold_greedily(module, patterns.freeze())
    return str(module)


def unregistered(name: str, *operands: Value, **attributes: int) -> Operation | OpView:
    """An operation of a dialect that is not there."""
    named: dict[str, Any] = {
        key: IntegerAttr.get(T.i64(), value) for key, value in attributes.items()
    }
    made = Operation.create(
        name, results=[T.i32()], operands=list(operands), attributes=named, regions=1
    )
    region: Region = made.regions[0]
    region.blocks.append(T.i32())
    return made


def main() -> None:
    """Builds a module and rewrites it."""
    with Context() as context, Location.unknown():
        context.allow_unregistered_dialects = True
        module = Module.create()
        with InsertionPoint(module.body):

            @func.FuncOp.from_py_func(T.i32())
            def work(argument: Value) -> Value:
                two = arith.constant(T.i32(), 2)
                product = arith.muli(argument, two)
                return unregistered("mine.op", product, size=3).result

        text = rewritten(module)
        assert "arith.addi" in text and "arith.muli" not in text, text


if __name__ == "__main__":
    main()
