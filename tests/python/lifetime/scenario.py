"""One cell of the table: get the object, run the action, use the object. A wrong answer raises
:class:`Wrong`."""

import gc
import os
import re
import sys
import weakref

from .actions import ACTIONS, Action, After
from .fixture import Fixture
from .getters import GETTERS, Getter
from .package import INVALIDATED, STRICT, ir
from .probes import PROBES

# The nouns that messages of ``InvalidatedError`` begin with.
DEAD_NOUNS = "operation|block|region|argument|value|module|insertion point|symbol|state|attribute"


# Further exceptions that uses of an invalidated object may raise.
ALSO = {"symbol_table": (KeyError,), "diagnostic": (ValueError,)}


class Wrong(Exception):
    """A use of an object that gave a wrong answer."""


def answers(held, kind: str) -> dict[str, object]:
    """The answers of every use of ``held``."""
    return {name: probe(held) for name, probe in PROBES[kind].items()}


def check_message(error: Exception, getter: Getter, action: Action, use: str) -> None:
    """Makes sure that the message names what was invalidated, and by which action."""
    if not STRICT or getter.anchor == "always" or not isinstance(error, INVALIDATED):
        return
    message = str(error)
    if not re.search(DEAD_NOUNS, message):
        raise Wrong(f"{use}: the message does not say what died: {message}")
    if action.cause and action.cause not in message:
        raise Wrong(f"{use}: the message does not say {action.cause!r}: {message}")


def use_dead(held, getter: Getter, action: Action) -> None:
    """Every use raises."""
    allowed = (RuntimeError, *ALSO.get(getter.kind, ()))
    for name, probe in PROBES[getter.kind].items():
        if name == "bystander":
            continue
        try:
            answer = probe(held)
        except allowed as error:
            check_message(error, getter, action, name)
        except Exception as error:
            raise Wrong(f"{name} raised {type(error).__name__}: {error}") from error
        else:
            raise Wrong(f"{name} of something dead answered {answer!r}")


def use_living(held, getter: Getter, before: dict[str, object]) -> None:
    """Every use answers as before."""
    for name, probe in PROBES[getter.kind].items():
        try:
            answer = probe(held)
        except Exception as error:
            raise Wrong(f"{name} raised {type(error).__name__}: {error}") from error
        if answer != before[name]:
            raise Wrong(f"{name} answered {answer!r}, before it was {before[name]!r}")


def use_either(held, getter: Getter) -> None:
    """Every use raises, or tells nothing of anything else."""
    for name, probe in PROBES[getter.kind].items():
        try:
            answer = probe(held)
        except (RuntimeError, KeyError, IndexError, ir.MLIRError):
            continue
        except Exception as error:
            raise Wrong(f"{name} raised {type(error).__name__}: {error}") from error
        if "decoy" in str(answer) or "i64" in str(answer):
            raise Wrong(f"{name} answered for something else: {answer!r}")


def settle(fixture: Fixture) -> None:
    """Makes sure that nothing is left when everything was dropped."""
    fixture.end()
    gc.collect()
    gc.collect()
    left = ir.Context._get_live_count()
    if left:
        raise Wrong(f"{left} contexts are left")


def run_plain(fixture: Fixture, getter: Getter, action: Action) -> None:
    """Get the object, run the action, use the object."""
    before = {}
    effect = action.effect[getter.anchor]
    if effect is After.SAME:
        before = answers(getter.get(fixture), getter.kind)
    held = getter.get(fixture)
    action.perform(fixture)
    fixture.reuse_addresses()
    if effect is After.DIES:
        use_dead(held, getter, action)
    elif effect is After.SAME:
        use_living(held, getter, before)
    else:
        use_either(held, getter)
    del held
    settle(fixture)


class Ring(list):
    """A list that can be a part of a cycle and be watched."""


def run_cycle(fixture: Fixture, getter: Getter, action: Action) -> None:
    """Runs a scenario in which the held object is a part of a reference cycle without other
    references."""
    ring = Ring([getter.get(fixture)])
    ring.append(ring)
    ring.append(fixture)
    watch = weakref.ref(ring)
    action.perform(fixture)
    fixture.undo and fixture.undo()
    fixture.undo = None
    del ring, fixture
    gc.collect()
    gc.collect()
    if watch() is not None:
        raise Wrong("the cycle was not collected")
    left = ir.Context._get_live_count()
    if left:
        raise Wrong(f"{left} contexts are left")


def run_fork(fixture: Fixture, getter: Getter, action: Action) -> None:
    """Use in a forked child and in its parent."""
    if getter.anchor == "always":
        run_plain(fixture, getter, action)
        return
    before = answers(getter.get(fixture), getter.kind)
    held = getter.get(fixture)
    child = os.fork()
    if child == 0:
        try:
            use_living(held, getter, before)
            fixture.reuse_addresses()
            with fixture.context:
                ir.Module.parse("module {}").operation.verify()
            os._exit(0)
        except BaseException as error:
            print(error, file=sys.stderr, flush=True)
            os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        os.kill(os.getpid(), os.WTERMSIG(status))
    if status:
        raise Wrong("the child answered wrongly")
    if getter.kind != "iterator":
        use_living(held, getter, before)
    del held
    settle(fixture)


# Objects that stay alive until the interpreter ends.
KEPT: list[object] = []


def run_exit(fixture: Fixture, getter: Getter, action: Action) -> None:
    """Everything is alive when the interpreter ends."""
    KEPT.append(getter.get(fixture))
    KEPT.append(fixture)
    action.perform(fixture)


MODES = {"plain": run_plain, "cycle": run_cycle, "fork": run_fork, "exit": run_exit}


def run_cell(getter_name: str, action_name: str) -> None:
    """Plays one cell of the table."""
    getter, action = GETTERS[getter_name], ACTIONS[action_name]
    MODES[action.mode](Fixture(action.fixture), getter, action)
