// RUN: toy-opt %s --toy-forward-fields --toy-stamp | FileCheck %s

// CHECK-LABEL: func.func @second
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: f32)
func.func @second(%a: i32, %b: f32) -> f32 {
  // CHECK: toy.make %[[A]], %[[B]] {toy.stamp = {{[0-9]+}} : i32}
  %s = toy.make %a, %b : (i32, f32) -> !toy.struct<i32, f32>
  %f = toy.get %s[1] : !toy.struct<i32, f32> -> f32
  // CHECK-NEXT: return %[[B]]
  return %f : f32
}

// CHECK-LABEL: func.func private @buffer(memref<4x!toy.struct<i32>>)
func.func private @buffer(memref<4x!toy.struct<i32>>)
