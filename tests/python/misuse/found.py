"""The native classes of the package, and objects of them that were not initialised."""

import importlib
import os
import pkgutil
from collections.abc import Iterator
from types import ModuleType

ROOT = os.environ.get("MONDO_IMPORT_ROOT", "mlir")
LIBS = f"{ROOT}._mlir_libs"


def _modules() -> Iterator[ModuleType]:
    """The native modules, those of dialects among them."""
    libs = importlib.import_module(LIBS)
    # It keeps a class of the native module to itself.
    for name in (f"{ROOT}.execution_engine", f"{ROOT}.dialects.transform.interpreter"):
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    yield importlib.import_module(f"{LIBS}._mlir")
    for name in ("ir", "passmanager", "rewrite", "execution_engine"):
        native = getattr(libs._mlir, name, None)
        if native is not None:
            yield native
    for found in pkgutil.iter_modules(libs.__path__, f"{LIBS}."):
        if found.name.startswith(f"{LIBS}._mlir") and found.name != f"{LIBS}._mlir":
            try:
                yield importlib.import_module(found.name)
            except ImportError:
                # The bundle was made without it.
                continue


def _is_native(cls: type) -> bool:
    """True for classes of the native modules; enumerations have no state to be initialised."""
    in_package = cls.__module__ == LIBS or cls.__module__.startswith(f"{LIBS}.")
    return in_package and not issubclass(cls, BaseException) and not hasattr(cls, "__members__")


def classes() -> dict[str, type]:
    """All native classes by name, in an order that is the same in each process."""
    todo: list[type] = []
    for module in _modules():
        todo += [it for it in vars(module).values() if isinstance(it, type)]
    known: dict[str, type] = {}
    while todo:
        cls = todo.pop()
        name = f"{cls.__module__}.{cls.__qualname__}"
        if not _is_native(cls) or known.get(name) is cls:
            continue
        known[name] = cls
        todo += cls.__subclasses__()
        todo += [it for it in vars(cls).values() if isinstance(it, type)]
    return {name.removeprefix(f"{LIBS}."): known[name] for name in sorted(known)}


def generated() -> dict[str, type]:
    """The classes that the dialects' modules derive in Python, operations among them."""
    dialects = importlib.import_module(f"{ROOT}.dialects")
    natives = tuple(classes().values())
    known = {}
    for found in pkgutil.iter_modules(dialects.__path__, f"{dialects.__name__}."):
        try:
            module = importlib.import_module(found.name)
        except ImportError:
            # The bundle was made without a part that it needs.
            continue
        for cls in vars(module).values():
            if isinstance(cls, type) and issubclass(cls, natives) and not _is_native(cls):
                known[f"{cls.__module__}.{cls.__qualname__}"] = cls
    return {name.removeprefix(f"{ROOT}."): known[name] for name in sorted(known)}


def _forgetful(cls: type) -> type:
    """A subclass whose ``__init__`` does nothing."""
    return type("Forgetful", (cls,), {"__init__": lambda self, *args, **kwargs: None})


# The ways to an object whose `__init__` was not called.
WAYS = {
    "a subclass": lambda cls: _forgetful(cls)(),
    "a subclass with arguments": lambda cls: _forgetful(cls)(None, 1),
    "__new__": lambda cls: cls.__new__(cls),
    "__new__ of a subclass": lambda cls: _forgetful(cls).__new__(_forgetful(cls)),
}
