"""The extension of the transform dialect for structured operations: those of `linalg`."""

from collections.abc import Sequence
from typing import Any

from ...ir import *
from .. import _structured_transform_ops_gen as _gen
from .. import transform
from .._ods_common import (
    DynamicIndexList,
    IntOrAttrList,
    MixedValues,
    OptionalBoolList,
    OptionalIntList,
    _dispatch_dynamic_index_list,
    _dispatch_mixed_values,
    _get_int_array_array_attr,
    _get_int_array_attr,
    _get_value_list,
    _get_value_or_attribute_value,
)
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_op_result_or_value as _get_value
from .._structured_transform_enum_gen import *
from .._structured_transform_ops_gen import *
from .._structured_transform_ops_gen import _Dialect
from .._typing import Iterable, List, Optional, Union, overload
from . import AnyOpType
from ._leading_types import ValueLike as _ValueLike
from ._leading_types import leading_types as _leading_types
from ._leading_types import loop_types as _loop_types


@_ods_cext.register_operation(_Dialect, replace=True)
class BufferizeToAllocationOp(_gen.BufferizeToAllocationOp):
    """Puts what an operation computes into memory; a memory space is an attribute or its text."""

    def __init__(
        self,
        target: _ValueLike,
        *,
        memory_space: int | str | Attribute | None = None,
        memcpy_op: str | None = None,
        alloc_op: str | None = None,
        bufferize_destination_only: bool | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        if isinstance(memory_space, (int, str)):
            memory_space = Attribute.parse(str(memory_space))
        super().__init__(
            target,
            memory_space=memory_space,
            memcpy_op=memcpy_op,
            alloc_op=alloc_op,
            bufferize_destination_only=bufferize_destination_only,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class DecomposeOp(_gen.DecomposeOp):
    """Takes an operation apart into smaller ones."""

    def __init__(self, target: _ValueLike, *, loc: _Loc = None, ip: _Place = None):
        super().__init__(AnyOpType.get(), target, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class FuseIntoContainingOp(_gen.FuseIntoContainingOp):
    """Moves producers into an operation that contains their users.

    The types of the two results come first, or are left out.
    """

    def __init__(
        self,
        fused_op_type_or_producer_op: _ValueLike | Type,
        new_containing_op_type_or_containing_op: _ValueLike | Type,
        producer_op_or_none: _ValueLike | None = None,
        containing_op_or_none: _ValueLike | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        types, operands = _leading_types(
            2,
            fused_op_type_or_producer_op=fused_op_type_or_producer_op,
            new_containing_op_type_or_containing_op=new_containing_op_type_or_containing_op,
            producer_op_or_none=producer_op_or_none,
            containing_op_or_none=containing_op_or_none,
        )
        super().__init__(*types, *operands, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class FuseOp(_gen.FuseOp):
    """Tiles an operation and fuses its producers into the loops.

    The types of the loops come first, or one for all of them, or are left out.
    """

    def __init__(
        self,
        loop_types_or_target: Type | Sequence[Type] | _ValueLike,
        target_or_none: _ValueLike | None = None,
        *,
        tile_sizes: MixedValues | None = None,
        tile_interchange: MixedValues | None = None,
        apply_cleanup: bool = False,
        use_forall: bool = False,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        mixed: Any = tile_sizes or []
        order: Any = tile_interchange or []
        sizes, static_sizes, _ = _dispatch_dynamic_index_list(mixed)
        interchange, static_interchange, _ = _dispatch_dynamic_index_list(order)
        loops = 1 if use_forall else sum(size != 0 for size in static_sizes)
        types, target = _loop_types("FuseOp", loop_types_or_target, target_or_none, loops)
        options: dict[str, Any]
        if hasattr(_gen.FuseOp, "static_tile_sizes"):
            options = {
                "tile_sizes": sizes,
                "tile_interchange": interchange,
                "static_tile_sizes": static_sizes,
                "static_tile_interchange": static_interchange,
                "apply_cleanup": apply_cleanup,
                "use_forall": use_forall,
            }
        elif sizes or interchange or apply_cleanup or use_forall:
            raise NotImplementedError(
                "sizes that are handles, apply_cleanup and use_forall need LLVM 22 or later"
            )
        else:
            options = {"tile_sizes": static_sizes, "tile_interchange": static_interchange}
        super().__init__(_get_value(target).type, types, target, **options, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class GeneralizeOp(_gen.GeneralizeOp):
    """Makes a named operation a generic one."""

    def __init__(self, target: _ValueLike, *, loc: _Loc = None, ip: _Place = None):
        super().__init__(AnyOpType.get(), target, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class InterchangeOp(_gen.InterchangeOp):
    """Permutes the loops of a generic operation."""

    def __init__(
        self,
        target: _ValueLike,
        *,
        iterator_interchange: OptionalIntList = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        super().__init__(
            AnyOpType.get(), target, iterator_interchange=iterator_interchange, loc=loc, ip=ip
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class MapCopyToThreadsOp(_gen.MapCopyToThreadsOp):
    """Divides a copy among threads.

    The types of the two results come first, or are left out.
    """

    def __init__(
        self,
        forall_op_type_or_target: _ValueLike | Type,
        tiled_op_type_or_none: Type | None = None,
        target_or_none: _ValueLike | None = None,
        *,
        total_num_threads: int | IntegerAttr,
        desired_bit_alignment: int | IntegerAttr,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        types, (target, *_) = _leading_types(
            2,
            forall_op_type_or_target=forall_op_type_or_target,
            tiled_op_type_or_none=tiled_op_type_or_none,
            target_or_none=target_or_none,
        )
        super().__init__(
            *types,
            target,
            total_num_threads=total_num_threads,
            desired_bit_alignment=desired_bit_alignment,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class VectorizeOp(_gen.VectorizeOp):
    """Computes an operation with vectors, of sizes that are given or follow from its own."""

    def __init__(
        self,
        target: _ValueLike,
        vector_sizes: DynamicIndexList | ArrayAttr | None = None,
        *,
        vectorize_nd_extract: bool | None = None,
        scalable_sizes: OptionalBoolList = None,
        static_vector_sizes: OptionalIntList = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """Sizes are given mixed, or as values with ``static_vector_sizes``, ``scalable_sizes``."""
        if (scalable_sizes is None) != (static_vector_sizes is None):
            raise TypeError(
                "'scalable_sizes' and 'static_vector_sizes' must either both be given explicitly "
                "or both be given as part of 'vector_sizes'."
            )
        sizes = [] if vector_sizes is None else vector_sizes
        if vector_sizes is not None and static_vector_sizes is None:
            sizes, static_vector_sizes, scalable_sizes = _dispatch_dynamic_index_list(vector_sizes)
        super().__init__(
            target,
            vector_sizes=sizes,
            static_vector_sizes=static_vector_sizes,
            scalable_sizes=scalable_sizes,
            vectorize_nd_extract=vectorize_nd_extract,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class MatchOp(_gen.MatchOp):
    """The operations inside of others that have a name, an interface or attributes."""

    @classmethod
    def match_op_names(
        cls,
        result_type_or_target: Type | _ValueLike,
        target_or_names: _ValueLike | Sequence[str] | str,
        names_or_none: Sequence[str] | str | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ) -> "MatchOp":
        """Those of one of these names; the type of the result comes first, or is left out."""
        (kind,), (target, names) = _leading_types(
            1,
            result_type_or_target=result_type_or_target,
            target_or_names=target_or_names,
            names_or_none=names_or_none,
        )
        if isinstance(names, str):
            names = [names]
        ops = ArrayAttr.get([StringAttr.get(name) for name in names])
        return cls(kind, target, ops=ops, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class MultiTileSizesOp(_gen.MultiTileSizesOp):
    """Two tile sizes that together cover a dimension, and where the second begins."""

    def __init__(
        self,
        result_type: Type,
        target: _ValueLike,
        *,
        dimension: int | IntegerAttr,
        target_size: int | IntegerAttr,
        divisor: int | IntegerAttr | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        super().__init__(
            result_type,
            result_type,
            result_type,
            target,
            dimension=dimension,
            target_size=target_size,
            divisor=divisor,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class PadOp(_gen.PadOp):
    """Pads the operands of an operation."""

    def __init__(
        self,
        target: _ValueLike,
        *,
        pad_to_multiple_of: DynamicIndexList | ArrayAttr | None = None,
        padding_values: ArrayAttr | Sequence[Attribute] | None = None,
        padding_dimensions: OptionalIntList = None,
        nofold_flags: OptionalIntList = None,
        transpose_paddings: ArrayAttr | Sequence[ArrayAttr | IntOrAttrList] | None = None,
        copy_back_op: str | StringAttr | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        given = [] if pad_to_multiple_of is None else pad_to_multiple_of
        multiples, static, _ = _dispatch_dynamic_index_list(given)
        static_multiples = None if pad_to_multiple_of is None else static
        # LLVM 19 has another name for them.
        nofold = "nofold_flags" if hasattr(_gen.PadOp, "nofold_flags") else "pack_paddings"
        super().__init__(
            *[AnyOpType.get()] * 3,
            target,
            pad_to_multiple_of=multiples,
            padding_values=padding_values,
            padding_dimensions=padding_dimensions,
            static_pad_to_multiple_of=static_multiples,
            **{nofold: nofold_flags},
            transpose_paddings=_get_int_array_array_attr(transpose_paddings),
            copy_back_op=copy_back_op,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class ScalarizeOp(_gen.ScalarizeOp):
    """Tiles the dynamic dimensions of an operation by one."""

    def __init__(self, target: _ValueLike, *, loc: _Loc = None, ip: _Place = None):
        super().__init__(AnyOpType.get(), target, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class SplitOp(_gen.SplitOp):
    """Cuts an operation in two along a dimension."""

    def __init__(
        self,
        target: _ValueLike,
        dimension: int | Attribute,
        chunk_sizes: int | _ValueLike | Attribute,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        is_static = isinstance(chunk_sizes, int)
        super().__init__(
            _get_value(target).type,
            target,
            dimension=dimension,
            static_chunk_sizes=chunk_sizes if is_static else ShapedType.get_dynamic_size(),
            dynamic_chunk_sizes=None if is_static else chunk_sizes,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class TileUsingForOp(_gen.TileUsingForOp):
    """Tiles an operation with loops one inside another; a size of zero makes none.

    The types of the loops come first, or one for all of them, or are left out.
    """

    def __init__(
        self,
        loop_types_or_target: Type | Sequence[Type] | _ValueLike,
        target_or_none: _ValueLike | None = None,
        *,
        sizes: DynamicIndexList | ArrayAttr | None = None,
        interchange: OptionalIntList = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        dynamic, static, scalable = _dispatch_dynamic_index_list([] if sizes is None else sizes)
        loops = sum(size != 0 for size in static)
        types, target = _loop_types("TileUsingForOp", loop_types_or_target, target_or_none, loops)
        super().__init__(
            _get_value(target).type,
            types,
            target,
            dynamic_sizes=dynamic,
            static_sizes=static,
            interchange=interchange,
            scalable_sizes=scalable,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class TileUsingForallOp(_gen.TileUsingForallOp):
    """Tiles an operation with one loop whose iterations may run at once.

    The types of the two results come first, or are left out.
    """

    def __init__(
        self,
        loops_type_or_target: Type | _ValueLike,
        tiled_op_type_or_none: Type | None = None,
        target_or_none: _ValueLike | None = None,
        *,
        num_threads: MixedValues | None = None,
        tile_sizes: MixedValues | None = None,
        mapping: Attribute | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        types, (target, *_) = _leading_types(
            2,
            loops_type_or_target=loops_type_or_target,
            tiled_op_type_or_none=tiled_op_type_or_none,
            target_or_none=target_or_none,
        )
        threads, packed_threads, static_threads = _dispatch_mixed_values(num_threads)
        sizes, packed_sizes, static_sizes = _dispatch_mixed_values(tile_sizes)
        super().__init__(
            *types,
            target=target,
            tile_sizes=sizes,
            packed_tile_sizes=packed_sizes,
            static_tile_sizes=static_sizes,
            num_threads=threads,
            packed_num_threads=packed_threads,
            static_num_threads=static_threads,
            mapping=mapping,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class VectorizeChildrenAndApplyPatternsOp(_gen.VectorizeChildrenAndApplyPatternsOp):
    """Vectorizes what it can in an operation, and simplifies the outcome."""

    def __init__(self, target: _ValueLike, *, loc: _Loc = None, ip: _Place = None, **flags: bool):
        """The flags say what is left out, and what is done in addition; none is set."""
        super().__init__(AnyOpType.get(), target, loc=loc, ip=ip, **flags)
