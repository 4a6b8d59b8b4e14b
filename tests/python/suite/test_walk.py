"""Walking, and changing what is walked."""

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
@pytest.mark.parametrize("take_out", ["erase", "detach_from_parent"])
def test_taking_out_anything_else_is_refused(ir, module, order, take_out):
    first, second = module.body.operations

    def visit(op):
        if op == first:
            getattr(second, take_out)()
        return ir.WalkResult.ADVANCE

    with pytest.raises(RuntimeError, match="that the walk has reached"):
        module.operation.walk(visit, ir.WalkOrder[order])
    assert len(module.body.operations) == 2


def test_detach_what_was_reached(ir, module):
    def visit(op):
        return (op.name == "func.func" and op.detach_from_parent(), ir.WalkResult.ADVANCE)[1]

    module.operation.walk(visit)
    assert str(module) == "module {\n}\n"


def test_walks_of_two_threads(ir, module):
    """What one walk has reached, the walk of another thread may still need."""
    import threading

    first = module.body.operations[0]
    errors = []

    def other():
        def visit(op):
            if op == first:
                try:
                    first.erase()
                except RuntimeError as error:
                    errors.append(str(error))
            return ir.WalkResult.ADVANCE

        module.operation.walk(visit)

    def visit(op):
        if op.name == "arith.addi":
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    assert len(errors) == 1 and first.name == "func.func"


def test_nested_walks(ir, module):
    seen = []

    def outer(op):
        op.walk(lambda inner: (seen.append(inner.name), ir.WalkResult.ADVANCE)[1])
        return ir.WalkResult.ADVANCE

    module.operation.walk(outer)
    assert len(seen) == 1 + 1 + 3 + 1 + 5
