"""The place of the program ``mondo`` that pip installed together with this package."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path


def executable() -> Path:
    """The path of the program of this installation.

    Raises:
        FileNotFoundError: if no folder that pip installs programs into has it.
    """
    name = "mondo.exe" if sys.platform == "win32" else "mondo"
    folders = _script_folders()
    for folder in folders:
        program = folder / name
        if program.is_file() and os.access(program, os.X_OK):
            return program
    tried = "".join(f"\n  {folder}" for folder in folders)
    raise FileNotFoundError(f"the program {name} is in none of these folders:{tried}")


def _script_folders() -> list[Path]:
    """The folders of programs, in the order of the ways to install this package."""
    package = Path(__file__).resolve().parent
    # `pip install --prefix`, and an isolated build:
    # <prefix>/lib/python3.x/site-packages/mondo_bundle.
    prefixes = [package.parents[3]] if len(package.parents) > 3 else []
    folders = [prefix / "bin" for prefix in prefixes]
    folders.append(Path(sysconfig.get_path("scripts")))
    folders.append(Path(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))))
    # `pip install --target`.
    folders.append(package.parent / "bin")
    return list(dict.fromkeys(folders))
