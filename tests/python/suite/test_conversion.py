"""Dialect conversion with patterns and type converters that are written in Python."""

import pytest
from mondo_fixtures import conversions
from mondo_fixtures.conversions import (
    PROGRAM,
    Mine,
    casts,
    convert,
    frozen,
    names,
    raises,
    renamed,
    target_of,
)

# Fixtures.
ctx, module = conversions.ctx, conversions.module
rewrite, to_index = conversions.rewrite, conversions.to_index

pytestmark = pytest.mark.since_llvm(22, "the layer converts with the driver of LLVM 22")


def test_an_operation_is_replaced_and_its_operands_are_converted(ir, rewrite, module, to_index):
    seen = []

    def pattern(op, adaptor, converter, rewriter):
        seen.append([str(operand.type) for operand in adaptor.operands])
        assert isinstance(adaptor, ir.OpAdaptor)
        assert isinstance(rewriter, rewrite.ConversionPatternRewriter)
        assert isinstance(rewriter, rewrite.PatternRewriter)
        assert converter is to_index
        renamed(ir)(op, adaptor, converter, rewriter)

    convert(rewrite, module, frozen(rewrite, to_index, ("a.add", pattern)))
    assert seen == [["index", "index"]]
    text = str(module)
    assert '"b.add"' in text and '"a.add"' not in text
    # The two operands and the user have other types.
    assert text.count("unrealized_conversion_cast") == 3
    assert module.operation.verify()


def test_each_pattern_brings_its_own_converter(ir, rewrite, module, to_index):
    to_f32 = rewrite.TypeConverter()
    to_f32.add_conversion(lambda t: ir.F32Type.get())
    seen = {}

    def pattern(op, adaptor, converter, rewriter):
        seen[op.operation.name] = [str(operand.type) for operand in adaptor.operands]
        return True

    patterns = rewrite.RewritePatternSet()
    patterns.add_conversion("a.add", pattern, to_index)
    patterns.add_conversion("a.use", pattern, to_f32)
    target = target_of(rewrite, illegal=())
    convert(rewrite, module, patterns.freeze(), target)
    assert seen == {"a.add": ["index", "index"], "a.use": ["f32"]}


def test_types_are_converted_by_the_newest_function_that_takes_them(ir, rewrite, ctx):
    i1, i8, f32 = ir.IntegerType.get_signless(1), ir.IntegerType.get_signless(8), ir.F32Type.get()
    converter = rewrite.TypeConverter()
    assert converter.convert_type(i1) is None
    converter.add_conversion(lambda t: i8)
    converter.add_conversion(lambda t: f32 if t == i1 else None)
    assert converter.convert_type(i1) == f32
    assert converter.convert_type(f32) == i8


def test_a_converter_that_changes_between_two_conversions(ir, rewrite, ctx, to_index):
    patterns = frozen(rewrite, to_index, ("a.add", renamed(ir)))
    convert(rewrite, ir.Module.parse(PROGRAM), patterns)
    to_index.add_conversion(lambda t: ir.F64Type.get())
    second = ir.Module.parse(PROGRAM)
    convert(rewrite, second, patterns)
    assert "f64" in str(second)


def test_what_fails_is_taken_back(ir, rewrite, module, to_index):
    before, made = str(module), []
    patterns = frozen(rewrite, to_index, ("a.add", renamed(ir, after=made.append)))
    target = target_of(rewrite, illegal=("a.add", "a.use"))
    with pytest.raises(
        ir.MLIRError, match="partial conversion failed(.|\n)*explicitly marked illegal"
    ):
        convert(rewrite, module, patterns, target)
    assert str(module) == before
    with pytest.raises(ir.InvalidatedError):
        print(made[0])


def test_casts_that_would_stay_fail_by_default(ir, rewrite, module, to_index):
    patterns = frozen(rewrite, to_index, ("a.add", renamed(ir)))
    with pytest.raises(ir.MLIRError, match="failed to legalize unresolved materialization"):
        rewrite.apply_partial_conversion(module.operation, target_of(rewrite), patterns)


def test_a_full_conversion_leaves_nothing_that_no_rule_allows(ir, rewrite, module, to_index):
    patterns = frozen(rewrite, to_index, ("a.add", renamed(ir)))
    target = target_of(rewrite, legal=("a.top", "a.one", "a.use"))
    with pytest.raises(ir.MLIRError, match="full conversion failed(.|\n)*builtin.module"):
        rewrite.apply_full_conversion(module.operation, target, patterns, casts(rewrite))
    target.add_legal_op("builtin.module")
    rewrite.apply_full_conversion(module.operation, target, patterns, casts(rewrite))
    assert "b.add" in str(module)


