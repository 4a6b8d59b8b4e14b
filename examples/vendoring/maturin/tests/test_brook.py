import brook

SUM = """
func.func @f(%a: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.addi %a, %0 : i32
  return %1 : i32
}
"""
PLAIN = "func.func @f(%x: i32) -> i32 { return %x : i32 }"


def test_modules_that_mean_the_same_have_one_fingerprint():
    assert brook.fingerprint(SUM) == brook.fingerprint(PLAIN)
    assert brook.fingerprint(PLAIN) != brook.fingerprint(PLAIN.replace("@f", "@g"))


def test_the_private_mlir_is_brooks_own():
    assert brook.mlir.ir.Context.__module__.startswith("brook.mlir.")
    assert "arith.addi" not in brook.canonical(SUM)
