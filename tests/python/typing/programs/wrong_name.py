"""Names that are in no module and no class."""

from mlir.dialects import arith, func


def names(function: func.FuncOp) -> None:
    print(arith.addint)  # mypy: attr-defined, pyright: reportAttributeAccessIssue
    print(function.entry)  # mypy: attr-defined, pyright: reportAttributeAccessIssue
    print(arith.CmpIPredicate.less)  # mypy: attr-defined, pyright: reportAttributeAccessIssue
