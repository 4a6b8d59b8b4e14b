"""Errors that MLIR reports, and handlers."""

import pickle

import pytest

BROKEN = """func.func @f() {
  %sum = arith.addi %nowhere, %nowhere : i32
  return
}
"""


def test_broken_text(ir, ctx):
    with pytest.raises(ir.MLIRError) as info:
        ir.Module.parse(BROKEN)
    error = info.value
    assert error.message == "Unable to parse module assembly"
    first = error.error_diagnostics[0]
    assert first.severity == ir.DiagnosticSeverity.ERROR
    assert first.message == str(first) == "use of undeclared SSA value name"
    assert first.location == ir.Location.file("-", 2, 21)
    assert 'error: "-":2:21: use of undeclared SSA value name' in str(error)


def test_broken_file(ir, ctx, tmp_path):
    path = tmp_path / "broken.mlir"
    path.write_text(BROKEN)
    with pytest.raises(ir.MLIRError) as info:
        ir.Module.parseFile(str(path))
    location = info.value.error_diagnostics[0].location
    assert (location.filename, location.start_line, location.start_col) == (str(path), 2, 21)
    assert f'"{path}":2:21' in str(info.value)


def test_missing_file(ir, ctx, tmp_path):
    with pytest.raises(ir.MLIRError, match="could not open input file"):
        ir.Module.parseFile(str(tmp_path / "nothing.mlir"))


def test_notes(ir, ctx):
    text = "func.func private @f()\nfunc.func private @f()"
    with pytest.raises(ir.MLIRError) as info:
        ir.Module.parse(text)
    (error,) = info.value.error_diagnostics
    assert error.message == "redefinition of symbol named 'f'"
    note = error.notes[-1]
    assert note.message == "see existing symbol definition here"
    assert note.severity == ir.DiagnosticSeverity.NOTE
    assert (note.location.start_line, error.location.start_line) == (1, 2)
    assert "\n note: " in str(info.value)


def test_broken_type_attribute_operation(ir, ctx):
    for parse in (ir.Type.parse, ir.Attribute.parse, ir.Operation.parse):
        with pytest.raises(ir.MLIRError) as info:
            parse("!!")
        assert info.value.error_diagnostics, parse


def test_verify(ir, module, find):
    assert module.operation.verify() is True
    function = find(module.operation, "func.func")
    function.attributes["function_type"] = ir.Attribute.parse("(i64) -> i32")
    with pytest.raises(ir.MLIRError, match="Verification failed") as info:
        module.operation.verify()
    assert info.value.error_diagnostics[0].location.filename == "-"


def test_error_class(ir, root):
    assert ir.MLIRError.__module__ == f"{root}._mlir_libs._mlir.ir"
    assert issubclass(ir.MLIRError, Exception)
    assert str(ir.MLIRError("alone", [])) == "alone"


def test_errors_go_to_handlers_on_request(ir, ctx):
    ctx.emit_error_diagnostics = True
    seen = []
    handler = ctx.attach_diagnostic_handler(lambda d: seen.append(d.message) or True)
    with handler, pytest.raises(ir.MLIRError) as info:
        ir.Module.parse(BROKEN)
    assert seen[0] == "use of undeclared SSA value name"
    assert info.value.error_diagnostics == []


def test_handler(ir, ctx):
    kept = []

    def callback(diagnostic):
        kept.append((diagnostic, ir.DiagnosticInfo(diagnostic)))
        return True

    handler = ctx.attach_diagnostic_handler(callback)
    assert handler.attached
    ir.Location.name("here").emit_error("boo")
    handler.detach()
    handler.detach()
    assert not handler.attached and not handler.had_error
    ((diagnostic, info),) = kept
    assert str(diagnostic) == "<Invalid Diagnostic>"
    with pytest.raises(ValueError, match="outside of callback"):
        _ = diagnostic.message
    assert info.message == "boo" and info.location == ir.Location.name("here")
    assert info.severity == ir.DiagnosticSeverity.ERROR and info.notes == []


def test_inner_handler_comes_first(ir, ctx, capfd):
    seen = []
    outer = ctx.attach_diagnostic_handler(lambda d: seen.append("outer") or True)
    inner = ctx.attach_diagnostic_handler(lambda d: seen.append("inner") or d.message == "mine")
    ir.Location.unknown().emit_error("mine")
    ir.Location.unknown().emit_error("yours")
    assert seen == ["inner", "inner", "outer"]
    inner.detach()
    outer.detach()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_handler_that_raises(ir, ctx, capfd):
    def callback(diagnostic):
        raise ValueError("in the handler")

    with ctx.attach_diagnostic_handler(callback) as handler:
        ir.Location.unknown().emit_error("boo")
        assert handler.had_error
    assert "boo" in capfd.readouterr().err, "the default handler prints what nobody handled"


