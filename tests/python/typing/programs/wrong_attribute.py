"""An attribute of text where a number is wanted."""

from mlir.dialects import arith, memref
from mlir.ir import MemRefType, OpResult, Value


def aligned(kind: MemRefType) -> OpResult:
    return memref.alloc(kind, [], [], alignment="64")  # mypy: arg-type, pyright: reportArgumentType


def compared(left: Value, right: Value) -> OpResult:
    return arith.cmpi("slt", left, right)  # mypy: arg-type, pyright: reportArgumentType
