"""scf, memref, affine, tensor, vector builders."""

import mlir.extras.types as T
from mlir.dialects import (
    affine,
    arith,
    async_dialect,
    bufferization,
    builtin,
    cf,
    emitc,
    func,
    index,
    math,
    memref,
    ml_program,
    scf,
    shape,
    spirv,
    tensor,
    tosa,
    ub,
    vector,
)
from mlir.dialects import (
    complex as cpx,
)
from mlir.ir import *

ctx = Context()
ctx.__enter__()
loc = Location.unknown()
loc.__enter__()
m = Module.create()
ip = InsertionPoint(m.body)
ip.__enter__()
f = func.FuncOp(
    "f",
    FunctionType.get(
        [
            T.index(),
            T.i32(),
            T.f32(),
            T.memref(4, 8, T.f32()),
            T.tensor(4, 8, T.f32()),
            T.vector(4, T.f32()),
            T.bool(),
        ],
        [],
    ),
    visibility="private",
)
e = f.add_entry_block()
n, i, x, mr, te, ve, b = f.arguments
fip = InsertionPoint(e)
fip.__enter__()
type(n).__name__
type(i).__name__
n.type
lp = scf.ForOp(n, n, n, [i])
with InsertionPoint(lp.body):
    scf.YieldOp([lp.inner_iter_args[0]])
lp
lp.induction_variable
lp.results_
lp.lowerBound
lp.initArgs
lp.inner_iter_args
for iv in scf.for_(0, 10, 2):
    arith.addi(iv, iv)
    scf.yield_([])
for iv, it, res in scf.for_(0, 10, iter_args=[i]):
    scf.yield_([arith.addi(it, it)])
res
for iv, its, ress in scf.for_(n, n, n, iter_args=[i, x]):
    scf.yield_(its)
ress
iff = scf.IfOp(b, [T.i32()], has_else=True)
with InsertionPoint(iff.then_block):
    scf.YieldOp([i])
with InsertionPoint(iff.else_block):
    scf.yield_([i])
iff
scf.IfOp(b, has_else=True)
scf.IfOp(b).else_block
fa = scf.ForallOp([0, n], [4, 8], [1, 1], [te])
fa.body
fa.rank
fa.lower_bounds
fa.induction_variables
fa.inner_iter_args
with InsertionPoint(fa.body):
    scf.InParallelOp()
fa.terminator
scf.while_([T.i32()], [i])
w = scf.WhileOp([T.i32()], [i])
w.before
len(w.regions)


@lambda f: f
def rd():
    pass


sw = scf.IndexSwitchOp([], n, DenseI64ArrayAttr.get([0, 1]), 2)
memref.load(mr, [n, n])
memref.store(x, mr, [n, n])
memref.dim(mr, n)
memref.alloc(T.memref(ShapedType.get_dynamic_size(), T.f32()), [n], [])
memref.alloca(T.memref(3, T.f32()), [], [])
memref.cast(T.memref(ShapedType.get_dynamic_size(), 8, T.f32()), mr)
memref.subview(mr, [0, 0], [2, 4], [1, 1])
memref.subview(mr, [n, 0], [2, 4], [1, 1])
memref.subview(mr, offsets=[n, n], sizes=[n, 4], strides=[1, 1])
memref.subview(mr, [0, 0], [2, 4], [n, 1])
memref.GlobalOp("g", TypeAttr.get(T.memref(4, T.f32())), sym_visibility="private")
memref.get_global(T.memref(4, T.f32()), "g")
memref.dealloc(mr)
memref.copy(mr, mr)
memref.reshape
memref.LoadOp(mr, indices=[n, n]).result
memref.load(mr, [n])
memref.collapse_shape(T.memref(32, T.f32()), mr, [[0, 1]])
memref.expand_shape(T.memref(2, 2, 8, T.f32()), mr, [[0, 1], [2]], [], [2, 2, 8])
memref.transpose(T.memref(8, 4, T.f32()), mr, AffineMap.get_permutation([1, 0]))
tensor.extract(te, [n, n])
tensor.insert(x, te, [n, n])
tensor.empty([4, n], T.f32())
tensor.EmptyOp([3], T.f32()).result
tensor.dim(te, n)
tensor.cast(T.tensor(ShapedType.get_dynamic_size(), 8, T.f32()), te)
tensor.from_elements(T.tensor(1, T.f32()), [x])
tensor.EmptyOp([-1], T.f32())
tensor.extract_slice(T.tensor(2, 8, T.f32()), te, [], [], [], [0, 0], [2, 8], [1, 1])
tensor.insert_slice(te, te, [], [], [], [0, 0], [4, 8], [1, 1])
tensor.collapse_shape(T.tensor(32, T.f32()), te, [[0, 1]])
tensor.concat(T.tensor(8, 8, T.f32()), 0, [te, te])
tensor.splat(T.tensor(3, T.f32()), x, [])


