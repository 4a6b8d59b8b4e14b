"""The wheels of examples/vendoring, installed together: what has to ship with MLIR, and whether the
three private copies keep to themselves."""

import importlib
from importlib.metadata import distribution
from pathlib import Path

import pytest

PROJECTS = ["brook", "tide", "glen"]


@pytest.mark.parametrize("name", PROJECTS)
def test_licences_and_sbom_came_along(name):
    files = distribution(name).files or []
    own = [file.parts for file in files if file.parts[0].endswith(".dist-info")]
    licenses = {parts[-1] for parts in own if parts[1] == "licenses"}
    assert licenses >= {"LICENSE", "copyright"}
    assert f"{name}_mlir.cdx.json" in {parts[-1] for parts in own if parts[1] == "sboms"}


@pytest.mark.parametrize("name", PROJECTS)
def test_stubs_and_headers_came_along(name):
    package = Path(*importlib.import_module(f"{name}.mlir").__path__)
    assert (package / "_mlir_libs/_mlir/ir.pyi").is_file()
    assert (package / "_mlir_libs/include/mlir-c/IR.h").is_file()


def test_three_copies_in_one_process_do_not_mix():
    modules = [importlib.import_module(f"{name}.mlir.ir") for name in PROJECTS]
    contexts = [ir.Context() for ir in modules]
    parsed = [
        ir.Module.parse("func.func private @f(i32)", context)
        for ir, context in zip(modules, contexts, strict=True)
    ]
    for ir, module in zip(modules, parsed, strict=True):
        assert type(module) is ir.Module
        assert sum(isinstance(module, other.Module) for other in modules) == 1
        assert module.operation.verify()
    with pytest.raises(TypeError):
        modules[0].Module.parse("", contexts[1])
