"""Dialects that are defined by Python classes.

::

    class Shapes(Dialect, name="shapes"):
        pass

    class AreaOp(Shapes.Operation, name="area", traits=[Pure]):
        width: Operand[IntegerType[32]]
        height: Operand[IntegerType[32]]
        unit: StringAttr
        area: Result[IntegerType[32]] = infer_result()

    Shapes.load()  # in the current context
"""

from __future__ import annotations

import inspect as _inspect
import sys as _sys
import typing as _typing
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from functools import reduce as _reduce
from operator import or_ as _or
from types import UnionType as _UnionType
from typing import Any as _Any
from typing import TypeVar as _TypeVar
from weakref import WeakSet as _WeakSet

from .. import ir as _ir
from .._mlir_libs import _mlir as _cext
from .._mlir_libs._mlirDialectsIRDL import _make_pure, _register_dynamic_class, load_dialects
from ._ods_common import segmented_accessor as _segment

__all__ = [
    "Dialect",
    "Operation",
    "Operand",
    "Result",
    "Region",
    "Type",
    "Attribute",
    "Pure",
    "result",
    "infer_result",
    "operand",
    "attribute",
]

Operand = _ir.Value
Result = _ir.OpResult
Region = _ir.Region

_Factory = _Callable[[], _Any]
_SEGMENTS = {"variadic": -1, "optional": 0, "single": 1}


class _Specifier:
    """What is assigned to a field of an operation's class."""

    def __init__(
        self,
        kind: str | None = None,
        *,
        infers: bool = False,
        is_none: bool = False,
        factory: _Factory | None = None,
        kw_only: bool = False,
    ):
        self.kind = kind
        self.infers = infers
        self.is_none = is_none
        self.factory = factory
        self.kw_only = kw_only


def result(*, default_factory: _Factory | None = None, kw_only: bool = False) -> _Any:
    """A result whose type has a default, or can be given by name only."""
    return _Specifier("result", factory=default_factory, kw_only=kw_only)


def infer_result() -> _Any:
    """A result whose type follows from its annotation, which allows one type only."""
    return _Specifier("result", infers=True)


def operand(*, kw_only: bool = False) -> _Any:
    """An operand, which can be given by name only."""
    return _Specifier("operand", kw_only=kw_only)


def attribute(*, default_factory: _Factory | None = None, kw_only: bool = False) -> _Any:
    """An attribute that has a default, or can be given by name only."""
    return _Specifier("attribute", factory=default_factory, kw_only=kw_only)


def _is_one_of(kind: _Any, *bases: type) -> bool:
    return isinstance(kind, type) and issubclass(kind, bases)


def _instance(constraint: _Any) -> _Any:
    """The one type or attribute that a constraint like ``IntegerType[32]`` allows."""
    origin, arguments = _typing.get_origin(constraint), _typing.get_args(constraint)
    if not _is_one_of(origin, _ir.Type, _ir.Attribute):
        raise TypeError(f"unsupported type in constraints: {constraint}")
    made = (_instance(given) if _typing.get_origin(given) else given for given in arguments)
    return origin.get(*made)


def _inferred(constraint: _Any) -> _Factory:
    """Makes the function that makes the one type that a constraint allows."""
    if isinstance(constraint, _TypeVar):
        return _inferred(constraint.__bound__)
    if not _is_one_of(_typing.get_origin(constraint), _ir.Type, _ir.Attribute):
        raise TypeError(f"unsupported type for inferring: {constraint}")
    return lambda: _instance(constraint)


