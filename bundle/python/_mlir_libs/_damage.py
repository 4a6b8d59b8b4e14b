"""The message of an import of the native module that fails: the cause and the remedy."""

import csv
import glob
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES

_NATIVE = "_mlir"
_FILE = f"{_NATIVE}.abi3.so"
# The number of files that a message names.
_SHOWN = 5
# The extension's message about a library of another build, after the library's path.
_OTHER_BUILD = " and this extension are not of one build"


def explain(package: str, folder: str, error: ImportError) -> ImportError:
    """The exception in place of ``error``, which importing ``_mlir`` of ``package`` has raised."""
    root = package.rpartition(".")[0]
    why = (
        _zipped(root, folder)
        or _shadowed(root, folder, error)
        or _taken(root, folder, error)
        or _damaged(root, folder, error)
        or _foreign(folder)
    )
    if why is None:
        return error
    return ImportError(why, name=error.name or f"{package}.{_NATIVE}", path=error.path)


def mixed(package: str, folder: str, names: list[str]) -> ImportError:
    """The exception for a package that two bundles were installed into, whose files are mixed.

    Two bundles without a label, or with one label, have files of the same names; an installer
    overwrites those of the first with those of the second. Each has one file of its own name in
    ``_bundles``.
    """
    return ImportError(
        f"{os.path.dirname(folder)} was installed by {' and by '.join(names)}, and each has "
        "overwritten files of the other: uninstall all of them and install one again, or make "
        "one of them under a label of its own (`label` under `[package]` of its manifest, or "
        "`mondo bundle --label`)",
        name=package,
    )


def _zipped(root: str, folder: str) -> str | None:
    if os.path.isdir(folder):
        return None
    archive = folder
    while archive and not os.path.exists(archive):
        archive = os.path.dirname(archive)
    if not os.path.isfile(archive):
        return None
    return (
        f"{root} cannot be imported out of {archive}: the system loads a shared library only from "
        f"a file of its own; install it (`pip install {os.path.basename(archive)}`), or unpack it "
        "and put the folder on sys.path"
    )


def _shadowed(root: str, folder: str, error: ImportError) -> str | None:
    """Python has found an extension for one of its versions, which another package has."""
    if error.path is None or os.path.basename(error.path) == _FILE:
        return None
    other = os.path.basename(error.path)
    theirs = " and ".join(_owners(root, folder, other)) or "another package"
    ours = " and ".join(_owners(root, folder)) or "this package"
    return (
        f"two packages are installed in {os.path.dirname(folder)}: Python takes {other} of "
        f"{theirs} in the place of {_FILE} of {ours}; uninstall both, remove what is left of the "
        "folder, and install one of them again, or install this one under a label of its own "
        "(`label` under `[package]` of its manifest, or `mondo bundle --label`)"
    )


def _taken(root: str, folder: str, error: ImportError) -> str | None:
    """The process has a library of the same name from somewhere else."""
    library, found, _ = str(error).partition(_OTHER_BUILD)
    if not found or os.path.realpath(os.path.dirname(library)) == os.path.realpath(folder):
        return None
    return (
        f"{root} in {os.path.dirname(folder)} cannot be loaded beside {library}, which another "
        "package of this process uses: two packages with one label cannot be loaded together; make "
        "one of them under a label of its own (`label` under `[package]` of its manifest, or "
        "`mondo bundle --label`)"
    )


def _damaged(root: str, folder: str, error: ImportError) -> str | None:
    missing = _missing(root, folder)
    natives = sorted(map(os.path.basename, glob.glob(os.path.join(glob.escape(folder), "*.so"))))
    said = f"{root} in {os.path.dirname(folder)} is not complete"
    if not missing:
        if not any(name.startswith(_NATIVE + ".") for name in natives):
            missing = [os.path.join(folder, _FILE)]
        elif not any(name.endswith("_mondo.so") for name in natives):
            # The loader's message begins with the name of what it did not find.
            missing = [os.path.join(folder, str(error).partition(":")[0])]
    if missing:
        more = f", and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        return (
            f"{said}: {', '.join(missing[:_SHOWN])}{more} missing; move or copy the folder as a "
            "whole, or install the package again (`pip install --force-reinstall`)"
        )
    if _OTHER_BUILD in str(error) or "has no function" in str(error):
        owners = _owners(root, folder)
        shared = ""
        if len(owners) > 1:
            shared = (
                f"; {' and '.join(owners)} are both installed here: keep one of them, or give one "
                "a label of its own"
            )
        return (
            f"{root} in {os.path.dirname(folder)} is put together from two packages: "
            f"{error}{shared}; install it again (`pip install --force-reinstall`)"
        )
    return None


def _foreign(folder: str) -> str | None:
    """A native module is there, but for another kind of interpreter."""
    natives = glob.glob(os.path.join(glob.escape(folder), f"{_NATIVE}.*so"))
    names = sorted(map(os.path.basename, natives))
    if not names or any(name[len(_NATIVE) :] in EXTENSION_SUFFIXES for name in names):
        return None
    return (
        f"{', '.join(names)} in {folder} is not for this interpreter "
        f"({sys.implementation.cache_tag}), which imports files that end in "
        + ", ".join(EXTENSION_SUFFIXES)
    )


def _records(root: str, folder: str) -> list[tuple[str, str]]:
    """The lists of files beside the import root, with the folder that they are relative to."""
    site = folder
    for _ in range(root.count(".") + 2):
        site = os.path.dirname(site)
    pattern = os.path.join(glob.escape(site), "*.dist-info", "RECORD")
    return [(site, record) for record in sorted(glob.glob(pattern))]


def _listed(record: str) -> list[str]:
    with open(record, encoding="utf-8", newline="") as lines:
        return [row[0] for row in csv.reader(lines) if row]


def _natives(root: str) -> str:
    return root.replace(".", "/") + "/_mlir_libs/"


def _missing(root: str, folder: str) -> list[str]:
    """The files that were installed beside this one and are missing now."""
    missing = []
    for site, record in _records(root, folder):
        listed = [path for path in _listed(record) if path.startswith(_natives(root))]
        paths = (os.path.join(site, path) for path in listed if path.endswith((".so", ".py")))
        missing += [path for path in paths if not os.path.exists(path)]
    return missing


def _owners(root: str, folder: str, file: str = _FILE) -> list[str]:
    """The distributions that have installed a native module."""
    native = f"{_natives(root)}{file}"
    records = _records(root, folder)
    owners = [record for _, record in records if native in _listed(record)]
    return [os.path.basename(os.path.dirname(owner)).rpartition(".")[0] for owner in owners]
