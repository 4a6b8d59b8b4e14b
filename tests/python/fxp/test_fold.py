"""The folders, against fractions."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fxp import exact, interpret
from fxp.exact import Format

RUN = settings(max_examples=200, deadline=None, database=None, print_blob=True)


@pytest.fixture(scope="module")
def fold(ir, run):
    """The constant that an operation on constants folds to."""
    context = ir.Context()

    def fold(text, result):
        with context:
            module = ir.Module.parse(
                f"func.func @f() -> {result} {{ {text} return %r : {result} }}"
            )
            run(module, "canonicalize")
            block = module.body.operations[0].regions[0].blocks[0]
            constant, _ = block.operations
            return constant.value

    return fold


@pytest.mark.parametrize("op", exact.ARITHMETIC)
def test_arithmetic(fold, op):
    @RUN
    @given(st.data(), exact.formats(), exact.formats(), exact.formats())
    def check(data, lhs, rhs, result):
        a, b = data.draw(exact.integers(lhs)), data.draw(exact.integers(rhs))
        rounding, overflow = data.draw(exact.ROUNDING), data.draw(exact.OVERFLOW)
        folded = fold(
            f"%a = fxp.constant raw {a} : {lhs} %b = fxp.constant raw {b} : {rhs} "
            f"%r = fxp.{op} %a, %b rounding<{rounding}> overflow<{overflow}> "
            f": ({lhs}, {rhs}) -> {result}",
            result,
        )
        value = exact.ARITHMETIC[op](lhs.value(a), rhs.value(b))
        assert folded.raw == exact.fit(value, result, rounding, overflow)

    check()


@pytest.mark.parametrize("predicate", exact.PREDICATES)
def test_cmp(fold, predicate):
    @RUN
    @given(st.data(), exact.formats(), exact.formats())
    def check(data, lhs, rhs):
        a, b = data.draw(exact.integers(lhs)), data.draw(exact.integers(rhs))
        folded = fold(
            f"%a = fxp.constant raw {a} : {lhs} %b = fxp.constant raw {b} : {rhs} "
            f"%r = fxp.cmp {predicate}, %a, %b : {lhs}, {rhs}",
            "i1",
        )
        assert folded.value == exact.PREDICATES[predicate](lhs.value(a), rhs.value(b))

    check()


def test_convert(fold):
    @RUN
    @given(st.data(), exact.formats(), exact.formats(), exact.ROUNDING, exact.OVERFLOW)
    def check(data, source, result, rounding, overflow):
        a = data.draw(exact.integers(source))
        folded = fold(
            f"%a = fxp.constant raw {a} : {source} %r = fxp.convert %a "
            f"rounding<{rounding}> overflow<{overflow}> : {source} to {result}",
            result,
        )
        assert folded.raw == exact.fit(source.value(a), result, rounding, overflow)

    check()


@pytest.mark.parametrize("signed", [True, False])
def test_integers(fold, signed):
    unsigned = "" if signed else "unsigned "

    @RUN
    @given(st.data(), exact.formats(), st.integers(1, 96), exact.ROUNDING, exact.OVERFLOW)
    def check(data, num, width, rounding, overflow):
        integer = Format(width, 0, signed)
        a, b = data.draw(exact.integers(integer)), data.draw(exact.integers(num))
        folded = fold(
            f"%a = arith.constant {integer_literal(a, width)} "
            f"%r = fxp.from_int %a {unsigned}overflow<{overflow}> : i{width} to {num}",
            num,
        )
        assert folded.raw == exact.fit(Fraction(a), num, rounding, overflow)
        folded = fold(
            f"%a = fxp.constant raw {b} : {num} %r = fxp.to_int %a {unsigned}"
            f"rounding<{rounding}> overflow<{overflow}> : {num} to i{width}",
            f"i{width}",
        )
        assert integer.raw(folded.value) == exact.fit(num.value(b), integer, rounding, overflow)

    check()


def integer_literal(value, width):
    if width == 1:
        return "true" if value else "false"
    return f"{value} : i{width}"


@pytest.mark.parametrize("kind", exact.FLOATS)
def test_from_float(fold, kind):
    @RUN
    @given(exact.floats(kind), exact.formats(), exact.ROUNDING, exact.OVERFLOW)
    def check(value, num, rounding, overflow):
        folded = fold(
            f"%a = arith.constant {interpret.bits(value, kind):#x} : {kind} %r = fxp.from_float %a "
            f"rounding<{rounding}> overflow<{overflow}> : {kind} to {num}",
            num,
        )
        assert folded.raw == exact.fit_float(value, num, rounding, overflow)

    check()


@pytest.mark.parametrize("kind", exact.FLOATS)
def test_to_float(fold, kind):
    @RUN
    @given(st.data(), exact.formats())
    def check(data, num):
        a = data.draw(exact.integers(num))
        folded = fold(
            f"%a = fxp.constant raw {a} : {num} %r = fxp.to_float %a : {num} to {kind}", kind
        )
        assert folded.value == exact.nearest_float(num.value(a), kind)
        assert math.copysign(1, folded.value) == (-1 if a < 0 else 1)

    check()


def test_bitcast(fold):
    @RUN
    @given(st.data(), exact.formats())
    def check(data, num):
        a = data.draw(exact.integers(num))
        integer = f"i{num.width}"
        folded = fold(
            f"%a = fxp.constant raw {a} : {num} %r = fxp.bitcast %a : {num} to {integer}", integer
        )
        assert num.raw(folded.value) == a
        literal = integer_literal(a, num.width)
        folded = fold(
            f"%a = arith.constant {literal} %r = fxp.bitcast %a : {integer} to {num}", num
        )
        assert folded.raw == a

    check()


NUM = "!fxp.num<16, 8, signed>"


@pytest.mark.parametrize(
    "text",
    [
        "%c = fxp.constant 0 : T %r = fxp.add %x, %c : T",
        "%c = fxp.constant 0 : T %r = fxp.add %c, %x overflow<saturate> : T",
        "%c = fxp.constant 0 : T %r = fxp.sub %x, %c : T",
        "%c = fxp.constant 1 : T %r = fxp.mul %x, %c : T",
        "%c = fxp.constant 1 : !fxp.num<2, 0, unsigned> "
        "%r = fxp.mul %x, %c : (T, !fxp.num<2, 0, unsigned>) -> T",
        "%r = fxp.convert %x rounding<ceil> : T to T",
        "%i = fxp.bitcast %x : T to i16 %r = fxp.bitcast %i : i16 to T",
        "%v = fxp.bitcast %x : T to !fxp.num<16, 0, unsigned> "
        "%r = fxp.bitcast %v : !fxp.num<16, 0, unsigned> to T",
    ],
)
def test_what_does_nothing_is_folded_away(ctx, parse, run, text):
    text = text.replace("T", NUM)
    module = parse(f"func.func @f(%x: {NUM}) -> {NUM} {{ {text} return %r : {NUM} }}")
    assert "fxp." not in str(run(module, "canonicalize").body).replace("!fxp.num", "")


@pytest.mark.parametrize(
    ("text", "result", "folded"),
    [
        ("%r = fxp.sub %x, %x : T", "T", "fxp.constant 0.0 : T"),
        ("%c = fxp.constant 0 : T %r = fxp.mul %c, %x : T", "T", "fxp.constant 0.0 : T"),
        ("%r = fxp.cmp le, %x, %x : T, T", "i1", "arith.constant true"),
        ("%r = fxp.cmp ne, %x, %x : T, T", "i1", "arith.constant false"),
    ],
)
def test_what_is_known_without_the_operand(ctx, parse, run, text, result, folded):
    text, result, folded = (it.replace("T", NUM) for it in (text, result, folded))
    module = parse(f"func.func @f(%x: {NUM}) -> {result} {{ {text} return %r : {result} }}")
    assert folded in str(run(module, "canonicalize"))


def test_what_might_change_the_number_stays(ctx, parse, run):
    module = parse(f"""
    func.func @f(%x: {NUM}, %y: !fxp.num<12, 8, signed>) -> ({NUM}, !fxp.num<12, 8, signed>) {{
      %0 = fxp.constant 0 : {NUM}
      %1 = fxp.add %x, %0 : ({NUM}, {NUM}) -> !fxp.num<12, 8, signed>
      %2 = fxp.convert %y : !fxp.num<12, 8, signed> to {NUM}
      return %2, %1 : {NUM}, !fxp.num<12, 8, signed>
    }}""")
    text = str(run(module, "canonicalize"))
    assert "fxp.add" in text
    assert "fxp.convert" in text


def test_elements_of_vectors_and_tensors(ctx, parse, run):
    module = parse(f"""
    func.func @f() -> (vector<4x{NUM}>, tensor<2x3xi1>, tensor<2xf32>) {{
      %a = fxp.constant 1.5 : vector<4x{NUM}>
      %0 = fxp.mul %a, %a : vector<4x{NUM}>
      %b = fxp.constant 1.5 : tensor<2x3x{NUM}>
      %1 = fxp.cmp gt, %b, %b : tensor<2x3x{NUM}>, tensor<2x3x{NUM}>
      %c = arith.constant dense<7> : tensor<2xi16>
      %d = fxp.bitcast %c : tensor<2xi16> to tensor<2x{NUM}>
      %2 = fxp.to_float %d : tensor<2x{NUM}> to tensor<2xf32>
      return %0, %1, %2 : vector<4x{NUM}>, tensor<2x3xi1>, tensor<2xf32>
    }}""")
    text = str(run(module, "canonicalize"))
    assert f"fxp.constant 2.25 : vector<4x{NUM}>" in text
    assert "arith.constant dense<false> : tensor<2x3xi1>" in text
    assert "arith.constant dense<2.734375E-2> : tensor<2xf32>" in text or "0.02734375" in text


def test_what_a_dynamic_shape_leaves(ctx, parse, run):
    module = parse(f"""
    func.func @f(%x: tensor<?x{NUM}>) -> tensor<?x{NUM}> {{
      %0 = fxp.sub %x, %x : tensor<?x{NUM}>
      return %0 : tensor<?x{NUM}>
    }}""")
    assert "fxp.sub" in str(run(module, "canonicalize"))
