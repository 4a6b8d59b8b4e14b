"""The signatures that the docstrings of native functions begin with, as upstream's do."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

# Classes of this name are in more than one module.
OF_SEVERAL_MODULES = "OperationType"


def lines_of(function: object, name: str) -> list[str]:
    """The lines at the beginning of a docstring that are signatures."""
    first, _, _ = (getattr(function, "__doc__", None) or "").partition("\n\n")
    return [line for line in first.splitlines() if line.startswith(f"{name}(")]


def native(root: str, stub: Path) -> object:
    """The module that a stub is for; none if the bundle does not have it."""
    module = stub.stem
    if stub.parent.name == "_mlir":
        inner = "ir" if module.startswith("_") else module
        module = "_mlir" if module == "__init__" else f"_mlir.{inner}"
    try:
        return importlib.import_module(f"{root}._mlir_libs.{module}")
    except ModuleNotFoundError:
        assert module == "_mlir.execution_engine"
        return None


def test_all_functions_of_the_stubs_have_their_lines(root: str) -> None:
    errors = importlib.import_module(f"{root}._mlir_libs._argument_errors")
    count, different = 0, []
    for stub in sorted(Path(errors.__file__).parent.rglob("*.pyi")):
        module, tree = native(root, stub), ast.parse(stub.read_text())
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        bodies = [(None, tree.body), *((name, node.body) for name, node in classes.items())]
        for name, body in bodies:
            if module is None or name == OF_SEVERAL_MODULES:
                continue
            owner = getattr(module, name, None) if name else module
            known = errors._stub(name) if name else errors._functions(module.__name__)
            for node in body:
                if not isinstance(node, ast.FunctionDef) or node.name.startswith("__"):
                    continue
                own = inspect.getattr_static(owner, node.name, None)
                own = getattr(own, "__func__", own)
                native_kinds = ("builtin_function_or_method", "method_descriptor")
                # A function under another name has the lines of its own, and so has a base's.
                of = getattr(getattr(own, "__objclass__", None), "__name__", name)
                if type(own).__name__ in native_kinds and (of, own.__name__) == (name, node.name):
                    count += 1
                    if lines_of(own, node.name) != known.get(node.name):
                        different.append((name, node.name, own.__doc__, known.get(node.name)))
    assert count > 250
    assert different == []


def test_a_docstring_is_the_lines_and_the_text(ir, root: str) -> None:
    native_ir = f"{root}._mlir_libs._mlir.ir"
    assert ir.IntegerType.get_signless.__doc__ == (
        f"get_signless(width: int, context: {root}.ir.Context | None = None) -> "
        f"{native_ir}.IntegerType\n\nThe signless integer type of a width."
    )
    assert lines_of(ir.Location.__enter__, "__enter__") == [
        f"__enter__(self) -> {native_ir}.Location"
    ]
    first, second, third = lines_of(ir.OpView.__init__, "__init__")
    assert first.startswith("__init__(self, name: str, opRegionSpec: ")
    assert second == f"__init__(self, name: {native_ir}._OperationBase) -> None"
    assert third == f"__init__(self, *, operation: {native_ir}._OperationBase) -> None"


def test_inspect_reads_what_it_has_read_before(ir) -> None:
    assert ir.IntegerType.get_signless.__text_signature__ == "(width, context=None)"
    assert str(inspect.signature(ir.IntegerType.get_signless)) == "(width, context=None)"
    assert str(inspect.signature(ir.Block.append)) == "(self, /, operation)"
    assert inspect.getdoc(ir.Block.append).endswith(
        "\n\nMoves an operation to the end of the block."
    )


def test_a_class_of_two_modules_has_the_lines_of_its_own(root: str) -> None:
    for module in ("_mlirDialectsPDL", "_mlirDialectsTransform"):
        try:
            found = importlib.import_module(f"{root}._mlir_libs.{module}")
        except ImportError:
            pytest.skip("the bundle was made without a dialect")
        (line,) = lines_of(found.OperationType.get, "get")
        assert line.endswith(f" -> {root}._mlir_libs.{module}.OperationType")
        assert ("operation_name: str" in line) == (module == "_mlirDialectsTransform")
