"""The table of outcomes: a row for each getter, a column for each action."""

from collections.abc import Iterable

from .actions import ACTIONS
from .getters import GETTERS
from .reasons import reason
from .runner import Outcome

MARKS = {"pass": ".", "wrong": "W", "crash": "C", "hang": "H"}


def table(outcomes: Iterable[Outcome]) -> str:
    """The table, what its marks mean, and what went wrong."""
    by_name = {outcome.name: outcome for outcome in outcomes}
    reasons: list[str] = []
    lines = []
    width = max(len(name) for name in GETTERS)
    for getter in GETTERS.values():
        row = []
        for action in ACTIONS.values():
            why = reason(getter, action)
            outcome = by_name.get(f"{getter.name}/{action.name}")
            if why is not None:
                if why not in reasons:
                    reasons.append(why)
                row.append(str(reasons.index(why) + 1))
            elif outcome is None:
                row.append(" ")
            else:
                row.append(MARKS[outcome.verdict])
        lines.append(f"{getter.name:<{width}}  " + " ".join(f"{mark:>2}" for mark in row))
    heads = [f"{number:>2}" for number in range(1, len(ACTIONS) + 1)]
    text = [f"{'getter / action':<{width}}  " + " ".join(heads), *lines, ""]
    text += [f"{number:>2}  {name}" for number, name in enumerate(ACTIONS, 1)]
    text += ["", ".  passed   W  wrong answer   C  crash   H  hang   a number: no such scenario:"]
    text += [f"{number}  {why}" for number, why in enumerate(reasons, 1)]
    return "\n".join(text)


def summary(outcomes: list[Outcome]) -> str:
    """The counts."""
    counts = {mark: sum(o.verdict == mark for o in outcomes) for mark in MARKS}
    parts = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return f"{len(outcomes)} scenarios: {parts}"
