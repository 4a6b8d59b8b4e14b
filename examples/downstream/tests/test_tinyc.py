"""tinyc as its users meet it: pip install its wheel, then pytest this file."""

import importlib.metadata

import pytest
import tinyc
from tinyc.mlir import ir
from tinyc.mlir.dialects import tinyc as dialect

WITHOUT_PASSES = "builtin.module()"


def test_a_sum_is_folded():
    assert "arith.constant 42 : i64" in tinyc.compile_sum("6 * 7")
    assert "arith.constant 1 : i64" in tinyc.compile_sum("3 ** 0")


def test_a_power_is_an_operation_of_the_dialect():
    text = tinyc.compile_sum("x ** 10 - y", WITHOUT_PASSES)
    assert "tinyc.power %arg0, 10 : i64" in text


def test_powers_are_multiplied_out_by_squaring():
    text = tinyc.compile_sum("x ** 10")
    assert "tinyc.power" not in text
    # x², x⁴, x⁸, and x² · x⁸.
    assert text.count("arith.muli") == 4


def test_the_first_power_is_the_base():
    assert "arith.muli" not in tinyc.compile_sum("x ** 1")


def test_the_operation_has_a_class():
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(tinyc.compile_sum("x ** 3", WITHOUT_PASSES))
        (main,) = module.body.operations
        power = main.regions[0].blocks[0].operations[0]
        assert type(power) is dialect.PowerOp
        assert power.exponent.value == 3
        with pytest.raises(ir.MLIRError, match="exponent"):
            ir.Module.parse(str(module).replace(", 3 :", ", -3 :"))


def test_what_is_no_sum_is_a_syntax_error():
    with pytest.raises(SyntaxError, match="f\\(x\\)"):
        tinyc.compile_sum("f(x)")


def test_the_wheel_says_what_it_is():
    assert importlib.metadata.version("tinyc") == "0.3.0"


def test_the_wheel_runs_on_older_systems():
    assert "manylinux_2_28_" in importlib.metadata.distribution("tinyc").read_text("WHEEL")


def test_the_licence_of_the_dialect_ships():
    metadata = importlib.metadata.metadata("tinyc")
    assert "tinyc/LICENSE" in metadata.get_all("License-File")
