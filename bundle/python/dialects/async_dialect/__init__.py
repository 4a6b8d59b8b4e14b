"""The `async` dialect, under a name that is not a word of Python's."""

from .._async_ops_gen import *
from .._async_ops_gen import _Dialect