@tensor.generate(T.tensor(4, T.index()), dynamic_extents=[])
def gen():
    pass


@builtin.module
def inner():
    func.FuncOp("q", FunctionType.get([], []), visibility="private")


inner
vector.broadcast(T.vector(4, T.f32()), x)
vector.extract(ve, [], [0])
vector.insert(x, ve, [], [1])
vector.reduction(T.f32(), vector.CombiningKind.ADD, ve)
vector.print_(source=ve)
vector.print_()
vector.shuffle(ve, ve, [0, 1])
vector.load(T.vector(4, T.f32()), mr, [n, n])
vector.store(ve, mr, [n, n])
vector.fma(ve, ve, ve)
vector.transfer_read(
    T.vector(4, T.f32()),
    mr,
    [n, n],
    AffineMapAttr.get(AffineMap.get(2, 0, [AffineExpr.get_dim(1)])),
    x,
    [True],
)
vector.transfer_write(
    None, ve, mr, [n, n], AffineMap.get(2, 0, [AffineExpr.get_dim(1)]), in_bounds=[False]
)
vector.outerproduct(T.vector(4, 4, T.f32()), ve, ve, kind=vector.CombiningKind.ADD)
vector.create_mask(T.vector(4, T.bool()), [n])
vector.constant_mask(T.vector(4, T.bool()), [2])
vector.shape_cast(T.vector(2, 2, T.f32()), ve)
vector.step(T.vector(4, T.index()))
vector.multi_reduction(vector.CombiningKind.MUL, ve, x, [0])
vector.bitcast(T.vector(4, T.i32()), ve)
vector.scalable_extract
mk = vector.MaskOp(T.vector(4, T.f32()), vector.create_mask(T.vector(4, T.bool()), [n]))
affine.apply(AffineMap.get(1, 0, [AffineExpr.get_dim(0) * 2]), [n])
affine.load(T.f32(), mr, [n, n], AffineMap.get_identity(2))
affine.min(AffineMap.get_identity(1), [n])
affine.AffineStoreOp(x, mr, [n, n], map=AffineMap.get_identity(2))
affine.store(x, mr, [n, n], map=AffineMap.get_identity(2))
for iv in affine.for_(0, 4):
    affine.yield_([])
for iv, it, r2 in affine.for_(0, 4, 2, iter_args=[i]):
    affine.yield_([it])
for iv in []:
    pass
