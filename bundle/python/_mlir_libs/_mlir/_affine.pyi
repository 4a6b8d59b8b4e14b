"""Part of `ir`: affine expressions, maps and integer sets."""

from collections.abc import Iterable, Iterator
from typing import overload

from typing_extensions import Self, disjoint_base

from .ir import Context, _Context

@disjoint_base
class AffineExpr:
    """An affine expression: it is unique in its context, and lives as long as it."""

    def __init__(self, expr: AffineExpr) -> None: ...
    def __add__(self, value: AffineExpr | int, /) -> AffineExpr: ...
    def __radd__(self, value: int, /) -> AffineExpr: ...
    def __mul__(self, value: AffineExpr | int, /) -> AffineExpr: ...
    def __rmul__(self, value: int, /) -> AffineExpr: ...
    def __mod__(self, value: AffineExpr | int, /) -> AffineExpr: ...
    def __rmod__(self, value: int, /) -> AffineExpr: ...
    def __sub__(self, value: AffineExpr | int, /) -> AffineExpr: ...
    def __rsub__(self, value: int, /) -> AffineExpr: ...
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def context(self) -> Context:
        """The context that it is unique in."""
    def compose(self, other: AffineMap, /) -> AffineExpr:
        """The expression with the results of a map for its dimensions."""
    def maybe_downcast(self) -> AffineExpr:
        """The same expression as the class of its kind."""
    def shift_dims(self, num_dims: int, shift: int, offset: int = ...) -> AffineExpr:
        """The expression with the dimensions from `offset` to `num_dims` moved up by `shift`."""
    def shift_symbols(self, num_symbols: int, shift: int, offset: int = ...) -> AffineExpr:
        """The expression with the symbols from `offset` to `num_symbols` moved up by `shift`."""
    @staticmethod
    def simplify_affine_expr(expr: AffineExpr, num_dims: int, num_symbols: int) -> AffineExpr:
        """A simpler expression of the same value, where MLIR finds one."""
    @staticmethod
    def get_constant(value: int, context: _Context | None = None) -> AffineConstantExpr:
        """The expression for a number."""
    @staticmethod
    def get_dim(position: int, context: _Context | None = None) -> AffineDimExpr:
        """The expression for a dimension."""
    @staticmethod
    def get_symbol(position: int, context: _Context | None = None) -> AffineSymbolExpr:
        """The expression for a symbol."""
    @overload
    @staticmethod
    def get_add(lhs: AffineExpr, rhs: AffineExpr | int, /) -> AffineExpr:
        """The sum of two expressions, or of an expression and a number."""
    @overload
    @staticmethod
    def get_add(lhs: int, rhs: AffineExpr, /) -> AffineExpr: ...
    @overload
    @staticmethod
    def get_mul(lhs: AffineExpr, rhs: AffineExpr | int, /) -> AffineExpr:
        """The product of two expressions, or of an expression and a number."""
    @overload
    @staticmethod
    def get_mul(lhs: int, rhs: AffineExpr, /) -> AffineExpr: ...
    @overload
    @staticmethod
    def get_mod(lhs: AffineExpr, rhs: AffineExpr | int, /) -> AffineExpr:
        """The remainder of a division of two expressions, or of an expression and a number."""
    @overload
    @staticmethod
    def get_mod(lhs: int, rhs: AffineExpr, /) -> AffineExpr: ...
    @overload
    @staticmethod
    def get_floor_div(lhs: AffineExpr, rhs: AffineExpr | int, /) -> AffineExpr:
        """The quotient of two expressions, or of an expression and a number, rounded down."""
    @overload
    @staticmethod
    def get_floor_div(lhs: int, rhs: AffineExpr, /) -> AffineExpr: ...
    @overload
    @staticmethod
    def get_ceil_div(lhs: AffineExpr, rhs: AffineExpr | int, /) -> AffineExpr:
        """The quotient of two expressions, or of an expression and a number, rounded up."""
    @overload
    @staticmethod
    def get_ceil_div(lhs: int, rhs: AffineExpr, /) -> AffineExpr: ...
    def dump(self) -> None:
        """Prints the expression to standard error."""
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> AffineExpr: ...

