"""What compiled code is called with: NumPy arrays as memrefs. Needs NumPy."""

from .np_to_memref import *
