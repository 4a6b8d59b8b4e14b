"""The `memref` dialect."""

from __future__ import annotations

import operator as operator
from itertools import accumulate as accumulate
from typing import Any

from ..ir import (
    Block,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    OpResult,
    ShapedType,
    StridedLayoutAttr,
    Value,
)
from . import arith as arith
from ._memref_ops_gen import *
from ._memref_ops_gen import _Dialect
from ._memref_ops_gen import subview as _generated_subview
from ._ods_common import Loc as _Loc
from ._ods_common import MixedValues, _dispatch_mixed_values
from ._ods_common import Place as _Place
from ._typing import Optional, Sequence


def _constant(value: Any) -> int | None:
    """The integer that a value is by an ``arith.constant``, if it is."""
    if not isinstance(value, Value):
        return None
    # Asked for by name, so that a bundle without that dialect's module can have this one.
    owner = value.owner
    if isinstance(owner, Block) or owner.operation.name != "arith.constant":
        return None
    attribute = owner.attributes["value"]
    return attribute.value if isinstance(attribute, IntegerAttr) else None


def _is_constant_int_like(i: Any) -> bool:
    """True if a value is an integer by an ``arith.constant``."""
    return _constant(i) is not None


def _is_static_int_like(i: Any) -> bool:
    """True if a size, offset or stride is known while the IR is made."""
    if isinstance(i, int):
        return not ShapedType.is_dynamic_size(i)
    return _is_constant_int_like(i)


def _all_known(*lists: Sequence[Any]) -> bool:
    return all(_is_static_int_like(size) for sizes in lists for size in sizes)


def _constants_as_integers(sizes: Sequence[Any]) -> list[Any]:
    constants = [_constant(size) for size in sizes]
    return [size if known is None else known for size, known in zip(sizes, constants, strict=True)]


def _row_major(sizes: list[int]) -> list[int]:
    """The strides of a memref of these sizes that has no layout."""
    strides = [1]
    for size in reversed(sizes[1:]):
        strides.insert(0, strides[0] * size)
    return strides


def _infer_memref_subview_result_type(
    source_memref_type: MemRefType,
    offsets: Sequence[Any],
    static_sizes: Sequence[Any],
    static_strides: Sequence[Any],
) -> tuple[list[Any], list[int], list[int], MemRefType]:
    """Offsets, sizes and strides with constants as integers, and the type of that subview.

    Sizes and strides must be known; an offset that is not makes the layout's offset dynamic.
    """
    source_strides, source_offset = source_memref_type.get_strides_and_offset()
    if not _all_known(static_sizes, static_strides, source_strides):
        raise ValueError("Only inferring from python or mlir integer constant is supported.")
    offsets = _constants_as_integers(offsets)
    sizes = _constants_as_integers(static_sizes)
    steps = _constants_as_integers(static_strides)

    if _all_known(offsets, [source_offset]):
        offset = source_offset + sum(
            begin * stride for begin, stride in zip(offsets, source_strides, strict=False)
        )
    else:
        offset = ShapedType.get_dynamic_size()
    strides = [stride * step for stride, step in zip(source_strides, steps, strict=False)]
    # Without a layout where none is needed, which is easier on what uses the result.
    plain = offset == 0 and strides == _row_major(sizes)
    layout = None if plain else StridedLayoutAttr.get(offset, strides)
    result = MemRefType.get(
        sizes, source_memref_type.element_type, layout, source_memref_type.memory_space
    )
    return offsets, sizes, steps, result


def subview(
    source: Value,
    offsets: MixedValues,
    sizes: MixedValues,
    strides: MixedValues,
    *,
    result_type: MemRefType | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> OpResult:
    """A part of a memref.

    The type of the result is found where sizes and strides are integers or constants, and has to be
    given otherwise.
    """
    given: list[Any] = [[] if part is None else part for part in (offsets, sizes, strides)]
    if result_type is None:
        source_type: Any = source.type
        source_strides, _ = source_type.get_strides_and_offset()
        if not _all_known(*given[1:], source_strides):
            raise ValueError(
                "mixed static/dynamic offset/sizes/strides requires explicit result type."
            )
        *given, result_type = _infer_memref_subview_result_type(source_type, *given)
    values, _, static = zip(*map(_dispatch_mixed_values, given), strict=True)
    return _generated_subview(result_type, source, *values, *static, loc=loc, ip=ip)
