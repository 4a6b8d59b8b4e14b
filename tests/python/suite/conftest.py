"""The suites run against an installed wheel, under the import root that it was built with.

``MONDO_IMPORT_ROOT`` names the root (``mlir`` by default, or a private label such as
``acme.mlir``), and ``MONDO_BUNDLE`` the manifest that the wheel was made from.
"""

import importlib
import os
from types import SimpleNamespace

import pytest

# Said by whoever runs the suite, not asked of the wheel: a default bundle that lost linalg fails.
NOT_CORE = [
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

ROOT = os.environ.get("MONDO_IMPORT_ROOT", "mlir")


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
        "beyond_standard(reason): of what the manifest standard.toml leaves out.",
    )


def pytest_collection_modifyitems(config, items):
    """Leaves out what is for other LLVMs than the bundle's, or for larger bundles."""
    major = llvm_of_bundle()

    def is_for_it(item):
        since = (mark.args[0] <= major for mark in item.iter_markers("since_llvm"))
        before = (major < mark.args[0] for mark in item.iter_markers("before_llvm"))
        beyond = BUNDLE == "standard" and item.get_closest_marker("beyond_standard")
        return all(since) and all(before) and not beyond

    left_out = [item for item in items if not is_for_it(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if is_for_it(item)]


def llvm_of_bundle():
    """LLVM's major version, as the package says it."""
    version = importlib.import_module(f"{ROOT}._mlir_libs._mlir")._llvm_version
    return int(version.split(".")[0])


@pytest.fixture(scope="session")
def llvm():
    """LLVM's major version."""
    return llvm_of_bundle()


@pytest.fixture(scope="session")
def root():
    """The dotted import root."""
    return ROOT


@pytest.fixture(scope="session")
def ir():
    return importlib.import_module(f"{ROOT}.ir")


@pytest.fixture(scope="session")
def passmanager():
    return importlib.import_module(f"{ROOT}.passmanager")


@pytest.fixture
def ctx(ir):
    """A context, entered."""
    with ir.Context() as context:
        yield context


@pytest.fixture(scope="session")
def dialect():
    """Imports a dialect's module."""
    return lambda name: importlib.import_module(f"{ROOT}.dialects.{name}")


@pytest.fixture(scope="session")
def func(dialect):
    return dialect("func")


@pytest.fixture(scope="session")
def arith(dialect):
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


def run_python(script, *args):
    """Runs a script in an interpreter of its own and returns what it printed."""
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", script, *args],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return SimpleNamespace(out=done.stdout, err=done.stderr)


@pytest.fixture(scope="session")
def python():
    return run_python
