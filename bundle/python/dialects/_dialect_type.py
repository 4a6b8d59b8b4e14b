"""Types of dialects as classes of Python, without any code of the dialect's own.

A dialect's type is known by its ``TypeID``. A process has one per class of types, and it is found
by parsing an example, in a context that lives no longer than that.
"""

from __future__ import annotations

from typing import TypeVar, cast

from ..ir import Context, Type, TypeID, register_type_caster

T = TypeVar("T", bound="DialectType")


class DialectType(Type):
    """The base of such classes: what upstream's concrete types have."""

    static_typeid: TypeID
    type_name: str

    def __new__(cls: type[T], cast_from_type: Type) -> T:
        if not cls.isinstance(cast_from_type):
            raise ValueError(f"Cannot cast type to {cls.__name__} (from {cast_from_type!r})")
        # The extension decides which of `__new__` and `__init__` takes the argument.
        return super().__new__(cls, cast_from_type)  # type: ignore[call-arg]

    @classmethod
    def isinstance(cls, other: Type) -> bool:
        """True if ``other`` is of this class of types."""
        return other.typeid == cls.static_typeid

    @classmethod
    def get_static_typeid(cls) -> TypeID:
        """The TypeID of this class of types."""
        return cls.static_typeid

    @classmethod
    def _parse(cls: type[T], text: str, context: Context | None) -> T:
        """The type written so, which a registered class appears as."""
        return cast(T, Type.parse(text, context))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def _between(self, begin: str, end: str) -> str:
        """The part of the type's text between these two."""
        text = str(self)
        assert text.startswith(begin) and text.endswith(end), text
        return text[len(begin) : len(text) - len(end)]


def register_types(dialect: str, examples: dict[type[DialectType], str]) -> None:
    """Makes MLIR's types of ``dialect`` appear as these classes; each has an example as text."""
    context = Context(load_on_create_dialects=[dialect])
    for cls, example in examples.items():
        cls.static_typeid = Type.parse(example, context).typeid
        cls.type_name = example[1:].split("<")[0]
        register_type_caster(cls.static_typeid)(cls)
