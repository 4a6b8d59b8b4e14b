"""Scenarios about who is who."""

import gc
import weakref

from .ownership import i32, new_op, refused, scenario
from .scene import tag_of
from .subject import ir

LOOKS = {
    "operation": lambda scene: scene.victim().operation,
    "view": lambda scene: scene.victim().operation.opview,
    "region": lambda scene: scene.victim().regions[0],
    "block": lambda scene: scene.body(),
    "argument": lambda scene: scene.unused_argument(),
    "result": lambda scene: scene.tagged("inner").results[0],
    "type": lambda scene: scene.tagged("inner").results[0].type,
    "attribute": lambda scene: scene.victim().attributes["t.tag"],
    "module": lambda scene: ir.Module._CAPICreate(scene.module._CAPIPtr),
    "context": lambda scene: scene.victim().context,
}


def of_each(check):
    """Makes one scenario for each kind of object."""
    for kind, look in LOOKS.items():

        def play(scene, look=look, kind=kind):
            check(scene, look, kind)

        play.__name__ = f"{check.__name__}_{kind}"
        scenario(play)
    return check


@of_each
def one_wrapper(scene, look, _kind):
    held = look(scene)
    assert look(scene) is held
    assert held == look(scene) and hash(held) == hash(look(scene))
    gc.collect()
    assert look(scene) is held


@of_each
def id_after_drop(scene, look, _kind):
    before = id(look(scene))
    gc.collect()
    scene.others = [object() for _ in range(2000)]
    assert id(look(scene)) == before


@of_each
def weak_reference(scene, look, kind):
    watch = weakref.ref(look(scene))
    held = look(scene)
    if kind not in ("module", "context"):
        watch = weakref.ref(held)
    assert watch() is held
    del held
    if kind not in ("module", "context"):
        gc.collect()
        assert watch() is None


@of_each
def own_attributes(scene, look, _kind):
    look(scene).noted = "kept"
    gc.collect()
    assert look(scene).noted == "kept"


@of_each
def attributes_in_a_cycle(scene, look, kind):
    look(scene).myself = look(scene)
    held = look(scene)
    gc.collect()
    assert held.myself is held
    del held
    gc.collect()
    assert look(scene) is look(scene), kind


@of_each
def hash_is_stable(scene, look, _kind):
    seen = {look(scene): "found"}
    gc.collect()
    assert seen[look(scene)] == "found"


@scenario
def different_things_differ(scene):
    names = [look(scene) for look in LOOKS.values()]
    for number, one in enumerate(names):
        for other in names[:number]:
            if {type(one).__name__, type(other).__name__} & {"FuncOp", "Operation", "OpView"}:
                continue
            assert one is not other


@scenario
def walk_gives_the_same(scene):
    victim = scene.victim().operation
    seen = []

    def visit(op):
        seen.append(op.operation)
        return ir.WalkResult.ADVANCE

    scene.module.operation.walk(visit)
    assert any(op is victim for op in seen)
    assert seen[-1] is scene.module.operation


@scenario
def pattern_gives_the_same(scene):
    victim = scene.victim().operation
    seen = []

    def match(op, _rewriter):
        if tag_of(op) == "victim":
            seen.append(op.operation)
        return True

    scene.visit_patterns("func.func", match)
    assert seen and all(op is victim for op in seen)


@scenario
def pass_gives_the_same(scene):
    from .subject import passmanager

    seen = []
    manager = passmanager.PassManager("any", context=scene.context)
    manager.add(lambda op, _pass: seen.append(op.operation))
    manager.run(scene.module.operation)
    assert seen[0] is scene.module.operation


@scenario
def owners_and_parents_are_the_same(scene):
    inner, user = scene.tagged("inner").operation, scene.tagged("user").operation
    assert inner.results[0].owner.operation is inner
    assert user.operands[0] is inner.results[0] and user.operands[1] is inner.results[0]
    assert inner.parent.operation is scene.victim().operation
    assert inner.operation.block is scene.body()
    assert scene.body().region is scene.victim().regions[0]
    assert scene.body().owner.operation is scene.victim().operation
    assert {use.owner.operation for use in inner.results[0].uses} == {user}
    assert scene.unused_argument().owner is scene.body()


@scenario
def moved_keeps_its_identity(scene):
    victim, inner = scene.victim().operation, scene.tagged("inner").operation
    number = id(inner)
    inner.noted = 1
    del inner
    victim.detach_from_parent()
    assert id(victim.regions[0].blocks[0].operations[0].operation) == number
    assert victim.regions[0].blocks[0].operations[0].operation.noted == 1


@scenario
def created_is_what_is_found(scene):
    op = new_op(scene, results=[i32(scene)])
    ir.InsertionPoint(scene.tagged("user")).insert(op)
    assert scene.body().operations[1].operation is op.operation
    assert op.results[0].owner.operation is op.operation


@scenario
def subclass_state_survives(scene):
    class Mine(ir.IntegerType):
        """A type with state of its own."""

    scene.tagged("inner").results[0].type.noted = [1, 2]
    gc.collect()
    assert scene.tagged("user").results[0].type.noted == [1, 2]
    assert Mine(i32(scene)) == i32(scene)


@scenario
def attributes_end_with_the_operation(scene):
    class Watched:
        """Something that can be watched."""

    held = Watched()
    watch = weakref.ref(held)
    victim = scene.victim().operation
    victim.held = held
    del held, victim
    gc.collect()
    assert watch() is not None
    scene.victim().operation.erase()
    scene.reuse_addresses()
    gc.collect()
    assert watch() is None


@scenario
def dead_ones_still_hash(scene):
    victim = scene.victim().operation
    number = hash(victim)
    seen = {victim: 1}
    victim.erase()
    scene.reuse_addresses()
    assert hash(victim) == number and seen[victim] == 1
    assert victim == victim and victim != scene.tagged("bystander").operation
    refused(lambda: victim.name, RuntimeError)
