"""The native part of the package, and what has to happen before it is used.

Importing this package

* collects the dialects of the bundle, and of every ``_site_initialize_<n>`` module beside this
  file, in one registry (:func:`get_dialect_registry`);
* has the import of a dialect that the bundle does not contain say so;
* puts the classes that are written in Python into ``_mlir.ir``: ``Context``, which makes that
  registry available to each new context, ``MLIRError``, and ``OpAdaptor``.

A ``_site_initialize_<n>`` module (numbered from 0, without gaps) may define
``register_dialects(registry)``, ``context_init_hook(context)``, ``disable_multithreading`` and
``disable_load_all_available_dialects``; a ``_mlirRegisterEverything`` module
``register_llvm_translations(context)`` as well.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from typing import Any

# The first of them sees to it that the second is loaded as it should be, or says why it cannot be.
from . import _loading, _mlir
from ._mlir import ir as _ir

_this_dir = os.path.dirname(os.path.abspath(__file__))

_REGISTER_EVERYTHING = os.path.join(_this_dir, "_mlirRegisterEverything.py")

_dialect_registry = _ir.DialectRegistry()
_load_on_create_dialects: list[str] = []


def __getattr__(name: str) -> Any:
    # Upstream's package has imported this module; here only those import it who ask for it.
    if name == "_mlirRegisterEverything":
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def get_lib_dirs() -> Sequence[str]:
    """The folders with the shared libraries that other extensions link against."""
    return [_this_dir]


def get_include_dirs() -> Sequence[str]:
    """The folders with the C headers that other extensions include."""
    return [os.path.join(_this_dir, "include")]


def get_dialect_registry() -> _ir.DialectRegistry:
    """The registry that every new context is given."""
    return _dialect_registry


def append_load_on_create_dialect(dialect: str) -> None:
    """Adds a dialect that new contexts load where not all of them are loaded."""
    _load_on_create_dialects.append(dialect)


def get_load_on_create_dialects() -> list[str]:
    """The dialects that new contexts load where not all of them are loaded."""
    return _load_on_create_dialects


class _Site:
    """The requests of the site's modules."""

    def __init__(self) -> None:
        self.hooks: list[Callable[[Context], object]] = []
        # Called when the dialects are there.
        self.last_hooks: list[Callable[[Context], object]] = []
        self.multithreading = True
        self.load_all = True

    def collect(self) -> None:
        _mlir._register_bundle_dialects(_dialect_registry)
        everything = self._find("_mlirRegisterEverything")
        translations = getattr(everything, "register_llvm_translations", None)
        for number in itertools.count():
            if self._find(f"_site_initialize_{number}") is None:
                break
        if translations is not None:
            self.last_hooks.append(translations)

    def _find(self, name: str) -> object | None:
        """Takes what a module asks for. Nothing if it is not there, or cannot be imported."""
        full_name = f"{__name__}.{name}"
        spec = importlib.util.find_spec(full_name)
        # Of the file that ships with this package nothing is left to be taken.
        if spec is None or spec.origin == _REGISTER_EVERYTHING:
            return None
        try:
            module = importlib.import_module(full_name)
        except ImportError:
            import logging

            logging.getLogger(__name__).warning(
                "the MLIR initialiser %s cannot be imported, and is left out", name, exc_info=True
            )
            return None
        self._take(module)
        return module

    def _take(self, module: object) -> None:
        register = getattr(module, "register_dialects", None)
        if register is not None:
            register(_dialect_registry)
        hook = getattr(module, "context_init_hook", None)
        if hook is not None:
            self.hooks.append(hook)
        if getattr(module, "disable_multithreading", False):
            self.multithreading = False
        if hasattr(module, "disable_load_all_available_dialects"):
            self.load_all = False


_site = _Site()


