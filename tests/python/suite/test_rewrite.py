"""Patterns written in Python, and what applies them."""

import gc
import importlib
import weakref

import pytest

ADD = """
func.func @f(%a: i64, %b: i64) -> i64 {
  %sum = arith.addi %a, %b : i64
  return %sum : i64
}
"""

# Its call has an effect, so that no driver takes it for dead.
CALL = """
func.func private @g() -> i64
func.func @f() {
  %unused = func.call @g() : () -> i64
  return
}
"""


@pytest.fixture(scope="session")
def rewrite(root):
    return importlib.import_module(f"{root}.rewrite")


@pytest.fixture
def adds(ir, ctx):
    return ir.Module.parse(ADD)


def freeze(rewrite, *patterns):
    made = rewrite.RewritePatternSet()
    for root, fn in patterns:
        made.add(root, fn)
    return made.freeze()


def drivers(rewrite):
    return rewrite.apply_patterns_and_fold_greedily, rewrite.walk_and_apply_patterns


def body(module):
    return module.body.operations[0].regions[0].blocks[0]


def to_muli(ir):
    def pattern(op, rewriter):
        with rewriter.ip:
            new = ir.Operation.create(
                "arith.muli",
                results=[op.results[0].type],
                operands=list(op.operands),
                loc=op.location,
            )
        rewriter.replace_op(op, new)

    return pattern


@pytest.mark.parametrize("which", [0, 1])
def test_replace_with_operation(ir, rewrite, adds, which):
    frozen = freeze(rewrite, ("arith.addi", to_muli(ir)))
    old = body(adds).operations[0]
    drivers(rewrite)[which](adds.operation, frozen)
    assert "arith.muli" in str(adds)
    assert "arith.addi" not in str(adds)
    with pytest.raises(ir.InvalidatedError, match="pattern rewrite"):
        str(old)


def test_replace_with_values(ir, rewrite, adds):
    def pattern(op, rewriter):
        rewriter.replace_op(op, [op.operands[0]])

    rewrite.apply_patterns_and_fold_greedily(adds, freeze(rewrite, ("arith.addi", pattern)))
    assert "return %arg0" in str(adds)


def test_module_or_operation(ir, rewrite, adds):
    frozen = freeze(rewrite, ("arith.addi", to_muli(ir)))
    rewrite.apply_patterns_and_fold_greedily(module=adds, set=frozen)
    rewrite.apply_patterns_and_fold_greedily(op=adds.operation, set=frozen, config=None)
    with pytest.raises(TypeError):
        rewrite.apply_patterns_and_fold_greedily("a module", frozen)
    with pytest.raises(TypeError):
        rewrite.apply_patterns_and_fold_greedily(adds)


def test_root_by_class(ir, rewrite, adds):
    class Addi:
        OPERATION_NAME = "arith.addi"

    seen = []
    frozen = freeze(rewrite, (Addi, lambda op, rewriter: seen.append(op.name) or True))
    rewrite.walk_and_apply_patterns(adds.operation, frozen)
    assert seen == ["arith.addi"]
    with pytest.raises(TypeError, match="must be a type or a string"):
        rewrite.RewritePatternSet().add(1, print)


def test_benefit_decides_the_order(ir, rewrite, adds):
    seen = []
    patterns = rewrite.RewritePatternSet()
    patterns.add("arith.addi", lambda op, rewriter: seen.append("low") or True, benefit=1)
    patterns.add("arith.addi", lambda op, rewriter: seen.append("high") or True, benefit=2)
    rewrite.walk_and_apply_patterns(adds.operation, patterns.freeze())
    assert seen == ["high", "low"]
    with pytest.raises(ValueError):
        rewrite.RewritePatternSet().add("arith.addi", print, 65535)


def test_frozen_sets_are_closed(rewrite, ctx):
    patterns = rewrite.RewritePatternSet()
    patterns.freeze()
    with pytest.raises(RuntimeError, match="frozen"):
        patterns.add("arith.addi", print)
    with pytest.raises(RuntimeError, match="frozen"):
        patterns.freeze()


@pytest.mark.parametrize("which", [0, 1])
def test_exceptions_come_out(rewrite, adds, which):
    calls = []

    def pattern(op, rewriter):
        calls.append(op.name)
        raise KeyError("out of a pattern")

    frozen = freeze(rewrite, ("arith.addi", pattern), ("func.return", pattern))
    with pytest.raises(KeyError, match="out of a pattern"):
        drivers(rewrite)[which](adds.operation, frozen)
    assert len(calls) == 1


@pytest.mark.parametrize("which", [0, 1])
def test_exception_after_erasing(ir, rewrite, ctx, which):
    module = ir.Module.parse(CALL)

    def pattern(op, rewriter):
        rewriter.erase_op(op)
        raise KeyError("too late")

    with pytest.raises(KeyError):
        drivers(rewrite)[which](module.operation, freeze(rewrite, ("func.call", pattern)))
    assert "call" not in str(module)


