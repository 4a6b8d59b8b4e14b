"""The pass convert-fxp-to-arith: the lowered code computes the semantics of the operations."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fxp import exact, interpret
from fxp.exact import Format

RUN = settings(max_examples=200, deadline=None, database=None, print_blob=True)
PASS = "convert-fxp-to-arith"


@pytest.fixture(scope="module")
def lowered(ir, run):
    """Lowers a function of one operation and calls it, twice: by a Python interpreter of arith,
    and with constants for arguments that MLIR folds."""
    context = ir.Context()

    def lowered(text, result, *arguments):
        with context:
            names = ", ".join(f"%{name}: {kind}" for name, kind, _, _ in arguments)
            module = ir.Module.parse(
                f"func.func @f({names}) -> {result} {{ {text} return %r : {result} }}"
            )
            run(module, PASS)
            left = str(module)
            assert "fxp" not in left
            assert "unrealized" not in left
            called = interpret.call(module, *(value for _, _, _, value in arguments))

            # Not before the pass, which would fold the operation itself.
            block = module.body.operations[0].regions[0].blocks[0]
            with ir.InsertionPoint.at_block_begin(block), ir.Location.unknown():
                for argument, (_, _, text, _) in zip(block.arguments, arguments, strict=True):
                    constant = ir.Operation.parse(f"arith.constant {text}")
                    ir.InsertionPoint.current.insert(constant)
                    argument.replace_all_uses_with(constant.result)
            run(module, "canonicalize")
            operations = module.body.operations[0].regions[0].blocks[0].operations
            folded = None
            if len(operations) == 2:
                folded = operations[0].value.value
            return called, folded

    return lowered


def literal(raw, width):
    """An integer in arith's text, where an i1 is a word."""
    if width == 1:
        return "true" if raw else "false"
    return f"{raw} : i{width}"


def number(name, form, raw):
    """An argument that is a number, as its integer's bits."""
    return name, str(form), literal(raw, form.width), raw & ((1 << form.width) - 1)


def check_integer(form, results, expected):
    called, folded = results
    assert form.raw(called) == expected
    assert folded is not None, "the lowered constants do not fold"
    assert form.raw(folded) == expected


@pytest.mark.parametrize("op", exact.ARITHMETIC)
def test_arithmetic(lowered, op):
    @RUN
    @given(st.data(), exact.formats(), exact.formats(), exact.formats())
    def check(data, lhs, rhs, result):
        a, b = data.draw(exact.integers(lhs)), data.draw(exact.integers(rhs))
        rounding, overflow = data.draw(exact.ROUNDING), data.draw(exact.OVERFLOW)
        results = lowered(
            f"%r = fxp.{op} %a, %b rounding<{rounding}> overflow<{overflow}> "
            f": ({lhs}, {rhs}) -> {result}",
            result,
            number("a", lhs, a),
            number("b", rhs, b),
        )
        value = exact.ARITHMETIC[op](lhs.value(a), rhs.value(b))
        check_integer(result, results, exact.fit(value, result, rounding, overflow))

    check()


@pytest.mark.parametrize("predicate", exact.PREDICATES)
def test_cmp(lowered, predicate):
    @RUN
    @given(st.data(), exact.formats(), exact.formats())
    def check(data, lhs, rhs):
        a, b = data.draw(exact.integers(lhs)), data.draw(exact.integers(rhs))
        results = lowered(
            f"%r = fxp.cmp {predicate}, %a, %b : {lhs}, {rhs}",
            "i1",
            number("a", lhs, a),
            number("b", rhs, b),
        )
        expected = exact.PREDICATES[predicate](lhs.value(a), rhs.value(b))
        check_integer(Format(1, 0, False), results, expected)

    check()


def test_convert(lowered):
    @RUN
    @given(st.data(), exact.formats(), exact.formats(), exact.ROUNDING, exact.OVERFLOW)
    def check(data, source, result, rounding, overflow):
        a = data.draw(exact.integers(source))
        results = lowered(
            f"%r = fxp.convert %a rounding<{rounding}> overflow<{overflow}> : {source} to {result}",
            result,
            number("a", source, a),
        )
        expected = exact.fit(source.value(a), result, rounding, overflow)
        check_integer(result, results, expected)

    check()


@pytest.mark.parametrize("signed", [True, False])
def test_integers(lowered, signed):
    unsigned = "" if signed else "unsigned "

    @RUN
    @given(st.data(), exact.formats(), st.integers(2, 96), exact.ROUNDING, exact.OVERFLOW)
    def check(data, num, width, rounding, overflow):
        integer, kind = Format(width, 0, signed), f"i{width}"
        a, b = data.draw(exact.integers(integer)), data.draw(exact.integers(num))
        results = lowered(
            f"%r = fxp.from_int %a {unsigned}overflow<{overflow}> : {kind} to {num}",
            num,
            ("a", kind, literal(a, width), a & ((1 << width) - 1)),
        )
        check_integer(num, results, exact.fit(Fraction(a), num, "floor", overflow))
        results = lowered(
            f"%r = fxp.to_int %b {unsigned}rounding<{rounding}> overflow<{overflow}> "
            f": {num} to {kind}",
            kind,
            number("b", num, b),
        )
        check_integer(integer, results, exact.fit(num.value(b), integer, rounding, overflow))

    check()


