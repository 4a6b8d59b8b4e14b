"""Scenarios written one by one: who owns what, and who is who."""

import gc
import weakref
from collections.abc import Callable

from .scene import FUNCTION, Scene, find
from .subject import ir

SCENARIOS: dict[str, Callable[[Scene], None]] = {}


def scenario(function):
    """Enters a function into ``SCENARIOS``, under its name."""
    SCENARIOS[function.__name__] = function
    return function


def play(name: str) -> None:
    """Plays one scenario, and makes sure that nothing is left of it."""
    scene = Scene("function")
    SCENARIOS[name](scene)
    scene.end()
    gc.collect()
    gc.collect()
    left = ir.Context._get_live_count()
    assert left == 0, f"{left} contexts are left"


def refused(action, *classes) -> None:
    """Makes sure that ``action`` raises, and not by a mistake in here."""
    try:
        action()
    except Exception as error:
        assert isinstance(error, classes or (ValueError, RuntimeError)), repr(error)
        return
    raise AssertionError("it was not refused")


def text(scene) -> str:
    """All of the IR."""
    return scene.module.operation.get_asm(print_generic_op_form=True)


def new_op(scene, name="test.new", **parts):
    """An operation without a place."""
    return scene.context.new_op(name, loc=scene.here(), **({"results": []} | parts))


def new_block(scene, count):
    """A block without a place, with arguments."""
    return scene.context.new_block([i32(scene)] * count, [scene.here()] * count)


def i32(scene):
    """A type."""
    return ir.IntegerType.get_signless(32, scene.context)


# Who keeps what alive.


@scenario
def child_keeps_all_ancestors(scene):
    inner = scene.tagged("inner")
    scene.drop()
    chain = []
    op = inner.operation
    while op is not None:
        chain.append(op.name)
        op = op.parent and op.parent.operation
    assert chain == ["arith.addi", "func.func", "builtin.module", "builtin.module"]
    assert ir.Context._get_live_count() == 1


@scenario
def type_keeps_context(scene):
    kept = i32(scene)
    scene.drop()
    assert str(kept) == "i32" and kept.context is not None


@scenario
def new_op_keeps_context(scene):
    op = new_op(scene)
    scene.drop()
    assert op.name == "test.new" and op.context is not None and not op.attached


@scenario
def new_block_keeps_context(scene):
    block = new_block(scene, 1)
    scene.drop()
    assert len(block.arguments) == 1 and str(block.arguments[0].type) == "i32"


@scenario
def new_region_keeps_context(scene):
    region = scene.context.new_region()
    scene.drop()
    assert len(region.blocks) == 0


@scenario
def argument_of_new_block_keeps_it(scene):
    argument = new_block(scene, 1).arguments[0]
    scene.drop()
    assert str(argument.type) == "i32" and argument.arg_number == 0


@scenario
def tree_is_freed_with_its_last_holder(scene):
    watch = weakref.ref(scene.module)
    inner = scene.tagged("inner")
    scene.module = None
    gc.collect()
    assert inner.name == "arith.addi"
    del inner
    gc.collect()
    assert watch() is None


@scenario
def orders_of_dropping(scene):
    from itertools import permutations

    for order in permutations(range(5)):
        other = Scene("function")
        held = [
            other.module,
            other.context,
            other.tagged("inner"),
            other.unused_argument(),
            other.victim().attributes["t.tag"],
        ]
        other.drop()
        for number in order:
            held[number] = None
    gc.collect()
    assert ir.Context._get_live_count() == 1


# Trees.


@scenario
def moved_subtree_keeps_new_tree(scene):
    other = ir.Module.parse("module { func.func private @last() }", scene.context)
    victim = scene.victim()
    inner = scene.tagged("inner")
    victim.move_before(other.body.operations[0])
    del victim
    del other
    scene.module = None
    gc.collect()
    root = inner.operation.parent.operation.parent.operation
    assert root.name == "builtin.module" and root.parent is None
    assert [op.operation.name for op in root.regions[0].blocks[0].operations] == ["func.func"] * 2


@scenario
def moved_subtree_leaves_old_tree(scene):
    other = ir.Module.parse("module { func.func private @last() }", scene.context)
    old = weakref.ref(scene.module)
    victim = scene.victim()
    victim.move_before(other.body.operations[0])
    scene.module = None
    gc.collect()
    assert old() is None, "the old tree lives on"
    assert victim.parent.operation is other.operation


@scenario
def old_tree_outlives_new(scene):
    other = ir.Module.parse("module { func.func private @last() }", scene.context)
    inner = scene.tagged("inner")
    scene.victim().move_before(other.body.operations[0])
    other.operation.erase()
    refused(lambda: inner.name, RuntimeError)
    assert scene.tagged("outer").operation.name == "builtin.module"


