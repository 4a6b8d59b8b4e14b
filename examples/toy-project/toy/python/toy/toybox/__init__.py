"""Structs of numbers, in a module of the project's own."""

from ..dialects import toy
from ..ir import Value


def pair(first: Value, second: Value) -> Value:
    """A struct of two values."""
    kind = toy.StructType.get([first.type, second.type])
    return toy.make(kind, [first, second])
