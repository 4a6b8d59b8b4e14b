"""Several threads of Python."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest


def test_contexts_of_their_own(ir, passmanager):
    def work(number):
        with ir.Context():
            module = ir.Module.parse(f"func.func @f{number}() {{ return }}")
            passmanager.PassManager.parse("any(cse)").run(module.operation)
            return str(module)

    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(work, range(32)))
    assert all(f"@f{number}" in text for number, text in enumerate(texts))


def test_current_is_per_thread(ir, ctx):
    seen = []
    thread = threading.Thread(target=lambda: seen.append(ir.Context.current))
    thread.start()
    thread.join()
    assert seen == [None]


def test_other_threads_go_on_but_keep_out(ir, passmanager, module):
    """While a pipeline runs, another thread runs Python, but cannot touch the context."""
    inside, done = threading.Event(), threading.Event()
    errors = []

    def wait(op, pass_):
        inside.set()
        assert done.wait(60)

    def other():
        assert inside.wait(60)
        for use in (
            lambda: str(module),
            lambda: ir.Type.parse("i32", module.context),
            lambda: module.context.load_all_available_dialects(),
        ):
            try:
                use()
            except RuntimeError as error:
                errors.append(str(error))
        ir.Module.parse("", ir.Context())
        done.set()

    thread = threading.Thread(target=other)
    thread.start()
    manager = passmanager.PassManager("builtin.module")
    manager.add(wait)
    try:
        manager.run(module.operation)
    finally:
        inside.set()
        thread.join()
    assert len(errors) == 3 and all("another thread" in error for error in errors)
    assert "@twice" in str(module)


def test_shared_module(ir, module):
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda _: str(module), range(64)))
    assert set(texts) == {str(module)}


def test_walk_elsewhere(ir, module):
    """A callback may hand an operation to another thread."""
    names = []

    def visit(op):
        thread = threading.Thread(target=lambda: names.append(op.name))
        thread.start()
        thread.join()
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    assert len(names) == 5


def test_error_capture_is_per_context(ir):
    def work(number):
        with pytest.raises(ir.MLIRError) as info:
            ir.Module.parse("\n" * number + "nonsense", ir.Context())
        (error,) = info.value.error_diagnostics
        return error.location.start_line

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(32))) == list(range(1, 33))
