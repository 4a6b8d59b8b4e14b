"""Runs the uses of all classes in child processes, some classes in each."""

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import found, verdicts
from .uses import uses

SECONDS = 600
CHILDREN = 4


@dataclass
class Outcome:
    """The result of all uses."""

    classes: int = 0
    uses: int = 0
    # Those that an error answers which says that the object was not initialised.
    clear: int = 0
    wrong: list[str] = field(default_factory=list)
    # The patterns of `verdicts` that were needed.
    reasons: set[str] = field(default_factory=set)


def _objects(cls: type, index: int, whole: bool) -> Iterator[tuple[str, Any]]:
    """The ways to an object of a class that work; one of them, if not the ``whole`` is wanted."""
    ways = list(found.WAYS.items())
    if not whole:
        ways = [ways[index % len(ways)]]
    for way, make in ways:
        with contextlib.suppress(TypeError):
            make(cls)
            yield way, make


def _play(part: int, whole: bool, last: int) -> Outcome:
    """Uses the objects of the classes of one child; the file ``last`` has the use that it is at."""
    outcome = Outcome()
    known = [(name, cls, False) for name, cls in found.classes().items()]
    if whole:
        known += [(name, cls, True) for name, cls in found.generated().items()]
    for index, (name, cls, own) in enumerate(known):
        if index % CHILDREN != part:
            continue
        outcome.classes += 1
        for way, make in _objects(cls, index // CHILDREN, whole and not own):
            for use in uses(cls, own):
                what = f"{name} by {way}: {use}"
                os.pwrite(last, what.encode().ljust(300), 0)
                outcome.uses += 1
                it = make(cls)
                try:
                    answer = use.do(it)
                except BaseException as error:
                    outcome.clear += bool(verdicts.CLEAR.search(str(error)))
                    why = verdicts.wrong_error(cls, use, error)
                    if why is None:
                        continue
                    came, among = f"{type(error).__name__}: {error}: {why}", verdicts.ERRORS
                else:
                    if answer is NotImplemented or verdicts.is_of_class(cls, use):
                        continue
                    came, among = f"it answers {type(answer).__name__}", verdicts.ANSWERS
                reason = verdicts.reason(name, use, among)
                if reason is None:
                    outcome.wrong.append(f"{what}: {came}")
                else:
                    outcome.reasons.add(reason)
    return outcome


def child(part: int, whole: bool, result: str) -> None:
    """The work of a child process. The uses may print."""
    last = os.open(f"{result}.last", os.O_WRONLY)
    ir = importlib.import_module(f"{found.ROOT}.ir")
    # Without a current context, many calls would end before they look at the object.
    with ir.Context(), ir.Location.unknown():
        outcome = _play(part, whole, last)
    text = json.dumps({**vars(outcome), "reasons": sorted(outcome.reasons)})
    Path(result).write_text(text)


def run(whole: bool) -> Outcome:
    """Uses all classes; a part of them, if not the ``whole`` is wanted."""
    total = Outcome()
    with tempfile.TemporaryDirectory() as folder:
        started = []
        for part in range(CHILDREN):
            result = f"{folder}/{part}"
            arguments = [f"--child={part}", f"--result={result}", *(["--all"] if whole else [])]
            Path(f"{result}.last").touch()
            noise = open(f"{result}.noise", "w+b")  # noqa: SIM115
            command = [sys.executable, "-W", "ignore", "-m", "misuse", *arguments]
            process = subprocess.Popen(command, cwd=folder, stdout=noise, stderr=noise)
            started.append((process, Path(result), noise))
        for process, result, noise in started:
            status = process.wait(SECONDS)
            noise.seek(0)
            said = noise.read()[-2000:].decode(errors="replace")
            noise.close()
            if status != 0 or not result.exists():
                at = result.with_name(f"{result.name}.last").read_text().strip()
                name = signal.Signals(-status).name if status < 0 else f"exit {status}"
                total.wrong.append(f"{name} at {at}: {said}")
                continue
            part = json.loads(result.read_text())
            total.classes += part["classes"]
            total.uses += part["uses"]
            total.clear += part["clear"]
            total.wrong += part["wrong"]
            total.reasons.update(part["reasons"])
            if "panicked at" in said:
                total.wrong.append(f"a panic: {said}")
    return total
