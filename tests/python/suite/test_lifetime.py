"""Tests of ownership (which objects keep others alive), and of the use of destroyed objects."""

import gc

import pytest

TEXT = "func.func @f(%x: i32) -> i32 { %y = arith.addi %x, %x : i32 return %y : i32 }"


def live(ir):
    """The number of contexts that something still holds."""
    gc.collect()
    return ir.Context._get_live_count()


PARTS = {
    "operation": lambda m: m.operation,
    "body": lambda m: m.body,
    "operations": lambda m: m.body.operations,
    "function": lambda m: m.body.operations[0],
    "attributes": lambda m: m.body.operations[0].attributes,
    "attribute": lambda m: m.body.operations[0].attributes["sym_name"],
    "regions": lambda m: m.body.operations[0].regions,
    "region": lambda m: m.body.operations[0].regions[0],
    "blocks": lambda m: m.body.operations[0].regions[0].blocks,
    "block": lambda m: m.body.operations[0].regions[0].blocks[0],
    "arguments": lambda m: m.body.operations[0].regions[0].blocks[0].arguments,
    "argument": lambda m: m.body.operations[0].regions[0].blocks[0].arguments[0],
    "iterator": lambda m: iter(m.body),
    "operands": lambda m: m.body.operations[0].regions[0].blocks[0].operations[0].operands,
    "result": lambda m: m.body.operations[0].regions[0].blocks[0].operations[0].result,
    "type": lambda m: m.body.operations[0].regions[0].blocks[0].operations[0].result.type,
    "location": lambda m: m.operation.location,
    "descriptor": lambda m: m.context.d.func.descriptor,
}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_keeps_the_whole_and_its_context(ir, part):
    before = live(ir)
    module = ir.Module.parse(TEXT, ir.Context())
    held = PARTS[part](module)
    del module
    assert live(ir) == before + 1
    assert str(held) and repr(held)
    if part == "iterator":
        assert next(held).operation.name == "func.func"
    elif hasattr(held, "__len__"):
        assert len(held) >= 1
    del held
    assert live(ir) == before


def test_context_goes_last_in_any_order(ir):
    before = live(ir)
    for order in range(3):
        context = ir.Context()
        held = [context, ir.Module.parse(TEXT, context), ir.Type.parse("i8", context)]
        del context
        held.append(held.pop(order))
        while held:
            held.pop()
        assert live(ir) == before


def test_erased(ir, ctx):
    module = ir.Module.parse(TEXT)
    function = module.body.operations[0]
    block = function.regions[0].blocks[0]
    add = block.operations[0]
    held = {
        "function": lambda f=function: f.name,
        "its operation": lambda o=function.operation: o.name,
        "attributes": lambda a=function.attributes: len(a),
        "regions": lambda r=function.regions: len(r),
        "region": lambda r=function.regions[0]: r.blocks,
        "blocks": lambda b=function.regions[0].blocks: len(b),
        "block": lambda b=block: str(b),
        "arguments": lambda a=block.arguments: len(a),
        "argument": lambda a=block.arguments[0]: str(a),
        "operations": lambda o=block.operations: len(o),
        "iterator": lambda i=iter(block): next(i),
        "add": lambda a=add: str(a),
        "operands": lambda o=add.operands: len(o),
        "result": lambda r=add.result: r.type,
        "owner": lambda r=add.result: r.owner,
        "walk": lambda f=function: f.walk(lambda op: ir.WalkResult.ADVANCE),
    }
    function.erase()
    for name, use in held.items():
        with pytest.raises(ir.InvalidatedError, match="invalidated: .* erased"):
            use()
            pytest.fail(name)
    assert len(module.body.operations) == 0


def test_a_new_operation_at_an_old_address_is_not_the_old_one(ir, ctx):
    module = ir.Module.parse("func.func private @f()")
    dead = []
    template = module.body.operations[0]
    for _ in range(100):
        copy = template.clone()
        dead.append(copy)
        copy.erase()
    alive = template.clone()
    assert alive.operation.name == "func.func"
    for copy in dead:
        with pytest.raises(RuntimeError, match="invalidated"):
            _ = copy.name


def test_erase_with_uses_is_refused(ir, ctx):
    module = ir.Module.parse(TEXT)
    add = module.body.operations[0].regions[0].blocks[0].operations[0]
    with pytest.raises(RuntimeError, match="have uses"):
        add.erase()
    assert add.name == "arith.addi"


def test_detached_part_outlives_or_not(ir):
    module = ir.Module.parse(TEXT, ir.Context())
    add = module.body.operations[0].regions[0].blocks[0].operations[0]
    # Its result is still used by what stays behind; both orders of death must be fine.
    add.detach_from_parent()
    del module
    gc.collect()
    assert str(add).startswith("%0 = arith.addi") or "arith.addi" in str(add)
    del add
    gc.collect()


def test_clone_keeps_its_context(ir):
    before = live(ir)
    copy = ir.Module.parse(TEXT, ir.Context()).operation.clone()
    gc.collect()
    assert "func.func @f" in str(copy)
    del copy
    assert live(ir) == before


def test_interpreter_exit_with_live_objects_is_silent(python, root):
    out = python(
        f"""if True:
        from {root}.ir import *
        context = Context()
        context.__enter__()
        Location.unknown().__enter__()
        context.attach_diagnostic_handler(lambda d: True)
        module = Module.parse({TEXT!r})
        held = module.body.operations[0].regions[0].blocks[0].operations[0].result
        iterator = iter(module.body)
        """
    )
    assert out.stdout == "" and out.stderr == ""


def test_weak_references(ir):
    import weakref

    context = ir.Context()
    module = ir.Module.parse("", context)
    refs = [weakref.ref(context), weakref.ref(module)]
    del context, module
    gc.collect()
    assert [ref() for ref in refs] == [None, None]


def test_a_callback_that_uses_its_context_is_collected(ir):
    before = live(ir)

    def attach(keep):
        context = ir.Context()
        held = [context]
        handler = context.attach_diagnostic_handler(lambda diagnostic: held)
        if keep:
            held.append(handler)

    for keep in (False, True):
        attach(keep)
        assert live(ir) == before


def test_a_callback_lives_as_long_as_its_context(ir):
    context, seen = ir.Context(), []
    context.attach_diagnostic_handler(lambda diagnostic: seen.append(context) or True)
    gc.collect()
    ir.Location.unknown(context).emit_error("mine")
    assert seen == [context]
