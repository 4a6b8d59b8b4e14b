"""The right outcomes of a use: an error that says what is wrong, or an answer that is listed."""

import inspect
import re
from types import BuiltinFunctionType
from typing import Any

from .uses import Use

# It says that the object was not initialised, and what its class has to do.
CLEAR = re.compile(r"`__init__` of its class has to call|__init__ was not called")
REFUSED = re.compile("cannot pickle")
_ERRORS = (
    *(AttributeError, BufferError, LookupError, NotImplementedError, RuntimeError, TypeError),
    ValueError,
)
_FAULTS = (MemoryError, RecursionError, SystemError)
_COPIES = ("copy", "deepcopy", "pickle")

# Uses that need nothing of the object but that it is one, as of any object in Python.
_OF_ANY = frozenset(
    [
        "ascii",
        "bool",
        "callable",
        "contains",
        "dir",
        "eq",
        "format",
        "getsizeof",
        "hash",
        "is_",
        "key",
        "length_hint",
        "match",
        "ne",
        "not_",
        "repr",
        "str",
        "truth",
        "vars",
        "weakref",
        "__eq__",
        "__format__",
        "__ge__",
        "__getstate__",
        "__gt__",
        "__hash__",
        "__iter__",
        "__le__",
        "__lt__",
        "__ne__",
        "__radd__",
        "__repr__",
        "__rmod__",
        "__rmul__",
        "__rsub__",
        "__str__",
    ]
)

# Other answers: a pattern for a class and a use, and the reason.
ANSWERS = {
    r"\.(ArrayAttr|DictAttr|Dense\w+|SymbolTable) do iter": (
        "the iterator is made as upstream's is; its first step raises"
    ),
    r"\.(\w+Attr|SymbolTable) do i?mod\('x', it\)": "formatting a text without a place for it",
    r"\.OpView read opview": "it is the view itself",
    r"\._?Context (read|set|del) emit_error_diagnostics": "a flag of the Python object",
    r"\._?Context call _get_(context_again|live_module_count)\(\)": "known to the Python object",
    r"\._?Context call _remember\(\)": "the package's own, before `__init__` goes on",
    r"\._?Context (do with|call __(enter|exit)__)": "the stack of contexts takes any",
    r"\._?Context \w+ current": "an attribute of the class",
    r"\.(GreedyRewriteConfig|TransformOptions|ThreadPool|DialectRegistry) ": (
        "`__init__` takes nothing, so that `__new__` makes all of it"
    ),
    r"\.(ConversionConfig|TypeConverter) ": "likewise",
    r"\.OpAdaptor ": "a class written in Python, which has nothing of MLIR's",
    r"\.ExecutionEngine call _function_type\(": "none is known, as of an engine without functions",
    r"\._GlobalDebug ": "flags of the process",
    r"\.FuncOp call _fill\(": "the package's own: there is no body to fill",
    r"\._?Context call __reduce__\(\)": "pickle asks `__reduce_ex__` before, which refuses",
    r"\.\w+ call get_named\('x'\)": "a name beside the attribute, which `NamedAttribute` checks",
}

# Other errors, likewise.
ERRORS = {
    r"\._GlobalDebug do pickle": "pickle does not find the class that a test has made",
    r"\.InsertionPoint \w+ current": "an attribute of the class, and there is none",
    r"\.OpAdaptor ": "a class written in Python, which has nothing of MLIR's",
}


def _static(cls: type, name: str) -> Any:
    return inspect.getattr_static(cls, name, None)


def _is_data(cls: type, name: str) -> bool:
    """True for what an object has, and False for methods and constants of the class."""
    return hasattr(type(_static(cls, name)), "__set__")


def _is_of_class(cls: type, name: str) -> bool:
    found = _static(cls, name)
    kinds = (staticmethod, classmethod, BuiltinFunctionType, type)
    return isinstance(found, kinds) or type(found).__name__ == "classmethod_descriptor"


def wrong_error(cls: type, use: Use, error: BaseException) -> str | None:
    """The reason why an exception is wrong, or None."""
    of_class = use.kind == "call" and _is_of_class(cls, use.name)
    if not isinstance(error, Exception if of_class else _ERRORS) or isinstance(error, _FAULTS):
        return "an exception of another kind"
    text = str(error)
    if use.kind == "do" and use.name in _COPIES and not REFUSED.search(text):
        return "it does not say that the object cannot be copied"
    if use.kind == "read" and _is_data(cls, use.name) and not CLEAR.search(text):
        return "it does not say that the object was not initialised"
    # Of these no argument is wrong.
    alone = use.kind == "do" or (use.kind == "call" and use.detail == "()" and not of_class)
    if alone and type(error) in (RuntimeError, ValueError) and not CLEAR.search(text):
        return "it does not say that the object was not initialised"
    return None


def is_of_class(cls: type, use: Use) -> bool:
    """True if an answer says nothing of the object."""
    if use.kind == "do" or use.name in _OF_ANY:
        return use.name in _OF_ANY
    if use.kind == "call":
        return _is_of_class(cls, use.name)
    return not _is_data(cls, use.name)


def reason(name: str, use: Use, among: dict[str, str]) -> str | None:
    """The pattern, among those for answers or errors, for a use of the class ``name``."""
    return next((it for it in among if re.search(it, f".{name} {use}")), None)
