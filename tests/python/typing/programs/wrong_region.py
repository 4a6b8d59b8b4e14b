"""Functions that fill a region, and operations that are defined in opdsl, know their parameters."""

from mlir.dialects import builtin, gpu, linalg, pdl, scf
from mlir.ir import IndexType, Value


@builtin.module
def without() -> None: ...


@builtin.module(sym_name="named")
def named() -> None: ...


def build(source: Value, target: Value) -> None:
    """Calls them with wrong arguments."""
    builtin.module(name="named")  # mypy: call-overload, pyright: reportCallIssue
    pdl.pattern(sym_name="p")  # mypy: call-overload, pyright: reportCallIssue
    linalg.copy(source, outs=[target])
    linalg.copy(source, out=[target])  # mypy: call-arg, pyright: reportCallIssue
    scf.constant(IndexType.get(), 3)
    gpu.constant(IndexType.get())  # mypy: call-arg, pyright: reportCallIssue
