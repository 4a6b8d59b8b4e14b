"""Runs a program of this package in the interpreter that has the inspected package."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any


class FailedError(Exception):
    """The program did not end well."""


def run(place: str, program: str, root: str) -> Any:
    """The JSON that ``program`` prints about the package ``root``.

    ``place`` is an interpreter, or the folder that has the package.
    """
    path = [str(pathlib.Path(__file__).absolute().parent.parent)]
    # Not resolved: a link stays one, since it names its environment.
    interpreter = os.path.abspath(place) if os.sep in place else place
    if os.path.isdir(place):
        interpreter = sys.executable
        path.append(os.path.abspath(place))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    # Some probes write files where they run.
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [interpreter, "-m", program, root],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
    if done.returncode != 0:
        raise FailedError(f"{program} failed for {root} in {place}:\n{done.stderr}")
    return json.loads(done.stdout)
