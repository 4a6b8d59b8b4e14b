"""Operations: built, written, verified and folded."""

import pytest


def test_results_are_inferred(block, units):
    m, s, km = block.arguments
    speed = units.div(m, s)
    assert str(speed.type) == '!units.q<"m/s">'
    assert str(units.mul(speed, s).type) == '!units.q<"m">'
    assert str(units.mul(km, km).type) == '!units.q<"km^2">'
    assert units.sqrt(units.mul(km, km)).type == km.type
    assert units.add(m, m).type == units.sub(m, m).type == units.neg(m).type == m.type
    assert str(units.constant((2.5, "N")).type) == '!units.q<"kg*m/s^2">'
    assert units.convert(m.type, km).type == m.type


def test_classes_have_what_was_defined(block, ir, units):
    m, s, _ = block.arguments
    op = units.DivOp(m, s)
    assert op.OPERATION_NAME == "units.div"
    assert (op.lhs, op.rhs, op.result) == (m, s, op.results[0])
    assert isinstance(op.result.owner.opview, units.DivOp)
    constant = units.constant(3, "km").owner.opview
    assert str(constant.value) == '#units.value<3.000000e+00, "km">'
    constant.value = units.value(4.0, "km")
    assert constant.verify()
    with pytest.raises(ValueError, match="'None' not allowed"):
        constant.value = None
    assert ir.Operation.parse(str(constant)).opview.value == constant.value


TEXT = """\
module {
  func.func @f(%arg0: !units.q<"m">, %arg1: !units.q<"s", f32>) {
    %0 = units.constant #units.value<5.000000e-01, "km/h"> {note}
    %1 = units.convert %0 : !units.q<"km/h"> to !units.q<"m/s">
    %2 = units.div %arg0, %arg0 {a = 1 : i32} : !units.q<"m">, !units.q<"m">
    %3 = units.mul %1, %2 : !units.q<"m/s">, !units.q<"1">
    %4 = units.neg %arg1 : !units.q<"s", f32>
    return
  }
}
"""


def test_what_is_written_is_read(ir, ctx):
    module = ir.Module.parse(TEXT)
    assert str(module) == TEXT
    generic = module.operation.get_asm(print_generic_op_form=True)
    assert '"units.constant"() <{value = #units.value<5.000000e-01, "km/h">}> {note}' in generic
    assert str(ir.Module.parse(generic)) == TEXT


REFUSED = [
    (
        '%r = units.add %m, %s : !units.q<"m">, !units.q<"s">',
        "the dimensions of both quantities must be the same, but are 'm' (dimension L) and "
        "'s' (dimension T)",
    ),
    (
        '%r = units.sub %m, %km : !units.q<"m">, !units.q<"km">',
        "the units of both quantities must be the same, but are 'm' (dimension L) and 'km' "
        "(dimension L): use units.convert",
    ),
    (
        '%r = units.sqrt %m : !units.q<"m">',
        "there is no square root of the unit 'm' (dimension L): its exponents must be even",
    ),
    (
        '%r = units.convert %m : !units.q<"m"> to !units.q<"s">',
        "'units.convert' op the dimensions of both quantities must be the same, but are 'm' "
        "(dimension L) and 's' (dimension T)",
    ),
    (
        '%r = units.convert %m : !units.q<"m"> to !units.q<"m", f32>',
        "the numbers of both quantities must be the same, but are f64 and f32",
    ),
    (
        '%r = "units.mul"(%m, %s) : (!units.q<"m">, !units.q<"s">) -> !units.q<"m">',
        "but what it is given makes them '!units.q<\"m*s\">'",
    ),
    ('%r = "units.neg"() : () -> !units.q<"m">', "expects 1 operand, but has 0"),
    ('"units.neg"(%m) : (!units.q<"m">) -> ()', "expects 1 result, but has 0"),
    (
        '%r = "units.neg"(%f) : (f64) -> f64',
        "operand #0 must be a quantity, but got 'f64'",
    ),
    ('%r = "units.constant"() : () -> !units.q<"m">', "requires attribute 'value'"),
    (
        '%r = "units.constant"() {value = 1.0} : () -> !units.q<"m">',
        "attribute 'value' must be a constant quantity, but is 1.000000e+00 : f64",
    ),
    ('%r = units.neg %m : !units.q<"s">', "expects different type than prior uses"),
    ("%r = units.pow %m : f64", "units.pow"),
]


