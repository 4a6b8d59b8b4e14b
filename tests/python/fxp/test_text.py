"""Types, attributes and operations as text, and what the verifiers refuse."""

import re

import pytest

NUM = "!fxp.num<16, 8, signed>"

OPERATIONS = f"""
func.func @f(%a: {NUM}, %b: !fxp.num<8, 0, unsigned>, %i: i8, %x: f32) -> i1 attributes {{
    bias = #fxp.value<-0.5> : {NUM}, mode = #fxp.rounding<ceil>
  }} {{
  %cst = fxp.constant -1.50390625 : {NUM}
  %cst_0 = fxp.constant {{note}} 3.0 : vector<4x!fxp.num<8, 0, unsigned>>
  %0 = fxp.add %a, %cst : {NUM}
  %1 = fxp.sub %0, %b rounding<nearest_up> : ({NUM}, !fxp.num<8, 0, unsigned>) -> {NUM}
  %2 = fxp.mul %0, %1 rounding<nearest_even> overflow<saturate> {{note}} : {NUM}
  %3 = fxp.add %cst_0, %cst_0 overflow<saturate> : vector<4x!fxp.num<8, 0, unsigned>>
  %4 = fxp.convert %2 overflow<saturate> : {NUM} to !fxp.num<64, 64, unsigned>
  %5 = fxp.from_float %x rounding<toward_zero> : f32 to {NUM}
  %6 = fxp.to_float %4 : !fxp.num<64, 64, unsigned> to bf16
  %7 = fxp.from_int %i unsigned overflow<saturate> : i8 to {NUM}
  %8 = fxp.to_int %7 unsigned rounding<nearest_away> : {NUM} to i8
  %9 = fxp.bitcast %5 : {NUM} to i16
  %10 = fxp.cmp lt, %2, %b : {NUM}, !fxp.num<8, 0, unsigned>
  return %10 : i1
}}
"""


def body(text):
    """The lines of the function's operations."""
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line.startswith("%")]


def test_operations_are_printed_as_they_were_written(ctx, parse):
    module = parse(OPERATIONS)
    printed = str(module)
    renamed = printed
    for number, name in enumerate(["%a", "%b", "%i", "%x"]):
        renamed = re.sub(rf"%arg{number}\b", name, renamed)
    assert body(renamed) == body(OPERATIONS)
    assert str(parse(printed)) == printed


def test_generic_form(ctx, parse):
    module = parse(OPERATIONS)
    generic = module.operation.get_asm(print_generic_op_form=True)
    assert "rounding = #fxp.rounding<floor>" in generic
    assert "predicate = #fxp<predicate lt>" in generic
    assert str(parse(generic)) == str(module)


@pytest.mark.parametrize(
    ("literal", "printed"),
    [
        ("1.5", "1.5"),
        ("-1.5", "-1.5"),
        ("3", "3.0"),
        ("-128", "-128.0"),
        ("0x7f", "127.0"),
        ("raw 1", "0.00390625"),
        ("raw -384", "-1.5"),
        ("2.5e-1", "0.25"),
        ("0", "0.0"),
    ],
)
def test_literals(ctx, ir, literal, printed):
    value = ir.Attribute.parse(f"#fxp.value<{literal}> : {NUM}")
    assert str(value) == f"#fxp.value<{printed}> : {NUM}"
    assert ir.Attribute.parse(str(value)) is value


def test_every_digit_of_64_bits(ctx, ir, fxp):
    for frac in (0, 1, 40, 64):
        for signed in (False, True):
            num = fxp.NumType.get(64, frac, signed)
            value = fxp.ValueAttr.get(num, (1 << (64 - signed)) - 1)
            assert ir.Attribute.parse(str(value)) is value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fxp.constant 0.1 : T", "has 8 bits behind the point; the nearest is 0.1015625"),
        ("fxp.constant 200 : T", "out of the range of '!fxp.num<16, 8, signed>', from -128.0 to"),
        ("fxp.constant raw 32768 : T", "out of the range"),
        ("fxp.constant -1.0e400 : T", "out of the range"),
        ("fxp.constant 128.0 : T", "out of the range"),
        ("fxp.constant --1 : T", "expected one minus sign"),
        ("fxp.constant true : T", "expected a number"),
        ("fxp.constant raw 1.5 : T", "expected the raw integer"),
        ("fxp.constant 1 : i16", "a fixed-point constant has a type '!fxp.num'"),
        ("fxp.constant 1 : tensor<?xT>", "has a static shape"),
        ("fxp.constant 1 : memref<2xT>", "or a vector or tensor of it, not 'memref"),
        ("func.func private @f() attributes {c = #fxp.value<1.5>}", "expected the constant's type"),
        ("func.func private @f() attributes {c = #fxp.value<1.5> : f32}", "has a type '!fxp.num'"),
        (
            "func.func private @f() attributes {c = #fxp.rounding<up>}",
            "one of: floor, ceil, toward_zero",
        ),
        ("func.func private @f() -> !fxp.num<65, 0, signed>", "has 1 to 64 bits, not 65"),
        ("func.func private @f() -> !fxp.num<0, 0, signed>", "has 1 to 64 bits, not 0"),
        ("func.func private @f() -> !fxp.num<8, 9, signed>", "8 bits cannot have 9 of them behind"),
        ("func.func private @f() -> !fxp.num<8, 4>", "expected ','"),
        ("func.func private @f() -> !fxp.num<8, 4, maybe>", "expected 'signed' or 'unsigned'"),
        ("func.func private @f() -> !fxp.num<99999999999, 4, signed>", "integer value too large"),
        ("func.func private @f() -> !fxp.nmu<8, 4, signed>", "unknown  type `nmu`"),
        ("%a = fxp.constant 1 : T %b = fxp.bitcast %a : T to i8", "has 16 and its result 8"),
        ("%a = fxp.constant 1 : T %b = fxp.to_float %a : T to f128", "f16, bf16, f32 or f64"),
        ("%a = fxp.constant 1 : T %b = fxp.to_int %a : T to index", "signless-integer"),
        ("%a = fxp.constant 1 : T %b = fxp.add %a, %a : (T, T) -> i16", "fixed-point-like"),
        ("%a = fxp.constant 1 : T %b = fxp.add %a, %a rounding<up> : T", "one of: floor, ceil"),
        (
            "%a = fxp.constant 1 : T %v = fxp.constant 1 : vector<2xT>"
            "%b = fxp.mul %a, %v : (T, vector<2xT>) -> T",
            "same shape for all operands and results",
        ),
        (
            "%a = fxp.constant 1 : tensor<2xT> %v = fxp.constant 1 : vector<2xT>"
            "%b = fxp.cmp eq, %a, %v : tensor<2xT>, vector<2xT>",
            "same shape and base type",
        ),
    ],
)
def test_refused(ctx, ir, text, message):
    with pytest.raises(ir.MLIRError) as error:
        ir.Module.parse(re.sub(r"T\b", NUM, text), ctx)
    said = [diagnostic.message for diagnostic in error.value.error_diagnostics]
    assert message in "\n".join(said)
