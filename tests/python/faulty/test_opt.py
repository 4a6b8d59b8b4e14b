"""``mlir-opt`` of a bundle runs passes in Rust, by their names, with their options."""

import subprocess
import sys
from pathlib import Path

import pytest

TEXT = """func.func @f(%a: i32) -> i32 {
  %0 = sample.constant 3 : i32
  %1 = sample.add %a, %0 : i32
  return %1 : i32
}"""


@pytest.fixture
def opt(root):
    """Runs the command on a text."""
    path = Path(sys.executable).parent / f"{root.partition('.')[0]}-opt"
    assert path.is_file(), f"the wheel installed no {path.name}"

    def run(*arguments, text=TEXT):
        return subprocess.run(
            [path, *arguments], input=text, capture_output=True, text=True, timeout=60, check=False
        )

    return run


def test_a_pass_is_an_option(opt):
    done = opt("--sample-lower")
    assert done.returncode == 0, done.stderr
    assert "arith.addi" in done.stdout and "sample." not in done.stdout


def test_passes_and_their_options_are_listed(opt):
    said = opt("--help").stdout
    assert "--sample-lower" in said and "Makes operations of `arith`." in said
    assert "--number" in said and "The name of the attribute." in said
    assert "--faulty-convert-left" in said


def test_a_pipeline_with_options(opt):
    pipeline = "builtin.module(func.func(sample-mark{name=seen number=5 all=true}),canonicalize)"
    done = opt(f"--pass-pipeline={pipeline}")
    assert done.returncode == 0, done.stderr
    assert "return {seen = 5 : i64}" in done.stdout
    again = opt(f"--pass-pipeline={pipeline}", "--dump-pass-pipeline")
    assert "sample-mark{all=true name=seen number=5}" in again.stderr


def test_statistics_and_generic_form(opt):
    done = opt(
        "--pass-pipeline=builtin.module(func.func(sample-mark))",
        "--mlir-pass-statistics",
        "--mlir-print-op-generic",
    )
    assert done.returncode == 0
    assert '"sample.add"' in done.stdout
    # The numbers are there in an LLVM that was configured with them.
    assert "Pass statistics report" in done.stderr


def test_a_pass_that_fails_ends_the_command(opt):
    op = 'func.func @f(%a: f64) -> f64 { %0 = faulty.op "fine" %a : f64 return %0 : f64 }'
    for name, why in [
        ("faulty-panic", "panicked: told to panic in a pass"),
        ("faulty-convert-panic", "told to panic in a conversion"),
        ("faulty-convert-left", "<stdin>:1:37: error: failed to legalize operation 'faulty.op'"),
    ]:
        done = opt(f"--{name}", text=op)
        assert done.returncode == 1
        assert why in done.stderr, done.stderr
        assert done.stdout == ""


def test_options_that_do_not_parse_are_refused(opt):
    done = opt("--pass-pipeline=builtin.module(func.func(sample-mark{number=many}))")
    assert done.returncode == 1 and "number" in done.stderr
