"""Expressions that can be assigned to a tensor, and the functions that such expressions are made
with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..... import ir as _ir
from . import scalar_expr as _scalar_expr
from .affine import AffineBuildState, AffineExprDef, DimDef
from .scalar_expr import ScalarArg, ScalarConst, ScalarExpression, ScalarFn, ScalarIndex
from .types import TypeVar

if TYPE_CHECKING:
    from .operands import BinaryFnAttrDef, OperandDef, ScalarDef


class TensorExpression:
    """The base of all that can stand on the right side of an assignment."""

    def to_scalar_expression(self) -> ScalarExpression:
        """The expression that the body computes for one element."""
        raise NotImplementedError

    def visit_tensor_exprs(self, callback: Callable[[TensorExpression], None]) -> None:
        """Calls back with this expression and then with each that it is made of."""
        callback(self)

    # The collected items go into a set, or becomes the keys of a dict, which keep their order.

    def collect_dim_uses(self, uses: Any) -> None:
        """Collects the dimensions that tensors are indexed with."""

        def visit(expression: TensorExpression) -> None:
            if isinstance(expression, TensorUse):
                for dim in expression.dims():
                    _add(uses, dim)

        self.visit_tensor_exprs(visit)

    def collect_tensor_uses(self, uses: Any) -> None:
        """Collects the uses of tensors."""
        self._collect(TensorUse, uses)

    def collect_indices(self, indices: Any) -> None:
        """Collects the uses of positions."""
        self._collect(index, indices)

    def collect_scalar_uses(self, uses: Any) -> None:
        """Collects the scalar operands."""
        from .operands import ScalarDef

        self._collect(ScalarDef, uses)

    def _collect(self, kind: type, found: Any) -> None:
        def visit(expression: TensorExpression) -> None:
            if isinstance(expression, kind):
                _add(found, expression)

        self.visit_tensor_exprs(visit)

    def __add__(self, other: TensorExpression) -> TensorExpression:
        return BinaryFn.add(self, other)

    def __mul__(self, other: TensorExpression) -> TensorExpression:
        return BinaryFn.mul(self, other)

    def __sub__(self, other: TensorExpression) -> TensorExpression:
        return BinaryFn.sub(self, other)

    def __truediv__(self, other: TensorExpression) -> TensorExpression:
        return BinaryFn.div(self, other)


def _add(found: Any, item: Any) -> None:
    if isinstance(found, dict):
        found[item] = None
    else:
        found.add(item)


class TensorUse(TensorExpression):
    """An element of a tensor: the operand, indexed.

    ``O[D.i] = x`` is ``O.__setitem__``, and ``O[D.i] += x`` is the ``__iadd__`` of the use that
    ``O[D.i]`` is, followed by ``O.__setitem__`` with the reduction that this returned.
    """

    def __init__(self, operand_def: OperandDef, indices: Sequence[AffineExprDef]):
        self.operand_def = operand_def
        self.indices = tuple(indices)

    def dims(self) -> Iterator[DimDef]:
        """The dimensions that it is indexed with."""
        found: list[AffineExprDef] = []
        for expression in self.indices:
            expression.visit_affine_exprs(found.append)
        return (dim for dim in found if isinstance(dim, DimDef))

    def to_scalar_expression(self) -> ScalarExpression:
        return ScalarArg(self.tensor_name).expr()

    @property
    def tensor_name(self) -> str:
        """The operand's name."""
        name = self.operand_def.name
        assert name is not None, "TensorDef not registered with an op"
        return name

    def __iadd__(self, other: TensorExpression) -> TensorReduceFn:
        return ReduceFnUse(BinaryFn.add, None, *self._compute_reduce_dims(other))(other)

    def _compute_reduce_dims(self, rhs: TensorExpression) -> Collection[DimDef]:
        """The dimensions that index the right side alone, in the order of their appearance."""
        dims: dict[DimDef, None] = {}
        rhs.collect_dim_uses(dims)
        for dim in self.dims():
            dims.pop(dim, None)
        return dims.keys()

    def __repr__(self) -> str:
        return f"{self.operand_def.name}[{', '.join(map(repr, self.indices))}]"


