"""A failure in Rust is an error of MLIR and an exception of Python; the process goes on."""

import threading

import pytest


def op(when):
    return f"""func.func @f(%a: f64) -> f64 {{
  %r = faulty.op "{when}" %a : f64
  return %r : f64
}}"""


@pytest.mark.parametrize("sigil", ["!", "#"])
@pytest.mark.parametrize("when", ["parse", "encode", "decode"])
def test_panics_while_parsing(ir, ctx, capfd, sigil, when):
    parse = ir.Type.parse if sigil == "!" else ir.Attribute.parse
    with pytest.raises(ir.MLIRError) as error:
        parse(f'{sigil}faulty.t<"{when}">')
    assert f"panicked: told to panic in {when} (" in str(error.value)
    assert "when.rs:" in str(error.value)
    assert str(parse(f'{sigil}faulty.t<"fine">')) == f'{sigil}faulty.t<"fine">'
    assert capfd.readouterr().err == ""


def test_refused_parameters(ir, ctx):
    with pytest.raises(ir.MLIRError, match="told to refuse"):
        ir.Type.parse('!faulty.t<"refuse">')


def test_a_panic_while_printing_is_reported(ir, ctx, capfd):
    said = []
    handler = ctx.attach_diagnostic_handler(lambda it: said.append(it.message) or True)
    assert str(ir.Type.parse('!faulty.t<"print">')) == "!faulty.t<<<not printable>>"
    handler.detach()
    [message] = said
    assert message.startswith("printing 't' panicked: told to panic in print (")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("when", "why"),
    [
        ("verify", "'faulty.op' op its verifier panicked: told to panic in verify ("),
        ("odd", "'faulty.op' op its verifier panicked: a non-string panic payload ("),
        ("refuse", "'faulty.op' op was told to refuse"),
    ],
)
def test_verifiers(ir, ctx, capfd, when, why):
    with pytest.raises(ir.MLIRError) as error:
        ir.Module.parse(op(when))
    assert why in str(error.value)
    assert capfd.readouterr().err == ""


def test_a_panic_while_inferring_is_an_exception_of_the_builder(ir, ctx, faulty, capfd):
    with pytest.raises(ir.MLIRError, match="panicked: told to panic in infer"):
        faulty.infer("infer")
    with pytest.raises(ir.MLIRError, match="was told to refuse"):
        faulty.infer("refuse")
    assert faulty.infer("fine").type == ir.F64Type.get()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("when", "why"),
    [("fold", "its folder panicked: told to panic in fold ("), ("lie", "folds to 0 results")],
)
def test_a_pass_fails_whose_folder_failed(ir, passmanager, ctx, when, why):
    module = ir.Module.parse(op(when))
    canonicalize = passmanager.PassManager.parse("builtin.module(canonicalize)")
    with pytest.raises(ir.MLIRError) as error:
        canonicalize.run(module.operation)
    assert why in str(error.value)
    assert "a callback of the dialect 'faulty' went wrong before" in str(error.value)
    # Once: what follows is judged by itself.
    assert module.operation.verify()
    other = ir.Module.parse(op("nothing"))
    canonicalize.run(other.operation)
    assert "faulty.op" not in str(other)


def test_panics_in_the_threads_of_a_pass(ir, passmanager, ctx, capfd):
    functions = "\n".join(
        op("fold" if n % 10 == 0 else "nothing").replace("@f", f"@f{n}") for n in range(100)
    )
    module = ir.Module.parse(functions)
    pipeline = passmanager.PassManager.parse("builtin.module(func.func(canonicalize))")
    with pytest.raises(ir.MLIRError, match="told to panic in fold"):
        pipeline.run(module.operation)
    assert capfd.readouterr().err == ""


def test_panics_in_threads_of_python(ir):
    wrong = []

    def work():
        with ir.Context(), ir.Location.unknown():
            for _ in range(50):
                try:
                    ir.Module.parse(op("verify"))
                except ir.MLIRError as error:
                    if "told to panic in verify" not in str(error):
                        wrong.append(str(error))
                else:
                    wrong.append("no error")

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_groups(ir, ctx, faulty):
    i32 = ir.IntegerType.get_signless(32)
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        a, b, c, d = (faulty.infer("fine") for _ in range(4))
        one = faulty.gather([i32], a, [b, c], d, 3)
        op = one.owner.opview
        assert (op.first, list(op.rest), op.last) == (a, [b, c], d)
        assert list(op.outs) == [one]
        assert op.in_ == ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 3)
        assert op.note is None
        op.note = ir.UnitAttr.get()
        assert "note" in op.attributes
        del op.note
        assert op.note is None
        assert len(faulty.gather([i32, i32], a, [], d, 3)) == 2
        none = faulty.gather([], a, [], d, 3)
        assert isinstance(none, faulty.GatherOp)
        assert (none.first, list(none.rest), none.last) == (a, [], d)
        assert module.operation.verify()
        lonely = ir.Operation.create("faulty.gather", operands=[a], attributes={"in": op.in_})
        with pytest.raises(ir.MLIRError, match="expects at least 2 operands, but has 1"):
            lonely.verify()
        lonely.erase()
    text = str(module)
    assert str(ir.Module.parse(text)) == text


@pytest.mark.parametrize("terms", ["%a", "%a, %a, %a"])
def test_groups_are_written_as_they_are_read(ir, ctx, terms):
    line = f"%0 = faulty.sum ({terms}) : f64".replace("%a", "%arg0")
    module = ir.Module.parse(f"func.func @f(%arg0: f64) {{\n{line}\nreturn }}")
    assert line in str(module)


def test_only_the_generic_form(ir, ctx):
    with pytest.raises(ir.MLIRError, match="'faulty.infer' is only written in the generic form"):
        ir.Module.parse('%0 = faulty.infer "fine"')
