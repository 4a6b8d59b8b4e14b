"""Every builtin attribute and type, in the ways tutorials use them."""

import array

import numpy as np
from mlir.ir import *

ctx = Context()
ctx.__enter__()
loc = Location.unknown()
loc.__enter__()
i32 = IntegerType.get_signless(32)
f32 = F32Type.get()
idx = IndexType.get()
[
    IntegerType.get_signed(8),
    IntegerType.get_unsigned(8),
    i32.width,
    i32.is_signless,
    IntegerType.get_signed(3).is_signed,
]
[
    t.get()
    for t in [
        F64Type,
        F16Type,
        BF16Type,
        FloatTF32Type,
        Float8E5M2Type,
        Float8E4M3FNType,
        Float4E2M1FNType,
        Float6E3M2FNType,
        Float8E8M0FNUType,
        NoneType,
    ]
]
[t.get().width for t in [F64Type, F16Type, FloatTF32Type, Float4E2M1FNType]]
ComplexType.get(f32)
ComplexType.get(f32).element_type
ComplexType.get(idx)
VectorType.get([2, 3], f32)
VectorType.get([2, 3], f32, scalable=[False, True])
VectorType.get([4], f32, scalable_dims=[0])
VectorType.get([2, 3], f32, scalable=[True])
VectorType.get([2, 3], f32, scalable=[True, False], scalable_dims=[0])
VectorType.get([-1], f32)
VectorType.get([4, 8], f32, scalable=[True, False]).scalable
VectorType.get([4, 8], f32, scalable=[True, False]).scalable_dims
t = RankedTensorType.get([2, -1, ShapedType.get_dynamic_size()], f32)
RankedTensorType.get([2], f32, StringAttr.get("enc"))
RankedTensorType.get([2], f32, encoding=StringAttr.get("enc")).encoding
RankedTensorType.get([2], UnitAttr.get())
RankedTensorType.get(2, f32)
UnrankedTensorType.get(f32)
UnrankedMemRefType.get(f32, Attribute.parse("2"))
UnrankedTensorType.get(f32).shape
mt = MemRefType.get([4, 8], f32, StridedLayoutAttr.get(3, [8, 1]), IntegerAttr.get(i32, 1))
mt
mt.layout
mt.affine_map
mt.memory_space
mt.get_strides_and_offset()
MemRefType.get([4], f32).memory_space
MemRefType.get([4], f32).layout
MemRefType.get([4], f32).affine_map
MemRefType.get(
    [4, 4],
    f32,
    layout=AffineMapAttr.get(AffineMap.get_permutation([1, 0])),
    memory_space=Attribute.parse('"s"'),
)
TupleType.get_tuple([i32, f32])
TupleType.get_tuple([i32, f32]).get_type(1)
TupleType.get_tuple([i32]).num_types
FunctionType.get([i32], [f32, f32])
FunctionType.get(inputs=[], results=[]).inputs
FunctionType.get([i32], [f32]).results
a = IntegerAttr.get(i32, -5)
a
a.value
int(a)
a.type
hash(a) == hash(IntegerAttr.get(i32, -5))
IntegerAttr.get(IntegerType.get_unsigned(8), 255).value
IntegerAttr.get(IntegerType.get_signless(1), True)
IntegerAttr.get(idx, 3)
IntegerAttr.get(i32, 2**40)
IntegerAttr.get(i32, 1.5)
IntegerAttr.get(IntegerType.get_signless(128), 2**70)
FloatAttr.get(f32, 1.5)
FloatAttr.get_f32(2)
FloatAttr.get_f64(2.5).value
float(FloatAttr.get_f64(2.5))
FloatAttr.get(i32, 1.0)
BoolAttr.get(True)
bool(BoolAttr.get(False))
BoolAttr.get(True).value
StringAttr.get('a"b\né')
StringAttr.get(b"\x00\xff")
StringAttr.get("x").value
StringAttr.get(b"\x00\xff").value_bytes
StringAttr.get_typed(i32, "s")
StringAttr.get_typed(i32, "s").type
ArrayAttr.get([a, UnitAttr.get()])
len(ArrayAttr.get([a]))
ArrayAttr.get([a])[0]
list(ArrayAttr.get([a, a]))
ArrayAttr.get([a]) + [a]
ArrayAttr.get([a])[3]
ArrayAttr.get([a])["x"]
d = DictAttr.get({"b": a, "a": UnitAttr.get()})
d
len(d)
"a" in d
d["b"]
d[0]
[x for x in d]
d["zz"]
d[7]
DictAttr.get()
DictAttr.get(value={})
SymbolRefAttr.get(["a", "b"])
SymbolRefAttr.get(["a", "b"]).value
FlatSymbolRefAttr.get("x").value
SymbolRefAttr.get([])
TypeAttr.get(f32).value
UnitAttr.get()
[
    DenseI32ArrayAttr.get([1, 2]),
    DenseBoolArrayAttr.get([True, False]),
    DenseF32ArrayAttr.get([1, 2]),
    DenseI8ArrayAttr.get([]),
    DenseF64ArrayAttr.get([0.5]),
    DenseI16ArrayAttr.get([3]),
    DenseI64ArrayAttr.get([3]),
]
x = DenseI64ArrayAttr.get([1, 2, 3])
list(x)
len(x)
x[1]
x + [4]
[i for i in x]
x[9]
StridedLayoutAttr.get(1, [2, 3])
StridedLayoutAttr.get_fully_dynamic(2)
StridedLayoutAttr.get(1, [2]).offset
StridedLayoutAttr.get(1, [2]).strides
e = DenseElementsAttr.get(np.arange(6, dtype=np.int32).reshape(2, 3))
e.type
np.array(e)
len(e)
e.is_splat
DenseElementsAttr.get(np.ones((2,), np.complex64))
DenseElementsAttr.get(np.zeros((4,), np.int32), type=idx)
DenseElementsAttr.get([a, FloatAttr.get_f32(1)])
DenseElementsAttr.get([])
DenseElementsAttr.get(np.array(["a"]))
DenseElementsAttr.get_splat(RankedTensorType.get([2, 2], i32), a).get_splat_value()
DenseElementsAttr.get_splat(RankedTensorType.get([2, -1], i32), a)
DenseElementsAttr.get_splat(f32, a)
DenseIntElementsAttr(e)[2]
DenseFPElementsAttr(DenseElementsAttr.get(np.array([1.5])))[0]
DenseIntElementsAttr(e)[9]
DenseResourceElementsAttr.get_from_buffer(
    np.array([1, 2], np.int32), "res", RankedTensorType.get([2], i32)
)
np.array(
    DenseResourceElementsAttr.get_from_buffer(
        np.array([1.0], np.float32), "r2", RankedTensorType.get([1], f32)
    )
)
AffineMapAttr.get(AffineMap.get_identity(2)).value
IntegerSetAttr.get(IntegerSet.get_empty(1, 1))
[
    Attribute.parse(s)
    for s in [
        "1 : i8",
        '"s"',
        "[1]",
        "{a = 1}",
        "dense<1> : tensor<2xi32>",
        "unit",
        "@s::@t",
        "affine_map<(d0) -> (d0)>",
        "array<i32: 1>",
        "#builtin.int<3> : i32",
    ]
    if s[0] != "#"
]
Attribute.parse("1 : zz")
Type.parse("!nope.x")
Type.parse("i32 i32")
[
    type(Attribute.parse(s)).__name__
    for s in [
        "1 : i8",
        '"s"',
        "[1]",
        "{a = 1}",
        "dense<1> : tensor<2xi32>",
        "dense<1.> : tensor<2xf32>",
        "unit",
        "@s::@t",
        "@s",
        "affine_map<(d0) -> (d0)>",
        "array<i32: 1>",
        "f32",
        "1.0 : f32",
        "true",
        "strided<[1]>",
    ]
]
[
    type(Type.parse(s)).__name__
    for s in [
        "i8",
        "f8E5M2",
        "tensor<*xf32>",
        "memref<*xf32>",
        "memref<2xf32>",
        "vector<2xf32>",
        "tuple<>",
        "()->()",
        "none",
        "index",
        "complex<f32>",
    ]
]
a == StringAttr.get("x")
a == 3
{a: 1}[IntegerAttr.get(i32, -5)]
a.get_named("k")
a.get_named("k").name
a.get_named("k").attr
a.context is ctx
a.typeid == IntegerAttr.static_typeid
i32.maybe_downcast()
a.maybe_downcast()
i32.context is ctx
i32.typeid
AffineMap.get(1, 1, [AffineExpr.get_dim(0) + AffineExpr.get_symbol(0) * 2])
isinstance(i32, Type)
issubclass(F32Type, FloatType)
issubclass(RankedTensorType, ShapedType)
ShapedType.is_dynamic_size(-9223372036854775808)
ShapedType.get_dynamic_stride_or_offset()
Type(i32)
Attribute(a)
repr(Type(i32))
str(a)
Type.parse("i32", ctx)
Attribute.parse("1", context=ctx)
