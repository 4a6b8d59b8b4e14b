"""Compiling modules and running them; only in bundles with the execution engine."""

from collections.abc import Sequence
from typing import Any

from typing_extensions import disjoint_base

from . import ir

@disjoint_base
class ExecutionEngine:
    """A compiled module."""

    def __init__(
        self,
        module: ir.Module,
        opt_level: int = 2,
        shared_libs: Sequence[str] = ...,
        enable_object_dump: bool = True,
        enable_pic: bool = False,
    ) -> None: ...
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> ExecutionEngine: ...
    def _testing_release(self) -> None: ...
    def raw_lookup(self, func_name: str) -> int:
        """The address of a function that takes its arguments packed, or 0."""
    def _function_type(self, name: str) -> str | None: ...
    def _undefined_functions(self) -> list[str]: ...
    def raw_register_runtime(self, name: str, callback: Any) -> None:
        """Makes `callback`, a `ctypes.c_void_p`, what the symbol `name` stands for."""
    def initialize(self) -> None:
        """Runs the module's global constructors; only the first call does anything."""
    def dump_to_object_file(self, file_name: str) -> None:
        """Writes the compiled code to an object file."""
