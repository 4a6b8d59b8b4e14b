"""Scenarios about ownership, each written by hand: what keeps what alive, and what is refused."""

import gc
import weakref
from collections.abc import Callable

from .fixture import FUNCTION, Fixture, find
from .package import ir

SCENARIOS: dict[str, Callable[[Fixture], None]] = {}


def scenario(function):
    """Enters a function into ``SCENARIOS``, under its name."""
    SCENARIOS[function.__name__] = function
    return function


def play(name: str) -> None:
    """Plays one scenario, and makes sure that nothing is left of it."""
    fixture = Fixture("function")
    SCENARIOS[name](fixture)
    fixture.end()
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


def text(fixture) -> str:
    """All of the IR."""
    return fixture.module.operation.get_asm(print_generic_op_form=True)


def new_op(fixture, name="test.new", **parts):
    """An operation without a place."""
    return fixture.context.new_op(name, loc=fixture.here(), **({"results": []} | parts))


def new_block(fixture, count):
    """A block without a place, with arguments."""
    return fixture.context.new_block([i32(fixture)] * count, [fixture.here()] * count)


def i32(fixture):
    """A type."""
    return ir.IntegerType.get_signless(32, fixture.context)


# Keeping alive.


@scenario
def child_keeps_all_ancestors(fixture):
    inner = fixture.tagged("inner")
    fixture.drop()
    chain = []
    op = inner.operation
    while op is not None:
        chain.append(op.name)
        op = op.parent and op.parent.operation
    assert chain == ["arith.addi", "func.func", "builtin.module", "builtin.module"]
    assert ir.Context._get_live_count() == 1


@scenario
def type_keeps_context(fixture):
    kept = i32(fixture)
    fixture.drop()
    assert str(kept) == "i32" and kept.context is not None


@scenario
def new_op_keeps_context(fixture):
    op = new_op(fixture)
    fixture.drop()
    assert op.name == "test.new" and op.context is not None and not op.attached


@scenario
def new_block_keeps_context(fixture):
    block = new_block(fixture, 1)
    fixture.drop()
    assert len(block.arguments) == 1 and str(block.arguments[0].type) == "i32"


@scenario
def new_region_keeps_context(fixture):
    region = fixture.context.new_region()
    fixture.drop()
    assert len(region.blocks) == 0


@scenario
def argument_of_new_block_keeps_it(fixture):
    argument = new_block(fixture, 1).arguments[0]
    fixture.drop()
    assert str(argument.type) == "i32" and argument.arg_number == 0


@scenario
def tree_is_freed_with_its_last_holder(fixture):
    watch = weakref.ref(fixture.module)
    inner = fixture.tagged("inner")
    fixture.module = None
    gc.collect()
    assert inner.name == "arith.addi"
    del inner
    gc.collect()
    assert watch() is None


@scenario
def orders_of_dropping(fixture):
    from itertools import permutations

    for order in permutations(range(5)):
        other = Fixture("function")
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
def moved_subtree_keeps_new_tree(fixture):
    other = ir.Module.parse("module { func.func private @last() }", fixture.context)
    victim = fixture.victim()
    inner = fixture.tagged("inner")
    victim.move_before(other.body.operations[0])
    del victim
    del other
    fixture.module = None
    gc.collect()
    root = inner.operation.parent.operation.parent.operation
    assert root.name == "builtin.module" and root.parent is None
    assert [op.operation.name for op in root.regions[0].blocks[0].operations] == ["func.func"] * 2


@scenario
def moved_subtree_leaves_old_tree(fixture):
    other = ir.Module.parse("module { func.func private @last() }", fixture.context)
    old = weakref.ref(fixture.module)
    victim = fixture.victim()
    victim.move_before(other.body.operations[0])
    fixture.module = None
    gc.collect()
    assert old() is None, "the old tree lives on"
    assert victim.parent.operation is other.operation


@scenario
def old_tree_outlives_new(fixture):
    other = ir.Module.parse("module { func.func private @last() }", fixture.context)
    inner = fixture.tagged("inner")
    fixture.victim().move_before(other.body.operations[0])
    other.operation.erase()
    refused(lambda: inner.name, RuntimeError)
    assert fixture.tagged("outer").operation.name == "builtin.module"