class _Field:
    """An operand, result, attribute or region of an operation."""

    def __init__(self, name: str, annotation: _Any, given: _Specifier):
        self.name = name
        self.given = given
        self.arity = "single"
        arguments = _typing.get_args(annotation)
        origin = _typing.get_origin(annotation)
        if origin in (_typing.Union, _UnionType) and type(None) in arguments:
            self.arity = "optional"
            annotation = _reduce(_or, (one for one in arguments if one is not type(None)))
        elif origin in (_Sequence, list):
            self.arity = "variadic"
            annotation = arguments[0]
        origin = _typing.get_origin(annotation)
        self.constraint = annotation
        if origin in (_ir.OpResult, _ir.Value):
            self.kind = "result" if origin is _ir.OpResult else "operand"
            self.constraint = _typing.get_args(annotation)[0]
        elif annotation is _ir.Region:
            self.kind = "region"
        else:
            self.kind = "attribute"
        if given.kind not in (None, self.kind):
            raise TypeError(
                f"only `{self.kind}` field specifier can be used for {self.kind} fields"
            )
        if self.kind in ("attribute", "region") and self.arity != "single":
            raise ValueError(f"optional {self.kind} is not currently supported")
        if given.is_none and self.arity != "optional":
            raise ValueError(f"only optional {self.kind} can be set to None")
        if given.infers and self.arity != "single":
            raise ValueError(f"type of variadic or optional result '{name}' cannot be inferred")
        self.default = _inferred(self.constraint) if given.infers else given.factory

    @property
    def parameter(self) -> _inspect.Parameter:
        """The parameter of ``__init__`` for it."""
        kinds = _inspect.Parameter
        if self.default or self.given.is_none:
            return kinds(self.name, kinds.KEYWORD_ONLY, default=None)
        if self.given.kw_only:
            return kinds(self.name, kinds.KEYWORD_ONLY)
        return kinds(self.name, kinds.POSITIONAL_OR_KEYWORD)

    def value(self, given: _Any) -> _Any:
        """What the operation is built with, for what was given."""
        given = self.default() if given is None and self.default else given
        if self.kind == "attribute" and isinstance(given, _ir.Type):
            return _ir.TypeAttr.get(given)
        return given


def _annotations(cls: type, depth: int) -> dict[str, _Any]:
    """The annotations of a class that a frame so many levels up defines."""
    frame = _sys._getframe(depth + 1)
    seen = {**frame.f_locals, **vars(cls)}
    return _inspect.get_annotations(cls, globals=frame.f_globals, locals=seen, eval_str=True)


def _bound_to(cls: _Any, dialect: _Any, what: str) -> None:
    """Notes the dialect of a class."""
    if dialect is None:
        return
    known = getattr(cls, "_dialect_obj", None)
    if known is not None:
        raise RuntimeError(
            f"This {what} has already been attached to dialect '{known.DIALECT_NAMESPACE}'."
        )
    cls._dialect_obj = dialect


def _dialect_of(cls: _Any, what: str) -> _Any:
    known = getattr(cls, "_dialect_obj", None)
    if known is None:
        raise RuntimeError(
            f"{what} subclasses must either inherit from a Dialect's {what} subclass "
            "or provide the dialect as a class keyword argument."
        )
    return known


def _group(elements: _Any, attributes: _Any, segments: str, index: int, arity: str) -> _Any:
    group = _segment(elements, attributes[segments], index)
    if arity == "variadic":
        return group
    return group[0] if len(group) or arity == "single" else None


def _attribute_getter(name: str) -> _Callable[[_Any], _Any]:
    return lambda self: self.attributes[name]


def _parameter_getter(index: int) -> _Callable[[_Any], _Any]:
    return lambda self: self.params[index]


def _add_accessors(cls: _Any, fields: list[_Field], source: str, segments: str | None) -> None:
    """Adds a property for each of the operands or results."""
    for index, field in enumerate(fields):

        def get(self: _Any, index: int = index, arity: str = field.arity) -> _Any:
            elements = getattr(self, source)
            if segments is None:
                return elements[index]
            return _group(elements, self.attributes, segments, index, arity)

        setattr(cls, field.name, property(get))


