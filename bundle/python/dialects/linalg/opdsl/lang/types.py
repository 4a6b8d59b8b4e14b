"""Type variables of the language.

There is one for each name, and ``TV`` has them as attributes:

>>> TV.Element
TypeVar(Element)
>>> TV.Element is TypeVar("Element")
True
>>> TV.Element is TV.Other
False
"""

from __future__ import annotations

from enum import Enum
from typing import Any, ClassVar

from ...._typing import Dict
from .names import Name

__all__ = ["F32", "F64", "I32", "I64", "TV", "T", "TypeVar", "U", "V"]


class TypeVar(Name):
    """Stands for an element type, which the operands of an operation decide."""

    ALL_TYPEVARS: ClassVar[dict[str, Any]] = {}
    known = ALL_TYPEVARS

    @property
    def name(self) -> str:
        """The name."""
        return self.spelling

    def __repr__(self) -> str:
        return f"TypeVar({self.name})"


TV = TypeVar.create_expando()

# These four stand for the types that they are named after.
I32 = TV.I32
I64 = TV.I64
F32 = TV.F32
F64 = TV.F64

T = TV.T
U = TV.U
V = TV.V