class AffineConstantExpr(AffineExpr):
    """A number."""

    def __new__(cls, expr: AffineExpr) -> Self: ...
    @staticmethod
    def get(value: int, context: _Context | None = None) -> AffineConstantExpr:
        """The expression of this kind for a number."""
    @property
    def value(self) -> int:
        """The number that the expression stands for: a value, or a place among dimensions or
        symbols.
        """

class AffineDimExpr(AffineExpr):
    """A dimension."""

    def __new__(cls, expr: AffineExpr) -> Self: ...
    @staticmethod
    def get(position: int, context: _Context | None = None) -> AffineDimExpr:
        """The expression of this kind for a number."""
    @property
    def position(self) -> int:
        """The number that the expression stands for: a value, or a place among dimensions or
        symbols.
        """

class AffineSymbolExpr(AffineExpr):
    """A symbol."""

    def __new__(cls, expr: AffineExpr) -> Self: ...
    @staticmethod
    def get(position: int, context: _Context | None = None) -> AffineSymbolExpr:
        """The expression of this kind for a number."""
    @property
    def position(self) -> int:
        """The number that the expression stands for: a value, or a place among dimensions or
        symbols.
        """

class AffineBinaryExpr(AffineExpr):
    """Two expressions and an operator."""

    def __new__(cls, expr: AffineExpr) -> Self: ...
    @property
    def lhs(self) -> AffineExpr:
        """The operand on the left."""
    @property
    def rhs(self) -> AffineExpr:
        """The operand on the right."""

class AffineAddExpr(AffineBinaryExpr):
    """A sum."""

    def __new__(cls, expr: AffineExpr) -> Self: ...
    @staticmethod
    def get(lhs: AffineExpr, rhs: AffineExpr, /) -> AffineExpr:
        """The operator between two expressions, simplified where that is easy."""

class AffineMulExpr(AffineBinaryExpr):
    """A product."""

    def __new__(cls, expr: AffineExpr) -> Self: ...
    @staticmethod
    def get(lhs: AffineExpr, rhs: AffineExpr, /) -> AffineExpr:
        """The operator between two expressions, simplified where that is easy."""

class AffineModExpr(AffineBinaryExpr):
    """The remainder of a division."""

    def __new__(cls, expr: AffineExpr) -> Self: ...
    @staticmethod
    def get(lhs: AffineExpr, rhs: AffineExpr, /) -> AffineExpr:
        """The operator between two expressions, simplified where that is easy."""

class AffineFloorDivExpr(AffineBinaryExpr):
    """A quotient, rounded down."""

    def __new__(cls, expr: AffineExpr) -> Self: ...
    @staticmethod
    def get(lhs: AffineExpr, rhs: AffineExpr, /) -> AffineExpr:
        """The operator between two expressions, simplified where that is easy."""

class AffineCeilDivExpr(AffineBinaryExpr):
    """A quotient, rounded up."""

    def __new__(cls, expr: AffineExpr) -> Self: ...
    @staticmethod
    def get(lhs: AffineExpr, rhs: AffineExpr, /) -> AffineExpr:
        """The operator between two expressions, simplified where that is easy."""

@disjoint_base
class AffineMap:
    """An affine map: it is unique in its context, and lives as long as it."""

    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def context(self) -> Context:
        """The context that it is unique in."""
    def dump(self) -> None:
        """Prints the map to standard error."""
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> AffineMap: ...
    @staticmethod
    def compress_unused_symbols(
        affine_maps: Iterable[AffineMap], context: _Context | None = None, /
    ) -> list[AffineMap]:
        """The maps without the symbols that none of them uses."""
    @staticmethod
    def get(
        dim_count: int,
        symbol_count: int,
        exprs: Iterable[AffineExpr],
        context: _Context | None = None,
    ) -> AffineMap:
        """The map with these results."""
    @staticmethod
    def get_constant(value: int, context: _Context | None = None) -> AffineMap:
        """The map without inputs whose result is a number."""
    @staticmethod
    def get_empty(context: _Context | None = None) -> AffineMap:
        """The map without inputs and results."""
    @staticmethod
    def get_identity(n_dims: int, context: _Context | None = None) -> AffineMap:
        """The map whose results are its dimensions."""
    @staticmethod
    def get_minor_identity(
        n_dims: int, n_results: int, context: _Context | None = None
    ) -> AffineMap:
        """The map whose results are its last dimensions."""
    @staticmethod
    def get_permutation(permutation: Iterable[int], context: _Context | None = None) -> AffineMap:
        """The map that puts its dimensions into another order."""
    def get_submap(self, result_positions: Iterable[int]) -> AffineMap:
        """The map with the results at some places."""
    def get_major_submap(self, n_results: int) -> AffineMap:
        """The map with the first results."""
    def get_minor_submap(self, n_results: int) -> AffineMap:
        """The map with the last results."""
    def replace(
        self,
        expr: AffineExpr,
        replacement: AffineExpr,
        n_result_dims: int,
        n_result_syms: int,
    ) -> AffineMap:
        """The map with one expression for another."""
    @property
    def is_permutation(self) -> bool:
        """True if the results are all dimensions, each once, in any order."""
    @property
    def is_projected_permutation(self) -> bool:
        """True if the results are some of the dimensions, none of them twice."""
    @property
    def n_dims(self) -> int:
        """The number of dimensions."""
    @property
    def n_inputs(self) -> int:
        """The number of dimensions and symbols together."""
    @property
    def n_symbols(self) -> int:
        """The number of symbols."""
    @property
    def results(self) -> AffineExprList:
        """The expressions that the map computes, as a sequence."""

