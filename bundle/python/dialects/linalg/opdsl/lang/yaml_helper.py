"""Definitions as YAML: the few forms of it that they are made of, so no package is needed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

__all__ = ["YAMLObject", "yaml_dump", "yaml_dump_all"]


class YAMLObject:
    """An object that is written as a mapping with a tag of its own."""

    yaml_tag: str

    def to_yaml_custom_dict(self) -> dict[str, Any]:
        """The mapping."""
        raise NotImplementedError

    @classmethod
    def to_yaml(cls, dumper: Any, self: YAMLObject) -> Any:
        """A node of a dumper of PyYAML: the mapping with the tag."""
        return dumper.represent_mapping(cls.yaml_tag, self.to_yaml_custom_dict().items())

    def as_linalg_yaml(self) -> str:
        """This object as a document."""
        return yaml_dump(self)


def multiline_str_representer(dumper: Any, data: str) -> Any:
    """A node of a dumper of PyYAML: several lines in a block, one line as it is."""
    style = "|" if len(data.splitlines()) > 1 else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=style)


def yaml_dump(data: Any, sort_keys: bool = False, **kwargs: Any) -> str:
    """One document, without the line that begins one.

    Further arguments are those of PyYAML's ``dump``, and None or False, which change nothing here.
    """
    _refuse(kwargs)
    return "\n".join(_lines(data, sort_keys)) + "\n"


def yaml_dump_all(
    data: Iterable[Any], sort_keys: bool = False, explicit_start: bool = True, **kwargs: Any
) -> str:
    """Documents, each begun by three dashes; the first of them without, if asked for."""
    _refuse(kwargs)
    documents = [_lines(item, sort_keys) for item in data]
    texts = [
        _document(lines) if explicit_start or number else "\n".join(lines) + "\n"
        for number, lines in enumerate(documents)
    ]
    return "".join(texts)


def _refuse(options: dict[str, Any]) -> None:
    for name, value in options.items():
        if value not in (None, False):
            raise TypeError(f"{name}={value!r}: documents are written in one style here")


def _document(lines: list[str]) -> str:
    first, *rest = lines
    begin = f"--- {first}" if first.startswith("!") else f"---\n{first}"
    return "\n".join([begin, *rest]) + "\n"


def _lines(data: Any, sort_keys: bool) -> list[str]:
    """The lines of a value; one alone may stand behind its key."""
    if isinstance(data, YAMLObject):
        return [data.yaml_tag, *_lines(data.to_yaml_custom_dict(), sort_keys)]
    if isinstance(data, dict):
        entries = sorted(data.items()) if sort_keys else data.items()
        found = [_entry(key, value, _lines(value, sort_keys)) for key, value in entries]
        return [line for lines in found for line in lines] or ["{}"]
    if isinstance(data, (list, tuple)):
        return [line for value in data for line in _item(_lines(value, sort_keys))] or ["[]"]
    return _scalar(data)


def _entry(key: str, value: Any, lines: list[str]) -> list[str]:
    first, *rest = lines
    if isinstance(value, dict) and value:
        return [f"{key}:", *_indented([first, *rest])]
    if isinstance(value, (list, tuple)) and value:
        return [f"{key}:", first, *rest]
    return [f"{key}: {first}", *_indented(rest)]


def _item(lines: list[str]) -> list[str]:
    first, *rest = lines
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
