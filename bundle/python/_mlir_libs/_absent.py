"""Messages about parts that the bundle excludes: which key of its manifest adds them.

Imported only to make a message. ``_excluded``, which the build writes, lists the excluded parts.
"""

import re
from collections.abc import Iterable

from ._excluded import DIALECTS, MODULES, PASSES, RUNTIME, TARGETS, TRANSLATIONS

# The names of LLVM's code generators where a triple does not begin with their name.
_OF_TRIPLES = {
    "amdgcn": "AMDGPU",
    "r600": "AMDGPU",
    "arm64": "AArch64",
    "i686": "X86",
    "ppc": "PowerPC",
}
_CALLED_FOR = (
    re.compile(r"Dialect `(?P<dialect>[^']+)' not found"),
    re.compile(
        r'[#!]"?(?P<dialect>\w+)"?<.*(?:attribute|type) created with unregistered dialect', re.S
    ),
    re.compile(r"`(?P<dialect>\w+)\.[^`]*` is being parsed with an unregistered dialect"),
    re.compile(r"(?:for triple '|unavailable for triple )(?P<triple>[^\s',]+)"),
)


# The parser's message about an operation in generic form does not say which one.
_UNNAMED = "operation being parsed with an unregistered dialect"
_PLACE = re.compile(r":(\d+):(\d+)\)$")
_OPERATION = re.compile(rb'"(\w+\.[\w.$]+)"\s*$')


def named(message: str, location: object, source: str | bytes | None) -> str:
    """The message with the name of the operation that ends at its place in the parser's source."""
    place = _PLACE.search(str(location))
    if source is None or place is None or not message.startswith(_UNNAMED):
        return message
    line, column = map(int, place.groups())
    lines = (source.encode() if isinstance(source, str) else source).split(b"\n")
    text = lines[line - 1][: column - 1] if line <= len(lines) else b""
    operation = _OPERATION.search(text)
    if operation is None:
        return message
    return message.replace("operation", f"`{operation[1].decode()}` is", 1)


def _add(words: str | Iterable[str], key: str, table: str) -> str:
    named = [words] if isinstance(words, str) else words
    said = " and ".join(f'"{word}"' for word in named)
    return f"add {said} to `{key}` under `[{table}]` of its manifest"


def dialect(name: str) -> str:
    """The end of a message about a dialect that was not found."""
    if name not in DIALECTS.values():
        return ""
    return f"; this bundle was made without it: {_add(name, 'dialects', 'contents')}"


def module(name: str) -> str | None:
    """The message about a module below ``dialects`` that is not there; none if no bundle has it."""
    if name in MODULES:
        adding = _add(MODULES[name], "dialects", "contents")
        return f"no module named {name!r}; this bundle was made without it: {adding}"
    if name not in DIALECTS:
        return None
    return f"no module named {name!r}{dialect(DIALECTS[name])}"


def pipeline(message: str) -> str:
    """The end of a parser's message about a pipeline."""
    if not PASSES or "does not refer to a registered pass" not in message:
        return ""
    return (
        f"this bundle was made without the passes of {', '.join(PASSES)}: "
        "`passes` under `[contents]` of its manifest adds them\n"
    )


def translation(name: str) -> str:
    """The end of a message about a translation."""
    if name not in TRANSLATIONS:
        return ""
    return f"; this bundle was made without it: {_add(name, 'translations', 'contents')}"


def runtime(undefined: Iterable[str]) -> str:
    """The end of a message about functions that a compiled module does not find."""
    missing = set(undefined)
    said = [
        f"; the module calls {', '.join(sorted(calls))}, and this bundle was made without it: "
        f"{_add(library, 'runtime', 'contents')}, or name a library that has it in `shared_libs`"
        for library, functions in RUNTIME.items()
        if (calls := missing.intersection(functions))
    ]
    return "".join(said)


def _target(triple: str) -> str:
    start = triple.partition("-")[0].lower()
    for target in TARGETS:
        if start.startswith(target.lower()) or _OF_TRIPLES.get(start) == target:
            return f"LLVM's code generator {target}: {_add(target, 'targets', 'llvm')}"
    return ""


def advice(messages: Iterable[str]) -> list[str]:
    """Advice about errors that MLIR has reported; mostly none."""
    found = []
    for message in messages:
        for pattern in _CALLED_FOR:
            match = pattern.search(message)
            if match is None:
                continue
            groups = match.groupdict()
            if groups.get("dialect") in DIALECTS.values():
                name = groups["dialect"]
                found.append(f"the dialect {name}: {_add(name, 'dialects', 'contents')}")
            elif "triple" in groups:
                found.append(_target(groups["triple"]))
    unique = dict.fromkeys(said for said in found if said)
    return [f"this bundle was made without {said}" for said in unique]
