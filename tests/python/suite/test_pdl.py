"""Patterns in the PDL dialect, and Python functions that they call."""

import gc
import importlib
import weakref

import pytest


@pytest.fixture(scope="session")
def rewrite(root):
    return importlib.import_module(f"{root}.rewrite")


@pytest.fixture
def pdl(ir, ctx):
    ctx.allow_unregistered_dialects = True
    return ir.Module.parse


REPLACE = """
pdl.pattern @p : benefit(1) {
  %ty = pdl.type : i32
  %op = pdl.operation "t.old" -> (%ty : !pdl.type)
  pdl.rewrite %op {
    %result = pdl.apply_native_rewrite "make"(%op : !pdl.operation) : !pdl.KIND
    USE
  }
}
"""

USES = {
    "value": "pdl.replace %op with (%result : !pdl.value)",
    "operation": "pdl.replace %op with %result",
    "attribute": (
        '%new = pdl.operation "t.new" {"it" = %result} -> (%ty : !pdl.type)\n'
        "pdl.replace %op with %new"
    ),
    "type": ('%new = pdl.operation "t.new" -> (%result : !pdl.type)\npdl.replace %op with %new'),
}

TARGET = '%0 = "t.old"() : () -> i32\n"t.use"(%0) : (i32) -> ()'


def pattern(kind):
    return REPLACE.replace("KIND", kind).replace("USE", USES[kind])


def frozen(rewrite, module, **functions):
    patterns = rewrite.PDLModule(module)
    for name, function in functions.items():
        patterns.register_rewrite_function(name, function)
    return patterns.freeze()


def make(ir, kind, op, rewriter):
    if kind == "attribute":
        return ir.StringAttr.get("here")
    if kind == "type":
        return ir.IntegerType.get_signless(32)
    with rewriter.ip, op.location:
        made = ir.Operation.create("t.new", results=[ir.IntegerType.get_signless(32)])
        return made if kind == "operation" else made.result


def drivers(rewrite):
    return [
        lambda module, set: rewrite.apply_patterns_and_fold_greedily(module, set),
        lambda module, set: rewrite.walk_and_apply_patterns(module.operation, set),
    ]


@pytest.mark.parametrize("kind", USES)
@pytest.mark.parametrize("driver", range(2))
def test_a_result_of_each_kind(ir, pdl, rewrite, kind, driver):
    def function(rewriter, results, values):
        results.append(make(ir, kind, values[0], rewriter))

    module = pdl(TARGET)
    drivers(rewrite)[driver](module, frozen(rewrite, pdl(pattern(kind)), make=function))
    assert module.operation.verify()
    names = [op.name for op in module.body]
    assert names == ["t.new", "t.use"]


def raises(ir, kind, rewriter, results, op):
    raise LookupError("not today")


def returns_true(ir, kind, rewriter, results, op):
    return True


def too_few(ir, kind, rewriter, results, op):
    pass


def too_many(ir, kind, rewriter, results, op):
    for _ in range(2):
        results.append(make(ir, kind, op, rewriter))


def wrong_kind(ir, kind, rewriter, results, op):
    results.append(ir.UnitAttr.get() if kind != "attribute" else ir.NoneType.get())


def raises_late(ir, kind, rewriter, results, op):
    wrong_kind(ir, kind, rewriter, results, op)
    raise LookupError("not today")


def dead(ir, kind, rewriter, results, op):
    made = make(ir, "operation", op, rewriter)
    results.append(made)
    rewriter.erase_op(made)


