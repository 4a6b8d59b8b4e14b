"""Pass pipelines."""

import enum
from collections.abc import Callable
from typing import overload

from typing_extensions import disjoint_base

from . import ir

class PassDisplayMode(enum.Enum):
    """The form of statistics and timings: a list, or the nested pipeline."""

    LIST = 0
    PIPELINE = 1

@disjoint_base
class ExternalPass:
    """A pass that is running, as its Python code sees it."""

    def signal_pass_failure(self) -> None:
        """Says that the pass failed."""

@disjoint_base
class PassManager:
    """A pipeline of passes."""

    def __init__(self, anchor_op: str = "any", context: ir._Context | None = None) -> None: ...
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> PassManager: ...
    def _testing_release(self) -> None: ...
    @staticmethod
    def parse(pipeline: str, context: ir._Context | None = None) -> PassManager:
        """Makes a pass manager from a textual pipeline; raises `ValueError` if it cannot be
        parsed.
        """
    @overload
    def add(self, run: str) -> None:
        """`add(pipeline)` adds textual pipeline elements; `add(run, name=None, argument=None,
        description=None, op_name=None)` adds a Python callable as a pass.

        The callable gets the operation and an `ExternalPass`.
        """
    @overload
    def add(self, *, pipeline: str) -> None: ...
    @overload
    def add(
        self,
        run: Callable[[ir.Operation, ExternalPass], object],
        name: str | None = None,
        argument: str | None = "",
        description: str | None = "",
        op_name: str | None = "",
    ) -> None: ...
    def run(self, operation: ir._OperationBase) -> None:
        """Runs the pipeline on an operation; raises `MLIRError` if a pass fails. Other threads of
        Python go on meanwhile, but cannot use the context.
        """
    def enable_verifier(self, enable: bool) -> None:
        """Switches the verifier, which runs after each pass, on or off."""
    def enable_timing(self) -> None:
        """Prints how long each pass takes, to standard error."""
    def enable_statistics(self, displayMode: PassDisplayMode = ...) -> None:
        """Prints the statistics of passes, to standard error."""
    def enable_ir_printing(
        self,
        print_before_all: bool = False,
        print_after_all: bool = True,
        print_module_scope: bool = False,
        print_after_change: bool = False,
        print_after_failure: bool = False,
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        print_generic_op_form: bool = False,
        tree_printing_dir_path: str | None = None,
    ) -> None:
        """Prints the IR around passes, to standard error or into a folder."""
