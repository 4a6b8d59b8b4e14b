"""Operations, regions, blocks, values: moving, cloning, erasing, uses."""

from mlir.dialects import arith, cf, func, scf
from mlir.ir import *

ctx = Context()
ctx.allow_unregistered_dialects = True
ctx.__enter__()
loc = Location.name("n")
loc.__enter__()
i32 = IntegerType.get_signless(32)
m = Module.create()
with InsertionPoint(m.body):
    f = func.FuncOp("f", ([i32, i32], [i32]))
    e = f.add_entry_block([Location.unknown(), Location.file("a.py", 1, 2)])
    with InsertionPoint(e):
        a = arith.addi(*f.arguments)
        b = arith.muli(a, a)
        r = func.ReturnOp([b])
print(m)
print(m.operation.get_asm(enable_debug_info=True, pretty_debug_info=True))
a.uses
[(u.owner.name, u.operand_number) for u in a.uses]
len(list(a.uses))
a.replace_all_uses_with(f.arguments[0])
print(f)
a.owner
a.owner.name
a.owner.block == e
a.get_name()
a.get_name(True)
a.type
f.arguments[1].set_type(F32Type.get())
f.arguments[1].type
f.arguments[1].arg_number
f.arguments[1].owner == e
f.arguments[0].location
f.arguments[1].location
f.arguments[1].set_type(i32)
a.set_type(F32Type.get())
a.type
a.set_type(i32)
x = Operation.create(
    "my.op",
    results=[i32, i32],
    operands=[a],
    attributes={"k": UnitAttr.get()},
    regions=2,
    successors=[],
    loc=Location.unknown(),
)
x
x.results
len(x.results)
x.results[0]
x.results[-1]
list(x.results)
x.results[0:1]
x.results.owner
x.result
x.operands
len(x.operands)
x.operands[0]
x.regions
len(x.regions)
x.regions[0].blocks
list(x.regions[1].blocks)
x.successors
x.attributes
x.results[5]
x.regions[9]
x.operands[0] = f.arguments[0]
x.attributes["z"] = StringAttr.get("z")
x.attributes["k"]
len(x.attributes)
[n for n in x.attributes]
"z" in x.attributes
del x.attributes["z"]
del x.attributes["nope"]
x.attributes["nope"]
x.attributes[0]
x.attributes[12]
x.attributes["w"] = 3
list(x.attributes.items())
list(x.attributes.keys())
list(x.attributes.values())
x.attributes.get("k")
x.parent
blk = Block.create_at_start(x.regions[0], [i32])
blk
blk.arguments[0]
blk.owner.name
blk.region.owner.name
list(blk)
b2 = blk.create_after(i32, F32Type.get())
b3 = b2.create_before()
[len(b.arguments) for b in x.regions[0]]
len(x.regions[0].blocks)
blk.add_argument(i32, Location.unknown())
blk.insert_argument(0, F32Type.get(), Location.unknown())
[str(a.type) for a in blk.arguments]
blk.erase_argument(0)
len(blk.arguments)
with InsertionPoint(blk):
    y = Operation.create("my.y", successors=[b2])
y.operation.successors[0] == b2
len(y.successors)
[p == blk for p in b2.predecessors]
len(blk.successors)
blk.append_to(x.regions[1])
[len(r.blocks) for r in x.regions]
c = x.clone()
c
c.parent
c == x
c.operation is c
c2 = x.clone(ip=InsertionPoint(m.body))
c2.parent.name
c2.detach_from_parent()
c2.parent
InsertionPoint.at_block_begin(e).insert(c2)
str(e).count("my.op")
c2.move_after(a.owner)
[o.operation.name for o in e.operations]
c2.move_before(a.owner)
[o.operation.name for o in e.operations]
c2
c2.name
e.operations[0]
e.operations[-1].name
len(e.operations)
e.operations[99]
m.body.operations[0].name
m.body.operations[0].sym_name
m.body.operations[0].type
m.body.operations[0].visibility
m.body.operations[0].is_external
m.body.operations[0].entry_block == e
InsertionPoint(a.owner).ref_operation.name
InsertionPoint(e).ref_operation
InsertionPoint.after(a.owner).ref_operation.name
InsertionPoint.at_block_terminator(e).ref_operation.name
InsertionPoint.at_block_terminator(m.body)
InsertionPoint(3)
InsertionPoint.current
r.operation.is_before_in_block(a.owner)
a.owner.is_before_in_block(r.operation)
a == a
a == b
a != b
hash(a) == hash(f.body.blocks[0].operations[0].result)
{a: 1}[a.owner.results[0]]
a.owner == a.owner.opview
a.owner.opview == a.owner
hash(a.owner.operation) == hash(a.owner.opview.operation)
isinstance(a, OpResult)
isinstance(f.arguments[0], BlockArgument)
a.result_number
Value(a)
f.operation.get_asm(
    print_generic_op_form=True, use_local_scope=True, large_elements_limit=2, assume_verified=True
)
f.operation.get_asm(binary=True)[:5]
s = AsmState(f.operation)
a.get_name(s)
e.arguments[0].get_name(state=s)
a.get_name(use_local_scope=True)
f.operation.location
f.location.attr
f.operation.context is ctx
f.operation.infer_types
m.operation.attributes["sym_name"] = StringAttr.get("mm")
m.operation.attributes
str(m)[:30]
m.operation.name
m.body.owner.name
m.context is ctx
list(m.body)
m.body.region.blocks[0] == m.body
m.operation.regions[0].blocks[0].operations[0].operation.parent.name
Module.parse("func.func @f(")
Module.parse("func.func @g() { return }").operation.parent
Operation.parse("func.func @g() { return }")
type(Operation.parse("func.func @g() { return }"))
func.FuncOp.parse("func.func @g() { return }").name
arith.AddIOp.parse("func.func @g() { return }")
Operation.parse('"my.x"() : () -> ()', source_name="src").location
Operation.create("arith.nope")
m.operation.verify()
e.arguments[0].replace_all_uses_with(e.arguments[1])
print(f)
region = Operation.create("my.r", regions=1).regions[0]
region.blocks.append(i32, arg_locs=[Location.unknown()])
len(region.blocks)
region == region
list(region)
region.owner.name
region.blocks[0].append(Operation.create("my.k"))
print(region.owner)
for op in list(region.blocks[0].operations):
    op.operation.erase()
len(region.blocks[0].operations)
list(region.blocks[0].operations)
