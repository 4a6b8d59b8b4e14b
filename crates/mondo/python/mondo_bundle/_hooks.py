"""The hooks of the build backend (PEP 517, PEP 660).

They call the program ``mondo``, which does the work; its progress goes to standard error.
There is no hook for metadata alone: a frontend that asks for it builds the wheel, and a second
build of the same is found to be up to date.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from mondo_bundle._program import executable

Settings = Mapping[str, "str | list[str]"]


def get_requires_for_build_wheel(config_settings: Settings | None = None) -> list[str]:
    return _run("requires", config_settings)["requires"]


def get_requires_for_build_editable(config_settings: Settings | None = None) -> list[str]:
    return _run("requires", config_settings)["requires"]


def get_requires_for_build_sdist(config_settings: Settings | None = None) -> list[str]:
    return _run("requires-sdist", config_settings)["requires"]


def build_wheel(
    wheel_directory: str,
    config_settings: Settings | None = None,
    metadata_directory: str | None = None,
) -> str:
    return _run("build-wheel", config_settings, wheel_directory)["file"]


def build_editable(
    wheel_directory: str,
    config_settings: Settings | None = None,
    metadata_directory: str | None = None,
) -> str:
    return _run("build-editable", config_settings, wheel_directory)["file"]


def build_sdist(sdist_directory: str, config_settings: Settings | None = None) -> str:
    return _run("build-sdist", config_settings, sdist_directory)["file"]


def _program() -> str:
    """The program: ``MONDO``, else that of this installation, else one beside Python or on PATH."""
    if named := os.environ.get("MONDO"):
        return named
    try:
        return os.fspath(executable())
    except FileNotFoundError as error:
        beside = Path(sys.executable).parent
        found = shutil.which("mondo", path=os.fspath(beside)) or shutil.which("mondo")
        if found is None:
            raise RuntimeError(f"{error}\nSet MONDO to the program.") from error
        return found


def _kit() -> dict[str, str]:
    """The variable that names the kit, if Python sees just one.

    The program looks for kits in the prefix that it is installed in itself. pip's isolated builds
    have one prefix for what pyproject.toml requires, and another one for what the hooks ask for.
    """
    folders = {
        Path(os.fspath(found.locate_file(file))).resolve().parent
        for found in importlib.metadata.distributions()
        for file in found.files or ()
        if file.name == "kit.json" and "/share/mondo/kits/" in file.as_posix()
    }
    return {"MONDO_KIT": os.fspath(folders.pop())} if len(folders) == 1 else {}


def _run(hook: str, settings: Settings | None, out_dir: str | None = None) -> dict:
    arguments = [_program(), "pep517", hook, "--project", os.getcwd()]
    if out_dir is not None:
        arguments += ["--out-dir", out_dir]
    for key, value in (settings or {}).items():
        values = value if isinstance(value, list) else [value]
        for one in values:
            arguments += ["--config", f"{key}={one}"]
    # Extensions in C++ are for the interpreter that the frontend builds with. What the hooks ask
    # for is in folders that another interpreter, which MONDO_PYTHON may name, does not look into.
    environment = {
        "MONDO_PYTHON": sys.executable,
        "MONDO_PACKAGES": os.pathsep.join(sys.path),
        **_kit(),
        **os.environ,
    }
    done = subprocess.run(arguments, stdout=subprocess.PIPE, env=environment, check=False)
    if done.returncode != 0:
        # The program has said why.
        raise SystemExit(done.returncode)
    return json.loads(done.stdout)