@pytest.mark.parametrize("kind", exact.FLOATS)
def test_from_float(lowered, kind):
    @RUN
    @given(exact.floats(kind), exact.formats(), exact.ROUNDING, exact.OVERFLOW)
    def check(value, num, rounding, overflow):
        called, folded = lowered(
            f"%r = fxp.from_float %a rounding<{rounding}> overflow<{overflow}> : {kind} to {num}",
            num,
            ("a", kind, f"{interpret.bits(value, kind):#x} : {kind}", value),
        )
        expected = exact.fit_float(value, num, rounding, overflow)
        assert num.raw(called) == expected
        # arith folds no float operation whose result is not a number.
        if folded is not None:
            assert num.raw(folded) == expected

    check()


@pytest.mark.parametrize("kind", exact.FLOATS)
def test_to_float(lowered, kind):
    @RUN
    @given(st.data(), exact.formats())
    def check(data, num):
        a = data.draw(exact.integers(num))
        called, folded = lowered(
            f"%r = fxp.to_float %a : {num} to {kind}", kind, number("a", num, a)
        )
        assert called == exact.nearest_float(num.value(a), kind)
        # arith does not fold a narrowing of floats that has to round.
        if folded is not None:
            assert folded == called
        assert math.copysign(1, called) == (-1 if a < 0 else 1)

    check()


NUM = "!fxp.num<16, 8, signed>"


@pytest.mark.parametrize(
    ("text", "operations"),
    [
        ("%r = fxp.add %x, %x : T", ["arith.addi"]),
        ("%r = fxp.sub %x, %y : T", ["arith.subi"]),
        ("%r = fxp.bitcast %x : T to T", []),
        ("%r = fxp.convert %x overflow<saturate> : T to T", []),
        ("%i = fxp.bitcast %x : T to i16 %r = fxp.bitcast %i : i16 to T", []),
    ],
)
def test_what_costs_nothing_stays_cheap(ctx, parse, run, text, operations):
    text = text.replace("T", NUM)
    module = parse(f"func.func @f(%x: {NUM}, %y: {NUM}) -> {NUM} {{ {text} return %r : {NUM} }}")
    run(module, PASS)
    block = module.body.operations[0].regions[0].blocks[0]
    assert [op.operation.name for op in block.operations] == [*operations, "func.return"]


def test_numbers_become_integers_everywhere(ctx, parse, run):
    module = parse(f"""
    func.func private @declared(memref<4x{NUM}>, tensor<?x{NUM}>) -> tuple<{NUM}, i1>
    func.func @f(%x: {NUM}, %g: ({NUM}) -> vector<4x{NUM}>) -> vector<4x{NUM}> attributes {{
        bias = #fxp.value<1.5> : {NUM}, splat = #fxp.value<-1> : vector<4x{NUM}>, of = [{NUM}]
      }} {{
      %0 = call_indirect %g(%x) : ({NUM}) -> vector<4x{NUM}>
      return %0 : vector<4x{NUM}>
    }}
    """)
    text = str(run(module, PASS))
    assert "fxp" not in text
    assert "@declared(memref<4xi16>, tensor<?xi16>) -> tuple<i16, i1>" in text
    assert "(%arg0: i16, %arg1: (i16) -> vector<4xi16>) -> vector<4xi16>" in text
    assert "bias = 384 : i16" in text
    assert "splat = dense<-256> : vector<4xi16>" in text
    assert "call_indirect %arg1(%arg0) : (i16) -> vector<4xi16>" in text


def test_operations_of_unknown_dialects(ir, run):
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        module = ir.Module.parse(f"""
        %0 = "other.make"() ({{
        ^bb0(%x: {NUM}):
          %y = fxp.add %x, %x : {NUM}
          "other.end"(%y)[^bb1] : ({NUM}) -> ()
        ^bb1:
          "other.end"() : () -> ()
        }}) : () -> {NUM}
        """)
        text = str(run(module, PASS))
    assert "fxp" not in text
    assert "^bb0(%arg0: i16)" in text
    assert "arith.addi %arg0, %arg0 : i16" in text


def test_what_it_does_not_touch(ctx, parse, run):
    text = "func.func @f(%x: memref<4xi16>) attributes {a = 1 : i8} { return }"
    module = parse(text)
    before = str(module)
    function = module.body.operations[0]
    assert str(run(module, PASS)) == before
    assert module.body.operations[0] is function


def test_a_dynamic_shape_is_an_error(ctx, ir, parse, run):
    module = parse(f"""
    func.func @f(%x: tensor<?x{NUM}>) -> tensor<?x{NUM}> {{
      %0 = fxp.mul %x, %x overflow<saturate> : tensor<?x{NUM}>
      return %0 : tensor<?x{NUM}>
    }}""")
    with pytest.raises(ir.MLIRError) as error:
        run(module, PASS)
    assert "failed to legalize operation 'fxp.mul'" in str(error.value)


def test_shaped_operations(ctx, parse, run):
    module = parse(f"""
    func.func @f() -> (vector<[4]xf32>, tensor<2xi8>) {{
      %a = fxp.constant 1.5 : vector<[4]x{NUM}>
      %0 = fxp.to_float %a : vector<[4]x{NUM}> to vector<[4]xf32>
      %b = fxp.constant -1.5 : tensor<2x{NUM}>
      %1 = fxp.to_int %b rounding<nearest_up> overflow<saturate> : tensor<2x{NUM}> to tensor<2xi8>
      return %0, %1 : vector<[4]xf32>, tensor<2xi8>
    }}""")
    text = str(run(module, PASS, "canonicalize"))
    assert "arith.constant dense<1.500000e+00> : vector<[4]xf32>" in text
    assert "arith.constant dense<-1> : tensor<2xi8>" in text
