"""Conversions in Rust that fail: the error says why and where, and the text is as it was."""

import re
import threading

import pytest

OP = """func.func @f(%a: f64) -> f64 {
  %0 = faulty.op "fine" %a : f64
  "faulty.inside"() <{when = "fine"}> ({ %2 = faulty.op "fine" %a : f64 sample.yield }) : () -> ()
  return %0 : f64
}"""

FAILING = [
    ("set-up", "panicked: told to panic before a conversion"),
    ("panic", "2:[0-9]+.*faulty.op' op a closure panicked: told to panic in a conversion"),
    ("refuse", "2:[0-9]+.*was told to refuse to convert"),
    (
        "left",
        "2:[0-9]+.*failed to legalize operation 'faulty.op' that was explicitly marked illegal",
    ),
    ("endless", "failed to legalize operation 'faulty.op' that was explicitly marked illegal"),
    ("unchanged", "has neither replaced, erased nor changed the operation"),
    ("visited", "a pass changes only what is in its operation"),
    ("around", "a pass changes only what is in its operation"),
    ("inner", "the new `faulty.sum` uses values or blocks that are not known to be there"),
    ("invalid", "the new `faulty.op` is not valid"),
    ("itself", "a result is replaced by a value that is not known to be there"),
    ("count", "each result is replaced, no more and no fewer"),
    ("region", "a region that is moved is one of the operation that goes"),
    ("legal", "panicked: told to panic about what is legal"),
    ("type", "panicked: told to panic in a type"),
    ("no-type", "the conversion of types returns no type for 'f64'"),
    ("refuse-type", "was told to refuse a type"),
    ("wrong-cast", "`faulty.sum` is no cast to 'f"),
    ("panic-cast", "panicked: told to panic in a cast"),
    ("all", "2:[0-9]+.*failed to legalize operation 'faulty.op'"),
]


def error_of(ir, passmanager, module, pipeline):
    with pytest.raises(ir.MLIRError) as error:
        passmanager.PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
    return str(error.value)


@pytest.mark.parametrize(("name", "why"), FAILING, ids=[name for name, _ in FAILING])
def test_conversions_that_fail(ir, passmanager, ctx, capfd, name, why):
    module = ir.Module.parse(OP)
    text = str(module)
    said = error_of(ir, passmanager, module, f"faulty-convert-{name}")
    assert re.search(why, said), said
    if "cast" not in name:
        assert str(module) == text
    assert module.operation.verify()
    assert "panicked" not in capfd.readouterr().err


def test_an_operation_that_is_used_is_not_erased(ir, passmanager, ctx):
    """The tree has a placeholder then, which can be seen."""
    module = ir.Module.parse(OP)
    said = error_of(ir, passmanager, module, "faulty-convert-used")
    assert "a conversion has erased 'faulty.op', whose results are still used" in said
    assert "by 'func.return'" in said
    assert 'faulty.op "fine"' not in str(module) and module.operation.verify()


def test_the_operation_of_the_pass_stays(ir, passmanager, ctx):
    module = ir.Module.parse(OP)
    said = error_of(ir, passmanager, module, "func.func(faulty-convert-top)")
    assert "the operation that is converted as a whole is replaced or erased" in said
    assert "@f" in str(module)


def test_a_missing_cast(ir, passmanager, ctx):
    """MLIR leaves the cast that nobody could make."""
    module = ir.Module.parse(OP)
    said = error_of(ir, passmanager, module, "faulty-convert-no-cast")
    assert "failed to legalize unresolved materialization from ('f" in said
    assert module.operation.verify()


def test_threads(ir, passmanager):
    """Conversions run in all threads of a context, and in several contexts."""
    functions = "\n".join(OP.replace("@f", f"@f{n}") for n in range(100))
    wrong = []

    def work():
        with ir.Context(), ir.Location.unknown():
            module = ir.Module.parse(functions)
            said = error_of(ir, passmanager, module, "func.func(faulty-convert-refuse)")
            if said.count("was told to refuse to convert") == 0:
                wrong.append(said)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
