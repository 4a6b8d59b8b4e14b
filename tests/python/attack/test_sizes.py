"""Small arguments that ask for much: the cost follows the result, or there is an error."""

import pytest

# The space for everything, of which the interpreter, numpy and the library take half.
MEMORY = 3 << 30

PROGRAM = """
import sys
import numpy as np
from mlir.ir import *

wide = np.broadcast_to
with Context() as context, Location.unknown():
    context.allow_unregistered_dialects = True
    i8, i32 = IntegerType.get_signless(8), IntegerType.get_signless(32)
    d0 = AffineDimExpr.get(0)
    tensor = RankedTensorType.get([1 << 40], i32)
    splat = DenseElementsAttr.get_splat(tensor, IntegerAttr.get(i32, 7))

    def view(regions, name="t.a"):
        specification = dict(
            OPERATION_NAME=name,
            _ODS_REGIONS=(regions, True),
            _ODS_OPERAND_SEGMENTS=None,
            _ODS_RESULT_SEGMENTS=None,
        )
        return type("View", (OpView,), specification).build_generic(operands=[], results=[])

    class Long(list):
        def __len__(self):
            return 1 << 62

    try:
        result = eval(sys.argv[1])
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
    else:
        print(result)
"""

SPLAT = "dense<7> : tensor<1099511627776xi32>"
MISFIT = "ValueError: DenseElementsAttr could not be constructed"
RESULTS = {
    # An element that stands at all places.
    "DenseElementsAttr.get(wide(np.int32(7), (1 << 40,)))": SPLAT,
    "DenseElementsAttr.get(wide(np.int32(7), (1 << 40,)), type=tensor)": SPLAT,
    "DenseElementsAttr.get(wide(np.int32(7), (1 << 40,)), type=tensor) is splat": "True",
    "DenseElementsAttr.get(wide(np.bool_(True), (1 << 40,)))": (
        "dense<true> : tensor<1099511627776xi1>"
    ),
    "DenseElementsAttr.get(wide(np.int32(7), (1 << 40,)), shape=[1 << 20, 1 << 19])": MISFIT,
    "DenseElementsAttr.get(wide(np.int32(7), (1 << 40,)), type=RankedTensorType.get([2], i32))": (
        MISFIT
    ),
    "DenseElementsAttr.get(wide(np.int8(7), (4,)), type=RankedTensorType.get([1], i32))": (
        "dense<117901063> : tensor<1xi32>"
    ),
    "DenseElementsAttr.get(wide(np.int32(7), (2, 1, 3)))": "dense<7> : tensor<2x1x3xi32>",
    # Elements that repeat, and such that lie backwards or apart.
    "DenseElementsAttr.get(wide(np.arange(2, dtype=np.int32), (1 << 40, 2)))": "MemoryError",
    "DenseElementsAttr.get(wide(np.array([True, False]), (1 << 40, 2)))": "MemoryError",
    "DenseElementsAttr.get(wide(np.arange(2, dtype=np.int32), (2, 2)))": (
        "dense<[[0, 1], [0, 1]]> : tensor<2x2xi32>"
    ),
    "DenseElementsAttr.get(wide(np.arange(2, dtype=np.int32)[:, None], (2, 2)))": (
        "dense<[[0, 0], [1, 1]]> : tensor<2x2xi32>"
    ),
    "DenseElementsAttr.get(np.arange(4, dtype=np.int32)[::-2])": "dense<[3, 1]> : tensor<2xi32>",
    "DenseElementsAttr.get(np.arange(8, dtype=np.int32).reshape(2, 4)[:, 1:3])": (
        "dense<[[1, 2], [5, 6]]> : tensor<2x2xi32>"
    ),
    "OpaqueAttr.get('t', wide(np.int8(7), (1 << 40,)), i32)": "MemoryError",
    # Numbers of parts.
    "view(2**31)": "ValueError: Operation creation failed: `t.a` cannot have 2147483648 regions",
    "view(65536)": "ValueError: Operation creation failed: `t.a` cannot have 65536 regions",
    "len(view(65535).regions)": "65535",
    "Operation.create('t.a', regions=2**31)": "ValueError: Operation creation failed: `t.a` cannot",
    "len(str(view(0, 't.' + 'a' * 100_000)))": "100018",
    "AffineMap.get(2**31, 0, [])": "ValueError: the number of dimensions must be from 0 to 65535",
    "AffineMap.get(0, 65536, [])": "ValueError: the number of symbols must be from 0 to 65535",
    "AffineMap.get_identity(2**31 - 1)": "ValueError: the number of dimensions must be",
    "AffineMap.get_minor_identity(2**30, 1)": "ValueError: the number of dimensions must be",
    "IntegerSet.get(2**30, 0, [d0], [True])": "ValueError: the number of dimensions must be",
    "IntegerSet.get_empty(2**30, 0)": "ValueError: the number of dimensions must be",
    "AffineExpr.simplify_affine_expr(d0, 2**31, 0)": "ValueError: the number of dimensions must be",
    "d0.shift_dims(2**31, 1)": "ValueError: the number of dimensions must be",
    "d0.shift_symbols(2**31, 1)": "ValueError: the number of symbols must be",
    # A length that is wrong.
    "TupleType.get_tuple(Long([i32]))": "tuple<i32>",
    "ArrayAttr.get(Long([]))": "[]",
    "DenseI32ArrayAttr.get(Long([1]))": "array<i32: 1>",
    "AffineMap.get(1, 0, Long([d0]))": "(d0) -> (d0)",
    # Reading a splat.
    "splat[1 << 39]": "7",
    "7 in splat, 5 in splat, None in splat": "(True, False, False)",
    "7.5 in DenseElementsAttr.get(np.array([1.5, 7.5]))": "True",
    "7 in DenseElementsAttr.get(np.arange(7))": "False",
    "list(splat)": "MemoryError",
    "tuple(splat)": "MemoryError",
    "np.asarray(splat).shape": "(1099511627776,)",
    "np.array(splat)": "MemoryError",
    "bytes(memoryview(splat))": "MemoryError",
}


@pytest.mark.parametrize("expression", RESULTS)
def test_the_cost_follows_the_result(attack, expression):
    environment = {"OPENBLAS_NUM_THREADS": "1"}
    outcome = attack(PROGRAM, expression, seconds=20, memory=MEMORY, environment=environment)
    assert outcome.status == 0, outcome.errors
    assert outcome.output.startswith(RESULTS[expression])
