"""Numbers in the operations of MLIR's own dialects, before the lowering and after."""

NUM = "!fxp.num<16, 8, signed>"
PASS = "convert-fxp-to-arith"


def test_memory_and_control_flow(ctx, parse, run):
    module = parse(f"""
    memref.global "private" @taps : memref<4x{NUM}>
    func.func @f(%p: memref<?x{NUM}>, %n: index, %c: i1) -> {NUM} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = fxp.constant 0 : {NUM}
      %taps = memref.get_global @taps : memref<4x{NUM}>
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> ({NUM}) {{
        %x = memref.load %p[%i] : memref<?x{NUM}>
        %k = memref.load %taps[%c0] : memref<4x{NUM}>
        %y = fxp.mul %x, %k rounding<nearest_even> overflow<saturate> : {NUM}
        %t = fxp.add %s, %y overflow<saturate> : {NUM}
        scf.yield %t : {NUM}
      }}
      %local = memref.alloca() : memref<{NUM}>
      memref.store %sum, %local[] : memref<{NUM}>
      cf.cond_br %c, ^end(%sum : {NUM}), ^end(%zero : {NUM})
    ^end(%r: {NUM}):
      return %r : {NUM}
    }}""")
    text = str(run(module, PASS))
    assert "fxp" not in text
    assert "memref.load %arg0[%arg3] : memref<?xi16>" in text
    assert 'memref.global "private" @taps : memref<4xi16>' in text
    assert "iter_args(%arg4 = %c0_i16) -> (i16)" in text
    assert "^bb1(%2: i16)" in text


def test_tensors_by_way_of_linalg(ctx, parse, run):
    """Operations on tensors are elementwise, and so linalg takes those of dynamic shape apart."""
    module = parse(f"""
    func.func @f(%x: tensor<?x{NUM}>) -> tensor<?x{NUM}> {{
      %0 = fxp.mul %x, %x overflow<saturate> : tensor<?x{NUM}>
      return %0 : tensor<?x{NUM}>
    }}""")
    run(module, "convert-elementwise-to-linalg", PASS)
    text = str(module)
    assert "fxp" not in text
    assert "linalg.generic" in text
    assert "arith.muli" in text
    assert "tensor<?xi16>" in text


def test_vectors(ctx, parse, run):
    module = parse(f"""
    func.func @f(%p: memref<8x{NUM}>, %i: index) -> {NUM} {{
      %v = vector.load %p[%i] : memref<8x{NUM}>, vector<4x{NUM}>
      %w = fxp.add %v, %v overflow<saturate> : vector<4x{NUM}>
      %x = vector.extract %w[0] : {NUM} from vector<4x{NUM}>
      return %x : {NUM}
    }}""")
    text = str(run(module, PASS))
    assert "fxp" not in text
    assert "vector.load %arg0[%arg1] : memref<8xi16>, vector<4xi16>" in text
