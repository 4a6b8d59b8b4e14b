"""The timed items, on one package. ``python items.py ROOT [OPERATIONS [RUNS]]`` answers requests
on its standard input: a line with an item's name gets a line with the seconds and the number of
things done. The module that they are timed on has that many operations, and what is timed runs so
many times, without what prepares it: the difference of two such counts is the work of one run."""

import gc
import importlib
import itertools
import json
import os
import sys
import time

ROOT = sys.argv[1]
ir = importlib.import_module(f"{ROOT}.ir")
passmanager = importlib.import_module(f"{ROOT}.passmanager")
arith = importlib.import_module(f"{ROOT}.dialects.arith")

OPERATIONS = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
SHARE = 1_000
RUNS = int(sys.argv[3]) if len(sys.argv) > 3 else 1

context = ir.Context()
context.allow_unregistered_dialects = True
location = ir.Location.unknown(context)
context.__enter__()
location.__enter__()


def text(operations: int) -> str:
    """A module of functions of twenty operations, most of which fold or repeat."""
    lines = []
    for number in range(operations // 20):
        lines += [
            f"func.func @f{number}(%x: i32, %y: i32) -> i32 {{",
            "  %c = arith.constant 1 : i32",
        ]
        last = "%c"
        for at in range(17):
            kind = ("addi", "muli", "subi")[at % 3]
            lines.append(f"  %v{at} = arith.{kind} {last}, {'%x' if at % 2 else '%y'} : i32")
            last = f"%v{at}" if at % 4 else "%x"
        lines += [f"  return {last} : i32", "}"]
    return "\n".join(lines)


TEXT = text(OPERATIONS)
module = ir.Module.parse(TEXT)
functions = [op.operation for op in module.body.operations][:SHARE]
blocks = [function.regions[0].blocks[0] for function in functions]
operations = [op.operation for block in blocks for op in block.operations]
adds = [op for op in operations if op.name == "arith.addi"]
values = [op.results[0] for op in adds]
i32 = ir.IntegerType.get_signless(32)
notes = [ir.StringAttr.get("note"), ir.StringAttr.get("another note")]
ITEMS = {}


def item(function):
    """Enters an item, which returns the seconds and how many things were done."""
    ITEMS[function.__name__] = function
    return function


def timed(work) -> float:
    """The seconds that ``work`` takes; the collector keeps out of it."""
    gc.disable()
    start = time.perf_counter()
    for _ in range(RUNS):
        work()
    seconds = time.perf_counter() - start
    gc.enable()
    return seconds


def each(name: str, things, statement: str, **names):
    """Times the statement for each of the things, which it calls ``name``."""
    return timed(loop(f"for {name} in things", statement, things=things, **names)), len(things)


def times(count: int, statement: str, **names):
    """Times the statement so many times."""
    # An iterator of its own for each run: one that all share is at its end after the first.
    names |= {"repeat": itertools.repeat, "count": count}
    return timed(loop("for _ in repeat(None, count)", statement, **names)), count


def loop(head: str, statement: str, **names):
    """A function that does the statement in a loop and nothing else: calling a function for each
    would take as long as much of what is timed here. All names are the function's own."""
    parameters = ", ".join(f"{name}={name}" for name in names)
    made = {}
    exec(f"def work({parameters}):\n {head}:\n  {statement}", names, made)
    return made["work"]


@item
def parse():
    kept = []
    return timed(lambda: kept.append(ir.Module.parse(TEXT))), 1


@item
def print_():
    return timed(lambda: str(module)), 1


@item
def iterate_first_time():
    fresh = ir.Module.parse(TEXT)

    def work():
        for function in fresh.body.operations:
            for op in function.regions[0].blocks[0].operations:
                op  # noqa: B018

    return timed(work), OPERATIONS


@item
def iterate_and_destroy():
    """With all that the objects cost, whenever their memory goes."""
    held = [ir.Module.parse(TEXT)]

    def work():
        for function in held[0].body.operations:
            for op in function.regions[0].blocks[0].operations:
                op  # noqa: B018
        del function, op
        held.clear()

    return timed(work), OPERATIONS


@item
def iterate_again():
    def work():
        for block in blocks:
            for op in block.operations:
                op  # noqa: B018

    return timed(work), len(operations)


@item
def op_name():
    return each("op", operations, "op.name")


@item
def operands():
    return each("op", adds, "op.operands[0], op.operands[1]")


@item
def result_types():
    return each("op", adds, "op.results[0].type")


@item
def owner():
    return each("value", values, "value.owner")


@item
def parent():
    return each("op", operations, "op.parent")


@item
def attribute_set():
    # Another one than each operation has: else there would be nothing to do.
    notes.reverse()
    return each("op", adds, "op.attributes['note'] = note", note=notes[0])


@item
def attribute_get():
    for op in adds:
        op.attributes["note"] = notes[0]
    return each("op", adds, "op.attributes['note']")


@item
def location_of():
    return each("op", operations, "op.location")


@item
def walk_with_callback():
    advance = ir.WalkResult.ADVANCE
    return timed(lambda: module.operation.walk(lambda _op: advance)), OPERATIONS


@item
def uses():
    return each("value", values, "list(value.uses)")


@item
def refetch():
    return times(20_000, "block.operations[0]", block=blocks[0])


@item
def build_op_view():
    made = ir.Module.create()
    value = arith.ConstantOp(i32, 1, ip=ir.InsertionPoint(made.body)).result
    with ir.InsertionPoint(made.body):
        return times(10_000, "add(value, value)", add=arith.AddIOp, value=value)


@item
def build_generically():
    made = ir.Module.create()
    value = arith.ConstantOp(i32, 1, ip=ir.InsertionPoint(made.body)).result
    statement = "create('arith.addi', results=[i32], operands=[value, value])"
    with ir.InsertionPoint(made.body):
        return times(10_000, statement, create=ir.Operation.create, i32=i32, value=value)


@item
def integer_type_get():
    return times(20_000, "get(32)", get=ir.IntegerType.get_signless)


@item
def ranked_tensor_type_get():
    return times(20_000, "get([2, 3], i32)", get=ir.RankedTensorType.get, i32=i32)


@item
def integer_attr_get():
    return times(20_000, "get(i32, 7)", get=ir.IntegerAttr.get, i32=i32)


@item
def isinstance_and_equal():
    statement = "isinstance(value.type, kind) and value.type == other"
    return each("value", values, statement, kind=ir.IntegerType, other=values[0].type)


@item
def verify():
    return timed(lambda: module.operation.verify()), 1


@item
def clone():
    kept = []
    seconds = timed(lambda: kept.append(module.operation.clone()))
    return seconds, 1


@item
def destroy():
    held = [ir.Module.parse(TEXT)]
    gc.collect()
    return timed(held.clear), 1


@item
def canonicalize_and_cse():
    fresh = ir.Module.parse(TEXT)
    manager = passmanager.PassManager.parse("builtin.module(func.func(canonicalize,cse))")
    return timed(lambda: manager.run(fresh.operation)), 1


def main() -> None:
    """Answers requests until there are no more."""
    print(json.dumps(list(ITEMS)), flush=True)
    for line in sys.stdin:
        print(json.dumps(ITEMS[line.strip()]()), flush=True)
    # Upstream's bindings abort where the interpreter ends while a context is entered.
    os._exit(0)


main()
