"""The operands and attributes of an operation that is being defined."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from . import expressions as _expressions
from .affine import AffineExprDef, DimDef, SymbolDef
from .expressions import (
    BinaryFnType,
    FunctionKind,
    ReduceFnUse,
    TensorExpression,
    TensorFn,
    TensorUse,
    TernaryFnType,
    TypeFnType,
    UnaryFnType,
    as_dims,
)
from .scalar_expr import ScalarArg, ScalarExpression
from .types import TypeVar

if TYPE_CHECKING:
    from .definition import LinalgOpDef


class OperandKind(Enum):
    """The kind of an operand."""

    INPUT_TENSOR = 0
    SCALAR = 1
    OUTPUT_TENSOR = 2
    INDEX_ATTR = 3
    UNARY_FN_ATTR = 4
    BINARY_FN_ATTR = 5
    TERNARY_FN_ATTR = 6
    TYPE_FN_ATTR = 7


# The attributes that name functions, and of which class each one's functions are.
FUNCTION_ATTRIBUTES: dict[OperandKind, type] = {
    OperandKind.UNARY_FN_ATTR: UnaryFnType,
    OperandKind.BINARY_FN_ATTR: BinaryFnType,
    OperandKind.TERNARY_FN_ATTR: TernaryFnType,
    OperandKind.TYPE_FN_ATTR: TypeFnType,
}


class OperandDef:
    """The definition of an operand; its name and place once it is part of an operation."""

    def __init__(
        self,
        kind: OperandKind,
        type_var: TypeVar | None = None,
        size_exprs: Sequence[AffineExprDef] | None = None,
        index_dims: Sequence[DimDef] | None = None,
        default_indices: Sequence[int] | None = None,
        default_fn: str | None = None,
    ):
        if type_var and not isinstance(type_var, TypeVar):
            raise ValueError(f"OperandDef requires a TypeVar but got {type_var!r}")
        self.owner: LinalgOpDef | None = None
        self.type_var = type_var
        self.size_exprs = size_exprs
        self.index_dims = index_dims
        self.default_indices = default_indices
        self.default_fn = default_fn
        self.kind = kind
        self.name: str | None = None
        self.registered_index = -1

    def attach(self, index: int, name: str, owner: LinalgOpDef) -> None:
        """Makes it an operand of an operation."""
        if self.owner:
            raise ValueError(f"OperandDef already registered with an op: {self}")
        self.registered_index = index
        self.name = name
        self.owner = owner

    def is_input(self) -> bool:
        """True if it is only read."""
        return self.kind in (OperandKind.SCALAR, OperandKind.INPUT_TENSOR)

    def is_tensor(self) -> bool:
        """True if it is indexed."""
        return self.kind in (OperandKind.INPUT_TENSOR, OperandKind.OUTPUT_TENSOR)

    def is_attribute(self) -> bool:
        """True if it is an attribute of the operation."""
        return self.kind == OperandKind.INDEX_ATTR or self.kind in FUNCTION_ATTRIBUTES

    def __repr__(self) -> str:
        return (
            f"{self.name}:OperandDef(kind={self.kind.name}, type={self.type_var!r}, "
            f"size_exprs={self.size_exprs}, index_dims={self.index_dims}, "
            f"default_indices={self.default_indices}, default_fn={self.default_fn})"
        )


class TensorDef:
    """A tensor operand of this element type and shape.

    A tensor of which only the shape matters says with ``index_dims`` which dimensions it spans.
    """

    def __init__(
        self,
        type_var: TypeVar,
        *shape: AffineExprDef,
        index_dims: Sequence[DimDef] | None = None,
        output: bool = False,
    ):
        if index_dims and len(shape) != len(index_dims):
            raise ValueError(
                f"Expected the shape rank {len(shape)} to match the number of index_dims "
                f"{len(index_dims)}"
            )
        if index_dims and any(not isinstance(dim, DimDef) for dim in index_dims):
            raise ValueError(f"TensorDef requires index dims of type DimDef but got {index_dims}")
        kind = OperandKind.OUTPUT_TENSOR if output else OperandKind.INPUT_TENSOR
        self.operand_def = OperandDef(
            kind, type_var=type_var, size_exprs=shape, index_dims=index_dims
        )

    def __getitem__(self, dims: AffineExprDef | tuple[AffineExprDef, ...] | None) -> TensorUse:
        """An element; ``None`` stands for the only one of a tensor without dimensions."""
        assert self.operand_def.owner, "TensorDef is not registered with an op"
        indices = () if dims is None else dims if isinstance(dims, tuple) else (dims,)
        if any(not isinstance(dim, AffineExprDef) for dim in indices):
            raise KeyError("A TensorDef can only be subscripted by a tuple of affine dims")
        return TensorUse(self.operand_def, indices)

    def __setitem__(
        self, dims: AffineExprDef | tuple[AffineExprDef, ...] | None, value: object
    ) -> None:
        """Says what each element becomes."""
        if not isinstance(value, TensorExpression):
            raise ValueError(
                f"Only TensorExpressions can be assigned to TensorDefs. Got: {value!r}"
            )
        use = self[dims]
        owner = self.operand_def.owner
        assert owner is not None
        owner.assign(use, value)


class ScalarDef(TensorExpression):
    """A scalar operand of this type."""

    def __init__(self, type_var: TypeVar):
        self.operand_def = OperandDef(OperandKind.SCALAR, type_var=type_var)

    @property
    def scalar_name(self) -> str:
        """The operand's name."""
        name = self.operand_def.name
        assert name is not None, "ScalarDef not registered with an op"
        return name

    def to_scalar_expression(self) -> ScalarExpression:
        return ScalarArg(self.scalar_name).expr()


