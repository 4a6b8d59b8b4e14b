"""The transform dialect: its types, its operations by hand, and what runs its scripts."""

import gc
import importlib
import os

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
    with pytest.raises(ir.MLIRError, match="only supports integer types"):
        transform.ParamType.get(ir.F32Type.get())


def test_types_bring_their_dialect(ir, transform):
    """MLIR can make them only in a context that has it loaded."""
    for make in (
        transform.AnyOpType.get,
        transform.AnyParamType.get,
        transform.AnyValueType.get,
        lambda: transform.OperationType.get("a.b"),
        lambda: transform.ParamType.get(ir.IntegerType.get_signless(8)),
    ):
        with ir.Context(load_on_create_dialects=["func"]):
            assert "transform." in str(make())


def test_a_sequence_binds_types_or_values(script, ir, transform):
    def build(target, extra):
        assert type(extra.type) is transform.AnyValueType
        mode = transform.FailurePropagationMode.Suppress
        inner = transform.SequenceOp(mode, [target.type], target, [extra])
        with ir.InsertionPoint(inner.body):
            transform.yield_([inner.bodyTarget])
        assert inner.bodyExtraArgs[0].type == extra.type and inner.result.type == target.type

    text = script(build, transform.AnyValueType.get())
    assert "sequence %arg0, %arg1 : (!transform.any_op, !transform.any_value)" in text


def test_functions_give_results(script, ir, transform):
    def build(target):
        any_op = transform.AnyOpType.get()
        parent = transform.get_parent_op(any_op, target, op_name="func.func", nth_parent=2)
        merged = transform.merge_handles([parent, target], deduplicate=True)
        first, second = transform.replicate(merged, [parent, target])
        assert [first.type, second.type] == [any_op, any_op]
        each = transform.foreach([any_op], [first, second])
        body = each.owner.regions[0].blocks[0]
        with ir.InsertionPoint(body):
            transform.yield_([body.arguments[1]])
        silent = transform.foreach([], [each])
        assert isinstance(silent, transform.ForeachOp) and len(silent.bodyTargets) == 1
        with ir.InsertionPoint(silent.body):
            transform.yield_()
        named = transform.cast(transform.OperationType.get("a.b"), each)
        assert named.type.operation_name == "a.b"
        patterns = transform.apply_patterns(named, apply_cse=True, max_iterations=3)
        assert len(patterns.patterns.operations) == 0

    text = script(build)
    assert 'get_parent_op %arg0 {nth_parent = 2 : i64, op_name = "func.func"}' in text
    assert "merge_handles deduplicate %0, %arg0" in text and "max_iterations = 3" in text


@pytest.mark.before_llvm(22, "newer LLVMs' options are attributes")
def test_a_pass_gets_its_options_as_text(script, ir, transform):
    def build(target):
        options = {"top-down": False, "max-iterations": 3, ir.StringAttr.get("names"): ["a", 7]}
        done = transform.apply_registered_pass(target.type, target, "inline", options=options)
        transform.apply_registered_pass(target.type, done, "cse")
        i64 = ir.IntegerType.get_signless(64)
        later = transform.ParamConstantOp(transform.ParamType.get(i64), ir.IntegerAttr.get(i64, 3))
        with pytest.raises(NotImplementedError, match="known only when the pass runs"):
            transform.apply_registered_pass(target.type, target, "x", options={"y": later})

    assert '{options = "top-down=false max-iterations=3 names=a,7"}' in script(build)


@pytest.mark.since_llvm(22, "LLVM 19's options are a string")
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
    assert '"names" = ["a", [%0, 7 : i64]]' in text


