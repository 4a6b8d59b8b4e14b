"""Lifetime scenarios: every way to get an MLIR object times every action that invalidates it.

``python -m lifetime`` runs all of them, each in a process of its own, and prints the table;
``pytest lifetime`` runs the same as tests. ``MONDO_IMPORT_ROOT`` names the package under test.
"""
