"""The cells of the table that have no scenario, with the reason."""

from .actions import Action
from .getters import Getter

NO_SYMBOL = "a loop is not a symbol: whatever looks symbols up cannot get at it"
NO_TEXT = "a loop takes its bounds from outside, so that it cannot be parsed alone"
NO_PLACE = "the victim is what is moved into the place of the old one, which a call in use forbids"
ENTERED = "the current insertion point belongs to the thread that runs on in this process"

SYMBOLS = ("symbol",)


def reason(getter: Getter, action: Action) -> str | None:
    """The reason for which there is no such scenario; None if there is one."""
    loop = action.fixture in ("loop", "scripted")
    if loop and getter.name in SYMBOLS:
        return NO_SYMBOL
    if loop and getter.kind == "symbol_table":
        return NO_SYMBOL
    if loop and getter.name == "parse":
        return NO_TEXT
    return None
