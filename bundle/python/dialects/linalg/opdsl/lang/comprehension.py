"""All that a definition is written with, under the name that upstream has it by."""

from .affine import *
from .definition import *
from .expressions import *
from .operands import *
from .scalar_expr import *
from .types import *