@scenario
def moved_there_and_back(scene):
    other = ir.Module.parse("module { func.func private @last() }", scene.context)
    before = text(scene)
    victim = scene.victim()
    bystander = scene.tagged("bystander")
    inner = scene.tagged("inner")
    for _ in range(50):
        victim.move_before(other.body.operations[0])
        assert inner.operation.parent.operation.parent.operation is other.operation
        victim.move_after(bystander)
        assert inner.operation.parent.operation.parent.operation is scene.tagged("outer").operation
    assert text(scene) == before


@scenario
def detached_is_its_own_root(scene):
    victim = scene.victim().operation
    inner = scene.tagged("inner")
    victim.detach_from_parent()
    assert not victim.attached
    scene.module = None
    gc.collect()
    assert inner.operation.parent.operation is victim
    scene.reuse_addresses()
    assert "@victim" in str(victim)


@scenario
def detached_does_not_keep_the_rest(scene):
    victim = scene.victim().operation
    outer = weakref.ref(scene.tagged("outer").operation)
    victim.detach_from_parent()
    scene.module = None
    gc.collect()
    assert outer() is None


@scenario
def detached_user_of_what_stays(scene):
    user = scene.tagged("user").operation
    scene.body().operations[3].operation.erase()
    user.detach_from_parent()
    scene.module = None
    gc.collect()
    scene.reuse_addresses()
    assert user.name == "arith.muli" and len(user.operands) == 2
    assert [str(operand.type) for operand in user.operands] == ["i32", "i32"]


@scenario
def detached_definition_of_what_is_used(scene):
    inner = scene.tagged("inner").operation
    user = scene.tagged("user").operation
    inner.detach_from_parent()
    del inner
    gc.collect()
    scene.reuse_addresses()
    assert [str(operand.type) for operand in user.operands] == ["i32", "i32"]


@scenario
def detached_clone_uses_what_stays(scene):
    clone = scene.tagged("user").operation.clone(ip=False)
    scene.module = None
    gc.collect()
    scene.reuse_addresses()
    assert [str(operand.type) for operand in clone.operands] == ["i32", "i32"]


# Creation apart from insertion.


@scenario
def op_with_regions_and_blocks(scene):
    region = scene.context.new_region()
    block = new_block(scene, 1)
    region.blocks.append(block)
    op = new_op(scene, regions=[region], results=[i32(scene)])
    assert op.regions[0] == region and op.regions[0].blocks[0] == block
    assert block.owner.operation is op.operation
    del op, region
    gc.collect()
    assert block.owner.operation.name == "test.new"


@scenario
def block_inserted_by_number(scene):
    region = scene.context.new_region()
    blocks = [new_block(scene, count) for count in range(3)]
    region.blocks.append(blocks[1])
    region.blocks.insert(0, blocks[0])
    region.blocks.insert(2, blocks[2])
    assert [len(block.arguments) for block in region.blocks] == [0, 1, 2]


@scenario
def op_inserted_later(scene):
    op = new_op(scene)
    ir.InsertionPoint(scene.tagged("user")).insert(op)
    assert op.attached and op.parent.operation is scene.victim().operation
    assert "test.new" in text(scene)


@scenario
def inserting_an_attached_op(scene):
    before = text(scene)
    point = ir.InsertionPoint(scene.tagged("user"))
    op = scene.tagged("inner")
    refused(lambda: point.insert(op.operation))
    assert text(scene) == before


@scenario
def inserting_an_attached_block(scene):
    before = text(scene)
    region, block = scene.tagged("victim").regions[0], scene.body()
    apart = scene.context.new_region()
    for target in (region, apart):
        refused(lambda target=target: target.blocks.append(block))
        refused(lambda target=target: target.blocks.insert(0, block))
    assert len(apart.blocks) == 0
    assert text(scene) == before


@scenario
def giving_away_a_region_twice(scene):
    region = scene.context.new_region()
    op = new_op(scene, regions=[region])
    refused(lambda: new_op(scene, regions=[region]))
    assert len(op.regions) == 1 and op.regions[0] == region


@scenario
def giving_a_region_twice_at_once(scene):
    region = scene.context.new_region()
    refused(lambda: new_op(scene, regions=[region, region]))
    assert len(region.blocks) == 0
    assert len(new_op(scene, regions=[region]).regions) == 1


@scenario
def cycle_by_insertion(scene):
    region, block = scene.context.new_region(), scene.context.new_block([])
    region.blocks.append(block)
    op = new_op(scene, regions=[region])
    refused(lambda: ir.InsertionPoint(block).insert(op))
    assert not op.attached and len(block.operations) == 0


