"""The installed package works wherever it is put: nothing in it knows a place or a name."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from moved.places import WORK, import_error, install, run, works

ODD = "a folder with späces, ünïcødé and 模組"


def test_moved(site, tmp_path):
    works(site)
    works(site.rename(tmp_path / "moved"))


def test_copied(installed, tmp_path):
    shutil.copytree(installed / "mlir", tmp_path / "copy/mlir")
    works(tmp_path / "copy")


def test_odd_path(wheel, tmp_path):
    works(install(wheel, tmp_path / ODD / "site"))


@pytest.mark.parametrize("what", ["site-packages", "package"])
def test_behind_a_symbolic_link(installed, tmp_path, what):
    if what == "package":
        (tmp_path / "link").mkdir()
        (tmp_path / "link/mlir").symlink_to(installed / "mlir")
    else:
        (tmp_path / "link").symlink_to(installed)
    works(tmp_path / "link")


def test_read_only(site):
    """Without the capabilities that let root write everywhere."""
    subprocess.run(["chmod", "-R", "a-w", site], check=True)
    ordinary: tuple[str, ...] = ()
    if os.geteuid() == 0:
        ordinary = ("setpriv", "--inh-caps=-all", "--bounding-set=-all")
    try:
        for folder in (site, site / "mlir/_mlir_libs"):
            written = run(f"open({str(folder / 'x')!r}, 'w')", site, wrapper=ordinary)
            assert "PermissionError" in written.stderr
        works(site, wrapper=ordinary)
    finally:
        subprocess.run(["chmod", "-R", "u+w", site], check=True)


def test_copied_environment(wheel, tmp_path):
    before, after = tmp_path / "before", tmp_path / ODD
    subprocess.run([sys.executable, "-m", "venv", before], check=True)
    pip = [before / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-index", wheel], check=True)
    shutil.copytree(before, after, symlinks=True)
    shutil.rmtree(before)
    works(tmp_path / "nothing", python=str(after / "bin/python"))


def test_no_absolute_path(installed):
    """Neither of this machine nor of the one that made the wheel."""
    places = [str(installed), os.environ["MONDO_WORKSPACE"], str(Path.home()), sys.prefix]
    for path in installed.rglob("*"):
        # pip notes where it had the wheel from.
        if path.is_file() and path.name != "direct_url.json":
            found = [place for place in places if place.encode() in path.read_bytes()]
            assert not found, f"{path} has {found}"


def test_zip_is_refused(tmp_path, installed):
    """Python finds a namespace package only in archives with entries for folders, unlike wheels."""
    archive = shutil.make_archive(str(tmp_path / "site"), "zip", installed)
    said = import_error(Path(archive))
    assert "cannot be imported out of" in said and archive in said
    assert "pip install" in said and "unpack" in said


def test_vendored(installed, vendored):
    """The import root, and with it the capsules' names, is where the package is now."""
    folder = vendored(installed, "mlir")
    works(folder, "host._vendor.mlir")
    said = run(
        "import host._vendor.mlir.ir as ir; print(ir.Context()._CAPIPtr, ir.MLIRError.__module__)",
        folder,
    ).stdout
    assert '"host._vendor.mlir.ir.Context._CAPIPtr"' in said
    assert said.endswith(" host._vendor.mlir._mlir_libs._mlir.ir\n")


def pretend_another_build(native: Path) -> None:
    """Changes the library's build-id, and what the extension expects it to be."""
    extension, library = native / "_mlir.abi3.so", native / "libmlir_mondo.so"
    code = extension.read_bytes()
    expected = re.findall(rb"\0([0-9a-f]{40})\0", code)
    before = bytes.fromhex(expected[0].decode())
    after = before[::-1]
    assert len(expected) == 1 and library.read_bytes().count(before) == 1
    library.write_bytes(library.read_bytes().replace(before, after))
    extension.write_bytes(code.replace(expected[0], after.hex().encode()))


def both(first: str, second: str) -> str:
    """Works with `first` before and after `second` is imported."""
    return WORK.format(root=first) + textwrap.dedent(f"""
        import importlib
        try:
            importlib.import_module({second!r} + ".ir")
        except ImportError as error:
            print(error)
        else:
            work({second!r})
        work({first!r})
    """)


@pytest.mark.parametrize("turned", [False, True], ids=["installed first", "vendored first"])
def test_vendored_with_a_label_beside_another(installed, other_label, vendored, tmp_path, turned):
    folder = vendored(install(other_label, tmp_path / "other"), "zeta/mlir")
    shutil.copytree(installed / "mlir", folder / "mlir")
    roots = ["mlir", "host._vendor.mlir"]
    result = run(both(*(reversed(roots) if turned else roots)), folder)
    assert (result.returncode, result.stdout) == (0, ""), result.stderr


@pytest.mark.parametrize("build", ["same build", "another build"])
@pytest.mark.parametrize("turned", [False, True], ids=["installed first", "vendored first"])
def test_vendored_without_a_label_beside_another(installed, vendored, turned, build):
    """The second copy cannot have a library of its own; the first stays as it was."""
    folder = vendored(installed, "mlir")
    shutil.copytree(installed / "mlir", folder / "mlir")
    if build == "another build":
        pretend_another_build(folder / "host/_vendor/mlir/_mlir_libs")
    roots = ["mlir", "host._vendor.mlir"]
    first, second = reversed(roots) if turned else roots
    result = run(both(first, second), folder)
    assert result.returncode == 0, result.stderr
    assert str(folder / first.replace(".", "/")) in result.stdout
    assert "one label" in result.stdout and "--label" in result.stdout
