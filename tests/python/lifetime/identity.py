"""Scenarios about identity: one wrapper for each object of MLIR, with a stable ``id()``."""

import gc
import weakref

from .fixture import tag_of
from .ownership import i32, new_op, refused, scenario
from .package import ir

LOOKS = {
    "operation": lambda fixture: fixture.victim().operation,
    "view": lambda fixture: fixture.victim().operation.opview,
    "region": lambda fixture: fixture.victim().regions[0],
    "block": lambda fixture: fixture.body(),
    "argument": lambda fixture: fixture.unused_argument(),
    "result": lambda fixture: fixture.tagged("inner").results[0],
    "type": lambda fixture: fixture.tagged("inner").results[0].type,
    "attribute": lambda fixture: fixture.victim().attributes["t.tag"],
    "module": lambda fixture: ir.Module._CAPICreate(fixture.module._CAPIPtr),
    "context": lambda fixture: fixture.victim().context,
}


def of_each(check):
    """Makes one scenario for each kind of object."""
    for kind, look in LOOKS.items():

        def play(fixture, look=look, kind=kind):
            check(fixture, look, kind)

        play.__name__ = f"{check.__name__}_{kind}"
        scenario(play)
    return check


@of_each
def one_wrapper(fixture, look, _kind):
    held = look(fixture)
    assert look(fixture) is held
    assert held == look(fixture) and hash(held) == hash(look(fixture))
    gc.collect()
    assert look(fixture) is held


@of_each
def id_after_drop(fixture, look, _kind):
    before = id(look(fixture))
    gc.collect()
    fixture.others = [object() for _ in range(2000)]
    assert id(look(fixture)) == before


@of_each
def weak_reference(fixture, look, kind):
    watch = weakref.ref(look(fixture))
    held = look(fixture)
    if kind not in ("module", "context"):
        watch = weakref.ref(held)
    assert watch() is held
    del held
    if kind not in ("module", "context"):
        gc.collect()
        assert watch() is None


@of_each
def own_attributes(fixture, look, _kind):
    look(fixture).noted = "kept"
    gc.collect()
    assert look(fixture).noted == "kept"


@of_each
def attributes_in_a_cycle(fixture, look, kind):
    look(fixture).myself = look(fixture)
    held = look(fixture)
    gc.collect()
    assert held.myself is held
    del held
    gc.collect()
    assert look(fixture) is look(fixture), kind


@of_each
def hash_is_stable(fixture, look, _kind):
    seen = {look(fixture): "found"}
    gc.collect()
    assert seen[look(fixture)] == "found"


@scenario
def different_things_differ(fixture):
    names = [look(fixture) for look in LOOKS.values()]
    for number, one in enumerate(names):
        for other in names[:number]:
            if {type(one).__name__, type(other).__name__} & {"FuncOp", "Operation", "OpView"}:
                continue
            assert one is not other


@scenario
def walk_gives_the_same(fixture):
    victim = fixture.victim().operation
    seen = []

    def visit(op):
        seen.append(op.operation)
        return ir.WalkResult.ADVANCE

    fixture.module.operation.walk(visit)
    assert any(op is victim for op in seen)
    assert seen[-1] is fixture.module.operation


@scenario
def pattern_gives_the_same(fixture):
    victim = fixture.victim().operation
    seen = []

    def match(op, _rewriter):
        if tag_of(op) == "victim":
            seen.append(op.operation)
        return True

    fixture.visit_patterns("func.func", match)
    assert seen and all(op is victim for op in seen)


@scenario
def pass_gives_the_same(fixture):
    from .package import passmanager

    seen = []
    manager = passmanager.PassManager("any", context=fixture.context)
    manager.add(lambda op, _pass: seen.append(op.operation))
    manager.run(fixture.module.operation)
    assert seen[0] is fixture.module.operation


@scenario
def owners_and_parents_are_the_same(fixture):
    inner, user = fixture.tagged("inner").operation, fixture.tagged("user").operation
    assert inner.results[0].owner.operation is inner
    assert user.operands[0] is inner.results[0] and user.operands[1] is inner.results[0]
    assert inner.parent.operation is fixture.victim().operation
    assert inner.operation.block is fixture.body()
    assert fixture.body().region is fixture.victim().regions[0]
    assert fixture.body().owner.operation is fixture.victim().operation
    assert {use.owner.operation for use in inner.results[0].uses} == {user}
    assert fixture.unused_argument().owner is fixture.body()


@scenario
def moved_keeps_its_identity(fixture):
    victim, inner = fixture.victim().operation, fixture.tagged("inner").operation
    number = id(inner)
    inner.noted = 1
    del inner
    victim.detach_from_parent()
    assert id(victim.regions[0].blocks[0].operations[0].operation) == number
    assert victim.regions[0].blocks[0].operations[0].operation.noted == 1


@scenario
def created_is_what_is_found(fixture):
    op = new_op(fixture, results=[i32(fixture)])
    ir.InsertionPoint(fixture.tagged("user")).insert(op)
    assert fixture.body().operations[1].operation is op.operation
    assert op.results[0].owner.operation is op.operation


@scenario
def subclass_state_survives(fixture):
    class Mine(ir.IntegerType):
        """A type with state of its own."""

    fixture.tagged("inner").results[0].type.noted = [1, 2]
    gc.collect()
    assert fixture.tagged("user").results[0].type.noted == [1, 2]
    assert Mine(i32(fixture)) == i32(fixture)


@scenario
def attributes_end_with_the_operation(fixture):
    class Watched:
        """Something that can be watched."""

    held = Watched()
    watch = weakref.ref(held)
    victim = fixture.victim().operation
    victim.held = held
    del held, victim
    gc.collect()
    assert watch() is not None
    fixture.victim().operation.erase()
    fixture.reuse_addresses()
    gc.collect()
    assert watch() is None


@scenario
def dead_ones_still_hash(fixture):
    victim = fixture.victim().operation
    number = hash(victim)
    seen = {victim: 1}
    victim.erase()
    fixture.reuse_addresses()
    assert hash(victim) == number and seen[victim] == 1
    assert victim == victim and victim != fixture.tagged("bystander").operation
    refused(lambda: victim.name, RuntimeError)
