"""Operations, blocks, lists and attributes that an extension over IRCore.h makes and looks at.

`test_ircore.py` runs this file in a process of its own.
"""

import array
import gc
import importlib
import io

import pytest


@pytest.fixture(scope="session")
def ext(root):
    return importlib.import_module(f"{root}._mlir_libs._fxp_classes")


@pytest.fixture
def module(ctx, ir):
    ctx.allow_unregistered_dialects = True
    return ir.Module.create()


@pytest.fixture
def here(ir, module):
    with ir.InsertionPoint(module.body):
        yield module


@pytest.fixture
def i32(ctx, ir):
    return ir.IntegerType.get_signless(32)


@pytest.fixture
def two(ext, here, i32):
    """An operation with two results, in the module."""
    return ext.create("test.two", results=[i32, i32])


def test_a_created_operation_is_the_packages_object(ir, ext, here, i32):
    attributes = {"value": ir.IntegerAttr.get(i32, 7)}
    made = ext.create("arith.constant", results=[i32], attributes=attributes)
    assert type(made) is ir.Operation
    assert here.body.operations[0].operation is made
    assert ext.object_of(made) is made
    assert made.attributes["value"] == attributes["value"]
    assert made.opview is here.body.operations[0]
    assert made.verify()


def test_operands_results_successors_and_regions(ir, ext, module, i32, two):
    with ir.Location.name("there") as loc:
        made = ext.create("test.both", [i32], list(two.results), regions=2)
    assert list(made.operands) == list(two.results)
    assert len(made.regions) == 2
    assert made.location == loc
    first = ext.append_block(made.regions[0], [])
    block = ext.append_block(made.regions[0], [i32], [loc])
    jump = ext.create("test.jump", successors=[block], ip=ir.InsertionPoint(first))
    assert list(jump.successors) == [block]
    assert block.arguments[0].type is i32
    ext.create("test.end", ip=ir.InsertionPoint(block))
    assert made.verify()


def test_inferred_results(ir, ext, here, i32):
    one = ext.create("arith.constant", [i32], attributes={"value": ir.IntegerAttr.get(i32, 1)})
    made = ext.create("arith.addi", operands=[one.result] * 2, infer_type=True)
    assert made.result.type is i32


def test_where_a_created_operation_goes(ir, ext, module):
    assert not ext.create("test.a", ip=False).attached
    assert not ext.create("test.b").attached
    with ir.InsertionPoint(module.body):
        last = ext.create("test.last")
        ext.create("test.nowhere", ip=False)
        ext.create("test.default", ip=None)
        ext.create("test.first", ip=ir.InsertionPoint(last))
    names = [op.operation.name for op in module.body.operations]
    assert names == ["test.first", "test.last", "test.default"]
    with pytest.raises(TypeError, match="ip must be an InsertionPoint, False"):
        ext.create("test.c", ip=42)
    with pytest.raises(TypeError, match="ip must be an InsertionPoint, False"):
        ext.create("test.c", ip=True)
    assert len(module.body.operations) == 3


def test_names_that_no_dialect_has(ir, ext, ctx):
    made = ext.create("arith.no_such", ip=False)
    with pytest.raises(ir.MLIRError, match="unregistered"):
        made.verify()
    with pytest.raises(ir.MLIRError):
        ext.create("nobody.knows", infer_type=True, ip=False)


def test_wrong_arguments_of_create(ir, ext, here, i32, two):
    def refused(error, said, *args, **kwargs):
        before = len(here.body.operations)
        with pytest.raises(error, match=said):
            ext.create(*args, **kwargs)
        assert len(here.body.operations) == before

    refused(ValueError, "result type cannot be None", "test.x", results=[None])
    refused(ValueError, "operand value cannot be None", "test.x", operands=[None])
    refused(ValueError, "successor block cannot be None", "test.x", successors=[None])
    refused(ValueError, "number of regions must be >= 0", "test.x", regions=-1)
    refused(TypeError, 'Invalid attribute value for the key "a"', "test.x", attributes={"a": 1})
    refused(TypeError, "key .not a string.", "test.x", attributes={1: ir.UnitAttr.get()})
    refused(TypeError, "incompatible function arguments", "test.x", results=[42])
    refused(TypeError, "incompatible function arguments", "test.x", results=i32)
    refused(TypeError, "incompatible function arguments", 42)
    value = two.results[0]
    two.erase()
    refused(ir.InvalidatedError, "destroyed|erased", "test.x", operands=[value])
    with ir.Context(), ir.Location.unknown() as elsewhere:
        pass
    refused(ValueError, "context", "test.x", results=[i32], loc=elsewhere)


