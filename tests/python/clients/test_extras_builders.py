"""eudsl-python-extras 0.1.0: its builders for single dialects."""

import numpy as np
import pytest
from mlir.dialects import linalg as upstream_linalg
from mlir.dialects._func_ops_gen import FuncOp
from mlir.dialects.transform import NamedSequenceOp, YieldOp
from mlir.extras import types as T
from mlir.extras.dialects import (
    arith,
    cf,
    func,
    gpu,
    linalg,
    llvm,
    memref,
    nvgpu,
    scf,
    tensor,
    transform,
    vector,
)
from mlir.ir import (
    Attribute,
    FlatSymbolRefAttr,
    InsertionPoint,
    IntegerAttr,
    StringAttr,
    Type,
    UnitAttr,
    Value,
)


def text_of(ctx):
    assert ctx.module.operation.verify()
    return str(ctx.module)


def test_constants_get_the_type_of_their_python_value(ctx):
    assert str(arith.constant(1).type) == "i32"
    assert str(arith.constant(1 << 40).type) == "i64"
    assert str(arith.constant(1.5).type) == "f32"
    assert str(arith.constant(True).type) == "i1"
    assert str(arith.constant(2, index=True).type) == "index"
    assert str(arith.constant(3, type=T.i8()).type) == "i8"


def test_values_are_of_the_class_that_was_registered_for_their_type(ctx):
    one = arith.constant(1)
    assert isinstance(one, arith.ScalarValue) and isinstance(one, Value)
    assert type(one + 2) is arith.ScalarValue
    assert one.literal_value == 1


def test_operators_fold_constants_and_emit_the_rest(ctx):
    @func.func
    def scaled(a: T.i32(), b: T.f32()):
        x = a + 1
        y = 2 * x - a
        z = b / 2.0
        w = y < a
        return y, z, w

    scaled.emit()
    text = text_of(ctx)
    for name in ["arith.addi", "arith.muli", "arith.subi", "arith.divf", "arith.cmpi"]:
        assert text.count(name) == 1, name
    assert "-> (i32, f32, i1)" in text


def test_dense_constants(ctx):
    values = np.arange(6, dtype=np.int32).reshape(2, 3)
    dense = arith.constant(values)
    assert str(dense.type) == "tensor<2x3xi32>" and isinstance(dense, tensor.TensorValue)
    assert np.array_equal(np.array(dense.literal_value), values)


def test_index_casts(ctx):
    index = arith.constant(4, index=True)
    assert str(arith.index_cast(index, to=T.i32()).type) == "i32"


def test_functions_are_declared_defined_and_called(ctx):
    @func.func(sym_visibility="private", emit=True)
    def twice(x: T.i32()):
        return x + x

    @func.func(emit=True)
    def caller(x: T.i32()):
        return twice(x)

    text = text_of(ctx)
    assert "func.func private @twice(%arg0: i32) -> i32" in text
    assert "call @twice(%arg0) : (i32) -> i32" in text
    assert isinstance(caller.emit(), FuncOp)


def test_function_attributes(ctx):
    @func.func(func_attrs={"llvm.emit_c_interface": UnitAttr.get()}, emit=True)
    def exported():
        return

    op = exported.emit()
    assert "llvm.emit_c_interface" in str(op)
    assert StringAttr(op.attributes["sym_name"]).value == "exported"


def test_branches_to_blocks(ctx):
    from mlir.extras.util import bb

    @func.func(emit=True)
    def jump(x: T.i32()):
        first = cf.br()
        with bb(first) as (_, _):
            second = cf.br(x)
        with bb(second) as (_, (y,)):
            arith.addi(y, y)

    text = str(ctx.module)
    assert text.count("cf.br ^bb") == 2 and "^bb2(%0: i32)" in text


def test_structured_loops(ctx):
    @func.func(emit=True)
    def loops(m: T.memref(10, T.f32())):
        for i in scf.range_(0, 10):
            with_index = memref.load(m, [i])
            memref.store(with_index * with_index, m, [i])
            scf.yield_()

    text = text_of(ctx)
    assert "scf.for" in text and "memref.load" in text and "arith.mulf" in text


def test_loop_results(ctx):
    zero = arith.constant(0, index=True)
    for i, total, _ in scf.range_(0, 8, iter_args=[zero]):
        result = scf.yield_(total + i)
    assert str(result.type) == "index"
    text_of(ctx)


def test_conditions_as_regions(ctx):
    one, two = arith.constant(1), arith.constant(2)

    @scf.if_(one < two, results=[T.i32()])
    def chosen():
        return arith.constant(3)

    @scf.else_(chosen)
    def other():
        return arith.constant(4)

    assert text_of(ctx).count("scf.yield") == 2


def test_parallel_loops(ctx):
    @scf.forall_([0, 0], [4, 8], [1, 1])
    def tiles(i, j):
        arith.addi(i, j)

    @scf.parallel_([0], [4], [1])
    def rows(i):
        arith.muli(i, i)

    text = text_of(ctx)
    assert "scf.forall" in text and "scf.parallel" in text and "scf.reduce" in text


