"""A keyword that an operation does not have."""

from mlir.dialects import arith
from mlir.ir import OpResult, Value


def total(left: Value, right: Value) -> OpResult:
    return arith.addi(left, right, overflow="nsw")  # mypy: call-arg, pyright: reportCallIssue
