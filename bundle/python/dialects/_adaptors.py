"""The classes of adaptors: an operation's operands with converted types, under its names.

A pattern of a conversion gets one. Its members are those of the operation's class.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from .._mlir_libs import _mlir as _cext
from ..ir import OpAdaptor, OpView

# What an adaptor does not have: members that use these.
_OTHERS = frozenset(["results", "regions", "successors"])


def add_adaptors(module: dict[str, Any]) -> None:
    """Adds to a module the adaptor of each class of operations in it: ``AddIOpAdaptor``."""
    for name, cls in list(module.items()):
        if isinstance(cls, type) and issubclass(cls, OpView) and "OPERATION_NAME" in vars(cls):
            adaptor = _adaptor_of(cls, f"{name}Adaptor")
            module[adaptor.__name__] = _cext.register_op_adaptor(cls, replace=True)(adaptor)


def _adaptor_of(cls: type[OpView], name: str) -> type[OpAdaptor]:
    operation: str = vars(cls)["OPERATION_NAME"]
    members: dict[str, Any] = {
        "__module__": cls.__module__,
        "__qualname__": name,
        "__doc__": f"The operands of an operation `{operation}`, with converted types.",
        "OPERATION_NAME": operation,
        "operation": _ITSELF,
    }
    for member, value in vars(cls).items():
        if not isinstance(value, property) or not isinstance(value.fget, FunctionType):
            continue
        if _OTHERS.isdisjoint(value.fget.__code__.co_names):
            members.setdefault(member, value if value.fset is None else property(value.fget))
    return type(name, (OpAdaptor,), members)


# The accessors of operations read `self.operation.operands`.
_ITSELF = property(lambda self: self)
