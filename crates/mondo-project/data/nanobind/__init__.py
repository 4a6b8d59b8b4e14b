"""nanobind as the CMake of a project finds it: its functions build nothing here."""

from pathlib import Path

__version__ = "2.15.0"


def cmake_dir() -> str:
    """Return the folder of nanobind-config.cmake."""
    return str(Path(__file__).parents[2])


def include_dir() -> str:
    """Return a folder for `include_directories`; mondo compiles extensions with its own copy."""
    return cmake_dir()
