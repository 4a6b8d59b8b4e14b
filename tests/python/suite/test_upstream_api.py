"""An installed wheel has what upstream's bindings have: names, parameters, defaults, bases.

``upstream_api.txt`` lists upstream's side; ``list_upstream_api.py`` made it and says how it reads.
Ours may have more, and may take more, but whatever call or access upstream's signatures allow has
to be possible here too. Annotations are not compared: the stubs say what ours are.
"""

import ast
import enum
import importlib
import inspect
import re
import types
from dataclasses import dataclass, field
from pathlib import Path

import pytest

LIST = Path(__file__).with_name("upstream_api.txt")

# The differences to upstream, each with its reason. A line that is no longer needed fails.
ACCEPTED: dict[str, str] = {}

# The names that older LLVMs do not have; the list is of LLVM 22.
SINCE_22 = {
    *(
        f"ir.{name}Type"
        for name in ("Float4E2M1FN", "Float6E2M3FN", "Float6E3M2FN", "Float8E3M4", "Float8E8M0FNU")
    ),
    *(
        f"extras.types.{name}"
        for name in ("f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E8M0FNU")
    ),
}

# Upstream's private bases, and the public classes that stand for them: what they bring has to be
# there, whatever brings it.
PRIVATE_BASES = {"ir._Context": ["ir.Context"], "ir._OperationBase": ["ir.Operation", "ir.OpView"]}

# Slots of the type object have no names for their parameters; only calls by position exist.
DUNDER = re.compile(r"__\w+__$")


@dataclass
class Member:
    """The list's facts about one name; overloads are several signatures."""

    path: str
    kind: str
    signatures: list[str] = field(default_factory=list)
    value: str = ""

    @property
    def name(self):
        return self.path.rpartition(".")[2]


@dataclass
class Class:
    """A class of the list."""

    path: str
    bases: list[str]
    members: dict[str, Member] = field(default_factory=dict)


def read_list():
    """The classes and the rest: functions and attribute builders."""
    classes, others = {}, {}
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        body, _, kind = line.partition("  @")
        path = re.match(r"[\w.]+(?:\['\w+'\])?", body)[0]
        rest = body[len(path) :]
        if rest.startswith(" : "):
            classes[path] = Class(path, rest[3:].split(", "))
            continue
        home = classes.get(path.rpartition(".")[0])
        known = others if home is None else home.members
        member = known.setdefault(path, Member(path, kind or "method"))
        if rest.startswith("("):
            member.signatures.append(re.sub(r"^\(cls(: object)?, ", "(", rest))
        elif rest.startswith(" = "):
            member.kind, member.value = "constant", rest[3:]
    return classes, others


CLASSES, OTHERS = read_list()


