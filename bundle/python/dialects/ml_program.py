"""The `ml_program` dialect."""

import typing as _typing

from ..ir import *
from . import _ml_program_ops_gen as _gen
from ._function_op import ARGUMENT_ATTRIBUTE_NAME, RESULT_ATTRIBUTE_NAME
from ._function_op import FunctionOp as _FunctionOp
from ._function_op import base_arguments as _base_arguments
from ._members import with_members_of as _with_members_of
from ._ml_program_ops_gen import *
from ._ml_program_ops_gen import _Dialect
from ._ods_common import Loc as _Loc
from ._ods_common import Place as _Place
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_default_loc_context as _get_default_loc_context
from ._typing import Callable, Iterable, Sequence, Union

if _typing.TYPE_CHECKING:

    class _FuncOp(_FunctionOp, _gen.FuncOp): ...  # type: ignore[misc]

else:
    _FuncOp = _gen.FuncOp


@_ods_cext.register_operation(_Dialect, replace=True)
@_with_members_of(_FunctionOp)
class FuncOp(_FuncOp):
    """A function of a program, or the declaration of one."""

    def __init__(
        self,
        name: str,
        type: FunctionType | tuple[Sequence[Type], Sequence[Type]],
        *,
        visibility: str | None = None,
        body_builder: Callable[["FuncOp"], object] | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """The arguments are those of ``func.FuncOp``."""
        super().__init__(**_base_arguments(name, type, visibility), loc=loc, ip=ip)
        self._fill(body_builder)
