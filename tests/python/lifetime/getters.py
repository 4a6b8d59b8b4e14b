"""Ways to get an object. Each is a function from a scene to what is held; what it says about the
object: what it stands on (``anchor``), and how it is used afterwards (``kind``, see ``probes``)."""

from collections.abc import Callable
from dataclasses import dataclass

from .scene import Scene, tag_of
from .subject import ir, passmanager


@dataclass(frozen=True)
class Getter:
    """A way to get an object."""

    name: str
    anchor: str
    kind: str
    get: Callable[[Scene], object]


GETTERS: dict[str, Getter] = {}


def getter(anchor: str, kind: str):
    """Enters a function into ``GETTERS``, under its name."""

    def enter(function):
        name = function.__name__
        assert name not in GETTERS
        GETTERS[name] = Getter(name, anchor, kind, function)
        return function

    return enter


def take_place(scene: Scene, new) -> object:
    """Makes ``new`` the victim, in place of the old one."""
    old = scene.victim()
    new.move_before(old)
    old.operation.erase()
    return new


# The victim itself.


@getter("victim", "operation")
def parse(scene):
    old = scene.victim()
    text = str(old)
    return take_place(scene, ir.Operation.parse(text, context=scene.context))


@getter("victim", "operation")
def create(scene):
    old = scene.victim()
    new = ir.Operation.create(
        old.operation.name,
        results=[result.type for result in old.results],
        operands=list(old.operands),
        attributes={name: old.attributes[name] for name in old.attributes},
        regions=1,
        loc=scene.here(),
    )
    scene.body().append_to(new.regions[0])
    return take_place(scene, new)


@getter("victim", "operation")
def create_unplaced(scene):
    old = scene.victim()
    region = scene.context.new_region()
    new = scene.context.new_op(
        old.operation.name,
        results=[result.type for result in old.results],
        operands=list(old.operands),
        attributes={name: old.attributes[name] for name in old.attributes},
        regions=[region],
        loc=scene.here(),
    )
    scene.body().append_to(region)
    return take_place(scene, new)


@getter("victim", "operation")
def clone(scene):
    old = scene.victim()
    new = old.operation.clone(ip=ir.InsertionPoint(old))
    old.operation.erase()
    return new


@getter("victim", "operation")
def walk(scene):
    found = []

    def visit(op):
        if tag_of(op) == "victim":
            found.append(op)
        return ir.WalkResult.ADVANCE

    scene.module.operation.walk(visit)
    return found[0]


@getter("victim", "operation")
def iterate(scene):
    return next(op for op in scene.victim().operation.block if tag_of(op) == "victim")


@getter("victim", "operation")
def index(scene):
    operations = scene.victim().operation.block.operations
    return next(operations[i] for i in range(len(operations)) if tag_of(operations[i]) == "victim")


@getter("victim", "operation")
def view(scene):
    return scene.victim().operation.opview


@getter("victim", "operation")
def operation_of_view(scene):
    return scene.victim().operation


@getter("victim", "operation")
def parent(scene):
    return scene.tagged("inner").parent


@getter("victim", "operation")
def block_owner(scene):
    return scene.body().owner


@getter("victim", "operation")
def region_owner(scene):
    return scene.victim().regions[0].owner


@getter("victim", "operation")
def capsule(scene):
    return ir.Operation._CAPICreate(scene.victim().operation._CAPIPtr)


@getter("victim", "operation")
def symbol(scene):
    return ir.SymbolTable(scene.tagged("outer"))["victim"]


@getter("victim", "operation")
def pass_callback(scene):
    found = []

    def run(op, _pass):
        found.append(op)

    manager = passmanager.PassManager("any", context=scene.context)
    manager.add(run)
    owner = scene.victim().operation
    if scene.is_function:
        manager.run(owner)
        return found[0]
    manager.run(owner.parent)
    return found[0].regions[0].blocks[0].operations[2]


@getter("victim", "operation")
def pattern_callback(scene):
    found = []

    def match(op, _rewriter):
        if tag_of(op) == "victim":
            found.append(op)
        return True

    scene.visit_patterns(scene.victim().operation.name, match)
    return found[0]


# Inside of it.


@getter("inner", "operation")
def inner(scene):
    return scene.body().operations[0]


@getter("inner", "operation")
def value_owner(scene):
    return scene.tagged("user").operands[0].owner


@getter("inner", "operation")
def use_owner(scene):
    return next(iter(scene.tagged("inner").results[0].uses)).owner


@getter("inner", "operation")
def insertion_reference(scene):
    return ir.InsertionPoint(scene.tagged("inner")).ref_operation


@getter("inner", "value")
def result(scene):
    return scene.tagged("inner").results[0]


@getter("inner", "value")
def operand(scene):
    return scene.tagged("user").operands[1]


@getter("inner", "value")
def value_capsule(scene):
    return ir.Value._CAPICreate(scene.tagged("inner").results[0]._CAPIPtr)


@getter("inner", "value")
def downcast(scene):
    return scene.tagged("inner").results[0].maybe_downcast()


