"""Writes a wheel `mondo` 3.0.0 into the given folder: the foreign distribution of that name.

Its code fails, at each start of a Python that it is installed for, too.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

FAILS = 'raise SystemExit("the other project `mondo` runs")\n'
INFO = "mondo-3.0.0.dist-info"
FILES = {
    "mondo/__init__.py": FAILS,
    "mondo/__main__.py": FAILS,
    "mondo_foreign.pth": "import mondo\n",
    f"{INFO}/METADATA": "Metadata-Version: 2.1\nName: mondo\nVersion: 3.0.0\n",
    f"{INFO}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    record = "".join(f"{name},,\n" for name in (*FILES, f"{INFO}/RECORD"))
    with zipfile.ZipFile(folder / "mondo-3.0.0-py3-none-any.whl", "w") as wheel:
        for name, text in {**FILES, f"{INFO}/RECORD": record}.items():
            wheel.writestr(name, text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
