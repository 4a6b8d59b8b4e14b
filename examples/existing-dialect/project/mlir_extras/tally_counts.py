"""Counts of a module, beside MLIR's own extras."""

from ..dialects import tally


def counts(operation):
    """The operations `tally.count` directly below an operation."""
    blocks = (block for region in operation.regions for block in region.blocks)
    return [op for block in blocks for op in block if isinstance(op, tally.CountOp)]
