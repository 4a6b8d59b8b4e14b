"""``python -m mondo_bundle``: the program of this installation, with the same arguments."""

from __future__ import annotations

import os
import subprocess
import sys

from mondo_bundle import executable


def main() -> int:
    program = os.fspath(executable())
    arguments = [program, *sys.argv[1:]]
    if sys.platform == "win32":
        return subprocess.run(arguments, check=False).returncode
    os.execv(program, arguments)
    raise AssertionError("execv does not return")


if __name__ == "__main__":
    sys.exit(main())
