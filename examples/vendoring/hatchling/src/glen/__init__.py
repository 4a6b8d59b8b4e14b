"""Counts the operations of a module."""

from collections import Counter

from .mlir import ir

__all__ = ["tally"]


def tally(source: str) -> Counter[str]:
    """Returns how often each operation is in the module."""
    found: Counter[str] = Counter()

    def count(op: ir.Operation) -> ir.WalkResult:
        found[op.name] += 1
        return ir.WalkResult.ADVANCE

    with ir.Context():
        ir.Module.parse(source).operation.walk(count)
    return found
