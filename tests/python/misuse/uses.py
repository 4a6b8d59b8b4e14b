"""Uses of an object: its attributes read, set, deleted and called, operators, protocols, copies."""

import copy
import inspect
import operator
import pickle
import sys
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Do = Callable[[Any], Any]


@dataclass(frozen=True)
class Use:
    """Something that is done with an object: ``read``, ``set``, ``del`` and ``call`` of an
    attribute, or ``do`` of a protocol.
    """

    kind: str
    name: str
    detail: str
    do: Do

    def __str__(self) -> str:
        return f"{self.kind} {self.name}{self.detail}"


# Those of `object` and `type` that say nothing of the class.
_SKIPPED = frozenset(
    [
        "__class__",
        "__del__",
        "__delattr__",
        "__dir__",
        "__doc__",
        "__getattribute__",
        "__init__",
        "__init_subclass__",
        "__module__",
        "__new__",
        "__setattr__",
        "__sizeof__",
        "__subclasshook__",
        "__dict__",
        "__weakref__",
        "__class_getitem__",
    ]
)
# The arguments of calls; OBJECT is the object itself.
OBJECT = object()
_ARGUMENTS: tuple[tuple[Any, ...], ...] = (
    (),
    (None,),
    (0,),
    ("x",),
    (b"\x00",),
    ([],),
    (OBJECT,),
    (print,),
    (None, None),
    (0, "x"),
    (OBJECT, OBJECT),
    ("x", OBJECT, None),
    (None, None, None, None),
)
_VALUES: tuple[Any, ...] = (None, 1, "x", [], OBJECT)
_OTHERS: tuple[Any, ...] = (None, 1, "x", [], OBJECT)

_BINARY = (
    *[
        "add",
        "and_",
        "concat",
        "contains",
        "eq",
        "floordiv",
        "ge",
        "getitem",
        "gt",
        "iadd",
        "iand",
        "ifloordiv",
        "ilshift",
        "imod",
    ],
    *[
        "imul",
        "ior",
        "ipow",
        "irshift",
        "is_",
        "isub",
        "itruediv",
        "ixor",
        "le",
        "lshift",
        "lt",
        "matmul",
        "mod",
        "mul",
        "ne",
        "or_",
    ],
    *["pow", "rshift", "sub", "truediv", "xor"],
)
_UNARY = ("abs", "index", "inv", "neg", "not_", "pos", "truth", "length_hint")


def _filled(arguments: tuple[Any, ...], it: Any) -> tuple[Any, ...]:
    return tuple(it if one is OBJECT else one for one in arguments)


def _shown(arguments: tuple[Any, ...]) -> str:
    names = {id(OBJECT): "it", id(print): "print"}
    return ", ".join(names.get(id(one), repr(one)) for one in arguments)


def _enter(it: Any) -> None:
    with it:
        pass


def _match(it: Any) -> bool:
    match it:
        case [_, *_]:
            return True
        case {"x": _}:
            return True
    return False


def _operators() -> Iterator[Use]:
    for name in _UNARY:
        yield Use("do", name, "(it)", getattr(operator, name))
    for name in _BINARY:
        operate = getattr(operator, name)
        for other in _OTHERS:
            shown = _shown((other,))
            yield Use("do", name, f"(it, {shown})", _with(operate, other, left=True))
            if other is not OBJECT:
                yield Use("do", name, f"({shown}, it)", _with(operate, other, left=False))


_CONVERSIONS = (
    *(bool, bytes, complex, float, int, iter, len, list, next, reversed, set, tuple),
    *(ascii, format, repr, str, dir, vars, hash, callable, memoryview, sys.getsizeof, round),
)

_STATEMENTS: dict[str, Do] = {
    "divmod": lambda it: divmod(it, it),
    "pow of three": lambda it: pow(it, it, it),
    "setitem": lambda it: operator.setitem(it, 0, it),
    "delitem": lambda it: operator.delitem(it, 0),
    "slice": lambda it: it[1:2],
    "call": lambda it: it(),
    "call with itself": lambda it: it(it),
    "with": _enter,
    "match": _match,
    "isinstance": lambda it: isinstance(1, it),
    "issubclass": lambda it: issubclass(int, it),
    "sort": lambda it: sorted([it, it]),
    "weakref": weakref.ref,
    "key": lambda it: {it: it}[it],
}


def _copies() -> Iterator[Use]:
    yield Use("do", "copy", "", copy.copy)
    yield Use("do", "deepcopy", "", copy.deepcopy)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        dumps: Do = lambda it, protocol=protocol: pickle.dumps(it, protocol)  # noqa: E731
        yield Use("do", "pickle", f" {protocol}", dumps)


def _with(operate: Callable[[Any, Any], Any], other: Any, *, left: bool) -> Do:
    def use(it: Any) -> Any:
        given = it if other is OBJECT else other
        return operate(it, given) if left else operate(given, it)

    return use


def _attribute(name: str) -> Iterator[Use]:
    yield Use("read", name, "", lambda it: getattr(it, name))
    for value in _VALUES:
        put: Do = lambda it, value=value: setattr(it, name, it if value is OBJECT else value)  # noqa: E731
        yield Use("set", name, f" = {_shown((value,))}", put)
    yield Use("del", name, "", lambda it: delattr(it, name))
    for given in _ARGUMENTS:
        call: Do = lambda it, given=given: getattr(it, name)(*_filled(given, it))  # noqa: E731
        yield Use("call", name, f"({_shown(given)})", call)


PROTOCOLS = (
    *_operators(),
    *(Use("do", it.__name__, "", it) for it in _CONVERSIONS),
    *(Use("do", name, "", do) for name, do in _STATEMENTS.items()),
    *_copies(),
)


def uses(cls: type, own: bool) -> Iterator[Use]:
    """All uses of an object of a class; only of attributes that no base has, if ``own``."""
    names = set(vars(cls)) if own else set(dir(cls))
    for name in sorted(names - _SKIPPED):
        # A class, as those of a dialect's operations, has uses of its own.
        if not isinstance(inspect.getattr_static(cls, name, None), type):
            yield from _attribute(name)
    if not own:
        yield from PROTOCOLS