def test_what_a_pattern_inserts_has_to_be_legal(ir, rewrite, module, to_index):
    patterns = frozen(rewrite, to_index, ("a.add", renamed(ir, "c.add")))
    target = target_of(rewrite, illegal=("a.add", "c.add"))
    with pytest.raises(ir.MLIRError):
        convert(rewrite, module, patterns, target)
    chain = frozen(
        rewrite, to_index, ("a.add", renamed(ir, "c.add")), ("c.add", renamed(ir, "b.add"))
    )
    convert(rewrite, module, chain, target)
    assert "b.add" in names(module) and "c.add" not in names(module)


def test_what_a_pattern_inserts_may_be_without_a_rule(ir, rewrite, module, to_index):
    patterns = frozen(rewrite, to_index, ("a.add", renamed(ir, "c.add")))
    convert(rewrite, module, patterns)
    assert "c.add" in names(module)


def test_what_a_pattern_raises_arrives_at_the_caller(rewrite, ir, module, to_index):
    before = str(module)
    with pytest.raises(Mine):
        convert(rewrite, module, frozen(rewrite, to_index, ("a.add", raises)))
    assert str(module) == before

    def after_changes(op, adaptor, converter, rewriter):
        renamed(ir)(op, adaptor, converter, rewriter)
        raise Mine

    with pytest.raises(Mine):
        convert(rewrite, module, frozen(rewrite, to_index, ("a.add", after_changes)))
    assert str(module) == before


@pytest.mark.parametrize("answer", [raises, lambda t: 3], ids=["raises", "number"])
def test_what_a_type_conversion_raises_arrives_at_the_caller(ir, rewrite, module, to_index, answer):
    before = str(module)
    to_index.add_conversion(answer)
    patterns = frozen(rewrite, to_index, ("a.add", renamed(ir)))
    with pytest.raises((Mine, TypeError)):
        convert(rewrite, module, patterns)
    assert str(module) == before
    # What failed is asked again.
    again = rewrite.TypeConverter()
    again.add_conversion(lambda t: ir.IndexType.get())
    convert(rewrite, module, frozen(rewrite, again, ("a.add", renamed(ir))))


def test_a_type_of_another_context(ir, rewrite, module, to_index):
    other = ir.Context()
    to_index.add_conversion(lambda t: ir.IndexType.get(other))
    with pytest.raises(ValueError, match="context"):
        convert(rewrite, module, frozen(rewrite, to_index, ("a.add", renamed(ir))))


def test_nothing_is_of_use_after_the_pattern_has_returned(ir, rewrite, module, to_index):
    kept = []

    def pattern(*given):
        renamed(ir)(*given)
        kept.extend(given)

    convert(rewrite, module, frozen(rewrite, to_index, ("a.add", pattern)))
    op, adaptor, converter, rewriter = kept
    with pytest.raises(RuntimeError, match="rewriter is invalid"):
        print(rewriter.ip)
    with pytest.raises(RuntimeError, match="rewriter is invalid"):
        rewriter.erase_op(module.body.operations[0])
    with pytest.raises(RuntimeError, match="rewriter is invalid"):
        rewriter.convert_region_types(module.body.operations[0].regions[0], converter)
    with pytest.raises(ir.InvalidatedError):
        op.operands[0]
    with pytest.raises(ir.InvalidatedError):
        adaptor.attributes["x"]
    assert [str(operand.type) for operand in adaptor.operands] == ["index", "index"]
    assert converter is to_index


def erased_users(ir, rewrite, to_index):
    def erase(op, adaptor, converter, rewriter):
        rewriter.erase_op(op)

    return frozen(rewrite, to_index, ("a.add", erase), ("a.use", erase))


def test_an_erased_operation_whose_users_go_too(ir, rewrite, module, to_index):
    patterns = erased_users(ir, rewrite, to_index)
    convert(rewrite, module, patterns, target_of(rewrite, illegal=("a.add", "a.use")))
    assert names(module) == ["a.top", "a.one"]


def test_an_erased_operation_whose_results_are_used(ir, rewrite, module, to_index):
    patterns = erased_users(ir, rewrite, to_index)
    with pytest.raises(ir.MLIRError, match="erased 'a.add', whose results are still used"):
        convert(rewrite, module, patterns, target_of(rewrite, legal=("a.use",)))
    # Printing would use what is gone.
    assert "mondo.erased" in str(module)
