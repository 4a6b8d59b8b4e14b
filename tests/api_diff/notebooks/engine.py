"""ExecutionEngine with ctypes, numpy and callbacks."""

import ctypes

import numpy as np
from mlir.execution_engine import *
from mlir.ir import *
from mlir.passmanager import PassManager
from mlir.runtime import *


def lower(m):
    pm = PassManager.parse(
        "builtin.module(convert-scf-to-cf,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
    )
    pm.run(m.operation)
    return m


with Context():
    m = Module.parse(
        "\n    func.func @add(%a: i32, %b: i32) -> i32 attributes {llvm.emit_c_interface} {\n      %0 = arith.addi %a, %b : i32\n      return %0 : i32\n    }\n    func.func @scale(%m: memref<?x?xf32>, %s: f32) attributes {llvm.emit_c_interface} {\n      %c0 = arith.constant 0 : index\n      %c1 = arith.constant 1 : index\n      %d0 = memref.dim %m, %c0 : memref<?x?xf32>\n      %d1 = memref.dim %m, %c1 : memref<?x?xf32>\n      scf.for %i = %c0 to %d0 step %c1 {\n        scf.for %j = %c0 to %d1 step %c1 {\n          %v = memref.load %m[%i, %j] : memref<?x?xf32>\n          %w = arith.mulf %v, %s : f32\n          memref.store %w, %m[%i, %j] : memref<?x?xf32>\n        }\n      }\n      return\n    }\n    func.func private @cb(i32) attributes {llvm.emit_c_interface}\n    func.func @call(%a: i32) attributes {llvm.emit_c_interface} {\n      func.call @cb(%a) : (i32) -> ()\n      return\n    }\n    func.func @mk() -> memref<2x3xf32> attributes {llvm.emit_c_interface} {\n      %m = memref.alloc() : memref<2x3xf32>\n      %c0 = arith.constant 0 : index\n      %f = arith.constant 4.5 : f32\n      %c1 = arith.constant 1 : index\n      %c2 = arith.constant 2 : index\n      %c3 = arith.constant 3 : index\n      scf.for %i = %c0 to %c2 step %c1 { scf.for %j = %c0 to %c3 step %c1 { memref.store %f, %m[%i, %j] : memref<2x3xf32> } }\n      return %m : memref<2x3xf32>\n    }\n    "
    )
    ee = ExecutionEngine(lower(m), opt_level=2)
    r = (ctypes.c_int32 * 1)(-1)
    ee.invoke("add", (ctypes.c_int32 * 1)(3), (ctypes.c_int32 * 1)(4), r)
    print(r[0])
    for args in [("nope",), ("add", 3)]:
        try:
            ee.invoke(*args)
        except Exception as e:
            print(type(e).__name__, str(e).split("\n")[0])
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    d = get_ranked_memref_descriptor(a)
    ee.invoke("scale", ctypes.pointer(ctypes.pointer(d)), (ctypes.c_float * 1)(2.0))
    print(a)
    s = a[:, ::2]
    d = get_ranked_memref_descriptor(s)
    print(type(d).__name__, d.offset, list(d.shape), list(d.strides))
    ee.invoke("scale", ctypes.pointer(ctypes.pointer(d)), (ctypes.c_float * 1)(10.0))
    print(a)
    seen = []

    @ctypes.CFUNCTYPE(None, ctypes.c_int)
    def cb(x):
        seen.append(x)

    ee.register_runtime("cb", cb)
    ee.invoke("call", (ctypes.c_int32 * 1)(42))
    print(seen)
    out = make_nd_memref_descriptor(2, ctypes.c_float)()
    ee.invoke("mk", ctypes.pointer(ctypes.pointer(out)))
    print(ranked_memref_to_numpy(ctypes.pointer(out)))
    u = get_unranked_memref_descriptor(a)
    print(type(u).__name__, u.rank, unranked_memref_to_numpy(ctypes.pointer(u), np.float32))
    z = np.array(3.5, dtype=np.float32)
    d0 = get_ranked_memref_descriptor(z)
    for dt in ["int8", "int64", "float16", "complex64", "complex128", "bool"]:
        x = np.ones((2, 2), dtype=dt)
        dd = get_ranked_memref_descriptor(x)
        y = ranked_memref_to_numpy(ctypes.pointer(dd))
        print(dt, y.dtype, y.tolist())
    for c in [np.float32, np.dtype("float64"), np.complex64, np.float16]:
        print(as_ctype(np.dtype(c)))
    print(
        ee.lookup("add") is not None,
        bool(ee.raw_lookup("nothing")),
        type(ee.raw_lookup("add")).__name__,
    )
    try:
        ExecutionEngine(Module.parse("func.func @f() { return }"))
    except Exception as e:
        print(type(e).__name__, e)
    try:
        ExecutionEngine(m, opt_level="x")
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
