"""MLIR for Python: the native part."""

from collections.abc import Callable
from typing import TypeVar, final

from . import ir as ir
from . import passmanager as passmanager
from . import rewrite as rewrite

T = TypeVar("T")
U = TypeVar("U")

_runtime_version: str
_llvm_version: str
_bundle_dialects: tuple[str, ...]

@final
class _Globals:
    dialect_search_modules: list[str]
    def append_dialect_search_prefix(self, module_name: str) -> None:
        """Looks for modules of dialects in one more package."""
    def _check_dialect_module_loaded(self, dialect_namespace: str) -> bool: ...
    def _register_dialect_impl(
        self, dialect_namespace: str, dialect_class: type, *, replace: bool = False
    ) -> None: ...
    def _register_operation_impl(
        self, operation_name: str, operation_class: type, *, replace: bool = False
    ) -> None: ...
    def loc_tracebacks_enabled(self) -> bool:
        """Returns whether new operations get locations of the Python code that makes them."""
    def set_loc_tracebacks_enabled(self, enabled: bool) -> None:
        """Switches on or off that new operations get locations of the Python code that makes
        them.
        """
    def loc_tracebacks_frame_limit(self) -> int:
        """The greatest number of frames of such a location."""
    def set_loc_tracebacks_frame_limit(self, arg: int | None) -> None:
        """Limits the frames of such locations; none takes the limit away."""
    def register_traceback_file_inclusion(self, filename: str) -> None:
        """Takes frames of files whose names begin like this into such locations."""
    def register_traceback_file_exclusion(self, filename: str) -> None:
        """Leaves frames of files whose names begin like this out of such locations."""

globals: _Globals

def register_dialect(dialect_class: type[T]) -> type[T]:
    """Class decorator that registers the class of a dialect, by its `DIALECT_NAMESPACE`."""

def register_operation(
    dialect_class: type, *, replace: bool = False
) -> Callable[[type[T]], type[T]]:
    """Makes a class decorator that registers the class of an operation, by its `OPERATION_NAME`,
    and puts it into the class of its dialect.
    """

def register_op_adaptor(op_class: type, *, replace: bool = False) -> Callable[[type[T]], type[T]]:
    """Makes a class decorator that registers the class of an operation's adaptors, by its
    `OPERATION_NAME`, and makes it the `Adaptor` of the operation's class.
    """

def register_type_caster(
    typeid: ir.TypeID, *, replace: bool = False
) -> Callable[[Callable[[T], U]], Callable[[T], U]]:
    """Makes a decorator that registers what types and attributes of a kind become."""

def register_value_caster(
    typeid: ir.TypeID, *, replace: bool = False
) -> Callable[[Callable[[T], U]], Callable[[T], U]]:
    """Makes a decorator that registers what values whose type is of a kind become."""

def _fill_native_module(name: str) -> None: ...
def _register_bundle_dialects(registry: ir.DialectRegistry) -> None: ...
def _register_bundle_passes() -> None: ...
def _register_bundle_translations(context: ir._Context) -> None: ...
