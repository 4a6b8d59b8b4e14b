"""Getters: ways to get an object from Python. Each is a function from a fixture to the object.

``anchor`` says which part of the IR the object depends on, and ``kind`` how it is used afterwards
(see ``probes``)."""

from collections.abc import Callable
from dataclasses import dataclass

from .fixture import Fixture, tag_of
from .package import ir, passmanager


@dataclass(frozen=True)
class Getter:
    """A way to get an object."""

    name: str
    anchor: str
    kind: str
    get: Callable[[Fixture], object]


GETTERS: dict[str, Getter] = {}


def getter(anchor: str, kind: str):
    """Enters a function into ``GETTERS``, under its name."""

    def enter(function):
        name = function.__name__
        assert name not in GETTERS
        GETTERS[name] = Getter(name, anchor, kind, function)
        return function

    return enter


def take_place(fixture: Fixture, new) -> object:
    """Makes ``new`` the victim, in place of the old one."""
    old = fixture.victim()
    new.move_before(old)
    old.operation.erase()
    return new


# The victim itself.


@getter("victim", "operation")
def parse(fixture):
    old = fixture.victim()
    text = str(old)
    return take_place(fixture, ir.Operation.parse(text, context=fixture.context))


@getter("victim", "operation")
def create(fixture):
    old = fixture.victim()
    new = ir.Operation.create(
        old.operation.name,
        results=[result.type for result in old.results],
        operands=list(old.operands),
        attributes={name: old.attributes[name] for name in old.attributes},
        regions=1,
        loc=fixture.here(),
    )
    fixture.body().append_to(new.regions[0])
    return take_place(fixture, new)


@getter("victim", "operation")
def create_unplaced(fixture):
    old = fixture.victim()
    region = fixture.context.new_region()
    new = fixture.context.new_op(
        old.operation.name,
        results=[result.type for result in old.results],
        operands=list(old.operands),
        attributes={name: old.attributes[name] for name in old.attributes},
        regions=[region],
        loc=fixture.here(),
    )
    fixture.body().append_to(region)
    return take_place(fixture, new)


@getter("victim", "operation")
def clone(fixture):
    old = fixture.victim()
    new = old.operation.clone(ip=ir.InsertionPoint(old))
    old.operation.erase()
    return new


@getter("victim", "operation")
def walk(fixture):
    found = []

    def visit(op):
        if tag_of(op) == "victim":
            found.append(op)
        return ir.WalkResult.ADVANCE

    fixture.module.operation.walk(visit)
    return found[0]


@getter("victim", "operation")
def iterate(fixture):
    return next(op for op in fixture.victim().operation.block if tag_of(op) == "victim")


@getter("victim", "operation")
def index(fixture):
    operations = fixture.victim().operation.block.operations
    return next(operations[i] for i in range(len(operations)) if tag_of(operations[i]) == "victim")


@getter("victim", "operation")
def view(fixture):
    return fixture.victim().operation.opview


@getter("victim", "operation")
def operation_of_view(fixture):
    return fixture.victim().operation


@getter("victim", "operation")
def parent(fixture):
    return fixture.tagged("inner").parent


@getter("victim", "operation")
def block_owner(fixture):
    return fixture.body().owner


@getter("victim", "operation")
def region_owner(fixture):
    return fixture.victim().regions[0].owner


@getter("victim", "operation")
def capsule(fixture):
    return ir.Operation._CAPICreate(fixture.victim().operation._CAPIPtr)


@getter("victim", "operation")
def symbol(fixture):
    return ir.SymbolTable(fixture.tagged("outer"))["victim"]


@getter("victim", "operation")
def pass_callback(fixture):
    found = []

    def run(op, _pass):
        found.append(op)

    manager = passmanager.PassManager("any", context=fixture.context)
    manager.add(run)
    owner = fixture.victim().operation
    if fixture.is_function:
        manager.run(owner)
        return found[0]
    manager.run(owner.parent)
    return found[0].regions[0].blocks[0].operations[2]


@getter("victim", "operation")
def pattern_callback(fixture):
    found = []

    def match(op, _rewriter):
        if tag_of(op) == "victim":
            found.append(op)
        return True

    fixture.visit_patterns(fixture.victim().operation.name, match)
    return found[0]


@getter("victim", "operation")
def conversion_callback(fixture):
    found = []

    def match(op, _adaptor, _converter, _rewriter):
        if tag_of(op) == "victim":
            found.append(op)
        return True

    fixture.convert(fixture.victim().operation.name, match)
    return found[0]


# Inside of it.


@getter("inner", "operation")
def inner(fixture):
    return fixture.body().operations[0]


@getter("inner", "operation")
def value_owner(fixture):
    return fixture.tagged("user").operands[0].owner


@getter("inner", "operation")
def use_owner(fixture):
    return next(iter(fixture.tagged("inner").results[0].uses)).owner


@getter("inner", "operation")
def insertion_reference(fixture):
    return ir.InsertionPoint(fixture.tagged("inner")).ref_operation


@getter("inner", "value")
def adaptor_operand(fixture):
    kept = []

    def match(_op, adaptor, _converter, _rewriter):
        kept.append(adaptor.operands[0])
        return True

    fixture.convert("arith.muli", match)
    return kept[0]


@getter("inner", "value")
def result(fixture):
    return fixture.tagged("inner").results[0]


@getter("inner", "value")
def operand(fixture):
    return fixture.tagged("user").operands[1]


@getter("inner", "value")
def value_capsule(fixture):
    return ir.Value._CAPICreate(fixture.tagged("inner").results[0]._CAPIPtr)


