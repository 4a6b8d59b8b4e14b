"""The `gpu` dialect: kernels and how they are launched."""

from __future__ import annotations

from contextlib import suppress as _suppress
from typing import Any
from typing import cast as _cast

from ..._mlir_libs._mlirDialectsGPU import *
from ...extras import types as T
from ...extras.meta import region_op
from ...ir import (
    ArrayAttr,
    Attribute,
    Block,
    DenseI32ArrayAttr,
    DictAttr,
    FunctionType,
    IndexType,
    InsertionPoint,
    IntegerAttr,
    Operation,
    OpResultList,
    OpView,
    StringAttr,
    Type,
    TypeAttr,
    UnitAttr,
    Value,
)
from .. import _gpu_ops_gen as _gen
from .._gpu_enum_gen import *
from .._gpu_ops_gen import *
from .._gpu_ops_gen import _Dialect
from .._gpu_ops_gen import printf as _printf
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_default_loc_context as _get_default_loc_context
from .._ods_common import get_op_result_or_op_results
from .._typing import Callable, List, Optional, Sequence, Tuple, Union

with _suppress(ImportError):
    # Upstream's module passes them on; a bundle may be without that dialect.
    from ..arith import ConstantOp as ConstantOp
    from ..arith import constant as constant

# Three of them: along x, y and z.
_Sizes = tuple[Any, Any, Any]
_SixSizes = tuple[Any, Any, Any, Any, Any, Any]


def gpu_async_token() -> AsyncTokenType:
    """The type of what an operation that goes on by itself is waited for with."""
    return AsyncTokenType.get()


def _sizes(what: str, sizes: Sequence[int] | DenseI32ArrayAttr | None) -> Attribute | None:
    if sizes is None or isinstance(sizes, DenseI32ArrayAttr):
        return sizes
    if isinstance(sizes, Sequence):
        return DenseI32ArrayAttr.get(sizes)
    raise ValueError(f"{what} must be a list of integers or a DenseI32ArrayAttr")


@_ods_cext.register_operation(_Dialect, replace=True)
class GPUFuncOp(_gen.GPUFuncOp):
    """A function that runs on a device; a kernel, if it can be launched from outside."""

    KERNEL_ATTR_NAME = "gpu.kernel"
    KNOWN_BLOCK_SIZE_ATTR_NAME = "known_block_size"
    KNOWN_GRID_SIZE_ATTR_NAME = "known_grid_size"
    FUNCTION_TYPE_ATTR_NAME = "function_type"
    SYM_NAME_ATTR_NAME = "sym_name"

    def __init__(
        self,
        function_type: FunctionType | TypeAttr,
        sym_name: str | StringAttr | None = None,
        arg_attrs: Sequence[dict[str, Attribute]] | None = None,
        res_attrs: Sequence[dict[str, Attribute]] | None = None,
        kernel: bool | None = None,
        workgroup_attrib_attrs: Sequence[dict[str, Attribute]] | None = None,
        private_attrib_attrs: Sequence[dict[str, Attribute]] | None = None,
        known_block_size: Sequence[int] | DenseI32ArrayAttr | None = None,
        known_grid_size: Sequence[int] | DenseI32ArrayAttr | None = None,
        loc: _Loc = None,
        ip: _Place = None,
        body_builder: Callable[[GPUFuncOp], None] | None = None,
    ):
        """A function without a body, or with the one that ``body_builder`` makes.

        ``body_builder`` is called with the new operation while the insertion point is in its entry
        block, and has to end that block.
        """
        if not isinstance(sym_name, (str, StringAttr)):
            raise ValueError("sym_name must be a string or a StringAttr")
        block_size = _sizes("known_block_size", known_block_size)
        grid_size = _sizes("known_grid_size", known_grid_size)
        if not isinstance(function_type, TypeAttr):
            function_type = TypeAttr.get(function_type)
        super().__init__(
            function_type,
            arg_attrs=arg_attrs,
            res_attrs=res_attrs,
            workgroup_attrib_attrs=workgroup_attrib_attrs,
            private_attrib_attrs=private_attrib_attrs,
            known_block_size=block_size,
            known_grid_size=grid_size,
            loc=loc,
            ip=ip,
        )
        if isinstance(sym_name, str):
            sym_name = StringAttr.get(sym_name, context=self.context)
        self.attributes[self.SYM_NAME_ATTR_NAME] = sym_name
        if kernel:
            self.attributes[self.KERNEL_ATTR_NAME] = UnitAttr.get(context=self.context)
        if body_builder is not None:
            with InsertionPoint(self.add_entry_block()):
                body_builder(self)

    @property
    def name(self) -> StringAttr:
        """The function's symbol."""
        return StringAttr(self.attributes[self.SYM_NAME_ATTR_NAME])

    @property
    def is_kernel(self) -> bool:
        """True if the function can be launched."""
        return self.KERNEL_ATTR_NAME in self.attributes

    def add_entry_block(self) -> Block:
        """Gives the function its entry block, with the arguments of its type."""
        if len(self.body.blocks) > 0:
            raise RuntimeError(f"Entry block already exists for {self.name.value}")
        inputs = self.arguments
        return self.body.blocks.append(*inputs, arg_locs=[self.location for _ in inputs])

    @property
    def entry_block(self) -> Block:
        """The block that the function begins with."""
        if len(self.body.blocks) == 0:
            raise RuntimeError(
                f"Entry block does not exist for {self.name.value}. Do you need to call the "
                "add_entry_block() method on this GPUFuncOp?"
            )
        return self.body.blocks[0]

    @property
    def arguments(self) -> list[Type]:
        """The types of the arguments."""
        return _cast(Any, self.function_type).value.inputs


