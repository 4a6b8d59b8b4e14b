"""Compiling modules and running them; only in bundles with the execution engine."""

from collections.abc import Sequence
from typing import Any

from typing_extensions import disjoint_base

from . import ir

@disjoint_base
class ExecutionEngine:
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
    def raw_lookup(self, func_name: str) -> int: ...
    def raw_register_runtime(self, name: str, callback: Any) -> None: ...
    def initialize(self) -> None: ...
    def dump_to_object_file(self, file_name: str) -> None: ...
