"""Probes: uses of an object, by its kind. Each returns a value that can be compared and keeps no
reference to the object."""

from collections.abc import Callable

from .package import ir


def name_of(owner) -> str:
    """The name of the operation that owns a value, or whose block does."""
    return (owner.owner if isinstance(owner, ir.Block) else owner).operation.name


def text_of(item) -> str:
    """Something that tells an element of a sequence from others."""
    if isinstance(item, ir.Value):
        return str(item.type)
    if isinstance(item, ir.Region):
        return f"a region of {len(item.blocks)}"
    if isinstance(item, ir.Operation | ir.OpView):
        return item.operation.name
    if isinstance(item, ir.Block):
        return f"a block of {len(item.operations)}"
    if isinstance(item, ir.OpOperand):
        return f"use {item.operand_number}"
    return str(item)


def walked(op) -> int:
    """The number of operations that a walk visits."""
    count = 0

    def visit(_op):
        nonlocal count
        count += 1
        return ir.WalkResult.ADVANCE

    op.walk(visit)
    return count


OPERATION = {
    "name": lambda op: op.operation.name,
    "str": lambda op: str(op).split(),
    "tag": lambda op: str(op.attributes["t.tag"]),
    "attributes": lambda op: len(op.attributes),
    "regions": lambda op: len(op.regions),
    "results": lambda op: [str(result.type) for result in op.results],
    "operands": lambda op: len(op.operation.operands),
    "successors": lambda op: len(op.operation.successors),
    "verify": lambda op: op.operation.verify(),
    "get_asm": lambda op: op.operation.get_asm(print_generic_op_form=True).split(),
    "location": lambda op: str(op.location) != "",
    "walk": lambda op: walked(op.operation),
    "opview": lambda op: op.operation.opview.operation.name,
    "clone": lambda op: op.operation.clone(ip=False).operation.name,
}
VALUE = {
    "str": lambda value: str(value),
    "type": lambda value: str(value.type),
    "owner": lambda value: name_of(value.owner),
    "uses": lambda value: len(list(value.uses)),
    "get_name": lambda value: value.get_name(),
}
SEQUENCE = {
    "len": lambda items: len(items),
    "list": lambda items: [text_of(item) for item in items],
    "first": lambda items: text_of(items[0]),
    "last": lambda items: text_of(items[-1]),
}
BLOCK = {
    "str": lambda block: str(block).split(),
    "operations": lambda block: [op.operation.name for op in block.operations],
    "arguments": lambda block: [str(argument.type) for argument in block.arguments],
    "owner": lambda block: block.owner.operation.name,
    "region": lambda block: len(block.region.blocks),
    "successors": lambda block: len(list(block.successors)),
    "iterate": lambda block: len(list(block)),
}
REGION = {
    "blocks": lambda region: len(region.blocks),
    "owner": lambda region: region.owner.operation.name,
    "iterate": lambda region: [len(list(block)) for block in region],
}
MAP = {
    "len": lambda items: len(items),
    "in": lambda items: "t.tag" in items,
    "item": lambda items: str(items["t.tag"]),
    "keys": lambda items: sorted(items.keys()),
    "values": lambda items: sorted(str(value) for value in items.values()),
    "set": lambda items: items.__setitem__("t.tag", items["t.tag"]),
}
UNIQUE = {
    "str": lambda thing: str(thing),
    "equal": lambda thing: thing == thing,
    "context": lambda thing: thing.context is not None,
}


def create_in(point) -> str:
    """Makes an operation at an insertion point, and takes it away again."""
    location = ir.Location.unknown(point.block.region.owner.operation.context)
    try:
        made = ir.Operation.create("test.made", ip=point, loc=location)
    except IndexError:
        return "behind a terminator"
    name = made.name
    made.erase()
    return name


def create_here() -> str:
    """Makes an operation at the current insertion point, and takes it away again."""
    point = ir.InsertionPoint.current
    location = ir.Location.unknown(point.block.region.owner.operation.context)
    try:
        made = ir.Operation.create("test.made", loc=location)
    except IndexError:
        return "behind a terminator"
    name = made.name
    made.erase()
    return name


def asm_of_stranger(state) -> str:
    """The name that another tree's AsmState gives to a value made after the invalidating action."""
    context = ir.Context()
    context.allow_unregistered_dialects = True
    with context, ir.Location.unknown():
        made = ir.Operation.create("test.made", results=[ir.IntegerType.get_signless(8)])
        name = made.results[0].get_name(state)
    if "UNKNOWN" not in name:
        raise AssertionError(f"the state knows a stranger as {name}")
    return "unknown"


POINT = {
    "block": lambda point: point.block.owner.operation.name,
    "create": create_in,
}

# By the kinds of getters.py.
PROBES: dict[str, dict[str, Callable[[object], object]]] = {
    "operation": OPERATION,
    "value": VALUE,
    "sequence": SEQUENCE,
    "block": BLOCK,
    "region": REGION,
    "attribute_map": MAP,
    "unique": UNIQUE,
    "insertion_point": POINT,
    "current_insertion_point": POINT | {"create": lambda _point: create_here()},
    "iterator": {"next": lambda iterator: text_of(next(iterator, "the end"))},
    "use": {
        "owner": lambda use: use.owner.operation.name,
        "number": lambda use: use.operand_number,
    },
    "asm_state": {"stranger": asm_of_stranger},
    "symbol_table": {
        "item": lambda table: table["victim"].operation.name,
        "bystander": lambda table: table["bystander"].operation.name,
    },
    "module": {
        "name": lambda module: module.operation.name,
        "body": lambda module: len(list(module.body)) >= 0,
        "context": lambda module: module.context is not None,
    },
    "rewriter": {"ip": lambda rewriter: rewriter.ip.block is not None},
    "diagnostic": {
        "message": lambda diagnostic: diagnostic.message,
        "location": lambda diagnostic: str(diagnostic.location),
    },
}
