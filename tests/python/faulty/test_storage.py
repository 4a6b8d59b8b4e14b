"""MLIR's passes over functions, views, and operations on tensors, all of a dialect in Rust."""

import pytest


@pytest.fixture(autouse=True)
def unregistered(ctx):
    """Uses of values are operations of no dialect, which no pass removes."""
    ctx.allow_unregistered_dialects = True


def test_functions_in_affine_loop_unroll(after):
    """A pass for all functions runs on this one."""
    text = after(
        "sample.func(affine-loop-unroll{unroll-factor=2})",
        """sample.func @f () -> () {
             affine.for %i = 0 to 2 { "test.use"(%i) : (index) -> () }
             sample.return
           }""",
    )
    assert text.count("test.use") == 2 and "affine.for" not in text


def test_functions_in_remove_dead_values(after):
    """An argument that nothing uses goes, with its attributes and the operands of the calls."""
    text = after(
        "remove-dead-values",
        """sample.func @callee (i32, i64) -> i32 visible "private"
               attributes {arg_attrs = [{test.first}, {test.second}]} {
           ^bb0(%a: i32, %b: i64):
             %0 = sample.abs %b : i64
             sample.return %a : i32
           }
           sample.func @caller (i32, i64) -> i32 {
           ^bb0(%a: i32, %b: i64):
             %1 = sample.call @callee (%a, %b) : (i32, i64) -> (i32)
             sample.return %1 : i32
           }""",
    )
    callee = text[text.index("@callee") : text.index("@caller")]
    assert "i64" not in callee and "sample.abs" not in callee
    assert "test.first" in callee and "test.second" not in callee
    assert "sample.call @callee(%arg0) : (i32)" in text or "@callee (%arg0) : (i32)" in text


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ("arg_attrs = [{}]", "same number of elements as the number of function arguments"),
        ("arg_attrs = [{}, 1]", "to be a DictionaryAttr"),
        ("arg_attrs = [{name = 1}, {}]", "may only have dialect attributes"),
    ],
)
def test_wrong_attributes_of_arguments(ir, ctx, attributes, message):
    with pytest.raises(ir.MLIRError, match=message):
        ir.Module.parse(
            f"""sample.func @f (i32, i64) -> () attributes {{{attributes}}} {{
                ^bb0(%a: i32, %b: i64):
                  sample.return
                }}"""
        )


def test_a_body_of_another_type(ir, ctx):
    with pytest.raises(ir.MLIRError, match="must match the type of the corresponding argument"):
        ir.Module.parse("sample.func @f (i32) -> () { ^bb0(%a: i64): sample.return }")


@pytest.mark.parametrize("used", ["%1", "%0"])
def test_views_in_promote_buffers_to_stack(after, used):
    """Memory whose view is returned cannot be on the stack."""
    text = after(
        "func.func(promote-buffers-to-stack)",
        f"""func.func @f() -> memref<2xf32> {{
              %0 = memref.alloc() : memref<2xf32>
              %1 = sample.view %0 : memref<2xf32>
              %2 = memref.alloc() : memref<2xf32>
              %3 = sample.view %2 : memref<2xf32>
              "test.use"(%3) : (memref<2xf32>) -> ()
              return {used} : memref<2xf32>
            }}""",
    )
    assert text.count("memref.alloc()") == 1 and text.count("memref.alloca()") == 1


TENSORS = """func.func @f(%f: f32, %a: tensor<8xf32>, %b: tensor<8xf32>)
               -> (tensor<8xf32>, tensor<8xf32>) {
             %0 = "sample.scale"(%f, %a, %b)
               : (f32, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
             return %0, RETURNED : tensor<8xf32>, tensor<8xf32>
           }"""


@pytest.mark.parametrize(("returned", "copies"), [("%a", 0), ("%b", 1)])
def test_bufferization(after, returned, copies):
    """The destination is written in place, unless something reads it later."""
    text = after(
        "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion="
        "identity-layout-map}",
        TENSORS.replace("RETURNED", returned),
    )
    assert '"sample.scale"(%arg0, %arg1,' in text and "memref<8xf32>) -> ()" in text
    assert text.count("memref.alloc(") == copies
    # What is written as a whole need not be copied before.
    assert "memref.copy" not in text


def test_bufferization_of_what_is_read_and_written(after):
    text = after(
        "one-shot-bufferize{bufferize-function-boundaries}",
        """func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>)
             -> (tensor<4x4xf32>, tensor<4x4xf32>) {
             %0 = "sample.product"(%a, %a, %b)
               : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
             return %0, %b : tensor<4x4xf32>, tensor<4x4xf32>
           }""",
    )
    assert text.count("memref.copy") == 1 and "-> tensor" not in text