@pytest.mark.parametrize(("line", "why"), REFUSED)
def test_what_makes_no_sense_is_refused(ir, ctx, line, why):
    arguments = '%m: !units.q<"m">, %s: !units.q<"s">, %km: !units.q<"km">, %f: f64'
    with pytest.raises(ir.MLIRError) as error:
        ir.Module.parse(f"func.func @f({arguments}) {{\n{line}\nreturn }}")
    assert why in str(error.value)


def test_builders_refuse_as_the_parser_does(block, ir, units):
    m, s, _ = block.arguments
    with pytest.raises(ir.MLIRError, match=r"'m' \(dimension L\) and 's' \(dimension T\)"):
        units.add(m, s)
    with pytest.raises(ir.MLIRError, match="no square root"):
        units.sqrt(m)
    tiny = units.constant(1.0, "nm^2")
    with pytest.raises(ir.MLIRError, match="product of the units .* is too large or too small"):
        units.mul(tiny, tiny)
    with pytest.raises(ir.MLIRError, match="expects 1 operand, but has 0"):
        ir.Operation.create("units.neg", results=[m.type]).verify()


def folded(ir, passmanager, lines, unit, element="f64"):
    """The one operation that is left of these lines, whose last result is `%r`."""
    of = f'!units.q<"{unit}", {element}>'
    module = ir.Module.parse(f"func.func @f() -> {of} {{\n{lines}\nreturn %r : {of}\n}}")
    passmanager.PassManager.parse("builtin.module(canonicalize)").run(module.operation)
    first, *rest = module.body.operations[0].regions[0].blocks[0].operations
    assert len(rest) == 1, str(module)
    return first.opview


def constants(a, b, unit_a="m", unit_b="m"):
    return (
        f'%a = units.constant #units.value<{a}, "{unit_a}">\n'
        f'%b = units.constant #units.value<{b}, "{unit_b}">\n'
    )


@pytest.mark.parametrize(
    ("op", "unit", "expected"),
    [
        ("add", "m", 0.1 + 0.2),
        ("sub", "m", 0.1 - 0.2),
        ("mul", "m^2", 0.1 * 0.2),
        ("div", "1", 0.5),
    ],
)
def test_constants_are_folded_exactly(ir, passmanager, ctx, units, op, unit, expected):
    lines = constants(0.1, 0.2) + f'%r = units.{op} %a, %b : !units.q<"m">, !units.q<"m">'
    left = folded(ir, passmanager, lines, unit)
    assert left.attributes["value"] == units.value(expected, unit)


def test_single_precision_is_folded_as_such(ir, passmanager, ctx, units):
    lines = (
        '%a = units.constant #units.value<0.1, "m", f32>\n'
        '%b = units.constant #units.value<0.2, "m", f32>\n'
        '%r = units.add %a, %b : !units.q<"m", f32>, !units.q<"m", f32>'
    )
    left = folded(ir, passmanager, lines, "m", "f32")
    assert left.attributes["value"] == units.value(0.30000001192092896, "m", "f32")


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (36.0, "km/h", "m/s", 10.0),
        (1.0, "m/s", "km/h", 3.6),
        (1.0, "mi", "km", 1.609344),
        (0.1, "ft", "in", 0.1 * 12),
        (1.0, "d", "ns", 8.64e13),
        (2.0, "kW*h", "J", 7.2e6),
    ],
)
def test_conversions_are_folded_to_the_nearest_number(
    ir, passmanager, ctx, units, value, source, target, expected
):
    lines = (
        f'%a = units.constant #units.value<{value}, "{source}">\n'
        f'%r = units.convert %a : !units.q<"{source}"> to !units.q<"{target}">'
    )
    left = folded(ir, passmanager, lines, target)
    assert left.attributes["value"] == units.value(expected, target)


