"""Inputs that MLIR still gets wrong: each ends the process, or takes too long.

``docs/design/bytecode.md`` says why they are not refused. ``test_damaged_text.py`` reads those that
end the process, so that one which MLIR has mended is noticed.
"""

BLOCK = '"t.a"() ({{ ^bb0(%s: {}): {} }}) : () -> ()'


def within(type_, operation):
    return BLOCK.format(type_, operation)


UNRANKED = "tensor<*xf32>"

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
    "vector.from_elements": within(
        "f32", "%0 = vector.from_elements %s, %s : vector<4294967296xf32>"
    ),
}

# Attributes of `llvm` in bytecode: a text, and which byte of its bytecode, counted from the end, is
# changed to what.
FILE = '#llvm.di_file<"a" in "b">'


def subprogram(nodes):
    return (
        '"a.a"() {a = #llvm.di_subprogram<compileUnit = <id = distinct[0]<>, '
        'sourceLanguage = DW_LANG_C, file = <"a" in "b">, isOptimized = true, '
        f"emissionKind = Full>, retainedNodes = {nodes}>}} : () -> ()"
    )


BYTECODE_ENDS_THE_PROCESS = {
    "a list of debug information without an element": (
        '"a.a"() {a = #llvm.di_expression<[DW_OP_deref]>} : () -> ()',
        -43,
        21,
    ),
    "nodes of a subprogram without an element": (subprogram(FILE), -52, 25),
    "a list of debug information with 2^56 elements": (subprogram(FILE), -90, 11),
}

# LLVM 23 has the nodes in brackets, and other bytes after them.
BYTECODE_ENDS_THE_PROCESS_SINCE_23 = BYTECODE_ENDS_THE_PROCESS | {
    "nodes of a subprogram without an element": (subprogram(f"[{FILE}]"), -57, 25),
    "a list of debug information with 2^56 elements": (subprogram(f"[{FILE}]"), -95, 11),
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