class Operation(_ir.OpView):
    """The base of the operations of a dialect: ``class AddOp(MyDialect.Operation, name="add")``.

    The class may have ``verify_invariants`` and ``verify_region_invariants``, which return whether
    the operation is valid.
    """

    OPERATION_NAME: str
    Adaptor: type[_ir.OpAdaptor]
    _op_name: str
    _fields: list[_Field] = []
    _traits: list[_Any] = []

    def __init__(self, *args: _Any, **kwargs: _Any):
        raise TypeError(
            "This class is a template and cannot be instantiated directly. "
            "Please use a subclass that defines the operation."
        )

    def __init_subclass__(
        cls,
        *,
        name: str | None = None,
        traits: _Sequence[_Any] | None = None,
        dialect: type[Dialect] | None = None,
        **kwargs: _Any,
    ):
        super().__init_subclass__(**kwargs)
        bases: list[_Any] = [base for base in cls.__bases__ if hasattr(base, "_fields")]
        fields = [field for base in bases for field in base._fields]
        for key, annotation in _annotations(cls, 1).items():
            given = vars(cls).get(key, _Specifier())
            given = _Specifier(is_none=True) if given is None else given
            if not isinstance(given, _Specifier):
                raise TypeError(f"the field specifier of field '{key}' is not supported")
            fields.append(_Field(key, annotation, given))
        cls._fields = fields
        cls._traits = [trait for base in bases for trait in base._traits] + list(traits or [])
        _bound_to(cls, dialect, "operation")
        if name is None:
            return
        owner = _dialect_of(cls, "Operation")
        cls._op_name = name
        cls.OPERATION_NAME = f"{owner.DIALECT_NAMESPACE}.{name}"
        cls._ODS_REGIONS = (len(cls._all("region")), True)
        cls._ODS_OPERAND_SEGMENTS = cls._segments("operand")
        cls._ODS_RESULT_SEGMENTS = cls._segments("result")
        cls._add_init()
        cls._add_members()
        owner.operations.append(cls)

    @classmethod
    def _all(cls, kind: str) -> list[_Field]:
        return [field for field in cls._fields if field.kind == kind]

    @classmethod
    def _segments(cls, kind: str) -> list[int] | None:
        fields = cls._all(kind)
        if all(field.arity == "single" for field in fields):
            return None
        return [_SEGMENTS[field.arity] for field in fields]

    @classmethod
    def _add_init(cls) -> None:
        kinds = _inspect.Parameter
        signature = _inspect.Signature(
            [
                kinds("self", kinds.POSITIONAL_ONLY),
                *(field.parameter for field in cls._fields if field.kind != "region"),
                kinds("loc", kinds.KEYWORD_ONLY, default=None),
                kinds("ip", kinds.KEYWORD_ONLY, default=None),
            ]
        )

        def __init__(*args: _Any, **kwargs: _Any) -> None:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = bound.arguments

            def values(kind: str) -> list[_Any]:
                return [field.value(given[field.name]) for field in cls._all(kind)]

            attributes = zip(cls._all("attribute"), values("attribute"), strict=True)
            _ir.OpView.__init__(
                given["self"],
                cls.OPERATION_NAME,
                cls._ODS_REGIONS,
                cls._ODS_OPERAND_SEGMENTS,
                cls._ODS_RESULT_SEGMENTS,
                results=values("result"),
                operands=values("operand"),
                attributes={field.name: value for field, value in attributes},
                loc=given["loc"],
                ip=given["ip"],
            )

        __init__.__signature__ = signature  # type: ignore[attr-defined]
        cls.__init__ = __init__  # type: ignore[method-assign]

    @classmethod
    def _add_members(cls) -> None:
        operands, attributes = cls._all("operand"), cls._all("attribute")
        sizes = "operandSegmentSizes" if cls._ODS_OPERAND_SEGMENTS else None
        adaptor = type("Adaptor", (_ir.OpAdaptor,), {"OPERATION_NAME": cls.OPERATION_NAME})
        for target in (cls, adaptor):
            _add_accessors(target, operands, "operands", sizes)
            for field in attributes:
                setattr(target, field.name, property(_attribute_getter(field.name)))
        sizes = "resultSegmentSizes" if cls._ODS_RESULT_SEGMENTS else None
        _add_accessors(cls, cls._all("result"), "results", sizes)
        _add_accessors(cls, cls._all("region"), "regions", None)
        cls.Adaptor = adaptor

    @classmethod
    def _emit(cls) -> list[str]:
        writer = _Writer()
        for kind in ("operand", "attribute", "result", "region"):
            writer.members(f"{kind}s", cls._all(kind))
        return [f'irdl.operation @"{cls._op_name}" {{', *writer.lines, "}"]

    @classmethod
    def _attach_traits(cls) -> None:
        for trait in cls._traits:
            trait.attach(cls.OPERATION_NAME)
        if hasattr(cls, "verify_invariants") or hasattr(cls, "verify_region_invariants"):
            _ir.DynamicOpTrait.attach(cls.OPERATION_NAME, cls)


def _define(
    cls: _Any, name: str | None, dialect: _Any, what: str, full_name: str, members: str
) -> None:
    """Defines the parameters of a class of types or attributes, and adds one with a name to its
    dialect."""
    fields = [field for base in cls.__bases__ for field in getattr(base, "_fields", [])]
    cls._fields = [*fields, *_annotations(cls, 2).items()]
    _bound_to(cls, dialect, what.lower())
    if name is None:
        return
    owner = _dialect_of(cls, what)
    cls._name = name
    for index, (field, _) in enumerate(cls._fields):
        setattr(cls, field, property(_parameter_getter(index)))
    setattr(cls, full_name, f"{owner.DIALECT_NAMESPACE}.{name}")
    getattr(owner, members).append(cls)


