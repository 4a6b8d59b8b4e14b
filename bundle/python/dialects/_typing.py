"""Names of ``typing`` that upstream's modules of dialects import.

Programs reach them by ``from mlir.dialects.… import *``, so our modules import them as well.
"""

import typing
from collections.abc import Callable, Iterable, Sequence
from typing import NewType, Optional, Union, overload

Dict = dict
List = list
Set = set
Tuple = tuple