def test_create_needs_a_location(ir, ext):
    with ir.Context(), pytest.raises(RuntimeError, match="requires a Location"):
        ext.create("test.x")


def test_an_operation_that_nobody_keeps_is_destroyed(ext, two):
    assert ext.create_and_drop(two.results[0]) == (True, False)
    made = ext.create("test.use", operands=[two.results[0]], ip=False)
    assert len(list(two.results[0].uses)) == 1
    del made
    gc.collect()
    assert not list(two.results[0].uses)


def test_an_operation_that_cpp_keeps(ir, ext, here):
    kept = ext.Kept(ext.create("test.kept", ip=False))
    gc.collect()
    assert kept.name() == "test.kept"
    made = ext.create("test.erased")
    kept = ext.Kept(made)
    assert kept.object() is made
    made.erase()
    with pytest.raises(ir.InvalidatedError):
        kept.name()
    other = ext.create("test.erased")
    ext.Kept(other).erase()
    with pytest.raises(ir.InvalidatedError):
        str(other)
    last = ext.create("test.last")
    kept = ext.Kept(last)
    kept.invalidate()
    for use in (kept.name, last.verify):
        with pytest.raises(ir.InvalidatedError):
            use()


def test_an_operation_that_cpp_moves_by_the_c_api(ir, ext, module):
    made = ext.create("test.moved", ip=False)
    ext.append_by_c(module.body, made)
    assert made.attached
    del made
    gc.collect()
    made = module.body.operations[0].operation
    assert made.name == "test.moved"
    ext.remove_by_c(made)
    assert not made.attached
    assert not len(module.body.operations)
    del module
    gc.collect()
    assert str(made).startswith('"test.moved"')


def test_build_generic(ir, ext, here, i32):
    attributes = {"value": ir.IntegerAttr.get(i32, 1)}
    made = ext.build_generic("arith.constant", (0, True), results=[i32], attributes=attributes)
    assert type(made) is ir.Operation
    assert here.body.operations[0].operation is made
    inferred = ext.build_generic("arith.addi", (0, True), operands=[made.result] * 2)
    assert inferred.result.type is i32
    grouped = ext.build_generic(
        "test.groups", (1, False), [1, -1], results=[i32], operands=[made.result, [made.result] * 2]
    )
    assert (len(grouped.operands), len(grouped.regions)) == (3, 1)
    assert "operandSegmentSizes" in grouped.attributes
    assert not ext.build_generic("test.x", (0, True), results=[], ip=False).attached
    with pytest.raises(ValueError, match="requires a minimum of 1 regions"):
        ext.build_generic("test.x", (1, False), results=[], regions=0)


def test_construct_derived(ir, ext, dialect, here, i32):
    attributes = {"value": ir.IntegerAttr.get(i32, 1)}
    made = ext.create("arith.constant", results=[i32], attributes=attributes)
    cls = dialect("arith").ConstantOp
    view = ext.construct(cls, made)
    assert type(view) is cls
    assert view.operation is made
    assert view == made.opview


def test_create_block(ir, ext, here, i32):
    region = ext.create("test.region", regions=1).regions[0]
    block = ext.append_block(region, [i32, i32])
    assert [argument.type for argument in block.arguments] == [i32, i32]
    assert block in list(region.blocks)
    assert ext.append_block(region, []).arguments is not None
    with pytest.raises(TypeError, match="createBlock: type 1 is not a Type"):
        ext.append_block(region, [i32, 42])
    with pytest.raises(TypeError, match="createBlock: location 0 is not a Location"):
        ext.append_block(region, [i32], [42])
    with pytest.raises(ValueError, match="expected a location for each of the 2 arguments, got 1"):
        ext.append_block(region, [i32, i32], [ir.Location.unknown()])
    with pytest.raises(ValueError, match="different contexts"):
        ext.append_block(region, [i32], [ir.Location.unknown(ir.Context())])
    assert len(region.blocks) == 2


