"""The version of a distribution, by one of its modules."""

from __future__ import annotations

import os
from importlib import metadata


def version_of(module: str, file: str) -> str:
    """The version of the distribution that has the module in this file.

    No file of the package knows the name of the distribution.
    """
    path = module.replace(".", "/") + ".py"
    for distribution in metadata.distributions():
        for its in distribution.files or ():
            if its.as_posix() == path and os.path.samefile(distribution.locate_file(its), file):
                return distribution.version
    raise AttributeError(f"module {module!r} is of no installed distribution, and has no version")
