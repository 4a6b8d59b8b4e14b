"""The number of a module's operations, before and after MLIR has simplified it."""

from . import _tide
from .mlir import ir
from .mlir.passmanager import PassManager

__all__ = ["operations", "saved"]


def operations(module: ir.Module) -> int:
    """Returns the number of operations in the module."""
    return _tide.count(module)


def saved(source: str) -> int:
    """Returns how many operations canonicalization takes out."""
    with ir.Context():
        module = ir.Module.parse(source)
        before = operations(module)
        PassManager.parse("builtin.module(canonicalize,cse)").run(module.operation)
        return before - operations(module)
