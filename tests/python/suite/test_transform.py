"""The transform dialect: its types, its operations by hand, and what runs its scripts."""

import gc
import importlib
import subprocess
import sys

import pytest


@pytest.fixture(scope="session")
def transform(dialect):
    return dialect("transform")


@pytest.fixture(scope="session")
def interpreter(dialect):
    return dialect("transform.interpreter")


@pytest.fixture(scope="session")
def structured(dialect):
    return dialect("transform.structured")


@pytest.fixture
def script(here, ir, transform):
    """Builds the body of a sequence in a module, and gives its text once that was verified."""

    def script(build, *extra):
        any_op = transform.AnyOpType.get()
        mode = transform.FailurePropagationMode.Propagate
        sequence = transform.SequenceOp(mode, [], any_op, extra or None)
        with ir.InsertionPoint(sequence.body):
            build(sequence.bodyTarget, *sequence.bodyExtraArgs)
            transform.YieldOp()
        assert here.operation.verify()
        return str(sequence)

    return script


def test_types_come_from_the_extension(ctx, ir, root, transform):
    native = importlib.import_module(f"{root}._mlir_libs._mlirDialectsTransform")
    for name, text in {
        "AnyOpType": "!transform.any_op",
        "AnyParamType": "!transform.any_param",
        "AnyValueType": "!transform.any_value",
    }.items():
        cls = getattr(transform, name)
        assert cls is getattr(native, name) and cls.__module__ == native.__name__
        assert type(ir.Type.parse(text)) is cls and cls.get() is ir.Type.parse(text)
        assert str(cls.get()) == text and cls.type_name == text[1:]
        assert cls.static_typeid == cls.get().typeid
    assert not isinstance(transform.AnyOpType.get(), transform.AnyValueType)
    with pytest.raises(ValueError, match="Cannot cast type to AnyValueType"):
        transform.AnyValueType(transform.AnyOpType.get())


def test_types_that_say_more(ctx, ir, transform):
    handle = transform.OperationType.get("some.op")
    assert handle.operation_name == "some.op" and str(handle) == '!transform.op<"some.op">'
    i64 = ir.IntegerType.get_signless(64)
    parameter = transform.ParamType.get(i64)
    assert parameter.type is i64 and isinstance(parameter.type, ir.IntegerType)
    with ir.Context() as other, pytest.raises(ValueError, match="context"):
        transform.ParamType.get(i64, context=other)


def test_a_sequence_binds_types_or_values(script, ir, transform):
    any_value = None

    def build(target, extra):
        nonlocal any_value
        any_value = extra.type
        inner = transform.sequence(
            transform.FailurePropagationMode.Suppress, [target.type], target, [extra]
        )
        with ir.InsertionPoint(inner.owner.regions[0].blocks[0]):
            transform.yield_([inner.owner.regions[0].blocks[0].arguments[0]])
        assert inner.type == target.type

    text = script(build, transform.AnyValueType.get())
    assert type(any_value) is transform.AnyValueType
    assert "transform.sequence %arg0, %arg1 : !transform.any_op, !transform.any_value" in text


def test_functions_give_results(script, ir, transform):
    def build(target):
        any_op = transform.AnyOpType.get()
        parent = transform.get_parent_op(any_op, target, op_name="func.func", nth_parent=2)
        merged = transform.merge_handles([parent, target], deduplicate=True)
        first, second = transform.replicate(merged, [parent, target])
        assert [first.type, second.type] == [any_op, any_op]
        loop = transform.foreach([any_op], [first, second])
        with ir.InsertionPoint(loop.owner.regions[0].blocks[0]):
            transform.yield_([loop.owner.regions[0].blocks[0].arguments[1]])
        silent = transform.foreach([], [loop])
        assert isinstance(silent, transform.ForeachOp)
        with ir.InsertionPoint(silent.body):
            transform.yield_()
        assert transform.cast(transform.OperationType.get("a.b"), silent.bodyTargets[0]).uses

    with pytest.raises(Exception, match="does not dominate|operand"):
        script(build)


