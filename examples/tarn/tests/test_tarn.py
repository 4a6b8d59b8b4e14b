"""The language from Python: programs are compiled and run there, and its dialect is one as any."""

import ctypes
import pathlib

import pytest
from mlir import ir
from mlir.dialects import tarn
from mlir.execution_engine import ExecutionEngine
from mlir.passmanager import PassManager

PROGRAMS = pathlib.Path(__file__).parent.parent / "programs"
PASSES = (
    "tarn-parse,canonicalize,cse,tarn-lower,canonicalize,cse,"
    "convert-scf-to-cf,func.func(mem2reg),canonicalize,cse,convert-cf-to-llvm,expand-strided-metadata,finalize-memref-to-llvm,"
    "convert-arith-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts"
)


def source(text, file="test.tarn"):
    """A module with a program's text in it; needs a context and a location."""
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        tarn.SourceOp(text, file=file)
    return module


def after(passes, text):
    with ir.Context(), ir.Location.unknown():
        module = source(text)
        PassManager.parse(f"builtin.module({passes})").run(module.operation)
        return str(module)


def run(text, *arguments):
    with ir.Context(), ir.Location.unknown():
        module = source(text)
        PassManager.parse(f"builtin.module({PASSES})").run(module.operation)
        engine = ExecutionEngine(module)
        packed = [ctypes.c_int64(argument) for argument in (*arguments, 0)]
        engine.invoke("main", *[ctypes.pointer(one) for one in packed])
        return packed[-1].value


def test_programs():
    assert run((PROGRAMS / "primes.tarn").read_text(), 1000, 0) == 168
    assert run((PROGRAMS / "gcd.tarn").read_text(), 1071, 462) == 21


def test_stages():
    text = (PROGRAMS / "primes.tarn").read_text()
    parsed = after("tarn-parse", text)
    assert "tarn.func @main" in parsed and "tarn.while" in parsed and "!tarn.array<1000>" in parsed
    lowered = after("tarn-parse,tarn-lower", text)
    assert "tarn" not in lowered and "scf.while" in lowered and "memref<1000xi64>" in lowered
    flat = "tarn-parse,tarn-lower,convert-scf-to-cf,func.func(mem2reg)"
    promoted = after(flat, text)
    assert promoted.count("memref.alloca") == 1, "variables are no memory any more"


def test_patterns_and_folds():
    text = after(
        "tarn-parse,canonicalize,tarn-lower,canonicalize,func.func(mem2reg),canonicalize",
        "fn main(a, b) { let x = a + 2 * 3 + 4; return (x < b) != 0; }",
    )
    assert "arith.constant 10 : i64" in text
    assert text.count("arith.cmpi") == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("fn main(a) {\n  return b;\n}", "test.tarn.*2:10.*there is no variable `b`"),
        ("fn main(", "expected a name, but found the end"),
        ("fn f() { return 1; } fn f() { return 2; }", "there are two functions `f`"),
    ],
)
def test_what_is_no_program_is_refused_with_its_place(text, why):
    with pytest.raises(ir.MLIRError, match=f"(?s){why}"):
        after("tarn-parse", text)


def test_locations_are_those_of_the_text():
    with ir.Context(), ir.Location.unknown():
        module = source("fn main(a) {\n  return a +\n    a;\n}")
        PassManager.parse("builtin.module(tarn-parse)").run(module.operation)
        text = module.operation.get_asm(enable_debug_info=True)
    assert 'loc("test.tarn":2:12)' in text


def test_an_operation_that_is_left_is_named():
    """`tarn-lower` converts all that it gets, or says what it does not know."""
    with pytest.raises(ir.MLIRError, match="failed to legalize operation 'tarn.source'"):
        after("tarn-lower", "fn main() { return 1; }")
