"""Definitions as YAML: the few forms of it that they are made of, so no package is needed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

__all__ = ["YAMLObject", "yaml_dump", "yaml_dump_all"]


class YAMLObject:
    """What is written as a mapping with a tag of its own."""

    yaml_tag: str

    def to_yaml_custom_dict(self) -> dict[str, Any]:
        """The mapping."""
        raise NotImplementedError

    def as_linalg_yaml(self) -> str:
        """This object as a document."""
        return yaml_dump(self)


def yaml_dump(data: Any) -> str:
    """One document, without the line that begins one."""
    return "\n".join(_lines(data)) + "\n"


def yaml_dump_all(data: Iterable[Any]) -> str:
    """Documents, each begun by three dashes."""
    return "".join(_document(item) for item in data)


def _document(item: Any) -> str:
    first, *rest = _lines(item)
    begin = f"--- {first}" if first.startswith("!") else f"---\n{first}"
    return "\n".join([begin, *rest]) + "\n"


def _lines(data: Any) -> list[str]:
    """The lines of a value; one alone may stand behind its key."""
    if isinstance(data, YAMLObject):
        return [data.yaml_tag, *_lines(data.to_yaml_custom_dict())]
    if isinstance(data, dict):
        return [line for key, value in data.items() for line in _entry(key, value)] or ["{}"]
    if isinstance(data, (list, tuple)):
        return [line for value in data for line in _item(value)] or ["[]"]
    return _scalar(data)


def _entry(key: str, value: Any) -> list[str]:
    first, *rest = _lines(value)
    if isinstance(value, dict) and value:
        return [f"{key}:", *_indented([first, *rest])]
    if isinstance(value, (list, tuple)) and value:
        return [f"{key}:", first, *rest]
    return [f"{key}: {first}", *_indented(rest)]


def _item(value: Any) -> list[str]:
    first, *rest = _lines(value)
    return [f"- {first}", *_indented(rest)]


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" if line else line for line in lines]


# A text that begins so, or has a mark of a mapping or of a comment, would not be read as itself.
_NOT_PLAIN = re.compile(r"[\s!&*?|>'\"%@`{}\[\],#:-]|.*(: | #|:$|\s$)|$")
_OTHER_TYPES = re.compile(r"(true|false|yes|no|on|off|null|~|[-+.\d].*)$", re.IGNORECASE)


def _scalar(data: Any) -> list[str]:
    if data is None:
        return ["null"]
    if isinstance(data, bool):
        return ["true" if data else "false"]
    if isinstance(data, (int, float)):
        return [repr(data)]
    text = str(data)
    if "\n" in text:
        return ["|" if text.endswith("\n") else "|-", *text.splitlines()]
    if _NOT_PLAIN.match(text) or _OTHER_TYPES.match(text):
        return ["'" + text.replace("'", "''") + "'"]
    return [text]
