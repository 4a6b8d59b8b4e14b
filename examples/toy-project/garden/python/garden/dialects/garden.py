"""The `garden` dialect."""

from ._garden_ops_gen import *
