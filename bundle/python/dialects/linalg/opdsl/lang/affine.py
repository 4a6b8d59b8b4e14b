"""Affine expressions of the language, which become MLIR's when their names have positions.

There is one dimension and one symbol for each name, and ``D`` and ``S`` have them as attributes:

>>> D.row
Dim(row)
>>> D.row is DimDef("row"), S.N is S.M
(True, False)

Arithmetic makes expressions of them, and an expression built with a state gives each name that is
new to it the next free position:

>>> state = AffineBuildState()
>>> with _ir.Context():
...     print((D.row * 2 + D.column).build(state))
...     print((D.column // 3).build(state), (S.N / S.M).build(state), (S.N % 4).build(state))
d0 * 2 + d1
d1 floordiv 3 s0 ceildiv s1 s0 mod 4
>>> state
AffineBuildState<
  symbols={'N': 0, 'M': 1}
  dims={'row': 0, 'column': 1}>
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ..... import ir as _ir
from ...._typing import Dict, Optional, Tuple, Union
from .names import Name

__all__ = ["AffineBuildState", "AffineExprDef", "D", "DimDef", "S", "SymbolDef"]


class AffineBuildState:
    """The positions of the names that expressions are built with.

    A state made over a ``global_state`` shares that one's positions, both ways, and counts in
    addition which names it met itself.
    """

    def __init__(
        self,
        *,
        global_state: AffineBuildState | None = None,
        allow_new_symbols: bool = True,
        allow_new_dims: bool = True,
    ):
        self.all_symbols: dict[str, int] = global_state.all_symbols if global_state else {}
        self.all_dims: dict[str, int] = global_state.all_dims if global_state else {}
        self.local_symbols: dict[str, int] = {}
        self.local_dims: dict[str, int] = {}
        self.allow_new_symbols = allow_new_symbols
        self.allow_new_dims = allow_new_dims

    def get_dim(self, dimname: str) -> int:
        """The position of a dimension."""
        position = _position(dimname, self.all_dims, self.allow_new_dims, "dimensions")
        self.local_dims[dimname] = position
        return position

    def get_symbol(self, symname: str) -> int:
        """The position of a symbol."""
        position = _position(symname, self.all_symbols, self.allow_new_symbols, "symbols")
        self.local_symbols[symname] = position
        return position

    @property
    def local_dim_count(self) -> int:
        """The number of dimensions that this state has met."""
        return len(self.local_dims)

    @property
    def local_symbol_count(self) -> int:
        """The number of symbols that this state has met."""
        return len(self.local_symbols)

    @property
    def dim_count(self) -> int:
        """The number of dimensions with positions."""
        return len(self.all_dims)

    @property
    def symbol_count(self) -> int:
        """The number of symbols with positions."""
        return len(self.all_symbols)

    def __repr__(self) -> str:
        return f"AffineBuildState<\n  symbols={self.local_symbols}\n  dims={self.local_dims}>"


def _position(name: str, known: dict[str, int], may_be_new: bool, what: str) -> int:
    if name not in known and not may_be_new:
        raise ValueError(
            f"New {what} not allowed in the current affine expression: "
            f"Requested '{name}', Available: {known}"
        )
    return known.setdefault(name, len(known))


class AffineExprDef:
    """The base of these expressions."""

    def build(self, state: AffineBuildState | None = None) -> _ir.AffineExpr:
        """MLIR's expression, in the current context, by the positions of ``state``."""
        return self._create(AffineBuildState() if state is None else state)

    def _create(self, state: AffineBuildState) -> _ir.AffineExpr:
        raise NotImplementedError

    @staticmethod
    def coerce_from(py_value: AffineExprDef | int) -> AffineExprDef:
        """An expression as it is, an integer as a constant."""
        if isinstance(py_value, int):
            return AffineConstantExpr(py_value)
        assert isinstance(py_value, AffineExprDef)
        return py_value

    def visit_affine_exprs(self, callback: Callable[[AffineExprDef], None]) -> None:
        """Calls back with this expression and then with each that it is made of."""
        callback(self)

    def __add__(self, other: AffineExprDef | int) -> AffineExprDef:
        return _binary(_ir.AffineAddExpr, self, other)

    def __mul__(self, other: AffineExprDef | int) -> AffineExprDef:
        return _binary(_ir.AffineMulExpr, self, other)

    def __mod__(self, other: AffineExprDef | int) -> AffineExprDef:
        return _binary(_ir.AffineModExpr, self, other)

    def __floordiv__(self, other: AffineExprDef | int) -> AffineExprDef:
        return _binary(_ir.AffineFloorDivExpr, self, other)

    def __truediv__(self, other: AffineExprDef | int) -> AffineExprDef:
        """The quotient rounded up: the operator that was left for it."""
        return _binary(_ir.AffineCeilDivExpr, self, other)


def _binary(ir_ctor: Any, lhs: AffineExprDef, rhs: AffineExprDef | int) -> AffineBinaryExprDef:
    return AffineBinaryExprDef(ir_ctor, lhs, AffineExprDef.coerce_from(rhs))


class AffineConstantExpr(AffineExprDef):
    """A number."""

    def __init__(self, value: int):
        assert isinstance(value, int)
        self.value = value

    def _create(self, state: AffineBuildState) -> _ir.AffineExpr:
        return _ir.AffineConstantExpr.get(self.value)

    def __repr__(self) -> str:
        return f"Const({self.value})"


class AffineBinaryExprDef(AffineExprDef):
    """Two expressions joined by one of MLIR's classes of binary expressions."""

    def __init__(self, ir_ctor: Any, lhs: AffineExprDef, rhs: AffineExprDef):
        self.ir_ctor = ir_ctor
        self.lhs = lhs
        self.rhs = rhs

    def _create(self, state: AffineBuildState) -> _ir.AffineExpr:
        # The left side first: it meets its names first.
        lhs = self.lhs._create(state)
        return self.ir_ctor.get(lhs, self.rhs._create(state))

    def visit_affine_exprs(self, callback: Callable[[AffineExprDef], None]) -> None:
        """Calls back with this expression, and then with both sides."""
        super().visit_affine_exprs(callback)
        self.lhs.visit_affine_exprs(callback)
        self.rhs.visit_affine_exprs(callback)

    def __repr__(self) -> str:
        return f"{self.ir_ctor.__name__}({self.lhs!r}, {self.rhs!r})"


class DimDef(Name, AffineExprDef):
    """A dimension of an operation's iteration domain."""

    ALL_DIMS: ClassVar[dict[str, Any]] = {}
    known = ALL_DIMS

    @property
    def dimname(self) -> str:
        """The name."""
        return self.spelling

    def _create(self, state: AffineBuildState) -> _ir.AffineExpr:
        return _ir.AffineDimExpr.get(position=state.get_dim(self.dimname))

    def __repr__(self) -> str:
        return f"Dim({self.dimname})"


class SymbolDef(Name, AffineExprDef):
    """A size of an operand, or what an attribute gives."""

    ALL_SYMBOLS: ClassVar[dict[str, Any]] = {}
    known = ALL_SYMBOLS

    @property
    def symname(self) -> str:
        """The name."""
        return self.spelling

    def _create(self, state: AffineBuildState) -> _ir.AffineExpr:
        return _ir.AffineSymbolExpr.get(position=state.get_symbol(self.symname))

    def __repr__(self) -> str:
        return f"Symbol({self.symname})"


D = DimDef.create_expando()
S = SymbolDef.create_expando()