@getter("inner", "sequence")
def results(scene):
    return scene.tagged("inner").results


@getter("inner", "sequence")
def results_slice(scene):
    return scene.tagged("inner").results[0:1]


@getter("inner", "sequence")
def operands(scene):
    return scene.tagged("user").operands


@getter("inner", "sequence")
def operands_slice(scene):
    return scene.tagged("user").operands[1:]


@getter("inner", "iterator")
def operands_iterator(scene):
    iterator = iter(scene.tagged("user").operands)
    next(iterator)
    return iterator


@getter("inner", "use")
def use(scene):
    return next(iter(scene.tagged("inner").results[0].uses))


@getter("inner", "iterator")
def uses_iterator(scene):
    iterator = iter(scene.tagged("inner").results[0].uses)
    next(iterator)
    return iterator


@getter("inner", "insertion_point")
def insertion_before(scene):
    return ir.InsertionPoint(scene.tagged("inner"))


@getter("inner", "insertion_point")
def insertion_after(scene):
    return ir.InsertionPoint.after(scene.tagged("inner"))


# The region, the block and the arguments.


@getter("region", "region")
def region(scene):
    return scene.victim().regions[0]


@getter("region", "sequence")
def regions(scene):
    return scene.victim().regions


@getter("region", "iterator")
def regions_iterator(scene):
    return iter(scene.victim().regions)


@getter("body", "block")
def block(scene):
    return scene.victim().regions[0].blocks[0]


@getter("body", "block")
def operation_block(scene):
    return scene.tagged("inner").operation.block


@getter("body", "block")
def argument_owner(scene):
    return scene.unused_argument().owner


@getter("body", "block")
def insertion_block(scene):
    return ir.InsertionPoint(scene.tagged("inner")).block


@getter("region", "sequence")
def blocks(scene):
    return scene.victim().regions[0].blocks


@getter("region", "iterator")
def blocks_iterator(scene):
    return iter(scene.victim().regions[0].blocks)


@getter("body", "sequence")
def operations(scene):
    return scene.body().operations


@getter("inner", "iterator")
def operations_iterator(scene):
    iterator = iter(scene.body().operations)
    next(iterator)
    return iterator


@getter("body", "sequence")
def arguments(scene):
    return scene.body().arguments


@getter("body", "insertion_point")
def insertion_end(scene):
    return ir.InsertionPoint(scene.body())


@getter("inner", "insertion_point")
def insertion_begin(scene):
    return ir.InsertionPoint.at_block_begin(scene.body())


@getter("inner", "insertion_point")
def insertion_terminator(scene):
    return ir.InsertionPoint.at_block_terminator(scene.body())


@getter("body", "current_insertion_point")
def insertion_current(scene):
    if scene.undo is not None:
        scene.undo()
    point = ir.InsertionPoint(scene.body())
    point.__enter__()
    scene.undo = lambda: point.__exit__(None, None, None)
    return point


@getter("argument", "value")
def argument(scene):
    return scene.unused_argument()


@getter("argument", "value")
def argument_capsule(scene):
    return ir.Value._CAPICreate(scene.unused_argument()._CAPIPtr)


@getter("flow", "block")
def successor(scene):
    return scene.tagged("branch").successors[0]


@getter("flow", "sequence")
def successors(scene):
    return scene.tagged("branch").successors


@getter("flow", "block")
def predecessor(scene):
    return scene.tagged("branch").successors[0].predecessors[0]


@getter("flow", "sequence")
def predecessors(scene):
    return scene.tagged("branch").successors[0].predecessors


# What belongs to an operation without being one.


@getter("victim", "attribute_map")
def attribute_map(scene):
    return scene.victim().attributes


@getter("snapshot", "iterator")
def attributes_iterator(scene):
    return iter(scene.victim().attributes)


@getter("never", "unique")
def attribute(scene):
    return scene.victim().attributes["t.tag"]


@getter("never", "unique")
def value_type(scene):
    return scene.tagged("inner").results[0].type


@getter("never", "unique")
def location(scene):
    return scene.tagged("inner").location


@getter("victim", "asm_state")
def asm_state(scene):
    return ir.AsmState(scene.victim().operation)


@getter("table", "symbol_table")
def symbol_table(scene):
    return ir.SymbolTable(scene.tagged("outer"))


@getter("module", "module")
def module(scene):
    return scene.module


@getter("module", "module")
def module_capsule(scene):
    return ir.Module._CAPICreate(scene.module._CAPIPtr)


# What callbacks get, and ends with them.


@getter("always", "rewriter")
def rewriter(scene):
    kept = []

    def match(_op, its_rewriter):
        kept.append(its_rewriter)
        return True

    scene.visit_patterns(scene.victim().operation.name, match)
    return kept[0]


@getter("always", "diagnostic")
def diagnostic(scene):
    kept = []

    def handle(its_diagnostic):
        kept.append(its_diagnostic)
        return True

    handler = scene.context.attach_diagnostic_handler(handle)
    scene.tagged("inner").location.emit_error("seen")
    handler.detach()
    return kept[0]