@scenario
def cycle_by_move(scene):
    before = text(scene)
    victim, inner = scene.victim(), scene.tagged("inner")
    refused(lambda: victim.move_before(inner))
    refused(lambda: victim.move_after(inner))
    refused(lambda: victim.move_before(victim))
    assert text(scene) == before


@scenario
def cycle_by_block(scene):
    outer, block = scene.tagged("outer"), scene.tagged("outer").regions[0].blocks[0]
    before = text(scene)
    region = scene.victim().regions[0]
    refused(lambda: block.append_to(region))
    assert text(scene) == before and outer.name == "builtin.module"


@scenario
def mixing_contexts(scene):
    other = Scene("function")
    before = text(scene), text(other)
    refused(lambda: scene.victim().move_before(other.victim()), ValueError, RuntimeError)
    point = ir.InsertionPoint(scene.tagged("user"))
    refused(lambda: point.insert(new_op(other)), ValueError, RuntimeError)
    refused(lambda: new_op(scene, results=[i32(other)]), ValueError, RuntimeError)
    operand = other.tagged("inner").results[0]
    refused(lambda: new_op(scene, operands=[operand]), ValueError, RuntimeError)
    block = other.context.new_block([])
    region = scene.context.new_region()
    refused(lambda: region.blocks.append(block), ValueError, RuntimeError)
    assert (text(scene), text(other)) == before
    other.end()


# Erasing.


@scenario
def erase_with_uses(scene):
    before = text(scene)
    inner = scene.tagged("inner")
    refused(inner.operation.erase, RuntimeError)
    assert text(scene) == before and inner.name == "arith.addi"
    assert len(list(inner.results[0].uses)) == 2


@scenario
def erase_argument_with_uses(scene):
    before = text(scene)
    block = scene.body()
    refused(lambda: block.erase_argument(0), RuntimeError, ValueError)
    refused(lambda: block.erase_argument(7), IndexError, ValueError, RuntimeError)
    assert text(scene) == before


@scenario
def erase_target_of_a_branch(scene):
    refused(scene.tagged("inner").operation.erase, RuntimeError)
    scene.victim().operation.erase()
    scene.gone()


@scenario
def erase_twice(scene):
    victim = scene.victim().operation
    victim.erase()
    refused(victim.erase, RuntimeError)


@scenario
def erase_in_any_order_of_uses(scene):
    user, inner = scene.tagged("user").operation, scene.tagged("inner").operation
    scene.body().operations[3].operation.erase()
    user.erase()
    assert len(list(inner.results[0].uses)) == 0
    inner.erase()
    refused(lambda: user.name, RuntimeError)


@scenario
def arguments_after_an_erased_one_move_up(scene):
    block = new_block(scene, 4)
    first, second, third, last = list(block.arguments)
    block.erase_argument(1)
    assert [it.arg_number for it in (first, third, last)] == [0, 1, 2]
    assert block.arguments[1] is third
    refused(lambda: second.type, RuntimeError)
    added = block.add_argument(i32(scene), scene.here())
    assert added is block.arguments[3]
    refused(lambda: second.type, RuntimeError)


@scenario
def while_an_iterator_is_under_way(scene):
    seen = []
    for op in scene.tagged("outer").regions[0].blocks[0]:
        seen.append(op.operation.name)
        op.operation.erase()
    assert seen == ["func.func", "func.func"]


@scenario
def a_pass_leaves_survivors_usable(scene):
    from .subject import passmanager

    bystander, outer = scene.tagged("bystander"), scene.tagged("outer")
    victim = scene.victim()
    with scene.context:
        passmanager.PassManager.parse("builtin.module(canonicalize,cse)").run(
            scene.module.operation
        )
    assert bystander.operation.name == "func.func" and "@victim" in str(victim)
    assert bystander.parent.operation is outer.operation


@scenario
def many_at_one_address(scene):
    dead = []
    template = scene.victim().operation
    for _ in range(300):
        copy = template.clone(ip=False)
        dead += [copy, copy.regions[0], copy.regions[0].blocks[0]]
        dead += [copy.regions[0].blocks[0].arguments[0]]
        copy.erase()
    alive = template.clone(ip=False)
    for thing in dead:
        refused(lambda thing=thing: str(thing) if hasattr(thing, "type") else first(thing))
    assert alive.operation.name == "func.func"


def first(thing):
    """A use of an operation, region or block that looks at it."""
    if isinstance(thing, ir.Region):
        return len(thing.blocks)
    return str(thing)


def fresh_function(scene):
    """The victim in a module of its own."""
    return find(ir.Module.parse(FUNCTION, scene.context).operation, "victim").operation