def test_printing(ir, ext, here, i32):
    attributes = {"value": ir.IntegerAttr.get(i32, 1)}
    made = ext.create("arith.constant", results=[i32], attributes=attributes)
    assert ext.generic_form(made) == made.get_asm(print_generic_op_form=True)
    assert ext.generic_form(made.opview, binary=True).startswith(b"%0 = ")
    file = io.StringIO()
    ext.print_to(here.operation, file, skip_regions=True)
    assert file.getvalue().strip() == "module {...}"
    other = ext.create("arith.constant", results=[i32], attributes=attributes)
    file = io.StringIO()
    ext.print_named_in(other, here.operation, file)
    assert file.getvalue().startswith("%c1_i32_0 = ")
    assert ext.name_of_value(other.result) == "%c1_i32_0"
    value = other.result
    other.erase()
    with pytest.raises(ir.InvalidatedError):
        ext.name_of_value(value)


def test_notes_of_diagnostics(ir, ext, ctx):
    broken = "func.func @f() { return }\nfunc.func @f() { return }"
    ctx.emit_error_diagnostics = True

    def parse():
        with pytest.raises(ir.MLIRError):
            ir.Module.parse(broken)

    assert ext.notes_of(parse)[-1] == "see existing symbol definition here"


def test_lists(ir, ext, here, i32, two):
    many = ext.create("test.many", results=[i32] * 5, operands=list(two.results))
    assert type(ext.odd_results(many)) is ir.OpResultList
    assert list(ext.odd_results(many)) == [many.results[1], many.results[3]]
    assert ext.result_at(many.results, -1) is many.results[4]
    with pytest.raises(IndexError):
        ext.result_at(many.results, 5)
    assert ext.results_of_both(many.results, two.results) == [*many.results, *two.results]
    assert ext.owner_of_results(many.results) is many
    assert list(ext.reversed_operands(many)) == list(two.results)[::-1]
    operands = ext.operands_of(many)
    ext.replace_operand(many, 0, two.results[1])
    assert list(operands) == [two.results[1]] * 2
    with pytest.raises(IndexError):
        ext.replace_operand(many, 2, two.results[1])
    with pytest.raises(TypeError, match="incompatible function arguments"):
        ext.result_at(many.operands, 0)
    results = ext.odd_results(many)
    many.erase()
    for gone in (results, operands):
        with pytest.raises(ir.InvalidatedError):
            list(gone)


def test_regions_blocks_and_arguments(ir, ext, here, i32):
    made = ext.create("test.regions", regions=2)
    assert list(ext.regions_of(made)) == list(made.regions)
    blocks = ext.blocks_of(made.regions[1])
    first, second = (ext.append_to(blocks, i32, i32) for _ in range(2))
    assert list(made.regions[1].blocks) == [first, second]
    assert list(ext.arguments_of(first)) == list(first.arguments)
    here = [ir.Location.name(name) for name in "ab"]
    other = ext.append_to(blocks, i32, i32, locs=here)
    assert [argument.location for argument in other.arguments] == here
    jump = ext.create("test.jump", successors=[second], ip=ir.InsertionPoint(first))
    assert ext.neighbours(first) == (0, 1)
    assert ext.neighbours(second) == (1, 0)
    ext.replace_successor(jump, 0, other)
    assert ext.neighbours(second) == (0, 0)
    operations = ext.operations_of(first)
    assert operations[0].operation is jump
    jump.erase()
    assert not len(operations)


def test_uses(ext, two):
    user = ext.create("test.user", operands=list(two.results))
    use = ext.first_use(two.results[1])
    assert use == next(iter(two.results[1].uses))
    view, number = ext.user_of(use)
    assert (view.operation, number) == (user, 1)


def test_attributes_of_operations(ir, ext, here, i32):
    unit = ir.UnitAttr.get()
    made = ext.create("test.attributes", attributes={"a": unit, "b": ir.TypeAttr.get(i32)})
    assert ext.attribute_names(made) == ["a", "b"]
    assert ext.rename_attribute(made, "a", "z") == (False, 2)
    assert made.attributes["z"] is unit
    assert ext.attribute_at(made, 1).name == "z"
    assert ext.attribute_or(made, "z") is unit
    assert ext.attribute_or(made, "no") is None
    assert ext.attribute_or(made, "no", 42) == 42
    with pytest.raises(KeyError):
        ext.rename_attribute(made, "a", "y")
    with pytest.raises(IndexError):
        ext.attribute_at(made, 2)


