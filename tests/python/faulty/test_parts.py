"""Groups, attributes, regions and successors of a Rust dialect in Python: as those of C++ are."""

import pytest

FUNC = """\
module {
  sample.func @f (i32, i1) -> i32 {
  ^bb0(%arg0: i32, %arg1: i1):
    sample.cond_br %arg1 : i1, ^bb1 (%arg0, %arg0 : i32, i32), ^bb2
  ^bb1(%0: i32, %1: i32):  // pred: ^bb0
    %2 = sample.add %0, %1 : i32
    sample.br ^bb3 (%2 : i32)
  ^bb2:  // pred: ^bb0
    sample.br ^bb3 (%arg0 : i32)
  ^bb3(%3: i32):  // 2 preds: ^bb1, ^bb2
    sample.return %3 : i32
  }
}
"""

FORMS = """\
module {
  sample.func @f (i32, i1, index) -> i32 visible "private" attributes {note} {
  ^bb0(%arg0: i32, %arg1: i1, %arg2: index):
    %0 = sample.if %arg1 : i1 -> i32 {
      sample.yield %arg0 : i32
    } else {
      %6 = sample.constant 7 : i32
      sample.yield %6 : i32
    }
    sample.if %arg1 : i1 {
    }
    %1 = sample.repeat %arg2 : index from %0 : i32 -> i32 {
    ^bb0(%arg3: index, %arg4: i32):
      %6 = sample.add %arg4, %arg4 {a} : i32
      sample.yield %6 : i32
    }
    sample.repeat %arg2 : index {
    ^bb0(%arg3: index):
    }
    %2 = sample.compare lt fast %1 : i32, %0 : i32 if %arg1 -> i1
    %3 = sample.compare not %1 : i32 {width = 8 : i64} -> i1
    %4:4 = sample.gather : i32, i64 | i1 | f32
    %5 = sample.gather : | | i8
    sample.switch %1 : i32 {
    } case {
    ^bb0:
    }, {
    }
    sample.return %1 : i32
  }
}
"""


@pytest.mark.parametrize("text", [FUNC, FORMS], ids=["blocks", "regions"])
def test_what_is_written_is_read(ir, ctx, text):
    module = ir.Module.parse(text)
    assert str(module) == text
    generic = module.operation.get_asm(print_generic_op_form=True)
    assert str(ir.Module.parse(generic)) == text


def test_bytecode_keeps_it(ir, ctx, tmp_path):
    module = ir.Module.parse(FORMS)
    with (tmp_path / "f.mlirbc").open("wb") as file:
        module.operation.write_bytecode(file)
    assert str(ir.Module.parse((tmp_path / "f.mlirbc").read_bytes())) == FORMS


def test_attributes_are_properties(ir, ctx):
    module = ir.Module.parse(FORMS)
    generic = module.operation.get_asm(print_generic_op_form=True)
    sizes = "operandSegmentSizes = array<i32: 1, 1, 1>"
    assert f"<{{fast, {sizes}, predicate = 1 : i32, width = 32 : i64}}>" in generic
    assert '<{function_type = (i32, i1, index) -> i32, sym_name = "f"' in generic


