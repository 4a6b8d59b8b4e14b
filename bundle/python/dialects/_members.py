"""A decorator for classes of operations that have members in common.

Upstream's classes have the generated class for their only base, and programs look for it there. So
the members that several classes share cannot come from a base of ours.
"""

from collections.abc import Callable
from typing import TypeVar

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