class IndexAttrDef:
    """An attribute that gives symbols their values: strides, for example."""

    def __init__(self, *sizes: SymbolDef, default: Sequence[int]):
        if any(not isinstance(size, SymbolDef) for size in sizes):
            raise ValueError(f"IndexAttrDef requires sizes of type SymbolDef but got {sizes}")
        if any(not isinstance(value, int) for value in default):
            raise ValueError(f"IndexAttrDef requires default values of type int but got {default}")
        if len(sizes) != len(default):
            raise ValueError(
                f"IndexAttrDef expects {len(sizes)} default values but got {len(default)}"
            )
        self.operand_def = OperandDef(
            OperandKind.INDEX_ATTR, size_exprs=sizes, default_indices=default
        )


class _FnAttrDef:
    """The base of attributes that name a function."""

    kind: OperandKind

    def __init__(self, default: Any):
        wanted: Any = FUNCTION_ATTRIBUTES[self.kind]
        if not isinstance(default, wanted):
            raise ValueError(
                f"{type(self).__name__} requires default of type {wanted.__name__} but got "
                f"{default}"
            )
        self.operand_def = OperandDef(self.kind, default_fn=default.fn_name)

    def _apply(
        self, kind: FunctionKind, args: Sequence[TensorExpression], to: TypeVar | None = None
    ) -> TensorFn:
        return TensorFn(kind, None, self.operand_def, to, args)


class UnaryFnAttrDef(_FnAttrDef):
    """An attribute that names a function of one expression."""

    kind = OperandKind.UNARY_FN_ATTR

    def __call__(self, arg: TensorExpression) -> TensorFn:
        return self._apply(FunctionKind.UNARY, [arg])


class BinaryFnAttrDef(_FnAttrDef):
    """An attribute that names a function of two expressions, which may be used to reduce."""

    kind = OperandKind.BINARY_FN_ATTR

    def __call__(self, arg0: TensorExpression, arg1: TensorExpression) -> TensorFn:
        return self._apply(FunctionKind.BINARY, [arg0, arg1])

    def __getitem__(self, reduce_dims: DimDef | Sequence[DimDef]) -> ReduceFnUse:
        return ReduceFnUse(None, self, *as_dims(reduce_dims))


class TernaryFnAttrDef(_FnAttrDef):
    """An attribute that names a function of three expressions."""

    kind = OperandKind.TERNARY_FN_ATTR

    def __call__(
        self, arg0: TensorExpression, arg1: TensorExpression, arg2: TensorExpression
    ) -> TensorFn:
        return self._apply(FunctionKind.TERNARY, [arg0, arg1, arg2])


class TypeFnAttrDef(_FnAttrDef):
    """An attribute that names a conversion."""

    kind = OperandKind.TYPE_FN_ATTR

    def __call__(self, type_var: TypeVar, arg: TensorExpression) -> TensorFn:
        return self._apply(FunctionKind.TYPE, [arg], type_var)


# `typing.get_type_hints` looks for the classes that annotations name in the module of the function.
vars(_expressions).update(
    BinaryFnAttrDef=BinaryFnAttrDef, OperandDef=OperandDef, ScalarDef=ScalarDef
)
