"""Patterns and passes of a dialect in Rust, by their names in pipelines, and those that fail."""

import threading

import pytest


def test_canonicalization_patterns(after):
    text = after(
        "canonicalize", "func.func @f() { sample.trace sample.trace {a} sample.trace {b} return }"
    )
    assert text.count("sample.trace") == 1
    assert "sample.trace {b}" in text


def test_a_pass_of_patterns(after):
    text = after(
        "sample-lower",
        """func.func @f(%a: i32) -> i32 {
             %0 = sample.constant 3 : i32
             %1 = sample.add %a, %0 : i32
             return %1 : i32
           }""",
    )
    assert "sample." not in text
    assert "arith.constant 3 : i32" in text and "arith.addi %arg0, %c3_i32 : i32" in text


def test_options(after):
    text = "func.func @f() { sample.trace return }"
    assert "sample.trace {mark = 1 : i64}" in after("func.func(sample-mark)", text)
    marked = after("func.func(sample-mark{name=other number=-7 all=true})", text)
    assert "sample.trace {other = -7 : i64}" in marked and "return {other = -7 : i64}" in marked


def test_pipelines_are_written(passmanager, ctx):
    text = "builtin.module(func.func(sample-mark{all=true name=x number=3}),sample-lower)"
    assert str(passmanager.PassManager.parse(text)) == text


@pytest.mark.parametrize("options", ["number=many", "all=perhaps", "unknown=1", "number="])
def test_options_that_do_not_parse(passmanager, ir, ctx, options):
    with pytest.raises((ir.MLIRError, ValueError)):
        passmanager.PassManager.parse(f"builtin.module(func.func(sample-mark{{{options}}}))")


def test_a_pass_runs_on_its_operation_only(passmanager, ir, ctx):
    with pytest.raises((ir.MLIRError, ValueError), match="sample-mark|func.func"):
        manager = passmanager.PassManager.parse("builtin.module(sample-mark)")
        manager.run(ir.Module.parse("func.func @f() { return }").operation)


def test_threads(after):
    functions = "\n".join(
        f"func.func @f{n}(%a: i32) -> i32 {{ %0 = sample.constant {n + 1} : i32 "
        "%1 = sample.add %a, %0 : i32 "
        "sample.trace sample.trace return %1 : i32 }"
        for n in range(300)
    )
    text = after("func.func(sample-mark,canonicalize,sample-lower)", functions)
    assert "sample.add" not in text and text.count("sample.trace") == 300
    assert text.count("arith.addi") == 300


def test_moving(after):
    """Operations are moved out of nested regions, and what is left is erased."""
    text = after(
        "sample-unwrap",
        """func.func @f(%a: i32) {
             sample.strict {
               sample.strict { %0 = sample.abs %a : i32 sample.yield } sample.trace sample.yield
             }
             return
           }""",
    )
    assert "sample.strict" not in text and "sample.abs" in text and "sample.trace" in text


OP = 'func.func @f(%a: f64) -> f64 { %0 = faulty.op "fine" %a : f64 return %0 : f64 }'

FAILING = [
    ("faulty-panic", "panicked: told to panic in a pass"),
    ("faulty-refuse", "was told to refuse"),
    ("faulty-option", "panicked: the pass has no option `missing` of this kind"),
    ("func.func(faulty-itself)", "`func.func` is in no block"),
    ("faulty-invalid", "requires attribute 'when'"),
    ("faulty-endless", "the patterns of the pass 'faulty-endless' find no end"),
    ("faulty-pattern", "panicked: told to panic in a pattern"),
    ("faulty-visited", "a pass changes only what is in its operation"),
    ("faulty-around", "is in no block|a pass changes only what is in its operation"),
    ("faulty-used", "`faulty.op` is still used, so it cannot be erased"),
]


@pytest.mark.parametrize(("name", "why"), FAILING, ids=[name for name, _ in FAILING])
def test_passes_that_fail(ir, passmanager, ctx, capfd, name, why):
    module = ir.Module.parse(OP)
    with pytest.raises(ir.MLIRError, match=why):
        passmanager.PassManager.parse(f"builtin.module({name})").run(module.operation)
    # Others go on in the same context.
    other = ir.Module.parse(OP)
    passmanager.PassManager.parse("builtin.module(canonicalize)").run(other.operation)
    assert other.operation.verify()
    assert "panicked" not in capfd.readouterr().err