def test_leading_types_may_be_omitted(script, ir, transform, structured, llvm):
    def build(root):
        any_op = transform.AnyOpType.get()
        loop = transform.OperationType.get("scf.forall")

        def target():
            # An operation consumes its handle, so that each one needs a new handle.
            return structured.MatchOp.match_op_names(root, "a.b").results_

        assert target().type == any_op
        plain = structured.TileUsingForallOp(target(), tile_sizes=[4, target()])
        typed = structured.TileUsingForallOp(loop, any_op, target(), num_threads=[2])
        assert [result.type for result in plain.results] == [any_op, any_op]
        assert {result.type for result in typed.results} == {any_op, loop}
        with pytest.raises(TypeError, match="'tiled_op_type_or_none' is expected to be one"):
            structured.TileUsingForallOp(loop, root, tile_sizes=[4])
        tiled = structured.TileUsingForOp(target(), sizes=[2, 0, [8]])
        assert len(tiled.results) == 3 and tiled.results[1].type == any_op
        one = structured.TileUsingForOp(loop, target(), sizes=[2, 0, 8])
        assert [result.type for result in one.loops] == [loop, loop]
        with pytest.raises(AssertionError, match="TileUsingForOp with two targets"):
            structured.TileUsingForOp(root, root, sizes=[2])
        if llvm >= 22:
            fused = structured.FuseOp(target(), tile_sizes=[1, 2], use_forall=True)
            assert len(fused.results) == 2
        else:
            with pytest.raises(NotImplementedError, match="use_forall need LLVM 22"):
                structured.FuseOp(target(), tile_sizes=[1, 2], use_forall=True)
        fused = structured.FuseOp(target(), tile_sizes=[1, 2], tile_interchange=[1, 0])
        assert len(fused.results) == 3
        structured.FuseIntoContainingOp(target(), tiled.results[1])
        structured.PadOp(target(), padding_dimensions=[0], transpose_paddings=[[1, 0]])
        with pytest.raises(TypeError, match="must either both be given"):
            structured.VectorizeOp(root, scalable_sizes=[True])
        structured.VectorizeOp(target(), [[4], 8])

    text = script(build)
    assert "tile_sizes [2, 0, [8]]" in text and "vector_sizes [[4], 8]" in text
    assert "tile_sizes [4, %" in text


@pytest.mark.since_llvm(22, "LLVM 19 has no such extension")
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
    assert '<"size"> options = [16, 2.500000e+00, "all", false]' in text
    assert "selected_region = %" in text


# Types of handles that the scripts here have.
ANY = "!transform.any_op"
TO_ANY = f"(!transform.any_op) -> {ANY}"

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
UNROLL = f"""
    %loop = transform.structured.match ops{{["scf.for"]}} in %root : {TO_ANY}
    transform.loop.unroll %loop {{ factor = 4 }} : {ANY}
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
    lower = f'transform.apply_registered_pass "convert-scf-to-cf" to %root : {TO_ANY}'
    rules, payload = parsed(ir, lower)
    loop = find(payload.operation, "scf.for")
    region = loop.regions[0]
    interpreter.apply_named_sequence(payload, rules.body.operations[0], rules)
    assert "scf.for" not in str(payload)
    for look in (lambda: str(loop), lambda: region.blocks):
        with pytest.raises(RuntimeError, match="destroyed by a transform script"):
            look()


def test_a_script_that_fails_says_why(ctx, ir, interpreter):
    look_up = f'transform.get_parent_op %root {{op_name = "no.such"}} : {TO_ANY}'
    rules, payload = parsed(ir, look_up)
    with pytest.raises(ValueError, match="Failed to apply named transform sequence.") as failed:
        interpreter.apply_named_sequence(payload, rules.body.operations[0], rules)
    assert "Diagnostic message at " in str(failed.value)
    with pytest.raises(ValueError, match="must implement TransformOpInterface"):
        interpreter.apply_named_sequence(payload, rules, rules)
    with pytest.raises(ValueError, match="must be a builtin.module"):
        rule = rules.body.operations[0]
        interpreter.apply_named_sequence(payload, rule, rule)


def test_a_remark_goes_to_standard_error(python, root):
    """If the script succeeds, what it said is not lost."""
    rules = NAMES.replace("BODY", f'transform.debug.emit_remark_at %root, "seen" : {ANY}')
    program = f"""
from {root} import ir
from {root}.dialects.transform import interpreter
rules = '''{rules}'''
with ir.Context(), ir.Location.unknown():
    rules, payload = ir.Module.parse(rules), ir.Module.parse("")
    interpreter.apply_named_sequence(payload, rules.body.operations[0], rules)
