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


def scope(root: str) -> dict[str, Any]:
    """The names that expressions use, and the objects that they are made of."""
    names: dict[str, Any] = {
        name: importlib.import_module(f"{root}.{name}") for name in ("ir", "passmanager", "rewrite")
    }
    for name in ("func", "arith", "cf"):
        names[name] = importlib.import_module(f"{root}.dialects.{name}")
    ir = names["ir"]
    context = ir.Context()
    context.allow_unregistered_dialects = True
    names["ctx"] = context
    with context:
        module = ir.Module.parse(SOURCE)
        function = module.body.operations[0]
        entry = function.regions[0].blocks[0]
        names |= {
            "module": module,
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
