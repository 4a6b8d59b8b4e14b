"""A result that is taken for something else."""

from mlir.dialects import arith, func
from mlir.ir import Block, Type


def block(function: func.FuncOp) -> Block:
    return function.body  # mypy: return-value, pyright: reportReturnType


def constant(kind: Type) -> int:
    return arith.constant(kind, 4)  # mypy: return-value, pyright: reportReturnType


def value(op: arith.ConstantOp) -> str:
    return op.literal_value  # mypy: return-value, pyright: reportReturnType