def test_roots_and_signs_are_folded(ir, passmanager, ctx, units):
    lines = (
        '%a = units.constant #units.value<-2.0, "m^2/s^2">\n'
        '%b = units.neg %a : !units.q<"m^2/s^2">\n'
        '%r = units.sqrt %b : !units.q<"m^2/s^2">'
    )
    left = folded(ir, passmanager, lines, "m/s")
    assert left.attributes["value"] == units.value(2.0**0.5, "m/s")


def test_what_has_no_root_is_left_alone(ir, passmanager, ctx):
    text = (
        'func.func @f() -> !units.q<"m"> {\n%a = units.constant #units.value<-1.0, "m^2">\n'
        '%r = units.sqrt %a : !units.q<"m^2">\nreturn %r : !units.q<"m">\n}'
    )
    module = ir.Module.parse(text)
    passmanager.PassManager.parse("builtin.module(canonicalize)").run(module.operation)
    assert "units.sqrt" in str(module)


def test_passes_know_the_operations(ir, passmanager, ctx):
    """Operations without effect are removed; equal operations are one, also with operands
    swapped."""
    of = '!units.q<"m">'
    module = ir.Module.parse(
        f"func.func @f(%a: {of}, %b: {of}) -> ({of}, {of}) {{\n"
        f"%0 = units.mul %a, %a : {of}, {of}\n"
        f"%1 = units.add %a, %b : {of}, {of}\n"
        f"%2 = units.add %b, %a : {of}, {of}\n"
        f"%3 = units.convert %2 : {of} to {of}\n"
        f"return %1, %3 : {of}, {of}\n}}"
    )
    passmanager.PassManager.parse("builtin.module(cse,canonicalize,cse)").run(module.operation)
    text = str(module)
    assert text.count("units.") - text.count("!units.") == 1, text
    assert "units.add" in text


def test_a_dead_operation_is_known_to_be_dead(block, ir, units):
    m, s, _ = block.arguments
    op = units.div(m, s).owner
    op.erase()
    with pytest.raises((ReferenceError, RuntimeError)):
        str(op)


def canonical(ir, passmanager, lines, unit):
    """The text of a function with these lines, whose result is `%r`, after canonicalization."""
    of = f'!units.q<"{unit}">'
    signature = f'func.func @f(%a: !units.q<"m">, %b: !units.q<"m">) -> {of}'
    module = ir.Module.parse(f"{signature} {{\n{lines}\nreturn %r : {of}\n}}")
    passmanager.PassManager.parse("builtin.module(canonicalize)").run(module.operation)
    assert module.operation.verify()
    return str(module)


def test_a_sign_that_changes_twice(ir, passmanager, ctx):
    lines = '%0 = units.neg %a : !units.q<"m">\n%r = units.neg %0 : !units.q<"m">'
    text = canonical(ir, passmanager, lines, "m")
    assert "units.neg" not in text and "return %arg0" in text


def test_the_difference_to_a_negated_quantity(ir, passmanager, ctx):
    lines = (
        '%0 = units.neg %b : !units.q<"m">\n%r = units.sub %a, %0 : !units.q<"m">, !units.q<"m">'
    )
    text = canonical(ir, passmanager, lines, "m")
    assert "units.add %arg0, %arg1" in text and "units.sub" not in text


def test_conversions_in_a_row(ir, passmanager, ctx):
    """Two become one where no digit can be lost."""
    lines = '%0 = units.convert %a : !units.q<"m"> to !units.q<"1/4*m">\n'
    lines += '%r = units.convert %0 : !units.q<"1/4*m"> to !units.q<"1/8*m">'
    assert canonical(ir, passmanager, lines, "1/8*m").count("units.convert") == 1
    lines = '%0 = units.convert %a : !units.q<"m"> to !units.q<"km">\n'
    lines += '%r = units.convert %0 : !units.q<"km"> to !units.q<"mm">'
    assert canonical(ir, passmanager, lines, "mm").count("units.convert") == 2
