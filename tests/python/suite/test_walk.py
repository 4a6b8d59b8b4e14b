"""Walking, and changing the IR during a walk."""

import pytest


def names(op, ir, order, answer=None):
    seen = []

    def visit(op):
        seen.append(op.name)
        return (answer or {}).get(op.name, ir.WalkResult.ADVANCE)

    op.walk(visit, order)
    return seen


def test_orders(ir, module):
    top = module.operation
    assert names(top, ir, ir.WalkOrder.PRE_ORDER) == [
        "builtin.module",
        "func.func",
        "arith.addi",
        "func.return",
        "func.func",
    ]
    assert names(top, ir, ir.WalkOrder.POST_ORDER) == [
        "arith.addi",
        "func.return",
        "func.func",
        "func.func",
        "builtin.module",
    ]


def test_post_order_is_the_default(ir, module):
    seen = []
    module.operation.walk(lambda op: (seen.append(op.name), ir.WalkResult.ADVANCE)[1])
    assert seen[-1] == "builtin.module"


def test_interrupt(ir, module):
    seen = names(
        module.operation, ir, ir.WalkOrder.PRE_ORDER, {"arith.addi": ir.WalkResult.INTERRUPT}
    )
    assert seen == ["builtin.module", "func.func", "arith.addi"]


def test_skip(ir, module):
    seen = names(module.operation, ir, ir.WalkOrder.PRE_ORDER, {"func.func": ir.WalkResult.SKIP})
    assert seen == ["builtin.module", "func.func", "func.func"]


def test_exception(ir, module):
    def visit(op):
        raise KeyError("mine")

    with pytest.raises(RuntimeError, match="Exception raised in callback: KeyError.*mine") as info:
        module.operation.walk(visit)
    assert isinstance(info.value.__cause__, KeyError)


def test_wrong_result(ir, module):
    with pytest.raises(RuntimeError, match="WalkResult"):
        module.operation.walk(lambda op: 0)


def test_wrong_order(ir, module):
    with pytest.raises(TypeError, match="WalkOrder"):
        module.operation.walk(lambda op: ir.WalkResult.ADVANCE, 1)


@pytest.mark.parametrize("order", ["PRE_ORDER", "POST_ORDER"])
def test_erase_what_was_reached(ir, module, order):
    def visit(op):
        if op.name == "func.func":
            op.erase()
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder[order])
    assert str(module) == "module {\n}\n"


@pytest.mark.parametrize("order", ["PRE_ORDER", "POST_ORDER"])
def test_what_was_erased_before_its_turn_is_skipped(ir, module, order):
    """A walk visits what was there when it began and still lives."""
    first, second = (view.operation for view in module.body.operations)
    seen = []

    def visit(op):
        seen.append(op.name)
        if op is first:
            second.erase()
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder[order])
    assert seen.count("func.func") == 1
    assert list(module.body) == [first]
    with pytest.raises(ir.InvalidatedError, match="erased"):
        _ = second.name


@pytest.mark.parametrize("order", ["PRE_ORDER", "POST_ORDER"])
def test_what_was_detached_before_its_turn_is_visited(ir, module, order):
    first, second = (view.operation for view in module.body.operations)
    seen = []

    def visit(op):
        seen.append(op)
        if op is first:
            second.detach_from_parent()
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder[order])
    assert sum(op is second for op in seen) == 1 and len(seen) == 5
    assert list(module.body) == [first] and not second.attached


@pytest.mark.parametrize("order", ["PRE_ORDER", "POST_ORDER"])
def test_what_was_inserted_meanwhile_is_not_visited(ir, module, order):
    seen = []

    def visit(op):
        seen.append(op)
        if op.name == "func.func":
            module.body.append(op.clone())
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder[order])
    assert len(seen) == 5 and len(module.body.operations) == 4


def test_a_walk_whose_root_is_erased_ends(ir, module):
    seen = []

    def visit(op):
        seen.append(op.name)
        module.body.operations[0].operation.erase()
        return ir.WalkResult.ADVANCE

    module.body.operations[0].walk(visit, ir.WalkOrder.PRE_ORDER)
    assert seen == ["func.func"] and len(module.body.operations) == 1


def test_the_same_objects_in_every_walk(ir, module):
    seen = []
    for order in ir.WalkOrder:
        module.operation.walk(lambda op: (seen.append(op), ir.WalkResult.ADVANCE)[1], order)
    first, second = seen[:5], seen[5:]
    assert {id(op) for op in first} == {id(op) for op in second} and len(seen) == 10


def test_detach_what_was_reached(ir, module):
    def visit(op):
        return (op.name == "func.func" and op.detach_from_parent(), ir.WalkResult.ADVANCE)[1]

    module.operation.walk(visit)
    assert str(module) == "module {\n}\n"


def test_walks_of_two_threads(ir, module):
    """A walk does not visit an operation that the walk of another thread has destroyed."""
    import threading

    first = module.body.operations[0].operation
    seen = []

    def other():
        def visit(op):
            if op is first:
                first.erase()
            return ir.WalkResult.ADVANCE

        module.operation.walk(visit)

    def visit(op):
        seen.append(op.name)
        if op.name == "arith.addi":
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    assert seen == ["arith.addi", "func.func", "builtin.module"]
    with pytest.raises(ir.InvalidatedError, match="erased"):
        _ = first.name


def test_nested_walks(ir, module):
    seen = []

    def outer(op):
        op.walk(lambda inner: (seen.append(inner.name), ir.WalkResult.ADVANCE)[1])
        return ir.WalkResult.ADVANCE

    module.operation.walk(outer)
    assert len(seen) == 1 + 1 + 3 + 1 + 5
