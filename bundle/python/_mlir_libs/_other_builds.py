"""The error for an extension that was compiled for another package than this one.

Such an extension calls the MLIR of the package that it was compiled for. With this package's
objects it would read one MLIR's memory by another one's functions, and the process would crash:
the extension is refused before it is loaded.
"""

import glob
import mmap
import os
import re
import sys

# The library of a mondo package, and what stands for it under upstream's name.
_LIBRARY = re.compile(r"lib(\w+)_(?:mondo|MLIRPythonCAPI)\.so")
# The end of the names of the capsules that an extension takes, which begin with the import root.
_CAPSULE = b"._CAPIPtr\0"
_ROOT = re.compile(rb"([\w.]+)\.\w+\.\w+$")
_SYMBOL_VERSION = re.compile(r"version `MONDO_\w+?_(\d+)' not found")
_NOT_FOUND = re.compile(rf"(lib(?:MLIR|LLVM)[\w.+-]*|{_LIBRARY.pattern}): ")
_UNDEFINED = re.compile(r"undefined symbol: (mlir\w+|_ZN\w*(?:mlir|llvm)\w+)")

_PACKAGE = __name__.rpartition("._mlir_libs.")[0]
_FOLDER = os.path.dirname(os.path.abspath(__file__))
_REMEDY = (
    "install the extension of this package, or compile it from its sources with the headers of "
    "this package (get_include_dirs() of _mlir_libs, before MLIR's own) and link it with "
    "-lMLIRPythonCAPI (get_lib_dirs())"
)


def refuse(name: str, path: str, libraries: list[str], folders: list[str]) -> None:
    """Raises ImportError if an extension would use this package's objects with another MLIR.

    It needs ``libraries``, which the system looks for in ``folders``.
    """
    roots = _roots(path)
    own = _label(os.path.dirname(path)) if name.startswith(f"{_PACKAGE}.") else None
    for library in libraries:
        label = _LIBRARY.fullmatch(library)
        if own and library.startswith("libMLIRPythonSupport"):
            why = (
                f"for MLIR's own Python bindings, whose C++ classes are in {library}; {_PACKAGE} "
                f"has others: {_REMEDY}"
            )
        elif own and label and label[1] != own:
            why = (
                f"for the label {label[1]}, and {_PACKAGE} has the label {own}: install the "
                "extension for this label, or import it from the package that it was compiled for"
            )
        # Extensions over upstream's IRCore.h name no package.
        elif _PACKAGE in roots or (not roots and _PACKAGE == "mlir"):
            places = (it.replace("$ORIGIN", os.path.dirname(path)) for it in folders)
            files = [os.path.realpath(os.path.join(it, library)) for it in (*places, _FOLDER)]
            file = next(filter(os.path.exists, files), files[-1])
            place = os.path.dirname(file)
            if file == files[-1] or (not roots and place in _loaded()):
                continue
            why = (
                f"for the package whose {library} is in {place}, and {_PACKAGE} is the package in "
                f"{_FOLDER}, with an MLIR of its own: {_REMEDY}"
            )
        else:
            continue
        raise _error(name, path, why)
    if own and roots and _PACKAGE not in roots:
        raise _error(name, path, f"for the package {roots[0]}, and is in {_PACKAGE}: {_REMEDY}")


def explain(name: str, path: str, error: ImportError, llvm: str) -> ImportError:
    """The exception in place of ``error``, which loading the extension has raised."""
    said, cause = str(error), error.__cause__
    here = f"; here is {_PACKAGE} in {_FOLDER}, of LLVM {llvm}: {_REMEDY}"
    root = "".join(_roots(path)[:1])
    if root != _PACKAGE and f"{root}._mlir_libs" in sys.modules:
        # The error is for that package to explain.
        return error
    if version := _SYMBOL_VERSION.search(said):
        why = f"for LLVM {version[1]}, and {_PACKAGE} has LLVM {llvm}: {_REMEDY}"
    elif found := _NOT_FOUND.match(said):
        package = f"a package {root}" if root else "another package"
        why = f"for {package}, whose library {found[1]} is not here{here}"
        if found[2] and found[2] == _label(_FOLDER):
            why = f"for {package}, and {found[1]} is not found: link it with -rpath={_FOLDER}"
    elif symbol := _UNDEFINED.search(said):
        why = f"for an MLIR with the function {symbol[1]}, which {_PACKAGE} does not have{here}"
    elif isinstance(cause, ModuleNotFoundError) and f"{root}.ir.".startswith(f"{cause.name}."):
        why = f"for the package {root}, which is not here{here}"
    else:
        return error
    return _error(name, path, why)


def _error(name: str, path: str, why: str) -> ImportError:
    return ImportError(f"the extension {name} ({path}) was compiled {why}", name=name, path=path)


def _loaded() -> set[str]:
    """The folders of the native modules of all packages that were imported."""
    natives = [it for name, it in sys.modules.items() if name.endswith("._mlir_libs._mlir")]
    return {
        os.path.dirname(os.path.realpath(getattr(it, "__file__", None) or "")) for it in natives
    }


def _roots(path: str) -> list[str]:
    """The import roots of the packages whose objects an extension takes."""
    roots = set()
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as it:
            place = it.find(_CAPSULE)
            while place >= 0:
                if root := _ROOT.search(it[max(place - 200, 0) : place]):
                    roots.add(root[1].decode())
                place = it.find(_CAPSULE, place + 1)
    except (OSError, ValueError):
        # The loader has a message of its own.
        pass
    return sorted(roots)


def _label(folder: str) -> str | None:
    found = glob.glob(os.path.join(glob.escape(folder), "lib*_mondo.so"))
    label = _LIBRARY.fullmatch(os.path.basename(found[0])) if len(found) == 1 else None
    return label and label[1]
