"""The objects that probes ask, one expression for each class, and the arguments of methods.

An expression is evaluated anew for each probe, in the scope that :func:`scope` makes, inside of a
context, a location and an insertion point.
"""

from __future__ import annotations

import importlib
from typing import Any

SOURCE = """
func.func @f(%a: i32, %b: memref<4x?xf32>) -> i32 attributes {k = 1 : i32} {
  %0 = arith.constant 7 : i32
  %1 = arith.addi %a, %0 : i32
  cf.br ^bb1(%1 : i32)
^bb1(%2: i32):
  return %2 : i32
}
"""
# For `states.py`.
STATES_SOURCE = """
func.func @f(%c: i1, %a: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  return %a : i32
^b:
  cf.br ^a
}
"x.y"() ({}) : () -> ()
"x.z"() ({
^bb0(%q: i32):
}) {k = "v"} : () -> ()
"""


def scope(root: str) -> dict[str, Any]:
    """The names that expressions use, and the objects that they are made of."""
    names: dict[str, Any] = {
        name: importlib.import_module(f"{root}.{name}") for name in ("ir", "passmanager", "rewrite")
    }
    for name in ("func", "arith", "cf"):
        names[name] = importlib.import_module(f"{root}.dialects.{name}")
    # The modules of the other dialects are imported by the probes that use them.
    names["dialect"] = lambda name: importlib.import_module(f"{root}.dialects.{name}")
    ir = names["ir"]
    context = ir.Context()
    context.allow_unregistered_dialects = True
    names["ctx"] = context
    with context:
        module = ir.Module.parse(SOURCE)
        states = ir.Module.parse(STATES_SOURCE)
        function = module.body.operations[0]
        entry = function.regions[0].blocks[0]
        names |= {
            "module": module,
            "states_module": states,
            "states": states.body.operations,
            "f": function,
            "op": entry.operations[1].operation,
            "block": entry,
            "last": function.regions[0].blocks[1],
            "value": entry.operations[0].results[0],
            "i32": ir.Type.parse("i32"),
            "f32": ir.Type.parse("f32"),
            "index": ir.Type.parse("index"),
            "attr": ir.Attribute.parse("7 : i32"),
            "text": ir.Attribute.parse('"x"'),
            "loc": ir.Location.unknown(),
            "d0": ir.AffineExpr.get_dim(0),
            "s0": ir.AffineExpr.get_symbol(0),
        }
    return names