class TensorFn(TensorExpression):
    """A function applied to expressions: one by its name, or the one that an attribute names."""

    def __init__(
        self,
        kind: FunctionKind,
        name: str | None,
        operand_def: OperandDef | None,
        type_var: TypeVar | None,
        args: Sequence[TensorExpression],
    ):
        if bool(name) == bool(operand_def):
            raise ValueError("One of 'name', 'operand_def' must be specified")
        self.kind = kind
        self.name = name
        self.operand_def = operand_def
        self.type_var = type_var
        self.args = args

    def to_scalar_expression(self) -> ScalarExpression:
        attribute = None
        if self.operand_def:
            attribute = self.operand_def.name
            assert attribute, "TensorFn not registered with an op"
        args = [arg.to_scalar_expression() for arg in self.args]
        return ScalarFn(self.kind, self.name, attribute, self.type_var, args).expr()

    def visit_tensor_exprs(self, callback: Callable[[TensorExpression], None]) -> None:
        super().visit_tensor_exprs(callback)
        for arg in self.args:
            arg.visit_tensor_exprs(callback)

    def __repr__(self) -> str:
        name = self.operand_def.name if self.operand_def else self.name
        args = ", ".join(map(repr, self.args))
        return f"{self.kind.name}.{name}(type_var={self.type_var}, args={args})"


class TensorReduceFn(TensorExpression):
    """A reduction, which also reads what it is assigned to: ``lhs``, set by the assignment."""

    def __init__(self, reduce_use: ReduceFnUse, args: Sequence[TensorExpression]):
        self.reduce_use = reduce_use
        self.lhs: TensorUse | None = None
        self.args = args

    def to_scalar_expression(self) -> ScalarExpression:
        if self.lhs is None:
            raise ValueError(
                f"Cannot scalarize a TensorReduceFn that has not been bound to its lhs: {self}"
            )
        use = self.reduce_use
        function = use.binary_fn.fn_name if use.binary_fn else None
        attribute = use.binary_attr.operand_def.name if use.binary_attr else None
        args = [arg.to_scalar_expression() for arg in (self.lhs, *self.args)]
        return ScalarFn(FunctionKind.BINARY, function, attribute, None, args).expr()

    def visit_tensor_exprs(self, callback: Callable[[TensorExpression], None]) -> None:
        # The reduction itself uses no tensor: what it is assigned to counts as written.
        for arg in self.args:
            arg.visit_tensor_exprs(callback)

    def __repr__(self) -> str:
        return f"{self.reduce_use!r}({', '.join(map(repr, self.args))})"


class const(TensorExpression):
    """A number: a float of 64 bits, or an integer of as many."""

    def __init__(self, value: float):
        if not isinstance(value, (int, float)):
            raise ValueError(f"const requires int or float but got {type(value)}")
        self._number = value

    @cached_property
    def value(self) -> str:
        """The attribute's text, made when it is asked for: it takes a context."""
        with _ir.Context():
            if isinstance(self._number, float):
                return str(_ir.FloatAttr.get_f64(self._number))
            i64 = _ir.IntegerType.get_signless(64)
            return str(_ir.IntegerAttr.get(i64, int(self._number)))

    def to_scalar_expression(self) -> ScalarExpression:
        return ScalarConst(self.value).expr()

    def __repr__(self) -> str:
        return f"const({self.value})"


class index(TensorExpression):
    """The position in a dimension."""

    def __init__(self, dim: DimDef):
        self.dim_def = dim
        self.dim = -1

    def resolve_dimension_name(self, affine_state: AffineBuildState) -> None:
        """Learns where its dimension is in the iteration domain."""
        self.dim = affine_state.get_dim(self.dim_def.dimname)

    def to_scalar_expression(self) -> ScalarExpression:
        assert self.dim != -1, "Dimension name not resolved"
        return ScalarIndex(self.dim).expr()

    def __repr__(self) -> str:
        return f"index({self.dim!r})"


class FunctionKind(Enum):
    """The operands of a function: so many expressions, or a type and one expression."""

    UNARY = 0
    BINARY = 1
    TERNARY = 2
    TYPE = 3


class _FnType:
    """The base of named functions."""

    kind: FunctionKind

    def __init__(self, fn_name: str):
        self.fn_name = fn_name

    def __repr__(self) -> str:
        return self.fn_name


class UnaryFnType(_FnType):
    """A function of one expression."""

    kind = FunctionKind.UNARY

    def __call__(self, arg: TensorExpression) -> TensorFn:
        return TensorFn(self.kind, self.fn_name, None, None, [arg])


class BinaryFnType(_FnType):
    """A function of two expressions."""

    kind = FunctionKind.BINARY

    def __call__(self, arg0: TensorExpression, arg1: TensorExpression) -> TensorFn:
        return TensorFn(self.kind, self.fn_name, None, None, [arg0, arg1])