class Context(_ir._Context):
    """A context that knows the dialects of the bundle.

    ``load_on_create_dialects`` names the dialects to load at once; by default all are.
    """

    def __init__(
        self,
        load_on_create_dialects: Iterable[str] | None = None,
        thread_pool: _ir.ThreadPool | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        if args or kwargs:
            from . import _argument_errors

            # In the words of the native functions, by which programs recognise such an error. No
            # variable outlives the block: with one for the error, whose traceback has this frame,
            # the context would live until the next garbage collection.
            try:
                raise TypeError(f"{_argument_errors.HEAD}: there are more than two, or other names")
            except TypeError as error:
                given = (self, load_on_create_dialects, thread_pool, *args)
                _argument_errors.explain(error, Context, "__init__", given, kwargs)
                raise
        super().__init__()
        self._remember()
        self.append_dialect_registry(_dialect_registry)
        for hook in _site.hooks:
            hook(self)
        if thread_pool is not None:
            if not _site.multithreading:
                raise ValueError(
                    "a thread_pool was given, but a _site_initialize module switches threads off"
                )
            self.set_thread_pool(thread_pool)
        elif _site.multithreading:
            self.enable_multithreading(True)
        if load_on_create_dialects is None and _site.load_all:
            self.load_all_available_dialects()
        else:
            names = load_on_create_dialects
            if names is None:
                names = _load_on_create_dialects
            for name in names:
                # Asking for a dialect loads it.
                self.dialects[name]
        _mlir._register_bundle_translations(self)
        for hook in _site.last_hooks:
            hook(self)


class OpAdaptor:
    """An operation's attributes with other operands than its own, as a conversion sees them."""

    def __init__(self, operands: Iterable[_ir.Value], attributes: _ir.OpAttributeMap | _ir.OpView):
        self._operands = list(operands)
        self._attributes = (
            attributes.attributes if isinstance(attributes, _ir.OpView) else attributes
        )

    @property
    def operands(self) -> list[_ir.Value]:
        """The operands."""
        return self._operands

    @property
    def attributes(self) -> _ir.OpAttributeMap:
        """The attributes."""
        return self._attributes


class MLIRError(Exception):
    """An error that MLIR reported.

    ``error_diagnostics`` are the :class:`DiagnosticInfo` objects that it consists of.
    """

    # The text that a parser has read, set by the parser.
    _source: str | bytes | None = None
    # The last line, which says what the text was made of.
    _advice: str | None = None

    def __init__(self, message: str, error_diagnostics: list[_ir.DiagnosticInfo]) -> None:
        super().__init__(message, error_diagnostics)
        self.message = message
        self.error_diagnostics = error_diagnostics

    def __str__(self) -> str:
        lines = [self.message + (":" if self.error_diagnostics else "")]
        for diagnostic in self.error_diagnostics:
            lines.append(_describe("error", diagnostic))
            lines.extend(" " + _describe("note", note) for note in diagnostic.notes)
        telling = ("not found", " for triple ", "unregistered dialect")
        if any(words in line for line in lines for words in telling):
            from ._absent import advice, named

            lines.extend(
                advice(
                    named(error.message, error.location, self._source)
                    for error in self.error_diagnostics
                )
            )
        if self._advice is not None:
            lines.append(self._advice)
        return "\n".join(lines)


def _describe(kind: str, diagnostic: _ir.DiagnosticInfo) -> str:
    # A location prints as `loc(…)`.
    place = str(diagnostic.location)[len("loc(") : -1]
    return f"{kind}: {place}: " + diagnostic.message.replace("\n", "\n  ")


# The classes that `match` treats as sequences and mappings.
_SEQUENCES = (
    "BlockArgumentList",
    "BlockList",
    "BlockPredecessors",
    "BlockSuccessors",
    "OpOperandList",
    "OpResultList",
    "OpSuccessors",
    "OperationList",
    "RegionSequence",
)
_MAPPINGS = ("OpAttributeMap",)
# The classes that a notebook shows with highlighting.
_SHOWN = (
    *("Module", "_OperationBase", "Block", "Value", "Type", "Attribute", "Location"),
    *("AffineExpr", "AffineMap", "IntegerSet"),
)

# The classes of objects that programs keep and may try to pickle. Iterators are not among them: one
# more attribute of a class takes ten thousand instructions at each import.
_HELD = {
    "ir": (
        *(*_SHOWN, "_Context", "Dialect", "Region", "RegionSequence", "TypeID", "AsmState"),
        *("DiagnosticInfo", "DialectRegistry", "InsertionPoint", "SymbolTable", "ThreadPool"),
        *("InferTypeOpInterface", "InferShapedTypeOpInterface"),
    ),
    "passmanager": ("PassManager",),
    "rewrite": (
        *("ConversionConfig", "ConversionTarget", "GreedyRewriteConfig", "PDLModule"),
        *("RewritePatternSet", "TypeConverter"),
    ),
    "execution_engine": ("ExecutionEngine",),
}


def _repr_html_(self: object) -> str:
    """The text with highlighting, for a notebook."""
    from ..notebook import html

    return html(self)


def _reduce_ex(self: object, protocol: int) -> str | tuple[Any, ...]:
    """Refuses, as protocol 2 does: the older ones would write what cannot be read again."""
    return object.__reduce_ex__(self, max(protocol, 2))


def _refuse_older_pickles(classes: Iterable[Any]) -> None:
    for cls in classes:
        cls.__reduce_ex__ = _reduce_ex


class _AbsentDialects:
    """Says which dialects have no module because the bundle was made without them.

    The import system asks it last, for what nobody else has found.
    """

    _folder = __name__.rpartition(".")[0] + ".dialects."

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Finds nothing, or raises."""
        if not name.startswith(self._folder):
            return None
        from . import _absent

        message = _absent.module(name.removeprefix(self._folder))
        if message is None:
            return None
        # Without a `name`, by which `from … import` would take it for any missing attribute.
        raise ModuleNotFoundError(message)


def _site_initialize() -> None:
    for protocol, names in ((Sequence, _SEQUENCES), (Mapping, _MAPPINGS)):
        for name in names:
            protocol.register(getattr(_ir, name))
    for name in _SHOWN:
        getattr(_ir, name)._repr_html_ = _repr_html_
    for module, held in _HELD.items():
        # A bundle may be without the execution engine.
        classes = (getattr(getattr(_mlir, module, None), name, None) for name in held)
        _refuse_older_pickles(filter(None, classes))
    for cls in (Context, MLIRError, OpAdaptor):
        cls.__module__ = _ir.__name__
        setattr(_ir, cls.__name__, cls)
    _site.collect()
    sys.meta_path.append(_AbsentDialects())


_site_initialize()
