"""A native part of the dialect `sparse_tensor`."""

import enum
from collections.abc import Iterable
from typing import ClassVar

from ._mlir.ir import AffineMap, Attribute, TypeID, _Context

class LevelFormat(enum.IntFlag):
    """The form in which a level stores its coordinates."""

    dense = ...
    batch = ...
    n_out_of_m = ...
    compressed = ...
    singleton = ...
    loose_compressed = ...

class LevelProperty(enum.Enum):
    """A property of a level that is not the default."""

    non_ordered = ...
    non_unique = ...
    soa = ...

class EncodingAttr(Attribute):
    """The encoding of a sparse tensor."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(
        lvl_types: Iterable[int],
        dim_to_lvl: AffineMap | None,
        lvl_to_dim: AffineMap | None,
        pos_width: int,
        crd_width: int,
        explicit_val: Attribute | None = None,
        implicit_val: Attribute | None = None,
        context: _Context | None = None,
    ) -> EncodingAttr:
        """The attribute for such levels; raises `MLIRError` or `ValueError` if there is none.
        Without maps, each level is the dimension in its place.
        """
    @staticmethod
    def build_level_type(
        lvl_fmt: LevelFormat,
        properties: Iterable[LevelProperty] = ...,
        n: int = 0,
        m: int = 0,
    ) -> int:
        """The type of a level, which is a number; `n` and `m` are for `n_out_of_m`."""
    @property
    def lvl_types(self) -> list[int]:
        """The types of the levels."""
    @property
    def dim_to_lvl(self) -> AffineMap | None:
        """The map from the coordinates of the dimensions to those of the levels."""
    @property
    def lvl_to_dim(self) -> AffineMap | None:
        """The map from the coordinates of the levels to those of the dimensions."""
    @property
    def pos_width(self) -> int:
        """The number of bits that a position is stored in; 0 is as many as an address."""
    @property
    def crd_width(self) -> int:
        """The number of bits that a coordinate is stored in; 0 is as many as an address."""
    @property
    def explicit_val(self) -> Attribute | None:
        """The value that all stored elements have."""
    @property
    def implicit_val(self) -> Attribute | None:
        """The value of what is not stored."""
    @property
    def structured_n(self) -> int:
        """The number of elements of a block that are stored, if the last level is `n_out_of_m`."""
    @property
    def structured_m(self) -> int:
        """The number of elements of a block, if the last level is `n_out_of_m`."""
    @property
    def lvl_formats_enum(self) -> list[LevelFormat]:
        """The formats of the levels."""
