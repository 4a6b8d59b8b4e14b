"""Things that are known by their names alone: dimensions, symbols and type variables."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

N = TypeVar("N", bound="Name")


class Name:
    """The base of what there is once for each name.

    A subclass keeps its objects in a ``known`` of its own.
    """

    known: ClassVar[dict[str, Any]]
    spelling: str

    def __new__(cls: type[N], name: str) -> N:
        found = cls.known.get(name)
        if found is None:
            found = cls.known[name] = super().__new__(cls)
            found.spelling = name
        return found

    @classmethod
    def create_expando(cls) -> Expando:
        """An object whose attributes are the things of these names."""
        return Expando(cls)


class Expando:
    """Any attribute of it is the thing of that name."""

    def __init__(self, kind: type[Name]):
        self._kind = kind

    def __getattr__(self, name: str) -> Any:
        # Whoever asks an object for a protocol (copy, pickle, doctest) wants none of these.
        if name.startswith("__"):
            raise AttributeError(name)
        return self._kind(name)
