"""The differences that are accepted or still open, each with its reason, in TOML files.

A file is a list of tables::

    [[accepted]]
    kind = "metaclass"
    where = "*"
    reason = "..."

``where`` is a pattern with ``*`` for any text; ``what``, which need not be given, is one too.
"""

from __future__ import annotations

import fnmatch
import pathlib
from collections.abc import Iterable
from dataclasses import dataclass

import tomllib

from .compare import Difference


class BadFileError(Exception):
    """The file is not what it should be."""


@dataclass(frozen=True)
class Accepted:
    """An entry of the file."""

    kind: str
    where: str
    what: str
    reason: str

    def covers(self, difference: Difference) -> bool:
        """True if it accepts this difference."""
        return (
            difference.kind == self.kind
            and fnmatch.fnmatchcase(difference.where, self.where)
            and fnmatch.fnmatchcase(difference.what, self.what)
        )

    def __str__(self) -> str:
        return f"{self.kind}: {self.where}: {self.what}"


def read(path: pathlib.Path, table: str = "accepted") -> list[Accepted]:
    """The entries of a file, which are the tables of one name."""
    try:
        tables = tomllib.loads(path.read_text()).get(table, [])
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BadFileError(f"{path}: {error}") from error
    return [_entry(path, number, one) for number, one in enumerate(tables, 1)]


def _entry(path: pathlib.Path, number: int, table: dict[str, object]) -> Accepted:
    values = {"what": "*", **table}
    for key in ("kind", "where", "what", "reason"):
        if not isinstance(values.get(key), str) or not values[key]:
            raise BadFileError(f"{path}: entry {number} has no text for {key!r}")
    unknown = sorted(set(values) - {"kind", "where", "what", "reason"})
    if unknown:
        raise BadFileError(f"{path}: entry {number} has unknown keys: {', '.join(unknown)}")
    return Accepted(**{key: str(value) for key, value in values.items()})


def split(
    found: Iterable[Difference], accepted: list[Accepted]
) -> tuple[list[Difference], list[Accepted]]:
    """The differences that no entry accepts, and the entries that accept none."""
    left = []
    used: set[Accepted] = set()
    for difference in found:
        covering = [entry for entry in accepted if entry.covers(difference)]
        used.update(covering)
        if not covering:
            left.append(difference)
    return left, [entry for entry in accepted if entry not in used]
