"""Things that programs nest without end: an error, before MLIR follows them by recursion."""

import pytest

PROGRAM = """
import sys
from mlir.ir import *
from mlir.dialects import builtin

def deep(grow, start):
    try:
        for count in range(100_000):
            start = grow(start)
    except ValueError as error:
        print(count, error)
    return start

def inside(operation):
    return operation.regions[0].blocks[0]

def holder(ip=None):
    operation = Operation.create("t.a", regions=1, ip=ip)
    operation.regions[0].blocks.append()
    return operation

def holder_of(operation):
    outer = holder(False)
    inside(outer).append(operation)
    return outer

def moved(operation):
    # Each step appends a chain of two levels to the end of the existing chain.
    block = inside(operation)
    while len(block.operations):
        block = inside(block.operations[0])
    block.append(holder_of(holder(False)))
    return operation

def of_region(operation):
    region = context.new_region()
    block = context.new_block()
    region.blocks.append(block)
    block.append(operation)
    return context.new_op("t.a", results=[], regions=[region], loc=here).operation

def of_block(operation):
    block = context.new_block()
    block.append(operation)
    outer = Operation.create("t.a", regions=1)
    block.append_to(outer.regions[0])
    return outer

def clones(operation):
    copy = operation.clone(ip=False)
    innermost = inside(copy)
    while len(innermost.operations):
        innermost = inside(innermost.operations[0])
    operation.clone(ip=InsertionPoint(innermost))
    return copy

with Context() as context, Location.unknown() as here:
    context.allow_unregistered_dialects = True
    i8, d0, s0 = IntegerType.get_signless(8), AffineDimExpr.get(0), AffineSymbolExpr.get(0)
    grow, start = eval(sys.argv[1])
    made = deep(grow, start)
    # What there is can be used in all ways.
    if isinstance(made, OpView | Operation):
        made.verify()
        copy = made.clone(ip=False)
        made.walk(lambda it: WalkResult.ADVANCE)
        made.get_asm(print_generic_op_form=True)
        del copy
    else:
        str(made), hash(made)
        assert made == made
"""

TOO_DEEP = "nests deeper than 3000 levels"
REGIONS = "regions nest deeper than 1000 levels"

CASES = {
    "a tuple": ("lambda it: TupleType.get_tuple([it]), i8", TOO_DEEP),
    "a function type": ("lambda it: FunctionType.get([it], []), i8", TOO_DEEP),
    "an array": ("lambda it: ArrayAttr.get([it]), UnitAttr.get()", TOO_DEEP),
    "a dictionary": ("lambda it: DictAttr.get({'a': it}), UnitAttr.get()", TOO_DEEP),
    "a type in an attribute": (
        "lambda it: TupleType.get_tuple([ArrayAttr.get([TypeAttr.get(it)])[0].value]), i8",
        TOO_DEEP,
    ),
    "a name": ("lambda it: Location.name('a', it), here", TOO_DEEP),
    "a call": ("lambda it: Location.callsite(Location.file('a', 1, 1), [it]), here", TOO_DEEP),
    "frames": (
        "lambda it: Location.callsite(it, [Location.file('a', i, 1) for i in range(9000)]), here",
        TOO_DEEP,
    ),
    "fused": (
        "lambda it: Location.fused([Location.name('a', it)], UnitAttr.get()), Location.name('a')",
        TOO_DEEP,
    ),
    "a sum": ("lambda it: (it + d0) * s0, d0", TOO_DEEP),
    "a quotient": ("lambda it: AffineExpr.get_floor_div(it + 1, 3), d0", TOO_DEEP),
    "from the outside in": ("lambda it: holder(InsertionPoint(inside(it))), holder()", REGIONS),
    "from the inside out": ("holder_of, holder()", REGIONS),
    "at the end": ("moved, holder()", REGIONS),
    "with a region": ("of_region, holder()", REGIONS),
    "with a block": ("of_block, holder()", REGIONS),
    "of copies": ("clones, holder()", REGIONS),
}


@pytest.mark.parametrize("name", CASES)
def test_depth_has_a_limit(attack, name):
    program, message = CASES[name]
    outcome = attack(PROGRAM, program, seconds=30)
    assert (outcome.status, outcome.errors) == (0, "")
    assert message in outcome.output


WIDE = """
from mlir.ir import *

with Context() as context:
    all = ArrayAttr.get([IntegerAttr.get(IntegerType.get_signless(32), i) for i in range(100_000)])
    # Each of these has all the others in it.
    for _ in range(2900):
        all = ArrayAttr.get([all, UnitAttr.get()])
    print(len(all))
"""


def test_a_part_is_gone_through_once(attack):
    outcome = attack(WIDE, seconds=20)
    assert (outcome.status, outcome.output) == (0, "2\n"), outcome.errors


DOUBLED = """
from mlir.ir import *

with Context() as context:
    doubled = UnitAttr.get()
    try:
        for levels in range(100):
            doubled = ArrayAttr.get([doubled, doubled])
    except ValueError as error:
        print(levels, error)
"""


def test_what_is_too_much_to_print_is_refused(attack):
    outcome = attack(DOUBLED, seconds=20)
    expected = "27 the attribute nests deeper than 3000 levels, or has more than 2^28 parts\n"
    assert (outcome.status, outcome.output) == (0, expected), outcome.errors


OUTER_FIRST = """
from mlir.ir import *
from mlir.dialects import llvm

with Context() as context:
    i8 = IntegerType.get_signless(8)
    # The number of structures has no limit.
    for count in range(10_000):
        llvm.StructType.get_identified(f"flat{count}").set_body([i8, i8])
    first = outer = llvm.StructType.get_identified("s")
    count = 0
    try:
        for count in range(100_000):
            inner = llvm.StructType.get_identified(f"s{count}")
            outer.set_body([inner, inner] if count == 5 else [inner])
            outer = inner
    except ValueError as error:
        print(count, error)
    str(first), first == outer, hash(first)
"""


def test_structures_that_get_their_elements_from_the_outside_in(attack):
    outcome = attack(OUTER_FIRST, seconds=30)
    assert (outcome.status, outcome.errors) == (0, "")
    count, message = outcome.output.split(" ", 1)
    assert 2900 < int(count) < 3000 and TOO_DEEP in message