@disjoint_base
class AffineExprList:
    """The results of a map."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int, /) -> AffineExpr: ...
    @overload
    def __getitem__(self, key: slice, /) -> AffineExprList: ...
    def __iter__(self) -> Iterator[AffineExpr]: ...
    def __add__(self, value: AffineExprList, /) -> list[AffineExpr]: ...
    def __radd__(self, value: AffineExprList, /) -> list[AffineExpr]: ...

@disjoint_base
class IntegerSet:
    """A set of integers under constraints: it is unique in its context, and lives as long as it."""

    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def context(self) -> Context:
        """The context that it is unique in."""
    def dump(self) -> None:
        """Prints the set to standard error."""
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> IntegerSet: ...
    @staticmethod
    def get(
        num_dims: int,
        num_symbols: int,
        exprs: list[AffineExpr] | tuple[AffineExpr, ...],
        eq_flags: Iterable[bool],
        context: _Context | None = None,
    ) -> IntegerSet:
        """The set of what makes each expression zero, or not negative where its flag is false."""
    @staticmethod
    def get_empty(num_dims: int, num_symbols: int, context: _Context | None = None) -> IntegerSet:
        """The set with nothing in it."""
    def get_replaced(
        self,
        dim_exprs: list[AffineExpr] | tuple[AffineExpr, ...],
        symbol_exprs: list[AffineExpr] | tuple[AffineExpr, ...],
        num_result_dims: int,
        num_result_symbols: int,
    ) -> IntegerSet:
        """The set with other expressions for its dimensions and symbols."""
    @property
    def is_canonical_empty(self) -> bool:
        """True if it is the empty set in MLIR's own form: the one constraint `1 == 0`."""
    @property
    def n_dims(self) -> int:
        """The number of dimensions."""
    @property
    def n_symbols(self) -> int:
        """The number of symbols."""
    @property
    def n_inputs(self) -> int:
        """The number of dimensions and symbols together."""
    @property
    def n_equalities(self) -> int:
        """The number of constraints that are equations."""
    @property
    def n_inequalities(self) -> int:
        """The number of constraints of the form `expression >= 0`."""
    @property
    def constraints(self) -> IntegerSetConstraintList:
        """The constraints, as a sequence."""

@disjoint_base
class IntegerSetConstraint:
    """A constraint of a set."""

    @property
    def expr(self) -> AffineExpr:
        """The expression that is to be zero, or not negative."""
    @property
    def is_eq(self) -> bool:
        """True if the expression is to be zero."""

@disjoint_base
class IntegerSetConstraintList:
    """The constraints of a set."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int, /) -> IntegerSetConstraint: ...
    @overload
    def __getitem__(self, key: slice, /) -> IntegerSetConstraintList: ...
    def __iter__(self) -> Iterator[IntegerSetConstraint]: ...
    def __add__(self, value: IntegerSetConstraintList, /) -> list[IntegerSetConstraint]: ...
    def __radd__(self, value: IntegerSetConstraintList, /) -> list[IntegerSetConstraint]: ...