def test_handler_cannot_change_the_handlers(ir, ctx):
    """MLIR is going through its list of handlers meanwhile."""
    refused = []

    def callback(diagnostic):
        for use in (
            lambda: ir.Type.parse("i32"),
            lambda: ctx.attach_diagnostic_handler(print),
            handler.detach,
        ):
            with pytest.raises(RuntimeError, match="handler of the context is at work"):
                use()
            refused.append(use)
        return True

    handler = ctx.attach_diagnostic_handler(callback)
    ir.Location.unknown().emit_error("boo")
    assert len(refused) == 3 and handler.attached
    handler.detach()


def test_handler_that_nobody_holds_stays(ir):
    seen = []
    context = ir.Context()
    context.attach_diagnostic_handler(lambda d: seen.append(str(d)) or True)
    ir.Location.unknown(context).emit_error("one")
    assert seen == ["one"]


def test_enumerations(ir):
    import enum

    assert issubclass(ir.DiagnosticSeverity, enum.Enum)
    assert [s.name for s in ir.DiagnosticSeverity] == ["ERROR", "WARNING", "NOTE", "REMARK"]
    assert pickle.loads(pickle.dumps(ir.WalkOrder.PRE_ORDER)) is ir.WalkOrder.PRE_ORDER


def test_what_a_handler_may_not_do(ir, passmanager, module):
    """MLIR holds its lock, and whoever emitted goes on with the IR."""
    ctx = module.context
    function = module.body.operations[0]
    refused = []

    def handle(diagnostic):
        for use in (
            lambda: str(module),
            lambda: str(module.body),
            lambda: str(module.body.operations[0].regions[0].blocks[0].arguments[0]),
            module.dump,
            function.erase,
            function.detach_from_parent,
            function.verify,
            lambda: ir.Type.parse("i32"),
            lambda: passmanager.PassManager.parse("any(cse)").run(module.operation),
        ):
            with pytest.raises(RuntimeError, match="handler of the context is at work") as info:
                use()
            refused.append(info.value)
        assert module.operation.get_asm(print_generic_op_form=True).startswith('"builtin.module"')
        return True

    with ctx.attach_diagnostic_handler(handle) as handler:
        ir.Location.unknown().emit_error("mine")
    assert not handler.had_error and len(refused) == 9
    assert "@twice" in str(module)


def test_emitting_in_several_threads(python, root):
    """A thread that waits for its turn lets the handler of another one have the interpreter."""
    out = python(
        f"""if True:
        import threading, time
        from {root}.ir import *
        with Context() as context:
            location = Location.unknown()
            module = Module.parse("")
            seen = []
            def handle(diagnostic):
                seen.append(diagnostic.message)
                time.sleep(0.05)
                return True
            context.attach_diagnostic_handler(handle)
            emit = lambda: location.emit_error("mine")
            threads = [threading.Thread(target=emit) for _ in range(4)]
            for thread in threads:
                thread.start()
            try:
                str(module)
            except RuntimeError:
                seen.append("refused")
            for thread in threads:
                thread.join()
            print(sorted(seen))
        """
    )
    assert out.stdout == "['mine', 'mine', 'mine', 'mine', 'refused']\n"


def test_handler_and_what_was_taken_before_the_pipeline(ir, passmanager, module):
    module.context.emit_error_diagnostics = True
    kept = [module.body.operations[0]]
    names = []

    def spoil(op, pass_):
        kept.append(op)
        function = op.regions[0].blocks[0].operations[0]
        function.attributes["function_type"] = ir.Attribute.parse("(i64) -> i32")

    def handle(diagnostic):
        names.extend(op.operation.name for op in kept)
        return True

    manager = passmanager.PassManager("builtin.module")
    manager.add(spoil)
    with module.context.attach_diagnostic_handler(handle) as handler, pytest.raises(ir.MLIRError):
        manager.run(module.operation)
    assert not handler.had_error and names[:2] == ["func.func", "builtin.module"]


def test_handler_and_what_was_taken_before_a_pipeline_of_cpp(ir, passmanager, module):
    module.context.emit_error_diagnostics = True
    function = module.body.operations[0]
    names = []

    def handle(diagnostic):
        names.append(function.operation.name)
        with pytest.raises(RuntimeError, match="diagnostic handler"):
            function.operation.erase()
        return True

    with module.context.attach_diagnostic_handler(handle) as handler, pytest.raises(ir.MLIRError):
        passmanager.PassManager.parse("func.func(cse)").run(module.operation)
    assert not handler.had_error and names == ["func.func"]
    assert function.operation.name == "func.func"
