"""Fixtures and markers of the suite over ``mlir.ir`` and the dialects' modules.

``MONDO_BUNDLE`` names the manifest that the wheel was made from.
"""

import importlib
import os
import subprocess
import sys

import pytest
from mondo_fixtures import ROOT

pytest_plugins = ["mondo_fixtures"]

# The caller names the bundle, not the wheel: a default bundle without linalg has to fail.
NOT_CORE = [
    "test_ext.py",
    "test_ext_verifiers.py",
    "test_inference.py",
    "test_linalg.py",
    "test_llvm.py",
    "test_matmul.py",
    "test_native_dialects.py",
    "test_opdsl.py",
    "test_pdl.py",
    "test_quant.py",
    "test_sparse_tensor.py",
    "test_standard_dialects.py",
    "test_transform.py",
]
BUNDLE = os.environ.get("MONDO_BUNDLE")
collect_ignore = NOT_CORE if BUNDLE == "core" else []


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "since_llvm(major, reason): for bundles of this LLVM and later; others do not run it.",
    )
    config.addinivalue_line(
        "markers",
        "before_llvm(major, reason): for bundles of older LLVMs than this; others do not run it.",
    )
    config.addinivalue_line(
        "markers",
        "beyond_standard(reason): for parts that the manifest standard.toml excludes.",
    )
    config.addinivalue_line(
        "markers",
        "beyond_core(reason): for parts that the manifest core.toml excludes.",
    )


def pytest_collection_modifyitems(config, items):
    """Deselects the tests for other LLVMs than the bundle's, and for larger bundles."""
    major = llvm_of_bundle()

    def is_for_it(item):
        since = (mark.args[0] <= major for mark in item.iter_markers("since_llvm"))
        before = (major < mark.args[0] for mark in item.iter_markers("before_llvm"))
        beyond = BUNDLE == "standard" and item.get_closest_marker("beyond_standard")
        beyond = beyond or BUNDLE == "core" and item.get_closest_marker("beyond_core")
        return all(since) and all(before) and not beyond

    excluded = [item for item in items if not is_for_it(item)]
    if excluded:
        config.hook.pytest_deselected(items=excluded)
        items[:] = [item for item in items if is_for_it(item)]


def llvm_of_bundle():
    """LLVM's major version, as the extension reports it."""
    version = importlib.import_module(f"{ROOT}._mlir_libs._mlir")._llvm_version
    return int(version.split(".")[0])


@pytest.fixture(scope="session")
def llvm():
    """LLVM's major version."""
    return llvm_of_bundle()


@pytest.fixture
def ctx(ir):
    """A context, entered. Unlike the shared fixture it enters no location: the tests do."""
    with ir.Context() as context:
        yield context


@pytest.fixture(scope="session")
def arith(dialect):
    """The module of the dialect ``arith``."""
    return dialect("arith")


@pytest.fixture
def i32(ctx, ir):
    return ir.IntegerType.get_signless(32)


@pytest.fixture
def here(ctx, ir):
    """An empty module, at whose end operations are built."""
    with ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            yield module


@pytest.fixture(scope="session")
def text():
    """The text of a module, which is verified first."""

    def text(module):
        assert module.operation.verify()
        return str(module)

    return text


ADD = """
func.func @twice(%x: i32) -> i32 {
  %sum = arith.addi %x, %x : i32
  return %sum : i32
}
func.func private @declared(i32)
"""


@pytest.fixture
def module(ctx, ir):
    """A module with a function that adds, and a declaration."""
    return ir.Module.parse(ADD)


@pytest.fixture
def find(ir):
    """Finds the first operation of a name below another."""

    def find(op, name):
        found = []

        def visit(candidate):
            if candidate.name == name:
                found.append(candidate)
                return ir.WalkResult.INTERRUPT
            return ir.WalkResult.ADVANCE

        op.walk(visit)
        assert found, f"there is no {name}"
        return found[0]

    return find


# Reads a text, prints it and writes it.
READ_PRINT_AND_WRITE = """
import io, sys
ir = __import__(sys.argv[1], fromlist=["ir"]).ir
with ir.Context() as ctx:
    ctx.allow_unregistered_dialects = True
    try:
        module = ir.Module.parse(sys.stdin.read())
    except ir.MLIRError as error:
        print("refused:", error)
    else:
        print(module)
        module.operation.write_bytecode(io.BytesIO())
"""


@pytest.fixture
def said_of():
    """Reads a text in a process, which must not end by a signal. Returns what it says."""

    def read(text):
        command = [sys.executable, "-c", READ_PRINT_AND_WRITE, ROOT]
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        assert done.returncode == 0, (done.returncode, done.stderr)
        return done.stdout

    return read
