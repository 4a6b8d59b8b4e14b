"""Two bundles in one process: upstream's name and a private label, in either order."""

import itertools
import subprocess
import sys
import textwrap

import pytest

ROOTS = ("mlir", "acme.mlir")

WORK = """
import importlib

def work(root):
    ir = importlib.import_module(root + ".ir")
    passmanager = importlib.import_module(root + ".passmanager")
    with ir.Context() as context, ir.Location.unknown():
        module = ir.Module.parse(
            "func.func @f() -> i32 {"
            "  %0 = arith.constant 20 : i32  %1 = arith.constant 22 : i32"
            "  %2 = arith.addi %0, %1 : i32  return %2 : i32 }"
        )
        passmanager.PassManager.parse("builtin.module(canonicalize)").run(module.operation)
        assert "arith.constant 42 : i32" in str(module), str(module)
        assert str(ir.Type.parse("memref<4xf32>")) == "memref<4xf32>"
        try:
            ir.Module.parse("func.func @broken(")
        except ir.MLIRError as error:
            assert type(error).__module__.startswith(root), type(error).__module__
        else:
            raise AssertionError("no error")
    return ir
"""


def run(script: str) -> str:
    """Runs `script` in a process of its own, so that a crash is a failure of this test alone."""
    program = WORK + textwrap.dedent(script)
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 0, f"exit {result.returncode}\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.mark.parametrize("global_first", [False, True], ids=["local", "global"])
@pytest.mark.parametrize("order", list(itertools.permutations(ROOTS)), ids=" then ".join)
def test_each_works_on_its_own(order, global_first):
    """Each does real work before and after the other is loaded."""
    flags = "import os, sys; sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)" * global_first
    run(
        f"""
        {flags}
        first = work({order[0]!r})
        second = work({order[1]!r})
        work({order[0]!r})
        assert first.Context is not second.Context
        assert first.MLIRError is not second.MLIRError
        """
    )


def test_objects_of_one_are_refused_by_the_other():
    """A type of one library is no type to the other, and saying so is an error, not a crash."""
    run(
        """
        one, other = work("mlir"), work("acme.mlir")
        context = one.Context()
        try:
            other.Module.parse("module {}", context)
        except TypeError:
            pass
        else:
            raise AssertionError("a context of another library was accepted")
        """
    )


def test_each_process_maps_both_libraries():
    """Neither extension was satisfied by the other's library."""
    said = run(
        """
        work("mlir"), work("acme.mlir")
        maps = open("/proc/self/maps").read()
        print(*(name for name in ("libmlir_mondo.so", "libacme_mondo.so") if name in maps))
        """
    )
    assert said.split() == ["libmlir_mondo.so", "libacme_mondo.so"]