@getter("inner", "value")
def downcast(fixture):
    return fixture.tagged("inner").results[0].maybe_downcast()


@getter("inner", "sequence")
def results(fixture):
    return fixture.tagged("inner").results


@getter("inner", "sequence")
def results_slice(fixture):
    return fixture.tagged("inner").results[0:1]


@getter("inner", "sequence")
def operands(fixture):
    return fixture.tagged("user").operands


@getter("inner", "sequence")
def operands_slice(fixture):
    return fixture.tagged("user").operands[1:]


@getter("inner", "iterator")
def operands_iterator(fixture):
    iterator = iter(fixture.tagged("user").operands)
    next(iterator)
    return iterator


@getter("inner", "use")
def use(fixture):
    return next(iter(fixture.tagged("inner").results[0].uses))


@getter("inner", "iterator")
def uses_iterator(fixture):
    iterator = iter(fixture.tagged("inner").results[0].uses)
    next(iterator)
    return iterator


@getter("inner", "insertion_point")
def insertion_before(fixture):
    return ir.InsertionPoint(fixture.tagged("inner"))


@getter("inner", "insertion_point")
def insertion_after(fixture):
    return ir.InsertionPoint.after(fixture.tagged("inner"))


# The region, the block and the arguments.


@getter("region", "region")
def region(fixture):
    return fixture.victim().regions[0]


@getter("region", "sequence")
def regions(fixture):
    return fixture.victim().regions


@getter("region", "iterator")
def regions_iterator(fixture):
    return iter(fixture.victim().regions)


@getter("body", "block")
def block(fixture):
    return fixture.victim().regions[0].blocks[0]


@getter("body", "block")
def operation_block(fixture):
    return fixture.tagged("inner").operation.block


@getter("body", "block")
def argument_owner(fixture):
    return fixture.unused_argument().owner


@getter("body", "block")
def insertion_block(fixture):
    return ir.InsertionPoint(fixture.tagged("inner")).block


@getter("region", "sequence")
def blocks(fixture):
    return fixture.victim().regions[0].blocks


@getter("region", "iterator")
def blocks_iterator(fixture):
    return iter(fixture.victim().regions[0].blocks)


@getter("body", "sequence")
def operations(fixture):
    return fixture.body().operations


@getter("inner", "iterator")
def operations_iterator(fixture):
    iterator = iter(fixture.body().operations)
    next(iterator)
    return iterator


@getter("body", "sequence")
def arguments(fixture):
    return fixture.body().arguments


@getter("body", "insertion_point")
def insertion_end(fixture):
    return ir.InsertionPoint(fixture.body())


@getter("inner", "insertion_point")
def insertion_begin(fixture):
    return ir.InsertionPoint.at_block_begin(fixture.body())


@getter("inner", "insertion_point")
def insertion_terminator(fixture):
    return ir.InsertionPoint.at_block_terminator(fixture.body())


@getter("body", "current_insertion_point")
def insertion_current(fixture):
    if fixture.undo is not None:
        fixture.undo()
    point = ir.InsertionPoint(fixture.body())
    point.__enter__()
    fixture.undo = lambda: point.__exit__(None, None, None)
    return point


@getter("argument", "value")
def argument(fixture):
    return fixture.unused_argument()


@getter("argument", "value")
def argument_capsule(fixture):
    return ir.Value._CAPICreate(fixture.unused_argument()._CAPIPtr)


@getter("flow", "block")
def successor(fixture):
    return fixture.tagged("branch").successors[0]


@getter("flow", "sequence")
def successors(fixture):
    return fixture.tagged("branch").successors


@getter("flow", "block")
def predecessor(fixture):
    return fixture.tagged("branch").successors[0].predecessors[0]


@getter("flow", "sequence")
def predecessors(fixture):
    return fixture.tagged("branch").successors[0].predecessors


# Parts of an operation that are no operations.


@getter("victim", "attribute_map")
def attribute_map(fixture):
    return fixture.victim().attributes


@getter("snapshot", "iterator")
def attributes_iterator(fixture):
    return iter(fixture.victim().attributes)


@getter("never", "unique")
def attribute(fixture):
    return fixture.victim().attributes["t.tag"]


@getter("never", "unique")
def value_type(fixture):
    return fixture.tagged("inner").results[0].type


@getter("never", "unique")
def location(fixture):
    return fixture.tagged("inner").location


@getter("victim", "asm_state")
def asm_state(fixture):
    return ir.AsmState(fixture.victim().operation)


@getter("table", "symbol_table")
def symbol_table(fixture):
    return ir.SymbolTable(fixture.tagged("outer"))


@getter("module", "module")
def module(fixture):
    return fixture.module


@getter("module", "module")
def module_capsule(fixture):
    return ir.Module._CAPICreate(fixture.module._CAPIPtr)


# Arguments of callbacks, which are invalid after the callback.


@getter("always", "rewriter")
def rewriter(fixture):
    kept = []

    def match(_op, its_rewriter):
        kept.append(its_rewriter)
        return True

    fixture.visit_patterns(fixture.victim().operation.name, match)
    return kept[0]


@getter("always", "rewriter")
def conversion_rewriter(fixture):
    kept = []

    def match(_op, _adaptor, _converter, its_rewriter):
        kept.append(its_rewriter)
        return True

    fixture.convert(fixture.victim().operation.name, match)
    return kept[0]


@getter("always", "diagnostic")
def diagnostic(fixture):
    kept = []

    def handle(its_diagnostic):
        kept.append(its_diagnostic)
        return True

    handler = fixture.context.attach_diagnostic_handler(handle)
    fixture.tagged("inner").location.emit_error("seen")
    handler.detach()
    return kept[0]
