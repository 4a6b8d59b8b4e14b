"""Names, kinds, bases and signatures of an installed package, as JSON; private names included.

It runs in the interpreter that has the package: ``python -m api_diff.facts mlir``.
"""

from __future__ import annotations

import enum
import importlib
import inspect
import json
import pathlib
import sys
import warnings
from types import FunctionType, ModuleType
from typing import Any, TypedDict

from . import signatures

# The names that Python itself puts into modules and classes.
_OF_MODULES = frozenset(
    ("__annotations__", "__builtins__", "__cached__", "__doc__", "__file__", "__loader__")
    + ("__name__", "__package__", "__path__", "__spec__", "__conditional_annotations__")
)
_OF_CLASSES = frozenset(
    ("__annotations__", "__dict__", "__doc__", "__module__", "__qualname__", "__weakref__")
    + ("__slots__", "__firstlineno__", "__static_attributes__", "__abstractmethods__", "_abc_impl")
    + ("__orig_bases__", "__parameters__", "__getstate__", "__match_args__", "__text_signature__")
    # Constructors are compared by themselves.
    + ("__init__", "__new__")
)
_SIMPLE = (bool, int, float, str, type(None))


class Entry(TypedDict, total=False):
    """A name of a module or of a class. ``origin`` is the module that defines the object."""

    kind: str
    origin: str
    name: str
    doc: bool
    type: str
    value: str
    settable: bool
    signatures: list[signatures.Signature]
    lines: list[signatures.Line]
    cls: str


class Class(TypedDict, total=False):
    """A class: its bases and its resolution order by qualified name, and its own members.

    ``takes_in`` is the method that takes the constructor's arguments.
    """

    name: str
    bases: list[str]
    mro: list[str]
    metaclass: str
    final: bool
    constructor: list[signatures.Signature]
    takes_in: str
    members: dict[str, Entry]
    enum: dict[str, str]


class Module(TypedDict, total=False):
    """A module, or the error that importing it raised."""

    error: str
    doc: bool
    stub: bool
    package: str
    names: dict[str, Entry]
    star: list[str]


class Facts(TypedDict):
    """All of a package. Keys are relative to its root."""

    modules: dict[str, Module]
    classes: dict[str, Class]


class _Walk:
    def __init__(self, root: str) -> None:
        self.root = root
        self.classes: dict[str, Class] = {}

    def relative(self, name: str) -> str:
        """A dotted name below the root without the root."""
        if name == self.root:
            return "."
        return name.removeprefix(self.root + ".") if name.startswith(self.root + ".") else name

    def module(self, module: ModuleType) -> Module:
        names = {
            name: self.entry(value)
            for name, value in sorted(vars(module).items())
            if name not in _OF_MODULES
        }
        into: dict[str, Any] = {}
        exec(f"from {module.__name__} import *", into)
        into.pop("__builtins__", None)
        file = getattr(module, "__file__", None)
        path = getattr(module, "__path__", None)
        return Module(
            doc=bool(module.__doc__),
            stub=_has_stub(module),
            package="no" if path is None else "namespace" if file is None else "regular",
            names=names,
            star=sorted(into),
        )

    def entry(self, value: Any) -> Entry:
        origin = self.relative(str(getattr(value, "__module__", "") or ""))
        if isinstance(value, ModuleType):
            return Entry(kind="module", origin=self.relative(value.__name__))
        if type(value).__module__ in ("typing", "types") and not inspect.isroutine(value):
            return Entry(kind="typing", origin=origin)
        if isinstance(value, type):
            return Entry(kind="class", cls=self.cls(value), origin=origin, doc=bool(value.__doc__))
        if callable(value):
            entry = Entry(kind="function", origin=origin, doc=bool(value.__doc__))
            name = getattr(value, "__name__", None)
            if isinstance(name, str):
                entry["name"] = name
            found = signatures.of(value)
            if found is not None:
                entry["signatures"] = found
            if not isinstance(value, FunctionType):
                entry["lines"] = signatures.lines(entry.get("name", ""), value.__doc__)
            return entry
        entry = Entry(kind="value", type=type(value).__name__, origin=origin)
        if isinstance(value, _SIMPLE):
            entry["value"] = repr(value)
        return entry

    def cls(self, cls: type) -> str:
        key = f"{self.relative(cls.__module__)}:{cls.__qualname__}"
        if key in self.classes:
            return key
        made = self.classes[key] = Class(name=cls.__name__)
        twins = _twins(cls)
        bases = [base for twin in twins for base in twin.__bases__ if base not in twins]
        made["bases"] = list(dict.fromkeys(self.cls(base) for base in bases))
        made["mro"] = [key, *(self.cls(base) for base in cls.__mro__ if base not in twins)]
        made["metaclass"] = type(cls).__name__
        made["final"] = not cls.__flags__ & (1 << 10)
        made["takes_in"] = _takes_in(cls)
        found = _constructor(cls)
        if found is not None:
            made["constructor"] = found
        made["members"] = {
            name: self.member(cls, value)
            for name, value in sorted(_members(twins).items())
            if name not in _OF_CLASSES
        }
        if issubclass(cls, enum.Enum):
            made["enum"] = {name: repr(it.value) for name, it in cls.__members__.items()}
        return key

    def member(self, cls: type, value: Any) -> Entry:
        if isinstance(value, type):
            return Entry(kind="class", doc=bool(value.__doc__), name=value.__name__)
        if isinstance(value, (staticmethod, classmethod)):
            return self.callable(value.__func__, type(value).__name__, value)
        if isinstance(value, property):
            return Entry(kind="property", doc=bool(value.__doc__), settable=bool(value.fset))
        kind = type(value).__name__
        if kind in ("getset_descriptor", "member_descriptor"):
            return Entry(kind="property", doc=bool(value.__doc__))
        if kind in ("builtin_function_or_method", "nb_func"):
            return self.callable(value, "staticmethod", value)
        if kind == "classmethod_descriptor":
            return self.callable(value.__get__(None, cls), "classmethod", value)
        if callable(value):
            return self.callable(value, "method", value)
        entry = Entry(kind="value", type=kind)
        if isinstance(value, _SIMPLE):
            entry["value"] = repr(value)
        elif hasattr(type(value), "__get__"):
            # A property of the class itself, such as `Context.current`.
            entry["doc"] = bool(value.__doc__)
        return entry

    def callable(self, function: Any, kind: str, described: Any) -> Entry:
        entry = Entry(kind=kind, doc=bool(described.__doc__))
        name = getattr(function, "__name__", "")
        if not isinstance(function, FunctionType):
            entry["lines"] = signatures.lines(name, function.__doc__)
        found = signatures.of(function)
        if found is not None:
            # Whoever calls a method does not give the object or class that it is a method of.
            receivers = ("self", "cls") if kind != "staticmethod" else ()
            entry["signatures"] = [
                it[1:] if it and (it[0]["name"] in receivers or kind == "method") else it
                for it in found
            ]
        return entry


