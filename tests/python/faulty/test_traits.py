"""MLIR's passes ask operations of a dialect in Rust for their traits, and act by them."""

import pytest


def test_pure(after):
    """cse merges equal operations, and removes one that nothing uses."""
    text = after(
        "func.func(cse)",
        """func.func @f(%a: i32) -> (i32, i32) {
             %0 = sample.abs %a : i32
             %1 = sample.abs %a : i32
             %2 = sample.not %a : i32
             return %0, %1 : i32, i32
           }""",
    )
    assert text.count("sample.abs") == 1
    assert "sample.not" not in text


def test_properties_are_compared(after):
    """cse does not merge operations that differ in an attribute."""
    text = after(
        "func.func(cse)",
        """func.func @f(%a: i32) -> (i1, i1, i1) {
             %0 = sample.compare lt %a : i32 -> i1
             %1 = sample.compare eq %a : i32 -> i1
             %2 = sample.compare lt %a : i32 -> i1
             return %0, %1, %2 : i1, i1, i1
           }""",
    )
    assert text.count("sample.compare") == 2


def test_no_memory_effects_alone(after):
    """An operation that may fail is merged and removed, but not moved out of a loop."""
    loop = """func.func @f(%a: i32, %n: index) {
             sample.repeat %n : index {
             ^bb0(%i: index):
               %0 = sample.OP %a : i32
               "test.use"(%0) : (i32) -> ()
             }
             return
           }"""

    def inside(text):
        return "sample." in text.split("sample.repeat")[1].split("test.use")[0]

    assert inside(after("func.func(loop-invariant-code-motion)", loop.replace("OP", "checked")))
    assert not inside(after("func.func(loop-invariant-code-motion)", loop.replace("OP", "abs")))
    assert "checked" not in after(
        "func.func(cse)", "func.func @f(%a: i32) { %0 = sample.checked %a : i32 return }"
    )


@pytest.fixture(autouse=True)
def unregistered(ctx):
    """Uses of values are operations of no dialect, which no pass removes."""
    ctx.allow_unregistered_dialects = True


def test_commutative(after):
    """canonicalize puts the constant behind."""
    text = after(
        "canonicalize",
        """func.func @f(%a: i32) -> i32 {
             %c = sample.constant 1 : i32
             %0 = sample.add %c, %a : i32
             return %0 : i32
           }""",
    )
    assert "sample.add %arg0, %0" in text


def test_idempotent_and_involution(after):
    text = after(
        "canonicalize",
        """func.func @f(%a: i32) -> (i32, i32) {
             %0 = sample.abs %a : i32
             %1 = sample.abs %0 : i32
             %2 = sample.not %a : i32
             %3 = sample.not %2 : i32
             return %1, %3 : i32, i32
           }""",
    )
    assert text.count("sample.abs") == 1 and "sample.not" not in text
    assert "return %0, %arg0" in text


def test_constant_like(after):
    """Constants are merged, folds make them, and they are moved to the top."""
    text = after(
        "canonicalize",
        """func.func @f() -> (i32, i32) {
             %0 = sample.constant 1 : i32
             %1 = sample.constant 1 : i32
             %2 = sample.add %0, %1 : i32
             %3 = sample.constant 2 : i32
             return %2, %3 : i32, i32
           }""",
    )
    assert text.count("sample.constant") == 1
    assert "sample.constant 2 : i32" in text


def test_symbol_dce(after):
    """A private symbol that nothing refers to is removed."""
    text = after(
        "symbol-dce",
        """sample.func @used () -> () visible "private" { sample.return }
           sample.func @unused () -> () visible "private" { sample.return }
           sample.func @public () -> () { sample.call @used () : () -> () sample.return }""",
    )
    assert "@used" in text and "@public" in text and "@unused" not in text


