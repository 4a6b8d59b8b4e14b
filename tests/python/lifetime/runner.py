"""Runs scenarios, each in a process forked from this one, some at a time."""

import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from . import identity, ownership
from .actions import ACTIONS
from .getters import GETTERS
from .reasons import reason
from .scenario import Wrong, run_cell

# The kinds of objects that `identity` makes scenarios of; importing it enters them.
KINDS = tuple(identity.LOOKS)
SECONDS = 60


@dataclass(frozen=True)
class Outcome:
    """The result of a scenario: ``pass``, ``wrong``, ``crash`` or ``hang``, and why."""

    name: str
    verdict: str
    detail: str


def cells() -> list[str]:
    """The names of the table's scenarios."""
    return [
        f"{getter.name}/{action.name}"
        for getter in GETTERS.values()
        for action in ACTIONS.values()
        if reason(getter, action) is None
    ]


def names() -> list[str]:
    """The names of all scenarios."""
    return cells() + list(ownership.SCENARIOS)


def play(name: str) -> None:
    """Plays a scenario in this process."""
    if "/" in name:
        run_cell(*name.split("/"))
    else:
        ownership.play(name)


def ends_properly(name: str) -> bool:
    """True if the interpreter's end is a part of the scenario."""
    return "/" in name and ACTIONS[name.split("/")[1]].mode in ("exit", "cycle")


class Child:
    """A scenario in a process of its own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.started = time.monotonic()
        self.noise = open(os.memfd_create("noise"), "w+b")  # noqa: SIM115
        self.pipe, write = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.pipe)
            os.dup2(self.noise.fileno(), 1)
            os.dup2(self.noise.fileno(), 2)
            report = {"verdict": "pass", "detail": ""}
            try:
                play(name)
            except Wrong as error:
                report = {"verdict": "wrong", "detail": str(error)}
            except BaseException as error:
                last = traceback.extract_tb(error.__traceback__)[-1]
                detail = f"{type(error).__name__}: {error} ({last.name}: {last.line})"
                report = {"verdict": "wrong", "detail": detail}
            os.write(write, json.dumps(report).encode())
            os.close(write)
            if ends_properly(name):
                # The interpreter ends as it always does, which is what the scenario is about.
                raise SystemExit(0)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)
        os.close(write)

    def wait(self, block: bool) -> Outcome | None:
        """The outcome, once there is one."""
        pid, status = os.waitpid(self.pid, 0 if block else os.WNOHANG)
        if pid == 0:
            if time.monotonic() - self.started < SECONDS:
                return None
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            return self.finish("hang", f"it did not end within {SECONDS} s")
        with os.fdopen(os.dup(self.pipe), "rb") as pipe:
            text = pipe.read()
        self.noise.seek(0)
        noise = self.noise.read().decode(errors="replace").strip()
        if os.WIFSIGNALED(status):
            number = signal.Signals(os.WTERMSIG(status)).name
            after = " while the interpreter ended" if text else ""
            return self.finish("crash", f"{number}{after}")
        if not text:
            return self.finish("crash", f"exit {os.WEXITSTATUS(status)}: {noise[:300]}")
        report = json.loads(text)
        if report["verdict"] == "pass" and noise:
            return self.finish("wrong", f"it wrote: {noise[:300]}")
        if report["verdict"] == "pass" and os.WEXITSTATUS(status):
            return self.finish("wrong", f"exit {os.WEXITSTATUS(status)}")
        return self.finish(report["verdict"], report["detail"])

    def finish(self, verdict: str, detail: str) -> Outcome:
        """Lets go of the pipes."""
        os.close(self.pipe)
        self.noise.close()
        return Outcome(self.name, verdict, detail)


def run(scenarios: Iterable[str], jobs: int = 2) -> Iterator[Outcome]:
    """Runs scenarios and yields what became of them, in the order in which they end."""
    waiting = iter(scenarios)
    running: list[Child] = []
    while True:
        while len(running) < jobs and (name := next(waiting, None)) is not None:
            running.append(Child(name))
        if not running:
            return
        # A pipe becomes readable when its child reports or dies.
        select.select([child.pipe for child in running], [], [], 1.0)
        ended = False
        for child in list(running):
            outcome = child.wait(block=False)
            if outcome is not None:
                ended = True
                running.remove(child)
                yield outcome
        if not ended:
            time.sleep(0.001)
