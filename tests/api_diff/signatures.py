"""Signatures of Python functions and of native ones, in one form that JSON can hold.

A signature is a list of parameters; a callable has a list of signatures, one for each overload.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable
from typing import Any, TypedDict

# The marks of nanobind for the default values that it keeps as objects.
_NB_DEFAULT = re.compile(r"\\(\d+)")
# The text of an object that is a default value.
_OBJECT = re.compile(r"<[^<>]*>")
_MODULE = re.compile(r"\b(?:\w+\.)+")
_SIMPLE = (bool, int, float, str, type(None))


class Parameter(TypedDict):
    """A parameter; ``kind`` is ``positional``, ``either``, ``args``, ``keyword``, ``kwargs``."""

    name: str
    kind: str
    default: str | None


Signature = list[Parameter]


class Line(TypedDict):
    """A line of a docstring with a signature: its parameters, those of them that have a type, and
    the type of the result, whose classes are without their modules."""

    parameters: Signature
    typed: list[str]
    result: str


_KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "either",
    inspect.Parameter.VAR_POSITIONAL: "args",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "kwargs",
}


def of(function: Any) -> list[Signature] | None:
    """The signatures of a callable; none where nothing states them."""
    native = getattr(function, "__nb_signature__", None)
    if isinstance(native, tuple):
        return _parsed(_nanobind(entry) for entry in native)
    try:
        return [_inspected(inspect.signature(function))]
    except (TypeError, ValueError):
        return None


def _inspected(signature: inspect.Signature) -> Signature:
    return [
        Parameter(
            name=parameter.name,
            kind=_KINDS[parameter.kind],
            default=None if parameter.default is parameter.empty else _shown(parameter.default),
        )
        for parameter in signature.parameters.values()
    ]


def _shown(default: Any) -> str:
    """The text of a default value; of an object without a stable text, an ellipsis."""
    if isinstance(default, _SIMPLE):
        return repr(default)
    if isinstance(default, (tuple, list)) and all(isinstance(it, _SIMPLE) for it in default):
        return repr(default)
    return "..."


def _nanobind(entry: Any) -> str:
    """The line of an overload, with the default values in the place of nanobind's marks."""
    text: str = entry[0]
    defaults = entry[-1] if isinstance(entry[-1], tuple) else ()
    return _NB_DEFAULT.sub(lambda mark: _shown(defaults[int(mark[1])]), text)


def _parsed(lines: Iterable[str]) -> list[Signature]:
    found = (_line(line) for line in lines)
    return [_arguments(node.args) for node in found if node is not None]


def _line(line: str) -> ast.FunctionDef | None:
    """The definition in a line such as ``def get(width: int, context=None) -> Type``."""
    line = re.sub(r"\n@overload\s*|^@.*\n", "", line.strip())
    try:
        tree = ast.parse(f"{line}: ...")
    except SyntaxError:
        return None
    node = tree.body[0]
    assert isinstance(node, ast.FunctionDef), line
    return node


def lines(name: str, docstring: str | None) -> list[Line]:
    """The signatures that the docstring of a native function begins with."""
    found = []
    for line in (docstring or "").partition("\n\n")[0].splitlines():
        if not line.startswith(f"{name}("):
            break
        node = _line(f"def {_OBJECT.sub('...', line)}")
        if node is None:
            break
        given = node.args
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        result = "" if node.returns is None else _MODULE.sub("", ast.unparse(node.returns))
        typed = [it.arg for it in every if it.annotation is not None]
        found.append(Line(parameters=_arguments(given), typed=typed, result=result))
    return found


def _arguments(given: ast.arguments) -> Signature:
    def one(name: ast.arg, kind: str, default: ast.expr | None) -> Parameter:
        return Parameter(
            name=name.arg, kind=kind, default=None if default is None else ast.unparse(default)
        )

    positional = [*given.posonlyargs, *given.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(given.defaults))
    result = [
        one(name, "positional" if name in given.posonlyargs else "either", default)
        for name, default in zip(positional, [*missing, *given.defaults], strict=True)
    ]
    if given.vararg:
        result.append(one(given.vararg, "args", None))
    for name, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        result.append(one(name, "keyword", default))
    if given.kwarg:
        result.append(one(given.kwarg, "kwargs", None))
    return result


def missing_uses(theirs: Signature, ours: list[Signature], *, by_name: bool = True) -> list[str]:
    """The ways to call ``theirs`` that none of our signatures allows; none if all are allowed."""
    if not by_name:
        theirs = [_by_place(it) for it in theirs]
    complaints = [_complaints(theirs, one) for one in ours]
    return min(complaints, key=len, default=["no signature"])


def _by_place(parameter: Parameter) -> Parameter:
    kind = "positional" if parameter["kind"] == "either" else parameter["kind"]
    return Parameter(name=parameter["name"], kind=kind, default=parameter["default"])


def _complaints(theirs: Signature, ours: Signature) -> list[str]:
    takes_any = any(it["kind"] == "args" for it in ours)
    takes_names = any(it["kind"] == "kwargs" for it in ours)
    by_place = [it for it in ours if it["kind"] in ("positional", "either")]
    by_name = {it["name"]: it for it in ours if it["kind"] in ("either", "keyword")}
    said: list[str] = []
    wanted = [it for it in theirs if it["kind"] in ("positional", "either")]
    if len(by_place) < len(wanted) and not takes_any:
        said.append(f"{len(by_place)} positional parameters, theirs has {len(wanted)}")
    for here, there in zip(by_place, wanted, strict=False):
        said.extend(_default(here, there))
    for there in theirs:
        name = there["name"]
        if there["kind"] in ("args", "kwargs"):
            if not (takes_any if there["kind"] == "args" else takes_names):
                said.append(f"no {'*' if there['kind'] == 'args' else '**'}{name}")
            continue
        if there["kind"] == "positional":
            continue
        if name not in by_name:
            if not takes_names:
                said.append(f"no keyword {name!r}")
        elif there["kind"] == "keyword":
            said.extend(_default(by_name[name], there))
        elif by_name[name] in by_place and by_place.index(by_name[name]) != wanted.index(there):
            said.append(f"{name!r} at another place")
    given = {it["name"] for it in theirs}
    for place, here in enumerate(by_place):
        if here["default"] is None and place >= len(wanted) and here["name"] not in given:
            said.append(f"{here['name']!r} is required")
    for here in ours:
        if here["kind"] == "keyword" and here["default"] is None and here["name"] not in given:
            said.append(f"{here['name']!r} is required")
    return said


def _default(here: Parameter, there: Parameter) -> list[str]:
    mine, its = here["default"], there["default"]
    if its is None or mine == its or "..." in (mine, its):
        return []
    if mine is None:
        return [f"{here['name']!r} is required"]
    return [f"{here['name']!r} is {mine} by default, theirs {its}"]
