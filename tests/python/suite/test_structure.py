"""Operations, regions, blocks, values, attributes, types, locations."""

import pytest


def test_module(ir, module, ctx, root):
    assert module.context is ctx
    assert module.operation.name == "builtin.module"
    assert module.operation.parent is None
    with pytest.raises(ValueError, match="Detached operations have no parent"):
        _ = module.operation.block
    assert module.body.owner == module.operation
    assert module == module and hash(module) == hash(module)
    assert module != ir.Module.parse(str(module)) and module != 1
    assert type(module).__module__ == f"{root}._mlir_libs._mlir.ir"


def test_operation(ir, module, find):
    add = find(module.operation, "arith.addi")
    function = add.parent
    assert function.name == "func.func" and function.attached
    assert add.operation is add
    assert add.block.owner == function and add.block.region.owner == function
    assert len(add.operands) == 2 and len(add.results) == 1 and len(add.regions) == 0
    assert add.result == add.results[0] and add.result.owner == add
    assert add.operands[0] == add.operands[1] == function.regions[0].blocks[0].arguments[0]
    assert len(add.successors) == 0 and list(add.successors) == []
    with pytest.raises(ValueError, match="0 results"):
        _ = function.result


def test_location_of_operation(ir, module, find):
    add = find(module.operation, "arith.addi")
    assert add.location == ir.Location.file("-", 3, 10)
    add.location = ir.Location.name("moved")
    assert str(add.location) == 'loc("moved")'


def test_values(ir, module, find):
    add = find(module.operation, "arith.addi")
    argument = add.operands[0]
    assert isinstance(argument, ir.BlockArgument) and isinstance(argument, ir.Value)
    assert isinstance(add.result, ir.OpResult)
    assert argument.arg_number == 0 and add.result.result_number == 0
    assert str(argument.type) == "i32" and argument.type == add.result.type
    assert argument.get_name() == "%arg0" and add.result.get_name() == "%0"
    assert str(argument) == "BlockArgument(<block argument> of type 'i32' at index: 0)"
    assert hash(argument) == hash(add.operands[1]) and argument != add.result
    assert argument.owner == add.block
    assert [str(t) for t in add.results.types] == ["i32"]


def test_sequences(module):
    operations = module.body.operations
    assert len(operations) == 2
    assert operations[-1] == operations[1] and operations[0] != operations[1]
    assert operations[:] == list(operations) == list(module.body)
    assert operations[::-1] == [operations[1], operations[0]]
    for index in (2, -3):
        with pytest.raises(IndexError):
            operations[index]
    with pytest.raises(TypeError):
        operations["a"]
    regions = operations[0].regions
    assert len(regions) == 1 and list(regions)[0] == regions[0] != 0
    assert list(regions[0]) == list(regions[0].blocks) == [regions[0].blocks[0]]


def test_lists_are_sequences(find, module):
    add = find(module.operation, "arith.addi")
    argument, operands = add.operands[0], add.operands
    assert operands.index(argument) == 0 and operands.index(argument, 1) == 1
    assert operands.count(argument) == 2 and operands.count(add.result) == 0
    with pytest.raises(ValueError):
        operands.index(add.result)
    with pytest.raises(ValueError):
        operands.index(argument, 0, 0)
    assert operands + [add.result] == [argument, argument, add.result]
    assert [add.result] + operands == [add.result, argument, argument]
    assert operands[1:] + add.results == [argument, add.result]
    with pytest.raises(TypeError):
        _ = operands + 1
    with pytest.raises(TypeError):
        _ = 1 + operands


def test_constructors_take_only_their_own_keyword(ir, ctx):
    i32 = ir.IntegerType.get_signless(32)
    seven = ir.IntegerAttr.get(i32, 7)
    assert ir.IntegerType(cast_from_type=i32) is i32
    assert ir.IntegerAttr(cast_from_attr=seven) is seven == ir.Attribute(cast_from_type=seven)
    for make in (
        lambda: ir.IntegerType(other=i32),
        lambda: ir.IntegerType(cast_from_attr=i32),
        lambda: ir.IntegerAttr(value=seven),
        lambda: ir.IntegerType(),
        lambda: ir.IntegerType(i32, i32),
    ):
        with pytest.raises(TypeError):
            make()


