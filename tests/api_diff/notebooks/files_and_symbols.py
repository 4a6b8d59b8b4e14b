"""Bytecode, files, symbol tables, region_op, types of extras, interfaces, type ids."""

import io
import os
import tempfile

import mlir
import mlir.extras.types as T
import mlir.ir as ir
from mlir.dialects import _ods_common, arith, builtin, func, linalg, scf
from mlir.extras.meta import region_op
from mlir.ir import *

ctx = Context()
ctx.__enter__()
ctx.allow_unregistered_dialects = True
loc = Location.unknown()
loc.__enter__()
m = Module.parse(
    "module @top { func.func private @f(i32) -> i32 func.func @g(%a: i32) -> i32 { %0 = call @f(%a) : (i32) -> i32 return %0 : i32 } module @in { func.func private @h() } }"
)
b = io.BytesIO()
m.operation.write_bytecode(b)
b.getvalue()[:4]
len(b.getvalue()) > 100
Module.parse(b.getvalue()).operation.verify()
str(Module.parse(b.getvalue())) == str(m)
m.operation.write_bytecode(b, desired_version=1)
m.operation.write_bytecode(b, desired_version=99)
path = os.path.join(tempfile.mkdtemp(), "x.mlir")
with open(path, "w") as fh:
    fh.write(str(m))
str(Module.parseFile(path)) == str(m)
Module.parseFile(path, ctx).operation.name
Module.parseFile("/nonexistent/x.mlir")
m.operation.print(file=open(path, "w"))
open(path).read() == str(m) + "\n"
m.operation.print(file=b, binary=True)
m.operation.print(file=io.StringIO(), enable_debug_info=True)
m.operation.write_bytecode(path)
os.path.getsize(path) > 100
st = SymbolTable(m.operation)
"f" in st
"zz" in st
st["f"]
st["g"].name
type(st["in"])
st["zz"]
sx = Operation.parse("func.func private @f()")
st.insert(sx)
sx
"f_0" in st
st.erase(st["f_0"])
"f_0" in st
del st["f"]
"f" in st
str(m)
SymbolTable.set_symbol_name(st["g"], "gg")
SymbolTable.get_symbol_name(st["gg"].operation if "gg" in st else m.body.operations[0])
SymbolTable.get_visibility(m.body.operations[0])
SymbolTable.set_visibility(m.body.operations[0], "private")
SymbolTable.get_visibility(m.body.operations[0])
SymbolTable.set_visibility(m.body.operations[0], "odd")
SymbolTable.replace_all_symbol_uses("f", "ff", m.operation)
"@ff" in str(m)
SymbolTable.walk_symbol_tables(m.operation, True, lambda op, vis: print(op.name, vis))
SymbolTable(m.body.operations[0].operation)
SymbolTable.get_symbol_name(Operation.create("x.y"))
m2 = Module.create()
ip = InsertionPoint(m2.body)
ip.__enter__()
c = arith.constant(T.i32(), 1)
get_op_result_or_value(c.owner)
get_op_result_or_value(c)
get_op_results_or_values(c.owner)
get_op_results_or_values([c, c.owner])
get_op_result_or_op_results(c.owner)
get_default_loc_context()
get_default_loc_context(loc)
get_op_result_or_value(3)
get_op_result_or_value(Operation.create("x.z"))


class Reg(OpView):
    OPERATION_NAME = "my.region"
    _ODS_REGIONS = (1, True)

    def __init__(self, results=[], operands=[], loc=None, ip=None):
        super().__init__(
            self.OPERATION_NAME,
            self._ODS_REGIONS,
            None,
            None,
            attributes={},
            results=results,
            operands=operands,
            successors=None,
            regions=1,
            loc=loc,
            ip=ip,
        )


@region_op
def reg(**k):
    return Reg(**k)


@reg()
def body():
    arith.constant(T.i32(), 3)


@reg(results=[T.i32()])
def body2(a: T.i32()):
    arith.addi(a, a)


body
body2
mod = region_op(lambda: builtin.ModuleOp())


@region_op
def ex(results=None):
    return scf.ExecuteRegionOp(results or [])


rt = region_op(lambda r: scf.ExecuteRegionOp(r), terminator=lambda xs: scf.YieldOp(xs))


@rt([T.i32()])
def er():
    return arith.constant(T.i32(), 4)


er
print(m2)
T.i32()
T.f32()
T.index()
T.bool()
T.i(7)
T.si(3)
T.ui(4)
T.f64()
T.bf16()
T.f8E4M3FN()
T.none()
T.complex(T.f32())
T.tuple(T.i32(), T.f32())
T.tensor(2, 3, T.f32())
T.tensor(T.f32())
T.memref(2, T.f32())
T.vector(2, T.f32())
T.function(inputs=[T.i32()], results=[])
T.opaque("a", "b")
T.i64()
T.memref(2, T.f32(), memory_space=Attribute.parse("1"))
T.vector(4, T.f32(), scalable=[True])
T.tensor(2, 3)
T.memref(T.f32())
T.tensor(2, 3.0, T.f32())
T.tensor(ShapedType.get_dynamic_size(), T.f32(), encoding=None)
arith.AddIOp.OPERATION_NAME
arith.AddIOp._ODS_REGIONS
func.FuncOp._ODS_REGIONS
arith.AddIOp.__name__
arith._Dialect.DIALECT_NAMESPACE
scf.ForOp._ODS_OPERAND_SEGMENTS
TypeID
F32Type.static_typeid == F32Type.get().typeid
hash(F32Type.static_typeid) == hash(F32Type.get().typeid)
IntegerType.static_typeid != F32Type.static_typeid
InferTypeOpInterface(arith.AddIOp).inferReturnTypes(operands=[c, c])
InferTypeOpInterface(c.owner).operation
InferTypeOpInterface(c.owner).opview
InferTypeOpInterface(m2.operation)
InferTypeOpInterface(arith.AddIOp).inferReturnTypes(operands=[])
InferShapedTypeOpInterface(c.owner)
[n for n in dir(ir) if "Trait" in n or "Interface" in n]
m2.operation.attributes
Operation.create("z.z", attributes={"a": StringAttr.get("x"), "b": UnitAttr.get()}).attributes
OpAttributeMap
isinstance(c.owner.operation.attributes, OpAttributeMap)
{k: v for k, v in c.owner.operation.attributes.items()}
mlir.__path__ is not None
mlir.__name__
hasattr(mlir, "__file__")
c.owner.operation.successors
c.owner.operation.regions
list(c.owner.operation.regions)
c.owner.operation.result.type
c.owner.opview.value
c.owner.opview.literal_value
InsertionPoint.at_block_begin(m2.body).insert(Operation.create("a.a"))
str(m2)[:30]
c.owner.operation.detach_from_parent()
arith.ConstantOp(T.i32(), 4).operation.print(use_name_loc_as_prefix=True)
c.owner.operation.get_asm(use_name_loc_as_prefix=True)
c.owner.operation.get_asm(skip_regions=True)
m2.operation.get_asm(large_resource_limit=3)
m2.operation.get_asm(enable_debug_info=True, use_local_scope=True)
m2.operation.get_asm(foo=1)
m.operation.is_registered
ctx.append_dialect_registry(DialectRegistry())
m.operation.opview
type(m.operation.opview)
m.operation.opview.body
m.body.arguments
builtin.ModuleOp.parse("module{}")
