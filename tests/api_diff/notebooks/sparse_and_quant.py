"""sparse_tensor encodings and quant types."""

import mlir.extras.types as T
from mlir.dialects import bufferization, quant, sparse_tensor, tensor
from mlir.dialects import sparse_tensor as st
from mlir.ir import *
from mlir.passmanager import PassManager

ctx = Context()
ctx.__enter__()
loc = Location.unknown()
loc.__enter__()
st.LevelFormat.dense
st.LevelFormat.compressed
list(st.LevelProperty)
st.LevelFormat.dense.value
d = st.EncodingAttr.build_level_type(st.LevelFormat.dense)
c = st.EncodingAttr.build_level_type(st.LevelFormat.compressed)
d
c
st.EncodingAttr.build_level_type(st.LevelFormat.compressed, [st.LevelProperty.non_unique])
st.EncodingAttr.build_level_type(st.LevelFormat.n_out_of_m, [], 2, 4)
st.EncodingAttr.build_level_type(st.LevelFormat.singleton, [st.LevelProperty.soa])
e = st.EncodingAttr.get([d, c], AffineMap.get_identity(2), AffineMap.get_identity(2), 32, 32)
e
e.lvl_types
e.dim_to_lvl
e.lvl_to_dim
e.pos_width
e.crd_width
e.explicit_val
e.implicit_val
e.lvl_formats_enum
st.EncodingAttr.get([d, c], None, None, 0, 0)
st.EncodingAttr.get([d], None, None, 0, 0, IntegerAttr.get(T.i32(), 1), IntegerAttr.get(T.i32(), 0))
st.EncodingAttr.get(
    lvl_types=[d, c],
    dim_to_lvl=AffineMap.get_permutation([1, 0]),
    lvl_to_dim=AffineMap.get_permutation([1, 0]),
    pos_width=64,
    crd_width=8,
)
st.EncodingAttr.get("x")
casted = Attribute.parse(
    "#sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>"
)
st.EncodingAttr(casted) == casted
t = RankedTensorType.get([4, 5], T.f32(), encoding=casted)
t
m = Module.parse(
    "#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>\nfunc.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32, #CSR> { %0 = sparse_tensor.convert %a : tensor<8x8xf32> to tensor<8x8xf32, #CSR> return %0 : tensor<8x8xf32, #CSR> }"
)
with InsertionPoint(m.body):
    p = sparse_tensor.ConvertOp(t, tensor.empty([4, 5], T.f32()))
p.result
str(m).count("sparse_tensor")
sparse_tensor.CrdTransDirectionKind.dim2lvl
PassManager.parse("builtin.module(sparsifier{enable-runtime-library=false})").run(m.operation)
len(str(m)) > 100
q = Type.parse("!quant.uniform<i8:f32, 0.5:3>")
q
type(q)
quant.UniformQuantizedType(q).scale
q.zero_point
q.is_fixed_point
q.is_signed
q.storage_type
q.storage_type_min
q.storage_type_max
q.storage_type_integral_width
q.expressed_type
q.flags
q.quantized_element_type
quant.UniformQuantizedType.get(
    quant.QuantizedType.FLAG_SIGNED, T.i8(), T.f32(), 0.99872, 127, -8, 7
)
quant.QuantizedType.default_minimum_for_integer(is_signed=True, integral_width=8)
quant.QuantizedType.default_maximum_for_integer(False, 8)
quant.AnyQuantizedType.get(1, T.i8(), T.f32(), -8, 7)
pa = quant.UniformQuantizedPerAxisType.get(
    1,
    T.i8(),
    T.f32(),
    [200, 0.99872],
    [0, 120],
    quantized_dimension=1,
    storage_type_min=-128,
    storage_type_max=127,
)
pa
pa.scales
pa.zero_points
pa.quantized_dimension
pa.is_fixed_point
cq = quant.CalibratedQuantizedType.get(T.f32(), -0.998, 1.232)
cq
cq.min
cq.max
quant.CalibratedQuantizedType.get(3, 1, 2)
q.cast_to_expressed_type(q)
q.cast_expressed_to_storage_type(T.f32())
q.is_compatible_expressed_type(T.f32())
sc = quant.UniformQuantizedSubChannelType
sc.get(
    1,
    T.i8(),
    T.f32(),
    DenseElementsAttr.get_splat(RankedTensorType.get([1, 2], T.f32()), FloatAttr.get_f32(2.0)),
    DenseElementsAttr.get_splat(RankedTensorType.get([1, 2], T.i8()), IntegerAttr.get(T.i8(), 1)),
    [0, 1],
    [1, 2],
    storage_type_min=-128,
    storage_type_max=127,
)
quant.UniformQuantizedType(T.f32())
