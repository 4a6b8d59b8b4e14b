"""Types and attributes: their meaning, their syntax, and invalid ones."""

import pytest

MALFORMED = [
    ('!units.q<"parsec/s">', "unknown unit 'parsec' in 'parsec/s'"),
    ('!units.q<"m s">', "expected '*' or '/' before 's' in the unit 'm s'"),
    ('!units.q<"">', "expected a unit at the end of the unit ''"),
    ('!units.q<"m^300">', "too large or too small to be exact"),
    ('!units.q<"m/0">', "too large or too small to be exact"),
    ('!units.q<"m", i32>', "expected f64 or f32 for the numbers, but got i32"),
    ('!units.q<"m", f32, f32>', "expected '>'"),
    ("!units.q", "expected '<'"),
    ("!units.q<3>", "expected string"),
    ('!units.q<"m"', "unbalanced '<'"),
    ('!units.q<"m">>', "trailing characters"),
    ('!units.quantity<"m">', "the dialect 'units' has no type 'quantity'"),
    ('#units.value<"m", "m">', "expected a floating-point number"),
    ("#units.value<1.0>", "expected ','"),
    ('#units.number<1.0, "m">', "the dialect 'units' has no attribute 'number'"),
]


@pytest.mark.parametrize(("text", "why"), MALFORMED)
def test_malformed_text_is_an_error_that_says_why(ir, ctx, text, why):
    parse = ir.Type.parse if text.startswith("!") else ir.Attribute.parse
    with pytest.raises(ir.MLIRError) as error:
        parse(text)
    assert why in str(error.value)


@pytest.mark.parametrize(
    ("read", "written"),
    [
        ("N", "kg*m/s^2"),
        ("1000*m/(3600*s)", "km/h"),
        ("V*A", "kg*m^2/s^3"),
        ("m/m", "1"),
        ("km*m", "1000*m^2"),
        ("\\C2\\B5m", "um"),
    ],
)
def test_a_type_is_what_its_unit_means(ir, ctx, read, written):
    one = ir.Type.parse(f'!units.q<"{read}">')
    assert one == ir.Type.parse(f'!units.q<"{written}">')
    assert str(one) == f'!units.q<"{written}">'


def test_units_of_one_dimension_are_different_types(ir, ctx):
    assert ir.Type.parse('!units.q<"km">') != ir.Type.parse('!units.q<"m">')
    assert ir.Type.parse('!units.q<"m", f32>') != ir.Type.parse('!units.q<"m">')
    assert str(ir.Type.parse('!units.q<"m", f64>')) == '!units.q<"m">'


def test_a_quantity_is_an_element_of_a_memref(ir, ctx, units):
    memref = ir.MemRefType.get([4], units.q("m"))
    assert str(memref) == 'memref<4x!units.q<"m">>'
    assert units.QuantityType(memref.element_type).unit == "m"
    assert ir.Type.parse(str(memref)) == memref


def test_quantity_type_in_python(ir, ctx, units):
    speed = units.q("km/h", "f32")
    assert isinstance(speed, ir.Type)
    assert (speed.unit, speed.element_type) == ("km/h", ir.F32Type.get())
    assert units.QuantityType(ir.Type.parse('!units.q<"N">')).element_type == ir.F64Type.get()
    assert not units.QuantityType.isinstance(ir.F64Type.get())
    with pytest.raises(ValueError, match="Cannot cast type to QuantityType"):
        units.QuantityType(ir.F64Type.get())
    with pytest.raises(ir.MLIRError, match="expected '\\*' or '/'"):
        units.q('m">, !units.q<"m')


@pytest.mark.parametrize(
    "magnitude", [0.0, -2.5, 1e300, 5e-324, 0.1, float("inf"), float("-inf"), float("nan")]
)
def test_constants_keep_every_bit(ir, ctx, units, magnitude):
    attribute = units.value(magnitude, "m")
    assert ir.Attribute.parse(str(attribute)) == attribute
    number = str(attribute).removeprefix("#units.value<").split(",")[0]
    again = ir.Attribute.parse(f"{number} : f64")
    assert str(again.value) == str(magnitude)


def test_constants_are_rounded_to_what_the_type_has(ir, ctx, units):
    assert units.value(0.1, "m", "f32") == units.value(0.10000000149011612, "m", "f32")
    assert units.value(0.1, "m") != units.value(0.10000000149011612, "m")
