"""Lists the names and signatures of upstream's bindings, for `suite/upstream_api.txt`.

Run it with upstream's own nanobind build importable as `mlir`, numpy beside it, and redirect what
it prints. One line is one member, sorted; overloads are lines of the same name. What a line says:

    ir.Block : object                              a class and its bases
    ir.Block.append_to(self, region: Region)       a method
    ir.Block.create_at_start(parent: Region)  @static
    ir.OpView.parse(cls, source)  @class
    ir.Block.owner -> OpView  @property            `@property set` when it can be assigned
    ir.IntegerType.static_typeid -> TypeID  @static property      of the class; `that raises`:
                                                   AttributeError, for this class has none
    ir.IntegerType.type_name = 'builtin.integer'   a constant of the class, or an enumerator
    ir.AttrBuilder['I32Attr'](x, context)  @builder

Facts only: names, parameters, defaults, annotations, bases. No doc string is read.
"""

import enum
import importlib
import inspect
import re
import sys
import types
from collections.abc import Iterator

# The place where a module of upstream's is shown, and the name under which its members are listed.
MODULES = {
    "_mlir_libs": "_mlir_libs",
    "_mlir_libs._mlir": "_mlir",
    "dialects._ods_common": "dialects._ods_common",
    "extras.meta": "extras.meta",
    "extras.types": "extras.types",
    "ir": "ir",
    "passmanager": "passmanager",
    "rewrite": "rewrite",
}
# The modules whose classes come from the native extension.
CLASSES = {"ir", "passmanager", "rewrite"}
# Private functions that generated code uses.
PRIVATE_FUNCTIONS = {"_cext", "_dispatch_dynamic_index_list", "_dispatch_mixed_values"}
PRIVATE_FUNCTIONS |= {"_get_int_array_array_attr", "_get_int_array_attr", "_get_value_list"}
PRIVATE_FUNCTIONS |= {"_get_value_or_attribute_value"}
# The attributes that Python or nanobind puts into every class.
MACHINERY = {"__module__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__slots__"}
MACHINERY |= {"__abstractmethods__", "__nb_signature__", "__parameters__", "__orig_bases__"}


def annotation(text: str) -> str:
    """An annotation without quotes and without the modules that everyone knows."""
    known = r"mlir\._mlir_libs\._mlir\.(?:ir\.)?|mlir\._mlir_libs\.|mlir\.ir\.|collections\.abc\."
    text = re.sub(
        rf"\b(?:{known}|typing\.|typing_extensions\.|(?:_mlir\.)?(?:ir\.)?(?=[A-Z]))", "", text
    )
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
    # Annotations that name a function of the same module or of Python where a type was meant.
    return re.sub(r"<(?:built-in )?(?:function )?\w+>|<lambda>", "Any", text)


def value(thing: object) -> str:
    """A default or a constant as an expression that means the same in any process."""
    if isinstance(thing, enum.Enum):
        return f"{type(thing).__name__}.{thing.name}"
    text = repr(thing)
    return "..." if " at 0x" in text or text.startswith("<") else text


def native_signatures(function: object) -> Iterator[str]:
    """The signature that nanobind stores for each overload: `(self, x: int = 1) -> int`."""
    for text, _doc, *rest in getattr(function, "__nb_signature__", ()):
        defaults = rest[0] if rest and rest[0] else ()
        text = re.sub(r"^def \w*", "", text.strip().split("\n")[-1])
        text = re.sub(r"\\(\d+)", lambda found, d=defaults: value(d[int(found[1])]), text)
        yield annotation(" ".join(text.split()))


def signatures(function: object) -> list[str]:
    """The overloads of a native or a Python function."""
    function = getattr(function, "__func__", function)
    found = list(native_signatures(function))
    if found:
        return found
    signature = inspect.signature(function)
    parameters = [
        p
        if p.default is p.empty
        else p.replace(default=type("", (), {"__repr__": lambda s, p=p: value(p.default)})())
        for p in signature.parameters.values()
    ]
    return [annotation(str(signature.replace(parameters=parameters)))]


def returns(getter: object) -> str:
    """` -> T` of a property's getter, if it is known."""
    for text in native_signatures(getter):
        return re.sub(r"^.*?\)(?= ->|$)", "", text)
    hint = getattr(getter, "__annotations__", {}).get("return")
    return "" if hint is None else f" -> {annotation(inspect.formatannotation(hint))}"