def test_effects_are_on_buffers_only(after):
    """The same on tensors is removed if nothing uses it."""
    text = after(
        "canonicalize",
        """func.func @f(%f: f32, %a: tensor<8xf32>, %m: memref<8xf32>) {
             %0 = "sample.scale"(%f, %a, %a)
               : (f32, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
             "sample.scale"(%f, %m, %m) : (f32, memref<8xf32>, memref<8xf32>) -> ()
             return
           }""",
    )
    assert text.count("sample.scale") == 1 and "tensor<8xf32>) ->" not in text


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ("(f32, tensor<8xf32>, f32) -> ()", "tensor or a memref"),
        ("(f32, tensor<8xf32>, tensor<8xf32>) -> ()", "has no result for the tensor"),
        ("(f32, tensor<8xf32>, tensor<8xf32>) -> f32", "to be equal to the number of output"),
        ("(f32, tensor<8xf32>, tensor<8xf32>) -> tensor<9xf32>", "to match type of"),
        ("(f32, tensor<8xf32>, memref<8xf32>) -> tensor<8xf32>", "to be equal to the number"),
        ("(f32, tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>", "of rank 1 in operand #1"),
        ("(f32, tensor<8xf32>, tensor<*xf32>) -> tensor<*xf32>", "of rank 0"),
    ],
)
def test_wrong_destinations(ir, ctx, types, message):
    operands = types[1 : types.index(")")].split(", ")
    values = "".join(f'%{i} = "test.value"() : () -> {one} ' for i, one in enumerate(operands))
    with pytest.raises(ir.MLIRError, match=message):
        ir.Module.parse(f'{values} "sample.scale"(%0, %1, %2) : {types}')


def test_wrong_rank_of_a_tiled_operand(ir, ctx):
    with pytest.raises(ir.MLIRError, match="of rank 2 in operand #0"):
        ir.Module.parse(
            """%0 = "test.value"() : () -> tensor<4xf32>
               %1 = "test.value"() : () -> tensor<4x4xf32>
               %2 = "sample.product"(%0, %1, %1)
                 : (tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"""
        )


def tiled(after, name, sizes, loops, text):
    """Tiles an operation by MLIR's transform dialect."""
    handles = ", ".join(["!transform.any_op"] * (loops + 1))
    return after(
        "transform-interpreter,canonicalize,cse",
        f"""module attributes {{transform.with_named_sequence}} {{
              transform.named_sequence @__transform_main(%root: !transform.any_op) {{
                %op = transform.structured.match ops{{["{name}"]}} in %root
                  : (!transform.any_op) -> !transform.any_op
                %parts:{loops + 1} = transform.structured.tile_using_for %op tile_sizes {sizes}
                  : (!transform.any_op) -> ({handles})
                transform.yield
              }}
              {text}
            }}""",
    )


def test_tiling_of_an_elementwise_operation(after):
    text = tiled(
        after,
        "sample.scale",
        "[4, 0]",
        1,
        """func.func @f(%f: f32, %a: tensor<8x?xf32>, %b: tensor<8x?xf32>) -> tensor<8x?xf32> {
             %0 = "sample.scale"(%f, %a, %b) {test.kept}
               : (f32, tensor<8x?xf32>, tensor<8x?xf32>) -> tensor<8x?xf32>
             return %0 : tensor<8x?xf32>
           }""",
    )
    assert text.count("scf.for") == 1 and text.count("tensor.extract_slice") == 2
    assert "tensor.insert_slice" in text and "test.kept" in text
    assert "(f32, tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>" in text


def test_tiling_of_a_product(after):
    text = tiled(
        after,
        "sample.product",
        "[2, 4, 8]",
        3,
        """func.func @f(%a: tensor<16x32xf32>, %b: tensor<32x8xf32>, %c: tensor<16x8xf32>)
             -> tensor<16x8xf32> {
             %0 = "sample.product"(%a, %b, %c)
               : (tensor<16x32xf32>, tensor<32x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
             return %0 : tensor<16x8xf32>
           }""",
    )
    assert text.count("scf.for") == 3
    assert "(tensor<2x8xf32>, tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>" in text


def test_tiling_of_buffers(after):
    text = tiled(
        after,
        "sample.scale",
        "[4]",
        1,
        """func.func @f(%f: f32, %a: memref<8xf32>, %b: memref<8xf32>) {
             "sample.scale"(%f, %a, %b) : (f32, memref<8xf32>, memref<8xf32>) -> ()
             return
           }""",
    )
    assert text.count("memref.subview") == 2 and text.count("scf.for") == 1
