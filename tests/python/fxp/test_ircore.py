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
    """The name of the package's library."""
    libs = importlib.import_module(f"{root}._mlir_libs")
    (library,) = glob.glob(os.path.join(os.path.dirname(libs.__file__), "lib*_mondo.so"))
    return os.path.basename(library)


@pytest.fixture
def load(root, own, tmp_path):
    """Loads a library, which needs others of these names, as an extension of the package."""

    def load(*needed):
        folder = tmp_path / "needed"
        folder.mkdir()
        link = ["g++", "-shared", "-xc", "/dev/null", "-xnone", "-Wl,--no-as-needed"]
        for name in needed:
            subprocess.run([*link, "-o", folder / name, f"-Wl,-soname,{name}"], check=True)
        copy = tmp_path / "_copied.so"
        subprocess.run([*link, "-o", copy, *(folder / name for name in needed)], check=True)
        (tmp_path / own).touch()
        name = f"{root}._mlir_libs._copied"
        loading = importlib.import_module(f"{root}._mlir_libs._loading")
        loader = loading._LocalLoader(name, str(copy))
        spec = importlib.util.spec_from_file_location(name, str(copy), loader=loader)
        return importlib.util.module_from_spec(spec)

    return load


def test_compiled_for_upstream(load, own):
    with pytest.raises(ImportError, match="compiled for MLIR's own Python bindings"):
        load(own, "libMLIRPythonSupport-mlir.so")


def test_compiled_for_another_label(load):
    with pytest.raises(ImportError, match=r"was compiled for the label x+, and .* has the label"):
        load("libxxxx_mondo.so")


def test_linked_by_upstreams_name_for_another_label(load):
    with pytest.raises(
        ImportError, match=r"was compiled for the label other, and .* has the label"
    ):
        load("libother_MLIRPythonCAPI.so")


@pytest.mark.parametrize(
    ("said", "explained"),
    [
        (
            "/x: version `MONDO_MLIR_21' not found (required by /y)",
            "LLVM 21, and {root} has LLVM 22",
        ),
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
    assert explained.format(root=root) in str(error)
    assert error.name == "mlir._mlir_libs._x"


def test_other_errors_stay(root):
    other_builds = importlib.import_module(f"{root}._mlir_libs._other_builds")
    error = ImportError("libfoo.so: cannot open shared object file")
    assert other_builds.explain("mlir._mlir_libs._x", "/x.so", error, "22.1.8") is error
