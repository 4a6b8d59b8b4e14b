"""GPU kernels as tutorials write them."""

import mlir.extras.types as T
from mlir.dialects import (
    amdgpu,
    arith,
    cf,
    gpu,
    llvm,
    math,
    memref,
    nvgpu,
    nvvm,
    rocdl,
    scf,
    vector,
)
from mlir.dialects import (
    func as func_d,
)
from mlir.dialects.gpu import *
from mlir.ir import *
from mlir.passmanager import PassManager

ctx = Context()
ctx.__enter__()
loc = Location.unknown()
loc.__enter__()
m = Module.create()
ip = InsertionPoint(m.body)
ip.__enter__()
m.operation.attributes["gpu.container_module"] = UnitAttr.get()
gm = gpu.GPUModuleOp(
    "kernels", targets=ArrayAttr.get([Attribute.parse('#nvvm.target<chip = "sm_90">')])
)
blk = gm.bodyRegion.blocks.append()
gm.bodyRegion
gm.sym_name
gm.targets
str(gm)
kip = InsertionPoint(blk)
kip.__enter__()
f = gpu.GPUFuncOp(
    TypeAttr.get(FunctionType.get([T.memref(16, T.f32())], [])),
    sym_name="k",
    kernel=True,
    body_builder=lambda op: gpu.return_([]),
)
f2 = gpu.GPUFuncOp(
    FunctionType.get([], []),
    sym_name="k2",
    kernel=True,
    workgroup_attrib_attrs=None,
    private_attrib_attrs=None,
    body_builder=lambda op: (gpu.printf("hi"), gpu.return_([])),
)
f3 = gpu.GPUFuncOp(
    FunctionType.get([], []),
    "k3",
    kernel=False,
    known_block_size=[32, 1, 1],
    known_grid_size=[1, 1, 1],
    body_builder=lambda op: gpu.return_([]),
)
f3.known_block_size
f3.is_kernel
f3.name
f2.is_kernel
f2.function_type
f2.entry_block
f2.arguments
print(gm)
kip.__exit__(None, None, None)


@func_d.FuncOp.from_py_func(T.index())
def host(n):
    c = arith.constant(T.index(), 1)
    t = gpu.wait([])
    la = gpu.LaunchOp([c, c, c], [c, c, c])
    print(la.blockSizeX, la.gridSizeX, la.body)
    return


print(m)
gpu.AsyncTokenType.get()
gpu.ObjectAttr.get(Attribute.parse("#nvvm.target"), 2, b"abc")
gpu.ObjectAttr.get(Attribute.parse("#nvvm.target"), 2, b"abc").object
o = gpu.ObjectAttr.get(
    Attribute.parse("#nvvm.target"),
    gpu.CompilationTarget.Binary,
    b"//\xff",
    DictAttr.get({"O": IntegerAttr.get(T.i32(), 2)}),
)
o.target
o.format
o.properties
o.kernels
o.object
list(gpu.AddressSpace)
list(gpu.Dimension)
gpu.AllReduceOperation.ADD
str(gpu.MMAElementwiseOp.ADDF)
Attribute.parse("#gpu.address_space<workgroup>")
Type.parse('!gpu.mma_matrix<16x16xf16, "AOp">')
d = nvgpu.TensorMapDescriptorType.get(
    MemRefType.get([128, 64], T.f16(), memory_space=Attribute.parse("3")),
    nvgpu.TensorMapSwizzleKind.SWIZZLE_128B,
    nvgpu.TensorMapL2PromoKind.L2PROMO_NONE,
    nvgpu.TensorMapOOBKind.OOB_ZERO,
    nvgpu.TensorMapInterleaveKind.INTERLEAVE_NONE,
)
d
nvgpu.TensorMapDescriptorType.get(3, 1, 1, 1, 1)


@func_d.FuncOp.from_py_func(T.index(), T.memref(8, T.f32()), T.vector(4, 2, T.f16()))
def nv(n, mm, v):
    b = nvgpu.mbarrier_create(
        Type.parse("!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>")
    )
    nvgpu.mbarrier_init(b, n, n)
    nvvm.barrier0()
    w = nvvm.read_ptx_sreg_tid_x(T.i32())
    s = nvvm.shfl_sync(T.i32(), w, w, w, w, nvvm.ShflKind.bfly)
    nvvm.cp_async_wait_group(0)
    nvvm.fence_proxy(nvvm.ProxyKind.async_)
    nvvm.InlinePtxOp([], [], [], "nanosleep.u32 1;")
    rocdl.barrier()
    x = rocdl.workitem_id_x(T.i32())
    rocdl.sched_barrier(0)
    amdgpu.lds_barrier()
    amdgpu.sched_barrier(amdgpu.sched_barrier_opt_enum.none)
    return


print(m.body.operations[len(m.body.operations) - 1])
m.operation.verify()
amdgpu.TDMBaseType.get(T.f32())
[x for x in dir(amdgpu) if "Type" in x][:10]
[x for x in dir(nvgpu) if x.endswith("Kind")]
[x for x in dir(nvvm) if x.startswith("WGMMA") or x.startswith("MMA")]
llvm.PointerType.get()
llvm.PointerType.get(3)
llvm.PointerType.get(address_space=1).address_space
llvm.StructType.get_literal([T.i32(), T.f32()])
llvm.StructType.get_identified("foo")
llvm.StructType.new_identified("foo", [T.i32()])
llvm.StructType.get_opaque("op")
s = llvm.StructType.get_literal([T.i32()], packed=True)
s
s.body
s.packed
s.name
s.opaque
s = llvm.StructType.get_identified("bar")
s.set_body([T.i32()])
s.body
s.name
s.opaque
s.set_body([T.f32()])
llvm.translate_module_to_llvmir(Module.parse("llvm.func @f() { llvm.return }").operation)
