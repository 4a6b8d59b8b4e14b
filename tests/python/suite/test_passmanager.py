"""Pipelines, and passes written in Python."""

import gc
import weakref

import pytest

DEAD = """
func.func @f(%x: i32) -> i32 {
  %dead = arith.addi %x, %x : i32
  return %x : i32
}
"""


def test_run(ir, passmanager, ctx):
    module = ir.Module.parse(DEAD)
    passmanager.PassManager.parse("builtin.module(func.func(canonicalize,cse))").run(
        module.operation
    )
    assert "arith.addi" not in str(module)


def test_text(passmanager, ctx):
    manager = passmanager.PassManager("builtin.module")
    manager.add("func.func(cse)")
    manager.add(pipeline="symbol-dce")
    assert str(manager) == "builtin.module(func.func(cse),symbol-dce)"
    assert str(passmanager.PassManager.parse(str(manager))) == str(manager)
    assert str(passmanager.PassManager()) == "any()"


def test_text_that_cannot_be_parsed(passmanager, ctx):
    with pytest.raises(ValueError, match="'nope' does not refer to a registered pass"):
        passmanager.PassManager.parse("builtin.module(nope)")
    with pytest.raises(ValueError, match="unbalanced parentheses"):
        passmanager.PassManager("builtin.module").add("cse(")
    with pytest.raises(TypeError):
        passmanager.PassManager().add(1)
    with pytest.raises(TypeError):
        passmanager.PassManager().add()


def test_context_is_needed(ir, passmanager):
    with pytest.raises(RuntimeError, match="requires a Context"):
        passmanager.PassManager.parse("any()")
    passmanager.PassManager.parse("any()", context=ir.Context())


def test_other_context(ir, passmanager, module):
    manager = passmanager.PassManager.parse("any(cse)", ir.Context())
    with pytest.raises(ValueError, match="another context"):
        manager.run(module.operation)


def test_wrong_anchor(ir, passmanager, module):
    with pytest.raises(ir.MLIRError, match="can't run 'func.func' pass manager"):
        passmanager.PassManager.parse("func.func(cse)").run(module.operation)


def test_operation_is_needed(passmanager, module):
    with pytest.raises(TypeError):
        passmanager.PassManager.parse("any(cse)").run("a module")


def test_what_a_pass_removed_is_invalid(ir, passmanager, ctx, find):
    module = ir.Module.parse(DEAD)
    dead, ret = find(module.operation, "arith.addi"), find(module.operation, "func.return")
    value = dead.result
    passmanager.PassManager.parse("any(cse)").run(module.operation)
    for use in (lambda: dead.name, lambda: str(value), lambda: dead.attributes, dead.erase):
        with pytest.raises(RuntimeError, match="invalidated"):
            use()
    assert ret.name == "func.return" and ret.parent.name == "func.func"


def test_python_pass(ir, passmanager, module):
    seen = []

    def visit(op, pass_):
        seen.append((op.name, type(pass_).__name__))

    manager = passmanager.PassManager("builtin.module")
    manager.add(visit)
    manager.add(visit, name="second", argument="second-arg", description="again")
    manager.run(module.operation)
    assert seen == [("builtin.module", "ExternalPass")] * 2
    assert "second-arg" in str(manager)


def test_python_pass_on_one_kind_of_operation(ir, passmanager, module):
    seen = []
    manager = passmanager.PassManager("func.func")
    manager.add(lambda op, pass_: seen.append(op), name="look", op_name="func.func")
    function = module.body.operations[0]
    manager.run(function)
    assert seen == [function]


def test_python_pass_on_another_kind_than_the_pipeline(ir, passmanager, module):
    """MLIR itself would end the process here."""
    manager = passmanager.PassManager("builtin.module")
    with pytest.raises(ValueError, match="'func.func'.*'builtin.module'"):
        manager.add(lambda op, pass_: None, name="look", op_name="func.func")


def test_python_pass_fails(ir, passmanager, module):
    kept = []

    def fail(op, pass_):
        kept.append(pass_)
        pass_.signal_pass_failure()

    manager = passmanager.PassManager("builtin.module")
    manager.add(fail)
    with pytest.raises(ir.MLIRError, match="Failure while executing pass pipeline"):
        manager.run(module.operation)
    with pytest.raises(RuntimeError, match="returned"):
        kept[0].signal_pass_failure()


def test_python_pass_emits(ir, passmanager, module):
    def fail(op, pass_):
        # The module that the parser puts around the file's text is at line 0.
        op.location.emit_error("not this one")
        pass_.signal_pass_failure()

    manager = passmanager.PassManager("builtin.module")
    manager.add(fail)
    with pytest.raises(ir.MLIRError, match='error: "-":0:0: not this one'):
        manager.run(module.operation)


def test_python_pass_raises(passmanager, module):
    def fail(op, pass_):
        raise KeyError("mine")

    manager = passmanager.PassManager("builtin.module")
    manager.add(fail)
    with pytest.raises(KeyError, match="mine"):
        manager.run(module.operation)


def test_failing_pass_leaves_the_manager_usable(ir, passmanager, module):
    fail = [True]

    def maybe(op, pass_):
        if fail[0]:
            pass_.signal_pass_failure()

    manager = passmanager.PassManager("builtin.module")
    manager.add(maybe)
    with pytest.raises(ir.MLIRError):
        manager.run(module.operation)
    fail[0] = False
    manager.run(module.operation)


