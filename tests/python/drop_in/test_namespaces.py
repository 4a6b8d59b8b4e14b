"""Other distributions add modules to the package's folders."""

import importlib
import shutil
from pathlib import Path


def write(folder, path, text):
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_another_path_entry_adds_a_dialect(python, root, tmp_path):
    path = root.replace(".", "/")
    write(tmp_path, f"{path}/dialects/mine.py", "from .. import ir\nfrom .func import FuncOp\n")
    write(tmp_path, f"{path}/extras/mine.py", "from . import types as T\n")
    write(tmp_path, f"{path}/mine.py", "from .ir import Context\n")
    out = python(
        f"import {root}.ir, {root}.dialects.mine as mine, {root}.extras.mine, {root}.mine\n"
        f"print(mine.FuncOp.__name__, mine.ir is {root}.ir, {root}.extras.mine.T.__name__)",
        folders=[tmp_path],
    ).stdout
    assert out == f"FuncOp True {root}.extras.types\n"


def test_the_first_of_two_wins(python, root, tmp_path):
    path = root.replace(".", "/")
    for number in (1, 2):
        write(tmp_path / str(number), f"{path}/dialects/twice.py", f"NUMBER = {number}\n")
    out = python(
        f"from {root}.dialects import twice; print(twice.NUMBER)",
        folders=[tmp_path / "1", tmp_path / "2"],
    ).stdout
    assert out == "1\n"


def test_a_vendored_copy_finds_its_own_parts_alone(python, root, tmp_path):
    """Nothing of another path entry becomes part of a copy in a package of somebody's own."""
    [folder] = {str(Path(it)) for it in importlib.import_module(root).__path__}
    shutil.copytree(folder, tmp_path / "host/mlir")
    write(tmp_path, "host/__init__.py", "")
    path = root.replace(".", "/")
    write(tmp_path / "other", f"{path}/dialects/mine.py", "")
    out = python(
        "import importlib.util, host.mlir\n"
        f"for name in ('{root}', 'host.mlir'):\n"
        "    print(importlib.util.find_spec(name + '.dialects.mine') is not None)\n"
        "print(len(list(host.mlir.__path__)))",
        folders=[tmp_path, tmp_path / "other"],
    ).stdout
    assert out == "True\nFalse\n1\n"


def test_what_is_nowhere_is_not_found(python, root):
    out = python(
        f"import {root}.ir\n"
        f"try: import {root}.dialects.nowhere\n"
        "except ModuleNotFoundError as error: print(error)"
    ).stdout
    assert out == f"No module named '{root}.dialects.nowhere'\n"