FAULTS = {
    raises: (LookupError, "not today"),
    raises_late: (LookupError, "not today"),
    returns_true: (RuntimeError, '"make" failed'),
    too_few: (ValueError, "gave 0 results, where the pattern takes 1"),
    too_many: (ValueError, "gave 2 results, where the pattern takes 1"),
    wrong_kind: (TypeError, 'result 0 of the native function "make" is'),
    dead: (RuntimeError, "erased|invalid|by a walk"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("kind", USES)
@pytest.mark.parametrize("driver", range(2))
def test_a_rewrite_function_that_fails_raises(ir, pdl, rewrite, fault, kind, driver):
    """MLIR would end the process, or read what is not there."""
    calls = []

    def function(rewriter, results, values):
        calls.append(values[0].name)
        return fault(ir, kind, rewriter, results, values[0])

    module = pdl(TARGET + "\n" + TARGET.replace("%0", "%1"))
    error, match = FAULTS[fault]
    with pytest.raises(error, match=match):
        drivers(rewrite)[driver](module, frozen(rewrite, pdl(pattern(kind)), make=function))
    assert calls == ["t.old"]
    # The remaining module can be printed and walked, and is freed.
    assert str(module)
    for op in module.body:
        assert op.name in ("t.old", "t.use", "t.new", "builtin.unrealized_conversion_cast")


def test_a_failure_leaves_nothing_that_is_not_used(ir, pdl, rewrite):
    def function(rewriter, results, values):
        raise LookupError

    text = pattern("value").replace(USES["value"], "pdl.erase %op")
    module = pdl('%0 = "t.old"() : () -> i32')
    with pytest.raises(LookupError):
        rewrite.apply_patterns_and_fold_greedily(module, frozen(rewrite, pdl(text), make=function))
    assert list(module.body) == []


@pytest.mark.parametrize("kind", ["operation", "value"])
@pytest.mark.parametrize("driver", range(2))
def test_a_result_that_is_not_inserted_is_refused(ir, pdl, rewrite, kind, driver):
    """Python would free it with its last reference, while the tree uses it."""

    def function(rewriter, results, values):
        with values[0].location:
            made = ir.Operation.create("t.new", results=[ir.IntegerType.get_signless(32)])
        results.append(made if kind == "operation" else made.result)

    module = pdl(TARGET)
    error = 'result 0 of the native function "make" is not in the tree'
    with pytest.raises(ValueError, match=error):
        drivers(rewrite)[driver](module, frozen(rewrite, pdl(pattern(kind)), make=function))
    gc.collect()
    assert "t.new" not in str(module)
    assert all(operand.owner.name != "t.new" for op in module.body for operand in op.operands)


def test_a_constraint_gives_only_what_is_in_the_tree(ir, pdl, rewrite):
    text = """
    pdl.pattern : benefit(1) {
      %ty = pdl.type : i32
      %op = pdl.operation "t.old" -> (%ty : !pdl.type)
      %value = pdl.apply_native_constraint "judge"(%op : !pdl.operation) : !pdl.value
      pdl.rewrite %op {
        pdl.replace %op with (%value : !pdl.value)
      }
    }
    """
    module = pdl('%0 = "t.here"() : () -> i32\n' + TARGET.replace("%0", "%1"))
    other = pdl('%0 = "t.there"() : () -> i32')

    def judged(source):
        def judge(rewriter, results, values):
            results.append(source.body.operations[0].result)

        patterns = rewrite.PDLModule(pdl(text))
        patterns.register_constraint_function("judge", judge)
        rewrite.apply_patterns_and_fold_greedily(module, patterns.freeze())

    with pytest.raises(ValueError, match='"judge" is not in the tree'):
        judged(other)
    assert [op.name for op in module.body] == ["t.here", "t.old", "t.use"]
    judged(module)
    assert [op.name for op in module.body] == ["t.here", "t.use"]


ERASES = {
    "erased": "pdl.erase %op",
    "replaced by itself": "pdl.replace %op with (%own : !pdl.value)",
    "replaced by what is inside": """
    %inside = pdl.apply_native_rewrite "make"(%op : !pdl.operation) : !pdl.value
    pdl.replace %op with (%inside : !pdl.value)
    """,
    "replaced by an argument inside": """
    %inside = pdl.apply_native_rewrite "argument"(%op : !pdl.operation) : !pdl.value
    pdl.replace %op with (%inside : !pdl.value)
    """,
}


@pytest.mark.parametrize("how", ERASES)
@pytest.mark.parametrize("driver", range(2))
def test_what_used_an_operation_that_a_pattern_erased_is_sound(ir, pdl, rewrite, how, driver):
    """MLIR would leave null operands in its users, or in a walk the pointer to it."""
    text = """
    pdl.pattern : benefit(1) {
      %ty = pdl.type : i32
      %op = pdl.operation "t.old" -> (%ty : !pdl.type)
      %own = pdl.result 0 of %op
      pdl.rewrite %op { HOW }
    }
    """
    patterns = rewrite.PDLModule(pdl(text.replace("HOW", ERASES[how])))
    patterns.register_rewrite_function(
        "make",
        lambda rewriter, results, values: results.append(
            values[0].regions[0].blocks[0].operations[0].result
        ),
    )
    patterns.register_rewrite_function(
        "argument",
        lambda rewriter, results, values: results.append(
            values[0].regions[0].blocks[0].arguments[0]
        ),
    )
    module = pdl("""
    %0 = "t.old"() ({
    ^entry(%argument: i32):
      %1 = "t.in"() : () -> i32
      "t.end"() : () -> ()
    }) : () -> i32
    "t.use"(%0) : (i32) -> ()
    """)
    drivers(rewrite)[driver](module, patterns.freeze())
    placeholder, user = module.body
    assert placeholder.name == "builtin.unrealized_conversion_cast"
    assert user.operands[0].owner == placeholder.operation
    assert "t.old" not in str(module) and module.operation.verify()


@pytest.mark.parametrize("driver", range(2))
def test_a_pattern_may_erase_what_the_driver_looks_at_next(pdl, rewrite, driver):
    text = """
    pdl.pattern : benefit(1) {
      %ty = pdl.type : i32
      %op = pdl.operation "t.old" -> (%ty : !pdl.type)
      %value = pdl.result 0 of %op
      %user = pdl.operation "t.use"(%value : !pdl.value)
      pdl.rewrite %op { pdl.erase %user }
    }
    """
    one = TARGET + '\n"t.box"() ({ "t.in"() : () -> () }) : () -> ()'
    module = pdl("\n".join(one.replace("%0", f"%{number}") for number in range(20)))
    drivers(rewrite)[driver](module, rewrite.PDLModule(pdl(text)).freeze())
    assert [op.name for op in module.body] == ["t.old", "t.box"] * 20


def test_functions_without_results(ir, pdl, rewrite):
    """A `pdl.rewrite` with a name leaves everything to the function."""
    text = """
    pdl.pattern : benefit(1) {
      %op = pdl.operation "t.gone"
      pdl.rewrite %op with "finish"
    }
    """
    seen = []

    def finish(rewriter, results, values):
        seen.append(values[0].name)
        rewriter.erase_op(values[0])

    module = pdl('"t.gone"() : () -> ()')
    rewrite.apply_patterns_and_fold_greedily(module, frozen(rewrite, pdl(text), finish=finish))
    assert seen == ["t.gone"] and list(module.body) == []

    def fails(rewriter, results, values):
        raise LookupError

    module = pdl('"t.gone"() : () -> ()\n"t.gone"() : () -> ()')
    with pytest.raises(LookupError):
        rewrite.apply_patterns_and_fold_greedily(module, frozen(rewrite, pdl(text), finish=fails))
    assert len(list(module.body)) == 2


CONSTRAINED = """
pdl.pattern : benefit(1) {
  %op = pdl.operation "t.old"
  %attr = pdl.apply_native_constraint "judge"(%op : !pdl.operation) : !pdl.attribute
  pdl.rewrite %op {
    %new = pdl.operation "t.new" {"it" = %attr}
    pdl.replace %op with %new
  }
}
"""


def test_constraints(ir, pdl, rewrite):
    def judge(rewriter, results, values):
        if "keep" in values[0].attributes:
            return True
        results.append(ir.StringAttr.get("judged"))

    patterns = rewrite.PDLModule(pdl(CONSTRAINED))
    patterns.register_constraint_function("judge", judge)
    module = pdl('"t.old"() {keep} : () -> ()\n"t.old"() : () -> ()')
    rewrite.apply_patterns_and_fold_greedily(module, patterns.freeze())
    first, second = module.body
    assert first.name == "t.old" and second.attributes["it"] == ir.StringAttr.get("judged")


def test_a_constraint_only_looks(ir, pdl, rewrite):
    def judge(rewriter, results, values):
        for change in (
            lambda: rewriter.ip,
            lambda: rewriter.erase_op(values[0]),
            lambda: rewriter.replace_op(values[0], []),
        ):
            with pytest.raises(RuntimeError, match="can only look"):
                change()
        return True

    patterns = rewrite.PDLModule(pdl(CONSTRAINED))
    patterns.register_constraint_function("judge", judge)
    module = pdl('"t.old"() : () -> ()')
    rewrite.apply_patterns_and_fold_greedily(module, patterns.freeze())
    assert [op.name for op in module.body] == ["t.old"]


@pytest.mark.parametrize(
    ("give", "error"),
    [
        ([], ValueError),
        (["attribute", "attribute"], ValueError),
        (["type"], TypeError),
        (["nonsense"], TypeError),
    ],
)
def test_constraints_with_wrong_results(ir, pdl, rewrite, give, error):
    def judge(rewriter, results, values):
        for kind in give:
            results.append(object() if kind == "nonsense" else make(ir, kind, values[0], rewriter))

    patterns = rewrite.PDLModule(pdl(CONSTRAINED))
    patterns.register_constraint_function("judge", judge)
    module = pdl('"t.old"() : () -> ()')
    with pytest.raises(error):
        rewrite.apply_patterns_and_fold_greedily(module, patterns.freeze())
    assert [op.name for op in module.body] == ["t.old"]


def test_functions_that_are_missing(ir, pdl, rewrite):
    """MLIR would call another function, or none."""
    patterns = rewrite.PDLModule(pdl(pattern("value")))
    patterns.register_constraint_function("make", print)
    with pytest.raises(ValueError, match='the rewrite function "make", which was not registered'):
        patterns.freeze()
    patterns.register_rewrite_function("make", print)
    patterns.register_rewrite_function("nobody calls it", print)
    patterns.freeze()
    with pytest.raises(ValueError, match='the constraint function "judge"'):
        rewrite.PDLModule(pdl(CONSTRAINED)).freeze()


def test_what_python_functions_cannot_give(ir, pdl, rewrite):
    ranges = """
    pdl.pattern : benefit(1) {
      %op = pdl.operation "t.old"
      pdl.rewrite %op {
        %r = pdl.apply_native_rewrite "make"(%op : !pdl.operation) : !pdl.range<value>
        pdl.erase %op
      }
    }
    """
    with pytest.raises(ValueError, match="has a result of type !pdl.range<value>, which a Python"):
        rewrite.PDLModule(pdl(ranges))
    both = pattern("value") + pattern("type").replace("@p", "@q")
    with pytest.raises(ValueError, match='"make" is called with different kinds of results'):
        rewrite.PDLModule(pdl(both))


def test_the_list_is_for_the_call_only(ir, pdl, rewrite):
    kept = []

    def function(rewriter, results, values):
        kept.append(results)
        results.append(make(ir, "value", values[0], rewriter))

    rewrite.apply_patterns_and_fold_greedily(
        pdl(TARGET), frozen(rewrite, pdl(pattern("value")), make=function)
    )
    with pytest.raises(RuntimeError, match="outside of the function"):
        kept[0].append(ir.UnitAttr.get())


def test_functions_live_as_long_as_the_patterns(ir, pdl, rewrite):
    class Function:
        def __call__(self, rewriter, results, values):
            results.append(make(ir, "value", values[0], rewriter))

    function = Function()
    gone = weakref.ref(function)
    patterns = frozen(rewrite, pdl(pattern("value")), make=function)
    del function
    gc.collect()
    rewrite.apply_patterns_and_fold_greedily(pdl(TARGET), patterns)
    assert gone() is not None
    del patterns
    gc.collect()
    assert gone() is None
