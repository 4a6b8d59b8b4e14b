"""An interpreter of arith, in Python, for functions that are lowered to it.

Integers are held as they are without a sign, floats as Python's. What arith leaves open (a float
that is out of an integer's range, a shift by the width) is an error: the lowering must not do it.
"""

import math
import operator
import struct
from fractions import Fraction

from fxp.exact import Format, nearest_float

SIGNED = {"slt": "lt", "sle": "le", "sgt": "gt", "sge": "ge"}
UNSIGNED = {"ult": "lt", "ule": "le", "ugt": "gt", "uge": "ge", "eq": "eq", "ne": "ne"}
INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = {1: "eq", 2: "gt", 3: "ge", 4: "lt", 5: "le"}

INTEGERS = {
    "arith.addi": operator.add,
    "arith.subi": operator.sub,
    "arith.muli": operator.mul,
    "arith.andi": operator.and_,
    "arith.ori": operator.or_,
}
FLOATS = {"arith.mulf": operator.mul, "arith.subf": operator.sub}


def call(module, *arguments):
    """The results of the module's function."""
    block = module.body.operations[0].regions[0].blocks[0]
    values = dict(zip(block.arguments, arguments, strict=True))
    for op in block.operations:
        operands = [values[operand] for operand in op.operands]
        if op.operation.name == "func.return":
            return operands[0]
        values[op.result] = step(op, operands)
    raise AssertionError("the function does not return")


def signed(value, width):
    return Format(width, 0, True).raw(value)


def exactly(kind, function, *values):
    """One rounding of the exact result."""
    if not all(math.isfinite(value) for value in values):
        return function(*values)
    return nearest_float(function(*map(Fraction, values)), kind)


def step(op, operands):
    """The result of one operation."""
    name, kind = op.operation.name, str(op.result.type)
    source = str(op.operands[0].type) if operands else kind
    if kind.startswith("i"):
        value = integer(op, name, int(kind[1:]), source, operands)
        return value & ((1 << int(kind[1:])) - 1)
    return floating(op, name, kind, source, operands)


def integer(op, name, width, source, operands):
    """An integer, of which the low bits count."""
    if name in INTEGERS:
        return INTEGERS[name](*operands)
    if name in ("arith.shli", "arith.shrsi"):
        value, count = operands
        assert count < width, "a shift by the width is poison"
        return value << count if name == "arith.shli" else signed(value, width) >> count
    match name:
        case "arith.constant":
            return op.operation.attributes["value"].value
        case "arith.select":
            return operands[1] if operands[0] else operands[2]
        case "arith.extui" | "arith.trunci":
            return operands[0]
        case "arith.extsi":
            return signed(operands[0], int(source[1:]))
        case "arith.maxsi":
            return max(signed(value, width) for value in operands)
        case "arith.minsi":
            return min(signed(value, width) for value in operands)
        case "arith.cmpi":
            asked = INTEGER_PREDICATES[op.operation.attributes["predicate"].value]
            if asked in SIGNED:
                operands = [signed(value, int(source[1:])) for value in operands]
            return getattr(operator, SIGNED.get(asked) or UNSIGNED[asked])(*operands)
        case "arith.cmpf":
            asked = FLOAT_PREDICATES[op.operation.attributes["predicate"].value]
            return getattr(operator, asked)(*operands)
        case "arith.fptoui":
            assert 0 <= math.trunc(operands[0]) < 1 << width, "out of range is poison"
            return math.trunc(operands[0])
    raise NotImplementedError(name)


def floating(op, name, kind, source, operands):
    """A float of a type."""
    if name in FLOATS:
        return exactly(kind, FLOATS[name], *operands)
    match name:
        case "arith.constant":
            return op.operation.attributes["value"].value
        case "arith.select":
            return operands[1] if operands[0] else operands[2]
        case "arith.negf":
            return -operands[0]
        case "arith.extf":
            return operands[0]
        case "arith.truncf":
            return exactly(kind, operator.pos, *operands)
        case "arith.sitofp":
            return nearest_float(Fraction(signed(operands[0], int(source[1:]))), kind)
        case "arith.uitofp":
            return nearest_float(Fraction(operands[0]), kind)
    raise NotImplementedError(name)


def bits(value, kind):
    """The float as MLIR's text has any float: its bits."""
    sign = math.copysign(1.0, value) < 0
    if kind == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    if kind == "f16":
        return struct.unpack("<H", struct.pack("<e", value))[0]
    whole = struct.unpack("<I", struct.pack("<f", value))[0]
    assert sign == bool(whole >> 31)
    return whole >> 16 if kind == "bf16" else whole
