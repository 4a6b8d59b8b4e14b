"""Inputs that MLIR still gets wrong: each ends the process, or takes too long.

``docs/design/bytecode.md`` says why they are not refused. ``test_damaged_text.py`` reads those that
end the process, so that one which MLIR has mended is noticed.
"""

BLOCK = '"t.a"() ({{ ^bb0(%s: {}): {} }}) : () -> ()'


def within(type_, operation):
    return BLOCK.format(type_, operation)


TENSOR, UNRANKED = "tensor<4xf32>", "tensor<*xf32>"

# Parsers of dialects that cast what they have just read.
ENDS_THE_PROCESS = {
    "complex.number": '"t.a"() {a = #complex.number<:i32 1.0, 2.0>} : () -> ()',
    "affine floordiv": '"t.a"() {a = affine_map<(d0) -> '
    "((d0 * (-9223372036854775807 - 1)) floordiv -1)>} : () -> ()",
    "linalg.elementwise": within(
        UNRANKED,
        "%0 = linalg.elementwise kind = #linalg.elementwise_kind<exp> "
        f"ins(%s : {UNRANKED}) outs(%s : {UNRANKED}) -> {UNRANKED}",
    ),
    "linalg.reduce": "linalg.reduce { arith.addf } dimensions = [0]",
    "linalg.map": within("i32", "%0 = linalg.map { arith.addf } ins(%s : i32) outs(%s : i32)"),
    "llvm.extractvalue": within(
        "!llvm.struct<(i32)>", "%0 = llvm.extractvalue %s[4294967296] : !llvm.struct<(i32)>"
    ),
    "tensor.expand_shape": within(
        TENSOR, f"%0 = tensor.expand_shape %s [[]] output_shape [4] : {TENSOR} into {TENSOR}"
    ),
    "vector.from_elements": within(
        "f32", "%0 = vector.from_elements %s, %s : vector<4294967296xf32>"
    ),
}


# Verifiers and printers that take their operands for those of a sound operation. The differential
# runs found them, and no row of the premises asks about them. Upstream's package crashes, too.
VERIFIER_ENDS_THE_PROCESS = {
    # The result is cast to a shaped type, because the condition is one.
    "arith.select": '%0:2 = "t.v"() : () -> (vector<4xi1>, complex<f32>)\n'
    '%1 = "arith.select"(%0#0, %0#1, %0#1) : (vector<4xi1>, complex<f32>, complex<f32>) '
    "-> complex<f32>",
    # An operation in it that is not registered has no dialect.
    "smt.exists": '"smt.exists"() ({\n^a(%x: !smt.int):\n%0 = "t.v"() : () -> !smt.bool\n'
    '"smt.yield"(%0) : (!smt.bool) -> ()\n}, {\n^b(%x: !smt.int):\n%1 = "t.v"() : () -> f32\n'
    '"smt.yield"(%1) : (f32) -> ()\n}) : () -> !smt.bool',
    # The operation around it is not registered, and has no dialect.
    "omp.teams": '"t.a"() ({\n%0 = "t.v"() : () -> memref<i32>\n"omp.teams"(%0, %0) ({}) '
    "{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0>} "
    ": (memref<i32>, memref<i32>) -> ()\n}) : () -> ()",
    # Its first operand is asked for, and there are none.
    "linalg.log": '"linalg.log"() ({}) : () -> ()',
    # The type of the memory has no address space.
    "xegpu.create_mem_desc": '%0 = "t.v"() : () -> memref<2x3xi32>\n'
    '%1 = "xegpu.create_mem_desc"(%0) : (memref<2x3xi32>) -> !xegpu.mem_desc<32x32xf32>',
    # Any shaped type is taken for a vector.
    "llvm.atomicrmw": '%0:2 = "t.v"() : () -> (!llvm.ptr, tensor<4xi8>)\n'
    '%1 = "llvm.atomicrmw"(%0#0, %0#1) {bin_op = 1 : i64, ordering = 2 : i64} '
    ": (!llvm.ptr, tensor<4xi8>) -> i32",
    # The printer reads the scalable sizes, which may be missing.
    "transform.structured.vectorize": '%0 = "t.v"() : () -> !transform.any_op\n'
    '"transform.structured.vectorize"(%0, %0) : (!transform.any_op, !transform.any_op) -> ()',
}

# Attributes of `llvm` in bytecode: a text, and which byte of its bytecode, counted from the end, is
# changed to what.
FILE = '#llvm.di_file<"a" in "b">'
SUBPROGRAM = (
    '"a.a"() {a = #llvm.di_subprogram<compileUnit = <id = distinct[0]<>, '
    'sourceLanguage = DW_LANG_C, file = <"a" in "b">, isOptimized = true, emissionKind = Full>, '
    f"retainedNodes = {FILE}>}} : () -> ()"
)
BYTECODE_ENDS_THE_PROCESS = {
    "a list of debug information without an element": (
        '"a.a"() {a = #llvm.di_expression<[DW_OP_deref]>} : () -> ()',
        -43,
        21,
    ),
    "nodes of a subprogram without an element": (SUBPROGRAM, -52, 25),
    "a list of debug information with 2^56 elements": (SUBPROGRAM, -90, 11),
}


def doubled(levels):
    """Each alias has the one before it twice: printed, it has 2^levels elements."""
    lines = ["#a0 = unit", *(f"#a{n} = [#a{n - 1}, #a{n - 1}]" for n in range(1, levels))]
    return "\n".join([*lines, f'"t.a"() {{a = #a{levels - 1}}} : () -> ()'])


TAKES_LONG = {
    "aliases that double": doubled(60),
    "wide integers": '"t.a"() {a = dense<'
    f"{list(range(200))}> : tensor<200xi16777215>}} : () -> ()",
    "dimensions": f'"t.a"() : () -> memref<{"2x" * 200_000}i8>',
}
