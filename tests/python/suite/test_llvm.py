"""The native part of `llvm`: its types, and translation to LLVM IR."""

import pytest


@pytest.fixture(scope="session")
def llvm(dialect):
    return dialect("llvm")


def test_structures_without_names(ctx, ir, llvm, i32):
    with ir.Location.unknown():
        pair = llvm.StructType.get_literal([i32, llvm.PointerType.get()])
    assert str(pair) == "!llvm.struct<(i32, ptr)>"
    assert pair.body == [i32, llvm.PointerType.get()]
    assert pair.name is None and not pair.packed and not pair.opaque
    assert pair is ir.Type.parse("!llvm.struct<(i32, ptr)>")
    assert isinstance(pair, llvm.StructType) and llvm.StructType.type_name == "llvm.struct"
    packed = llvm.StructType.get_literal([i32], packed=True, context=ctx)
    assert packed.packed and packed != llvm.StructType.get_literal_unchecked([i32])
    assert llvm.StructType.get_literal([], context=ctx).body == []


def test_structures_with_names(ctx, ir, llvm, i32):
    node = llvm.StructType.get_identified("node")
    assert node.opaque and node.body is None and node.name == "node"
    # It may have itself as an element.
    outer = llvm.StructType.get_literal([node], context=ctx)
    node.set_body([i32, outer])
    assert node.body == [i32, outer] and not node.opaque
    node.set_body([i32, outer])
    other = llvm.StructType.new_identified("node", [i32], packed=True)
    assert other.name != "node" and other.packed
    assert llvm.StructType.get_opaque("unknown").opaque


def test_a_body_is_set_once(ctx, llvm, i32):
    taken = llvm.StructType.get_identified("taken")
    taken.set_body([i32])
    with pytest.raises(ValueError, match="already set to different content"):
        taken.set_body([i32, i32])
    with pytest.raises(ValueError, match="already set to different content"):
        taken.set_body([i32], packed=True)
    with pytest.raises(ValueError, match="already set to different content"):
        llvm.StructType.get_opaque("never").set_body([i32])
    with pytest.raises(ValueError, match="already set to different content"):
        llvm.StructType.get_literal([], context=taken.context).set_body([i32])
    assert taken.body == [i32]


@pytest.mark.parametrize("wrong", ["!llvm.void", "!llvm.func<void ()>", "!llvm.label"])
def test_what_is_no_element_is_refused_with_the_diagnostic(ctx, ir, llvm, i32, wrong):
    wrong = ir.Type.parse(wrong)
    named = llvm.StructType.get_identified("named")
    for make in (
        lambda: llvm.StructType.get_literal([i32, wrong], context=ctx),
        lambda: llvm.StructType.new_identified("other", [wrong]),
        lambda: named.set_body([wrong]),
    ):
        with pytest.raises(ValueError, match="invalid LLVM structure element type") as raised:
            make()
        assert isinstance(raised.value.__cause__, ir.MLIRError)
    assert named.opaque


def test_arguments_of_another_kind_or_context(ctx, ir, llvm, i32):
    with pytest.raises(TypeError):
        llvm.StructType.get_literal([1], context=ctx)
    with pytest.raises(TypeError):
        llvm.PointerType.get(-1)
    with pytest.raises(RuntimeError, match="requires a Location"):
        llvm.StructType.get_literal([i32])
    with pytest.raises(ValueError, match="another context"):
        llvm.StructType.get_literal_unchecked([i32], context=ir.Context())
    with pytest.raises(ValueError, match="Cannot cast type to PointerType"):
        llvm.PointerType(i32)


def test_malformed_text(ctx, ir):
    with pytest.raises(ir.MLIRError, match="unbalanced"):
        ir.Type.parse("!llvm.struct<(i32,>")
    with pytest.raises(ir.MLIRError, match="Unable to parse type"):
        ir.Type.parse("!llvm.ptr<i32")


def test_pointers(ctx, ir, llvm):
    assert llvm.PointerType.get() is llvm.PointerType.get(0)
    far = llvm.PointerType.get(3)
    assert far.address_space == 3 and str(far) == "!llvm.ptr<3>"
    assert type(ir.Type.parse("!llvm.ptr<3>")) is llvm.PointerType


def test_types_of_a_dialect_that_is_not_loaded(ir, llvm):
    context = ir.Context(load_on_create_dialects=[])
    assert str(llvm.PointerType.get(context=context)) == "!llvm.ptr"


@pytest.mark.beyond_standard("the translation to LLVM IR")
def test_translation(ctx, ir, llvm):
    module = ir.Module.parse(
        """
        llvm.func @half(%x: i64) -> i64 {
          %two = llvm.mlir.constant(2 : i64) : i64
          %half = llvm.udiv %x, %two : i64
          llvm.return %half : i64
        }
        """
    )
    text = llvm.translate_module_to_llvmir(module.operation)
    assert "define i64 @half(i64 %0)" in text and "udiv i64 %0, 2" in text
    assert module.operation.verify()


@pytest.mark.beyond_standard("the translation to LLVM IR")
def test_what_cannot_be_translated(module, ir, llvm):
    with pytest.raises(ValueError, match="cannot be converted to LLVM IR") as raised:
        llvm.translate_module_to_llvmir(module.operation)
    assert isinstance(raised.value.__cause__, ir.MLIRError)
    function = module.body.operations[0]
    with pytest.raises(ValueError, match="Failed to translate"):
        llvm.translate_module_to_llvmir(function.operation)
