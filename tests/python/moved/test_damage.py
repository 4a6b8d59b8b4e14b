"""Importing a damaged package names the missing file and the remedy."""

import shutil
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from moved.places import import_error, install, run

NATIVE = Path("mlir/_mlir_libs")
LIBRARY = NATIVE / "libmlir_mondo.so"
EXTENSION = NATIVE / "_mlir.abi3.so"


@pytest.mark.parametrize("record", [True, False], ids=["listed", "unlisted"])
@pytest.mark.parametrize("lost", [LIBRARY, EXTENSION], ids=lambda path: path.name)
def test_missing_file(site, lost, record):
    """With pip's list of files beside it, and where the package alone was moved."""
    if not record:
        shutil.rmtree(next(site.glob("*.dist-info")))
    (site / lost).unlink()
    said = import_error(site)
    assert f"{site / lost} missing" in said and "install the package again" in said


def test_missing_half(site):
    """Several are named at once."""
    for lost in (LIBRARY, EXTENSION):
        (site / lost).unlink()
    said = import_error(site)
    assert str(site / LIBRARY) in said and str(site / EXTENSION) in said


def test_library_of_another_build(site, other_label, tmp_path):
    """Not even one with all the functions is taken."""
    other = install(other_label, tmp_path / "other")
    shutil.copy(other / "zeta/mlir/_mlir_libs/libzeta_mondo.so", site / LIBRARY)
    said = import_error(site)
    assert "not of one build" in said and str(site / LIBRARY) in said
    assert "install it again" in said


def test_two_distributions_in_one_place(site, other_label, tmp_path):
    """Whoever installed the second over the first is told their names."""
    other = install(other_label, tmp_path / "other")
    shutil.copy(other / "zeta/mlir/_mlir_libs/libzeta_mondo.so", site / LIBRARY)
    second = site / "other_mlir-1.0.dist-info"
    second.mkdir()
    (second / "RECORD").write_text(f"{EXTENSION},,\n{LIBRARY},,\n")
    said = import_error(site)
    assert "mondo_mlir_core-" in said and "other_mlir-1.0" in said and "label" in said


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "unlisted"])
def test_upstreams_package_in_one_place(site, listed):
    """An extension for one version of Python comes before ours, whose Python files are there."""
    theirs = NATIVE / f"_mlir{EXTENSION_SUFFIXES[0]}"
    shutil.copy(site / EXTENSION, site / theirs)
    if listed:
        second = site / "mlir_python_bindings-22.1.8.dist-info"
        second.mkdir()
        (second / "RECORD").write_text(f"{theirs},,\n")
    said = import_error(site)
    assert said.startswith(f"two packages are installed in {site / 'mlir'}: ")
    assert f"Python takes {theirs.name} of " in said and "in the place of _mlir.abi3.so of " in said
    assert ("mlir_python_bindings-22.1.8 in" in said) == listed
    assert "mondo_mlir_core-" in said and "uninstall both" in said


def test_another_interpreters_extension(site):
    (site / EXTENSION).rename(site / NATIVE / "_mlir.cpython-27-x86_64-linux-gnu.so")
    shutil.rmtree(next(site.glob("*.dist-info")))
    said = import_error(site)
    assert "_mlir.cpython-27-x86_64-linux-gnu.so" in said and "not for this interpreter" in said


def test_damaged_library(site):
    """The message of the system's loader is passed on unchanged."""
    (site / LIBRARY).write_bytes(b"not a library")
    said = import_error(site)
    assert "libmlir_mondo.so: " in said


def test_missing_module(site):
    """Python's own message names a file that is only Python."""
    (site / "mlir/passmanager.py").unlink()
    result = run("import mlir.passmanager", site)
    assert "No module named 'mlir.passmanager'" in result.stderr
