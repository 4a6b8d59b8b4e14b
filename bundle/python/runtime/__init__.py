"""Arguments of compiled code: NumPy arrays as memrefs. Needs NumPy."""

from .np_to_memref import *