def parse_signature(text):
    """The parameters of a line of the list: by position, by name only, defaults; `*` and `**`."""
    arguments = ast.parse(f"def f{text}: ...").body[0].args
    positional = [(a.arg, True) for a in arguments.posonlyargs]
    positional += [(a.arg, a.arg == "self") for a in arguments.args]
    padding = [None] * (len(positional) - len(arguments.defaults))
    defaults = [*padding, *arguments.defaults]
    positional = [(*p, d and ast.unparse(d)) for p, d in zip(positional, defaults, strict=True)]
    by_name = [
        (a.arg, d and ast.unparse(d))
        for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return positional, by_name, arguments.vararg is not None


def calls(text):
    """The ways to call what has this signature: (positional arguments, keyword names)."""
    positional, by_name, _ = parse_signature(text)
    required = [name for name, default in by_name if default is None]
    everything = [name for name, _ in by_name]
    least = sum(default is None for *_, default in positional)
    only = sum(is_positional for _, is_positional, _ in positional)
    named = [name for name, is_positional, _ in positional if not is_positional]
    yield least, required
    yield len(positional), everything
    yield only, named + everything
    if named and least > only:
        yield only, named[: least - only] + required


def same_default(theirs, ours):
    """True if two defaults mean the same; `...` is a native function's representation of an
    object."""
    if ours is Ellipsis:
        return not re.fullmatch(r"None|True|False|-?\d+|'.*'", theirs)
    try:
        return ast.literal_eval(theirs) == ours
    except ValueError:
        return str(ours) == theirs


def compare_signature(member, function, problems):
    """Every call that upstream takes binds; defaults of parameters of one name are the same."""
    try:
        ours = inspect.signature(function)
    except (ValueError, TypeError) as error:
        problems.append(f"{member.path}: no signature to be read: {error}")
        return
    dunder = DUNDER.match(member.name) and member.name not in ("__init__", "__call__")
    for text in member.signatures:
        for count, names in calls(text):
            if dunder and names:
                continue
            try:
                ours.bind(*range(count), **dict.fromkeys(names, 0))
            except TypeError as error:
                problems.append(f"{member.path}{text}\n        ours is {ours}: {error}")
                break
        positional, by_name, _ = parse_signature(text)
        defaults = [(name, default) for name, is_only, default in positional if not is_only]
        for name, default in defaults + by_name:
            parameter = ours.parameters.get(name)
            if default is None or parameter is None or dunder:
                continue
            if parameter.default is parameter.empty and len(member.signatures) > 1:
                continue
            if not same_default(default, parameter.default):
                problems.append(
                    f"{member.path}: {name} is {default} by default, ours is {parameter.default!r}"
                )


def static_lookup(cls, name):
    """The class's attribute of that name, without `object`'s."""
    for base in cls.__mro__:
        if base is not object and name in vars(base):
            return vars(base)[name]
    return None


def compare_class_attribute(member, cls, problems):
    """Compares an attribute that is read from the class itself."""
    try:
        value = getattr(cls, member.name)
    except AttributeError as error:
        if not member.kind.endswith("raises"):
            problems.append(f"{member.path}: missing on the class: {error}")
        return
    except ValueError:  # What is current, where nothing is.
        return
    if member.kind.endswith("raises"):
        problems.append(f"{member.path}: raises AttributeError, ours is {value!r}")
    elif isinstance(value, property) or inspect.isgetsetdescriptor(value):
        problems.append(f"{member.path}: is of the class, ours of its instances")
    elif member.kind == "constant":
        if isinstance(value, enum.Enum):
            in_words = "." in member.value
            value = f"{type(value).__name__}.{value.name}" if in_words else repr(value.value)
        else:
            value = repr(value)
        if value != member.value:
            problems.append(f"{member.path}: is {member.value}, ours {value}")


def compare_member(member, cls, problems):
    """One member of a class."""
    raw = static_lookup(cls, member.name)
    if member.kind == "constant" or member.kind.startswith("static property"):
        compare_class_attribute(member, cls, problems)
        return
    if member.name == "__init__":
        compare_constructor(member, cls, problems)
        return
    if raw is None:
        problems.append(f"{member.path}: missing")
        return
    if member.kind.startswith("property"):
        if callable(raw) or isinstance(raw, staticmethod | classmethod):
            problems.append(f"{member.path}: is a property, ours is called")
        elif isinstance(raw, property) and raw.fset is None and member.kind.endswith("set"):
            problems.append(f"{member.path}: can be assigned, ours not")
        return
    if member.name == "__class_getitem__":
        return
    function = getattr(cls, member.name)
    if not callable(function):
        problems.append(f"{member.path}: is called, ours is {type(raw).__name__}")
        return
    # Upstream has it as a method that is called on the class, with the capsule for its `self`.
    is_factory = member.name == "_CAPICreate"
    if isinstance(raw, staticmethod | classmethod) and member.kind == "method" and not is_factory:
        problems.append(f"{member.path}: is called on an instance, ours on the class")
        return
    if inspect.ismethoddescriptor(raw) and DUNDER.match(member.name) and member.kind == "method":
        return
    compare_signature(member, function, problems)


def compare_constructor(member, cls, problems):
    """Native classes are made by `__new__`, whose signature is the class's; it has no self."""
    init = vars(cls).get("__init__")
    if isinstance(init, types.MethodDescriptorType):
        # Of such a class, inspect knows no signature since CPython 3.13.
        compare_signature(member, init, problems)
        return

    def without_self(text):
        return re.sub(r"^\(self(?:, )?", "(", text)

    constructor = Member(member.path, member.kind, [without_self(t) for t in member.signatures])
    compare_signature(constructor, cls, problems)


def module(root, path):
    """The module that the first part of a path of the list stands for."""
    for shown in ("dialects._ods_common", "extras.meta", "extras.types"):
        if path.startswith(f"{shown}."):
            return importlib.import_module(f"{root}.{shown}"), path[len(shown) + 1 :]
    shown, _, rest = path.partition(".")
    shown = "_mlir_libs._mlir" if shown == "_mlir" else shown
    return importlib.import_module(f"{root}.{shown}"), rest


def resolve(root, path):
    """The object at a path of the list; None if there is none."""
    try:
        home, names = module(root, path)
    except ImportError:
        return None
    for name in names.split("."):
        home = getattr(home, name, None)
    return home


def judge(problems):
    """Fails with those that are not accepted, by the name they begin with."""
    left = [p for p in problems if re.match(r"[\w.]+(?:\['\w+'\])?", p)[0] not in ACCEPTED]
    if left:
        pytest.fail("\n".join(left), pytrace=False)


def with_versions(paths):
    """Each path, marked if only newer LLVMs have it."""
    newer = pytest.mark.since_llvm(22, "LLVM 19 has no such formats")
    return [pytest.param(path, marks=newer) if path in SINCE_22 else path for path in paths]


@pytest.mark.parametrize("path", with_versions(CLASSES))
def test_class(root, path):
    theirs = CLASSES[path]
    cls = resolve(root, path)
    candidates = [cls] if isinstance(cls, type) else []
    if not candidates and path in PRIVATE_BASES:
        candidates = [resolve(root, name) for name in PRIVATE_BASES[path]]
    problems = []
    if not candidates or None in candidates:
        problems.append(f"{path}: no such class")
    for ours in filter(None, candidates):
        names = {base.__name__ for base in ours.__mro__}
        for base in theirs.bases:
            if base not in PRIVATE_BASES and base.rpartition(".")[2] not in names:
                problems.append(f"{path}: is a {base}, ours only {sorted(names)}")
        for member in theirs.members.values():
            compare_member(member, ours, problems)
    judge(problems)


@pytest.mark.parametrize("path", with_versions(OTHERS))
def test_function_or_builder(root, path, ir):
    member = OTHERS[path]
    problems = []
    if member.kind == "builder":
        kind = re.search(r"\['(\w+)'\]", path)[1]
        if not ir.AttrBuilder.contains(kind):
            problems.append(f"{path}: no such builder")
        else:
            # They are called with the value by position; nobody names that parameter.
            member.signatures = [text.replace("(x, ", "(x, /, ") for text in member.signatures]
            compare_signature(member, ir.AttrBuilder.get(kind), problems)
    else:
        function = resolve(root, path)
        if callable(function):
            compare_signature(member, function, problems)
        else:
            problems.append(f"{path}: missing")
    judge(problems)


def test_every_setter_takes_what_its_getter_gives(root, ir):
    """A native class does not tell a property that can be assigned from one that cannot."""
    rewrite = importlib.import_module(f"{root}.rewrite")
    native = importlib.import_module(f"{root}._mlir_libs._mlir")
    with ir.Context() as context, ir.Location.unknown():
        operation = ir.Module.create().operation
        of_class = {
            "_mlir._Globals": native.globals,
            "ir._Context": context,
            "ir._GlobalDebug": ir._GlobalDebug,
            "ir._OperationBase": operation,
            "rewrite.GreedyRewriteConfig": rewrite.GreedyRewriteConfig(),
        }
        for path, cls in CLASSES.items():
            for member in cls.members.values():
                if member.kind.endswith(" set"):
                    thing = of_class[path]
                    setattr(thing, member.name, getattr(thing, member.name))


def test_what_is_accepted_is_known(root):
    """An entry that names nothing of the list, or has no reason, is a mistake."""
    known = set(OTHERS) | set(CLASSES)
    known |= {name for cls in CLASSES.values() for name in cls.members}
    assert set(ACCEPTED) <= known
    assert all(ACCEPTED.values())
