"""Runs a program of this package in the interpreter that has the inspected package."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any


class FailedError(Exception):
    """The program did not end well."""


def run(place: str, program: str, root: str) -> Any:
    """The JSON that ``program`` prints about the package ``root``.

    ``place`` is an interpreter, or the folder that has the package.
    """
    path = [str(pathlib.Path(__file__).parent.parent)]
    interpreter = place
    if os.path.isdir(place):
        interpreter = sys.executable
        path.append(os.path.abspath(place))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    done = subprocess.run(
        [interpreter, "-m", program, root], env=environment, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise FailedError(f"{program} failed for {root} in {place}:\n{done.stderr}")
    return json.loads(done.stdout)
