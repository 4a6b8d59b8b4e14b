"""The `ml_program` dialect."""

from ..ir import *
from . import _ml_program_ops_gen as _gen
from ._function_op import ARGUMENT_ATTRIBUTE_NAME, RESULT_ATTRIBUTE_NAME
from ._function_op import function_op as _function_op
from ._ml_program_ops_gen import *
from ._ml_program_ops_gen import _Dialect
from ._ods_common import _cext as _ods_cext

_Function = _function_op(_gen.FuncOp)


@_ods_cext.register_operation(_Dialect, replace=True)
class FuncOp(_Function):  # type: ignore[valid-type, misc]
    """A function of a program, or the declaration of one."""
