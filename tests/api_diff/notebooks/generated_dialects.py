"""openmp, openacc, shard, tosa and emitc by their generated classes."""

import inspect

import mlir.extras.types as T
from mlir.dialects import (
    arith,
    bufferization,
    emitc,
    func,
    linalg,
    shard,
    spirv,
    tensor,
    tosa,
)
from mlir.dialects import (
    async_dialect as asy,
)
from mlir.dialects import (
    openacc as acc,
)
from mlir.dialects import (
    openmp as omp,
)
from mlir.ir import *

ctx = Context()
ctx.__enter__()
ctx.allow_unregistered_dialects = True
loc = Location.unknown()
loc.__enter__()
m = Module.create()
ip = InsertionPoint(m.body)
ip.__enter__()
omp.BarrierOp()
omp.TaskyieldOp()
omp.TerminatorOp
list(inspect.signature(omp.ParallelOp.__init__).parameters)
list(inspect.signature(acc.ParallelOp.__init__).parameters)[:6]
list(inspect.signature(tosa.MatMulOp.__init__).parameters)
list(inspect.signature(tosa.matmul).parameters)
shard.GridOp("g", [2, 4])
shard.ShardingOp
a = 0
f = func.FuncOp("f", ([T.tensor(4, T.f32()), T.tensor(1, 4, 4, T.f32()), T.f32(), T.i32()], []))
e = f.add_entry_block()
fip = InsertionPoint(e)
fip.__enter__()
t, t3, x, i = f.arguments
tosa.add(T.tensor(4, T.f32()), t, t)
tosa.clamp(T.tensor(4, T.f32()), t, FloatAttr.get(T.f32(), 0), FloatAttr.get(T.f32(), 6))
tosa.ConstOp(values=DenseElementsAttr.get_splat(T.tensor(4, T.f32()), FloatAttr.get(T.f32(), 0)))
tosa.reduce_sum(t3, 1)
tosa.negate(T.tensor(4, T.f32()), t, t, t)
tosa.cast(T.tensor(4, T.i32()), t)
spirv.FMulOp(x, x)
spirv.ConstantOp(T.f32(), FloatAttr.get(T.f32(), 1))
spirv.GLExpOp(x)
spirv.CompositeConstructOp(T.vector(2, T.f32()), [x, x])
spirv.ReturnOp
emitc.constant(T.i32(), IntegerAttr.get(T.i32(), 3))
emitc.AddOp(T.i32(), i, i)
emitc.call_opaque([T.i32()], "foo", [i])
emitc.verbatim("// x", [])
emitc.include("a.h", is_standard_include=True)
emitc.CallOpaqueOp([], "bar", [i], args=ArrayAttr.get([IntegerAttr.get(T.index(), 0)]))
emitc.cast(T.f32(), i)
asy.create_group
asy.ExecuteOp
linalg.fill(x, outs=[t])
linalg.transpose(t3, outs=[t3], permutation=[0, 2, 1])
linalg.broadcast(
    t, outs=[T.tensor(4, 4, T.f32()) and tensor.empty([4, 4], T.f32())], dimensions=[1]
)
linalg.batch_matmul(t3, t3, outs=[t3])
linalg.exp(t, outs=[t])
linalg.add(t, t, outs=[t])
linalg.dot(t, t, outs=[tensor.empty([], T.f32())])
linalg.elementwise(t, outs=[t], kind=linalg.ElementwiseKind.exp)
linalg.contract(
    t,
    t,
    outs=[tensor.empty([], T.f32())],
    indexing_maps=[AffineMap.get_identity(1), AffineMap.get_identity(1), AffineMap.get(1, 0, [])],
)
linalg.matmul(
    tensor.empty([4, 4], T.f32()),
    tensor.empty([4, 4], T.f32()),
    outs=[tensor.empty([4, 4], T.f32())],
)
linalg.pack(t, tensor.empty([2, 2], T.f32()), inner_dims_pos=[0], inner_tiles=[2])
linalg.unpack(tensor.empty([2, 2], T.f32()), t, inner_dims_pos=[0], inner_tiles=[2])
linalg.index(0)
linalg.matmul(t, t, outs=[t])
linalg.fill(1, outs=[t])
linalg.ReduceOp
mp = linalg.MapOp(result=[T.tensor(4, T.f32())], inputs=[t], init=t)


@linalg.generic([t], [t], [AffineMap.get_identity(1)] * 2, [linalg.IteratorType.parallel])
def g(a, b):
    return arith.addf(a, b)


g
gen = linalg.GenericOp(
    [T.tensor(4, T.f32())],
    [t],
    [t],
    ArrayAttr.get([AffineMapAttr.get(AffineMap.get_identity(1))] * 2),
    ArrayAttr.get([Attribute.parse("#linalg.iterator_type<parallel>")]),
)
b = gen.regions[0].blocks.append(T.f32(), T.f32())
with InsertionPoint(b):
    linalg.YieldOp([b.arguments[0]])
gen
gen.verify()
gen.iterator_types
gen.indexing_maps
gen.inputs
gen.outputs
gen.result_tensors
linalg.infer_contraction_dimensions(gen.operation)
mmop = [o for o in e.operations if o.operation.name == "linalg.matmul"][0]
cd = linalg.infer_contraction_dimensions(mmop)
cd.m
cd.n
cd.k
cd.batch
linalg.isa_contraction_op(mmop)
linalg.isa_convolution_op(mmop)
linalg.get_indexing_maps(mmop)
linalg.infer_convolution_dimensions(mmop)
linalg.infer_contraction_dimensions_from_maps(
    [
        AffineMap.get(3, 0, [AffineExpr.get_dim(0), AffineExpr.get_dim(2)]),
        AffineMap.get(3, 0, [AffineExpr.get_dim(2), AffineExpr.get_dim(1)]),
        AffineMap.get(3, 0, [AffineExpr.get_dim(0), AffineExpr.get_dim(1)]),
    ]
).k
acc.TerminatorOp()
acc.ParallelOp
acc.DataOp
omp.ParallelOp
omp.WsloopOp
omp.SingleOp
fip.__exit__(None, None, None)
print(m)