def test_classes_have_what_was_defined(ir, ctx, sample):
    i1, i32 = (ir.IntegerType.get_signless(width) for width in (1, 32))
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        seven = sample.constant(ir.IntegerAttr.get(i32, 7))
        yes = sample.constant(ir.IntegerAttr.get(i1, 1))
        compare = sample.CompareOp(i1, seven, None, yes, "lt")
        assert (compare.lhs, compare.rhs, compare.mask) == (seven, None, yes)
        assert compare.predicate.value == sample.Predicate.lt == 1
        assert compare.width.value == 32 and compare.fast is None
        other = sample.CompareOp(i1, seven, seven, None, sample.Predicate.not_, fast=True)
        assert (other.rhs, other.mask, other.predicate.value) == (seven, None, -3)
        assert str(sample.Predicate.not_) == "not"
        gather = sample.GatherOp([i32, i32], i1, [])
        assert len(gather.first) == 2 and gather.middle.type == i1 and len(gather.last) == 0
        switch = sample.SwitchOp(seven, num_cases=2)
        assert (
            switch.default == switch.regions[0] and list(switch.cases) == list(switch.regions)[1:]
        )
        branches = sample.IfOp([], yes)
        for region in (branches.yes, branches.no):
            with ir.InsertionPoint(region.blocks.append()):
                sample.yield_([])
        function = sample.FuncOp("f", ir.TypeAttr.get(ir.FunctionType.get([], [])))
        entry, end = (
            function.body.blocks.append(),
            function.body.blocks.append(i32, arg_locs=[ir.Location.unknown()]),
        )
        with ir.InsertionPoint(entry):
            nine = sample.constant(ir.IntegerAttr.get(i32, 9))
            branch = sample.BrOp([nine], end)
            assert branch.next == end and list(branch.operands) == [nine]
        with ir.InsertionPoint(end):
            sample.return_([])
    assert module.operation.verify()
    assert str(ir.Module.parse(str(module))) == str(module)


REFUSED = [
    ('"sample.br"() : () -> ()', "requires 1 successor|expects 1 successor, but has 0"),
    ('"sample.if"(%b) ({}) : (i1) -> ()', "expects 2 regions, but has 1"),
    ('"sample.switch"(%i) : (i32) -> ()', "expects at least 1 region, but has 0"),
    (
        '%c = "sample.compare"(%i) <{predicate = 1 : i32}> : (i32) -> i1',
        "requires attribute 'operandSegmentSizes'",
    ),
    (
        '%c = "sample.compare"(%i) '
        "<{predicate = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32) -> i1",
        "has 1 operands, but 'operandSegmentSizes' says 2",
    ),
    (
        '%c = "sample.compare"(%i, %i, %i) '
        "<{predicate = 1 : i32, operandSegmentSizes = array<i32: 1, 2, 0>}>"
        " : (i32, i32, i32) -> i1",
        "expects at most one operand `rhs`, but has 2",
    ),
    (
        '%c = "sample.compare"(%i) '
        "<{predicate = 1 : i32, operandSegmentSizes = array<i32: 2, -1, 0>}> : (i32) -> i1",
        "'operandSegmentSizes' has a negative element",
    ),
    (
        '%c = "sample.compare"(%i) <{predicate = 1 : i32, operandSegmentSizes = array<i32: 1>}>'
        " : (i32) -> i1",
        "'operandSegmentSizes' has 1 elements, but needs 3",
    ),
    ("%c = sample.compare ne %i : i32 -> i1", "expected one of eq, lt, not, found 'ne'"),
    (
        '%c = "sample.compare"(%i) '
        "<{predicate = 5 : i32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> i1",
        "attribute 'predicate' must be a predicate, but is 5 : i32",
    ),
    (
        '"sample.repeat"(%n) ({^bb0: "sample.yield"() : () -> ()}) : (index) -> ()',
        "whose first argument is an index",
    ),
]


@pytest.mark.parametrize(("line", "why"), REFUSED)
def test_what_is_not_as_defined_is_refused(ir, ctx, line, why):
    text = f"func.func @f(%i: i32, %b: i1, %n: index) {{ {line} return }}"
    with pytest.raises(ir.MLIRError, match=why):
        ir.Module.parse(text)


def test_inference_sees_properties_and_defaults(ir, ctx, sample):
    i64 = ir.IntegerType.get_signless(64)
    module = ir.Module.parse("%0 = sample.constant 3 : i64")
    [constant] = module.body.operations
    assert constant.result.type == i64
    constant.attributes["value"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(8), 3)
    with pytest.raises(ir.MLIRError, match="sample.constant"):
        module.operation.verify()
