"""`python -m nanobind --cmake_dir`."""

import sys

import nanobind

if "--version" in sys.argv:
    print(nanobind.__version__)
else:
    print(nanobind.cmake_dir())
