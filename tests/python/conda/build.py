"""Builds a recipe with rattler-build and runs the package's tests, without a channel of anyone's.

The packages `python` and `pip` of the recipe come from a channel that this script makes: they start
the Python that runs it, with the packages of the environment that they are installed in.

    python build.py RECIPE WORK WHEEL
"""

import sys
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import rattler_build

VERSION = ".".join(map(str, sys.version_info[:3]))
SITE = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"

PYTHON = f"""
package: {{name: python, version: {VERSION}}}
build:
  number: 0
  script:
    - mkdir -p "$PREFIX/bin" "$PREFIX/{SITE}"
    - touch "$PREFIX/{SITE}/.keep"
    - |
      cat > "$PREFIX/bin/python" <<'END'
      #!/bin/sh
      here=$(cd "$(dirname "$0")/.." && pwd)
      PYTHONPATH=$here/{SITE} exec {sys.executable} "$@"
      END
    - chmod +x "$PREFIX/bin/python"
    - ln -s python "$PREFIX/bin/python{sys.version_info[0]}.{sys.version_info[1]}"
"""

PIP = """
package: {name: pip, version: 0.0.1}
build:
  number: 0
  script: mkdir -p "$PREFIX/share/pip" && touch "$PREFIX/share/pip/empty"
"""


def build(recipe: Path, output: Path, channels: list[str]) -> Path:
    """The package of a recipe."""
    parsed = rattler_build.Stage0Recipe.from_file(recipe)
    (result,) = parsed.run_build(
        output_dir=output, channels=channels, no_include_recipe=True, package_format="tar.bz2"
    )
    (package,) = result.packages
    return Path(package)


def main(recipe: Path, work: Path, wheel: Path) -> None:
    """Builds, tests, and compares the libraries with those of the wheel."""
    channel = work / "channel"
    for name, text in [("python", PYTHON), ("pip", PIP)]:
        path = work / name / "recipe.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(text)
        build(path, channel, [])
    channels = [channel.as_uri()]
    package = rattler_build.Package.from_file(build(recipe, work / "packages", channels))
    results = package.run_tests(channel=channels)
    if len(results) != 2 or not all(result.success for result in results):
        raise SystemExit(f"the package's tests fail: {results}")
    with zipfile.ZipFile(wheel) as contents:
        libraries = {
            f"site-packages/{name}": sha256(contents.read(name)).hexdigest()
            for name in contents.namelist()
            if name.endswith(".so")
        }
    with tarfile.open(package.path) as contents:
        packed = {
            member.name: sha256(contents.extractfile(member).read()).hexdigest()
            for member in contents
            if member.name.endswith(".so")
        }
    if packed != libraries:
        raise SystemExit(f"the package's libraries are not the wheel's: {packed} {libraries}")
    print(package.filename, len(libraries))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
