"""All modules of dialects, generated and written by hand: types of parameters, and docstrings."""

import ast
import importlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = os.environ["MONDO_IMPORT_ROOT"]
(_FOLDER,) = importlib.import_module(f"{ROOT}.dialects").__path__
PACKAGE = Path(_FOLDER).parent
MODULES = sorted(
    path for folder in ("dialects", "extras") for path in PACKAGE.joinpath(folder).rglob("*.py")
)

# Its functions are definitions in the language of structured operations: a decorator says what they
# become, and their parameters are operands.
LANGUAGE = "core_named_ops.py"

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@pytest.fixture(scope="module")
def trees() -> dict[Path, ast.Module]:
    """The syntax trees of the modules."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def public(tree: ast.Module) -> Iterator[tuple[str, ast.ClassDef | _Function, bool]]:
    """Public classes, functions and methods, and whether one is inside of a class."""
    for node in tree.body:
        if not isinstance(node, (ast.ClassDef, _Function)) or node.name.startswith("_"):
            continue
        yield node.name, node, False
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                name = getattr(inner, "name", "_")
                if isinstance(inner, _Function) and (name == "__init__" or name[0] != "_"):
                    yield f"{node.name}.{name}", inner, True


def untyped(function: _Function, is_method: bool) -> bool:
    """True if a parameter has no annotation."""
    given = function.args
    names = [*given.posonlyargs, *given.args]
    decorators = {it.id for it in function.decorator_list if isinstance(it, ast.Name)}
    if is_method and "staticmethod" not in decorators:
        names = names[1:]
    names += [*given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    return any(it.annotation is None for it in names)


def test_every_parameter_has_a_type(trees: dict[Path, ast.Module]) -> None:
    missing = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {name}"
        for path, tree in trees.items()
        if path.name != LANGUAGE
        for name, node, is_method in public(tree)
        if not isinstance(node, ast.ClassDef) and untyped(node, is_method)
    ]
    assert missing == []


def test_every_class_and_function_has_a_docstring(trees: dict[Path, ast.Module]) -> None:
    missing = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {name}"
        for path, tree in trees.items()
        for name, node, is_method in public(tree)
        if not is_method and not is_overload(node) and not has_docstring(node)
    ]
    assert missing == []


def is_overload(node: ast.ClassDef | _Function) -> bool:
    """True if it is a form of a function that is defined further down."""
    return any(ast.unparse(it) == "overload" for it in node.decorator_list)


def has_docstring(node: ast.ClassDef | _Function) -> bool:
    """True if it has one, or sets it."""
    first = node.body[0]
    is_set = isinstance(first, ast.Assign) and ast.unparse(first.targets[0]) == "__doc__"
    return is_set or ast.get_docstring(node) is not None