def test_blocks(ir, ctx):
    ctx.allow_unregistered_dialects = True
    module = ir.Module.parse(
        """func.func @f() {
             "x.jump"()[^b] : () -> ()
           ^b:
             "x.jump"()[^b] : () -> ()
           }"""
    )
    blocks = module.body.operations[0].regions[0].blocks
    assert len(blocks) == 2 and blocks[-1] == blocks[1] != blocks[0]
    assert list(blocks[0].successors) == [blocks[1]] and set(blocks[1].predecessors) == set(blocks)
    assert list(blocks[0].operations[0].successors) == [blocks[1]]
    assert str(blocks[0]).strip().startswith('"x.jump"') or str(blocks[0]).startswith("^bb0")


def test_attributes_of_operation(ir, module, find):
    function = find(module.operation, "func.func")
    attributes = function.attributes
    assert "sym_name" in attributes and "nothing" not in attributes
    assert attributes.keys() == ["function_type", "sym_name"] == list(attributes)
    assert str(attributes["sym_name"]) == '"twice"'
    assert [str(value) for value in attributes.values()] == ["(i32) -> i32", '"twice"']
    assert dict(attributes.items()) == dict(attributes)
    assert attributes[-1].name == "sym_name" and attributes[-1].attr == attributes["sym_name"]
    assert attributes.get("nothing") is None and attributes.get("nothing", 3) == 3
    attributes["sym_name"] = ir.Attribute.parse('"thrice"')
    assert "@thrice" in str(module) and len(attributes) == 2
    attributes["x"] = ir.Attribute.parse("unit")
    del attributes["x"]
    with pytest.raises(KeyError):
        del attributes["x"]
    with pytest.raises(KeyError):
        attributes["x"]
    with pytest.raises(IndexError):
        attributes[2]


def test_types_and_attributes(ir, ctx):
    a, b = ir.Type.parse("tensor<2xf32>"), ir.Type.parse("tensor<2xf32>")
    assert a == b and hash(a) == hash(b) and a != ir.Type.parse("f32") and a != 1
    assert str(a) == "tensor<2xf32>" and repr(a) == "RankedTensorType(tensor<2xf32>)"
    assert a.context is ctx and ir.Type(a) == a
    c, d = ir.Attribute.parse("7 : i8"), ir.Attribute.parse("7 : i8")
    assert c == d and hash(c) == hash(d) and c != ir.Attribute.parse("8 : i8") and c != 1
    assert str(c.type) == "i8" and ir.Attribute(c) == c
    named = c.get_named("seven")
    assert named.name == "seven" and named.attr == c
    assert repr(named) == "NamedAttribute(seven=7 : i8)"


def test_locations(ir, ctx):
    unknown, file = ir.Location.unknown(), ir.Location.file("f.c", 3, 4)
    assert str(unknown) == "loc(unknown)" and unknown != file and unknown != 1
    assert file.is_a_file() and not file.is_a_name()
    assert (file.filename, file.start_line, file.start_col) == ("f.c", 3, 4)
    assert file == ir.Location.file(filename="f.c", line=3, col=4, context=ctx)
    assert (file.end_line, file.end_col) == (3, 4)
    with pytest.raises(TypeError):
        ir.Location.file("f.c", 3)
    name = ir.Location.name("n", childLoc=file)
    assert name.is_a_name() and name.name_str == "n" and name.child_loc == file
    call = ir.Location.callsite(name, [file, unknown])
    assert call.is_a_callsite() and call.callee == name and call.caller.callee == file
    with pytest.raises(ValueError, match="No caller frames"):
        ir.Location.callsite(name, [])
    fused = ir.Location.fused([name, file], ir.Attribute.parse("1 : i8"))
    assert fused.is_a_fused() and fused.locations == [name, file]
    assert str(fused.attr) == str(fused) and hash(fused) == hash(fused)
    with pytest.raises(ValueError, match="not a NameLoc"):
        _ = file.name_str


