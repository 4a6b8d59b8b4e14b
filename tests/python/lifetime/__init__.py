"""Lifetime scenarios: every way to get an object of MLIR's against every way it can die.

``python -m lifetime`` runs all of them, each in a process of its own, and prints the table;
``pytest lifetime`` runs the same as tests. ``MONDO_IMPORT_ROOT`` names the package under test.
"""
