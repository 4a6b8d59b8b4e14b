"""Probes of behaviour: expressions with the result or the exception of each, as JSON.

It runs in the interpreter that has the package: ``python -m api_diff.probes mlir``. The probes of a
class run in one forked process; where that dies, fewer of them run in one, down to a single probe.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from . import states
from .compare import ADDRESS
from .instances import ARGUMENTS, EXPRESSIONS, INSTANCES, QUESTIONS, scope

Outcome = list[str]

# Seconds for a group of probes.
LIMIT = 120
# Members that print, that do not end, or whose results are no business of a client.
_SKIPPED = re.compile(r"_CAPI|^dump$|^__|_attach_|attach$|_clear_live|enable_ir_printing")

_MODULES = re.compile(
    r"(?:\b(?:ir|builtins|passmanager|rewrite|_site_initialize)|<locals>)\.(?=\w)"
)


def stable(text: str, most: int = 400) -> str:
    """The beginning of a text, without addresses and the package's folder and root."""
    text = re.sub(r"0x[0-9a-f]+", "0x", text)
    text = re.sub(r"(?:nanobind\.)?nb_\w+", "type", text)
    text = re.sub(r"[\w.]*\b_?mlir_libs\.\w+\.", "", text)
    # nanobind names a class with its module where Python has its bare name.
    return _MODULES.sub("", text)[:most]


def _outcome(probe: str, names: dict[str, Any]) -> Outcome:
    try:
        result = eval(probe, names)
    except Exception as error:
        # The first line says what is wrong; the others are nanobind's list of overloads.
        return ["raised", type(error).__name__, stable(str(error).split("\n")[0])]
    if result is None or isinstance(result, (bool, int, float, str, bytes)):
        return ["result", type(result).__name__, stable(repr(result))]
    try:
        shown = stable(repr(result))
    except Exception as error:
        shown = type(error).__name__
    # A class is an instance of nanobind's metaclass there.
    kind = "type" if isinstance(result, type) else type(result).__name__
    return ["result", kind, ADDRESS if "object at 0x" in shown else shown]


def _probes_of(name: str, expression: str, names: dict[str, Any]) -> Iterator[str]:
    """The probes of one class. The object is made anew in each."""
    made = eval(expression, names)
    cls = made if isinstance(made, type) else type(made)
    for question in QUESTIONS:
        yield f"(lambda it: {question})({expression})"
    for arguments in ARGUMENTS:
        yield f"{name}({arguments})"
    for member in sorted(dir(cls)):
        if _SKIPPED.search(member):
            continue
        # Not of the object: to ask it may be what ends the process.
        value = getattr(cls, member, None)
        if callable(value) and not isinstance(value, type):
            yield from (f"({expression}).{member}({arguments})" for arguments in ARGUMENTS)
        else:
            yield f"({expression}).{member}"
            yield f"setattr({expression}, {member!r}, object())"
            yield f"delattr({expression}, {member!r})"


def _probes_in_state(expression: str, names: dict[str, Any]) -> Iterator[str]:
    """The probes of an object in some state: no constructor, and methods without arguments."""
    cls = type(eval(expression, names))
    for question in QUESTIONS:
        yield f"(lambda it: {question})({expression})"
    yield from states.questions(expression)
    for member in sorted(dir(cls)):
        if not _SKIPPED.search(member):
            value = getattr(cls, member, None)
            call = "()" if callable(value) and not isinstance(value, type) else ""
            yield f"({expression}).{member}{call}"


def _outcomes(root: str, probes: list[str]) -> dict[str, Outcome]:
    """The outcomes, each probe in a fresh scope."""
    found = {}
    for probe in probes:
        names = scope(root)
        with contextlib.suppress(Exception), names["ctx"], names["ir"].Location.unknown():
            found[probe] = _outcome(probe, names)
    return found


def _listed(root: str, name: str) -> list[str]:
    names = scope(root)
    with names["ctx"], names["ir"].Location.unknown():
        if name in INSTANCES:
            return list(_probes_of(name, INSTANCES[name], names))
        return list(_probes_in_state(name, names))


def in_child(work: Callable[[], Any]) -> Any:
    """The result of ``work`` in a process of its own; none if that died or raised."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        signal.alarm(LIMIT)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        try:
            result = work()
        except Exception:
            os._exit(1)
        with os.fdopen(sink, "w") as out:
            json.dump(result, out)
        # Nothing is torn down: probes leave contexts in states that this is not about.
        os._exit(0)
    os.close(sink)
    with os.fdopen(source) as lines:
        text = lines.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if status == 0 and text else None


def _run(root: str, probes: list[str]) -> dict[str, Outcome]:
    found: dict[str, Outcome] | None = in_child(partial(_outcomes, root, probes))
    if found is not None:
        return found
    if len(probes) == 1:
        return {probes[0]: ["crash", "", ""]}
    found = {}
    size = max(1, len(probes) // 8)
    for begin in range(0, len(probes), size):
        found |= _run(root, probes[begin : begin + size])
    return found


def collect(root: str) -> dict[str, Outcome]:
    """All probes with their outcomes."""
    found: dict[str, Outcome] = {}
    for name in (*INSTANCES, *states.STATES):
        probes: list[str] | None = in_child(partial(_listed, root, name))
        if probes:
            found |= _run(root, probes)
    return found | _run(root, EXPRESSIONS)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    json.dump(collect(sys.argv[1]), sys.stdout)
