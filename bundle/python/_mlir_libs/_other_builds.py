"""The error for an extension that was compiled for another package than this one.

Such an extension needs the shared libraries of the package that it was compiled for. If the system
finds them, they bring a second MLIR into the process, whose classes are not this package's, and the
process crashes: the extension is refused before it is loaded.
"""

import glob
import mmap
import os
import re
from collections.abc import Iterator

# Upstream's own C++ classes, which extensions over IRCore.h use since LLVM 22.
_UPSTREAM = b"\0libMLIRPythonSupport"
# The library of a mondo package, and what stands for it under upstream's name.
_LIBRARY = b"_mondo.so\0", b"_MLIRPythonCAPI.so\0"
_SYMBOL_VERSION = re.compile(r"version `MONDO_\w+?_(\d+)' not found")
_NOT_FOUND = re.compile(r"(lib(?:MLIR|LLVM)[\w.+-]*): ")


def refuse(name: str, path: str) -> None:
    """Raises ImportError if the extension ``name`` at ``path`` needs another package's library."""
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as it:
            upstream = next(_names(it, _UPSTREAM), None)
            labels = {_label(name) for part in _LIBRARY for name in _names(it, part)}
    except (OSError, ValueError):
        # The loader has a message of its own.
        return
    if upstream is not None:
        raise ImportError(
            f"{_said(name, path)} for MLIR's own Python bindings, whose C++ classes are in "
            f"{upstream}; {_package(name)} has others: {_remedy()}",
            name=name,
            path=path,
        )
    own = _own_label(path)
    if labels and own is not None and own not in labels:
        other = ", ".join(sorted(labels))
        raise ImportError(
            f"{_said(name, path)} for the label {other}, and {_package(name)} has the label "
            f"{own}: install the extension for this label, or import it from the package "
            "that it was compiled for",
            name=name,
            path=path,
        )


def explain(name: str, path: str, error: ImportError, llvm: str) -> ImportError:
    """The exception in place of ``error``, which loading the extension has raised."""
    said = str(error)
    version = _SYMBOL_VERSION.search(said)
    if version is not None:
        why = (
            f"{_said(name, path)} for LLVM {version[1]}, and {_package(name)} has LLVM {llvm}: "
            f"install the extension for this version, or {_remedy()}"
        )
    elif _NOT_FOUND.match(said) is not None:
        why = (
            f"{_said(name, path)} for another package, whose library "
            f"{said.partition(':')[0]} is not here: {_remedy()}"
        )
    else:
        return error
    return ImportError(why, name=name, path=path)


def _said(name: str, path: str) -> str:
    return f"the extension {name} ({path}) was compiled"


def _package(name: str) -> str:
    return name.partition("._mlir_libs.")[0]


def _remedy() -> str:
    return (
        "compile it from its sources with the headers of this package (get_include_dirs() of "
        "_mlir_libs, before MLIR's own) and link it with -lMLIRPythonCAPI (get_lib_dirs())"
    )


def _names(file: mmap.mmap, part: bytes) -> Iterator[str]:
    """The strings of a table, each between two zeros, that have ``part`` in them."""
    place = file.find(part)
    while place >= 0:
        begin = place + 1 if part.startswith(b"\0") else file.rfind(b"\0", 0, place) + 1
        end = file.find(b"\0", begin)
        text = file[begin:end].decode("ascii", "replace")
        if re.fullmatch(r"lib[\w.+-]+\.so[\w.]*", text):
            yield text
        place = file.find(part, place + 1)


def _own_label(path: str) -> str | None:
    folder = glob.escape(os.path.dirname(path))
    found = sorted(map(os.path.basename, glob.glob(os.path.join(folder, "lib*_mondo.so"))))
    return _label(found[0]) if len(found) == 1 else None


def _label(library: str) -> str:
    return library.removeprefix("lib").rpartition("_")[0]
