"""MLIR's ``convert-to-llvm`` over operations in Rust, and models for other dialects."""

import pytest


@pytest.fixture(autouse=True)
def unregistered(ctx):
    """Uses of values are operations of no dialect, which no pass removes."""
    ctx.allow_unregistered_dialects = True


@pytest.mark.parametrize("dynamic", ["", "{dynamic=true}"])
def test_conversion_to_llvm(after, dynamic):
    text = after(
        f"convert-to-llvm{dynamic}",
        """func.func @f(%a: i32) -> i32 {
             %0 = sample.constant 4 : i32
             %1 = sample.add %a, %0 : i32
             return %1 : i32
           }""",
    )
    assert "sample" not in text and "func.func" not in text
    assert "llvm.mlir.constant(4 : i32)" in text and "llvm.add %arg0, %0 : i32" in text


def test_a_dialect_s_types(after):
    text = after(
        "convert-to-llvm",
        """func.func @f(%a: !faulty.t<"fine">) -> !faulty.t<"fine"> {
             %0 = faulty.op "lower-well" %a : !faulty.t<"fine">
             return %0 : !faulty.t<"fine">
           }""",
    )
    assert "llvm.func @f(%arg0: i64) -> i64" in text and "llvm.return %arg0 : i64" in text


LOWERED = "explicitly marked illegal"


@pytest.mark.parametrize(
    ("when", "type_", "message"),
    [
        ("lower", "i32", "a pattern panicked: told to panic in a lowering ("),
        ("lower-error", "i32", "was told to refuse a lowering"),
        ("lower-nothing", "i32", "has neither replaced, erased nor changed"),
        ("lower-erase", "i32", "cannot erase an operation with results"),
        ("lower-invalid", "i32", "the new `llvm.add` is not valid|requires the same type|operand"),
        ("fine", "i32", LOWERED),
        ("lower-well", '!faulty.t<"lower">', "told to panic in a lowering of types ("),
        ("lower-well", '!faulty.t<"lower-error">', "cannot be lowered: told to refuse"),
    ],
)
def test_failures(ir, passmanager, ctx, capfd, when, type_, message):
    module = ir.Module.parse(
        f"""func.func @f(%a: {type_}) -> {type_} {{
              %0 = faulty.op "{when}" %a : {type_}
              return %0 : {type_}
            }}"""
    )
    with pytest.raises(ir.MLIRError, match=message.replace("(", r"\(")):
        passmanager.PassManager.parse("builtin.module(convert-to-llvm)").run(module.operation)
    assert capfd.readouterr().err == ""
    ir.Module.parse("func.func @g() { return }")


INTRINSIC = '%{} = llvm.call_intrinsic "llvm.sqrt.f32"(%a) : (f32) -> f32'


def test_a_model_in_cse(after):
    first, second = INTRINSIC.format(0), INTRINSIC.format(1)
    text = after(
        "func.func(cse)",
        f"""func.func @f(%a: f32) -> (f32, f32) {{
              {first}
              {second}
              return %0, %1 : f32, f32
            }}""",
    )
    assert text.count("llvm.call_intrinsic") == 1


def test_a_model_in_licm(after):
    text = after(
        "func.func(loop-invariant-code-motion)",
        f"""func.func @f(%a: f32, %n: index) {{
              scf.for %i = %n to %n step %n {{
                {INTRINSIC.format(0)}
                "test.use"(%0) : (f32) -> ()
              }}
              return
            }}""",
    )
    assert text.index("llvm.call_intrinsic") < text.index("scf.for")


def test_a_model_in_inline(after):
    """`transform` lets nothing be inlined, and a model lets one operation."""
    text = """func.func private @callee() -> !transform.param<i64> {
                %0 = transform.param.constant 1 : i64 -> !transform.param<i64>
                return %0 : !transform.param<i64>
              }
              func.func @caller() -> !transform.param<i64> {
                %0 = call @callee() : () -> !transform.param<i64>
                return %0 : !transform.param<i64>
              }"""
    assert "call @callee" not in after("inline{default-pipeline=}", text)


def test_models_that_are_refused(ir, capfd):
    """A context loads all dialects of the bundle when it is made."""
    with ir.Context() as context, ir.Location.unknown():
        said = [line for line in capfd.readouterr().err.splitlines() if "has a model" in line]
        assert [line.split(", but ")[1] for line in said] == [
            "it has effects of its own",
            "it says itself whether it can be executed at any time",
            "its dialect says itself what may be inlined",
            "a terminator cannot be inlined by a model",
            "there is no such operation",
            "its dialect is not loaded",
        ]
        assert context.dialects["lying"]
        for _ in range(2):
            with pytest.raises(ir.MLIRError, match="cannot be relied on: the dialect 'lying'"):
                ir.Module.parse('"lying.op"() : () -> ()')
        assert ir.Module.parse("%0 = arith.constant 1 : i32").operation.verify()
