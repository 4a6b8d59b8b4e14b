"""Structured control flow: loops that carry values, choices and switches."""

from __future__ import annotations

from collections.abc import Sequence

from mlir.dialects import arith, func, scf
from mlir.extras import types as T
from mlir.ir import Block, Context, InsertionPoint, Location, Module, OpResult, Value


def triangular(limit: Value) -> Value:
    """The sum of all numbers below a limit, by a loop with one carried value."""
    zero = arith.constant(T.index(), 0)
    one = arith.constant(T.index(), 1)
    loop = scf.ForOp(zero, limit, one, [zero])
    with InsertionPoint(loop.body):
        carried: Value = loop.inner_iter_args[0]
        total = arith.addi(carried, loop.induction_variable)
        scf.yield_([total])
    return loop.results[0]


def clamped(value: Value, bound: Value) -> Sequence[OpResult]:
    """The lesser of two numbers, by a choice."""
    is_less = arith.cmpi(arith.CmpIPredicate.slt, value, bound)
    choice = scf.IfOp(is_less, [value.type], has_else=True)
    then_block: Block = choice.then_block
    else_block = choice.else_block
    assert else_block is not None
    with InsertionPoint(then_block):
        scf.YieldOp([value])
    with InsertionPoint(else_block):
        scf.YieldOp([bound])
    return choice.results


def switched(selector: Value) -> None:
    """A switch whose cases are filled by functions."""

    def case(op: scf.IndexSwitchOp, number: int, value: int) -> None:
        assert len(op.case_blocks) == 2 and number < 2 and value in (2, 5)
        scf.yield_([])

    def default(op: scf.IndexSwitchOp) -> None:
        assert op.default_block is not None
        scf.yield_([])

    scf.index_switch([], selector, [2, 5], case, default)


def nested(limit: Value) -> None:
    """A loop written as Python's, and a loop over several ranges at once."""
    for number in scf.for_(0, limit, 2):
        arith.addi(number, number)
        scf.yield_([])
    grid = scf.ForallOp([0, 0], [4, limit], [1, 1])
    assert grid.rank == 2
    grid.terminator()


def main() -> None:
    """Builds a module with all of them."""
    with Context(), Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):

            @func.FuncOp.from_py_func(T.index(), T.index())
            def everything(limit: Value, bound: Value) -> Sequence[Value]:
                total = triangular(limit)
                switched(limit)
                nested(limit)
                return list(clamped(total, bound))

        assert module.operation.verify()
        assert str(module).count("scf.for ") == 2


if __name__ == "__main__":
    main()
