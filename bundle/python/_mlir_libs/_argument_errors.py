"""The text of errors about arguments of native functions, as upstream's bindings write it: the
overloads of the function and the types of the arguments. What is wrong with them follows."""

import ast
import functools
import pathlib
import re
import sys

HEAD = "incompatible function arguments"
# PyO3 notes the argument that it was looking at, from Python 3.11 on.
NOTE = "while processing '"
# The most Python functions between an operation's constructor and the native function that makes
# one of its attributes.
FRAMES = 6
# The function by which generated constructors find the context. Users do not call it.
OF_LOCATIONS = "get_default_loc_context"
# A parameter in the text of a signature, and the class of an object that a message is about.
PARAMETER = re.compile(r"[(,] ?\*{0,2}(\w+)(?=:|,|\)| =)")
OF_CLASS = re.compile(r"'(\w+)' object is not (?:an instance of|iterable)")
# Native classes, and those that users know instead.
PUBLIC = {"'_Context'": "'Context'", "'_OperationBase'": "'Operation' or 'OpView'"}
# inspect.CO_OPTIMIZED, the flag of the code of functions.
OPTIMIZED = 1


def explain(error, owner, name, arguments, keywords):
    """Gives ``error``, which a native function has just raised, the whole text.

    ``keywords`` are the names of the last arguments, or a dictionary of those that have names.
    """
    if not _is_about_arguments(error):
        return
    if isinstance(keywords, tuple):
        count = len(arguments) - len(keywords)
        keywords = dict(zip(keywords, arguments[count:], strict=True))
        arguments = arguments[:count]
    signatures = _signatures(owner, name, arguments)
    given = _suspects(error, signatures, arguments, keywords)
    place = _place(sys._getframe(1), given)
    if name == OF_LOCATIONS:
        error.args = ("\n".join((_detail_with_note(error, name), *place)),)
        return
    _write(error, name, signatures, _types(arguments, keywords), place)


def explain_setter(error, owner, name, arguments, _):
    """Does the same for the setter of an attribute, whose function has no name upstream."""
    if _is_about_arguments(error):
        place = f"it is for the attribute '{name}' of {_name(owner)}"
        signature = f"(self, arg: {_annotation(owner.__name__, name)}, /) -> None"
        _write(error, "", [signature], _types(arguments, {}), [place])


def _is_about_arguments(error):
    text = str(error)
    return "Invoked with types:" not in text and (HEAD in text or _note(error) is not None)


def _write(error, name, signatures, types, place):
    """Puts the whole text into the error, whose own is what is wrong with the arguments."""
    detail = _detail_with_note(error, name)
    lines = [f"{name}(): {HEAD}. The following argument types are supported:"]
    lines += (f"    {number}. {text}" for number, text in enumerate(signatures, 1))
    lines += ["", f"Invoked with types: {types}", detail, *place]
    error.args = ("\n".join(lines),)


def _detail_with_note(error, name):
    """What is wrong, with the argument's name. The error loses its note about that."""
    detail, note = _detail(str(error), name), _note(error)
    for native, public in PUBLIC.items():
        detail = detail.replace(native, public)
    if note:
        error.__notes__.remove(f"{NOTE}{note}'")
        # A name that is a keyword of Rust has a mark.
        note = note.removeprefix("r#")
        if note not in detail:
            detail = f"argument '{note}': {detail}"
    return detail


def _suspects(error, signatures, arguments, keywords):
    """The objects that the error can be about: the argument that it names or else all, and of these
    and what is in them those of the class that it names."""
    note = _note(error)
    given = [*arguments, *keywords.values()]
    if note in keywords:
        given = [keywords[note]]
    elif note:
        parameters = PARAMETER.findall(signatures[0])
        if note in parameters[: len(arguments)]:
            given = [arguments[parameters.index(note)]]
    given += [part for it in given if isinstance(it, (list, tuple)) for part in it]
    match = OF_CLASS.search(str(error))
    of_class = [it for it in given if match and type(it).__name__ == match[1]]
    return of_class or [it for it in given if it is not None]


def _place(frame, given):
    """The line about the operation whose constructor or setter was given one of these objects."""
    for _ in range(FRAMES):
        if frame is None:
            break
        if ".dialects." in frame.f_globals.get("__name__", ""):
            found = argument_of(frame, given)
            if found:
                yield "it is for '{}' of operation \"{}\"".format(*found)
                return
        frame = frame.f_back


def argument_of(frame, given, last=False):
    """The name of the first or last argument of a dialect's function that has one of these objects,
    and of the operation."""
    values, code = frame.f_locals, frame.f_code
    try:
        operation = getattr(values.get("self"), "OPERATION_NAME", None)
        if not isinstance(operation, str):
            return None
        count = code.co_argcount + code.co_kwonlyargcount
        names = code.co_varnames[1:count][:: -1 if last else 1]
        name = next((name for name in names if _is_among(values.get(name), given)), None)
        return name and (name if code.co_name == "__init__" else code.co_name, operation)
    finally:
        # Before Python 3.13 the frame of a function keeps the dictionary, and so the objects in it.
        if code.co_flags & OPTIMIZED and type(values) is dict:
            values.clear()


def _is_among(value, given):
    """True for one of the objects, and for a sequence with one of them."""
    parts = value if isinstance(value, (list, tuple)) else ()
    return any(it is one for one in given for it in (value, *parts))


def _note(error):
    """The name of the argument that PyO3 was looking at, as its note has it."""
    for note in getattr(error, "__notes__", ()):
        if note.startswith(NOTE):
            return note[len(NOTE) :].removesuffix("'")
    return None