def test_a_pass_gets_its_options(script, ir, transform):
    def build(target):
        i64 = ir.IntegerType.get_signless(64)
        known_later = transform.ParamConstantOp(
            transform.ParamType.get(i64), ir.IntegerAttr.get(i64, 3)
        )
        transform.apply_registered_pass(
            transform.AnyOpType.get(),
            target,
            "canonicalize",
            options={
                "top-down": True,
                "max-iterations": known_later,
                ir.StringAttr.get("names"): ["a", [known_later.result, 7]],
            },
        )
        with pytest.raises(TypeError, match="Unsupported option type: <class 'float'>"):
            transform.apply_registered_pass(target.type, target, "x", options={"y": 1.5})

    text = script(build)
    assert '"max-iterations" = %0' in text and '"top-down" = true' in text
    assert 'names = ["a", [%0, 7]]' in text


def test_leading_types_may_be_left_out(script, ir, transform, structured):
    def build(target):
        any_op = transform.AnyOpType.get()
        loop = transform.OperationType.get("scf.forall")
        plain = structured.TileUsingForallOp(target, tile_sizes=[4, target])
        typed = structured.TileUsingForallOp(loop, any_op, target, num_threads=[2])
        assert [result.type for result in plain.results] == [any_op, any_op]
        assert [result.type for result in typed.results] == [any_op, loop]
        with pytest.raises(TypeError, match="'tiled_op_type_or_none' is expected to be one"):
            structured.TileUsingForallOp(loop, target, tile_sizes=[4])
        tiled = structured.TileUsingForOp(target, sizes=[2, 0, [8]])
        assert len(tiled.results) == 3 and tiled.results[1].type == any_op
        one = structured.TileUsingForOp(loop, target, sizes=[2, 0, 8])
        assert [result.type for result in one.loops] == [loop, loop]
        with pytest.raises(AssertionError, match="TileUsingForOp with two targets"):
            structured.TileUsingForOp(target, target, sizes=[2])
        fused = structured.FuseOp(target, tile_sizes=[1, 2], use_forall=True)
        assert len(fused.results) == 2
        match = structured.MatchOp.match_op_names(target, "a.b")
        assert match.results_.type == any_op
        structured.FuseIntoContainingOp(match, tiled.results[1])
        structured.PadOp(target, padding_dimensions=[0], transpose_paddings=[[1, 0]])
        with pytest.raises(TypeError, match="must either both be given"):
            structured.VectorizeOp(target, scalable_sizes=[True])
        structured.VectorizeOp(target, [[4], 8])

    text = script(build)
    assert "tile_using_for %arg0 tile_sizes [2, 0, [8]]" in text
    assert "tile_sizes *" not in text and "vector_sizes [[4], 8]" in text


def test_choices(script, ir, dialect, transform):
    tune, debug = dialect("transform.tune"), dialect("transform.debug")

    def build(target):
        parameter = tune.knob(transform.AnyParamType.get(), "size", [16, 2.5, "all", False])
        set_one = tune.knob(transform.AnyParamType.get(), "flag", [True, False], selected=False)
        assert set_one.selected == ir.BoolAttr.get(False) and parameter.selected is None
        debug.emit_param_as_remark(parameter, anchor=target, message="chosen")
        debug.emit_remark_at(target, "here")
        chosen = tune.alternatives([], "ways", 2, selected_region=set_one)
        for region in chosen.regions:
            with ir.InsertionPoint(region.blocks[0]):
                transform.yield_()

    text = script(build)
    assert '"size" options = [16, 2.500000e+00, "all", false]' in text
    assert "selected_region = %" in text


