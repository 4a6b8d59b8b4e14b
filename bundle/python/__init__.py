"""MLIR for Python.

The modules are those of upstream's package: ``ir``, ``passmanager`` and ``rewrite``.
"""