def _parameters(given: tuple[_Any, ...]) -> list[_Any]:
    return [_ir.TypeAttr.get(one) if isinstance(one, _ir.Type) else one for one in given]


def _emit_definition(word: str, cls: _Any) -> list[str]:
    writer = _Writer()
    values = [f"{name}: {writer.lower(constraint)}" for name, constraint in cls._fields]
    writer.lines.append(f"irdl.parameters({', '.join(values)})")
    return [f'irdl.{word} @"{cls._name}" {{', *writer.lines, "}"]


class Type(_ir.DynamicType):
    """The base of the types of a dialect: ``class Pair(MyDialect.Type, name="pair")``."""

    _fields: list[tuple[str, _Any]] = []
    _name: str

    def __init_subclass__(
        cls, *, name: str | None = None, dialect: type[Dialect] | None = None, **kwargs: _Any
    ):
        super().__init_subclass__(**kwargs)
        _define(cls, name, dialect, "Type", "type_name", "types")

    @classmethod
    def get(  # type: ignore[override]
        cls, *args: _Any, context: _ir.Context | None = None
    ) -> _Any:
        """The type with these parameters: attributes, and types."""
        name: _Any = cls.type_name
        return cls(_ir.DynamicType.get(name, _parameters(args), context=context))

    @classmethod
    def isinstance(cls, other: _ir.Type) -> bool:
        """Returns whether a type is one of this class."""
        return isinstance(other.maybe_downcast(), cls)


class Attribute(_ir.DynamicAttr):
    """The base of the attributes of a dialect: ``class Pair(MyDialect.Attribute, name="pair")``."""

    _fields: list[tuple[str, _Any]] = []
    _name: str

    def __init_subclass__(
        cls, *, name: str | None = None, dialect: type[Dialect] | None = None, **kwargs: _Any
    ):
        super().__init_subclass__(**kwargs)
        _define(cls, name, dialect, "Attribute", "attr_name", "attributes")

    @classmethod
    def get(  # type: ignore[override]
        cls, *args: _Any, context: _ir.Context | None = None
    ) -> _Any:
        """The attribute with these parameters: attributes, and types."""
        name: _Any = cls.attr_name
        return cls(_ir.DynamicAttr.get(name, _parameters(args), context=context))

    @classmethod
    def isinstance(cls, other: _ir.Attribute) -> bool:
        """Returns whether an attribute is one of this class."""
        return isinstance(other.maybe_downcast(), cls)


class _Writer:
    """Writes the constraints of one definition."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: dict[_Any, str] = {}
        self._count = 0

    def _add(self, text: str, shared: bool = False) -> str:
        if shared and text in self._known:
            return self._known[text]
        name = f"%{self._count}"
        self._count += 1
        self.lines.append(f"{name} = irdl.{text}")
        if shared:
            self._known[text] = name
        return name

    def members(self, word: str, fields: list[_Field]) -> None:
        """Writes the fields of one kind."""
        if not fields:
            return
        is_region = word == "regions"
        values = [
            self._add("region") if is_region else self.lower(field.constraint) for field in fields
        ]
        if word == "attributes":
            pairs = zip(fields, values, strict=True)
            text = ", ".join(f'"{field.name}" = {value}' for field, value in pairs)
            self.lines.append(f"irdl.attributes {{{text}}}")
            return
        arities = ["" if field.arity == "single" else f"{field.arity} " for field in fields]
        triples = zip(fields, arities, values, strict=True)
        text = ", ".join(f"{field.name}: {arity}{value}" for field, arity, value in triples)
        self.lines.append(f"irdl.{word}({text})")

    def lower(self, constraint: _Any) -> str:
        """Writes a constraint. Returns the value that stands for it."""
        if isinstance(constraint, _TypeVar):
            if constraint not in self._known:
                bound = constraint.__bound__
                self._known[constraint] = self.lower(_Any if bound is None else bound)
            return self._known[constraint]
        if constraint in (_Any, _ir.Type, _ir.Attribute):
            return self._add("any")
        origin, arguments = _typing.get_origin(constraint), _typing.get_args(constraint)
        if origin in (_typing.Union, _UnionType):
            values = ", ".join([self.lower(one) for one in arguments])
            return self._add(f"any_of({values})")
        if _is_one_of(origin, Type, Attribute):
            values = ", ".join([self.lower(one) for one in arguments])
            return self._add(f"parametric {_symbol(origin)}<{values}>", shared=True)
        if isinstance(constraint, (_ir.Type, _ir.Attribute)):
            return self._add(f"is {constraint}", shared=True)
        if origin is not None:
            return self._add(f"is {_instance(constraint)}", shared=True)
        if _is_one_of(constraint, Type, Attribute):
            return self._add(f"base {_symbol(constraint)}")
        if _is_one_of(constraint, _ir.Type) and hasattr(constraint, "type_name"):
            return self._add(f'base "!{constraint.type_name}"')
        if _is_one_of(constraint, _ir.Attribute) and hasattr(constraint, "attr_name"):
            return self._add(f'base "#{constraint.attr_name}"')
        raise TypeError(f"unsupported type in constraints: {constraint}")


def _symbol(cls: _Any) -> str:
    return f'@"{_dialect_of(cls, "Type").DIALECT_NAMESPACE}"::@"{cls._name}"'


class _DialectClass(type):
    """The class of a dialect's class."""

    @property
    def _mlir_module(cls: _Any) -> _ir.Module:
        """The definition of the dialect, in the current context, which has loaded it."""
        if _ir.Context.current not in cls._contexts:
            raise AttributeError(f"the dialect {cls.name!r} is not loaded in this context")
        return cls._emit_module()


