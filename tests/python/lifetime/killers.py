"""Ways to die. Each is a function from a scene to what it did, with what it does to what stands on
which anchor, and the word by which messages can name it."""

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from threading import Thread

from .scene import Scene, tag_of
from .subject import c_api, ir, passmanager, pointer, rewrite


class After(Enum):
    """What must be so afterwards."""

    DIES = "every use raises"
    SAME = "every use answers as before"
    ANY = "every use raises or answers about the very same thing"


# What the anchors of getters.py do when the victim dies and all in it.
ALL = {
    "victim": After.DIES,
    "inner": After.DIES,
    "region": After.DIES,
    "body": After.DIES,
    "argument": After.DIES,
    "flow": After.DIES,
    "table": After.DIES,
    "module": After.SAME,
    "never": After.SAME,
    "always": After.DIES,
    # Iterating over attributes goes over their names as they were when it began.
    "snapshot": After.ANY,
}
NOTHING = {anchor: After.SAME for anchor in ALL} | {"always": After.DIES}


@dataclass(frozen=True)
class Killer:
    """A way to die."""

    name: str
    kill: Callable[[Scene], None]
    scene: str
    effect: Mapping[str, After]
    cause: str
    mode: str


KILLERS: dict[str, Killer] = {}


def killer(scene="function", effect=None, cause="", mode="plain"):
    """Enters a function into ``KILLERS``, under its name."""

    def enter(function):
        name = function.__name__
        assert name not in KILLERS
        KILLERS[name] = Killer(name, function, scene, ALL | (effect or {}), cause, mode)
        return function

    return enter


def run(scene: Scene, pipeline: str) -> None:
    """Runs a pass pipeline over the module."""
    with scene.context:
        passmanager.PassManager.parse(f"builtin.module({pipeline})").run(scene.module.operation)
    scene.gone()


# By Python.


@killer(cause="erased")
def erase(scene):
    scene.victim().operation.erase()
    scene.gone()


@killer(cause="erased")
def erase_view(scene):
    scene.victim().operation.opview.erase()
    scene.gone()


@killer(scene="loop", cause="erased")
def erase_by_number(scene):
    operations = scene.victim().operation.block.operations
    for number in range(len(operations)):
        if tag_of(operations[number]) == "victim":
            operations[number].operation.erase()
            break
    scene.gone()


@killer(cause="erased")
def erase_in_thread(scene):
    thread = Thread(target=lambda: scene.victim().operation.erase())
    thread.start()
    thread.join()
    scene.gone()


@killer(cause="erased")
def erase_in_walk(scene):
    def visit(op):
        if tag_of(op) == "victim":
            op.operation.erase()
        return ir.WalkResult.ADVANCE

    scene.module.operation.walk(visit, ir.WalkOrder.POST_ORDER)
    scene.gone()


@killer(cause="erased")
def erase_parent(scene):
    scene.tagged("outer").operation.erase()
    scene.gone("outer")


@killer(effect={"module": After.DIES}, cause="erased")
def erase_module(scene):
    scene.module.operation.erase()


@killer(effect=NOTHING | {"argument": After.DIES, "victim": After.ANY, "body": After.ANY})
def erase_argument(scene):
    scene.body().erase_argument(1)
    with scene.context:
        scene.victim().attributes["function_type"] = ir.TypeAttr.parse("(i32) -> i32")


@killer(cause="erased")
def symbol_table_erase(scene):
    table = ir.SymbolTable(scene.tagged("outer"))
    table.erase(table["victim"])
    scene.gone()


@killer(cause="erased")
def symbol_table_delete(scene):
    del ir.SymbolTable(scene.tagged("outer"))["victim"]
    scene.gone()


# By C++.


@killer(scene="loop", cause="pipeline")
def canonicalize(scene):
    run(scene, "canonicalize")


# It runs in a thread of the pool, which does not know for whom.
@killer(scene="loop", cause="a pass")
def cse(scene):
    run(scene, "builtin.module(func.func(cse))")


@killer(cause="pipeline")
def symbol_dce(scene):
    run(scene, "builtin.module(symbol-dce)")


@killer(scene="called", effect={"inner": After.ANY, "flow": After.ANY}, cause="pipeline")
def inline(scene):
    run(scene, "builtin.module(inline)")


@killer(
    effect={
        "region": After.ANY,
        "body": After.ANY,
        "argument": After.ANY,
        "flow": After.ANY,
        "table": After.ANY,
    },
    cause="pipeline",
)
def convert_to_llvm(scene):
    with scene.context:
        passmanager.PassManager.parse(
            "builtin.module(convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)"
        ).run(scene.module.operation)
    assert "llvm.func" in str(scene.module)


