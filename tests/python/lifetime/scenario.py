"""One cell of the table: get, die, use; what is wrong is raised as :class:`Wrong`."""

import gc
import os
import re
import sys
import weakref

from .getters import GETTERS, Getter
from .killers import KILLERS, After, Killer
from .probes import PROBES
from .scene import Scene
from .subject import INVALIDATED, STRICT, ir

# What messages about the dead say first.
SUBJECTS = "operation|block|region|argument|value|module|insertion point|symbol|state|attribute"


# What else uses of the dead may raise.
ALSO = {"symbol_table": (KeyError,), "diagnostic": (ValueError,)}


class Wrong(Exception):
    """An answer that is not the right one."""


def answers(held, kind: str) -> dict[str, object]:
    """What every use of ``held`` answers."""
    return {name: probe(held) for name, probe in PROBES[kind].items()}


def check_message(error: Exception, getter: Getter, killer: Killer, use: str) -> None:
    """Makes sure that the exception for something dead says what died, and by what."""
    if not STRICT or getter.anchor == "always" or not isinstance(error, INVALIDATED):
        return
    message = str(error)
    if not re.search(SUBJECTS, message):
        raise Wrong(f"{use}: the message does not say what died: {message}")
    if killer.cause and killer.cause not in message:
        raise Wrong(f"{use}: the message does not say {killer.cause!r}: {message}")


def use_dead(held, getter: Getter, killer: Killer) -> None:
    """Every use raises."""
    allowed = (RuntimeError, *ALSO.get(getter.kind, ()))
    for name, probe in PROBES[getter.kind].items():
        if name == "bystander":
            continue
        try:
            answer = probe(held)
        except allowed as error:
            check_message(error, getter, killer, name)
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


def settle(scene: Scene) -> None:
    """Makes sure that nothing is left when everything was dropped."""
    scene.end()
    gc.collect()
    gc.collect()
    left = ir.Context._get_live_count()
    if left:
        raise Wrong(f"{left} contexts are left")


def run_plain(scene: Scene, getter: Getter, killer: Killer) -> None:
    """Get, die, use."""
    before = {}
    effect = killer.effect[getter.anchor]
    if effect is After.SAME:
        before = answers(getter.get(scene), getter.kind)
    held = getter.get(scene)
    killer.kill(scene)
    scene.reuse_addresses()
    if effect is After.DIES:
        use_dead(held, getter, killer)
    elif effect is After.SAME:
        use_living(held, getter, before)
    else:
        use_either(held, getter)
    del held
    settle(scene)


class Ring(list):
    """A list that can be a part of a cycle and be watched."""


def run_cycle(scene: Scene, getter: Getter, killer: Killer) -> None:
    """What is held is a part of a cycle that nobody refers to."""
    ring = Ring([getter.get(scene)])
    ring.append(ring)
    ring.append(scene)
    watch = weakref.ref(ring)
    killer.kill(scene)
    scene.undo and scene.undo()
    scene.undo = None
    del ring, scene
    gc.collect()
    gc.collect()
    if watch() is not None:
        raise Wrong("the cycle was not collected")
    left = ir.Context._get_live_count()
    if left:
        raise Wrong(f"{left} contexts are left")


def run_fork(scene: Scene, getter: Getter, killer: Killer) -> None:
    """Use in a forked child and in its parent."""
    if getter.anchor == "always":
        run_plain(scene, getter, killer)
        return
    before = answers(getter.get(scene), getter.kind)
    held = getter.get(scene)
    child = os.fork()
    if child == 0:
        try:
            use_living(held, getter, before)
            scene.reuse_addresses()
            with scene.context:
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
    settle(scene)


# What stays alive until the interpreter ends.
KEPT: list[object] = []


def run_exit(scene: Scene, getter: Getter, killer: Killer) -> None:
    """Everything is alive when the interpreter ends."""
    KEPT.append(getter.get(scene))
    KEPT.append(scene)
    killer.kill(scene)


MODES = {"plain": run_plain, "cycle": run_cycle, "fork": run_fork, "exit": run_exit}


def run_cell(getter_name: str, killer_name: str) -> None:
    """Plays one cell of the table."""
    getter, killer = GETTERS[getter_name], KILLERS[killer_name]
    MODES[killer.mode](Scene(killer.scene), getter, killer)
