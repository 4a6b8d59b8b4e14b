"""The dialects of this bundle, each a module of its own.

``_<dialect>_ops_gen`` and ``_<dialect>_enum_gen`` are written by mlir-tblgen while the package is
built. A dialect that the bundle does not contain has no module.
"""

import sys
from importlib.machinery import ModuleSpec


class _Absent:
    """Says which dialects have no module because the bundle was made without them.

    It is asked last, for what nobody else has found.
    """

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Finds nothing, or raises."""
        if not name.startswith(__name__ + "."):
            return None
        from .._mlir_libs import _absent

        message = _absent.module(name.removeprefix(__name__ + "."))
        if message is None:
            return None
        # Without a `name`, by which `from … import` would take it for any missing attribute.
        raise ModuleNotFoundError(message)


sys.meta_path.append(_Absent())
