"""MLIR's tools as commands: the console script ``…-opt`` calls :func:`opt`.

``python -m <this module> opt …`` is the same without the script. The tools are functions of the
mondo library, which is loaded by itself: they do not need the package's extension, which would take
time to load.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

_NATIVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_mlir_libs")


def _library() -> ctypes.CDLL:
    for name in os.listdir(_NATIVE):
        if name.startswith("lib") and name.endswith("_mondo.so"):
            return ctypes.CDLL(os.path.join(_NATIVE, name))
    sys.exit(f"error: the mondo library is not in {_NATIVE}: install the package anew")


def run(tool: str, arguments: list[str]) -> NoReturn:
    """Runs a tool with ``arguments``, the first of which is its own name, and ends the process."""
    # As in a program without Python: its handlers would wait until the tool returns, and it ignores
    # the signals of a closed pipe and of a full quota.
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    main = _library().mondoToolMain
    main.argtypes = (ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p))
    count = len(arguments)
    # The array of a `main` ends with a null pointer.
    array = (ctypes.c_char_p * (count + 1))(*map(os.fsencode, arguments), None)
    # ctypes releases the GIL during the call. The library has flushed its streams when it returns,
    # and Python has written nothing.
    os._exit(main(tool.encode(), count, array))


def opt() -> NoReturn:
    """Runs the tool opt with the process's arguments."""
    run("opt", sys.argv)


def translate() -> NoReturn:
    """Runs the tool translate with the process's arguments."""
    run("translate", sys.argv)


def lsp_server() -> NoReturn:
    """Runs the tool lsp-server with the process's arguments."""
    run("lsp-server", sys.argv)


def reduce() -> NoReturn:
    """Runs the tool reduce with the process's arguments."""
    run("reduce", sys.argv)


def pdll_lsp_server() -> NoReturn:
    """Runs the tool pdll-lsp-server with the process's arguments."""
    run("pdll-lsp-server", sys.argv)


def tblgen_lsp_server() -> NoReturn:
    """Runs the tool tblgen-lsp-server with the process's arguments."""
    run("tblgen-lsp-server", sys.argv)


def __getattr__(name: str) -> Callable[[], NoReturn]:
    """The function of a command that a bundle brings: its name, with ``_`` for ``-`` and ``.``."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return lambda: run(name, sys.argv)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("error: name a tool, and then its arguments: opt --help")
    run(sys.argv[1], sys.argv[1:])
