"""Types of the parameters of generated constructors. No module of this name exists at run time.

A parameter that becomes an attribute takes any attribute, or what the builder of its kind takes.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Literal, Protocol, TypeAlias

from .._mlir_libs._mlir import ir
from .._mlir_libs._mlir.ir import Attribute, OpResultList, Value, _OperationBase

class Call(Protocol):
    """The result of a decorator that makes a function: it builds a call."""

    func_op: Any
    __name__: str
    def __call__(self, *arguments: Operand) -> Any: ...

# A value, or an operation for its only result.
Operand: TypeAlias = Value | _OperationBase | OpResultList
# Values, or an operation for all of its results.
Operands: TypeAlias = Iterable[Value | _OperationBase] | _OperationBase
Types: TypeAlias = Sequence[ir.Type]
# The only result, all results, or the operation if it has none. The arguments decide which, so no
# type can tell.
Results: TypeAlias = Any
Blocks: TypeAlias = Sequence[ir.Block]
Loc: TypeAlias = ir.Location | None
# `False` is nowhere.
Place: TypeAlias = ir.InsertionPoint | Literal[False] | None

Attr: TypeAlias = Attribute
Attrs: TypeAlias = Attribute | Sequence[Attribute]
Bool: TypeAlias = Attribute | bool
Bools: TypeAlias = Attribute | Sequence[bool]
Int: TypeAlias = Attribute | int
Ints: TypeAlias = Attribute | Sequence[int]
IntLists: TypeAlias = Attribute | Sequence[Sequence[int]]
Float: TypeAlias = Attribute | float
Floats: TypeAlias = Attribute | Sequence[float]
Str: TypeAlias = Attribute | str
Strs: TypeAlias = Attribute | Sequence[str]
# A member of an enum, or its text in the assembly.
Case: TypeAlias = Attribute | Enum | str
Cases: TypeAlias = Attribute | Sequence[Enum | str]
# A list is a path through nested symbol tables.
Symbol: TypeAlias = Attribute | str | list[str]
Symbols: TypeAlias = Attribute | Sequence[str | list[str]]
TypeOrAttr: TypeAlias = Attribute | ir.Type
TypesOrAttr: TypeAlias = Attribute | Sequence[ir.Type]
Dict: TypeAlias = Attribute | dict[str, Attribute]
Dicts: TypeAlias = Attribute | Sequence[Mapping[str, Attribute]]
AffineMap: TypeAlias = Attribute | ir.AffineMap
AffineMaps: TypeAlias = Attribute | Sequence[ir.AffineMap]
IntegerSet: TypeAlias = Attribute | ir.IntegerSet
# The arguments that numpy makes an array of.
Elements: TypeAlias = Any
