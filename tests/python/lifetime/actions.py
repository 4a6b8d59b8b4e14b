"""Invalidating actions: erasing, passes, rewrites, other extensions, garbage collection, exit.

Each is a function that acts on a fixture. Its entry in the table says how the objects on each
anchor of getters.py behave afterwards, and which word the message of ``InvalidatedError`` contains.
"""

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from threading import Thread

from .fixture import Fixture, tag_of
from .package import c_api, ir, passmanager, pointer, rewrite


class After(Enum):
    """The required behaviour of an object after the action."""

    DIES = "every use raises"
    SAME = "every use answers as before"
    ANY = "every use raises or answers about the very same thing"


# The default effect by anchor: the victim is destroyed, with everything in it.
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
class Action:
    """An action that may invalidate objects. ``fixture`` is the kind of IR it needs."""

    name: str
    perform: Callable[[Fixture], None]
    fixture: str
    effect: Mapping[str, After]
    cause: str
    mode: str


ACTIONS: dict[str, Action] = {}


def action(fixture="function", effect=None, cause="", mode="plain"):
    """Enters a function into ``ACTIONS``, under its name."""

    def enter(function):
        name = function.__name__
        assert name not in ACTIONS
        ACTIONS[name] = Action(name, function, fixture, ALL | (effect or {}), cause, mode)
        return function

    return enter


def run(fixture: Fixture, pipeline: str) -> None:
    """Runs a pass pipeline over the module."""
    with fixture.context:
        passmanager.PassManager.parse(f"builtin.module({pipeline})").run(fixture.module.operation)
    fixture.gone()


# By Python.


@action(cause="erased")
def erase(fixture):
    fixture.victim().operation.erase()
    fixture.gone()


@action(cause="erased")
def erase_view(fixture):
    fixture.victim().operation.opview.erase()
    fixture.gone()


@action(fixture="loop", cause="erased")
def erase_by_number(fixture):
    operations = fixture.victim().operation.block.operations
    for number in range(len(operations)):
        if tag_of(operations[number]) == "victim":
            operations[number].operation.erase()
            break
    fixture.gone()


@action(cause="erased")
def erase_in_thread(fixture):
    thread = Thread(target=lambda: fixture.victim().operation.erase())
    thread.start()
    thread.join()
    fixture.gone()


@action(cause="erased")
def erase_in_walk(fixture):
    def visit(op):
        if tag_of(op) == "victim":
            op.operation.erase()
        return ir.WalkResult.ADVANCE

    fixture.module.operation.walk(visit, ir.WalkOrder.POST_ORDER)
    fixture.gone()


@action(cause="erased")
def erase_parent(fixture):
    fixture.tagged("outer").operation.erase()
    fixture.gone("outer")


@action(effect={"module": After.DIES}, cause="erased")
def erase_module(fixture):
    fixture.module.operation.erase()


@action(effect=NOTHING | {"argument": After.DIES, "victim": After.ANY, "body": After.ANY})
def erase_argument(fixture):
    fixture.body().erase_argument(1)
    with fixture.context:
        fixture.victim().attributes["function_type"] = ir.TypeAttr.parse("(i32) -> i32")


@action(cause="erased")
def symbol_table_erase(fixture):
    table = ir.SymbolTable(fixture.tagged("outer"))
    table.erase(table["victim"])
    fixture.gone()


@action(cause="erased")
def symbol_table_delete(fixture):
    del ir.SymbolTable(fixture.tagged("outer"))["victim"]
    fixture.gone()


# By C++.


@action(fixture="loop", cause="pipeline")
def canonicalize(fixture):
    run(fixture, "canonicalize")


# It runs in a thread of the pool, where the pipeline is not known.
@action(fixture="loop", cause="a pass")
def cse(fixture):
    run(fixture, "builtin.module(func.func(cse))")


@action(cause="pipeline")
def symbol_dce(fixture):
    run(fixture, "builtin.module(symbol-dce)")


@action(fixture="called", effect={"inner": After.ANY, "flow": After.ANY}, cause="pipeline")
def inline(fixture):
    run(fixture, "builtin.module(inline)")


@action(
    effect={
        "region": After.ANY,
        "body": After.ANY,
        "argument": After.ANY,
        "flow": After.ANY,
        "table": After.ANY,
    },
    cause="pipeline",
)
def convert_to_llvm(fixture):
    with fixture.context:
        passmanager.PassManager.parse(
            "builtin.module(convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)"
        ).run(fixture.module.operation)
    assert "llvm.func" in str(fixture.module)


@action(fixture="scripted", cause="pipeline")
def transform_interpreter(fixture):
    run(fixture, "transform-interpreter")


@action(fixture="loop", cause="rewrite")
def greedy_rewrite(fixture):
    with fixture.context, fixture.here():
        patterns = rewrite.RewritePatternSet().freeze()
        rewrite.apply_patterns_and_fold_greedily(fixture.module, patterns)
    fixture.gone()


