"""Docstrings at run time: `help` and a notebook show one for everything public."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

# It imports every module of the package, and prints public classes and functions that the package
# defines, each with True if it has a docstring of its own.
SCRIPT = """
import importlib, pathlib, sys, types, warnings

warnings.simplefilter("ignore")
root = sys.argv[1]
package = pathlib.Path(importlib.import_module(f"{root}._mlir_libs").__file__).parents[1]
for file in sorted([*package.rglob("*.py"), *package.rglob("_mlir.*.so")]):
    *parents, name = file.relative_to(package).parts
    name = name.partition(".")[0]
    # A dialect imports its module `_since_<version>` for an LLVM of that version or newer.
    if name != "__main__" and not name.startswith("_since_"):
        parts = [root, *parents, name]
        try:
            importlib.import_module(".".join(parts).removesuffix(".__init__"))
        except ImportError as error:
            if "this bundle was made without" not in str(error):
                raise

seen = set()
kinds = (type, types.FunctionType, types.BuiltinFunctionType)

def examine(name, value):
    if not isinstance(value, kinds) or value in seen:
        return
    home = value.__module__ or ""
    if not (home == root or home.startswith(f"{root}.")):
        return
    seen.add(value)
    text = vars(value).get("__doc__") if isinstance(value, type) else value.__doc__
    print(home, name, bool(text and text.strip()))
    if isinstance(value, type):
        for inner, one in list(vars(value).items()):
            if isinstance(one, type) and one.__name__ == inner and not inner.startswith("_"):
                examine(f"{name}.{inner}", one)

for name, module in list(sys.modules.items()):
    if name.startswith(f"{root}."):
        for inner, value in list(vars(module).items()):
            if not inner.startswith("_"):
                examine(inner, value)
"""


def test_everything_public_has_one(python, root):
    lines = [line.split() for line in python(SCRIPT, root).stdout.splitlines()]
    assert len(lines) > 300
    assert [f"{home}.{name}" for home, name, text in lines if text != "True"] == []


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("ir", ["DiagnosticSeverity", "WalkOrder", "WalkResult"]),
        ("passmanager", ["PassDisplayMode"]),
        ("rewrite", ["GreedyRewriteStrictness", "GreedySimplifyRegionLevel"]),
    ],
)
def test_the_enumerations_say_what_their_stubs_do(root, module, names):
    native = importlib.import_module(f"{root}._mlir_libs._mlir.{module}")
    libs = Path(importlib.import_module(f"{root}._mlir_libs").__file__).parent
    tree = ast.parse((libs / "_mlir" / f"{module}.pyi").read_text())
    stubs = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for name in names:
        assert inspect.getdoc(getattr(native, name)) == ast.get_docstring(stubs[name])
