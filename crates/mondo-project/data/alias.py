"""The modules of `@ROOT@` under the name that this project's own package has.

Each module exists once: `import @NAME@.ir` gives the module `@ROOT@.ir` itself.
"""

import importlib
import importlib.abc
import importlib.util
import sys

_ROOT = "@ROOT@"


def _real(name):
    return _ROOT + name[len(__name__) :]


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
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
        package = found.submodule_search_locations is not None
        return importlib.util.spec_from_loader(fullname, self, is_package=package)

    def exec_module(self, module):
        # The import system takes what is in `sys.modules` once the module was executed.
        sys.modules[module.__name__] = importlib.import_module(_real(module.__name__))


sys.meta_path.insert(0, _Finder())


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