def members(path: str, cls: type) -> Iterator[str]:
    """The lines of one class."""
    bases = ", ".join(public_name(base) for base in cls.__bases__)
    yield f"{path} : {bases}"
    is_enum = issubclass(cls, enum.Enum)
    if is_enum:
        for name, member in cls.__members__.items():
            yield f"{path}.{name} = {member.value!r}"
    for name, thing in vars(cls).items():
        if name in MACHINERY or (is_enum and (name.startswith("_") or name in cls.__members__)):
            continue
        line = f"{path}.{name}"
        kind = type(thing).__name__
        if kind in ("nb_static_property", "property"):
            yield from property_lines(line, name, cls, thing)
        elif kind == "classmethod_descriptor":
            yield f"{line}(cls, item, /)  @class"
        elif kind in ("classmethod", "staticmethod", "nb_func"):
            tag = "class" if kind == "classmethod" else "static"
            yield from (f"{line}{text}  @{tag}" for text in signatures(thing))
        elif kind in ("nb_method", "function"):
            yield from (f"{line}{text}" for text in signatures(thing))
        elif isinstance(thing, type):
            yield from members(line, thing)
        elif not isinstance(thing, types.BuiltinFunctionType | types.WrapperDescriptorType):
            yield f"{line} = {value(thing)}"


def property_lines(line: str, name: str, cls: type, thing: property) -> Iterator[str]:
    """A property of the instances or of the class."""
    can_set = " set" if thing.fset is not None else ""
    if type(thing) is property:
        yield f"{line}{returns(thing.fget)}  @property{can_set}"
        return
    try:
        constant = getattr(cls, name)
    except AttributeError:
        yield f"{line}{returns(thing.fget)}  @static property that raises"
        return
    except ValueError:  # what is current: nothing is, here.
        constant = None
    if isinstance(constant, str):
        yield f"{line} = {constant!r}"
    else:
        yield f"{line}{returns(thing.fget)}  @static property{can_set}"


def public_name(cls: type) -> str:
    """The name of a base class as the list has it."""
    if cls.__module__ in ("builtins", "enum", "typing"):
        return cls.__qualname__
    where = cls.__module__.rpartition("_mlir.")[2]
    where = "ir" if where == "mlir._mlir_libs" else where
    name = cls.__name__
    if where == "ir":
        home = importlib.import_module("mlir._mlir_libs._mlir.ir")
        name = next((k for k, v in vars(home).items() if v is cls), name)
    return f"{where}.{name}"


def module_lines(module: str, shown: str) -> Iterator[str]:
    """The lines of one module: what it defines, not what it imports from elsewhere."""
    home = importlib.import_module(f"mlir.{module}")
    everything = dict(vars(home))
    if module == "ir":
        native = importlib.import_module("mlir._mlir_libs._mlir.ir")
        everything |= {k: v for k, v in vars(native).items() if isinstance(v, type)}
    for name, thing in everything.items():
        if isinstance(thing, types.ModuleType) or name.startswith("__"):
            continue
        is_native = type(thing).__name__.startswith("nb_")
        from_here = getattr(thing, "__module__", "") == home.__name__
        if isinstance(thing, type):
            if from_here or (module in CLASSES and thing.__module__.startswith("mlir._mlir_libs")):
                yield from members(f"{shown}.{name}", thing)
        elif name.startswith("_") and name not in PRIVATE_FUNCTIONS:
            continue
        elif (is_native or from_here) and callable(thing):
            wrapped = inspect.unwrap(thing) if not is_native else thing
            yield from (f"{shown}.{name}{text}  @function" for text in signatures(wrapped))
    if module == "ir":
        yield from builders(home)


def builders(home: types.ModuleType) -> Iterator[str]:
    """The attribute builders that are there from the start: they are registered in that module."""
    kinds = re.findall(r'register_attribute_builder\("(\w+)"\)', inspect.getsource(home))
    for kind in kinds:
        for text in signatures(home.AttrBuilder.get(kind)):
            yield f"ir.AttrBuilder[{kind!r}]{text}  @builder"


def main() -> None:
    """Prints the list."""
    lines: set[str] = set()
    for module, shown in MODULES.items():
        lines.update(module_lines(module, shown))
    sys.stdout.write(
        "# Names and signatures of upstream MLIR 22.1.8's Python bindings; made by running"
        " tests/python/list_upstream_api.py over a build of them.\n"
    )
    sys.stdout.write("".join(f"{line}\n" for line in sorted(lines)))


if __name__ == "__main__":
    main()
