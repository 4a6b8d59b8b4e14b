"""Compares two installed MLIR packages: their names, signatures and behaviour.

``python -m api_diff --help`` says how it is run. Only ``facts`` and ``probes`` run in the inspected
interpreters, so these two and what they import need nothing but Python's own library.
"""
