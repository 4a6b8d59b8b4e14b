"""MLIR for Python: the native part."""

from . import ir as ir
from . import passmanager as passmanager

_runtime_version: str
_llvm_version: str
_bundle_dialects: tuple[str, ...]

def _register_bundle_dialects(registry: ir.DialectRegistry) -> None: ...
def _register_bundle_passes() -> None: ...
def _register_bundle_translations(context: ir._Context) -> None: ...
