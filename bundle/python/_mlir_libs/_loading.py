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


class _Watched:
    """Looks at the extension of a loader before it is loaded, and at what loading it raises."""

    def __init__(self, loader: ExtensionFileLoader, libraries: list[str], folders: list[str]):
        self.name, self.path = loader.name, loader.path
        self.libraries, self.folders = libraries, folders
        self.create, self.execute = loader.create_module, loader.exec_module
        loader.create_module = self.create_module  # type: ignore[method-assign]
        loader.exec_module = self.exec_module  # type: ignore[method-assign]

    def refuse(self) -> None:
        from . import _other_builds

        _other_builds.refuse(self.name, self.path, self.libraries, self.folders)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        self.refuse()
        try:
            return self.create(spec)
        except ImportError as error:
            self.explain(error)
            raise

    def exec_module(self, module: ModuleType) -> None:
        try:
            self.execute(module)
        except ImportError as error:
            self.explain(error)
            raise

    def explain(self, error: ImportError) -> None:
        from . import _other_builds

        llvm = getattr(sys.modules.get(_NATIVE), "_llvm_version", "of another version")
        explained = _other_builds.explain(self.name, self.path, error, llvm)
        if explained is not error:
            raise explained from error


def _watch(loader: ExtensionFileLoader) -> _Watched | None:
    """Watches an extension that is over MLIR, or in this package."""
    name = loader.name
    if name.endswith("._mlir_libs._mlir"):
        return None
    try:
        libraries, folders = _needs(loader.path)
    except Exception:
        # No ELF file for this machine, or a damaged one: the loader has a message of its own.
        libraries = folders = []
    if libraries or name.startswith(f"{_PACKAGE}."):
        return _Watched(loader, libraries, folders)
    return None


def _watch_extensions() -> None:
    """Has each extension looked at that this process finds from here on, wherever it lies.

    One that was compiled for another package would mix two MLIRs. Of most extensions, only the
    names of the libraries that they need are read, and their loaders stay as they are.
    """
    make = ExtensionFileLoader.__init__

    def init(self: ExtensionFileLoader, name: str, path: str) -> None:
        make(self, name, path)
        _watch(self)

    ExtensionFileLoader.__init__ = init  # type: ignore[method-assign]


def _refuse_importer() -> None:
    """Refuses an extension that is being loaded right now and has this package imported."""
    loads = [ExtensionFileLoader.create_module.__code__, ExtensionFileLoader.exec_module.__code__]
    frame = sys._getframe()
    while frame:
        if frame.f_code in loads:
            watched = _watch(frame.f_locals["self"])
            if watched:
                watched.refuse()
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
    _watch_extensions()


_load()