# Classes by module and name; all are looked up below the root.
_FLOATS = (
    ("BF16", "F16", "F32", "F64", "FloatTF32", "Float8E4M3", "Float8E4M3B11FNUZ", "Float8E4M3FN")
    + ("Float8E4M3FNUZ", "Float8E5M2", "Float8E5M2FNUZ", "Float8E3M4", "Float8E8M0FNU")
    + ("Float4E2M1FN", "Float6E2M3FN", "Float6E3M2FN")
)
INSTANCES: dict[str, str] = {
    **{f"ir.{name}Type": f"ir.{name}Type.get()" for name in _FLOATS},
    "ir.Type": "ir.Type.parse('!x.y')",
    "ir.IntegerType": "ir.IntegerType.get_signless(32)",
    "ir.IndexType": "ir.IndexType.get()",
    "ir.NoneType": "ir.NoneType.get()",
    "ir.ComplexType": "ir.ComplexType.get(f32)",
    "ir.FunctionType": "ir.FunctionType.get([i32, f32], [i32])",
    "ir.TupleType": "ir.TupleType.get_tuple([i32, f32])",
    "ir.OpaqueType": "ir.OpaqueType.get('x', 'y')",
    "ir.VectorType": "ir.VectorType.get([2, 3], f32)",
    "ir.RankedTensorType": "ir.RankedTensorType.get([2, 3], f32)",
    "ir.UnrankedTensorType": "ir.UnrankedTensorType.get(f32)",
    "ir.MemRefType": "ir.MemRefType.get([2, 3], f32)",
    "ir.UnrankedMemRefType": "ir.UnrankedMemRefType.get(f32, None)",
    "ir.ShapedType": "ir.ShapedType(ir.VectorType.get([2, 3], f32))",
    "ir.Attribute": "ir.Attribute.parse('#x.y')",
    "ir.NamedAttribute": "f.attributes[0]",
    "ir.AffineMapAttr": "ir.AffineMapAttr.get(ir.AffineMap.get_identity(2))",
    "ir.IntegerSetAttr": "ir.IntegerSetAttr.get(ir.IntegerSet.get_empty(1, 0))",
    "ir.ArrayAttr": "ir.ArrayAttr.get([attr, text])",
    "ir.BoolAttr": "ir.BoolAttr.get(True)",
    "ir.DictAttr": "ir.DictAttr.get({'a': attr})",
    "ir.FloatAttr": "ir.FloatAttr.get_f32(2.0)",
    "ir.IntegerAttr": "ir.IntegerAttr.get(i32, 7)",
    "ir.StringAttr": "ir.StringAttr.get('x')",
    "ir.SymbolRefAttr": "ir.SymbolRefAttr.get(['a', 'b'])",
    "ir.FlatSymbolRefAttr": "ir.FlatSymbolRefAttr.get('a')",
    "ir.OpaqueAttr": "ir.OpaqueAttr.get('x', b'y', i32)",
    "ir.TypeAttr": "ir.TypeAttr.get(i32)",
    "ir.UnitAttr": "ir.UnitAttr.get()",
    "ir.StridedLayoutAttr": "ir.StridedLayoutAttr.get(1, [2, 3])",
    "ir.DenseBoolArrayAttr": "ir.DenseBoolArrayAttr.get([True, False])",
    **{f"ir.DenseI{n}ArrayAttr": f"ir.DenseI{n}ArrayAttr.get([1, 2])" for n in (8, 16, 32, 64)},
    **{f"ir.DenseF{n}ArrayAttr": f"ir.DenseF{n}ArrayAttr.get([1.0, 2.0])" for n in (32, 64)},
    "ir.DenseElementsAttr": "ir.Attribute.parse('dense<[1, 2]> : tensor<2xi32>')",
    "ir.DenseIntElementsAttr": "ir.Attribute.parse('dense<[1, 2]> : tensor<2xi32>')",
    "ir.DenseFPElementsAttr": "ir.Attribute.parse('dense<[1.0, 2.0]> : tensor<2xf32>')",
    "ir.AffineExpr": "d0 + s0",
    "ir.AffineConstantExpr": "ir.AffineConstantExpr.get(3)",
    "ir.AffineDimExpr": "ir.AffineDimExpr.get(1)",
    "ir.AffineSymbolExpr": "ir.AffineSymbolExpr.get(1)",
    "ir.AffineAddExpr": "ir.AffineAddExpr.get(d0, s0)",
    "ir.AffineMulExpr": "ir.AffineMulExpr.get(d0, 2)",
    "ir.AffineModExpr": "ir.AffineModExpr.get(d0, 2)",
    "ir.AffineFloorDivExpr": "ir.AffineFloorDivExpr.get(d0, 2)",
    "ir.AffineCeilDivExpr": "ir.AffineCeilDivExpr.get(d0, 2)",
    "ir.AffineMap": "ir.AffineMap.get(2, 1, [d0 + s0, d0])",
    "ir.AffineExprList": "ir.AffineMap.get(2, 1, [d0 + s0, d0]).results",
    "ir.IntegerSet": "ir.IntegerSet.get(1, 1, [d0 - s0], [True])",
    "ir.IntegerSetConstraint": "ir.IntegerSet.get(1, 1, [d0 - s0], [True]).constraints[0]",
    "ir.IntegerSetConstraintList": "ir.IntegerSet.get(1, 1, [d0 - s0], [True]).constraints",
    "ir.Location": "ir.Location.file('x', 1, 2)",
    "ir.Module": "module",
    "ir.Operation": "op",
    "ir.OpView": "f",
    "ir.Block": "block",
    "ir.Region": "f.regions[0]",
    "ir.RegionSequence": "f.regions",
    "ir.BlockList": "f.regions[0].blocks",
    "ir.OperationList": "block.operations",
    "ir.BlockArgumentList": "block.arguments",
    "ir.OpOperandList": "op.operands",
    "ir.OpResultList": "op.results",
    "ir.OpAttributeMap": "f.attributes",
    "ir.OpSuccessors": "block.operations[2].successors",
    "ir.BlockSuccessors": "block.successors",
    "ir.BlockPredecessors": "last.predecessors",
    "ir.Value": "value",
    "ir.OpResult": "op.results[0]",
    "ir.BlockArgument": "block.arguments[0]",
    "ir.OpOperand": "next(iter(op.results[0].uses))",
    "ir.SymbolTable": "ir.SymbolTable(module.operation)",
    "ir.InsertionPoint": "ir.InsertionPoint(block)",
    "ir.TypeID": "i32.typeid",
    "ir.Context": "ir.Context()",
    "ir.Dialects": "ctx.dialects",
    "ir.DialectDescriptor": "ctx.get_dialect_descriptor('func')",
    "ir.Dialect": "ctx.dialects['func']",
    "ir.DialectRegistry": "ir.DialectRegistry()",
    "ir.AsmState": "ir.AsmState(module.operation)",
    "ir.AttrBuilder": "ir.AttrBuilder",
    "ir.InferTypeOpInterface": "ir.InferTypeOpInterface(op)",
    "ir.ShapedTypeComponents": "ir.ShapedTypeComponents.get(f32)",
    "passmanager.PassManager": "passmanager.PassManager('any')",
    "rewrite.RewritePatternSet": "rewrite.RewritePatternSet()",
    "rewrite.GreedyRewriteConfig": "rewrite.GreedyRewriteConfig()",
    **{
        f"ir.{name}": f"list(ir.{name})[0]"
        for name in ("DiagnosticSeverity", "WalkOrder", "WalkResult")
    },
}