@pytest.mark.parametrize("which", [0, 1])
def test_no_match_after_erasing_is_a_match(ir, rewrite, ctx, which):
    module = ir.Module.parse(CALL)

    def erase(op, rewriter):
        rewriter.erase_op(op)
        return True

    again = []
    frozen = freeze(rewrite, ("func.call", erase), ("func.call", lambda op, _: again.append(op)))
    drivers(rewrite)[which](module.operation, frozen)
    assert "call" not in str(module)


def test_rewriter_ends_with_its_pattern(ir, rewrite, adds):
    kept = []
    frozen = freeze(
        rewrite, ("arith.addi", lambda op, rewriter: kept.append((op, rewriter)) or True)
    )
    rewrite.walk_and_apply_patterns(adds.operation, frozen)
    [(op, rewriter)] = kept
    for use in (
        lambda: rewriter.ip,
        lambda: rewriter.erase_op(op),
        lambda: rewriter.replace_op(op, [op.operands[0]]),
    ):
        with pytest.raises(RuntimeError, match="outside of the pattern"):
            use()


def test_insertion_point_of_what_is_gone(ir, rewrite, ctx):
    module = ir.Module.parse(CALL)

    def pattern(op, rewriter):
        rewriter.erase_op(op)
        with pytest.raises(ir.InvalidatedError):
            _ = rewriter.ip

    rewrite.walk_and_apply_patterns(module.operation, freeze(rewrite, ("func.call", pattern)))


@pytest.mark.parametrize("which", [0, 1])
def test_only_the_rewriter_erases(ir, rewrite, ctx, which):
    module = ir.Module.parse(CALL)
    function = module.body.operations[1]
    refused = []

    def pattern(op, rewriter):
        for doomed in (op, function, module.operation):
            with pytest.raises(RuntimeError, match="rewrite"):
                doomed.operation.erase()
            with pytest.raises(RuntimeError, match="rewrite"):
                rewriter.erase_op(function)
            refused.append(doomed)
        return True

    drivers(rewrite)[which](module.body.operations[1], freeze(rewrite, ("func.call", pattern)))
    assert refused


def test_walk_erases_only_what_it_reached(ir, rewrite, ctx):
    module = ir.Module.parse(CALL)
    last = module.body.operations[1].regions[0].blocks[0].operations[1]

    def pattern(op, rewriter):
        with pytest.raises(RuntimeError, match="applied by a walk"):
            rewriter.erase_op(last)
        return True

    rewrite.walk_and_apply_patterns(module.operation, freeze(rewrite, ("func.call", pattern)))
    assert "return" in str(module)


def test_erasing_what_is_used(rewrite, adds):
    def pattern(op, rewriter):
        rewriter.erase_op(op)

    with pytest.raises(RuntimeError, match="uses its results"):
        rewrite.apply_patterns_and_fold_greedily(adds, freeze(rewrite, ("arith.addi", pattern)))
    assert adds.operation.verify()


def test_wrong_replacements(ir, rewrite, adds):
    other = ir.Module.parse(ADD)

    def pattern(op, rewriter):
        with pytest.raises(ValueError, match="1 results"):
            rewriter.replace_op(op, [])
        with pytest.raises(ValueError, match="with itself"):
            rewriter.replace_op(op, op)
        with pytest.raises(ValueError, match="with itself"):
            rewriter.replace_op(op, [op.results[0]])
        with pytest.raises(ValueError, match="not in the tree"):
            rewriter.replace_op(op, body(other).operations[0])
        with pytest.raises(TypeError):
            rewriter.replace_op(op, [1])
        return True

    rewrite.walk_and_apply_patterns(adds.operation, freeze(rewrite, ("arith.addi", pattern)))
    assert adds.operation.verify()


def test_a_value_that_moves_into_the_replaced_operation(ir, rewrite, ctx):
    """The iterable of values is Python code: it may move a value into the operation that dies."""
    ctx.allow_unregistered_dialects = True
    rewritten = ir.Module.parse('"t.root"() : () -> ()')
    module = ir.Module.parse("""
        %a = "t.a"() : () -> i32
        %b = "t.b"() ({ "t.inner"() : () -> () }) : () -> i32
        "t.use"(%b) : (i32) -> ()
        """)
    a, b, use = list(module.body.operations)
    inner = b.regions[0].blocks[0].operations[0]

    def values():
        yield a.results[0]
        a.move_before(inner)

    def pattern(op, rewriter):
        with pytest.raises(ValueError, match="with what is inside"):
            rewriter.replace_op(b, values())
        return True

    rewrite.walk_and_apply_patterns(rewritten.operation, freeze(rewrite, ("t.root", pattern)))
    assert a.parent == b
    assert list(use.operands) == list(b.results)


