"""What patterns of a conversion may change, and what is taken back."""

import gc
import importlib
import weakref

import pytest
from mondo_fixtures import conversions
from mondo_fixtures.conversions import (
    PROGRAM,
    Mine,
    casts,
    check_refused,
    convert,
    first,
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


REFUSED = {
    "erase": (lambda ir, op, adaptor, rewriter: first(op).erase(), "rewrite is under way"),
    "erase itself": (lambda ir, op, adaptor, rewriter: op.erase(), "rewrite is under way"),
    "detach": (lambda ir, op, a, r: first(op).detach_from_parent(), "rewrite is under way"),
    "move": (lambda ir, op, a, r: op.move_before(first(op)), "rewrite is under way"),
    "erase another": (lambda ir, op, a, r: r.erase_op(first(op)), "each of them once"),
    "replace another": (
        lambda ir, op, a, r: r.replace_op(first(op), [op.operands[0]]),
        "each of them once",
    ),
    "replace the whole": (
        lambda ir, op, a, r: r.replace_op(op.operation.parent.parent, []),
        "each of them once",
    ),
    "erase twice": (
        lambda ir, op, a, r: (r.erase_op(op), r.erase_op(op)),
        "each of them once",
    ),
    "set_type": (
        lambda ir, op, a, r: op.results[0].set_type(ir.IndexType.get()),
        "conversion is under way",
    ),
    "uses": (
        lambda ir, op, a, r: op.operands[0].replace_all_uses_with(op.operands[1]),
        "conversion is under way",
    ),
    "argument": (
        lambda ir, op, a, r: op.operation.block.add_argument(
            ir.IndexType.get(), ir.Location.unknown()
        ),
        "conversion is under way",
    ),
    "erase argument": (
        lambda ir, op, a, r: op.operation.block.erase_argument(0),
        "conversion is under way",
    ),
    "erase block": (
        lambda ir, op, a, r: op.operation.block.erase(),
        "conversion is under way",
    ),
    "a user outside": (
        lambda ir, op, a, r: ir.Operation.create(
            "b.x", operands=[op.operands[0]], loc=op.location, ip=False
        ),
        "rewriter.ip",
    ),
    "a copy outside": (lambda ir, op, a, r: op.operation.clone(ip=False), "rewriter.ip"),
    "move a block": (
        lambda ir, op, a, r: op.operation.block.append_to(op.operation.parent.regions[0]),
        "only move blocks",
    ),
    "another run": (
        lambda ir, op, a, r: (
            importlib.import_module(ir.__name__.replace(".ir", ".passmanager"))
            .PassManager.parse("builtin.module(canonicalize)")
            .run(op.operation.parent.parent)
        ),
        "",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_a_pattern_cannot_do(ir, rewrite, module, to_index, what):
    attempt, match = REFUSED[what]
    check_refused(ir, rewrite, module, to_index, lambda *given: attempt(ir, *given), match)


def test_operations_and_blocks_that_are_inserted_are_taken_back(ir, rewrite, module, to_index):
    made = []

    def attempt(op, adaptor, rewriter):
        i32 = ir.IntegerType.get_signless(32)
        with rewriter.ip, op.location:
            outer = ir.Operation.create("b.outer", regions=1, operands=adaptor.operands)
            block = outer.regions[0].blocks.append(i32)
            with ir.InsertionPoint(block):
                inner = ir.Operation.create("b.inner", results=[i32], operands=[block.arguments[0]])
                inner.attributes["x"] = ir.UnitAttr.get()
            # The driver knows of `outer` from here on.
            op.attributes["seen"] = ir.UnitAttr.get()
            with ir.InsertionPoint(block):
                last = ir.Operation.create("b.last", operands=[inner.result, adaptor.operands[0]])
            other = outer.regions[0].blocks.append()
            with ir.InsertionPoint(other):
                lost = ir.Operation.create("b.lost")
        made.extend([outer, block, inner, last, other, lost])
        raise RuntimeError("conversion")

    check_refused(ir, rewrite, module, to_index, attempt)
    for one in made:
        with pytest.raises(ir.InvalidatedError):
            str(one)


def test_a_detached_operation_that_is_inserted_is_taken_back(ir, rewrite, module, to_index):
    loose = ir.Operation.parse('"b.loose"() ({ %0 = "b.in"() : () -> i32 }) : () -> ()')
    inner = loose.regions[0].blocks[0].operations[0]

    def attempt(op, adaptor, rewriter):
        rewriter.ip.insert(loose)
        raise RuntimeError("conversion")

    check_refused(ir, rewrite, module, to_index, attempt)
    for one in loose, inner:
        with pytest.raises(ir.InvalidatedError):
            str(one)


def test_changes_in_place_are_taken_back(ir, rewrite, module, to_index):
    def attempt(op, adaptor, rewriter):
        one = first(op)
        op.attributes["x"] = ir.UnitAttr.get()
        one.attributes["y"] = ir.UnitAttr.get()
        op.operands[0] = op.operands[1]
        op.operation.location = ir.Location.name("z")
        with rewriter.ip:
            new = ir.Operation.create("b.new", results=[op.results[0].type], loc=op.location)
        op.operation.block.operations[len(op.operation.block.operations) - 1].operands[0] = (
            new.result
        )
        raise RuntimeError("conversion")

    check_refused(ir, rewrite, module, to_index, attempt)


def test_an_operation_is_made_legal_in_place(ir, rewrite, module, to_index):
    def pattern(op, adaptor, converter, rewriter):
        if "done" in op.attributes:
            return True
        op.attributes["done"] = ir.UnitAttr.get()
        for index, operand in enumerate(adaptor.operands):
            op.operands[index] = operand
        return None

    convert(
        rewrite,
        module,
        frozen(rewrite, to_index, ("a.use", pattern)),
        target_of(rewrite, illegal=()),
    )
    assert '"a.use"(%2) {done} : (index)' in str(module)
    assert module.operation.verify()


def test_replacements_do_not_go_in_a_circle(ir, rewrite, ctx):
    """MLIR's driver would follow them without end."""
    module = ir.Module.parse("""
      %0 = "a.one"() : () -> i32
      %1 = "a.two"(%0) : (i32) -> i32
      "a.use"(%0, %1) : (i32, i32) -> ()
    """)
    converter = rewrite.TypeConverter()
    converter.add_conversion(lambda t: t)
    errors = []

    def by_the_next(op, adaptor, converter, rewriter):
        try:
            rewriter.replace_op(op, module.body.operations[1].results)
        except ValueError as error:
            errors.append(str(error))
            return True

    def by_the_operand(op, adaptor, converter, rewriter):
        rewriter.replace_op(op, adaptor.operands)

    patterns = frozen(rewrite, converter, ("a.one", by_the_next), ("a.two", by_the_operand))
    target = target_of(rewrite, illegal=("a.two",))
    convert(rewrite, module, patterns, target)
    assert "defined before the operation" in errors[0]
    assert '"a.use"(%0, %0)' in str(module)


def test_the_types_of_a_region_are_converted(ir, rewrite, module, to_index):
    top = module.body.operations[0]
    block = top.regions[0].blocks[0]
    old = block.arguments[0]

    def pattern(op, adaptor, converter, rewriter):
        if "done" in op.attributes:
            return True
        rewriter.convert_region_types(op.regions[0], converter)
        assert str(op.regions[0].blocks[0].arguments[0].type) == "index"
        # The old block is still there, but not in the region any more.
        assert str(old.type) == "i32" and block.region is None
        with pytest.raises(RuntimeError, match="conversion is under way"):
            block.append(ir.Operation.create("b.x", loc=op.location, ip=False))
        op.attributes["done"] = ir.UnitAttr.get()

    patterns = frozen(
        rewrite,
        to_index,
        ("a.top", pattern),
        ("a.add", renamed(ir)),
        ("a.one", renamed(ir, "b.one")),
    )
    target = target_of(rewrite, illegal=("a.add", "a.one"))
    convert(rewrite, module, patterns, target)
    assert str(top.regions[0].blocks[0].arguments[0].type) == "index"
    with pytest.raises(ir.InvalidatedError):
        print(old.type)
    with pytest.raises(ir.InvalidatedError):
        print(block.arguments)
    assert module.operation.verify()


def test_the_types_of_a_region_are_taken_back(ir, rewrite, module, to_index):
    before = str(module)
    block = module.body.operations[0].regions[0].blocks[0]

    def pattern(op, adaptor, converter, rewriter):
        rewriter.convert_region_types(op.regions[0], converter)
        raise Mine

    with pytest.raises(Mine):
        convert(rewrite, module, frozen(rewrite, to_index, ("a.top", pattern)), target_of(rewrite))
    assert str(module) == before
    assert block.region is not None and str(block.arguments[0].type) == "i32"


def test_a_region_whose_types_cannot_be_converted(ir, rewrite, module, to_index):
    none = rewrite.TypeConverter()
    errors = []

    def pattern(op, adaptor, converter, rewriter):
        try:
            rewriter.convert_region_types(op.regions[0], none)
        except ValueError as error:
            errors.append(str(error))
        return True

    convert(
        rewrite,
        module,
        frozen(rewrite, to_index, ("a.top", pattern)),
        target_of(rewrite, illegal=()),
    )
    assert "has no type for an argument" in errors[0]


def moves_the_block(ir, rewrite, to_index, then):
    """A pattern for `a.top`, whose block goes into a new operation."""

    def pattern(op, adaptor, converter, rewriter):
        with rewriter.ip, op.location:
            new = ir.Operation.create("b.top", regions=2)
            first = new.regions[0].blocks.append()
            first.add_argument(ir.IndexType.get(), op.location)
            op.regions[0].blocks[0].append_to(new.regions[1])
            rewriter.convert_region_types(new.regions[1], converter)
        rewriter.replace_op(op, new)
        then()

    return frozen(rewrite, to_index, ("a.top", pattern), ("a.add", renamed(ir)))


def test_a_block_is_moved_into_a_new_operation(ir, rewrite, module, to_index):
    patterns = moves_the_block(ir, rewrite, to_index, lambda: None)
    convert(rewrite, module, patterns, target_of(rewrite, illegal=("a.top", "a.add")))
    assert names(module)[0] == "b.top" and "b.add" in names(module)
    first, second = module.body.operations[0].regions
    assert [str(one.blocks[0].arguments[0].type) for one in (first, second)] == ["index"] * 2
    assert module.operation.verify()


def test_a_moved_block_is_taken_back(ir, rewrite, module, to_index):
    before = str(module)
    block = module.body.operations[0].regions[0].blocks[0]
    patterns = moves_the_block(ir, rewrite, to_index, raises)
    with pytest.raises(Mine):
        convert(rewrite, module, patterns, target_of(rewrite, illegal=("a.top", "a.add")))
    assert str(module) == before and block.region.owner == module.body.operations[0]


def test_only_regions_of_what_matched_are_converted(ir, rewrite, module, to_index):
    check_refused(
        ir,
        rewrite,
        module,
        to_index,
        lambda op, adaptor, rewriter: rewriter.convert_region_types(
            op.operation.parent.regions[0], to_index
        ),
        "regions of the operation that it matched",
    )


def test_a_type_conversion_cannot_change_what_is_converted(ir, rewrite, module, to_index):
    top, errors = module.body.operations[0], []

    def change(t):
        try:
            top.attributes["x"] = ir.UnitAttr.get()
        except RuntimeError as error:
            errors.append(str(error))
        # Types that MLIR checks can be made.
        assert ir.VectorType.get([2], t, loc=ir.Location.unknown())
        return None

    to_index.add_conversion(change)
    convert(rewrite, module, frozen(rewrite, to_index, ("a.add", renamed(ir))))
    assert errors and "conversion is under way" in errors[0]


def test_other_trees_can_be_converted_meanwhile(ir, rewrite, module, to_index):
    inner = ir.Module.parse(PROGRAM)
    depth = []

    def pattern(*given):
        depth.append(1)
        if len(depth) == 1:
            convert(rewrite, inner, patterns)
        renamed(ir)(*given)

    patterns = frozen(rewrite, to_index, ("a.add", pattern))
    convert(rewrite, module, patterns)
    for one in module, inner:
        assert "b.add" in names(one) and one.operation.verify()


def test_a_conversion_in_a_conversion_of_the_same_tree(ir, rewrite, module, to_index):
    patterns = frozen(rewrite, to_index, ("a.add", renamed(ir)))
    check_refused(
        ir,
        rewrite,
        module,
        to_index,
        lambda op, adaptor, rewriter: convert(rewrite, module, patterns),
        "under way",
    )


def test_the_last_reference_to_the_module_goes_meanwhile(ir, rewrite, ctx, to_index):
    modules = [ir.Module.parse(PROGRAM)]
    gone = weakref.ref(modules[0])

    def pattern(*given):
        modules.clear()
        gc.collect()
        renamed(ir)(*given)

    rewrite.apply_partial_conversion(
        modules[0].operation,
        target_of(rewrite),
        frozen(rewrite, to_index, ("a.add", pattern)),
        casts(rewrite),
    )
    gc.collect()
    assert gone() is None


def test_what_a_set_refers_to_lives_as_long_as_the_set(ir, rewrite, module):
    converter = rewrite.TypeConverter()
    converter.add_conversion(lambda t: ir.IndexType.get())
    pattern = renamed(ir)
    patterns = frozen(rewrite, converter, ("a.add", pattern))
    alive = weakref.ref(pattern)
    del converter, pattern
    gc.collect()
    convert(rewrite, module, patterns)
    assert "b.add" in names(module)
    del patterns
    gc.collect()
    assert alive() is None


def test_cycles_through_a_converter_are_collected(ir, rewrite, ctx):
    class Holder:
        pass

    holder = Holder()
    holder.converter = rewrite.TypeConverter()
    holder.converter.add_conversion(lambda t, kept=holder: kept and None)
    holder.patterns = rewrite.RewritePatternSet()
    holder.patterns.add_conversion("a.x", lambda *a, kept=holder: kept, holder.converter)
    holder.frozen = holder.patterns.freeze()
    gone = weakref.ref(holder)
    del holder
    gc.collect()
    assert gone() is None


def test_sets_and_drivers_that_do_not_fit(ir, rewrite, module, to_index):
    conversions = frozen(rewrite, to_index, ("a.add", renamed(ir)))
    for driver in rewrite.apply_patterns_and_fold_greedily, rewrite.walk_and_apply_patterns:
        with pytest.raises(ValueError, match="add_conversion"):
            driver(module.operation, conversions)
    with pytest.raises(ValueError, match="add_conversion"):
        print(conversions._CAPIPtr)
    plain = rewrite.RewritePatternSet().freeze()
    adopted = rewrite.FrozenRewritePatternSet._CAPICreate(plain._CAPIPtr)
    convert(rewrite, module, adopted, target_of(rewrite, illegal=()))
    other = ir.Context()
    target = rewrite.ConversionTarget(other)
    with pytest.raises(ValueError, match="context"):
        rewrite.apply_partial_conversion(module.operation, target, conversions)


def test_patterns_without_a_converter(ir, rewrite, module):
    def pattern(op, rewriter):
        with rewriter.ip:
            new = ir.Operation.create(
                "b.add",
                results=[op.results[0].type],
                operands=list(op.operands),
                loc=op.location,
            )
        rewriter.replace_op(op, new)

    patterns = rewrite.RewritePatternSet()
    patterns.add("a.add", pattern)
    convert(rewrite, module, patterns.freeze())
    assert "b.add" in names(module) and "unrealized" not in str(module)


def test_the_options(ir, rewrite):
    config = rewrite.ConversionConfig()
    modes = rewrite.DialectConversionFoldingMode
    assert config.folding_mode is modes.BEFORE_PATTERNS
    assert config.build_materializations is True
    for mode in modes:
        config.folding_mode = mode
        assert config.folding_mode is mode
    with pytest.raises(TypeError, match="DialectConversionFoldingMode"):
        config.folding_mode = 1


@pytest.mark.beyond_core("arith")
def test_folding(ir, rewrite, ctx, to_index):
    text = """
      func.func @f(%a: i32) -> i32 {
        %0 = arith.constant 0 : i32
        %1 = arith.addi %a, %0 : i32
        return %1 : i32
      }
    """
    calls = []

    def pattern(op, adaptor, converter, rewriter):
        calls.append(op.operation.name)
        return True

    target = rewrite.ConversionTarget()
    target.add_illegal_op("arith.addi")
    module = ir.Module.parse(text)
    patterns = frozen(rewrite, to_index, ("arith.addi", pattern))
    convert(rewrite, module, patterns, target)
    assert calls == [] and "addi" not in str(module)
    config = casts(rewrite)
    config.folding_mode = rewrite.DialectConversionFoldingMode.NEVER
    with pytest.raises(ir.MLIRError):
        convert(rewrite, ir.Module.parse(text), patterns, target, config)
    assert calls == ["arith.addi"]


def test_wrong_arguments(ir, rewrite, ctx, to_index):
    patterns = rewrite.RewritePatternSet()
    with pytest.raises(TypeError):
        patterns.add_conversion("a.x", 3, to_index)
    with pytest.raises(TypeError):
        patterns.add_conversion("a.x", print, 3)
    with pytest.raises(TypeError):
        patterns.add_conversion(3, print, to_index)
    with pytest.raises(ValueError):
        patterns.add_conversion("", print, to_index)
    with pytest.raises(TypeError):
        to_index.add_conversion(3)
    with pytest.raises(TypeError):
        to_index.convert_type(3)
    target = rewrite.ConversionTarget()
    with pytest.raises(TypeError):
        target.add_legal_op(3)
    with pytest.raises(AttributeError):
        target.add_legal_dialect(int)
    with pytest.raises(TypeError):
        rewrite.ConversionTarget.__new__(rewrite.ConversionTarget).add_legal_op("a.x")
    with pytest.raises(TypeError):
        rewrite.RewritePatternSet.__new__(rewrite.RewritePatternSet).add_conversion(
            "a.x", print, to_index
        )