affine.AffineForOp(0, 4).induction_variable
affine.AffineForOp(AffineMap.get(1, 0, [AffineExpr.get_dim(0)]), 4, lower_bound_operands=[n])
affine.AffineForOp(n, n)
ai = affine.AffineIfOp(
    IntegerSet.get(1, 0, [AffineExpr.get_dim(0)], [False]), cond_operands=[n], has_else=True
)
ai
ai.then_block
ai.else_block
math.exp(x)
math.sqrt(x)
math.powf(x, x)
math.absi(i)
math.fma(x, x, x)
math.ctlz(i)
math.exp(ve)
math.tanh(x, fastmath=arith.FastMathFlags.fast)
arith.cmpi(arith.CmpIPredicate.slt, i, i)
arith.cmpi("slt", i, i)
arith.cmpi(2, i, i)
arith.cmpf(arith.CmpFPredicate.OGT, x, x)
arith.select(b, i, i)
arith.extsi(T.i64(), i)
arith.trunci(T.i8(), i)
arith.sitofp(T.f32(), i)
arith.index_cast(T.index(), i)
arith.bitcast(T.f32(), i)
arith.addi(i, i, overflow_flags=arith.IntegerOverflowFlags.nsw)
arith.addf(x, x, fastmath=arith.FastMathFlags.nnan | arith.FastMathFlags.ninf)
arith.negf(x)
arith.maxsi(i, i)
arith.minimumf(x, x)
arith.mulsi_extended(i, i)
arith.addi(i, x)
arith.constant(T.i32(), 3)
arith.constant(T.f32(), 3.5)
arith.constant(T.index(), 4)
arith.constant(T.bool(), True)
arith.constant(value=3, result=T.i64())
arith.ConstantOp.create_index(5)
arith.constant(
    T.vector(4, T.f32()),
    DenseElementsAttr.get_splat(T.vector(4, T.f32()), FloatAttr.get(T.f32(), 1)),
)
arith.ConstantOp(T.i32(), 4).literal_value
index.add(n, n)
index.constant(3)
index.ConstantOp(value=3).result
index.castu(T.i32(), n)
index.cmp(index.IndexCmpPredicate.EQ, n, n)
index.ceildivs(n, n)
index.BoolConstantOp(value=True).result
index.sizeof()
shape.shape_of(te)
shape.const_shape([1, 2])
shape.const_size(4)
shape.broadcast(Type.parse("!shape.shape"), [shape.shape_of(te)])
shape.const_witness(True)
shape.num_elements(shape.shape_of(te))
cpx.create_(T.complex(T.f32()), x, x)
cpx.re(cpx.create_(T.complex(T.f32()), x, x))
cpx.add(cpx.create_(T.complex(T.f32()), x, x), cpx.create_(T.complex(T.f32()), x, x))
cpx.constant(T.complex(T.f32()), ArrayAttr.get([FloatAttr.get(T.f32(), 1)] * 2))
bufferization.to_tensor(T.tensor(4, 8, T.f32()), mr, restrict=True)
bufferization.to_buffer(T.memref(4, 8, T.f32()), te)
bufferization.alloc_tensor(T.tensor(4, T.f32()), [])
bufferization.materialize_in_destination(T.tensor(4, 8, T.f32()), te, te)
ub.poison(T.i32())
ml_program.GlobalOp("gl", Type.parse("i32"), is_mutable=True)
ml_program.SubgraphOp
emitc.ConstantOp
tosa.add(T.tensor(4, 8, T.f32()), te, te)
spirv.FAddOp(x, x).result
cf.assert_(b, "msg")
func.call([T.i32()], "callee", [i])
func.CallOp(f, [*f.arguments])
func.CallOp([T.i32()], FlatSymbolRefAttr.get("z"), []).callee
func.constant(FunctionType.get([], []), "q")
func.CallOp("callee", [i])
func.FuncOp("x", 3)
func.FuncOp("x", ([], []), visibility="odd").visibility
func.FuncOp(
    name="y",
    type=([T.i32()], [T.i32()]),
    loc=loc,
    ip=InsertionPoint(m.body),
    body_builder=lambda o: func.ReturnOp([o.entry_block.arguments[0]]),
)
ff = func.FuncOp("z", ([T.i32()], [T.i32()]))
ff.arg_attrs
ff.result_attrs
ff.name
ff.name.value
ff.type.inputs
ff.sym_name
ff.arg_attrs = [DictAttr.get({"a": UnitAttr.get()})]
ff
ff.arg_attrs[0]["a"]
ff.result_attrs = ArrayAttr.get([DictAttr.get({"r": UnitAttr.get()})])
ff.arguments
ff.add_entry_block().arguments[0]
ff.add_entry_block()
print(m)
m.operation.verify()
