"""Fingerprints of MLIR modules: the same for two that canonicalize to the same."""

from . import _brook
from .mlir import ir
from .mlir.passmanager import PassManager

__all__ = ["canonical", "fingerprint"]


def canonical(source: str) -> str:
    """Returns the module as MLIR simplifies and prints it."""
    with ir.Context():
        module = ir.Module.parse(source)
        PassManager.parse("builtin.module(canonicalize,cse)").run(module.operation)
        return str(module)


def fingerprint(source: str) -> int:
    """Returns a number for what the module canonicalizes to."""
    return _brook.fingerprint(canonical(source))
