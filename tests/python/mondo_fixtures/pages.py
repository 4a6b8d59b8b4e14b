"""The Python programs that pages of the documentation show."""

import re
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(
    r"(?:<!-- bundle: (?P<bundle>\S+) -->\n+)?^```python\n(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


class Program(NamedTuple):
    """The blocks of a page for one bundle, in the order in which a reader types them."""

    page: Path
    bundle: str
    code: str


def programs(folder: Path) -> list[Program]:
    """The programs of README.md and of the book below ``folder``.

    A block is for the default bundle, unless a line before it says ``<!-- bundle: NAME -->``: a
    manifest of ``manifests/``, or an example.
    """
    found = []
    for page in [folder / "README.md", *sorted((folder / "docs").rglob("*.md"))]:
        blocks: dict[str, list[str]] = {}
        text = page.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            # Lines above keep their numbers, so that a traceback names the page's.
            before = text.count("\n", 0, match.start("code"))
            code = blocks.setdefault(match["bundle"] or "default", [])
            lines = sum(part.count("\n") for part in code)
            code.append("\n" * (before - lines) + match["code"])
        found += [Program(page, bundle, "".join(code)) for bundle, code in blocks.items()]
    return found


def run(program: Program) -> None:
    """Runs a program as it is printed."""
    exec(compile(program.code, program.page, "exec"), {"__name__": "__main__"})
