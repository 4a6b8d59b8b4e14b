"""What typical mistakes say: `mistakes.txt` has a call after each `>>>`, and the error below it.

The overloads that a text lists are left out. After a change on purpose, write the file again, with
the default wheel installed, by ``python tests/python/suite/test_mistakes.py``, and review its diff.
"""

import contextlib
import importlib
import os
import pathlib
import re
import sys

import pytest

FILE = pathlib.Path(__file__).with_name("mistakes.txt")
ROOT = os.environ.get("MONDO_IMPORT_ROOT", "mlir")
DIALECTS = ("arith", "cf", "func", "linalg", "llvm", "memref", "scf", "tensor", "vector")


def read():
    """The calls with their texts."""
    cases = re.split(r"^>>> ", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return [case.rstrip("\n").split("\n", 1) for case in cases]


@contextlib.contextmanager
def names():
    """What the calls use."""
    ir = importlib.import_module(f"{ROOT}.ir")
    known = {"ir": ir, "PassManager": importlib.import_module(f"{ROOT}.passmanager").PassManager}
    known |= {name: importlib.import_module(f"{ROOT}.dialects.{name}") for name in DIALECTS}
    with ir.Context(), ir.Location.unknown():
        known |= {f"i{width}": ir.IntegerType.get_signless(width) for width in (1, 32, 64)}
        known["f32"] = ir.F32Type.get()
        known["module"] = module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            known["value"] = known["arith"].constant(known["i32"], 1)
            known["op"] = known["value"].owner
            yield known


def said(call, known):
    """The class and the text of the error that a call raises."""
    try:
        result = eval(call, known)
    except Exception as error:
        lines = f"{type(error).__name__}: {error}".replace(f"{ROOT}.", "mlir.").split("\n")
        return "\n".join(it for it in lines if not re.match(r" {4}\d\. ", it) and it)
    return f"no error, but {result!r}"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="before, PyO3 does not name the argument")
@pytest.mark.beyond_core("the mistakes are about dialects that core lacks")
@pytest.mark.since_llvm(22, "LLVM 19 reports some of them in other words")
def test_what_mistakes_say():
    with names() as known:
        found = [[call, said(call, known)] for call, _ in read()]
    assert found == read()


if __name__ == "__main__":
    with names() as known:
        texts = [f">>> {call}\n{said(call, known)}\n" for call, *_ in read()]
    FILE.write_text("\n".join(texts), encoding="utf-8")