def _of_dialect(dialect: str, name: str, arguments: str = "") -> tuple[str, str]:
    """A class of a dialect's module, and an object that its `get` makes."""
    cls = f"dialect({dialect!r}).{name}"
    return cls, f"{cls}.get({arguments})"


def _parsed(dialect: str, name: str, text: str) -> tuple[str, str]:
    """The same for an object that is read from a text."""
    kind = "Attribute" if text.startswith("#") else "Type"
    return f"dialect({dialect!r}).{name}", f"ir.{kind}.parse({text!r})"


_SCALES = "ir.Attribute.parse('dense<2.0> : tensor<1x2xf32>')"
_ZEROS = "ir.Attribute.parse('dense<1> : tensor<1x2xi8>')"
_I8 = "1, ir.Type.parse('i8'), f32"
INSTANCES |= dict(
    [
        _of_dialect("quant", "AnyQuantizedType", f"{_I8}, -8, 7"),
        _of_dialect("quant", "UniformQuantizedType", f"{_I8}, 0.5, 3, -8, 7"),
        _of_dialect("quant", "UniformQuantizedPerAxisType", f"{_I8}, [0.5, 2.0], [0, 1], 1, -8, 7"),
        _of_dialect(
            "quant",
            "UniformQuantizedSubChannelType",
            f"{_I8}, {_SCALES}, {_ZEROS}, [0, 1], [1, 2], -8, 7",
        ),
        _of_dialect("quant", "CalibratedQuantizedType", "f32, -1.0, 1.0"),
        _parsed("quant", "QuantizedType", "!quant.any<i8:f32>"),
        _parsed("llvm", "StructType", "!llvm.struct<(i32, f32)>"),
        _of_dialect("llvm", "PointerType", "3"),
        _of_dialect("gpu", "AsyncTokenType"),
        _of_dialect("gpu", "ObjectAttr", "ir.Attribute.parse('#nvvm.target'), 1, b'x'"),
        _of_dialect(
            "nvgpu", "TensorMapDescriptorType", "ir.MemRefType.get([4, 8], f32), 0, 0, 0, 0"
        ),
        _of_dialect("amdgpu", "TDMBaseType", "f32"),
        _of_dialect("amdgpu", "TDMDescriptorType"),
        _of_dialect("amdgpu", "TDMGatherBaseType", "f32, ir.Type.parse('i16')"),
        _of_dialect("pdl", "AttributeType"),
        _of_dialect("pdl", "OperationType"),
        _of_dialect("pdl", "TypeType"),
        _of_dialect("pdl", "ValueType"),
        _of_dialect("pdl", "RangeType", "ir.Type.parse('!pdl.value')"),
        _of_dialect("smt", "BitVectorType", "5"),
        _of_dialect("smt", "BoolType"),
        _of_dialect("smt", "IntType"),
        _of_dialect("transform", "AnyOpType"),
        _of_dialect("transform", "AnyParamType"),
        _of_dialect("transform", "AnyValueType"),
        _of_dialect("transform", "OperationType", "'func.func'"),
        _of_dialect("transform", "ParamType", "i32"),
    ]
)
INSTANCES |= {
    "ir.DenseResourceElementsAttr": (
        "ir.DenseResourceElementsAttr.get_from_buffer("
        "b'12345678', 'x', ir.Type.parse('tensor<2xi32>'))"
    ),
    "ir.ThreadPool": "ir.ThreadPool()",
    "rewrite.FrozenRewritePatternSet": "rewrite.RewritePatternSet().freeze()",
    "dialect('sparse_tensor').EncodingAttr": (
        "dialect('sparse_tensor').EncodingAttr(ir.Attribute.parse("
        "'#sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>'))"
    ),
}