def test_no_handle_leads_out_of_a_pass(after):
    assert "faulty.op" in after("func.func(faulty-outside)", OP)


CLOSED = """func.func @f(%a: i32) -> i32 {
  %0 = "faulty.closed"(%a) ({ BODY }) : (i32) -> i32
  return %0 : i32
}"""


def test_no_handle_leads_to_owners_of_operands_and_users_of_results(ir, passmanager, ctx):
    """Another thread may be changing both."""
    pipeline = "builtin.module(func.func(faulty.closed(faulty-owner)))"
    module = ir.Module.parse(CLOSED.replace("BODY", ""))
    passmanager.PassManager.parse(pipeline).run(module.operation)
    text = CLOSED.replace("BODY", "%1 = arith.constant 1 : i32")
    module = ir.Module.parse(text)
    with pytest.raises(ir.MLIRError, match="a pass changes only what is in its operation"):
        passmanager.PassManager.parse(pipeline).run(module.operation)
    assert "return %0 : i32" in str(module)


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ("rewrite", "panicked: told to panic in rewrite"),
        ("rewrite-error", "was told to refuse a rewrite"),
        ("rewrite-invalid", "the new `faulty.op` is not valid"),
    ],
)
def test_canonicalization_that_fails(ir, passmanager, ctx, when, why):
    """No pass of MLIR can be told, so that the verification after it fails."""
    module = ir.Module.parse(OP.replace("fine", when))
    text = str(module)
    with pytest.raises(ir.MLIRError, match=why) as error:
        passmanager.PassManager.parse("builtin.module(canonicalize)").run(module.operation)
    assert "a callback of the dialect 'faulty' went wrong before" in str(error.value)
    assert str(module) == text
    assert module.operation.verify()


def test_canonicalization_that_never_ends(ir, passmanager, ctx):
    """MLIR has a limit for it."""
    module = ir.Module.parse(OP.replace("fine", "again"))
    pipeline = "builtin.module(canonicalize{max-num-rewrites=50 test-convergence=true})"
    with pytest.raises(ir.MLIRError):
        passmanager.PassManager.parse(pipeline).run(module.operation)


def test_a_default_that_panics(ir, capfd):
    """The operation has no default then."""
    with ir.Context() as context, ir.Location.unknown():
        said = []
        context.attach_diagnostic_handler(lambda it: said.append(it.message) or True)
        context.dialects["faulty"]
        module = ir.Module.parse('"faulty.inside"() <{when = "fine"}> ({}) : () -> ()')
        assert module.operation.verify()
    assert (
        any("told to panic in a default" in message for message in said)
        or "told to panic" in capfd.readouterr().err
    )


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ("regions", "its verifier panicked: told to panic in regions"),
        ("refuse", "was told to refuse its regions"),
    ],
)
def test_verifiers_of_regions(ir, ctx, when, why):
    with pytest.raises(ir.MLIRError, match=why):
        ir.Module.parse(f'"faulty.inside"() <{{when = "{when}"}}> ({{}}) : () -> ()')


def test_passes_in_many_contexts(ir, passmanager):
    wrong = []

    def work():
        try:
            for _ in range(20):
                with ir.Context(), ir.Location.unknown():
                    module = ir.Module.parse("func.func @f() { sample.trace sample.trace return }")
                    passmanager.PassManager.parse(
                        "builtin.module(canonicalize,func.func(sample-mark))"
                    ).run(module.operation)
                    if str(module).count("{mark = 1 : i64}") != 1:
                        wrong.append(str(module))
        except Exception as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_pass_sees_its_own_diagnostics_only(ir, passmanager, ctx, capfd):
    """Other threads verify what is not valid at the same time."""
    function = 'func.func @f{}(%a: f64) {{ %0 = faulty.op "fine" %a : f64 return }}'
    module = ir.Module.parse("".join(function.format(index) for index in range(64)))
    pipeline = passmanager.PassManager.parse("builtin.module(func.func(faulty-verify))")
    pipeline.run(module.operation)
    assert capfd.readouterr().err == ""