def test_memrefs_are_sliced_like_arrays(ctx):
    buffer = memref.alloc((8, 16), T.f32())
    assert buffer.shape == (8, 16) and isinstance(buffer, memref.MemRefValue)
    tile = buffer[0:4, 8:16]
    assert "strided<[16, 1], offset: 8>" in str(tile.type)
    buffer[2, 3] = buffer[1, 1]
    text = text_of(ctx)
    assert "memref.subview" in text and "memref.store" in text


def test_memref_globals_and_views(ctx):
    memref.global_(np.ones((2, 2), dtype=np.float32), sym_name="weights")
    weights = memref.get_global("weights")
    assert str(weights.type) == "memref<2x2xf32>"
    raw = memref.alloc((64,), T.i8())
    assert str(memref.view(raw, (4, 4), dtype=T.f32()).type) == "memref<4x4xf32>"
    assert str(memref.dim(raw, 0).type) == "index"
    assert "@weights : memref<2x2xf32>" in text_of(ctx)


def test_tensors_are_sliced_like_arrays(ctx):
    values = tensor.empty(10, 22, element_type=T.i32())
    assert isinstance(values, tensor.TensorValue) and values.shape == (10, 22)
    part = values[0:2, 0:4]
    assert str(part.type) == "tensor<2x4xi32>"
    assert str(values[None].type) == "tensor<1x10x22xi32>"
    text_of(ctx)


def test_tensor_regions(ctx):
    @tensor.generate(T.tensor(4, T.index()), dynamic_extents=[])
    def made(i: T.index()):
        tensor.yield_(i)

    @tensor.pad(made, [0], [2])
    def padded(i: T.index()):
        return i

    assert str(padded.type) == "tensor<6xindex>"
    text_of(ctx)


def test_vectors(ctx):
    buffer = memref.alloc((4, 4), T.f32())
    rows = vector.transfer_read(T.vector(4, T.f32()), buffer, [0, 0], in_bounds=[True])
    assert isinstance(rows, vector.VectorValue)
    assert str(vector.outerproduct(rows, rows).type) == "vector<4x4xf32>"
    vector.transfer_write(rows, buffer, [0, 0], in_bounds=[True])
    assert str(vector.extract(rows, [0]).type) == "f32"
    text_of(ctx)


def test_linalg(ctx):
    buffers = [memref.alloc((4, 4), T.f32()) for _ in range(3)]
    linalg.matmul(*buffers)
    linalg.fill(arith.constant(0.0), buffers[2])
    linalg.add(*buffers)
    text = text_of(ctx)
    for name in ["linalg.matmul", "linalg.fill", "linalg.add"]:
        assert name in text
    assert issubclass(upstream_linalg.MatmulOp, upstream_linalg.MatmulOp.__mro__[1])


def test_gpu_modules_and_launches(ctx):
    gpu.set_container_module(ctx.module)

    @gpu.module("kernels", ["#nvvm.target"])
    def _():
        @gpu.func(emit=True)
        def fill(m: T.memref(16, T.f32())):
            m[gpu.thread_idx.x] = arith.constant(1.0)

    text = text_of(ctx)
    assert "gpu.container_module" in text and "gpu.func @fill" in text and "kernel" in text
    assert (
        str(gpu.address_space_attr(gpu.AddressSpace.Workgroup)) == "#gpu.address_space<workgroup>"
    )
    assert "thread<x>" in str(gpu.thread_attr("x"))


def test_gpu_async_tokens(ctx):
    token = gpu.wait()
    assert str(token.type) == "!gpu.async.token" and str(gpu.gpu_async_token()) == str(token.type)


def test_nvgpu_types(ctx):
    assert str(nvgpu.warpgroup_accumulator_t(128, 128, T.f32())) == (
        "!nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>"
    )
    assert "mbarrier" in str(nvgpu.mbarrier_create().type)


def test_llvm_values(ctx):
    pointer = llvm.mlir_zero(Type.parse("!llvm.ptr"))
    assert str(pointer.type) == "!llvm.ptr"
    assert isinstance(pointer, Value)


def test_rocdl_types():
    from mlir.extras.dialects import rocdl

    assert callable(rocdl.wmma_f16_16x16x16_f16)


def test_transform_sequences(ctx):
    main = NamedSequenceOp("__transform_main", [transform.any_op_t()], [])
    with InsertionPoint(main.body):
        transform.match(main.bodyTarget, ["linalg.matmul"])
        YieldOp()
    ctx.module.operation.attributes["transform.with_named_sequence"] = UnitAttr.get()
    text = str(ctx.module)
    assert "transform.structured.match" in text and "@__transform_main" in text


@pytest.mark.parametrize("width", [1, 8, 16, 32, 64])
def test_types_by_name(ctx, width):
    make = T.bool if width == 1 else getattr(T, f"i{width}")
    assert str(make()) == f"i{width}"
    assert str(T.memref(2, 2, make())) == f"memref<2x2xi{width}>"
    assert str(T.vector(4, make())) == f"vector<4xi{width}>"


def test_symbols_are_what_ir_has(ctx):
    assert FlatSymbolRefAttr.get("x").value == "x"
    assert IntegerAttr.get(T.i32(), 4).value == 4
    assert str(Attribute.parse("[1 : i32]")) == "[1 : i32]"
    assert InsertionPoint.current.block == ctx.module.body
