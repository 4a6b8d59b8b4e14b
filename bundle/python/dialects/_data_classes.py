"""Types and attributes of dialects as classes, over functions that are made from ODS.

The generated modules ``_<dialect>_data_gen`` derive their classes from these. The form of a
parameter says how it is given to the library, and how it comes back.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from .._mlir_libs import _mlir as _cext
from .._mlir_libs import get_dialect_registry
from ..ir import (
    Attribute,
    Context,
    DiagnosticInfo,
    Location,
    MLIRError,
    Type,
    TypeID,
    register_type_caster,
)

__all__ = [
    "Array",
    "Bool",
    "DataAttribute",
    "DataType",
    "Enum",
    "Float",
    "Handle",
    "Integer",
    "Text",
]

# The extension's library is among those that it needs. The interpreter's lock stays held.
_library = ctypes.PyDLL(cast(str, _cext.__file__))

_name_of = ctypes.pythonapi.PyCapsule_GetName
_name_of.restype, _name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

# A capsule keeps the address of its name, so that these must not go away.
_registry = cast(bytes, _name_of(get_dialect_registry()._CAPIPtr))
_NAMES = {
    cls: _registry.replace(b".DialectRegistry.", f".{cls.__name__}.".encode())
    for cls in (Attribute, Type, TypeID)
}


class _StringRef(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def _pointer(wrapper: Any) -> int:
    capsule = wrapper._CAPIPtr
    return cast(int, _pointer_of(capsule, _name_of(capsule)))


def _wrapped(cls: Any, pointer: int) -> Any:
    return cls._CAPICreate(_new_capsule(pointer, _NAMES[cls], None))


def _refuse(name: str, wanted: str, value: object) -> TypeError:
    return TypeError(f"`{name}` must be {wanted}, not {type(value).__name__}")


class Form:
    """A form of parameters: the C type, and the conversions."""

    c: Any

    def give(self, name: str, value: Any, keep: list[Any]) -> Any:
        """The C value; ``keep`` takes what must live as long as the call."""
        raise NotImplementedError

    def take(self, value: Any) -> Any:
        """The value in Python."""
        return value

    def arguments(self, name: str, value: Any, keep: list[Any]) -> list[Any]:
        """The C arguments that give the parameter."""
        return [self.give(name, value, keep)]

    def types(self) -> list[Any]:
        """The C types of these."""
        return [self.c]


class Bool(Form):
    """``bool``."""

    c = ctypes.c_bool

    def give(self, name: str, value: Any, keep: list[Any]) -> Any:
        if not isinstance(value, bool):
            raise _refuse(name, "a bool", value)
        return value


class Integer(Form):
    """An integer of so many bits."""

    def __init__(self, bits: int, signed: bool) -> None:
        self.c = ctypes.c_int64 if signed else ctypes.c_uint64
        self._low = -(1 << bits - 1) if signed else 0
        self._high = (1 << (bits - 1 if signed else bits)) - 1

    def give(self, name: str, value: Any, keep: list[Any]) -> Any:
        if not hasattr(value, "__index__"):
            raise _refuse(name, "an int", value)
        number = value.__index__()
        if not self._low <= number <= self._high:
            raise ValueError(f"`{name}` must be from {self._low} to {self._high}, not {number}")
        return number


class Enum(Form):
    """A value of an enum, which is of the generated class where there is one."""

    c = ctypes.c_int64

    def __init__(self, cls: Callable[[int], Any] | None) -> None:
        self._cls = cls

    def give(self, name: str, value: Any, keep: list[Any]) -> Any:
        if not hasattr(value, "__index__"):
            raise _refuse(name, "a value of the enum", value)
        return value.__index__()

    def take(self, value: Any) -> Any:
        return value if self._cls is None else self._cls(value)


class Float(Form):
    """A floating-point number."""

    c = ctypes.c_double

    def give(self, name: str, value: Any, keep: list[Any]) -> Any:
        if not isinstance(value, (int, float)):
            raise _refuse(name, "a float", value)
        return float(value)


class Text(Form):
    """A text."""

    c = _StringRef

    def give(self, name: str, value: Any, keep: list[Any]) -> Any:
        if not isinstance(value, (str, bytes)):
            raise _refuse(name, "a str", value)
        data = value.encode() if isinstance(value, str) else value
        buffer = ctypes.create_string_buffer(data, len(data) + 1)
        keep.append(buffer)
        return _StringRef(ctypes.addressof(buffer), len(data))

    def take(self, value: Any) -> Any:
        return ctypes.string_at(value.data, value.length).decode() if value.length else ""


class Handle(Form):
    """A type or an attribute. An optional one may be ``None``."""

    c = ctypes.c_void_p

    def __init__(self, cls: type[Type] | type[Attribute], optional: bool = False) -> None:
        self._cls, self._optional = cls, optional

    def give(self, name: str, value: Any, keep: list[Any]) -> Any:
        if value is None and self._optional:
            return None
        if not isinstance(value, self._cls):
            article = "an Attribute" if self._cls is Attribute else "a Type"
            raise _refuse(name, article, value)
        keep.append(value)
        return _pointer(value)

    def take(self, value: Any) -> Any:
        return None if not value else _wrapped(self._cls, value).maybe_downcast()


class Array(Form):
    """A sequence of parameters of one form."""

    def __init__(self, element: Form) -> None:
        self.element = element

    def arguments(self, name: str, value: Any, keep: list[Any]) -> list[Any]:
        values = [self.element.give(f"{name}[{i}]", it, keep) for i, it in enumerate(value)]
        array = (self.element.c * len(values))(*values)
        keep.append(array)
        return [len(values), array]

    def types(self) -> list[Any]:
        return [ctypes.c_ssize_t, ctypes.c_void_p]


def _function(name: str, result: Any, arguments: Sequence[Any]) -> Any:
    # Each use of a name makes a function of its own, with its own types.
    function = _library[name]
    function.restype, function.argtypes = result, list(arguments)
    return function


class _Data:
    """The base of the classes of types and attributes."""

    type_name: str
    static_typeid: TypeID

    _prefix: str
    _forms: dict[str, Form]
    _base: Any
    _is_a: Any
    _get: Any

    @classmethod
    def isinstance(cls, other: Any) -> bool:
        """True if ``other`` is of this class."""
        return isinstance(other, cls._base) and bool(cls._is_a(_pointer(other)))

    @classmethod
    def get_static_typeid(cls) -> TypeID:
        """The TypeID of this class."""
        return cls.static_typeid

    @classmethod
    def _make(cls, loc: Location | None, context: Context | None, *values: Any) -> Any:
        keep: list[Any] = []
        arguments: list[Any] = []
        for (name, form), value in zip(cls._forms.items(), values, strict=True):
            arguments += form.arguments(name, value, keep)
        location = loc if loc is not None else Location.unknown(context)
        found: list[DiagnosticInfo] = []

        def note(diagnostic: Any) -> bool:
            found.append(DiagnosticInfo(diagnostic))
            return True

        handler = location.context.attach_diagnostic_handler(note)
        try:
            pointer = cls._get(_pointer(location), *arguments)
        finally:
            handler.detach()
        if not pointer:
            raise MLIRError(f"{cls.type_name} cannot be made of these parameters", found)
        return cast(Any, cls)(_wrapped(cls._base, pointer))

    def _parameter(self, name: str) -> Any:
        form = type(self)._forms[name]
        accessor = f"{self._prefix}Get{''.join(it[:1].upper() + it[1:] for it in name.split('_'))}"
        own = _pointer(self)
        if not isinstance(form, Array):
            return form.take(_function(accessor, form.c, [ctypes.c_void_p])(own))
        count = _function(accessor + "Count", ctypes.c_ssize_t, [ctypes.c_void_p])(own)
        at = _function(accessor + "At", form.element.c, [ctypes.c_void_p, ctypes.c_ssize_t])
        return [form.element.take(at(own, index)) for index in range(count)]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"


D = TypeVar("D", bound="_Data")


class DataType(_Data, Type):
    """The base of types."""

    _base = Type

    def __new__(cls: Any, cast_from_type: Type) -> Any:
        if not cls.isinstance(cast_from_type):
            raise ValueError(f"Cannot cast type to {cls.__name__} (from {cast_from_type!r})")
        return Type.__new__(cls, cast_from_type)  # type: ignore[call-arg]


class DataAttribute(_Data, Attribute):
    """The base of attributes."""

    _base = Attribute

    def __new__(cls: Any, cast_from_attr: Attribute) -> Any:
        if not cls.isinstance(cast_from_attr):
            raise ValueError(f"Cannot cast attribute to {cls.__name__} (from {cast_from_attr!r})")
        return Attribute.__new__(cls, cast_from_attr)  # type: ignore[call-arg]


def register(cls: type[D]) -> type[D]:
    """Finds the functions of a class, and has objects of its kind appear as it."""
    cls._is_a = _function(cls._prefix + "IsA", ctypes.c_bool, [ctypes.c_void_p])
    pointer = _function(cls._prefix + "TypeID", ctypes.c_void_p, [])()
    cls.static_typeid = _wrapped(TypeID, pointer)
    if "get" in cls.__dict__:
        types = [it for form in cls._forms.values() for it in form.types()]
        cls._get = _function(cls._prefix + "Get", ctypes.c_void_p, [ctypes.c_void_p, *types])
    # An extension of the dialect may have a class of its own for it.
    with contextlib.suppress(RuntimeError):
        register_type_caster(cls.static_typeid)(cls)
    return cls