def test_symbol_table(after):
    """Its symbols are apart from those around it."""
    scope = 'sample.scope { sample.func @f () -> () visible "private" { sample.return } }'
    text = after("symbol-dce", f"sample.func @f () -> () {{ sample.return }} {scope}")
    assert text.count("@f") == 1
    text = after("symbol-privatize{exclude=g}", "sample.func @f () -> () { sample.return }")
    assert 'visible "private"' in text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "sample.scope { sample.func @f () -> () {} sample.func @f () -> () {} }",
            "redefinition of symbol named 'f'",
        ),
        (
            "func.func @f(%a: i32) { sample.scope { %0 = sample.abs %a : i32 } return }",
            "using value defined outside the region",
        ),
        (
            '"sample.strict"() ({^bb0: sample.br ^bb1 ^bb1: sample.return}) : () -> ()',
            "expects region #0 to have 0 or 1 blocks",
        ),
        ('"sample.strict"() ({^bb0:}) : () -> ()', "expects a non-empty block"),
        ("sample.scope { ^bb0(%a: i32): }", "region should have no arguments"),
        (
            "func.func @f() { sample.return sample.return }",
            "must be the last operation in the parent block",
        ),
        ('%0, %1 = "sample.alloc"() : () -> (i32, i32)', "expects 1 result, but has 2"),
        (
            'func.func @f(%a: i32) { %0 = "sample.abs"(%a) : (i32) -> i64 return }',
            "same type for all operands and results|requires the same",
        ),
        (
            "sample.func @f () -> () { %0 = sample.abs %0 : i32 sample.return }",
            "operand #0 does not dominate this use",
        ),
    ],
)
def test_verification(ir, ctx, text, why):
    with pytest.raises(ir.MLIRError, match=why):
        ir.Module.parse(text)


def test_graph_region(ir, ctx):
    """Values are used before they are defined."""
    module = ir.Module.parse("sample.graph { %0 = sample.abs %1 : i32 %1 = sample.not %0 : i32 }")
    assert module.operation.verify()


def test_recursive_memory_effects(after):
    """An operation with regions is removed if all in them is free of effects."""
    text = after(
        "canonicalize",
        """func.func @f(%b: i1, %a: i32) {
             sample.if %b : i1 { %0 = sample.abs %a : i32 }
             return
           }""",
    )
    assert "sample.if" not in text
    kept = "func.func @f(%b: i1) { sample.if %b : i1 { sample.trace } return }"
    assert "sample.trace" in after("canonicalize", kept)
    unknown = "func.func @f() { sample.raw { sample.return } return }"
    assert "sample.raw" in after("canonicalize", unknown)


def test_recursively_speculatable(after):
    """It is moved out of a loop if all in it may be."""
    text = """func.func @f(%a: i32, %b: i1, %n: index) {
             sample.repeat %n : index {
             ^bb0(%i: index):
               %0 = sample.if %b : i1 -> i32 {
                 %1 = sample.OP %a : i32
                 sample.yield %1 : i32
               } else { sample.yield %a : i32 }
               "test.use"(%0) : (i32) -> ()
             }
             return
           }"""
    moved = after("func.func(loop-invariant-code-motion)", text.replace("OP", "abs"))
    assert moved.index("sample.if") < moved.index("sample.repeat")
    stays = after("func.func(loop-invariant-code-motion)", text.replace("OP", "checked"))
    assert stays.index("sample.if") > stays.index("sample.repeat")


def test_isolated_from_above(ir, passmanager, ctx):
    """A pipeline may be for its kind, and no value is taken into it."""
    module = ir.Module.parse(
        """sample.func @f (i32) -> i32 {
           ^bb0(%a: i32):
             %0 = sample.abs %a : i32
             %1 = sample.abs %0 : i32
             sample.return %1 : i32
           }"""
    )
    passmanager.PassManager.parse("builtin.module(sample.func(canonicalize))").run(module.operation)
    assert str(module).count("sample.abs") == 1
    with pytest.raises(ir.MLIRError, match="IsolatedFromAbove"):
        inner = ir.Module.parse("func.func @f(%b: i1) { sample.if %b : i1 { } return }")
        passmanager.PassManager.parse("sample.if(cse)").run(
            inner.body.operations[0].body.blocks[0].operations[0]
        )


def test_affine_scope(ir, ctx):
    """A value at the top of its region is a symbol."""
    load = '%n = "test.make"() : () -> index %0 = affine.load %m[symbol(%n)] : memref<8xi32>'
    load += " sample.return"
    text = f"sample.func @f (memref<8xi32>) -> () {{ ^bb0(%m: memref<8xi32>): {load} }}"
    assert ir.Module.parse(text).operation.verify()
    with pytest.raises(ir.MLIRError, match="symbol"):
        ir.Module.parse(f"func.func @f(%m: memref<8xi32>) {{ sample.raw {{ {load} }} return }}")


def test_automatic_allocation_scope(after):
    """The scope of an allocation ends with the operation, so that one inside is not needed."""
    text = after(
        "canonicalize",
        """sample.func @f () -> () {
             memref.alloca_scope {
               %0 = memref.alloca() : memref<4xi32> "test.use"(%0) : (memref<4xi32>) -> ()
             }
             sample.return
           }""",
    )
    assert "alloca_scope" not in text
