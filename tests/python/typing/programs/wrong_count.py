"""Too few operands, and too many."""

from mlir.dialects import arith, func
from mlir.ir import Value


def few(value: Value) -> None:
    arith.AddIOp(value)  # mypy: call-arg, pyright: reportCallIssue


def many(value: Value) -> None:
    func.return_([value], [value])  # mypy: arg-type call-arg, pyright: reportCallIssue