@killer(scene="scripted", cause="pipeline")
def transform_interpreter(scene):
    run(scene, "transform-interpreter")


@killer(scene="loop", cause="rewrite")
def greedy_rewrite(scene):
    with scene.context, scene.here():
        patterns = rewrite.RewritePatternSet().freeze()
        rewrite.apply_patterns_and_fold_greedily(scene.module, patterns)
    scene.gone()


@killer(scene="loop", cause="rewrite")
def pattern_erases(scene):
    def match(op, rewriter):
        if tag_of(op) != "victim":
            return True
        rewriter.erase_op(op.operation)
        return None

    scene.visit_patterns("scf.for", match)
    scene.gone()


@killer(scene="loop", cause="rewrite")
def pattern_replaces(scene):
    def match(op, rewriter):
        if tag_of(op) != "victim":
            return True
        rewriter.replace_op(op.operation, list(op.operands)[3:])
        return None

    scene.visit_patterns("scf.for", match)
    scene.gone()


@killer()
def pass_in_python(scene):
    def erase_it(op, _pass):
        for child in op.regions[0].blocks[0].operations:
            for below in child.regions[0].blocks[0].operations:
                if tag_of(below) == "victim":
                    below.operation.erase()
                    return

    manager = passmanager.PassManager("any", context=scene.context)
    manager.add(erase_it)
    manager.run(scene.module.operation)
    scene.gone()


@killer(cause="pipeline")
def failing_pipeline(scene):
    def fail(_op, its_pass):
        its_pass.signal_pass_failure()

    manager = passmanager.PassManager("any", context=scene.context)
    manager.add("builtin.module(symbol-dce)")
    manager.add(fail)
    try:
        manager.run(scene.module.operation)
    except ir.MLIRError:
        scene.gone()
        return
    raise AssertionError("the pipeline did not fail")


# By another extension, over the C API.


@killer(cause="MLIR")
def c_api_destroy(scene):
    raw = pointer(scene.victim().operation)
    c_api().mlirOperationRemoveFromParent(raw)
    c_api().mlirOperationDestroy(raw)
    scene.gone()


@killer(
    effect={"victim": After.ANY, "region": After.ANY, "table": After.SAME},
    cause="MLIR",
)
def c_api_destroy_block(scene):
    import ctypes

    raw = ctypes.c_void_p(c_api().mlirOperationGetRegion(pointer(scene.victim().operation), 0))
    block = ctypes.c_void_p(c_api().mlirRegionGetFirstBlock(raw))
    c_api().mlirBlockDetach(block)
    c_api().mlirBlockDestroy(block)


# By nobody being left, or by something that only looks like a death.


@killer(effect=NOTHING)
def drop_module(scene):
    scene.module = None
    gc.collect()


@killer(effect=NOTHING)
def drop_module_and_context(scene):
    scene.drop()


@killer(effect=NOTHING | {"table": After.DIES})
def move_to_another_tree(scene):
    other = ir.Module.parse("module {}", scene.context)
    scene.victim().operation.move_before(anchor_in(other))
    scene.module = None
    gc.collect()


@killer(cause="erased")
def move_and_erase_new_tree(scene):
    other = ir.Module.parse("module {}", scene.context)
    scene.victim().operation.move_before(anchor_in(other))
    other.operation.erase()


@killer(effect=NOTHING | {"table": After.DIES})
def detach_and_drop_rest(scene):
    victim = scene.victim().operation
    victim.detach_from_parent()
    scene.module = None
    del victim
    gc.collect()


@killer(
    cause="",
    effect={anchor: After.ANY for anchor in ALL} | {"module": After.SAME, "always": After.DIES},
)
def detach_and_drop_it(scene):
    scene.victim().operation.detach_from_parent()
    gc.collect()


def anchor_in(module):
    """An operation in the body of a new module, to move something before."""
    with module.context, ir.Location.unknown():
        return ir.Operation.create("test.anchor", ip=ir.InsertionPoint(module.body))


@killer(effect=NOTHING, mode="cycle")
def cycle(scene):
    scene.drop()


@killer(effect=NOTHING, mode="exit")
def interpreter_exit(scene):
    del scene


@killer(effect=NOTHING, mode="exit")
def interpreter_exit_after_drop(scene):
    scene.drop()


@killer(cause="erased", mode="exit")
def interpreter_exit_after_erase(scene):
    scene.victim().operation.erase()


@killer(effect=NOTHING, mode="fork")
def fork(scene):
    del scene