"""
    err = python(program).stderr
    assert "Diagnostic generated while applying transform.named_sequence:" in err
    assert ": seen" in err


def test_a_script_may_be_part_of_its_payload(ctx, ir, interpreter):
    """It runs as a copy: the one in the payload can be taken out."""
    clean = f'transform.apply_registered_pass "symbol-dce" to %root : {TO_ANY}'
    private = NAMES.replace("_sequence @", "_sequence private @")
    module = ir.Module.parse(private.replace("BODY", clean))
    main = module.body.operations[0]
    interpreter.apply_named_sequence(module, main, module)
    assert len(module.body.operations) == 0
    with pytest.raises(RuntimeError, match="destroyed by a transform script"):
        str(main)


def test_a_script_beside_its_payload_must_be_in_its_module(ctx, ir, interpreter):
    both = ir.Module.parse(f"{NAMES.replace('BODY', '')} func.func @g() {{ return }}")
    rules, payload = both.body.operations
    main = rules.regions[0].blocks[0].operations[0]
    interpreter.apply_named_sequence(payload, main, rules)
    with pytest.raises(ValueError, match="must begin in the module"):
        interpreter.apply_named_sequence(both, main, payload)


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


def test_a_pattern_cannot_run_a_script_on_what_it_is_applied_to(ctx, ir, interpreter, root):
    rewrite = importlib.import_module(f"{root}.rewrite")
    rules, payload = parsed(ir, UNROLL)
    refused = []

    def pattern(op, rewriter):
        try:
            interpreter.apply_named_sequence(payload, rules.body.operations[0], rules)
        except RuntimeError as error:
            refused.append(str(error))
        return True

    patterns = rewrite.RewritePatternSet()
    patterns.add("scf.for", pattern)
    rewrite.walk_and_apply_patterns(payload.operation, patterns.freeze())
    assert len(refused) == 1 and "under way" in refused[0]
    assert str(payload).count("memref.store") == 1


def test_handles_are_chained(python, root):
    """In an interpreter of its own: the classes of the handles stay registered."""
    program = f"""
from {root} import ir
from {root}.dialects import scf, transform
from {root}.dialects.transform import extras

def script(op):
    assert type(op) is extras.OpHandle and op.parent is None
    loops = op.match_ops(scf.ForOp)
    assert loops.type == transform.OperationType.get("scf.for")
    assert loops.parent is op and op.children == [loops]
    several = op.match_ops(["a.b", scf.ForOp]).print("both")
    assert several.type == transform.AnyOpType.get()
    tilable = op.match_ops("TilingInterface")
    assert op.children == [loops, several, tilable]
    value = loops.get_result()
    assert type(value) is extras.ValueHandle
    assert type(value.get_defining_op()) is extras.OpHandle
    assert type(extras.constant_param(3)) is extras.ParamHandle

with ir.Context(), ir.Location.unknown():
    module = ir.Module.create()
    module.operation.attributes["transform.with_named_sequence"] = ir.UnitAttr.get()
    extras.insert_transform_script(module.body, script)
    with ir.InsertionPoint(module.body):
        @extras.named_sequence("other", [transform.AnyOpType.get()], [])
        def other(op):
            extras.apply_patterns(op)(lambda: None)
    assert module.operation.verify()
    print(module)
"""
    out = python(program).stdout
    assert 'ops{["a.b", "scf.for"]}' in out and 'name = "both"' in out
    assert "interface{TilingInterface}" in out
    assert "named_sequence @other(%arg0: !transform.any_op)" in out


def test_each_extension_has_its_module(dialect, transform):
    folder = os.path.dirname(transform.__file__)
    names = {name.removesuffix(".py") for name in os.listdir(folder) if name.endswith(".py")}
    extensions = {name for name in names if name[0] != "_"}
    assert {"structured", "loop", "debug", "vector"} <= extensions
    assert ("nvgpu" in extensions) == (os.environ.get("MONDO_BUNDLE") != "standard")
    for name in extensions:
        module = dialect(f"transform.{name}")
        assert module._Dialect is transform._Dialect
        operations = [it for it in vars(module).values() if hasattr(it, "OPERATION_NAME")]
        assert all(it.OPERATION_NAME.startswith("transform.") for it in operations) and operations


def test_an_extension_costs_nothing_until_it_is_imported(python, root):
    out = python(
        f"import sys; import {root}.dialects.transform; "
        "print([n for n in sys.modules if n.endswith(('_structured_transform_ops_gen', "
        "'_linalg_ops_gen', 'transform.extras'))])"
    )
    assert out.stdout == "[]\n"


def test_nothing_is_left(ir, interpreter):
    gc.collect()
    before = ir.Context._get_live_count()
    with ir.Context():
        rules, payload = parsed(ir, UNROLL)
        rules.body.operations[0].apply(payload)
    del rules, payload
    gc.collect()
    assert ir.Context._get_live_count() == before