def test_passes_wait_for_the_driver(rewrite, passmanager, adds):
    manager = passmanager.PassManager.parse("any(cse)")

    def pattern(op, rewriter):
        with pytest.raises(RuntimeError, match="rewrite"):
            manager.run(adds.operation)
        with pytest.raises(RuntimeError, match="rewrite"):
            rewrite.walk_and_apply_patterns(adds.operation, frozen)
        return True

    frozen = freeze(rewrite, ("arith.addi", pattern))
    rewrite.walk_and_apply_patterns(adds.operation, frozen)


def test_rewrites_in_a_pass(ir, rewrite, passmanager, adds):
    frozen = freeze(rewrite, ("arith.addi", to_muli(ir)))
    manager = passmanager.PassManager("builtin.module")
    manager.add(lambda op, _: rewrite.apply_patterns_and_fold_greedily(op, frozen), "rewrites")
    manager.run(adds.operation)
    assert "arith.muli" in str(adds)


def test_other_context(ir, rewrite, adds):
    frozen = rewrite.RewritePatternSet(ir.Context()).freeze()
    with pytest.raises(ValueError, match="another context"):
        rewrite.walk_and_apply_patterns(adds.operation, frozen)


def test_no_convergence(ir, rewrite, adds):
    config = rewrite.GreedyRewriteConfig()
    config.max_iterations = 2
    config.max_num_rewrites = 1

    def swap(op, rewriter):
        with rewriter.ip:
            new = ir.Operation.create(
                "arith.addi",
                results=[op.results[0].type],
                operands=[op.operands[1], op.operands[0]],
                loc=op.location,
            )
        rewriter.replace_op(op, new)

    with pytest.raises(RuntimeError, match="failed to converge"):
        rewrite.apply_patterns_and_fold_greedily(
            adds, freeze(rewrite, ("arith.addi", swap)), config
        )


def test_config(rewrite):
    config = rewrite.GreedyRewriteConfig()
    assert config.max_iterations == 10
    assert config.max_num_rewrites == -1
    assert config.use_top_down_traversal is False
    assert config.enable_folding is True
    assert config.enable_constant_cse is True
    assert config.strictness is rewrite.GreedyRewriteStrictness.ANY_OP
    assert config.region_simplification_level is rewrite.GreedySimplifyRegionLevel.AGGRESSIVE
    config.max_iterations = 3
    config.max_num_rewrites = 4
    config.use_top_down_traversal = True
    config.strictness = rewrite.GreedyRewriteStrictness.EXISTING_OPS
    config.region_simplification_level = rewrite.GreedySimplifyRegionLevel.DISABLED
    assert (config.max_iterations, config.max_num_rewrites) == (3, 4)
    assert config.use_top_down_traversal is True
    assert config.strictness is rewrite.GreedyRewriteStrictness.EXISTING_OPS
    assert config.region_simplification_level is rewrite.GreedySimplifyRegionLevel.DISABLED
    with pytest.raises(TypeError):
        config.strictness = 1


@pytest.mark.since_llvm(22, "LLVM 19 always folds, and merges constants")
def test_config_of_constants(rewrite):
    config = rewrite.GreedyRewriteConfig()
    config.enable_folding = False
    config.enable_constant_cse = False
    assert not config.enable_folding
    assert not config.enable_constant_cse


@pytest.mark.before_llvm(22, "newer LLVMs can")
def test_constants_cannot_be_kept(rewrite):
    config = rewrite.GreedyRewriteConfig()
    config.enable_folding = True
    config.enable_constant_cse = True
    with pytest.raises(NotImplementedError, match="without folding needs LLVM 22 or later"):
        config.enable_folding = False
    with pytest.raises(NotImplementedError, match="constants apart needs LLVM 22 or later"):
        config.enable_constant_cse = False


def test_capsule(ir, rewrite, adds):
    frozen = freeze(rewrite, ("arith.addi", to_muli(ir)))
    again = rewrite.FrozenRewritePatternSet._CAPICreate(frozen._CAPIPtr)
    del frozen
    gc.collect()
    rewrite.apply_patterns_and_fold_greedily(adds, again)
    assert "arith.muli" in str(adds)


def test_patterns_are_freed(rewrite, ctx):
    class Pattern:
        def __call__(self, op, rewriter):
            return True

    pattern = Pattern()
    pattern.set = freeze(rewrite, ("arith.addi", pattern))
    gone = weakref.ref(pattern)
    del pattern
    gc.collect()
    assert gone() is None


def test_pdl_needs_patterns(ir, rewrite, adds):
    with pytest.raises(ValueError, match=r"no pdl\.pattern"):
        rewrite.PDLModule(adds)
    with pytest.raises(TypeError, match="expected a Module"):
        rewrite.PDLModule(body(adds).operations[0])
    with pytest.raises(TypeError, match="expected a Module"):
        rewrite.PDLModule(1)