NAMES = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    BODY
    transform.yield
  }
}
"""
LOOP = """
func.func @f(%x: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %v, %x[%i] : memref<8xf32>
  }
  return
}
"""
UNROLL = """
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop { factor = 4 } : !transform.any_op
"""


def parsed(ir, body, payload=LOOP):
    return ir.Module.parse(NAMES.replace("BODY", body)), ir.Module.parse(payload)


def test_a_script_changes_its_payload(ctx, ir, interpreter, find):
    rules, payload = parsed(ir, UNROLL)
    store = find(payload.operation, "memref.store")
    assert rules.body.operations[0].apply(payload) is payload
    assert str(payload).count("memref.store") == 4 and payload.operation.verify()
    assert str(store).startswith("memref.store"), "what survives can be used"


def test_what_a_script_destroys_says_so(ctx, ir, interpreter, find):
    body = """
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %loop { factor = 8 } : !transform.any_op
    transform.apply_patterns to %root { transform.apply_patterns.canonicalization } : !transform.any_op
    """
    rules, payload = parsed(ir, body)
    loop = find(payload.operation, "scf.for")
    step = loop.operands[2]
    interpreter.apply_named_sequence(payload, rules.body.operations[0], rules)
    for dead in (loop, loop.regions[0].blocks[0].arguments[0] if False else step.owner):
        with pytest.raises(RuntimeError, match="transform script"):
            str(dead)


def test_a_script_that_fails_says_why(ctx, ir, interpreter):
    body = """
    %loop = transform.structured.match ops{["scf.while"]} in %root : (!transform.any_op) -> !transform.op<"scf.while">
    %parent = transform.get_parent_op %root {op_name = "no.such"} : (!transform.any_op) -> !transform.any_op
    """
    rules, payload = parsed(ir, body)
    with pytest.raises(ValueError, match="Failed to apply named transform sequence.") as failed:
        interpreter.apply_named_sequence(payload, rules.body.operations[0], rules)
    assert "Diagnostic message at " in str(failed.value)
    with pytest.raises(ValueError, match="must implement TransformOpInterface"):
        interpreter.apply_named_sequence(payload, payload, rules)
    with pytest.raises(ValueError, match="must be a builtin.module"):
        rule = rules.body.operations[0]
        interpreter.apply_named_sequence(payload, rule, rule)


def test_a_remark_goes_to_standard_error(python, root):
    """Where the script succeeds, what it said is not lost."""
    program = f"""
from {root} import ir
from {root}.dialects.transform import interpreter
rules = '''{NAMES}'''.replace("BODY", 'transform.debug.emit_remark_at %root, "seen" : !transform.any_op')
with ir.Context(), ir.Location.unknown():
    rules, payload = ir.Module.parse(rules), ir.Module.parse("")
    interpreter.apply_named_sequence(payload, rules.body.operations[0], rules)
