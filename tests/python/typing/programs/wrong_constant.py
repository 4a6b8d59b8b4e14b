"""Constants without a type, and of a value that none can be made of."""

from mlir.dialects import arith
from mlir.ir import Type


def constants(kind: Type) -> None:
    arith.constant(4)  # mypy: arg-type call-arg, pyright: reportCallIssue
    arith.constant(kind, "four")  # mypy: arg-type, pyright: reportArgumentType
    arith.ConstantOp.create_index("four")  # mypy: arg-type, pyright: reportArgumentType
