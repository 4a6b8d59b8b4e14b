"""The dialect `tally`: what its users import."""

from mlir.dialects._tally_enum_gen import Unit
from mlir.dialects._tally_ops_gen import *
