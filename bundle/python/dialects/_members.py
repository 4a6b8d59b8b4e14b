"""A decorator for classes of operations that have members in common.

Upstream's classes have the generated class for their only base, and programs look for it there. So
the members that several classes share cannot come from a base of ours.
"""

import typing
from collections.abc import Callable
from typing import TypeVar

if typing.TYPE_CHECKING:
    from ..ir import OpView

    # The base of such classes of members, as type checkers see it.
    Members = OpView
else:
    Members = object

T = TypeVar("T", bound=type)


def with_members_of(members: type) -> Callable[[T], T]:
    """Makes a decorator that gives a class the members of another one, which is no base of it.

    Special methods are left out.
    """

    def add(cls: T) -> T:
        for name, value in vars(members).items():
            if not name.startswith("__"):
                setattr(cls, name, value)
        return cls

    return add
