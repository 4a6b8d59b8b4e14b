"""The first words of errors, by which programs of upstream's tell them apart."""

import pytest


def test_a_location_of_wrong_numbers(ctx, ir):
    for numbers in [("1", 2), (1, None), (1, 2, 3, object())]:
        with pytest.raises(TypeError, match=r"^file\(\): incompatible function arguments"):
            ir.Location.file("a.py", *numbers)


def test_a_flag_that_is_none(ir):
    for given in [None, object(), "yes"]:
        with pytest.raises(TypeError, match=r"^\(\): incompatible function arguments") as raised:
            ir._GlobalDebug.flag = given
        assert "1. (arg0: object, arg1: bool, /) -> None" in str(raised.value)
    assert ir._GlobalDebug.flag is False


def test_a_module_that_is_none(ctx, module):
    with pytest.raises(TypeError, match=r"^__init__\(\): incompatible function arguments"):
        module("rewrite").PDLModule(3)


def test_expressions_and_types_that_are_none(body, ir, module):
    with pytest.raises(RuntimeError, match=r"^Invalid expression when .* \(std::bad_cast\)"):
        ir.AffineMap.get(1, 0, [3])
    func = module("dialects.func")
    message = r'^Result 0 of operation "func.call" must be a Type \(std::bad_cast\)'
    with ir.InsertionPoint(body.body), pytest.raises(ValueError, match=message):
        func.CallOp(["x"], "callee", [])


def test_a_solver_without_text(ctx, ir, module):
    smt = module("dialects.smt")
    with ir.Location.name("here"):
        made = ir.Module.create()
        with ir.InsertionPoint(made.body):
            solver = smt.SolverOp([ir.IntegerType.get_signless(32)], [])
            solver.bodyRegion.blocks.append()
            with ir.InsertionPoint(solver.bodyRegion.blocks[0]):
                smt.YieldOp([])
    beginning = (
        r'^Failed to export smtlib.\nDiagnostic message at loc\("here"\): solver scopes with'
    )
    with pytest.raises(ValueError, match=beginning):
        smt.export_smtlib(made)


def test_patterns_of_an_operation_by_name(ctx, ir, module):
    rewrite = module("rewrite")
    patterns = rewrite.RewritePatternSet().freeze()
    made = ir.Module.parse("func.func @f() { return }")
    rewrite.apply_patterns_and_fold_greedily(op=made.operation, set=patterns)
    rewrite.apply_patterns_and_fold_greedily(made.operation, patterns)
    rewrite.apply_patterns_and_fold_greedily(module=made, set=patterns)
