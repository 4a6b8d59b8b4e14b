"""The `llvm` dialect."""

from typing import Any

from .._mlir_libs._mlirDialectsLLVM import *
from ..ir import Attribute, Value
from . import _llvm_ops_gen as _gen
from ._llvm_enum_gen import *
from ._llvm_ops_gen import *
from ._llvm_ops_gen import _Dialect
from ._ods_common import Loc as _Loc
from ._ods_common import Place as _Place
from ._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results


def mlir_constant(value: Attribute, *, loc: _Loc = None, ip: _Place = None) -> Value:
    """The result of a new constant, of the type that the attribute ``value`` has."""
    try:
        result = value.type
    except AttributeError as error:
        from ._wrong_arguments import explain

        wanted = "a typed attribute, such as IntegerAttr.get(IntegerType.get_signless(32), 3)"
        explain(error, "the argument 'value' of operation \"llvm.mlir.constant\"", value, wanted)
        raise
    op = _gen.ConstantOp(res=result, value=value, loc=loc, ip=ip)
    return _get_op_result_or_op_results(op)


def __getattr__(name: str) -> Any:
    said = f"module {__name__!r} has no attribute {name!r}"
    if name == "translate_module_to_llvmir":
        from .._mlir_libs._absent import translation

        said += translation("llvm-ir")
    raise AttributeError(said)