def test_manager_cannot_run_or_change_inside_itself(ir, passmanager, module):
    manager = passmanager.PassManager("builtin.module")
    errors = []

    def again(op, pass_):
        for use in (lambda: manager.run(op), lambda: manager.add("cse")):
            with pytest.raises(RuntimeError, match="is running") as info:
                use()
            errors.append(info.value)

    manager.add(again)
    manager.run(module.operation)
    assert len(errors) == 2


def test_verifier(ir, passmanager, module, find):
    def spoil(op, pass_):
        function = op.regions[0].blocks[0].operations[0]
        function.attributes["function_type"] = ir.Attribute.parse("(i64) -> i32")

    manager = passmanager.PassManager("builtin.module")
    manager.add(spoil)
    manager.enable_verifier(False)
    manager.run(module.operation)
    manager.enable_verifier(True)
    with pytest.raises(ir.MLIRError):
        manager.run(module.operation)


def test_ir_printing(passmanager, module, capfd, tmp_path):
    manager = passmanager.PassManager.parse("any(cse)")
    manager.enable_ir_printing(print_before_all=True)
    manager.run(module.operation)
    err = capfd.readouterr().err
    assert "IR Dump Before CSE" in err and "IR Dump After CSE" in err
    manager = passmanager.PassManager.parse("any(cse)")
    with pytest.raises(ValueError, match="enable_multithreading"):
        manager.enable_ir_printing(print_module_scope=True)


def test_timing_and_statistics(passmanager, module, capfd):
    manager = passmanager.PassManager.parse("any(cse)")
    manager.enable_timing()
    manager.enable_statistics()
    manager.enable_statistics(displayMode=passmanager.PassDisplayMode.LIST)
    manager.run(module.operation)
    del manager
    err = capfd.readouterr().err
    assert "Execution time report" in err and "Pass statistics report" in err


def test_run_during_a_walk(ir, passmanager, ctx):
    """The walk skips operations that a pipeline destroyed."""
    module = ir.Module.parse(DEAD)
    manager = passmanager.PassManager.parse("any(canonicalize)")
    seen = []

    def visit(op):
        seen.append(op.operation.name)
        manager.run(module.operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    assert seen == ["builtin.module", "func.func", "func.return"]


def test_handle_from_before_the_run(ir, passmanager, module):
    top = module.operation
    first, second = module.body.operations
    add = first.regions[0].blocks[0].operations[0]
    seen = []

    def visit(op, pass_):
        assert op.opview is first
        used = [first, add, op, second, top, op.parent]
        seen.extend(one.operation.name for one in used)

    manager = passmanager.PassManager("func.func")
    manager.add(visit)
    manager.run(first)
    assert seen == [
        "func.func",
        "arith.addi",
        "func.func",
        "func.func",
        "builtin.module",
        "builtin.module",
    ]


def test_capsule(ir, passmanager, ctx):
    module = ir.Module.parse(DEAD)
    seen = []
    manager = passmanager.PassManager("builtin.module")
    manager.add(lambda op, _: seen.append(op.name), "see")
    with pytest.raises(RuntimeError, match="owns the pass manager"):
        passmanager.PassManager._CAPICreate(manager._CAPIPtr)
    capsule = manager._CAPIPtr
    manager._testing_release()
    with pytest.raises(RuntimeError, match="released"):
        manager.run(module.operation)
    again = passmanager.PassManager._CAPICreate(capsule)
    del manager
    again.run(module.operation)
    assert seen == ["builtin.module"]


def test_passes_are_freed(passmanager, ctx):
    class Pass:
        def __call__(self, op, pass_):
            pass

    one = Pass()
    one.manager = passmanager.PassManager("builtin.module")
    one.manager.add(one, "one")
    gone = weakref.ref(one)
    del one
    gc.collect()
    assert gone() is None


def test_pipeline_within_a_python_pass(ir, passmanager, ctx):
    module = ir.Module.parse(DEAD)
    seen = []

    def visit(op, pass_):
        function = op.regions[0].blocks[0].operations[0].operation
        dead = function.regions[0].blocks[0].operations[0]
        passmanager.PassManager.parse("func.func(cse)").run(function)
        with pytest.raises(ir.InvalidatedError, match="destroyed by a pass pipeline"):
            _ = dead.name
        seen.extend([op.name, function.name, len(function.regions[0].blocks[0].operations)])

    manager = passmanager.PassManager("builtin.module")
    manager.add(visit)
    manager.run(module.operation)
    assert seen == ["builtin.module", "func.func", 1]


def test_python_pass_takes_out_only_what_is_below(ir, passmanager, module):
    def visit(op, pass_):
        for use in (op.erase, op.parent.erase):
            with pytest.raises(RuntimeError, match="below the operation that it runs on"):
                use()
        ret = op.regions[0].blocks[0].operations[-1]
        ret.detach_from_parent()
        ret.erase()

    manager = passmanager.PassManager("func.func")
    manager.add(visit)
    manager.enable_verifier(False)
    manager.run(module.body.operations[0])
    assert "return" not in module.operation.get_asm(
        assume_verified=False, print_generic_op_form=True
    )