@action(fixture="loop", cause="rewrite")
def pattern_erases(fixture):
    def match(op, rewriter):
        if tag_of(op) != "victim":
            return True
        rewriter.erase_op(op.operation)
        return None

    fixture.visit_patterns("scf.for", match)
    fixture.gone()


@action(fixture="loop", cause="rewrite")
def pattern_replaces(fixture):
    def match(op, rewriter):
        if tag_of(op) != "victim":
            return True
        rewriter.replace_op(op.operation, list(op.operands)[3:])
        return None

    fixture.visit_patterns("scf.for", match)
    fixture.gone()


@action(fixture="loop", cause="rewrite")
def conversion_replaces(fixture):
    def match(op, _adaptor, _converter, rewriter):
        if tag_of(op) != "victim":
            return True
        rewriter.replace_op(op.operation, list(op.operands)[3:])
        return None

    fixture.convert("scf.for", match)
    fixture.gone()


@action(fixture="loop", cause="rewrite")
def conversion_erases(fixture):
    def match(op, _adaptor, _converter, rewriter):
        if tag_of(op) != "victim":
            return True
        rewriter.erase_op(op.operation)
        return None

    fixture.convert("scf.for", match)
    fixture.gone()


@action(effect=NOTHING)
def conversion_fails(fixture):
    """What a pattern did is taken back."""

    def match(op, _adaptor, _converter, rewriter):
        rewriter.erase_op(op.operation)
        return True

    fixture.convert(fixture.victim().operation.name, match)


@action()
def pass_in_python(fixture):
    def erase_it(op, _pass):
        for child in op.regions[0].blocks[0].operations:
            for below in child.regions[0].blocks[0].operations:
                if tag_of(below) == "victim":
                    below.operation.erase()
                    return

    manager = passmanager.PassManager("any", context=fixture.context)
    manager.add(erase_it)
    manager.run(fixture.module.operation)
    fixture.gone()


@action(cause="pipeline")
def failing_pipeline(fixture):
    def fail(_op, its_pass):
        its_pass.signal_pass_failure()

    manager = passmanager.PassManager("any", context=fixture.context)
    manager.add("builtin.module(symbol-dce)")
    manager.add(fail)
    try:
        manager.run(fixture.module.operation)
    except ir.MLIRError:
        fixture.gone()
        return
    raise AssertionError("the pipeline did not fail")


# By another extension, over the C API.


@action(cause="MLIR")
def c_api_destroy(fixture):
    raw = pointer(fixture.victim().operation)
    c_api().mlirOperationRemoveFromParent(raw)
    c_api().mlirOperationDestroy(raw)
    fixture.gone()


@action(
    effect={"victim": After.ANY, "region": After.ANY, "table": After.SAME},
    cause="MLIR",
)
def c_api_destroy_block(fixture):
    import ctypes

    raw = ctypes.c_void_p(c_api().mlirOperationGetRegion(pointer(fixture.victim().operation), 0))
    block = ctypes.c_void_p(c_api().mlirRegionGetFirstBlock(raw))
    c_api().mlirBlockDetach(block)
    c_api().mlirBlockDestroy(block)


# The last reference goes away, or nothing is destroyed at all.


@action(effect=NOTHING)
def drop_module(fixture):
    fixture.module = None
    gc.collect()


@action(effect=NOTHING)
def drop_module_and_context(fixture):
    fixture.drop()


@action(effect=NOTHING | {"table": After.DIES})
def move_to_another_tree(fixture):
    other = ir.Module.parse("module {}", fixture.context)
    fixture.victim().operation.move_before(anchor_in(other))
    fixture.module = None
    gc.collect()


@action(cause="erased")
def move_and_erase_new_tree(fixture):
    other = ir.Module.parse("module {}", fixture.context)
    fixture.victim().operation.move_before(anchor_in(other))
    other.operation.erase()


@action(effect=NOTHING | {"table": After.DIES})
def detach_and_drop_rest(fixture):
    victim = fixture.victim().operation
    victim.detach_from_parent()
    fixture.module = None
    del victim
    gc.collect()


@action(
    cause="",
    effect={anchor: After.ANY for anchor in ALL} | {"module": After.SAME, "always": After.DIES},
)
def detach_and_drop_it(fixture):
    fixture.victim().operation.detach_from_parent()
    gc.collect()


def anchor_in(module):
    """An operation in the body of a new module, to move something before."""
    with module.context, ir.Location.unknown():
        return ir.Operation.create("test.anchor", ip=ir.InsertionPoint(module.body))


@action(effect=NOTHING, mode="cycle")
def cycle(fixture):
    fixture.drop()


@action(effect=NOTHING, mode="exit")
def interpreter_exit(fixture):
    del fixture


@action(effect=NOTHING, mode="exit")
def interpreter_exit_after_drop(fixture):
    fixture.drop()


@action(cause="erased", mode="exit")
def interpreter_exit_after_erase(fixture):
    fixture.victim().operation.erase()


@action(effect=NOTHING, mode="fork")
def fork(fixture):
    del fixture
