"""Arguments that begin with the types of results, or leave these out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir import Operation, OpView, Type, Value
from . import AnyOpType

ValueLike = Operation | OpView | Value


def leading_types(
    count: int, *, default: Type | None = None, **arguments: Any
) -> tuple[list[Type], list[Any]]:
    """Splits arguments, by their names, into ``count`` types and the others.

    Where no types are given they are ``default``, or handles to any operations, and the last
    ``count`` arguments are not there.
    """
    (first, given), *_ = arguments.items()
    values = list(arguments.values())
    if not isinstance(given, Type):
        kind = AnyOpType.get() if default is None else default
        return [kind] * count, values[: len(values) - count]
    for name, value in list(arguments.items())[1:count]:
        if not isinstance(value, Type):
            raise TypeError(f"If '{first}' is a type, then '{name}' is expected to be one as well.")
    return values[:count], values[count:]


def loop_types(
    operation: str,
    types_or_target: Type | Sequence[Type] | ValueLike,
    target_or_none: ValueLike | None,
    loops: int,
) -> tuple[Sequence[Type], ValueLike]:
    """The types of so many loops, one for all or handles to any operations, and the target."""
    if isinstance(types_or_target, (Operation, OpView, Value)):
        assert target_or_none is None, f"Cannot construct {operation} with two targets."
        return [AnyOpType.get()] * loops, types_or_target
    assert target_or_none is not None, f"Cannot construct {operation} without a target."
    if isinstance(types_or_target, Type):
        return [types_or_target] * loops, target_or_none
    return types_or_target, target_or_none