@pytest.mark.since_llvm(22, "LLVM 19 has no lines of locations")
def test_lines_of_locations_that_have_none(ir, ctx):
    unknown, file = ir.Location.unknown(), ir.Location.file("f.c", 3, 4)
    for place in (
        unknown,
        ir.Location.name("n", childLoc=file),
        ir.Location.callsite(file, [file]),
        ir.Location.fused([file, unknown], ir.Attribute.parse("1 : i8")),
    ):
        assert (place.start_line, place.start_col, place.end_line, place.end_col) == (-1,) * 4
        with pytest.raises(ValueError, match="not a FileLineColLoc"):
            _ = place.filename


@pytest.mark.since_llvm(22, "LLVM 19 has points only")
def test_locations_that_are_ranges(ir, ctx):
    span = ir.Location.file("f.c", 3, 4, 5, 6)
    assert (span.end_line, span.end_col) == (5, 6)
    assert span == ir.Location.file("f.c", start_line=3, start_col=4, end_line=5, end_col=6)


@pytest.mark.before_llvm(22, "newer LLVMs have ranges")
def test_locations_are_points(ir, ctx, module):
    assert ir.Location.file("f.c", 3, 4, 3, 4) == ir.Location.file("f.c", 3, 4)
    with pytest.raises(NotImplementedError, match="a range needs LLVM 22 or later"):
        ir.Location.file("f.c", 3, 4, 5, 6)
    with pytest.raises(NotImplementedError, match="use_name_loc_as_prefix needs LLVM 22 or later"):
        module.operation.get_asm(use_name_loc_as_prefix=True)


def test_current(ir):
    outer, inner = ir.Context(), ir.Context()
    with outer:
        assert ir.Context.current is outer and ir.Location.current is None
        with ir.Location.name("l") as location:
            assert ir.Location.current is location and ir.Context.current is outer
            with outer:
                assert ir.Location.current is location
            with inner:
                assert ir.Context.current is inner and ir.Location.current is None
        assert ir.Location.current is None
    assert ir.Context.current is None
    with pytest.raises(RuntimeError, match="Unbalanced Context"):
        outer.__exit__(None, None, None)
    with pytest.raises(RuntimeError, match="Unbalanced Location"):
        ir.Location.unknown(outer).__exit__(None, None, None)


def test_context(ir, ctx):
    assert ctx.is_registered_operation("arith.addi")
    assert not ctx.is_registered_operation("arith.nope")
    assert ctx.dialects["arith"].descriptor.namespace == "arith" == ctx.d.arith.descriptor.namespace
    assert repr(ctx.get_dialect_descriptor("func")) == "<DialectDescriptor func>"
    assert "<Dialect func (class " in repr(ctx.d.func)
    with pytest.raises(IndexError, match="nope"):
        ctx.dialects["nope"]
    with pytest.raises(AttributeError, match="nope"):
        _ = ctx.d.nope
    with pytest.raises(ValueError, match="nope"):
        ctx.get_dialect_descriptor("nope")
    assert ctx.allow_unregistered_dialects is False
    with pytest.raises(ir.MLIRError):
        ir.Module.parse('"x.y"() : () -> ()')
    ctx.allow_unregistered_dialects = True
    ir.Module.parse('"x.y"() : () -> ()')


def test_detach_clone_erase_move(ir, module):
    first, second = module.body.operations
    second.move_before(first)
    assert list(module.body) == [second, first] == [second, first]
    second.move_after(first)
    assert list(module.body) == [first, second]
    with pytest.raises(ValueError, match="itself"):
        first.move_after(first)
    with pytest.raises(ValueError, match="itself"):
        first.move_after(first.regions[0].blocks[0].operations[0])
    copy = first.clone()
    assert copy != first and not copy.attached and str(copy).strip() == str(first)
    assert first.detach_from_parent() is first and not first.attached
    with pytest.raises(ValueError, match="no parent"):
        first.detach_from_parent()
    assert list(module.body) == [second]
    second.erase()
    assert str(module) == "module {\n}\n"
