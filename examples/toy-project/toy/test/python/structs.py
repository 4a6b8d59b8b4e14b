# RUN: %PYTHON %s | FileCheck %s
"""Structs, as the project's users write them: by its own package."""

from toy.dialects import func, tick, toy
from toy.ir import Context, F32Type, InsertionPoint, IntegerType, Location, MemRefType, Module
from toy.passmanager import PassManager
from toy.toybox import pair

with Context(), Location.unknown():
    i32, f32 = IntegerType.get_signless(32), F32Type.get()
    kind = toy.StructType.get([i32, f32])
    # CHECK: !toy.struct<i32, f32> 2
    print(kind, len(kind.fields))
    # The element type of a memref implements an interface of MLIR's.
    # CHECK: memref<4x!toy.struct<i32, f32>>
    print(MemRefType.get([4], kind))

    module = Module.create()
    with InsertionPoint(module.body):

        @func.FuncOp.from_py_func(i32, f32)
        def second(first, other):
            struct = pair(first, other)
            assert toy.count_parts(struct.owner) == 2
            toy.paint(struct, toy.Color.Green)
            tick.NowOp(IntegerType.get_signless(64))
            return toy.get(f32, struct, 1)

    # CHECK: func.func @second(%[[A:.*]]: i32, %[[B:.*]]: f32) -> f32
    # CHECK: toy.paint %{{.*}} green
    # CHECK: tick.now : i64
    # CHECK: return %[[B]]
    PassManager.parse("builtin.module(toy-forward-fields,toy-stamp)").run(module.operation)
    print(module)
