"""Inherent attributes: MLIR keeps each in a form of the operation's own, and leaves a null where an
attribute is of the wrong kind, or removed. Printers and the bytecode writer dereference some."""

import io

import pytest

TEXT = """
func.func @f(%a: i32, %x: f32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.cmpi slt, %a, %a : i32
  %2 = arith.addf %x, %x : f32
  call @f(%a, %x) : (i32, f32) -> ()
  return
}
"""

# An operation, an attribute, and attributes of other kinds.
WRONG = [
    ("arith.addi", "overflowFlags", '"x"'),
    ("arith.addi", "overflowFlags", "unit"),
    ("arith.addf", "fastmath", "1 : i32"),
    ("arith.cmpi", "predicate", '"slt"'),
    ("func.call", "callee", '"f"'),
    ("func.func", "function_type", "unit"),
    ("func.func", "sym_name", "@f"),
]


@pytest.fixture
def module(ir, ctx, here):
    return ir.Module.parse(TEXT)


def find(module, name):
    body = module.body.operations[0]
    inner = body.regions[0].blocks[0].operations
    return next(op for op in [body, *inner] if op.operation.name == name)


def bytecode(op):
    to = io.BytesIO()
    op.operation.write_bytecode(to)
    return to.getvalue()


def as_ever(ir, module):
    assert module.operation.verify()
    assert str(ir.Module.parse(bytecode(module))) == str(module)


@pytest.mark.parametrize(("name", "attribute", "wrong"), WRONG)
def test_an_attribute_of_the_wrong_kind_is_refused(ir, module, name, attribute, wrong):
    op = find(module, name)
    before, text = op.attributes[attribute], str(module)
    with pytest.raises(ValueError, match=f"`{attribute}` of `{name}` cannot be ") as raised:
        op.attributes[attribute] = ir.Attribute.parse(wrong)
    assert wrong in str(raised.value)
    assert op.attributes[attribute] == before and str(module) == text
    as_ever(ir, module)


@pytest.mark.parametrize(("name", "attribute", "wrong"), WRONG)
@pytest.mark.parametrize("infer", [False, True])
def test_nothing_is_made_with_an_attribute_of_the_wrong_kind(
    ir, module, name, attribute, wrong, infer
):
    body = module.body.operations[0].regions[0].blocks[0]
    operand = body.arguments[1 if name == "arith.addf" else 0]
    operands = [operand] * 2 if name.startswith("arith") else []
    regions = int(name == "func.func")
    # Some cannot infer.
    with pytest.raises((ir.MLIRError, ValueError)):
        ir.Operation.create(
            name,
            operands=operands,
            results=[operand.type] if not infer and operands else None,
            attributes={attribute: ir.Attribute.parse(wrong)},
            regions=regions,
            infer_type=infer,
        )
    assert len(list(operand.uses)) == {"i32": 5, "f32": 3}[str(operand.type)]
    as_ever(ir, module)


def test_the_message_of_a_creation(ir, module):
    with pytest.raises(ir.MLIRError, match='`sym_name` of `func.func` cannot be "?unit"?: '):
        ir.Operation.create("func.func", attributes={"sym_name": ir.UnitAttr.get()}, regions=1)


def test_what_has_a_default_gets_it_back(ir, module, arith):
    add = find(module, "arith.addi")
    default = add.attributes["overflowFlags"]
    add.attributes["overflowFlags"] = ir.Attribute.parse("#arith.overflow<nsw>")
    assert "nsw" in str(add)
    del add.attributes["overflowFlags"]
    assert add.attributes["overflowFlags"] == default and "nsw" not in str(add)
    as_ever(ir, module)


@pytest.mark.parametrize(
    ("name", "attribute"),
    [("arith.cmpi", "predicate"), ("func.call", "callee"), ("func.func", "sym_name")],
)
def test_what_has_to_be_there_can_be_removed_and_set_again(ir, module, name, attribute):
    op = find(module, name)
    value = op.attributes[attribute]
    del op.attributes[attribute]
    assert attribute not in op.attributes
    with pytest.raises(KeyError):
        del op.attributes[attribute]
    assert f'"{name}"' in str(op.operation)
    with pytest.raises(ir.MLIRError, match=attribute):
        module.operation.verify()
    with pytest.raises(ValueError, match=f"`{name}` lacks an attribute"):
        bytecode(module)
    op.attributes[attribute] = value
    as_ever(ir, module)


def test_optional_and_discardable_attributes(ir, module):
    function = find(module, "func.func")
    function.attributes["sym_visibility"] = ir.StringAttr.get("private")
    del function.attributes["sym_visibility"]
    assert "sym_visibility" not in function.attributes
    for value in (ir.UnitAttr.get(), ir.StringAttr.get("x")):
        function.attributes["mine.note"] = value
        assert function.attributes["mine.note"] == value
    del function.attributes["mine.note"]
    as_ever(ir, module)


@pytest.mark.parametrize("name", ["func.call", "func.func", "arith.cmpi", "arith.constant"])
def test_an_operation_without_what_it_has_to_have_is_not_written(ir, ctx, here, name):
    op = ir.Operation.create(name)
    with pytest.raises(ValueError, match=f"`{name}` lacks an attribute"):
        bytecode(op)


def test_what_is_only_invalid_is_written(ir, ctx, here):
    """As upstream does it: the reader, which verifies, refuses it."""
    op = ir.Operation.create("arith.addi")
    with pytest.raises(ir.MLIRError):
        op.verify()
    with pytest.raises(ir.MLIRError, match="op requires one result"):
        ir.Operation.parse(bytecode(op))


def test_regions_stay_where_an_attribute_is_refused(ir, ctx, here):
    region = ctx.new_region()
    block = region.blocks.append()
    for results in ([], None):
        with pytest.raises(ir.MLIRError, match="sym_name"):
            ctx.new_op(
                "builtin.module",
                attributes={"sym_name": ir.UnitAttr.get()},
                regions=[region],
                results=results,
            )
        assert list(region.blocks) == [block]
    made = ctx.new_op("builtin.module", regions=[region], results=[])
    assert list(made.regions[0].blocks) == [block]