"""
    err = python(program).err
    assert "Diagnostic generated while applying transform.named_sequence:" in err
    assert ": seen" in err


def test_a_script_may_be_part_of_its_payload(ctx, ir, interpreter):
    """It runs as a copy: the one in the payload can be taken out."""
    body = """
    %all = transform.structured.match ops{["transform.named_sequence"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_registered_pass "symbol-dce" to %root : (!transform.any_op) -> !transform.any_op
    """
    module = ir.Module.parse(NAMES.replace("BODY", body).replace("sequence @", "sequence private @"))
    main = module.body.operations[0]
    interpreter.apply_named_sequence(module, main, module)
    assert len(list(module.body.operations)) == 0
    with pytest.raises(RuntimeError, match="transform script"):
        str(main)
    inner = ir.Module.parse(f"module @outer {{ {NAMES.replace('BODY', '')} \n func.func @g() {{ return }} }}")
    rules, payload = inner.body.operations
    interpreter.apply_named_sequence(payload, rules.regions[0].blocks[0].operations[0], rules)
    with pytest.raises(ValueError, match="must begin in the module"):
        interpreter.apply_named_sequence(inner, rules.regions[0].blocks[0].operations[0], payload)


def test_options(ctx, ir, interpreter):
    options = interpreter.TransformOptions()
    assert options.expensive_checks is True
    assert options.enforce_single_top_level_transform_op is True
    options.expensive_checks = options.enforce_single_top_level_transform_op = False
    assert options.expensive_checks is options.enforce_single_top_level_transform_op is False
    rules, payload = parsed(ir, UNROLL)
    interpreter.apply_named_sequence(payload, rules.body.operations[0], rules, options)
    assert str(payload).count("memref.store") == 4


def test_symbols_are_merged(ctx, ir, interpreter):
    target = ir.Module.parse(
        "module attributes {transform.with_named_sequence} {"
        " transform.named_sequence private @callee(!transform.any_op {transform.readonly}) }"
    )
    other = ir.Module.parse(
        "module attributes {transform.with_named_sequence} {"
        " transform.named_sequence @callee(%x: !transform.any_op {transform.readonly}) "
        "{ transform.yield } }"
    )
    declaration = target.body.operations[0]
    interpreter.copy_symbols_and_merge_into(target, other)
    assert "transform.yield" in str(target) and "transform.yield" in str(other)
    assert len(list(target.body.operations)) == 1
    with pytest.raises(RuntimeError):
        str(declaration)
    with pytest.raises(ValueError, match="doubly defined symbol @callee"):
        interpreter.copy_symbols_and_merge_into(target, other)
    with pytest.raises(ValueError, match="other has no symbol table"):
        interpreter.copy_symbols_and_merge_into(target, other.body.operations[0])


def test_contexts_are_not_mixed(ir, interpreter):
    with ir.Context():
        rules, _ = parsed(ir, "")
    with ir.Context(), pytest.raises(ValueError, match="context"):
        payload = ir.Module.parse(LOOP)
        interpreter.apply_named_sequence(payload, rules.body.operations[0], rules)


def test_a_pass_in_python_cannot_run_a_script_on_what_is_around_it(ctx, ir, interpreter, passmanager):
    rules, payload = parsed(ir, UNROLL)
    refused = []

    def run(op, _):
        try:
            interpreter.apply_named_sequence(payload, rules.body.operations[0], rules)
        except RuntimeError as error:
            refused.append(str(error))

    manager = passmanager.PassManager("any")
    manager.add(run, op_name="func.func") if False else None
    nested = passmanager.PassManager.parse("builtin.module(func.func(canonicalize))")
    nested.run(payload.operation)
    assert not refused and "memref.store" in str(payload)


def test_handles_are_chained(python, root):
    """In an interpreter of its own: the classes of the handles stay registered."""
    program = f"""
from {root} import ir
from {root}.dialects import scf, transform
from {root}.dialects.transform import extras, structured
with ir.Context(), ir.Location.unknown():
    module = ir.Module.create()
    seen = []

    def script(op):
        assert type(op) is extras.OpHandle and op.parent is None, type(op)
        loops = op.match_ops(scf.ForOp)
        assert loops.type == transform.OperationType.get("scf.for")
        assert loops.parent is op and op.children == [loops]
        anything = op.match_ops(["a.b", scf.ForOp]).print("both")
        assert anything.type == transform.AnyOpType.get()
        tilable = op.match_ops("TilingInterface")
        assert op.children == [loops, anything, tilable]
        value = loops.get_result()
        assert type(value) is extras.ValueHandle
        assert type(value.get_defining_op()) is extras.OpHandle
        assert type(extras.constant_param(3)) is extras.ParamHandle
        seen.append(op)

    extras.insert_transform_script(module.body, script)
    assert seen and module.operation.verify()
    @extras.named_sequence("other", [transform.AnyOpType.get()], [], )
    def other(x: transform.AnyOpType.get()):
        extras.apply_patterns(x)(lambda: None)
    print(module)
"""
    program = program.replace("    @extras", "    with ir.InsertionPoint(module.body):\n        pass\n    @extras") if False else program
    out = python(program.split("    @extras")[0] + "    print(module)\n").out
    assert 'ops{["a.b", "scf.for"]}' in out and 'name = "both"' in out
    assert "interface{TilingInterface}" in out


def test_an_extension_costs_nothing_until_it_is_imported(python, root):
    out = python(
        f"import sys; import {root}.dialects.transform; "
        "print([n for n in sys.modules if n.endswith(('_structured_transform_ops_gen', "
        "'_linalg_ops_gen', 'transform.extras'))])"
    )
    assert out.out == "[]\n"


def test_nothing_is_left(ir, interpreter):
    before = ir.Context._get_live_count()
    with ir.Context():
        rules, payload = parsed(ir, UNROLL)
        rules.body.operations[0].apply(payload)
    del rules, payload
    gc.collect()
    assert ir.Context._get_live_count() == before
