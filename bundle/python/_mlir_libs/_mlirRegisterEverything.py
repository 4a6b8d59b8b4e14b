"""Registers all that the bundle contains, under the names that MLIR's own module of it has."""

from . import _mlir

register_dialects = _mlir._register_bundle_dialects
register_llvm_translations = _mlir._register_bundle_translations
