"""One thing where several are wanted, and the other way round."""

from mlir.dialects import func, scf, tensor
from mlir.ir import Type, Value


def several(value: Value, kind: Type) -> None:
    func.return_(value)  # mypy: arg-type, pyright: reportArgumentType
    scf.IfOp(value, kind)  # mypy: arg-type, pyright: reportArgumentType
    tensor.empty(4, kind)  # mypy: arg-type, pyright: reportArgumentType
