"""Somebody else's extension, written with MLIR's adaptors for nanobind, meets our objects."""

import importlib
import importlib.util
import os
import subprocess
import sysconfig
from pathlib import Path

import nanobind
import pytest

pytestmark = pytest.mark.since_llvm(22, "LLVM 19 has no adaptors for nanobind")

SOURCE = Path(os.environ["MONDO_EXAMPLES"]) / "extension.cpp"
LLVM = Path(os.environ["MONDO_LLVM_DIR"])

TEXT = "func.func @f(%a: i32) -> i32 { %0 = arith.addi %a, %a : i32 func.return %0 : i32 }"


@pytest.fixture(scope="session")
def extension(root, tmp_path_factory):
    """The extension, compiled for the import root and linked with the package's library."""
    libs = Path(importlib.import_module(f"{root}._mlir_libs").get_lib_dirs()[0])
    home = Path(nanobind.__file__).parent
    target = tmp_path_factory.mktemp("extension") / "extension.so"
    subprocess.run(
        [
            "g++",
            *("-std=c++17", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-w"),
            # nanobind asks for it.
            "-fno-strict-aliasing",
            f"-DMLIR_PYTHON_PACKAGE_PREFIX={root}.",
            "-DNB_DOMAIN=mondo_extension",
            f"-I{nanobind.include_dir()}",
            f"-I{home / 'ext' / 'robin_map' / 'include'}",
            f"-I{LLVM / 'include'}",
            f"-I{sysconfig.get_paths()['include']}",
            *(SOURCE, Path(nanobind.source_dir()) / "nb_combined.cpp"),
            *("-o", target),
            *(f"-L{libs}", "-lMLIRPythonCAPI", f"-Wl,-rpath,{libs}"),
            # The adaptors put messages together with a class of LLVM's.
            *(LLVM / "lib" / "libLLVMSupport.a", LLVM / "lib" / "libLLVMDemangle.a"),
            *("-Wl,--exclude-libs,ALL", "-Wl,--gc-sections"),
        ],
        check=True,
    )
    spec = importlib.util.spec_from_file_location("extension", target)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def module(ir, ctx, extension):
    with ir.Location.unknown():
        yield extension.parse(ctx, TEXT)


def test_what_it_makes_is_ours(ir, module, extension):
    assert type(module) is ir.Module
    assert module.body.operations[0].operation.name == "func.func"
    assert extension.index() is ir.IndexType.get()


def test_what_it_gets_keeps_its_identity(module, extension):
    f = module.body.operations[0]
    block = f.regions[0].blocks[0]
    add = block.operations[0]
    assert extension.name(f) == extension.name(f.operation) == "func.func"
    assert extension.same_operation(f) is f.operation
    assert extension.same_block(block) is f.operation
    assert extension.same_value(add.result) is add.result
    assert extension.same_value(block.arguments[0]) is block.arguments[0]
    assert extension.same_attribute(f.attributes["sym_name"]) is f.attributes["sym_name"]
    assert extension.same_location(f.location) == f.location


def test_its_types_derive_from_ours(ir, module, extension):
    wide = ir.IntegerType.get_signless(64)
    cast = extension.WideIntegerType(wide)
    assert isinstance(cast, ir.Type)
    assert cast == wide
    assert cast.width == 64
    assert repr(cast) == "WideIntegerType(i64)"
    assert not extension.WideIntegerType.isinstance(ir.IntegerType.get_signless(8))
    with pytest.raises(ValueError, match="Cannot cast type to WideIntegerType"):
        extension.WideIntegerType(ir.IntegerType.get_signless(8))


def test_what_it_erases_is_gone(ir, module, extension):
    f = module.body.operations[0]
    block = f.regions[0].blocks[0]
    add = block.operations[0]
    extension.erase(f.operation)
    for gone in (f, add, block):
        with pytest.raises(ir.InvalidatedError, match="destroyed by MLIR"):
            str(gone)
    assert "func.func" not in str(module)
