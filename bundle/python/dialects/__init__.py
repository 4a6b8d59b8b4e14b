"""The dialects of this bundle, each a module of its own.

``_<dialect>_ops_gen`` and ``_<dialect>_enum_gen`` are written by mlir-tblgen while the package is
built. A dialect that the bundle does not contain has no module.
"""
