"""Differences between the facts of two packages: what clients of theirs would not find in ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from . import signatures
from .facts import Class, Entry, Facts, Module


class Difference(NamedTuple):
    """One difference. ``where`` is a module, a name of a module, or a member of a class."""

    kind: str
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.where}: {self.what}"


def differences(theirs: Facts, ours: Facts) -> list[Difference]:
    """All differences, sorted. What only ours has is none, but in what ``import *`` gives."""
    return sorted(set(_differences(theirs, ours)))


def _differences(theirs: Facts, ours: Facts) -> Iterator[Difference]:
    pairs: dict[str, str] = {}
    for name, module in theirs["modules"].items():
        if "error" in module:
            continue
        mine = ours["modules"].get(name)
        if mine is None or "error" in mine:
            why = "missing" if mine is None else mine["error"]
            yield Difference("module", name, why)
            continue
        yield from _module(name, module, mine)
        for key, entry in module["names"].items():
            here = mine["names"].get(key)
            if entry["kind"] == "class" and here is not None and here["kind"] == "class":
                pairs.setdefault(entry["cls"], here["cls"])
    for its, my in pairs.items():
        if _is_external(its):
            continue
        yield from _class(its, theirs["classes"], my, ours["classes"])


def _is_external(key: str) -> bool:
    return key.split(":")[0].split(".")[0] in ("builtins", "typing", "enum", "abc", "collections")


def _module(name: str, theirs: Module, ours: Module) -> Iterator[Difference]:
    if theirs["doc"] and not ours["doc"]:
        yield Difference("docstring", name, "missing")
    if theirs["stub"] and not ours["stub"]:
        yield Difference("stub", name, "missing")
    if theirs["package"] != ours["package"]:
        yield Difference("package", name, f"{ours['package']}, theirs {theirs['package']}")
    for key, entry in theirs["names"].items():
        here = ours["names"].get(key)
        defined = entry.get("origin") == name or entry["kind"] == "value"
        if here is None:
            kind = "name" if defined and entry["kind"] != "typing" else "imported-name"
            yield Difference(kind, f"{name}.{key}", f"missing {entry['kind']}")
        elif defined or not _same_kind(entry["kind"], here["kind"]):
            # An imported name is compared in the module that defines it.
            yield from _entry(f"{name}.{key}", entry, here)
    mine = set(ours["star"])
    for key in theirs["star"]:
        if key not in mine and key in ours["names"]:
            yield Difference("star", f"{name}.{key}", "not exported")
    for key in sorted(mine - set(theirs["star"])):
        yield Difference("extra-star", f"{name}.{key}", "exported here only")


_LIKE_VALUES = ("property", "value")
_OF_CLASSES = ("staticmethod", "classmethod")


def _same_kind(theirs: str, ours: str) -> bool:
    groups = (_LIKE_VALUES, _OF_CLASSES)
    if theirs == "typing":
        # `typing.Sequence` is a name for the class `collections.abc.Sequence`.
        return ours in ("typing", "class", "value")
    return theirs == ours or any(theirs in group and ours in group for group in groups)


def _entry(where: str, theirs: Entry, ours: Entry) -> Iterator[Difference]:
    if not _same_kind(theirs["kind"], ours["kind"]):
        yield Difference("kind", where, f"{ours['kind']}, theirs {theirs['kind']}")
        return
    if theirs.get("doc") and not ours.get("doc"):
        yield Difference("docstring", where, "missing")
    if theirs.get("value") is not None and ours.get("value") not in (None, theirs["value"]):
        yield Difference("value", where, f"{ours['value']}, theirs {theirs['value']}")
    if theirs.get("name") and ours.get("name") != theirs["name"] and theirs["name"] != "<lambda>":
        yield Difference("__name__", where, f"{ours.get('name')}, theirs {theirs['name']}")
    if theirs.get("settable") and ours.get("settable") is False:
        yield Difference("setter", where, "missing")
    yield from _signature(where, theirs.get("signatures"), ours.get("signatures"))
    yield from _lines(where, theirs.get("lines", []), ours.get("lines"))


def _lines(
    where: str, theirs: list[signatures.Line], ours: list[signatures.Line] | None
) -> Iterator[Difference]:
    """Differences of the signatures that docstrings begin with. What is written in Python in ours
    has none."""
    if not theirs or ours is None:
        return
    if not ours:
        yield Difference("docstring-line", where, "missing")
        return
    # Lines of ours that differ in how an argument is given are one line of theirs; whether every
    # call is allowed, the signatures decide.
    mine = {it["name"] for line in ours for it in line["parameters"]}
    typed = {name for it in ours for name in it["typed"]}
    most = max(_places(it) for it in ours)
    for its in theirs:
        named = [it["name"] for it in its["parameters"] if it["kind"] in ("either", "keyword")]
        said = [f"no parameter {it!r}" for it in named if it not in mine and where.count("__") < 2]
        said += [f"no type of {it!r}" for it in its["typed"] if it in mine and it not in typed]
        if _places(its) > most:
            said.append(f"{most} parameters by place, theirs has {_places(its)}")
        if not any(_is_as_exact(it["result"], its["result"]) for it in ours):
            results = " or ".join(dict.fromkeys(it["result"] for it in ours))
            said.append(f"result {results}, theirs {its['result']}")
        if said:
            yield Difference("docstring-line", where, ", ".join(said))


def _places(line: signatures.Line) -> int:
    return sum(it["kind"] in ("positional", "either") for it in line["parameters"])


def _is_as_exact(ours: str, theirs: str) -> bool:
    """True if the type of our result says at least what theirs does."""
    if theirs in ("", "object"):
        return bool(ours)
    return ours in (theirs, "Self") or ours.startswith(f"{theirs}[")


def _signature(
    where: str,
    theirs: list[signatures.Signature] | None,
    ours: list[signatures.Signature] | None,
) -> Iterator[Difference]:
    if theirs is None:
        return
    if ours is None:
        yield Difference("signature", where, "not stated")
        return
    for number, signature in enumerate(theirs):
        # An operator is called by places alone.
        by_name = not where.endswith("__") or where.endswith((".__init__", ".__call__"))
        missing = signatures.missing_uses(signature, ours, by_name=by_name)
        if missing:
            overload = f"overload {number}: " if len(theirs) > 1 else ""
            yield Difference("signature", where, overload + ", ".join(missing))


def _class(
    key: str, theirs: dict[str, Class], my_key: str, ours: dict[str, Class]
) -> Iterator[Difference]:
    its, mine = theirs[key], ours[my_key]
    where = key.replace(":", ".")
    if key != my_key:
        yield Difference("defined-in", where, my_key.replace(":", "."))
    if mine["final"] and not its["final"]:
        yield Difference("final", where, "cannot be subclassed")
    if its["metaclass"] != mine["metaclass"]:
        yield Difference("metaclass", where, f"{mine['metaclass']}, theirs {its['metaclass']}")
    mine_of, its_of = _short(mine["bases"]), _short(its["bases"])
    if mine_of != its_of:
        yield Difference("bases", where, f"{mine_of}, theirs {its_of}")
    if its["takes_in"] == "__init__" and mine["takes_in"] == "__new__":
        yield Difference("constructed-in", where, "__new__, theirs __init__")
    if its["takes_in"] == "__init__" and "constructor" in its:
        yield from _signature(f"{where}.__init__", its["constructor"], mine.get("constructor"))
    for name, value in its.get("enum", {}).items():
        there = mine.get("enum", {}).get(name)
        if there != value:
            yield Difference("enum", f"{where}.{name}", f"{there}, theirs {value}")
    for name, entry in its["members"].items():
        here = _member(name, mine, ours)
        if here is None:
            yield Difference("member", f"{where}.{name}", f"missing {entry['kind']}")
        else:
            yield from _entry(f"{where}.{name}", entry, here)


def _short(keys: list[str]) -> str:
    return ", ".join(key.split(":")[1] for key in keys)


def _member(name: str, cls: Class, classes: dict[str, Class]) -> Entry | None:
    for key in cls["mro"]:
        found = classes[key]["members"].get(name)
        if found is not None:
            return found
    return None


# The kinds of differences that probes find.
PROBE_KINDS = frozenset({"result", "raises", "exception", "text", "crash", "no-probe"})
Outcome = list[str]
# The text of an object that shows its address.
ADDRESS = "<address>"


def outcomes(theirs: dict[str, Outcome], ours: dict[str, Outcome]) -> list[Difference]:
    """Differences of behaviour. Where theirs raises and ours gives a result, there is none."""
    return sorted(set(_outcomes(theirs, ours)))


def _outcomes(theirs: dict[str, Outcome], ours: dict[str, Outcome]) -> Iterator[Difference]:
    for probe, its in theirs.items():
        mine = ours.get(probe)
        if its[0] == "crash":
            continue
        if mine is None:
            yield Difference("no-probe", probe, f"not run, theirs {_said(its)}")
        elif mine[0] == "crash":
            yield Difference("crash", probe, _said(its))
        elif its[0] == "result":
            if mine[0] == "raised":
                yield Difference("raises", probe, f"{_said(mine)}, theirs {_said(its)}")
            elif not _is_same(mine, its):
                yield Difference("result", probe, f"{_said(mine)}, theirs {_said(its)}")
        elif mine[0] == "raised":
            if mine[1] != its[1]:
                yield Difference("exception", probe, f"{_said(mine)}, theirs {_said(its)}")
            elif mine[2] != its[2]:
                yield Difference("text", probe, f"{mine[2]!r}, theirs {its[2]!r}")


def _is_same(mine: Outcome, its: Outcome) -> bool:
    """True if the results are equal. Where theirs shows an address, ours may show what it likes."""
    before, address, _ = its[2].partition(ADDRESS)
    return mine[1] == its[1] and (mine[2].startswith(before) if address else mine[2] == its[2])


def _said(outcome: Outcome) -> str:
    return " ".join(outcome[1:])
