"""Random edits of IR, checked step by step against a plain Python model of it.

``python -m model --steps 1000000 --seed 1`` runs many; ``pytest model`` looks for a short program
that goes wrong. ``MONDO_IMPORT_ROOT`` names the package under test.
"""