def _twins(cls: type) -> list[type]:
    """The class and its bases of the same name: to a client they are one class."""
    return [
        base
        for base in cls.__mro__
        if (base.__module__, base.__qualname__) == (cls.__module__, cls.__qualname__)
    ]


def _members(twins: list[type]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for cls in reversed(twins):
        found.update(vars(cls))
    return found


def _initializer(cls: type) -> object:
    return getattr(cls, "__init__", None)


def _takes_in(cls: type) -> str:
    if _initializer(cls) is not _initializer(object):
        # The metaclass of an enumeration takes them.
        return "metaclass" if issubclass(cls, enum.Enum) else "__init__"
    return (
        "__new__" if getattr(cls, "__new__", None) is not getattr(object, "__new__", None) else ""
    )


def _constructor(cls: type) -> list[signatures.Signature] | None:
    if issubclass(cls, (enum.Enum, BaseException)) or cls.__module__ in sys.stdlib_module_names:
        return None
    initializer = _initializer(cls)
    if getattr(initializer, "__nb_signature__", None) is not None:
        found = signatures.of(initializer)
        return found and [it[1:] for it in found]
    return signatures.of(cls)


def _has_stub(module: ModuleType) -> bool:
    spec = module.__spec__
    origin = getattr(spec, "origin", None) if spec is not None else None
    if origin is None or not pathlib.Path(origin).exists():
        return False
    file = pathlib.Path(origin)
    stem = file.name.split(".")[0]
    return (file.parent / f"{stem}.pyi").exists() or (file.parent / stem / "__init__.pyi").exists()


def _below(root: str, folder: pathlib.Path) -> set[str]:
    """The modules whose files are in a folder, those of namespace packages included."""
    found = {root}
    for path in sorted(folder.iterdir()):
        name = path.name.split(".")[0]
        if path.is_dir():
            # The folder of stubs of a native module, and the C headers, hold no module.
            if any(path.rglob("*.py")):
                found |= _below(f"{root}.{path.name}", path)
            continue
        native = path.suffix == ".so" and not name.startswith("lib")
        if (native or path.suffix == ".py") and name.isidentifier() and name != "__init__":
            found.add(f"{root}.{name}")
    return found


def collect(root: str) -> Facts:
    """The facts about an importable package."""
    package = importlib.import_module(root)
    names: set[str] = set()
    for folder in package.__path__:
        names |= _below(root, pathlib.Path(folder))
    walk = _Walk(root)
    modules: dict[str, Module] = {}
    # Private modules come last: importing one first can make a public one of upstream's fail.
    for name in sorted(names, key=lambda it: (it.rpartition(".")[2].startswith("_"), it)):
        try:
            importlib.import_module(name)
        except Exception as error:
            modules[walk.relative(name)] = Module(error=f"{type(error).__name__}: {error}")
    for name, module in sorted(sys.modules.items()):
        if name == root or name.startswith(root + "."):
            modules[walk.relative(name)] = walk.module(module)
    return Facts(modules=modules, classes=walk.classes)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    json.dump(collect(sys.argv[1]), sys.stdout)
