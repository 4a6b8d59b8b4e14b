"""The `builtin` dialect."""

from ..extras.meta import region_op
from ..ir import *
from . import _builtin_ops_gen as _gen
from ._builtin_ops_gen import *
from ._builtin_ops_gen import _Dialect
from ._ods_common import Loc as _Loc
from ._ods_common import Place as _Place
from ._ods_common import _cext as _ods_cext
from ._typing import Dict, Iterable, Optional


@_ods_cext.register_operation(_Dialect, replace=True)
class ModuleOp(_gen.ModuleOp):
    """A module, which has its one block from the start."""

    def __init__(self, *, loc: _Loc = None, ip: _Place = None):
        super().__init__(loc=loc, ip=ip)
        self.regions[0].blocks.append()

    @property
    def body(self) -> Block:
        """The block of the module."""
        return self.regions[0].blocks[0]


@region_op
def module(
    *,
    sym_name: StringAttr | str | None = None,
    sym_visibility: StringAttr | str | None = None,
    attrs: dict[str, Attribute] | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> _gen.ModuleOp:
    """Makes a function's body that of a module; ``attrs`` are set on the module."""
    # The generated class leaves the block to the decorator, which makes it by the signature.
    op = _gen.ModuleOp(sym_name=sym_name, sym_visibility=sym_visibility, loc=loc, ip=ip)
    for name, attr in (attrs or {}).items():
        op.operation.attributes[name] = attr
    return op
