"""Bundles under three labels and numpy in one process, in every order, local and global; and beside
a library that exports the same names without a version, as other builds of MLIR do.
"""

import importlib.util
import itertools
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOTS = ("mlir", "acme.mlir", "zeta.mlir")
ALL = (*ROOTS, "numpy")
MODES = ("local", "global")


def run(*command: object, env: dict[str, str] | None = None) -> str:
    """Runs Python in a process of its own, so that a crash is a failure of one test alone."""
    result = subprocess.run(
        [sys.executable, *map(str, command)], capture_output=True, text=True, timeout=120, env=env
    )
    assert result.returncode == 0, f"exit {result.returncode}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def script(text: str, env: dict[str, str] | None = None) -> str:
    """Runs a script that can import `work`."""
    path = f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
    return run("-c", path + textwrap.dedent(text), env=env)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pair", list(itertools.permutations(ALL, 2)), ids=" then ".join)
def test_each_works_before_and_after_the_other(pair, mode):
    """Work, and types that are nothing to the other; see `pair.py`."""
    assert run(HERE / "pair.py", mode, *pair).splitlines()[-1] == "exit"


@pytest.mark.parametrize("mode", MODES)
def test_three_in_one_process(mode):
    """All labels at once, each with a library of its own."""
    said = script(
        f"""
        import os
        if {mode == "global"}:
            sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
        from work import apart, package
        packages = [package(root) for root in {ROOTS!r}]
        for one in packages + packages:
            one.work()
        for one in packages:
            for other in packages:
                if one is not other:
                    apart(one, other)
        maps = open("/proc/self/maps").read()
        names = "libmlir_mondo.so", "libacme_mondo.so", "libzeta_mondo.so"
        print(*(name for name in names if name in maps))
        """
    )
    assert said.split() == ["libmlir_mondo.so", "libacme_mondo.so", "libzeta_mondo.so"]


@pytest.mark.parametrize("root", ROOTS)
def test_nothing_becomes_global(root):
    """Under RTLD_GLOBAL, nobody else finds our functions, and Python's flags are as before."""
    script(
        f"""
        import ctypes, os
        flags = os.RTLD_NOW | os.RTLD_GLOBAL
        sys.setdlopenflags(flags)
        from work import package
        package({root!r}).work()
        assert sys.getdlopenflags() == flags
        assert not hasattr(ctypes.CDLL(None), "mlirContextCreate")
        """
    )


@pytest.fixture(scope="module")
def imposter(tmp_path_factory) -> Path:
    """A library with every function of ours, none of which may be called."""
    folder = tmp_path_factory.mktemp("imposter")
    native = Path(importlib.util.find_spec("mlir.ir").origin).parent / "_mlir_libs"
    listing = subprocess.run(
        ["nm", "--dynamic", "--defined-only", "--format=posix", native / "libmlir_mondo.so"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    symbols = [line.split() for line in listing.splitlines()]
    names = [name.partition("@")[0] for name, kind, *_ in symbols if kind == "T"]
    assert len(names) > 1000
    source = "void abort(void);\n" + "".join(
        f"void {name}(void) {{ abort(); }}\n" for name in names
    )
    (folder / "imposter.c").write_text(source)
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-w", "-o", "libimposter.so", "imposter.c"],
        check=True,
        cwd=folder,
    )
    return folder / "libimposter.so"


@pytest.mark.parametrize("how", ["loaded", "preloaded"])
@pytest.mark.parametrize("root", ROOTS)
def test_functions_of_others_do_not_come_between(root, how, imposter):
    """Another MLIR is global before ours is loaded."""
    if how == "loaded":
        before = f"import ctypes; ctypes.CDLL({str(imposter)!r}, ctypes.RTLD_GLOBAL)"
        env = None
    else:
        before = ""
        env = os.environ | {"LD_PRELOAD": str(imposter)}
    script(f"{before}\nimport pair; pair.main('global', [{root!r}])", env)
