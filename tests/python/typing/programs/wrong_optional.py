"""A block that may not be there."""

from mlir.dialects import scf
from mlir.ir import InsertionPoint


def fill(choice: scf.IfOp) -> None:
    with InsertionPoint(choice.else_block):  # mypy: arg-type, pyright: reportArgumentType
        scf.yield_([])
