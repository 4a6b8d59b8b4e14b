"""The lowering of quantities to numbers."""

import re

import pytest


@pytest.fixture
def lowered(ir, passmanager, ctx):
    """Runs ``units-lower`` on the lines of a function, and returns the text that it leaves."""

    def run(signature, lines, options=""):
        module = ir.Module.parse(f"func.func @f{signature} {{\n{lines}\n}}")
        pipeline = f"builtin.module(units-lower{options})"
        passmanager.PassManager.parse(pipeline).run(module.operation)
        assert module.operation.verify()
        return str(module)

    return run


def test_each_operation(lowered):
    text = lowered(
        '(%m: !units.q<"m">, %s: !units.q<"s">) -> !units.q<"m/s">',
        """
        %0 = units.div %m, %s : !units.q<"m">, !units.q<"s">
        %1 = units.constant #units.value<2.5, "m/s">
        %2 = units.add %0, %1 : !units.q<"m/s">, !units.q<"m/s">
        %3 = units.sub %2, %1 : !units.q<"m/s">, !units.q<"m/s">
        %4 = units.neg %3 : !units.q<"m/s">
        %5 = units.mul %4, %4 : !units.q<"m/s">, !units.q<"m/s">
        %6 = units.sqrt %5 : !units.q<"m^2/s^2">
        return %6 : !units.q<"m/s">
        """,
    )
    assert "units" not in text
    assert "@f(%arg0: f64, %arg1: f64) -> f64" in text
    operations = re.findall(r"(?:arith|math)\.\w+", text)
    assert operations == [
        "arith.divf",
        "arith.constant",
        "arith.addf",
        "arith.subf",
        "arith.negf",
        "arith.mulf",
        "math.sqrt",
    ]


def test_single_precision_and_factors(lowered):
    text = lowered(
        '(%a: !units.q<"km/h", f32>) -> !units.q<"m/s", f32>',
        """
        %0 = units.convert %a : !units.q<"km/h", f32> to !units.q<"m/s", f32>
        return %0 : !units.q<"m/s", f32>
        """,
    )
    assert "5.000000e+00 : f32" in text and "1.800000e+01 : f32" in text
    assert text.index("arith.mulf") < text.index("arith.divf")
    same = lowered(
        '(%a: !units.q<"N">) -> !units.q<"kg*m/s^2">', 'return %a : !units.q<"kg*m/s^2">'
    )
    assert "return %arg0 : f64" in same


def test_roots_may_stay(ir, lowered):
    """A root that stays is illegal, and its place is said."""
    with pytest.raises(ir.MLIRError, match="failed to legalize operation 'units.sqrt'"):
        lowered(
            '(%a: !units.q<"m^2">) -> !units.q<"m">',
            '%0 = units.sqrt %a : !units.q<"m^2"> return %0 : !units.q<"m">',
            "{roots=false}",
        )


def test_functions_call_each_other(ir, passmanager, ctx):
    module = ir.Module.parse(
        """
        func.func private @g(!units.q<"m">) -> (!units.q<"s">, i32)
        func.func @f(%a: !units.q<"m">) -> !units.q<"s"> {
          %0:2 = call @g(%a) : (!units.q<"m">) -> (!units.q<"s">, i32)
          return %0#0 : !units.q<"s">
        }
        """
    )
    passmanager.PassManager.parse("builtin.module(units-lower)").run(module.operation)
    text = str(module)
    assert "private @g(f64) -> (f64, i32)" in text
    assert "call @g(%arg0) : (f64) -> (f64, i32)" in text


def test_many_operations(lowered):
    lines = "\n".join(
        f'%{n + 1} = units.add %{n}, %{n} : !units.q<"m">, !units.q<"m">' for n in range(2000)
    )
    text = lowered(
        '(%a: !units.q<"m">) -> !units.q<"m">',
        f'%0 = units.neg %a : !units.q<"m">\n{lines}\nreturn %2000 : !units.q<"m">',
    )
    assert text.count("arith.addf") == 2000 and "units" not in text
