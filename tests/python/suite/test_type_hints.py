"""``typing.get_type_hints`` finds what every annotation of the package names."""

# It imports every module of the package, asks for the annotations of each class, function and
# method, and prints those that name what is not there, and how many there are.
SCRIPT = """
import importlib, pathlib, sys, types, typing, warnings

warnings.simplefilter("ignore")
root = sys.argv[1]
package = pathlib.Path(importlib.import_module(f"{root}._mlir_libs").__file__).parents[1]
for file in sorted(package.rglob("*.py")):
    *parents, name = file.relative_to(package).with_suffix("").parts
    # A dialect imports its module `_since_<version>` for an LLVM of that version or newer.
    if name != "__main__" and not name.startswith("_since_"):
        try:
            importlib.import_module(".".join([root, *parents, name]).removesuffix(".__init__"))
        except ImportError as error:
            if "this bundle was made without" not in str(error):
                raise

seen = set()

def functions(member):
    if isinstance(member, (staticmethod, classmethod)):
        return [member.__func__]
    if isinstance(member, property):
        return [it for it in (member.fget, member.fset) if it is not None]
    return [member]

def examine(name, value):
    if not isinstance(value, (type, types.FunctionType)) or id(value) in seen:
        return
    if not f"{value.__module__}.".startswith(f"{root}."):
        return
    seen.add(id(value))
    try:
        typing.get_type_hints(value)
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}")
    for inner, member in list(vars(value).items()) if isinstance(value, type) else ():
        for function in functions(member):
            examine(f"{name}.{inner}", function)

for name, module in list(sys.modules.items()):
    if f"{name}.".startswith(f"{root}."):
        for inner, value in list(vars(module).items()):
            examine(f"{name}.{inner}", value)
print(len(seen))
"""


def test_every_annotation_can_be_evaluated(python, root):
    *wrong, count = python(SCRIPT, root).stdout.splitlines()
    assert wrong == []
    assert int(count) > 500
