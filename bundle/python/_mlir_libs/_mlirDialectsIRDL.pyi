"""A native part of the dialect `irdl`."""

from ._mlir.ir import Module, _Context

def load_dialects(module: Module) -> None:
    """Loads the dialects that a module defines into its context."""

def _make_pure(op_name: str | type, context: _Context | None = None) -> None:
    """Says of an operation that it has no effects and may be executed speculatively."""

def _register_dynamic_class(class_: type, full_name: str, attribute: bool) -> None:
    """Makes `class` the one for what was defined by a name (`my_dialect.name`) in any context."""
