"""The execution engine's native class, under the name that MLIR's own module of it has."""

try:
    from ._mlir.execution_engine import ExecutionEngine
except ImportError:
    raise ImportError(
        "this bundle was made without the execution engine; to have it, set "
        "`execution-engine = true` under `[contents]` of its manifest, and "
        '"native" among `llvm.targets`',
        name=__name__,
    ) from None

__all__ = ["ExecutionEngine"]

# Code that imports the class expects this module's name.
ExecutionEngine.__module__ = __name__
