"""Misuse of every native class of the package: objects whose ``__init__`` was never called.

    PYTHONPATH=tests/python python -m misuse [--all] [CLASS…]

``found`` finds the classes, ``uses`` has what is done with an object, ``verdicts`` says which
outcomes are right, and ``runner`` does it all in child processes, so that a crash is an outcome as
well.
"""
