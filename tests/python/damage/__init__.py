"""Damaged and made-up inputs against the readers of an installed wheel: bytecode and text.

``python -m damage --help`` says how. Workers are forked, so that a crash costs one input; an
allocator with red zones (``redzones.c``) turns writes outside of blocks into crashes.
"""
