"""The dialect `tally`, as its users meet it: pip install the wheel, then pytest this file."""

import ctypes
import importlib
import importlib.metadata
import json
from pathlib import Path

import pytest
from mlir import _mlir_libs, ir
from mlir.dialects import tally
from mlir.passmanager import PassManager

TEXT = """
func.func @f(%a: i64) -> i64 {
  %0 = tally.count %a : !tally.counter<8>
  %1 = tally.read %0 : !tally.counter<8>
  func.return %1 : i64
}
"""


@pytest.fixture(autouse=True)
def context():
    with ir.Context() as context, ir.Location.unknown():
        yield context


@pytest.fixture
def library():
    (path,) = Path(_mlir_libs.__file__).parent.glob("lib*_mondo.so")
    return ctypes.CDLL(str(path))


def test_a_dialect_without_a_handle_is_registered(context):
    assert str(ir.Type.parse("!tally.counter<3>")) == "!tally.counter<3>"
    assert context.get_dialect_descriptor("tally").namespace == "tally"


def test_operations_have_classes():
    module = ir.Module.parse(TEXT)
    count = module.body.operations[0].body.blocks[0].operations[0]
    assert isinstance(count, tally.CountOp)
    assert tally.Unit.Dozen.value == 1


def test_a_pass_that_is_registered_by_a_cpp_function():
    module = ir.Module.parse(TEXT)
    PassManager.parse("builtin.module(tally-canonical-width)").run(module.operation)
    assert "tally.count %arg0 : <64>" in str(module)
    assert module.operation.verify()


def test_plain_declarations_are_exported(library):
    library.tallyBits.argtypes = [ctypes.c_uint64]
    assert library.tallyBits(0b1011) == 3


def test_the_projects_own_generator_has_run(library):
    library.tallyOperationNames.restype = ctypes.c_char_p
    assert library.tallyOperationNames().split() == [b"count", b"read"]


def test_the_extension_of_the_dialect(context, library):
    capsule = ctypes.pythonapi.PyCapsule_GetPointer
    capsule.restype = ctypes.c_void_p
    capsule.argtypes = [ctypes.py_object, ctypes.c_char_p]
    pointer = capsule(context._CAPIPtr, b"mlir.ir.Context._CAPIPtr")
    library.tallyIsExtended.argtypes = [ctypes.c_void_p]
    library.tallyIsExtended.restype = ctypes.c_bool
    assert library.tallyIsExtended(pointer)


def test_the_python_files_that_were_chosen_have_a_package_of_their_own():
    package = importlib.import_module("tally_tools.tally")
    assert package.CountOp is tally.CountOp
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("tally_tools.tally.scripts")


def test_another_folder_is_below_the_import_root():
    extras = importlib.import_module("mlir.extras.tally_counts")
    (function,) = ir.Module.parse(TEXT).body.operations
    assert [type(op) for op in extras.counts(function.operation)] == [tally.CountOp]


def test_the_wheel_says_whose_code_it_is():
    wheel = importlib.metadata.distribution("tally-mlir")
    (text,) = [file for file in wheel.files if file.name.endswith(".cdx.json")]
    components = json.loads(text.read_text())["components"]
    (own,) = [one for one in components if one["name"] == "tally"]
    assert own["version"] == "0.4"
    assert own["authors"] == [{"name": "The tally authors"}]
    licences = {expression["expression"] for expression in own["licenses"]}
    assert licences <= set(wheel.metadata["License-Expression"].split(" AND "))
    assert "tally/LICENSE" in wheel.metadata.get_all("License-File")
