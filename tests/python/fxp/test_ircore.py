"""The extension over IRCore.h, and extensions that were compiled for another package."""

import glob
import importlib
import importlib.util
import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("checks", ["ircore.py", "ircore_operations.py"])
def test_in_a_process_of_its_own(checks):
    checks = os.path.join(os.path.dirname(__file__), checks)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", checks]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.fixture
def own(root):
    libs = importlib.import_module(f"{root}._mlir_libs")
    folder = os.path.dirname(libs.__file__)
    (path,) = glob.glob(os.path.join(folder, "_fxp_classes.*.so"))
    (library,) = glob.glob(os.path.join(folder, "lib*_mondo.so"))
    return libs, path, os.path.basename(library).encode()


@pytest.fixture
def load(root, own, tmp_path):
    """Loads a changed copy of the extension as one that lies in the package."""

    def load(old, new):
        libs, path, library = own
        with open(path, "rb") as file:
            contents = file.read()
        assert old in contents
        suffix = os.path.basename(path).partition(".")[2]
        copy = tmp_path / f"_copied.{suffix}"
        copy.write_bytes(contents.replace(old, new))
        (tmp_path / library.decode()).touch()
        name = f"{root}._mlir_libs._copied"
        loading = importlib.import_module(f"{root}._mlir_libs._loading")
        loader = loading._LocalLoader(name, str(copy))
        spec = importlib.util.spec_from_file_location(name, str(copy), loader=loader)
        return importlib.util.module_from_spec(spec)

    return load


def test_compiled_for_upstream(load, own):
    # The name of a library in a string table.
    library = b"\0" + own[2] + b"\0"
    with pytest.raises(ImportError, match="compiled for MLIR's own Python bindings"):
        load(library, library + b"libMLIRPythonSupport-mlir.so\0")


def test_compiled_for_another_label(load, own):
    library = own[2]
    other = b"lib" + b"x" * (len(library) - 12) + b"_mondo.so"
    with pytest.raises(ImportError, match=r"was compiled for the label x+, and .* has the label"):
        load(library, other)


def test_linked_by_upstreams_name_for_another_label(load, own):
    library = b"\0" + own[2] + b"\0"
    with pytest.raises(
        ImportError, match=r"was compiled for the label other, and .* has the label"
    ):
        load(library, b"\0libother_MLIRPythonCAPI.so\0")


@pytest.mark.parametrize(
    ("said", "explained"),
    [
        ("/x: version `MONDO_MLIR_21' not found (required by /y)", "LLVM 21, and mlir has LLVM 22"),
        (
            "libMLIRPythonCAPI.so.22.1: cannot open shared object file",
            "libMLIRPythonCAPI.so.22.1 is",
        ),
        ("libLLVM.so: cannot open shared object file", "libLLVM.so is not here"),
    ],
)
def test_what_the_system_says(root, said, explained):
    other_builds = importlib.import_module(f"{root}._mlir_libs._other_builds")
    error = other_builds.explain("mlir._mlir_libs._x", "/x.so", ImportError(said), "22.1.8")
    assert explained in str(error)
    assert error.name == "mlir._mlir_libs._x"


def test_other_errors_stay(root):
    other_builds = importlib.import_module(f"{root}._mlir_libs._other_builds")
    error = ImportError("libfoo.so: cannot open shared object file")
    assert other_builds.explain("mlir._mlir_libs._x", "/x.so", error, "22.1.8") is error