@scenario
def moved_there_and_back(fixture):
    other = ir.Module.parse("module { func.func private @last() }", fixture.context)
    before = text(fixture)
    victim = fixture.victim()
    bystander = fixture.tagged("bystander")
    inner = fixture.tagged("inner")
    for _ in range(50):
        victim.move_before(other.body.operations[0])
        assert inner.operation.parent.operation.parent.operation is other.operation
        victim.move_after(bystander)
        assert (
            inner.operation.parent.operation.parent.operation is fixture.tagged("outer").operation
        )
    assert text(fixture) == before


@scenario
def detached_is_its_own_root(fixture):
    victim = fixture.victim().operation
    inner = fixture.tagged("inner")
    victim.detach_from_parent()
    assert not victim.attached
    fixture.module = None
    gc.collect()
    assert inner.operation.parent.operation is victim
    fixture.reuse_addresses()
    assert "@victim" in str(victim)


@scenario
def detached_does_not_keep_the_rest(fixture):
    victim = fixture.victim().operation
    outer = weakref.ref(fixture.tagged("outer").operation)
    victim.detach_from_parent()
    fixture.module = None
    gc.collect()
    assert outer() is None


@scenario
def detached_user_of_what_stays(fixture):
    user = fixture.tagged("user").operation
    fixture.body().operations[3].operation.erase()
    user.detach_from_parent()
    fixture.module = None
    gc.collect()
    fixture.reuse_addresses()
    assert user.name == "arith.muli" and len(user.operands) == 2
    assert [str(operand.type) for operand in user.operands] == ["i32", "i32"]


@scenario
def detached_definition_of_what_is_used(fixture):
    inner = fixture.tagged("inner").operation
    user = fixture.tagged("user").operation
    inner.detach_from_parent()
    del inner
    gc.collect()
    fixture.reuse_addresses()
    assert [str(operand.type) for operand in user.operands] == ["i32", "i32"]


@scenario
def detached_clone_uses_what_stays(fixture):
    clone = fixture.tagged("user").operation.clone(ip=False)
    fixture.module = None
    gc.collect()
    fixture.reuse_addresses()
    assert [str(operand.type) for operand in clone.operands] == ["i32", "i32"]


# Creation apart from insertion.


@scenario
def op_with_regions_and_blocks(fixture):
    region = fixture.context.new_region()
    block = new_block(fixture, 1)
    region.blocks.append(block)
    op = new_op(fixture, regions=[region], results=[i32(fixture)])
    assert op.regions[0] == region and op.regions[0].blocks[0] == block
    assert block.owner.operation is op.operation
    del op, region
    gc.collect()
    assert block.owner.operation.name == "test.new"


@scenario
def block_inserted_by_number(fixture):
    region = fixture.context.new_region()
    blocks = [new_block(fixture, count) for count in range(3)]
    region.blocks.append(blocks[1])
    region.blocks.insert(0, blocks[0])
    region.blocks.insert(2, blocks[2])
    assert [len(block.arguments) for block in region.blocks] == [0, 1, 2]


@scenario
def op_inserted_later(fixture):
    op = new_op(fixture)
    ir.InsertionPoint(fixture.tagged("user")).insert(op)
    assert op.attached and op.parent.operation is fixture.victim().operation
    assert "test.new" in text(fixture)


@scenario
def inserting_an_attached_op(fixture):
    before = text(fixture)
    point = ir.InsertionPoint(fixture.tagged("user"))
    op = fixture.tagged("inner")
    refused(lambda: point.insert(op.operation))
    assert text(fixture) == before


@scenario
def inserting_an_attached_block(fixture):
    before = text(fixture)
    region, block = fixture.tagged("victim").regions[0], fixture.body()
    apart = fixture.context.new_region()
    for target in (region, apart):
        refused(lambda target=target: target.blocks.append(block))
        refused(lambda target=target: target.blocks.insert(0, block))
    assert len(apart.blocks) == 0
    assert text(fixture) == before


@scenario
def giving_away_a_region_twice(fixture):
    region = fixture.context.new_region()
    op = new_op(fixture, regions=[region])
    refused(lambda: new_op(fixture, regions=[region]))
    assert len(op.regions) == 1 and op.regions[0] == region


@scenario
def giving_a_region_twice_at_once(fixture):
    region = fixture.context.new_region()
    refused(lambda: new_op(fixture, regions=[region, region]))
    assert len(region.blocks) == 0
    assert len(new_op(fixture, regions=[region]).regions) == 1


