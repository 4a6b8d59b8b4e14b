"""A kernel, the function that launches it, and values of the `llvm` dialect."""

from __future__ import annotations

from mlir.dialects import arith, func, gpu, llvm, memref
from mlir.extras import types as T
from mlir.ir import (
    Attribute,
    Context,
    FunctionType,
    InsertionPoint,
    IntegerAttr,
    Location,
    Module,
    StringAttr,
    TypeAttr,
    UnitAttr,
    Value,
)


def kernel(name: str) -> gpu.GPUFuncOp:
    """A kernel that fills a buffer with the numbers of its threads."""
    kind = FunctionType.get([T.memref(8, T.index())], [])

    def body(function: gpu.GPUFuncOp) -> None:
        buffer = function.entry_block.arguments[0]
        thread = gpu.thread_id(gpu.Dimension.x)
        memref.store(thread, buffer, [thread])
        gpu.ReturnOp([])

    return gpu.GPUFuncOp(kind, name, kernel=True, known_block_size=[8, 1, 1], body_builder=body)


def launched(buffer: Value) -> None:
    """Launches the kernel by its name."""
    one = arith.constant(T.index(), 1)
    gpu.LaunchFuncOp(
        kernel=["device", "fill"],
        grid_size=(one, one, one),
        block_size=(8, 1, 1),
        kernel_operands=[buffer],
    )


def constants() -> list[Value]:
    """Constants of the `llvm` dialect."""
    numbers = [IntegerAttr.get(T.i32(), number) for number in (1, 2)]
    return [llvm.mlir_constant(number) for number in numbers]


def external(name: str) -> llvm.LLVMFuncOp:
    """A function that is defined elsewhere."""
    kind = Attribute.parse("!llvm.func<void (i32)>")
    assert isinstance(kind, TypeAttr)
    return llvm.LLVMFuncOp(StringAttr.get(name), kind)


def main() -> None:
    """Builds a module with the device's module inside."""
    with Context(), Location.unknown():
        module = Module.create()
        module.operation.attributes["gpu.container_module"] = UnitAttr.get()
        with InsertionPoint(module.body):
            device = gpu.GPUModuleOp("device")
            with InsertionPoint(device.bodyRegion.blocks.append()):
                made = kernel("fill")
                assert made.is_kernel and made.name.value == "fill"
            external("print")

            @func.FuncOp.from_py_func(T.memref(8, T.index()))
            def host(buffer: Value) -> None:
                launched(buffer)
                first, second = constants()
                llvm.add(first, second, overflow_flags=None)

        assert module.operation.verify()


if __name__ == "__main__":
    main()
