"""The `arith` dialect."""

from array import array as _array
from typing import Any, overload

from ..ir import *
from . import _arith_ops_gen as _gen
from ._arith_enum_gen import *
from ._arith_ops_gen import *
from ._arith_ops_gen import _Dialect
from ._ods_common import Loc as _Loc
from ._ods_common import Place as _Place
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_default_loc_context as _get_default_loc_context
from ._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from ._typing import Iterable, List, Union, _Numbers
from ._wrong_arguments import explain as _explain

_Constant = Union[int, float, Attribute, _Numbers]
# Upstream's test of locations made of tracebacks (ir/auto_location.py), and ours, expect the call
# in `ConstantOp.__init__` that takes an integer on line 45, and the one in `constant` on line 90.


@_ods_cext.register_operation(_Dialect, replace=True)
class ConstantOp(_gen.ConstantOp):
    """A constant, made from a type and a Python value, or from an attribute and None.

    An ``int`` becomes an integer or index of the type, a ``float`` a floating-point number of it,
    an ``array.array`` the elements of a shaped type. An attribute has to be of the type already.
    """

    @overload
    def __init__(self, result: Attribute, value: None, *, loc: _Loc = None, ip: _Place = None): ...

    @overload
    def __init__(self, result: Type, value: _Constant, *, loc: _Loc = None, ip: _Place = None): ...

    def __init__(self, result: Any, value: Any, *, loc: _Loc = None, ip: _Place = None):
        if value is None:
            # The attribute has its own type.
            assert isinstance(result, Attribute), f"a constant of {result} needs a value, not None"
            value = result

        if isinstance(value, int):
            super().__init__(IntegerAttr.get(result, value), loc=loc, ip=ip)
            return
        if isinstance(value, float):
            value = FloatAttr.get(result, value)
        elif isinstance(value, _array):
            value = _elements(result, value)
        elif not isinstance(value, Attribute):
            raise _no_constant(value)
        super().__init__(value, loc=loc, ip=ip)

    @classmethod
    def create_index(cls, value: int, *, loc: _Loc = None, ip: _Place = None) -> "ConstantOp":
        """A constant of the index type."""
        index = IndexType.get(context=_get_default_loc_context(loc))
        return cls(index, value, loc=loc, ip=ip)

    @property
    def type(self) -> Type:
        """The type of the result."""
        return self.results[0].type

    @property  # type: ignore[misc]
    def value(self) -> Attribute:
        """The attribute that the result is equal to."""
        return self.operation.attributes["value"]

    @property
    def literal_value(self) -> int | float:
        """The number that the result is equal to. Elements of a shaped type are many numbers, and a
        :class:`ValueError`."""
        if isinstance(self.type, (IntegerType, IndexType)):
            return IntegerAttr(self.value).value
        if isinstance(self.type, FloatType):
            return FloatAttr(self.value).value
        raise ValueError("only integer and float constants have literal values")


def constant(
    result: Type,
    value: _Constant,
    *,
    loc: _Loc = None,
    ip: _Place = None,
) -> Value:
    """The result of a new constant."""
    return _get_op_result_or_op_results(ConstantOp(result, value, loc=loc, ip=ip))


def _elements(result: Any, values: Any) -> Attribute:
    """The elements of a shaped type, whose element type is as wide as the array's."""
    width = 8 * values.itemsize
    wanted = result.element_type.width
    if width != wanted:
        raise ValueError(f"Mismatching array element ({width}) and type ({wanted}) width.")
    if values.typecode in "ilq":
        return DenseIntElementsAttr.get(values, type=result)
    if values.typecode in "fd":
        return DenseFPElementsAttr.get(values, type=result)
    raise ValueError(f'Unsupported typecode: "{values.typecode}".')


def _no_constant(value: Any) -> TypeError:
    """Upstream's error about a value that no attribute can be made of, and what would be one."""
    error = TypeError(
        'Invalid attribute value for the key "value" when attempting to create the operation '
        '"arith.constant" (std::bad_cast)'
    )
    wanted = "an int, a float, an array.array or an Attribute"
    _explain(error, "the argument 'value'", value, wanted)
    return error
