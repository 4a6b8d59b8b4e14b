"""The `tick` dialect."""

from ._tick_ops_gen import *
