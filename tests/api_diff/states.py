"""Objects in the states that an object of a class can be in, one expression for each.

Beside :data:`.instances.QUESTIONS` each is asked for its members, and its methods are called
without arguments. The names are those of :func:`.instances.scope`.
"""

from __future__ import annotations

from collections.abc import Iterator

# Of the second module: a function whose blocks branch, an operation with an empty region, and one
# with an empty block.
_MODULE = "states"
_BLOCKS = f"{_MODULE}[0].regions[0].blocks"
_LOOSE = "ir.Operation.create('a.b', results=[i32] * 2, regions=1, ip=False)"
_FILE = "ir.Location.file('a', 1, 2)"

_LOCATIONS = [
    "loc",
    "ir.Location.name('n')",
    f"ir.Location.name('n', {_FILE})",
    f"ir.Location.callsite({_FILE}, [{_FILE}, loc])",
    f"ir.Location.fused([{_FILE}, loc])",
    f"ir.Location.fused([{_FILE}], attr)",
    "ir.Location.fused([])",
    _FILE,
    "ir.Location.file('a', 1, 2, 3, 4)",
]
_STRUCTURE = [
    f"{_MODULE}[1].regions[0]",
    f"{_MODULE}[2].regions[0].blocks[0]",
    f"{_BLOCKS}[0]",
    f"{_BLOCKS}[1]",
    f"ir.Block.create_at_start({_LOOSE}.regions[0], [i32])",
    _LOOSE,
    f"{_LOOSE}.results",
    f"{_LOOSE}.results[0]",
    f"{_MODULE}[1]",
    "module.operation",
    f"{_MODULE}[1].regions[0].blocks",
    f"{_MODULE}[1].regions",
    "f.results",
    "f.operands",
    f"{_BLOCKS}[0].operations[0].successors",
    "f.operation.successors",
    f"{_MODULE}[1].attributes",
    f"{_MODULE}[2].attributes",
    f"{_BLOCKS}[1].arguments",
    f"{_BLOCKS}[1].predecessors",
    f"{_BLOCKS}[0].predecessors",
    f"{_MODULE}[2].regions[0].blocks[0].arguments[0]",
    "ir.InsertionPoint(f)",
    "ir.InsertionPoint.after(f)",
    "ir.InsertionPoint.at_block_begin(block)",
    "ir.InsertionPoint.at_block_terminator(block)",
    "iter(f.regions)",
    "iter(f.regions[0])",
    "iter(block)",
    "iter(ir.ArrayAttr.get([attr]))",
    "iter(ir.DenseI8ArrayAttr.get([1]))",
]
_TYPES = [
    "tensor<*xf32>",
    "tensor<?x2xf32>",
    "tensor<f32>",
    "tensor<2xf32, 3 : i32>",
    "memref<*xf32, 3>",
    "memref<?x2xf32, strided<[?, ?], offset: ?>, 1>",
    "memref<2x2xf32, affine_map<(d0, d1) -> (d1, d0)>>",
    "vector<[4]x2xf32>",
    "vector<f32>",
    "tuple<>",
    "() -> ()",
    "si7",
    "ui7",
    "f80",
    "f128",
    "!async.token",
    '!llvm.struct<"a", (i32)>',
    '!llvm.struct<"b", opaque>',
    "!llvm.struct<packed (i8)>",
    "!llvm.ptr",
    "!quant.uniform<u8:f32, 0.5>",
    "!pdl.range<type>",
]
_ATTRIBUTES = [
    "[]",
    "{}",
    "{a = 1 : i32, b}",
    '""',
    "@a::@b",
    "true",
    "-1 : index",
    "-1 : si8",
    "255 : ui8",
    "-9223372036854775808 : i64",
    "1 : i65",
    "1.0 : f16",
    "1.0 : bf16",
    "1.0 : f80",
    "1.0 : f128",
    "0x7FC00000 : f32",
    "unit",
    "dense<> : tensor<0xf32>",
    "dense<1> : tensor<3xi8>",
    "dense<1.0> : tensor<2xf64>",
    "dense<[true, false]> : tensor<2xi1>",
    "array<i8>",
    "array<i1: true>",
    "strided<[?, 2], offset: ?>",
    'loc("a":1:2)',
]
_AFFINE = [
    "ir.AffineExpr.get_constant(-3)",
    "d0 % 2",
    "ir.AffineExpr.get_floor_div(d0, 2)",
    "ir.AffineMap.get_empty()",
    "ir.AffineMap.get_permutation([1, 0])",
    "ir.AffineMap.get_constant(3)",
    "ir.IntegerSet.get_empty(0, 0)",
]
STATES = [
    *_LOCATIONS,
    *_STRUCTURE,
    *(f"ir.Type.parse({text!r})" for text in _TYPES),
    *(f"ir.Attribute.parse({text!r})" for text in _ATTRIBUTES),
    *_AFFINE,
]

_QUESTIONS = [
    "list(it[::-1])",
    "list(reversed(it))",
    "[str(one) for one in it]",
    "next(iter(it))",
    "int(it)",
    "float(it)",
    "sorted(map(str, it))",
    "-it",
    "it - it",
    "2 - it",
]


def questions(expression: str) -> Iterator[str]:
    """The probes of one state beside those of any object."""
    for question in _QUESTIONS:
        yield f"(lambda it: {question})({expression})"