def _detail(text, name):
    """The text without the words that the first line has."""
    text = text.removeprefix(f"{name}(): ")
    while text.startswith(f"{HEAD}: "):
        text = text.removeprefix(f"{HEAD}: ")
    return text


def _types(arguments, keywords):
    parts = [_name(type(it)) for it in arguments]
    if keywords:
        named = (f"{key}: {_name(type(it))}" for key, it in keywords.items())
        parts.append(f"kwargs = {{ {', '.join(named)} }}")
    return ", ".join(parts)


def _name(cls):
    """A class's name with its module, unless that is ``builtins``."""
    module = cls.__module__
    return cls.__qualname__ if module == "builtins" else f"{module}.{cls.__qualname__}"


def _signatures(owner, name, arguments):
    """The lines of a function's overloads: those of the stubs, or what Python knows."""
    if isinstance(owner, type):
        bases = type(arguments[0]).__mro__ if name == "__init__" else ()
        all_found = (_stub(base.__name__).get(name) for base in (owner, *bases))
        found = next(filter(None, all_found), None)
    else:
        found = _functions(owner.__name__).get(name)
    if found:
        return found
    text = getattr(getattr(owner, name, None), "__text_signature__", None) or "(...)"
    return [f"{name}{text.replace('$self', 'self')}"]


@functools.cache
def _texts():
    """The stubs of the native modules, by path."""
    here = pathlib.Path(__file__).parent
    paths = (*sorted(here.glob("_mlir/*.pyi")), *sorted(here.glob("_mlir*.pyi")))
    return {path: path.read_text(encoding="utf-8") for path in paths}


@functools.cache
def _qualified_names():
    """The classes of the stubs by name, with their modules."""
    names = {
        name: f"{_module_of(path)}.{name}"
        for path, text in _texts().items()
        for name in re.findall(r"^class (\w+)", text, re.MULTILINE)
    }
    # `_Attribute` is a type variable: with it, a dictionary of attributes of one kind is one of
    # attributes.
    return names | {"_Context": f"{_root()}.ir.Context", "_Attribute": names["Attribute"]}


@functools.cache
def _stub(name):
    """The signatures of a class's methods by name."""
    found = {}
    for body, qualify in _bodies(name):
        _add_lines(found, body, qualify)
    return found


@functools.cache
def _functions(module):
    """The signatures of a module's functions by name."""
    found = {}
    for path in _texts():
        if _module_of(path) == module:
            tree, qualify = _parsed(path)
            _add_lines(found, tree.body, qualify)
    return found


def _add_lines(found, body, qualify):
    for function in body:
        if isinstance(function, ast.FunctionDef):
            line = _line(qualify.visit(function))
            found.setdefault(function.name, []).append(line)


@functools.cache
def _annotation(cls, name):
    """The type of a class's attribute that can be set."""
    for body, qualify in _bodies(cls):
        for node in body:
            if isinstance(node, ast.AnnAssign) and node.target.id == name:
                return ast.unparse(qualify.visit(node.annotation))
    return "object"


def _bodies(name):
    """The bodies of the classes of a name. Stubs without such a class are not parsed."""
    for path, text in _texts().items():
        if re.search(rf"^ *class {re.escape(name)}\b", text, re.MULTILINE):
            tree, qualify = _parsed(path)
            for cls in ast.walk(tree):
                if isinstance(cls, ast.ClassDef) and cls.name == name:
                    yield cls.body, qualify


@functools.cache
def _parsed(path):
    tree = ast.parse(_texts()[path])
    return tree, _Qualify(_qualified_names(), tree)


def _root():
    return __name__.removesuffix("._mlir_libs._argument_errors")


def _module_of(stub):
    """The module that a stub's classes are in: stubs with an underscore are parts of ``ir``."""
    if stub.parent.name != "_mlir":
        return f"{_root()}._mlir_libs.{stub.stem}"
    native = f"{_root()}._mlir_libs._mlir"
    if stub.stem == "__init__":
        return native
    return f"{native}.ir" if stub.stem.startswith("_") else f"{native}.{stub.stem}"


def _line(function):
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({', '.join(_parameters(function.args))}){result}"


def _parameters(given):
    """The parameters, with the spaces around an equal sign that ``ast.unparse`` leaves out."""
    places = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(places) - len(given.defaults)) + given.defaults
    for number, (parameter, default) in enumerate(zip(places, defaults, strict=True), 1):
        yield _parameter(parameter, default)
        if number == len(given.posonlyargs):
            yield "/"
    if given.vararg:
        yield f"*{_parameter(given.vararg)}"
    elif given.kwonlyargs:
        yield "*"
    for parameter, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        yield _parameter(parameter, default)
    if given.kwarg:
        yield f"**{_parameter(given.kwarg)}"


def _parameter(parameter, default=None):
    return ast.unparse(parameter) + (f" = {ast.unparse(default)}" if default else "")


class _Qualify(ast.NodeTransformer):
    """Writes the names of classes in annotations with their modules."""

    def __init__(self, names, tree):
        self.names = dict(names)
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "collections.abc":
                self.names |= {it.name: f"collections.abc.{it.name}" for it in node.names}

    def visit_Subscript(self, node):
        """Without type variables, which say nothing here."""
        name = node.slice.id if isinstance(node.slice, ast.Name) else ""
        variable = name.startswith("_") and name not in self.names
        return self.visit(node.value) if variable else self.generic_visit(node)

    def visit_Attribute(self, node):
        """A class of another module, which the stub names with its module."""
        qualified = self.names.get(node.attr)
        return ast.Name(qualified, node.ctx) if qualified else self.generic_visit(node)

    def visit_Name(self, node):
        return ast.Name(self.names.get(node.id, node.id), node.ctx)