# Arguments that every method and every constructor is called with.
ARGUMENTS = [
    "",
    "None",
    "object()",
    "1",
    "'x'",
    "[]",
    "i32",
    "attr",
    "value",
    "op",
    "lambda *given: None",
    "[2, 3], f32",
    "1, 1, [d0]",
    "[i32], [f32]",
    "1, 2, 3, 4, 5, 6, 7, 8, 9",
    "no_such_argument=1",
]

# Expressions for every object beside its members; `it` is the object.
QUESTIONS = [
    "repr(it)",
    "str(it)",
    "bool(it)",
    "len(it)",
    "list(it)",
    "hash(it) == hash(it)",
    "it == it",
    "it == None",
    "it == 1",
    "it != it",
    "it < it",
    "it + it",
    "it + 1",
    "it * 2",
    "it[0]",
    "it[-1]",
    "it[10 ** 6]",
    "it['no such name']",
    "it[None]",
    "it[0:1]",
    "0 in it",
    "'no such name' in it",
    "it.no_such_attribute",
    "setattr(it, 'no_such_attribute', 1)",
    "isinstance(it, type(it))",
    "type(it).__name__",
    "type(it)()",
    "type(it)(it)",
    "type(it)(None)",
    "type(it).__new__(type(it)) is None",
    "__import__('copy').copy(it) == it",
    "__import__('pickle').dumps(it)",
    "type('Derived', (type(it),), {}).__name__",
]

# Expressions about more than one object, each of which is a probe as it stands.
EXPRESSIONS = [
    "f.regions[0].blocks[1].owner.operation.name",
    "block.operations[2].successors[0].owner.operation.name",
    "block.operations[2].successors[0].region.owner.operation.name",
    "block.operations[2].successors[0] == last",
    "block.successors[0].owner.operation.name",
    "last.predecessors[0].owner.operation.name",
    # The form of classes; `tests/api_diff/accepted.toml` has the reasons.
    "(lambda shape: shape.__bases__ == (ir.Type,))(ir.IntegerType)",
    "(lambda shape: 'width' in vars(shape))(ir.IntegerType)",
    "(lambda shape: shape.width.fget(i32))(ir.IntegerType)",
    "(lambda shape: shape.get_name.__module__)(ir.Value)",
    "(lambda shape: delattr(shape, 'is_signed'))(ir.IntegerType)",
    "setattr(i32, '__class__', ir.IndexType)",
    "setattr(type('A', (ir.OpView,), {})(op), '__class__', type('B', (ir.OpView,), {}))",
    "setattr(type('A', (ir.OpView,), {})(op), '__class__', ir.OpView)",
    "arith.addi.__annotations__['return']",
    "op.walk(lambda it: 1 / 0)",
    "module.operation.attached",
    "ir.OpView(3)",
    "block.create_after(3)",
    "block.create_before(None)",
    "ir.StringAttr.get(b'\\xff').value",
    "type(ir.DenseElementsAttr.get([attr])).__name__",
    "type(ir.Attribute.parse('#gpu.object<#nvvm.target, \"x\">')).__name__",
    "type(ir.Attribute.parse('#sparse_tensor.encoding<{map = (d0) -> (d0 : dense)}>')).__name__",
    "arith.addi(value, 'x')",
    "arith.addi(value, None)",
    "arith.AddIOp(value)",
    "arith.AddIOp(value, value, no_such_argument=1)",
    "arith.AddIOp(value, value).verify()",
    "arith.ConstantOp(i32, object())",
    "arith.CmpIOp('no such predicate', value, value)",
    "func.FuncOp(3, 4)",
    "func.ReturnOp(['x'])",
    "func.CallOp([i32], 'f', ['x'])",
    "cf.BranchOp([value], None)",
    "ir.Operation.create('func.func', regions=1).verify()",
    "ir.Operation.create('arith.addi', operands=[3])",
    "ir.Operation.create('arith.addi', operands=[None])",
    "ir.Operation.create('arith.addi', results=['x'])",
    "ir.Operation.create('arith.addi', attributes={'a': 3})",
    "ir.Operation.create('arith.addi', attributes={'a': None})",
    "ir.Operation.create('no.such')",
    "ir.Module.parse('func.func @f( {')",
    "ir.Type.parse('i3x2')",
    "ir.Attribute.parse('#x<')",
    "passmanager.PassManager.parse('builtin.module(no-such-pass)')",
    "passmanager.PassManager.parse('func.func(cse)').run(module.operation)",
    "ir.StringAttr.get(3)",
    "ir.VectorType.get([2], 3)",
    "ir.VectorType.get([2], ir.NoneType.get())",
    "ir.FunctionType.get(['x'], [])",
    "ir.ArrayAttr.get([3])",
]
