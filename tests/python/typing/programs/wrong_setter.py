"""Properties that are set to what they cannot be, or that cannot be set."""

from mlir.dialects import func, scf
from mlir.ir import Block, StringAttr


def rename(function: func.CallOp, loop: scf.ForOp, block: Block, name: StringAttr) -> None:
    function.callee = "other"  # mypy: assignment, pyright: reportAttributeAccessIssue
    loop.body = block  # mypy: misc, pyright: reportAttributeAccessIssue
