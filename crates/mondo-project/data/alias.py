"""The modules of `@ROOT@` under the name that this project's own package has.

Each module exists once: `import @NAME@.ir` gives the module `@ROOT@.ir` itself.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys

_ROOT = "@ROOT@"


def _real(name):
    return _ROOT + name[len(__name__) :]


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.ExecutionLoader):
    def find_spec(self, fullname, path=None, target=None):
        if not fullname.startswith(__name__ + "."):
            return None
        try:
            found = importlib.util.find_spec(_real(fullname))
        except ModuleNotFoundError:
            # The message is to name the module that was asked for.
            return None
        if found is None:
            return None
        spec = importlib.machinery.ModuleSpec(fullname, self, origin=found.origin)
        spec.submodule_search_locations = found.submodule_search_locations
        spec.has_location = found.has_location
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        # The import system takes what is in `sys.modules` once the module was executed.
        sys.modules[module.__name__] = importlib.import_module(_real(module.__name__))

    # `python -m @NAME@.…`, debuggers and `inspect` ask for the rest.

    def _ask(self, question, fullname):
        name = _real(fullname)
        spec = importlib.util.find_spec(name)
        answer = getattr(spec.loader, question, None) if spec else None
        if answer is None:
            raise ImportError(f"no {question} of {fullname!r}", name=fullname)
        return answer(name)

    def is_package(self, fullname):
        spec = importlib.util.find_spec(_real(fullname))
        return spec is not None and spec.submodule_search_locations is not None

    def get_code(self, fullname):
        return self._ask("get_code", fullname)

    def get_source(self, fullname):
        return self._ask("get_source", fullname)

    def get_filename(self, fullname):
        return self._ask("get_filename", fullname)


class _Loader:
    """The loader of this package, whose data files are those of the package with the modules."""

    def __init__(self, own):
        self._own = own

    def __getattr__(self, name):
        return getattr(self._own, name)

    def get_resource_reader(self, fullname):
        spec = importlib.util.find_spec(_ROOT)
        return spec.loader.get_resource_reader(_ROOT)


_finder = _Finder()
sys.meta_path.insert(0, _finder)
__spec__.loader = __loader__ = _Loader(__spec__.loader)
# `pkgutil` walks over the folders of the package with the modules; importing them is up to the finder.
__path__ = [*__path__, *importlib.import_module(_ROOT).__path__]


def __getattr__(name):
    # The package with the modules has the names that the project's own `__init__.py` defines.
    package = importlib.import_module(_ROOT)
    if name == "__all__":
        names = (it for it in vars(package) if not it.startswith("_"))
        return list(getattr(package, name, names))
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError:
        pass
    try:
        return getattr(package, name)
    except AttributeError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
