"""Functions that the generated modules of the dialects call, and that those written by hand share.

The names are upstream's: generators out there write modules that import them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, Optional, TypeVar, Union, overload

from .._mlir_libs import _mlir as _cext
from ..ir import (
    ArrayAttr,
    Attribute,
    BoolAttr,
    Context,
    DenseI32ArrayAttr,
    DenseI64ArrayAttr,
    InsertionPoint,
    IntegerAttr,
    IntegerType,
    Location,
    Operation,
    OpResultList,
    OpView,
    ShapedType,
    Type,
    Value,
)

__all__ = [
    "equally_sized_accessor",
    "get_default_loc_context",
    "get_op_result_or_op_results",
    "get_op_result_or_value",
    "get_op_results_or_values",
    "segmented_accessor",
]

# Modules that upstream's generator has made import these.
_List, _Optional, _Sequence, _Tuple, _Type, _Union = list, Optional, Sequence, tuple, type, Union


class _StubNames:
    """The names of the stub ``_ods_types`` in annotations of generated functions.

    Each is an empty class, which a signature shows by its name alone. The stub's own types would
    take longer to make than a dialect to import.
    """

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self.__dict__[name] = type(name, (), {"__module__": "builtins"})
        return found


annotations_of_stubs = _StubNames()

ResultValueTypeTuple = (Operation, OpView, Value)
ResultValueT = Operation | OpView | Value
VariadicResultValueT = ResultValueT | Sequence[ResultValueT]
SubClassValueT = TypeVar("SubClassValueT", bound=Value)
_ValueLike = TypeVar("_ValueLike", bound=OpView | Operation | Value)

StaticIntLike = int | IntegerAttr
ValueLike = Operation | OpView | Value
MixedInt = StaticIntLike | ValueLike

IntOrAttrList = Sequence[IntegerAttr | int]
OptionalIntList = ArrayAttr | IntOrAttrList | None

BoolOrAttrList = Sequence[BoolAttr | bool]
OptionalBoolList = ArrayAttr | BoolOrAttrList | None

MixedValues = Sequence[StaticIntLike | ValueLike] | ArrayAttr | ValueLike

# The last parameters of every function that builds an operation.
Loc = Location | None
Place = InsertionPoint | Literal[False] | None

DynamicIndexList = Sequence[MixedInt | Sequence[MixedInt]]

# The context of a location, or of the current one, or none where there is neither. Every generated
# constructor asks.
get_default_loc_context = _cext.ir._default_location_context


def segmented_accessor(elements: Any, raw_segments: Attribute, idx: int) -> Any:
    """The group number ``idx`` of ``elements``, where an attribute says how long each group is.

    ``elements`` are operands or results, ``raw_segments`` the value of ``operandSegmentSizes`` or
    ``resultSegmentSizes``.
    """
    sizes = DenseI32ArrayAttr(raw_segments)
    begin = 0
    for group in range(idx):
        begin += sizes[group]
    return elements[begin : begin + sizes[idx]]


def equally_sized_accessor(
    elements: Any,
    n_simple: int,
    n_variadic: int,
    n_preceding_simple: int,
    n_preceding_variadic: int,
) -> tuple[int, int]:
    """The begin of a group and the length of each variadic group, if all of them are equally long.

    Of all groups ``n_simple`` have one element and ``n_variadic`` the same number each; how many of
    both kinds come before the group is given by the last two arguments.
    """
    in_groups = len(elements) - n_simple
    # Operations with that trait are verified to satisfy this.
    assert in_groups % n_variadic == 0
    length = in_groups // n_variadic
    return n_preceding_simple + n_preceding_variadic * length, length


def get_op_result_or_value(arg: OpView | Operation | Value | OpResultList) -> Value:
    """A value as it is, or the only result of an operation.

    So a constructor takes operations for their results. An operation with another number of results
    is a :class:`ValueError`.
    """
    if isinstance(arg, OpView):
        return arg.operation.result
    if isinstance(arg, Operation):
        return arg.result
    if isinstance(arg, OpResultList):
        return arg[0]
    assert isinstance(arg, Value), f"expects Value, got {type(arg)}"
    return arg


@overload
def get_op_results_or_values(arg: OpView | Operation) -> OpResultList: ...
@overload
def get_op_results_or_values(arg: Sequence[_ValueLike]) -> Sequence[_ValueLike]: ...
def get_op_results_or_values(arg: Any) -> Any:
    """The results of an operation, or what was given, where that is not an operation."""
    if isinstance(arg, OpView):
        return arg.operation.results
    if isinstance(arg, Operation):
        return arg.results
    return arg


# The next three are called by the generated constructors, in the places of expressions of
# upstream's generator. They do the same, and say of a wrong argument which one it is, and what it
# has to be.


def _attribute(value: Any, kind: str, context: Context | None) -> Any:
    """An attribute as it is, and of anything else the one that the builder of this kind makes."""
    if isinstance(value, Attribute) or not _cext.ir.AttrBuilder.contains(kind):
        return value
    build = _cext.ir.AttrBuilder.get(kind)
    try:
        return build(value, context=context)
    except Exception as error:
        from ._wrong_arguments import wrong_attribute

        wrong_attribute(error, value, build)
        raise


def _operands(arg: Any) -> Any:
    """The operands of a group: the results of an operation, or the values as they were given."""
    if type(arg) is list:
        return arg
    if isinstance(arg, (OpView, Operation)):
        return arg.operation.results
    if not hasattr(arg, "__iter__"):
        try:
            iter(arg)
        except TypeError as error:
            from ._wrong_arguments import wrong_operands

            wrong_operands(error, arg)
            raise
    return arg


def _types_like(operand: Any, count: int) -> list[Type]:
    """So many times the type of an operand, for results of the same type."""
    try:
        return [operand.type] * count
    except AttributeError as error:
        from ._wrong_arguments import wrong_operand

        wrong_operand(error, operand)
        raise


def get_op_result_or_op_results(op: OpView | Operation) -> Any:
    """The result of a function that builds ``op``.

    The only result, or all of several; the operation itself where it has none.
    """
    results = op.results
    count = len(results)
    if count == 1:
        return results[0]
    if count:
        return results
    return op.operation if isinstance(op, OpView) else op


def _static_integer(index: Any) -> int | None:
    if isinstance(index, int):
        return index
    return index.value if isinstance(index, IntegerAttr) else None


def _wrong_index(given: object) -> str:
    return (
        f"an index, size or offset is {given!r}, of type {type(given).__name__}; it has to be an "
        "integer or a value, or a list with one of these, which makes it scalable"
    )


def _dispatch_dynamic_index_list(
    indices: DynamicIndexList | ArrayAttr,
) -> tuple[list[ValueLike], list[int] | ArrayAttr, list[bool]]:
    """Splits a list of indices as the assembly's ``DynamicIndexList`` is split.

    An index is an integer or a value, and scalable if it stands in a sequence of its own. Returned
    are the values; the integers, with a placeholder for each value; and which ones are scalable.
    """
    values: list[ValueLike] = []
    static: list[int] = []
    scalable: list[bool] = []
    try:
        iter(indices)
    except TypeError as error:
        from ._wrong_arguments import explain

        explain(error, "a list of indices, sizes or offsets", indices, "integers and values: [8]")
        raise
    for given in indices:
        index: Any = given
        scalable.append(not isinstance(index, (int, IntegerAttr, *ResultValueTypeTuple)))
        if scalable[-1]:
            assert len(index) == 1, _wrong_index(given)
            index = index[0]
        number = _static_integer(index)
        if number is None:
            assert isinstance(index, ResultValueTypeTuple), _wrong_index(given)
            values.append(index)
            number = ShapedType.get_dynamic_size()
        static.append(number)
    return values, static, scalable


def _dispatch_mixed_values(
    values: MixedValues | None,
) -> tuple[list[Any], ValueLike | None, DenseI64ArrayAttr | ArrayAttr | None]:
    """Splits sizes, offsets or strides into values, one packed handle, and an attribute.

    A single operation or value is the handle, and then there is nothing else. An attribute is
    passed on. A sequence is split into its values and its integers, with a placeholder for each
    value.
    """
    if isinstance(values, ArrayAttr):
        return [], None, values
    if isinstance(values, (Operation, OpView, Value)):
        return [], values, None
    dynamic: list[Any] = []
    static: list[int] = []
    for size in values or []:
        if isinstance(size, int):
            static.append(size)
        else:
            static.append(ShapedType.get_dynamic_size())
            dynamic.append(size)
    return dynamic, None, DenseI64ArrayAttr.get(static)


def _get_value_or_attribute_value(value_or_attr: Any) -> Any:
    """The value that an attribute holds; anything else is passed on."""
    if isinstance(value_or_attr, Attribute) and hasattr(value_or_attr, "value"):
        return value_or_attr.value
    if isinstance(value_or_attr, ArrayAttr):
        return _get_value_list(value_or_attr)
    return value_or_attr


def _get_value_list(sequence_or_array_attr: Iterable[Any]) -> list[Any]:
    """The value that each element holds."""
    return [_get_value_or_attribute_value(element) for element in sequence_or_array_attr]


def _integers(values: Iterable[Any]) -> ArrayAttr:
    i64 = IntegerType.get_signless(64)
    return ArrayAttr.get([IntegerAttr.get(i64, value) for value in _get_value_list(values)])


def _get_int_array_attr(values: ArrayAttr | IntOrAttrList | None) -> ArrayAttr | None:
    """Integers, in whatever form, as an array of 64-bit integer attributes."""
    return None if values is None else _integers(values)


def _get_int_array_array_attr(
    values: ArrayAttr | Sequence[ArrayAttr | IntOrAttrList] | None,
) -> ArrayAttr | None:
    """Lists of integers, in whatever form, as an array of arrays of 64-bit integer attributes."""
    if values is None:
        return None
    lists = [_get_value_list(nested) for nested in _get_value_list(values)]
    return ArrayAttr.get([_integers(nested) for nested in lists])
