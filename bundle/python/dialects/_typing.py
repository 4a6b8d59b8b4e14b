"""Names of ``typing`` that upstream's modules of dialects import.

Programs reach them by ``from mlir.dialects.… import *``, so our modules import them as well.
"""

import typing
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import NewType, Optional, Union, overload

Dict = dict
List = list
Set = set
Tuple = tuple

# The arrays of Python's module `array`, which have no parameters before Python 3.12.
if typing.TYPE_CHECKING:
    _Numbers = array[int] | array[float]
else:
    _Numbers = array
