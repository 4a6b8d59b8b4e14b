"""mypy's stubtest over an installed wheel's extension: ``check_stubs.py MODULE [OPTION…]``.

The modules beside it that it has for single dialects are tested as well.

The stubs of ``ir`` are in several files, as they are too long for one; at run time it is one
module. stubtest would look for a module for each file, or leave out what is in it. So each part
gets one: the classes of ``ir`` that the part describes.
"""

import ast
import importlib
import sys
import types
from pathlib import Path

from mypy import stubtest


def set_up_parts(name: str) -> None:
    """Makes the modules that the parts of the stubs describe."""
    native = importlib.import_module(name)
    folder = Path(native.__file__).parent / name.rpartition(".")[2]
    parts = sorted(folder.glob("_[!_]*.pyi"))
    assert parts, f"there are no stubs in {folder}"
    for part in parts:
        module = types.ModuleType(f"{name}.{part.stem}")
        for node in ast.parse(part.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and hasattr(native.ir, node.name):
                setattr(module, node.name, getattr(native.ir, node.name))
        sys.modules[module.__name__] = module


def modules_beside(name: str) -> list[str]:
    """The native modules that have stubs of their own."""
    package = name.rpartition(".")[0]
    [folder] = importlib.import_module(package).__path__
    return [f"{package}.{stub.stem}" for stub in sorted(Path(folder).glob("*.pyi"))]


if __name__ == "__main__":
    set_up_parts(sys.argv[1])
    sys.argv[2:2] = modules_beside(sys.argv[1])
    sys.exit(stubtest.main())
