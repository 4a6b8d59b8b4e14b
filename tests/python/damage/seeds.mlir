func.func @f(%a: i32, %b: memref<4x?xf32>) -> i32 {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %0, %0 : i32
  "test.branch"(%1)[^next] : (i32) -> ()
^next:
  return %1 : i32
}
// -----
module @m attributes {t.a = [1, 2.5 : f32, "s", unit, @f, @f::@g], t.b = {x = i32, y = #t.o<abc>}} {
  func.func private @f(tuple<i1, (f64) -> index>, vector<[4]x2xf16>, complex<f32>) -> (none, tensor<*xi8>)
  func.func @g(%a: index, %b: tensor<?x3xf32>) -> index attributes {t.c = affine_map<(d0)[s0] -> (d0 + s0)>} {
    %x:2 = "t.two"(%a) ({
    ^bb0(%y: i64, %z: f128):
      %w = arith.cmpi slt, %y, %y : i64 loc(fused["n"("file":1:2), callsite("c" at unknown)])
      "t.end"(%w, %z) : (i1, f128) -> ()
    }, {
    }) {t.d = dense<"0x0102"> : tensor<2xi8>, t.e = array<i64: 1, -2>, t.f = sparse<0, 1> : tensor<3xi4>}
      : (index) -> (index, i1024)
    return %x#0 : index
  }
}
// -----
module {
  "t.outer"() <{p = 1 : si8, q = strided<[1, ?], offset: 3>}> ({
    %0 = "t.def"() {a = dense_resource<r> : tensor<1xi32>} : () -> memref<2xi8, affine_map<(d0) -> (d0)>, 3>
    "t.stop"()[^a, ^b] : () -> ()
  ^a:
    "t.use"(%0, %0) : (memref<2xi8, affine_map<(d0) -> (d0)>, 3>, memref<2xi8, affine_map<(d0) -> (d0)>, 3>) -> ()
    "t.stop"()[^b] : () -> ()
  ^b:
    "t.stop"() : () -> ()
  }) : () -> ()
  "t.use"(%1, %1, %1) : (i8, i8, i8) -> ()
  %1 = "t.def"() {b = affine_set<(d0) : (d0 - 1 >= 0, d0 == 0)>} : () -> i8
}
{-#
  dialect_resources: {builtin: {r: "0x0400000001000000"}},
  external_resources: {x: {a: true, b: "text"}}
#-}