def test_a_sequence_of_the_extensions_own(ext, here, i32):
    made = ext.create("test.many", results=[i32] * 4)
    results = ext.Results(made)
    assert len(results) == 4
    assert list(results) == list(made.results)
    assert results[-1] is made.results[3]
    assert list(results[1:]) == list(made.results)[1:]
    assert list(results[::-2]) == list(made.results)[::-2]
    assert list(results[1:][::2]) == list(made.results)[1::2]
    assert results + results[:1] == [*made.results, made.results[0]]
    assert results.operation() is made
    for index in (4, -5):
        with pytest.raises(IndexError):
            results[index]


def test_elements_of_attributes(ir, ext, ctx, i32):
    entries = ir.ArrayAttr.get([ir.UnitAttr.get(), ir.StringAttr.get("s")])
    assert ext.array_at(entries, 1) is entries[1]
    assert ext.number_at(ir.DenseI64ArrayAttr.get([4, 5]), 1) == 5
    assert ext.number_at(ir.DenseBoolArrayAttr.get([False, True]), 1) is True
    for attr in (entries, ir.DenseI64ArrayAttr.get([4, 5])):
        at = ext.array_at if attr is entries else ext.number_at
        for index in (2, -1):
            with pytest.raises(IndexError):
                at(attr, index)
    assert ext.path(["a", "b"]).value == ["a", "b"]
    numbers = [ir.IntegerAttr.get(i32, n) for n in (3, 4)]
    elements = ext.elements(numbers)
    assert type(elements) is ir.DenseIntElementsAttr
    assert (ext.count(elements), ext.element_at(elements, 1)) == (2, 4)
    with pytest.raises(IndexError):
        ext.element_at(elements, 2)
    f64 = ir.RankedTensorType.get([3], ir.F64Type.get())
    assert ext.element_at(ext.splat(f64, ir.FloatAttr.get_f64(0.5)), 2) == 0.5
    assert list(ext.elements_of_buffer(array.array("i", [1, 2]))) == [1, 2]
    i8 = ir.RankedTensorType.get([2], ir.IntegerType.get_signless(8))
    assert type(ext.resource(b"ab", i8)) is ir.DenseResourceElementsAttr
    with pytest.raises(TypeError):
        ext.elements_of_buffer(42)
    named = ir.DictAttr.get({"a": ir.UnitAttr.get()})
    assert (ext.count(named), ext.has(named, "a"), ext.has(named, "b")) == (1, True, False)
    assert ext.strings(["a", "b"]) == ["0a", "1b"]
    with pytest.raises(RuntimeError, match=r"Invalid attribute .*\(42\)"):
        ext.strings([42])


def test_what_is_current(ir, ext):
    assert ext.current() == (None, None, None)
    with ir.Context() as context:
        assert ext.current() == (context, None, None)
        with ir.Location.name("it") as loc:
            module = ir.Module.create()
            with ir.InsertionPoint(module.body) as ip:
                assert ext.current() == (context, ip, loc)
                made = ext.create("test.x", ip=False)
                ext.insert_at_current(made)
                assert module.body.operations[0].operation is made
            with pytest.raises(ValueError, match="no current insertion point"):
                ext.insert_at_current(made)


def test_builders_and_flags(ir, ext, ctx):
    assert ext.build_attribute("I32Attr", 3, ctx) == ir.IntegerAttr.get(
        ir.IntegerType.get_signless(32), 3
    )
    with pytest.raises(KeyError, match="NoSuchAttr"):
        ext.build_attribute("NoSuchAttr", 3, ctx)
    assert ext.set_builder("FxpTestAttr", lambda value, context: value, False)
    assert ext.build_attribute("FxpTestAttr", 3, ctx) == 3
    with pytest.raises(RuntimeError, match="already registered"):
        ext.set_builder("FxpTestAttr", lambda value, context: value, False)
    assert ext.debug_flag(True) is True
    assert ext.debug_flag(False) is False


def test_lists_of_pointers(ir, ext, here, i32, two):
    assert ext.nulls([two, None, two.opview]) == 1
    assert ext.nulls([]) == 0
    types = ext.same_types([i32, None])
    assert types[0] is i32
    assert types[1] is None
    for wrong in ([42], 42):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            ext.same_types(wrong)
    # The handles that `nanobind::cast` makes would be gone before anybody uses the pointers.
    with pytest.raises(RuntimeError, match="bad_cast"):
        ext.cast_pointers([i32])
