"""The `smt` dialect: questions for solvers."""

from collections.abc import Sequence

from .._mlir_libs._mlirDialectsSMT import *
from ..extras.meta import region_op
from ..ir import Type
from . import _smt_ops_gen as _gen
from ._ods_common import Loc as _Loc
from ._ods_common import Place as _Place
from ._ods_common import ResultValueT as _ResultValueT
from ._smt_enum_gen import *
from ._smt_ops_gen import *
from ._smt_ops_gen import _Dialect


def bool_t() -> BoolType:
    """The type of truth values."""
    return BoolType.get()


def bv_t(width: int) -> BitVectorType:
    """The type of bit vectors of this width."""
    return BitVectorType.get(width)


def _solver(
    inputs: Sequence[_ResultValueT] | None = None,
    results: Sequence[Type] | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> _gen.SolverOp:
    return _gen.SolverOp(
        [] if results is None else results, [] if inputs is None else inputs, loc=loc, ip=ip
    )


solver = region_op(_solver, terminator=_gen.YieldOp)
