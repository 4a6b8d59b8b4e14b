"""Types, attributes and values of the fixed-point dialect, over IRCore.h."""

from typing import Any

def __getattr__(name: str) -> Any: ...
