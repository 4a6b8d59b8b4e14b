"""Uses that cross the boundary of a destroyed operation, and objects of another context."""

import gc

import pytest

TEXT = "func.func private @f(%x: i32) -> i32 { %y = arith.addi %x, %x : i32 return %y : i32 }"
BRANCH = """
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%x: i32):
  "my.br"(%x)[^bb1] : (i32) -> ()
^bb1:
  "func.return"() : () -> ()
}) : () -> ()
"""


def test_erase_what_a_clone_uses_is_refused(ir, ctx):
    module = ir.Module.parse(TEXT)
    function = module.body.operations[0]
    add, ret = function.regions[0].blocks[0].operations
    for op in (add, ret):
        copy = op.clone()
        with pytest.raises(RuntimeError, match="outside of it"):
            function.erase()
        copy.erase()
    function.erase()


def test_erase_a_block_that_a_clone_goes_to_is_refused(ir, ctx):
    ctx.allow_unregistered_dialects = True
    function = ir.Module.parse(BRANCH).body.operations[0]
    copy = function.regions[0].blocks[0].operations[0].clone()
    with pytest.raises(RuntimeError, match="outside of it"):
        function.erase()
    copy.erase()
    function.erase()


def test_predecessors_leave_out_what_is_in_no_block(ir, ctx):
    ctx.allow_unregistered_dialects = True
    function = ir.Module.parse(BRANCH).body.operations[0]
    first, second = function.regions[0].blocks
    copy = first.operations[0].clone()
    assert list(second.predecessors) == [first] and len(second.predecessors) == 1
    assert list(copy.successors) == [second]


def test_order_of_death_with_successors(python, root):
    """The function is destroyed before the branch that goes to one of its blocks."""
    python(
        f"""if True:
        from {root}.ir import *
        with Context() as context:
            context.allow_unregistered_dialects = True
            for _ in range(50):
                function = Module.parse({BRANCH!r}).body.operations[0]
                copy = function.regions[0].blocks[0].operations[0].clone()
                function.detach_from_parent()
        """
    )


@pytest.mark.parametrize("take", ["clone", "detach_from_parent"])
def test_a_pipeline_under_loose_uses_is_refused(ir, passmanager, ctx, take):
    module = ir.Module.parse(TEXT)
    add = module.body.operations[0].regions[0].blocks[0].operations[0]
    taken = getattr(add, take)()
    manager = passmanager.PassManager.parse("any(symbol-dce)")
    with pytest.raises(RuntimeError, match="erase it before passes run"):
        manager.run(module.operation)
    assert taken.name == "arith.addi"
    if take == "clone":
        taken.erase()
        manager.run(module.operation)
        assert len(module.body.operations) == 0


def test_a_python_pass_may_not_leave_loose_uses(ir, passmanager, ctx):
    module = ir.Module.parse(TEXT)
    taken = []

    def take(op, pass_):
        taken.append(op.regions[0].blocks[0].operations[0].regions[0].blocks[0].operations[1])
        taken.append(taken[0].clone())

    manager = passmanager.PassManager("builtin.module")
    manager.add(take)
    manager.add("symbol-dce")
    with pytest.raises(RuntimeError, match="erase it before passes run"):
        manager.run(module.operation)
    assert len(module.body.operations) == 1 and taken[1].operands[0].owner.name == "arith.addi"


def test_an_index_that_destroys_what_it_picks_from(ir, ctx):
    module = ir.Module.parse(TEXT)
    function = module.body.operations[0]
    ret = function.regions[0].blocks[0].operations[1]

    class Index:
        def __index__(self):
            function.erase()
            return 0

    with pytest.raises(RuntimeError, match="invalidated"):
        _ = ret.operands[Index()]


def test_objects_of_another_context_are_refused(ir):
    here = ir.Context()
    op = ir.Module.parse("", here).operation
    ours = ir.Location.unknown(here)

    def mix(attribute, location):
        for use in (
            lambda: op.attributes.__setitem__("name", attribute),
            lambda: setattr(op, "location", location),
            lambda: ir.Location.name("name", location, here),
            lambda: ir.Location.fused([location], context=here),
            lambda: ir.Location.fused([ours], attribute, here),
            lambda: ir.Location.callsite(location, [ours], here),
            lambda: ir.Location.callsite(ours, [location], here),
        ):
            with pytest.raises(ValueError, match="another context"):
                use()

    gc.collect()
    before = ir.Context._get_live_count()
    there = ir.Context()
    mix(ir.Attribute.parse('"text"', there), ir.Location.file("f", 1, 2, there))
    del there
    gc.collect()
    assert ir.Context._get_live_count() == before
    assert str(op) == "module {\n}\n"