_OperationOf = Operation
_TypeOf = Type
_AttributeOf = Attribute


class Dialect(_ir.Dialect, metaclass=_DialectClass):
    """The base of dialects: ``class MyDialect(Dialect, name="my_dialect")``."""

    name: str
    DIALECT_NAMESPACE: str
    operations: list[type[_OperationOf]]
    types: list[type[_TypeOf]]
    attributes: list[type[_AttributeOf]]
    _contexts: _WeakSet[_ir.Context]
    _is_registered: bool
    # Each dialect has its own.
    Operation = _OperationOf
    Type = _TypeOf
    Attribute = _AttributeOf

    def __init_subclass__(cls, name: str, **kwargs: _Any):
        super().__init_subclass__(**kwargs)
        cls.name = cls.DIALECT_NAMESPACE = name
        cls.operations, cls.types, cls.attributes = [], [], []
        cls._contexts = _WeakSet()
        cls._is_registered = False
        make: _Any = type
        for word, base in (("Operation", Operation), ("Type", Type), ("Attribute", Attribute)):
            setattr(cls, word, make(word, (base,), {}, dialect=cls))

    @classmethod
    def _emit_module(cls) -> _ir.Module:
        lines = [f'irdl.dialect @"{cls.name}" {{']
        for type_ in cls.types:
            lines += _emit_definition("type", type_)
        for attr in cls.attributes:
            lines += _emit_definition("attribute", attr)
        for op in cls.operations:
            lines += op._emit()
        return _ir.Module.parse("\n".join([*lines, "}"]))

    @classmethod
    def load(cls, *, reload: bool = False) -> None:
        """Loads the dialect into the current context, if that was not done before.

        With ``reload``, the classes take the place of those that were registered for a dialect of
        the same name.
        """
        if int(_cext._llvm_version.split(".")[0]) < 22:
            raise NotImplementedError(
                "dialects that are defined in Python need LLVM 22 or later, and this package has "
                f"LLVM {_cext._llvm_version}"
            )
        context: _Any = _ir.Context.current
        is_new = context not in cls._contexts
        if not is_new and not reload:
            return
        if reload or not cls._is_registered:
            _cext.globals._register_dialect_impl(cls.name, cls, replace=reload)
            for op in cls.operations:
                _cext.register_operation(cls, replace=reload)(op)
                _cext.register_op_adaptor(op, replace=reload)(op.Adaptor)
            cls._is_registered = True
        if is_new:
            load_dialects(cls._emit_module())
            for op in cls.operations:
                op._attach_traits()
            cls._contexts.add(context)
        for name, classes in (("type_name", cls.types), ("attr_name", cls.attributes)):
            for kind in classes:
                _register_dynamic_class(kind, getattr(kind, name), name == "attr_name")


class Pure:
    """The trait of operations that have no effects and may be executed speculatively."""

    @staticmethod
    def attach(op_name: str | type, context: _ir.Context | None = None) -> None:
        """Gives the operation this trait."""
        _make_pure(op_name, context)
