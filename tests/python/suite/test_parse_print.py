"""Parsing and printing."""

import io

import pytest


def test_round_trip(ir, module, ctx):
    text = str(module)
    again = ir.Module.parse(text)
    assert str(again) == text
    assert str(ir.Module.parse(text.encode())) == text


def test_parse_file(ir, module, ctx, tmp_path):
    path = tmp_path / "in.mlir"
    path.write_text(str(module))
    assert str(ir.Module.parseFile(str(path))) == str(module)


def test_bytecode_round_trip(ir, module, ctx):
    out = io.BytesIO()
    module.operation.write_bytecode(out)
    assert out.getvalue()[:4] == b"ML\xefR"
    assert str(ir.Module.parse(out.getvalue())) == str(module)
    with pytest.raises(ValueError, match="bytecode version 9999"):
        module.operation.write_bytecode(io.BytesIO(), 9999)


def test_repr_is_one_line(ir, module, find, ctx):
    function = find(module.operation, "func.func").opview
    assert repr(function) == "<FuncOp func.func @twice>"
    assert repr(function.operation) == "<Operation func.func @twice>"
    assert repr(module) == "<Module builtin.module>"
    odd = ir.Module.parse(r'module @"a\0Ab" {}')
    assert repr(odd) == r"<Module builtin.module @a\nb>"
    function.operation.erase()
    assert repr(function).startswith("<FuncOp: ") and "erased" in repr(function)


def test_generic_form(ir, module, ctx):
    generic = module.operation.get_asm(print_generic_op_form=True)
    assert '"arith.addi"(' in generic and '"func.func"()' in generic
    assert str(ir.Module.parse(generic)) == str(module)


def test_debug_info(ir, module, ctx):
    assert "loc(" not in str(module)
    assert 'loc("-":3:10)' in module.operation.get_asm(enable_debug_info=True)
    pretty = module.operation.get_asm(enable_debug_info=True, pretty_debug_info=True)
    assert "-:3:10" in pretty and 'loc("-"' not in pretty


def test_skip_regions(module):
    assert "arith.addi" not in module.operation.get_asm(skip_regions=True)


def test_large_elements_limit(ir, ctx):
    op = ir.Module.parse("%0 = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>").operation
    assert "[1, 2, 3, 4]" in str(op)
    assert "elided" in op.get_asm(large_elements_limit=2)
    assert "[1, 2, 3, 4]" in op.get_asm(large_elements_limit=4)


def test_local_scope(module, find):
    function = find(module.operation, "func.func")
    assert function.get_asm(use_local_scope=True).startswith("func.func @twice")


def test_assume_verified(ir, ctx):
    ctx.allow_unregistered_dialects = True
    # The return is wrong, so the verifier makes the printer use the generic form.
    text = """func.func @f() -> i32 {
      "x.y"() : () -> ()
      %0 = arith.constant 1 : i32
      return %0 : i32
    }"""
    op = ir.Module.parse(text).operation
    function = op.regions[0].blocks[0].operations[0]
    function.attributes["function_type"] = ir.Attribute.parse("() -> i64")
    assert '"func.return"' in str(op)
    assert "return %" in op.get_asm(assume_verified=True)


def test_print_to_file(module, capsys):
    out = io.StringIO()
    module.operation.print(file=out)
    assert out.getvalue() == str(module)
    raw = io.BytesIO()
    module.operation.print(file=raw, binary=True)
    assert raw.getvalue().decode() == str(module)
    module.operation.print()
    assert capsys.readouterr().out == str(module)


def test_binary_asm(module):
    assert module.operation.get_asm(binary=True) == str(module).encode()


def test_operation_parse(ir, ctx):
    op = ir.Operation.parse("func.func private @f()", source_name="here.mlir")
    assert op.operation.name == "func.func" and not op.attached
    with pytest.raises(ValueError, match="Detached operations have no parent"):
        _ = op.parent
    assert 'loc("here.mlir":1:1)' in op.get_asm(enable_debug_info=True)


def test_create_empty(ir, ctx):
    with pytest.raises(RuntimeError, match="Location"):
        ir.Module.create()
    module = ir.Module.create(ir.Location.unknown())
    assert str(module) == "module {\n}\n"
    with ir.Location.name("top"):
        assert "top" in ir.Module.create().operation.get_asm(enable_debug_info=True)


def test_no_context(ir):
    assert ir.Context.current is None
    with pytest.raises(RuntimeError, match="requires a Context"):
        ir.Module.parse("")


def test_text_that_is_not_ascii(ir, ctx):
    module = ir.Module.parse('module attributes {a.b = "é"} {}')
    assert (
        ir.Module.parse(str(module)).operation.attributes["a.b"]
        == module.operation.attributes["a.b"]
    )
    assert ir.Location.name("é").name_str == "é"


def test_text_ends_where_it_ends(ir, ctx):
    """MLIR's lexer reads on behind a text that ends in a token; there may be digits."""
    for padding in range(300):
        text = b" " * padding + b"func.func private @f() -> i3"
        ir.Module.parse(text + b"222")
        assert str(ir.Module.parse(text).body.operations[0]) == "func.func private @f() -> i3"
