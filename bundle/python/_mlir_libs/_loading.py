"""Loads ``_mlir``, and has every native module of this package loaded as it should be."""

import importlib
import os
import sys
from collections.abc import Iterable
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
    SourcelessFileLoader,
)
from types import ModuleType

_NATIVE = f"{__name__.rpartition('.')[0]}._mlir"
# An extension of this name for one version of Python would be found before it.
_FILE = "_mlir.abi3.so"


class _LocalLoader(ExtensionFileLoader):
    """Keeps a library to those that need it, even where the process asks for ``RTLD_GLOBAL``.

    A package that brings an MLIR of its own, and was built without symbol versions, would take our
    functions for its own if it found them first.
    """

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        if spec.origin is None:
            return self._load(spec)
        if spec.name == _NATIVE:
            if os.path.basename(spec.origin) != _FILE:
                raise ImportError("of another package", name=spec.name, path=spec.origin)
            return self._load(spec)
        from . import _other_builds

        _other_builds.refuse(spec.name, spec.origin)
        try:
            return self._load(spec)
        except ImportError as error:
            llvm = getattr(sys.modules.get(_NATIVE), "_llvm_version", "of another version")
            explained = _other_builds.explain(spec.name, spec.origin, error, llvm)
            if explained is error:
                raise
            raise explained from error

    def _load(self, spec: ModuleSpec) -> ModuleType:
        flags = sys.getdlopenflags()
        if not flags & os.RTLD_GLOBAL:
            return super().create_module(spec)
        sys.setdlopenflags(flags & ~os.RTLD_GLOBAL)
        try:
            return super().create_module(spec)
        finally:
            sys.setdlopenflags(flags)


def _keep_local(folders: Iterable[str]) -> None:
    """Has every native module directly in these folders loaded by the rule above."""
    for folder in folders:
        # In a zip file there is nothing that the loader could load.
        if os.path.isdir(folder):
            sys.path_importer_cache[folder] = FileFinder(
                folder,
                (_LocalLoader, EXTENSION_SUFFIXES),
                (SourceFileLoader, SOURCE_SUFFIXES),
                (SourcelessFileLoader, BYTECODE_SUFFIXES),
            )


def _load() -> None:
    package = __name__.rpartition(".")[0]
    folders = sys.modules[package].__path__
    _keep_local(folders)
    name = f"{package}._mlir"
    try:
        module = importlib.import_module(name)
        if getattr(module, "__file__", None) is None:
            # The folder with the stubs, where Python finds no extension before it.
            del sys.modules[name]
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    except ImportError as error:
        from ._damage import explain

        raise explain(package, folders[0], error) from error


_load()
