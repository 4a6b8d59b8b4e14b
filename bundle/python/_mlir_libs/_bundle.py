"""Refuses a package that two bundles were installed into, whose files are mixed.

Two bundles without a label, or with one label, have files of the same names; an installer
overwrites those of the first with those of the second. Each has one file of its own name in
``_bundles``.
"""

import os


def _check(folder: str) -> None:
    try:
        names = sorted(os.listdir(os.path.join(folder, "_bundles")))
    except OSError:
        # In a zip file, whose import fails with a message of its own.
        return
    if len(names) > 1:
        raise ImportError(
            f"{os.path.dirname(folder)} was installed by {' and by '.join(names)}, and each has "
            "overwritten files of the other: uninstall all of them and install one again, or make "
            "one of them under a label of its own (`label` under `[package]` of its manifest, or "
            "`mondo bundle --label`)",
            name=__name__.rpartition(".")[0],
        )


_check(os.path.dirname(os.path.abspath(__file__)))