def _convert_literal_to_constant(value: int | OpView | Value) -> Any:
    """An integer as a constant; what is a value, or has one, is passed on."""
    if isinstance(value, int):
        index = IndexType.get()
        # Made by name, so that a bundle without that dialect's module can have this one.
        literal = {"value": IntegerAttr.get(index, value)}
        return Operation.create("arith.constant", results=[index], attributes=literal).result
    if isinstance(value, (OpView, Value)):
        return value
    raise ValueError(f"Invalid value: {value}")


def _launch_parts(
    grid_size: _Sizes, block_size: _Sizes, dependencies: Sequence[Value] | None
) -> tuple[Type | None, Sequence[Value], _SixSizes]:
    """The arguments that both kinds of launches begin with: a token's type if there is one, what
    is waited for,
    and six values."""
    dependencies = [] if dependencies is None else dependencies
    token = gpu_async_token() if len(dependencies) else None
    for what, sizes in (("grid_size", grid_size), ("block_size", block_size)):
        if len(sizes) != 3:
            raise ValueError(f"{what} must have three sizes, not {len(sizes)}")
    values = [_convert_literal_to_constant(size) for size in (*grid_size, *block_size)]
    return token, dependencies, _cast("_SixSizes", tuple(values))


@_ods_cext.register_operation(_Dialect, replace=True)
class LaunchFuncOp(_gen.LaunchFuncOp):
    """A launch of a kernel that is named: by the module's name and its own."""

    def __init__(
        self,
        kernel: list[str],
        grid_size: _Sizes,
        block_size: _Sizes,
        kernel_operands: list[Value] | None = None,
        async_dependencies: list[Value] | None = None,
        dynamic_shared_memory_size: Value | None = None,
        async_object: Value | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        token, dependencies, sizes = _launch_parts(grid_size, block_size, async_dependencies)
        super().__init__(
            token,
            dependencies,
            kernel,
            *sizes,
            [] if kernel_operands is None else kernel_operands,
            dynamicSharedMemorySize=dynamic_shared_memory_size,
            asyncObject=async_object,
            loc=loc,
            ip=ip,
        )


def launch_func(
    kernel: list[str],
    grid_size: _Sizes,
    block_size: _Sizes,
    kernel_operands: list[Value] | None = None,
    async_dependencies: list[Value] | None = None,
    dynamic_shared_memory_size: Value | None = None,
    async_object: Value | None = None,
    *,
    loc: _Loc = None,
    ip: _Place = None,
) -> Any:
    """Launches a kernel. Where it waits for something, it gives a token to be waited for."""
    return get_op_result_or_op_results(
        LaunchFuncOp(
            kernel,
            grid_size,
            block_size,
            kernel_operands,
            async_dependencies,
            dynamic_shared_memory_size,
            async_object,
            loc=loc,
            ip=ip,
        )
    )


def wait(
    async_dependencies: list[Value] | None = None, *, loc: _Loc = None, ip: _Place = None
) -> Any:
    """A token for the end of everything that is waited for."""
    dependencies = [] if async_dependencies is None else async_dependencies
    return get_op_result_or_op_results(_gen.WaitOp(gpu_async_token(), dependencies, loc=loc, ip=ip))


@_ods_cext.register_operation(_Dialect, replace=True)
class LaunchOp(_gen.LaunchOp):
    """A launch of the code in its region, whose block has its twelve arguments from the start."""

    def __init__(
        self,
        grid_size: _Sizes,
        block_size: _Sizes,
        async_dependencies: list[Value] | None = None,
        dynamic_shared_memory_size: Value | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        token, dependencies, sizes = _launch_parts(grid_size, block_size, async_dependencies)
        super().__init__(
            token,
            dependencies,
            *sizes,
            dynamicSharedMemorySize=dynamic_shared_memory_size,
            loc=loc,
            ip=ip,
        )
        index = IndexType.get(context=self.context)
        self.regions[0].blocks.append(*[index] * 12, arg_locs=[self.location] * 12)


def launch_(
    grid_size: _Sizes,
    block_size: _Sizes,
    async_dependencies: list[Value] | None = None,
    dynamic_shared_memory_size: Value | None = None,
    *,
    loc: _Loc = None,
    ip: _Place = None,
) -> LaunchOp:
    """Launches the code that is put into the region."""
    return LaunchOp(
        grid_size, block_size, async_dependencies, dynamic_shared_memory_size, loc=loc, ip=ip
    )


launch = region_op(launch_, terminator=lambda *_values: _gen.terminator())


def printf(
    format: str | StringAttr, *args: Value, loc: _Loc = None, ip: _Place = None
) -> _gen.PrintfOp:
    """Prints from a kernel, as C does."""
    return _printf(format, args, loc=loc, ip=ip)
