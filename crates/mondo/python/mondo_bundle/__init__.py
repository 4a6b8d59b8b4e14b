"""The command ``mondo``, as pip installs it, and its build backend (PEP 517, PEP 660).

``mondo`` links MLIR's static archives into one private shared library and packs it into a wheel.
A project names this package as its backend: ``build-backend = "mondo_bundle"``. The program is
beside the interpreter's other commands; :func:`executable` finds it.
"""

from __future__ import annotations

from importlib import metadata

from mondo_bundle._hooks import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
)
from mondo_bundle._program import executable

__all__ = [
    "__version__",
    "build_editable",
    "build_sdist",
    "build_wheel",
    "executable",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return metadata.version("mondo-bundle")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
