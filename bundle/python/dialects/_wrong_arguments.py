"""The line that errors about arguments of the dialects' functions have behind upstream's text.

It names the argument and the operation, shows what was given, and says what is expected. The type
of the error and its first line stay as they are.
"""

import enum
import sys
from collections.abc import Callable
from typing import Any

from .._mlir_libs import MLIRError
from .._mlir_libs._argument_errors import argument_of
from ..ir import Value

# The most characters that are shown of an object, and the most members of an enumeration.
_SHOWN, _MEMBERS = 80, 16


def explain(error: Exception, what: str, given: object, wanted: str) -> None:
    """Writes a line behind the text of an error."""
    line = f"{what} is {_shown(given)}; it takes {wanted}"
    if isinstance(error, MLIRError):
        error._advice = line
    elif len(error.args) == 1 and str(error) == error.args[0]:
        error.args = (f"{error}\n{line}",)


def wrong_attribute(error: Exception, given: object, build: Callable[..., Any]) -> None:
    """Explains the error of the function that makes an attribute for a generated constructor."""
    # Functions of the native modules have said it.
    if "\nit is for '" not in str(error):
        cls = _enumeration(build)
        wanted = "what an attribute of its kind can be made of, or such an attribute"
        if cls is not None:
            wanted = f"one of {_members(cls)}"
        explain(error, _argument(given), given, wanted)


def wrong_operands(error: Exception, given: object) -> None:
    """Explains the error about a group of operands that is not a sequence."""
    hint = ": write [value]" if isinstance(given, Value) else ""
    explain(error, _argument(given, last=True), given, f"a sequence of values{hint}")


def wrong_operand(error: Exception, given: object) -> None:
    """Explains the error about an operand without a type."""
    explain(error, _argument(given), given, "a Value")


def _argument(given: object, last: bool = False) -> str:
    """The argument of the generated constructor that called the function that calls this module.

    It is the last one if the same object was given for several, as groups of operands come last.
    """
    found = argument_of(sys._getframe(3), [given], last)
    return "the argument '{}' of operation \"{}\"".format(*found) if found else "an argument"


def _shown(given: object) -> str:
    text, kind = repr(given), type(given).__name__
    is_short = len(text) <= _SHOWN and " object at 0x" not in text
    return f"{text}, of type {kind}" if is_short else f"an object of type {kind}"


def _enumeration(build: Callable[..., Any]) -> type[enum.Enum] | None:
    """The enumeration whose attributes a generated function makes: its name ends the function's."""
    name = getattr(build, "__name__", "").removesuffix("attr").removesuffix("enum")
    found = [
        it
        for it in getattr(build, "__globals__", {}).values()
        if isinstance(it, type) and issubclass(it, enum.Enum) and len(it)
        if name.endswith(it.__name__.lower().removesuffix("flags"))
    ]
    return max(found, key=lambda it: len(it.__name__), default=None)


def _members(cls: type[enum.Enum]) -> str:
    names = [f"{cls.__name__}.{it.name}" for it in cls]
    more = ", ..." if len(names) > _MEMBERS else ""
    return ", ".join(names[:_MEMBERS]) + more