class TernaryFnType(_FnType):
    """A function of three expressions."""

    kind = FunctionKind.TERNARY

    def __call__(
        self, arg0: TensorExpression, arg1: TensorExpression, arg2: TensorExpression
    ) -> TensorFn:
        return TensorFn(self.kind, self.fn_name, None, None, [arg0, arg1, arg2])


class TypeFnType(_FnType):
    """A conversion of an expression to the type that a variable stands for."""

    kind = FunctionKind.TYPE

    def __call__(self, type_var: TypeVar, arg: TensorExpression) -> TensorFn:
        return TensorFn(self.kind, self.fn_name, None, type_var, [arg])


class UnaryFn:
    """The functions of one expression."""

    exp = UnaryFnType("exp")
    log = UnaryFnType("log")
    abs = UnaryFnType("abs")
    ceil = UnaryFnType("ceil")
    floor = UnaryFnType("floor")
    negf = UnaryFnType("negf")
    reciprocal = UnaryFnType("reciprocal")
    round = UnaryFnType("round")
    sqrt = UnaryFnType("sqrt")
    rsqrt = UnaryFnType("rsqrt")
    square = UnaryFnType("square")
    tanh = UnaryFnType("tanh")
    erf = UnaryFnType("erf")


class BinaryFn:
    """The functions of two expressions.

    MLIR's integers have no sign: which one is meant is the function's to say.
    """

    add = BinaryFnType("add")
    sub = BinaryFnType("sub")
    mul = BinaryFnType("mul")
    div = BinaryFnType("div")
    div_unsigned = BinaryFnType("div_unsigned")
    max_signed = BinaryFnType("max_signed")
    min_signed = BinaryFnType("min_signed")
    max_unsigned = BinaryFnType("max_unsigned")
    min_unsigned = BinaryFnType("min_unsigned")
    powf = BinaryFnType("powf")


class TernaryFn:
    """The functions of three expressions."""

    select = TernaryFnType("select")


class TypeFn:
    """The conversions; integers are taken for signed ones, or for unsigned ones."""

    cast_signed = TypeFnType("cast_signed")
    cast_unsigned = TypeFnType("cast_unsigned")


class ReduceFnUse:
    """A reduction over dimensions, by a function or by the one that an attribute names."""

    def __init__(
        self,
        binary_fn: BinaryFnType | None,
        binary_attr: BinaryFnAttrDef | None,
        *reduce_dims: DimDef,
    ):
        if bool(binary_fn) == bool(binary_attr):
            raise ValueError("One of 'binary_fn', 'binary_attr' must be specified")
        self.binary_fn = binary_fn
        self.binary_attr = binary_attr
        self.reduce_dims = reduce_dims

    def __call__(self, *args: TensorExpression) -> TensorReduceFn:
        return TensorReduceFn(self, args)

    def __repr__(self) -> str:
        dims = ", ".join(map(repr, self.reduce_dims))
        return f"reduce_{self.binary_fn or self.binary_attr!r}({dims})"


class ReduceFnType:
    """A function as a reduction: indexed with dimensions it reduces over those."""

    def __init__(self, binary_fn: BinaryFnType):
        if not isinstance(binary_fn, BinaryFnType):
            raise ValueError(f"Reduce expected a BinaryFnType but got {binary_fn}")
        self.binary_fn = binary_fn

    def __getitem__(self, reduce_dims: DimDef | Sequence[DimDef]) -> ReduceFnUse:
        return ReduceFnUse(self.binary_fn, None, *as_dims(reduce_dims))

    def __repr__(self) -> str:
        return f"reduce_{self.binary_fn!r}"


def as_dims(dims: DimDef | Sequence[DimDef]) -> Sequence[DimDef]:
    """Dimensions, of which one may be given as it is."""
    return (dims,) if isinstance(dims, DimDef) else dims


class ReduceFn:
    """The reductions."""

    add = ReduceFnType(BinaryFn.add)
    mul = ReduceFnType(BinaryFn.mul)
    max_signed = ReduceFnType(BinaryFn.max_signed)
    min_signed = ReduceFnType(BinaryFn.min_signed)
    max_unsigned = ReduceFnType(BinaryFn.max_unsigned)
    min_unsigned = ReduceFnType(BinaryFn.min_unsigned)


# `typing.get_type_hints` looks for the classes that annotations name in the module of the function.
vars(_scalar_expr).update(FunctionKind=FunctionKind)
