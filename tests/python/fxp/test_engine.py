"""Lowered code as this machine runs it, against fractions."""

import ctypes
import importlib
import itertools
import random
from fractions import Fraction

import pytest

from fxp import exact
from fxp.exact import Format

LLVM = [
    "convert-fxp-to-arith",
    "convert-arith-to-llvm",
    "convert-func-to-llvm",
    "reconcile-unrealized-casts",
]

NARROW, WIDE = Format(12, 5, True), Format(48, 24, True)
UNSIGNED, ODD = Format(16, 16, False), Format(31, 3, False)
MODES = list(itertools.product(exact.ROUNDINGS, exact.OVERFLOWS))


@pytest.fixture(scope="module")
def functions(ir, run, root):
    """Compiles functions of up to two 64-bit integers, and returns what calls each."""
    engines = []

    def functions(texts):
        with ir.Context():
            module = ir.Module.parse("\n".join(texts))
            run(module, *LLVM)
            engine = importlib.import_module(f"{root}.execution_engine").ExecutionEngine(module)
        engines.append(engine)

        def call(name, *arguments):
            words = [ctypes.c_int64(argument) for argument in arguments]
            result = ctypes.c_int64()
            engine.invoke(name, *(ctypes.pointer(word) for word in [*words, result]))
            return result.value

        return call

    return functions


def function(name, arguments, body, result):
    """A function of integers, so that the caller needs to know of no format."""
    taken = ", ".join(f"%arg{number}: i64" for number in range(len(arguments)))
    narrowed = "\n".join(
        f"%bits{number} = arith.trunci %arg{number} : i64 to i{form.width} "
        f"%{name_of} = fxp.bitcast %bits{number} : i{form.width} to {form}"
        for number, (name_of, form) in enumerate(arguments)
    )
    return f"""
    func.func @{name}({taken}) -> i64 attributes {{llvm.emit_c_interface}} {{
      {narrowed}
      {body}
      %bits = fxp.bitcast %r : {result} to i{result.width}
      %word = arith.extsi %bits : i{result.width} to i64
      return %word : i64
    }}"""


def test_arithmetic(functions):
    cases = []
    for op, (rounding, overflow) in itertools.product(exact.ARITHMETIC, MODES):
        for lhs, rhs, result in [
            (NARROW, NARROW, NARROW),
            (WIDE, NARROW, NARROW),
            (WIDE, WIDE, WIDE),
            (UNSIGNED, NARROW, ODD),
            (UNSIGNED, ODD, UNSIGNED),
        ]:
            cases.append((f"f{len(cases)}", op, rounding, overflow, lhs, rhs, result))
    call = functions(
        function(
            name,
            [("a", lhs), ("b", rhs)],
            f"%r = fxp.{op} %a, %b rounding<{rounding}> overflow<{overflow}> "
            f": ({lhs}, {rhs}) -> {result}",
            result,
        )
        for name, op, rounding, overflow, lhs, rhs, result in cases
    )
    numbers = random.Random(4)
    for name, op, rounding, overflow, lhs, rhs, result in cases:
        for _ in range(20):
            a, b = (numbers.randint(form.least, form.greatest) for form in (lhs, rhs))
            value = exact.ARITHMETIC[op](lhs.value(a), rhs.value(b))
            expected = exact.fit(value, result, rounding, overflow)
            assert result.raw(call(name, a, b)) == expected, (op, lhs, rhs, result, rounding, a, b)


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_floats(functions, kind):
    forms = [NARROW, WIDE, UNSIGNED, ODD, Format(64, 20, True), Format(64, 0, False)]
    name_of = {"f32": "single", "f64": "double"}
    texts, cases = [], []
    for form, (rounding, overflow) in itertools.product(forms, MODES):
        name = f"from{len(cases)}"
        cases.append((name, form, rounding, overflow))
        texts.append(f"""
        func.func @{name}(%bits: i64) -> i64 attributes {{llvm.emit_c_interface}} {{
          %narrow = arith.trunci %bits : i64 to i32
          %single = arith.bitcast %narrow : i32 to f32
          %double = arith.bitcast %bits : i64 to f64
          %n = fxp.from_float %{name_of[kind]} rounding<{rounding}> overflow<{overflow}>
                 : {kind} to {form}
          %w = fxp.convert %n : {form} to !fxp.num<64, {form.frac}, signed>
          %r = fxp.bitcast %w : !fxp.num<64, {form.frac}, signed> to i64
          return %r : i64
        }}""")
    call = functions(texts)
    pack = {"f32": (ctypes.c_float, ctypes.c_int32), "f64": (ctypes.c_double, ctypes.c_int64)}
    real, word = pack[kind]
    numbers = random.Random(4)
    values = [float("nan"), float("inf"), float("-inf"), 0.0, -0.5, 1e30, -1e30, 1e-30]
    values += [numbers.randint(-(2**20), 2**20) / 2 ** numbers.randint(0, 24) for _ in range(40)]
    for (name, form, rounding, overflow), value in itertools.product(cases, values):
        value = real(value).value
        bits = word.from_buffer_copy(real(value)).value
        expected = exact.fit_float(value, form, rounding, overflow)
        assert form.raw(call(name, bits)) == expected, (form, rounding, overflow, value)


def test_to_float(functions):
    forms = [NARROW, WIDE, UNSIGNED, ODD, Format(64, 20, True), Format(64, 64, False)]
    call = functions(
        f"""
        func.func @f{number}(%bits: i64) -> i64 attributes {{llvm.emit_c_interface}} {{
          %w = fxp.bitcast %bits : i64 to !fxp.num<64, {form.frac}, signed>
          %n = fxp.convert %w : !fxp.num<64, {form.frac}, signed> to {form}
          %x = fxp.to_float %n : {form} to f64
          %r = arith.bitcast %x : f64 to i64
          return %r : i64
        }}"""
        for number, form in enumerate(forms)
    )
    numbers = random.Random(4)
    for number, form in enumerate(forms):
        for _ in range(200):
            raw = numbers.randint(form.least, form.greatest)
            word = ctypes.c_int64(call(f"f{number}", Format(64, 0, True).raw(raw)))
            expected = exact.nearest_float(Fraction(raw, 1 << form.frac), "f64")
            assert ctypes.c_double.from_buffer_copy(word).value == expected
