"""A native part of the dialect `irdl`."""

from ._mlir.ir import Module

def load_dialects(module: Module) -> None:
    """Loads the dialects that a module defines into its context."""