@scenario
def cycle_by_insertion(fixture):
    region, block = fixture.context.new_region(), fixture.context.new_block([])
    region.blocks.append(block)
    op = new_op(fixture, regions=[region])
    refused(lambda: ir.InsertionPoint(block).insert(op))
    assert not op.attached and len(block.operations) == 0


@scenario
def cycle_by_move(fixture):
    before = text(fixture)
    victim, inner = fixture.victim(), fixture.tagged("inner")
    refused(lambda: victim.move_before(inner))
    refused(lambda: victim.move_after(inner))
    refused(lambda: victim.move_before(victim))
    assert text(fixture) == before


@scenario
def cycle_by_block(fixture):
    outer, block = fixture.tagged("outer"), fixture.tagged("outer").regions[0].blocks[0]
    before = text(fixture)
    region = fixture.victim().regions[0]
    refused(lambda: block.append_to(region))
    assert text(fixture) == before and outer.name == "builtin.module"


@scenario
def mixing_contexts(fixture):
    other = Fixture("function")
    before = text(fixture), text(other)
    refused(lambda: fixture.victim().move_before(other.victim()), ValueError, RuntimeError)
    point = ir.InsertionPoint(fixture.tagged("user"))
    refused(lambda: point.insert(new_op(other)), ValueError, RuntimeError)
    refused(lambda: new_op(fixture, results=[i32(other)]), ValueError, RuntimeError)
    operand = other.tagged("inner").results[0]
    refused(lambda: new_op(fixture, operands=[operand]), ValueError, RuntimeError)
    block = other.context.new_block([])
    region = fixture.context.new_region()
    refused(lambda: region.blocks.append(block), ValueError, RuntimeError)
    assert (text(fixture), text(other)) == before
    other.end()


# Erasing.


@scenario
def erase_with_uses(fixture):
    before = text(fixture)
    inner = fixture.tagged("inner")
    refused(inner.operation.erase, RuntimeError)
    assert text(fixture) == before and inner.name == "arith.addi"
    assert len(list(inner.results[0].uses)) == 2


@scenario
def erase_argument_with_uses(fixture):
    before = text(fixture)
    block = fixture.body()
    refused(lambda: block.erase_argument(0), RuntimeError, ValueError)
    refused(lambda: block.erase_argument(7), IndexError, ValueError, RuntimeError)
    assert text(fixture) == before


@scenario
def erase_target_of_a_branch(fixture):
    refused(fixture.tagged("inner").operation.erase, RuntimeError)
    fixture.victim().operation.erase()
    fixture.gone()


@scenario
def erase_twice(fixture):
    victim = fixture.victim().operation
    victim.erase()
    refused(victim.erase, RuntimeError)


@scenario
def erase_in_any_order_of_uses(fixture):
    user, inner = fixture.tagged("user").operation, fixture.tagged("inner").operation
    fixture.body().operations[3].operation.erase()
    user.erase()
    assert len(list(inner.results[0].uses)) == 0
    inner.erase()
    refused(lambda: user.name, RuntimeError)


@scenario
def arguments_after_an_erased_one_move_up(fixture):
    block = new_block(fixture, 4)
    first, second, third, last = list(block.arguments)
    block.erase_argument(1)
    assert [it.arg_number for it in (first, third, last)] == [0, 1, 2]
    assert block.arguments[1] is third
    refused(lambda: second.type, RuntimeError)
    added = block.add_argument(i32(fixture), fixture.here())
    assert added is block.arguments[3]
    refused(lambda: second.type, RuntimeError)


@scenario
def while_an_iterator_is_under_way(fixture):
    seen = []
    for op in fixture.tagged("outer").regions[0].blocks[0]:
        seen.append(op.operation.name)
        op.operation.erase()
    assert seen == ["func.func", "func.func"]


@scenario
def a_pass_leaves_survivors_usable(fixture):
    from .package import passmanager

    bystander, outer = fixture.tagged("bystander"), fixture.tagged("outer")
    victim = fixture.victim()
    with fixture.context:
        passmanager.PassManager.parse("builtin.module(canonicalize,cse)").run(
            fixture.module.operation
        )
    assert bystander.operation.name == "func.func" and "@victim" in str(victim)
    assert bystander.parent.operation is outer.operation


@scenario
def many_at_one_address(fixture):
    dead = []
    template = fixture.victim().operation
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


def fresh_function(fixture):
    """The victim in a module of its own."""
    return find(ir.Module.parse(FUNCTION, fixture.context).operation, "victim").operation
