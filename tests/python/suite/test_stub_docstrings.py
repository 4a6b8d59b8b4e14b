"""Docstrings in the stubs of the native modules, which are what an editor shows of those."""

import ast
import importlib
import inspect
import itertools
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest


def documented(tree: ast.Module | ast.ClassDef) -> Iterator[ast.ClassDef | ast.FunctionDef]:
    """Public classes, those inside of them, and public functions of a module."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node
            yield from documented(node)
        elif isinstance(node, ast.FunctionDef) and isinstance(tree, ast.Module):
            is_overload = any(ast.unparse(it) == "overload" for it in node.decorator_list)
            if not node.name.startswith("_") and not is_overload:
                yield node


def members(cls: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """Public methods and properties of a class: of several forms of one, the first."""
    seen = set()
    for node in cls.body:
        if isinstance(node, ast.FunctionDef) and node.name not in seen:
            seen.add(node.name)
            if not node.name.startswith("_"):
                yield node


@pytest.fixture(scope="module")
def stubs(root: str) -> dict[str, ast.Module]:
    """The syntax tree of each stub, by its path without the ending."""
    folder = Path(importlib.import_module(f"{root}._mlir_libs").__file__).parent
    return {
        path.relative_to(folder).with_suffix("").as_posix(): ast.parse(path.read_text())
        for path in sorted(folder.rglob("*.pyi"))
    }


def test_every_public_class_and_function_has_one(stubs: dict[str, ast.Module]) -> None:
    found = [
        (name, node.name, ast.get_docstring(node))
        for name, tree in stubs.items()
        for node in documented(tree)
    ]
    assert len(found) > 100
    assert [(name, what) for name, what, text in found if not text] == []


def test_the_classes_of_ir_say_the_same_when_they_run(ir, stubs: dict[str, ast.Module]) -> None:
    for name, tree in stubs.items():
        if not name.startswith("_mlir/_") or name == "_mlir/__init__":
            continue
        for node in tree.body:
            native = getattr(ir, getattr(node, "name", ""), None)
            if isinstance(node, ast.ClassDef) and native is not None and native.__doc__:
                said = " ".join((ast.get_docstring(node) or "").split())
                assert said == " ".join(inspect.cleandoc(native.__doc__).split()), node.name


def test_every_public_member_has_one(stubs: dict[str, ast.Module]) -> None:
    found = [
        (name, cls.name, member.name, ast.get_docstring(member))
        for name, tree in stubs.items()
        for cls in tree.body
        if isinstance(cls, ast.ClassDef)
        for member in members(cls)
    ]
    assert len(found) > 350
    assert [it for it in found if not it[-1]] == []


def native_module(root: str, stub: str) -> ModuleType | None:
    """The module that a stub is for; none if the bundle does not have it."""
    folder, _, module = stub.rpartition("/")
    if folder:
        module = "_mlir.ir" if module.startswith("_") else f"_mlir.{module}"
    if stub == "_mlir/__init__":
        module = "_mlir"
    try:
        return importlib.import_module(f"{root}._mlir_libs.{module}")
    except ModuleNotFoundError:
        # The only one that a bundle may lack although it has the stub.
        assert module == "_mlir.execution_engine"
        return None


def without_lines(name: str, docstring: str) -> str:
    """A docstring without the signatures that it begins with."""
    lines = inspect.cleandoc(docstring).splitlines()
    return "\n".join(itertools.dropwhile(lambda line: line.startswith(f"{name}("), lines))


def test_the_members_say_the_same_when_they_run(root: str, stubs: dict[str, ast.Module]) -> None:
    count, different = 0, []
    for name, tree in stubs.items():
        native = native_module(root, name)
        for cls in (it for it in tree.body if native and isinstance(it, ast.ClassDef)):
            for member in members(cls):
                own = inspect.getattr_static(getattr(native, cls.name, None), member.name, None)
                said = getattr(getattr(own, "__func__", own), "__doc__", None)
                text = ast.get_docstring(member) or ""
                count += bool(said)
                if said and text.split() != without_lines(member.name, said).split():
                    different.append((f"{cls.name}.{member.name}", text, said))
    assert count > 300
    assert different == []
