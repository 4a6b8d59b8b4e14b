"""MLIR's passes call the interfaces of a dialect in Rust."""

import pytest


@pytest.fixture(autouse=True)
def unregistered(ctx):
    """Uses of values are operations of no dialect, which no pass removes."""
    ctx.allow_unregistered_dialects = True


def test_effects_in_cse(after):
    """Two loads are one, unless memory may have changed between them."""
    loads = """func.func @f(%m: memref<i32>, %v: i32) -> (i32, i32) {
             %0 = sample.load %m : memref<i32> -> i32
             BETWEEN
             %1 = sample.load %m : memref<i32> -> i32
             return %0, %1 : i32, i32
           }"""

    def count(between):
        return after("func.func(cse)", loads.replace("BETWEEN", between)).count("sample.load")

    assert count("") == 1
    assert count("%x = sample.abs %v : i32") == 1
    assert count("sample.store %v to %m : i32 to memref<i32>") == 2
    assert count("sample.trace") == 2


def test_effects_in_canonicalize(after):
    """What is only read or allocated goes if nothing uses it; what is written stays."""
    text = after(
        "canonicalize",
        """func.func @f(%m: memref<i32>, %v: i32) {
             %0 = sample.load %m : memref<i32> -> i32
             %1 = sample.alloc : memref<i32>
             sample.store %v to %m : i32 to memref<i32>
             sample.free %m : memref<i32>
             return
           }""",
    )
    assert "load" not in text and "alloc" not in text
    assert "sample.store" in text and "sample.free" in text


def test_branches_in_sccp(after):
    """A constant goes along with the branches that are taken."""
    text = after(
        "sample.func(sccp)",
        """sample.func @f (i1) -> i32 {
           ^bb0(%b: i1):
             %0 = sample.constant 4 : i32
             sample.cond_br %b : i1, ^bb1 (%0 : i32), ^bb2 (%0 : i32)
           ^bb1(%1: i32):
             sample.br ^bb2 (%1 : i32)
           ^bb2(%2: i32):
             %3 = sample.add %2, %2 : i32
             sample.return %3 : i32
           }""",
    )
    assert "sample.constant 8 : i32" in text and "sample.add" not in text


def test_branches_in_canonicalize(after):
    """Arguments that are the same on each way are removed."""
    text = after(
        "canonicalize{region-simplify=aggressive}",
        """sample.func @f (i1, i32) -> i32 {
           ^bb0(%b: i1, %a: i32):
             sample.cond_br %b : i1, ^bb1 (%a, %a : i32, i32), ^bb2
           ^bb1(%0: i32, %unused: i32):
             "test.use"(%0) : (i32) -> ()
             sample.br ^bb2
           ^bb2:
             sample.return %a : i32
           }""",
    )
    # An argument that nothing uses is removed, with its operand.
    assert (
        "sample.cond_br %arg0 : i1, ^bb1 (%arg1 : i32), ^bb2" in text
        or "sample.cond_br %arg0 : i1, ^bb1, ^bb2" in text
    )


def test_wrong_types_along_a_branch(ir, ctx):
    with pytest.raises(ir.MLIRError, match="type mismatch for bb argument"):
        ir.Module.parse(
            "sample.func @f (i32) -> () { ^bb0(%a: i32): sample.br ^bb1 (%a : i32) "
            "^bb1(%b: i64): sample.return }"
        )


def test_region_branches_in_sccp(after):
    """A constant goes into regions and out of them."""
    text = after(
        "func.func(sccp)",
        """func.func @f(%b: i1, %n: index) -> (i32, i32) {
             %0 = sample.constant 4 : i32
             %1 = sample.if %b : i1 -> i32 { sample.yield %0 : i32 } else { sample.yield %0 : i32 }
             %2 = sample.add %1, %1 : i32
             %3 = sample.repeat %n : index from %2 : i32 -> i32 {
             ^bb0(%i: index, %carried: i32):
               sample.yield %carried : i32
             }
             return %2, %3 : i32, i32
           }""",
    )
    assert "sample.constant 8 : i32" in text and "sample.add" not in text
    line = next(line for line in text.splitlines() if "return" in line)
    assert line.split()[1].strip(",") == line.split()[2]


def test_wrong_types_along_regions(ir, ctx):
    with pytest.raises(ir.MLIRError, match="types mismatch|type|source has|operands"):
        ir.Module.parse(
            """func.func @f(%b: i1, %a: i64) {
                 %1 = sample.if %b : i1 -> i32 { sample.yield %a : i64 }
                   else { sample.yield %a : i64 }
                 return
               }"""
        )


def test_loops_in_licm(after):
    text = after(
        "func.func(loop-invariant-code-motion)",
        """func.func @f(%a: i32, %n: index) -> i32 {
             %0 = sample.repeat %n : index from %a : i32 -> i32 {
             ^bb0(%i: index, %carried: i32):
               %1 = sample.abs %a : i32
               %2 = sample.add %carried, %1 : i32
               sample.yield %2 : i32
             }
             return %0 : i32
           }""",
    )
    assert text.index("sample.abs") < text.index("sample.repeat") < text.index("sample.add")


CALLS = """sample.func @callee (i32) -> i32 visible "private" {
           ^bb0(%a: i32):
             %0 = sample.add %a, %a : i32
             sample.return %0 : i32
           }
           sample.func @caller () -> i32 {
             %0 = sample.constant 4 : i32
             %1 = sample.call @callee (%0) : (i32) -> (i32)
             sample.return %1 : i32
           }"""


def test_calls_in_inline(after):
    """The body takes the place of the call, and the function that is left goes."""
    text = after("inline{default-pipeline=}", CALLS)
    assert "sample.call" not in text and "@callee" not in text
    assert "sample.add" in text


def test_calls_in_sccp(after):
    """Constants go into functions and come out of them."""
    text = after("sccp", CALLS)
    assert "sample.constant 8 : i32" in text


def test_an_operation_that_may_not_be_inlined(after):
    """`sample.trace` is not `inlinable`, so that a call of what it is in stays."""
    text = after(
        "inline{default-pipeline=}",
        CALLS.replace("%0 = sample.add", "sample.trace %0 = sample.add"),
    )
    assert "sample.call" in text


def test_unused_results_of_calls(after):
    """remove-dead-values walks over functions, calls and branches."""
    text = after("remove-dead-values", CALLS)
    assert "sample.call" in text
