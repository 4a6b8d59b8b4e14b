"""The inference of result types of operations whose operands have wrong types, or are missing.

MLIR infers before it verifies, and some operations cast operands' types in their inference without
a check. The package has the verifier's answer first for those: no operation may end the process."""

import importlib
import itertools
import os
import subprocess
import sys

import pytest

TYPES = [
    "i32",
    "f32",
    "index",
    "none",
    "tensor<4xf32>",
    "tensor<*xf32>",
    "memref<4xf32>",
    "vector<4xf32>",
    "complex<f32>",
    "tuple<i32>",
]


@pytest.fixture
def made(ir, ctx):
    """Makes a value of a type."""
    ctx.allow_unregistered_dialects = True

    def value(text):
        location = ir.Location.unknown(ctx)
        made = ir.Operation.create("t.v", results=[ir.Type.parse(text, ctx)], loc=location)
        return made.result

    with ir.Location.unknown(ctx):
        yield value


def test_what_is_wrong_is_said(ir, dialect, made):
    memref = dialect("memref")
    i32 = made("i32")
    with pytest.raises(ir.MLIRError, match="'memref.load' op operand #0 must be memref"):
        memref.LoadOp(i32, [])
    with pytest.raises(ir.MLIRError, match="expected 1 or more operands"):
        ir.Operation.create("memref.load", infer_type=True)
    inference = ir.InferTypeOpInterface(memref.LoadOp)
    with pytest.raises(ir.MLIRError, match="operand #0 must be memref"):
        inference.inferReturnTypes(operands=[i32])


def test_the_operands_stay_as_they_are(ir, made):
    i32 = made("i32")
    user = ir.Operation.create("t.use", operands=[i32])
    for regions in (0, 1):
        with pytest.raises(ir.MLIRError):
            ir.Operation.create("memref.load", operands=[i32], regions=regions, infer_type=True)
    assert [use.owner for use in i32.uses] == [user]


def test_good_operands(ir, dialect, made):
    load = dialect("memref").LoadOp(made("memref<4xf32>"), [made("index")])
    assert str(load.result.type) == "f32"
    operands = [made("memref<4xi8>"), made("index")]
    load = ir.Operation.create("memref.load", operands=operands, infer_type=True)
    assert str(load.result.type) == "i8"
    assert str(dialect("complex").AbsOp(made("complex<f32>")).result.type) == "f32"


def names(ir, root):
    """All operations of the bundle whose types can be inferred."""
    package = importlib.import_module(f"{root}.dialects")
    files = {file for folder in package.__path__ for file in os.listdir(folder)}
    found = set()
    for file in sorted(file for file in files if file.endswith("_ops_gen.py")):
        module = importlib.import_module(f"{root}.dialects.{file.removesuffix('.py')}")
        for thing in vars(module).values():
            name = getattr(thing, "OPERATION_NAME", None)
            if isinstance(name, str):
                found.add(name)
    return sorted(name for name in found if infers(ir, name))


def infers(ir, name):
    try:
        ir.InferTypeOpInterface(type("Op", (), {"OPERATION_NAME": name}))
    except ValueError:
        return False
    return True


TRY = """
import importlib, itertools, sys
root, names, types = sys.argv[1], sys.argv[2].split(), sys.argv[3].split()
ir = importlib.import_module(f"{root}.ir")
with ir.Context() as ctx, ir.Location.unknown():
    ctx.allow_unregistered_dialects = True
    ones = [ir.Operation.create("t.v", results=[ir.Type.parse(it)]).result for it in types]
    for name in names:
        print(name, flush=True)
        for count in range(3):
            for operands in itertools.product(ones, repeat=count):
                try:
                    op = ir.Operation.create(name, operands=operands, infer_type=True)
                except (ir.MLIRError, ValueError):
                    continue
                # A type that was read from anywhere is no type.
                [(str(result.type), result.type.typeid) for result in op.results]
                str(op)
print("done")
"""


@pytest.mark.since_llvm(22, "the operations that are looked at first are those of LLVM 22")
def test_no_operation_ends_the_process(ir, root):
    with ir.Context():
        every = names(ir, root)
    assert len(every) > 50
    ended = []
    while every:
        argv = [sys.executable, "-c", TRY, root, " ".join(every), " ".join(TYPES)]
        ran = subprocess.run(argv, capture_output=True, text=True, timeout=600)
        last = ran.stdout.split()[-1]
        if last == "done":
            break
        assert last in every, ran.stderr
        ended.append(last)
        every = list(itertools.dropwhile(lambda name, last=last: name != last, every))[1:]
    assert ended == []
