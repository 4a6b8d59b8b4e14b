"""Copies of upstream's tests for another import root.

Upstream's tests import the package `mlir`; a bundle with a label has another import root. A few
lines assert something that this project contradicts on purpose: tests/conformance.toml lists them
as edits.
"""

import re
import shutil
from pathlib import Path

# The modules of upstream's package that a test names in full, in code or in expected output.
PARTS = (
    "ir",
    "dialects",
    "passmanager",
    "rewrite",
    "runtime",
    "extras",
    "execution_engine",
    "_mlir_libs",
)

PACKAGE = re.compile(
    rf"(?<![\w.%])mlir(?=\.(?:{'|'.join(PARTS)})\b)|(?:(?<=from )|(?<=import ))mlir(?!\w)"
)


def renamed(text: str, root: str) -> str:
    """The text with the package named `root` instead of `mlir`.

    >>> for text in (
    ...     "from mlir.ir import *",
    ...     "import mlir",
    ...     "import mlir.dialects.x as x",
    ...     "<class 'mlir.ir.Value'>",
    ...     "import mlirs",
    ...     "from my.mlir.ir import x",
    ...     "#mlir.sparse %mlir.ir",
    ...     "mlir.irdl = libmlir",
    ... ):
    ...     assert renamed(text, "mlir") == text
    ...     print(renamed(text, "acme.mlir"))
    from acme.mlir.ir import *
    import acme.mlir
    import acme.mlir.dialects.x as x
    <class 'acme.mlir.ir.Value'>
    import mlirs
    from my.mlir.ir import x
    #mlir.sparse %mlir.ir
    mlir.irdl = libmlir
    """
    return PACKAGE.sub(root, text)


def edited(text: str, edits: list[dict[str, str]]) -> str:
    """The text of one test after its edits.

    >>> edit = {"test": "ir/a.py", "line": "assert x", "becomes": "pass"}
    >>> edited("if y:\\n    assert x\\n", [edit])
    'if y:\\n    pass\\n'
    >>> edited("assert y", [edit])
    Traceback (most recent call last):
    ValueError: an edit of ir/a.py finds no line `assert x`
    """
    for edit in edits:
        if edit["line"] not in text:
            raise ValueError(f"an edit of {edit['test']} finds no line `{edit['line']}`")
        text = text.replace(edit["line"], edit["becomes"])
    return text


def copy(source: Path, target: Path, root: str, edits: list[dict[str, str]]) -> None:
    """Copies the folder of tests, with the import root `root` and the edits.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "from/ir").mkdir(parents=True)
    >>> _ = (folder / "from/ir/a.py").write_text("# RUN: %PYTHON %s\\nimport mlir\\nassert x\\n")
    >>> edit = {"test": "ir/a.py", "line": "assert x", "becomes": "pass"}
    >>> copy(folder / "from", folder / "to", "acme.mlir", [edit])
    >>> print((folder / "to/ir/a.py").read_text(), end="")
    # RUN: %PYTHON %s
    import acme.mlir
    pass
    >>> copy(folder / "from", folder / "elsewhere", "mlir", [edit | {"test": "ir/b.py"}])
    Traceback (most recent call last):
    ValueError: an edit is for ir/b.py, which is not there
    >>> shutil.rmtree(folder)
    """
    shutil.copytree(source, target)
    for edit in edits:
        if not (target / edit["test"]).is_file():
            raise ValueError(f"an edit is for {edit['test']}, which is not there")
    for path in target.rglob("*.py"):
        name = path.relative_to(target).as_posix()
        text = renamed(path.read_text(encoding="utf-8"), root)
        text = edited(text, [edit for edit in edits if edit["test"] == name])
        path.write_text(text, encoding="utf-8")
