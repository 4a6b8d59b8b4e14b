"""The extension of the transform dialect for patterns of `pdl`."""

from ...ir import *
from .. import _transform_pdl_extension_ops_gen as _gen
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._ods_common import get_op_results_or_values as _get_op_results_or_values
from .._transform_pdl_extension_ops_gen import *
from .._transform_pdl_extension_ops_gen import _Dialect
from .._typing import Iterable, Union

_ValueLike = Operation | OpView | Value


@_ods_cext.register_operation(_Dialect, replace=True)
class PDLMatchOp(_gen.PDLMatchOp):
    """The operations that a pattern matches."""

    def __init__(
        self,
        result_type: Type,
        target: _ValueLike,
        pattern_name: Attribute | str,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        super().__init__(result_type, _get_op_result_or_value(target), pattern_name, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class WithPDLPatternsOp(_gen.WithPDLPatternsOp):
    """Patterns, and a script that matches them."""

    def __init__(self, target: _ValueLike | Type, *, loc: _Loc = None, ip: _Place = None):
        """At the top only the type of what is transformed is given."""
        root = None if isinstance(target, Type) else _get_op_result_or_value(target)
        super().__init__(root=root, loc=loc, ip=ip)
        self.regions[0].blocks.append(target if root is None else root.type)

    @property
    def body(self) -> Block:
        """The block of the body."""
        return self.regions[0].blocks[0]

    @property
    def bodyTarget(self) -> Value:  # upstream's name
        """Its argument: what is transformed."""
        return self.body.arguments[0]
