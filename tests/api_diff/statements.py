"""The programs of ``notebooks``, run as a notebook runs them: each statement has an outcome.

A statement that raises ends nothing, so that one run compares all of them. It runs in the
interpreter that has the package: ``python -m api_diff.statements mlir``. An outcome is as in
``probes``, with what the statement printed.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import pathlib
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .compare import ADDRESS
from .probes import Outcome, in_child, stable

NOTEBOOKS = pathlib.Path(__file__).with_name("notebooks")
# The longest part of a statement that its key has.
_SHOWN = 90
# The programs that have run. Upstream's package aborts where some of what they made is destroyed.
_KEPT: list[_Run] = []


def _parts(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements; of an expression that is a tuple, each element by itself."""
    for statement in body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Tuple):
            for element in statement.value.elts:
                yield ast.copy_location(ast.Expr(element), statement)
        else:
            yield statement


@contextlib.contextmanager
def _caught(folder: str) -> Iterator[Callable[[], str]]:
    """Catches what is printed meanwhile, by Python and by C++."""
    path = os.path.join(folder, "printed")
    sys.stdout.flush()
    kept = os.dup(1)
    sink = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    os.dup2(sink, 1)

    def text() -> str:
        sys.stdout.flush()
        return pathlib.Path(path).read_text(errors="replace")

    try:
        yield text
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(sink)


def _result(value: Any, printed: str) -> Outcome:
    shown = "" if value is None else stable(repr(value), 4000)
    shown = ADDRESS if "object at 0x" in shown else shown
    kind = "type" if isinstance(value, type) else type(value).__name__
    return ["result", kind, stable(printed, 4000) + shown]


class _Run:
    """One program, with the names that it has defined so far."""

    def __init__(self, name: str, folder: str) -> None:
        self.name = name
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.outcomes: dict[str, Outcome] = {}

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in _parts(statements):
            if isinstance(statement, ast.With):
                self.block(statement)
            else:
                self.outcome(statement, partial(self.done, statement))

    def block(self, statement: ast.With) -> None:
        """Enters the contexts, and runs the statements of the body one by one."""
        with contextlib.ExitStack() as stack:
            for item in statement.items:
                self.outcome(statement, partial(self.entered, item, stack))
            self.body(statement.body)

    def entered(self, item: ast.withitem, stack: contextlib.ExitStack) -> None:
        manager = eval(compile(ast.Expression(item.context_expr), self.name, "eval"), self.names)
        value = stack.enter_context(manager)
        if isinstance(item.optional_vars, ast.Name):
            self.names[item.optional_vars.id] = value

    def done(self, statement: ast.stmt) -> Any:
        if isinstance(statement, ast.Expr):
            expression = ast.Expression(statement.value)
            return eval(compile(expression, self.name, "eval"), self.names)
        exec(compile(ast.Module([statement], []), self.name, "exec"), self.names)
        return None

    def outcome(self, statement: ast.stmt, work: Callable[[], Any]) -> None:
        text = re.sub(r"\s+", " ", ast.unparse(statement))[:_SHOWN]
        key = f"{self.name}:{statement.lineno}: {text} ({len(self.outcomes)})"
        with _caught(self.folder) as printed:
            try:
                result = _result(work(), printed())
            except Exception as error:
                result = ["raised", type(error).__name__, stable(str(error).split("\n")[0])]
        self.outcomes[key] = result


def _run(root: str, path: pathlib.Path) -> dict[str, Outcome]:
    source = re.sub(r"^(from|import) mlir\b", rf"\1 {root}", path.read_text(), flags=re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        run = _Run(path.name, folder)
        _KEPT.append(run)
        run.body(ast.parse(source).body)
        return run.outcomes


def collect(root: str) -> dict[str, Outcome]:
    """The outcomes of all programs, each of which has a process of its own."""
    found: dict[str, Outcome] = {}
    for path in sorted(NOTEBOOKS.glob("*.py")):
        outcomes: dict[str, Outcome] | None = in_child(partial(_run, root, path))
        found |= {path.name: ["crash", "", ""]} if outcomes is None else outcomes
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    json.dump(collect(sys.argv[1]), sys.stdout)
