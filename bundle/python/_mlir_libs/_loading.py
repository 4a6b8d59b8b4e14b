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

_PACKAGE = __name__.rpartition(".")[0]
_NATIVE = f"{_PACKAGE}._mlir"
# An extension of this name for one version of Python would be found before it.
_FILE = "_mlir.abi3.so"


class _LocalLoader(ExtensionFileLoader):
    """Keeps a library to those that need it, even where the process asks for ``RTLD_GLOBAL``.

    A package that brings an MLIR of its own, and was built without symbol versions, would take our
    functions for its own if it found them first.
    """

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        if spec.name == _NATIVE and os.path.basename(spec.origin or _FILE) != _FILE:
            raise ImportError("of another package", name=spec.name, path=spec.origin)
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


def _needs(path: str) -> tuple[list[str], list[str]]:
    """The MLIR libraries that a native module needs, and the folders that it names for them."""
    libraries, folders = [], []
    with open(path, "rb") as file:

        def read(place, size):
            file.seek(place)
            return memoryview(file.read(size)).cast("Q").tolist()

        header = read(0, 64)
        # The first four bytes of ELF files.
        if header[0] & 0xFFFFFFFF != 0x464C457F:
            return [], []
        flat = read(header[4], 56 * (header[7] & 0xFFFF))
        parts = [(flat[at] & 0xFFFFFFFF, *flat[at + 1 : at + 5]) for at in range(0, len(flat), 7)]
        section = next(read(start, size) for kind, start, _, _, size in parts if kind == 2)
        names = section[section[::2].index(5) * 2 + 1]
        for kind, start, address, _, size in parts:
            if kind == 1 and address <= names < address + size:
                names += start - address
                break
        for tag, place in zip(section[::2], section[1::2], strict=True):
            # A library that is needed, and the folders to look in.
            if tag in (1, 15, 29):
                file.seek(names + place)
                name = file.read(4096).partition(b"\0")[0].decode()
                if tag != 1:
                    folders += name.split(":")
                elif "MLIRPython" in name or name.endswith("_mondo.so"):
                    libraries.append(name)
    return libraries, folders


def _look(name: str, path: str, error: ImportError | None = None) -> None:
    """Refuses an extension that must not be loaded, and explains why loading it has failed."""
    if name.endswith("._mlir_libs._mlir"):
        return
    try:
        libraries, folders = _needs(path)
    except (ArithmeticError, LookupError, MemoryError, OSError, StopIteration, ValueError):
        # The loader has a message of its own.
        libraries = folders = []
    if not libraries and not name.startswith(f"{_PACKAGE}."):
        return
    from . import _other_builds

    if error is None:
        _other_builds.refuse(name, path, libraries, folders)
        return
    llvm = getattr(sys.modules.get(_NATIVE), "_llvm_version", "of another version")
    explained = _other_builds.explain(name, path, error, llvm)
    if explained is not error:
        raise explained from error


def _look_at_extensions() -> None:
    """Has every extension of the process looked at before it is loaded.

    Of most, only the names of the libraries that they need are read. One that was compiled for
    another package would mix two MLIRs, wherever it lies.
    """

    def watched(load, refuses):
        def method(self, it):
            if refuses:
                _look(self.name, self.path)
            try:
                return load(self, it)
            except ImportError as error:
                _look(self.name, self.path, error)
                raise

        return method

    loader = ExtensionFileLoader
    loader.create_module = watched(loader.create_module, True)  # type: ignore[method-assign]
    loader.exec_module = watched(loader.exec_module, False)  # type: ignore[method-assign]


def _refuse_importer() -> None:
    """Refuses an extension that is being loaded right now and has this package imported."""
    loads = [ExtensionFileLoader.create_module.__code__, ExtensionFileLoader.exec_module.__code__]
    frame = sys._getframe()
    while frame:
        if frame.f_code in loads:
            loader = frame.f_locals["self"]
            _look(loader.name, loader.path)
        frame = frame.f_back


def _load() -> None:
    folders = sys.modules[_PACKAGE].__path__
    try:
        bundles = sorted(os.listdir(os.path.join(folders[0], "_bundles")))
    except OSError:
        # In a zip file, whose import fails with a message of its own.
        bundles = []
    if len(bundles) > 1:
        from ._damage import mixed

        raise mixed(_PACKAGE, folders[0], bundles)
    _refuse_importer()
    _keep_local(folders)
    try:
        module = importlib.import_module(_NATIVE)
        if getattr(module, "__file__", None) is None:
            # The folder with the stubs, where Python finds no extension before it.
            del sys.modules[_NATIVE]
            raise ModuleNotFoundError(f"No module named {_NATIVE!r}", name=_NATIVE)
    except ImportError as error:
        from ._damage import explain

        raise explain(_PACKAGE, folders[0], error) from error
    _look_at_extensions()


_load()
