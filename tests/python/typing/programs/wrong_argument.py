"""An operand that is a number, not a value."""

from mlir.dialects import arith
from mlir.ir import OpResult, Value


def doubled(value: Value) -> OpResult:
    return arith.muli(value, 2)  # mypy: arg-type, pyright: reportArgumentType
