"""A native part of the dialect `linalg`."""

from collections.abc import Iterable

from typing_extensions import disjoint_base

from ._mlir.ir import AffineMap, ArrayAttr, DenseI32ArrayAttr, DenseI64ArrayAttr, _OperationBase

@disjoint_base
class ContractionDimensions:
    """The loop dimensions of a contraction: for each kind, an attribute with their indices."""

    @property
    def batch(self) -> DenseI32ArrayAttr:
        """The parallel loops over all operands and the result."""
    @property
    def m(self) -> DenseI32ArrayAttr:
        """The parallel loops over the left operand and the result."""
    @property
    def n(self) -> DenseI32ArrayAttr:
        """The parallel loops over the right operand and the result."""
    @property
    def k(self) -> DenseI32ArrayAttr:
        """The loops that are summed over."""

@disjoint_base
class ConvolutionDimensions:
    """The loop dimensions of a convolution: for each kind, an attribute with their indices; and the
    strides and dilations.
    """

    @property
    def batch(self) -> DenseI32ArrayAttr:
        """The loops over images of a batch."""
    @property
    def output_image(self) -> DenseI32ArrayAttr:
        """The loops over the places of an image of the result."""
    @property
    def output_channel(self) -> DenseI32ArrayAttr:
        """The loops over channels of the result."""
    @property
    def filter_loop(self) -> DenseI32ArrayAttr:
        """The loops over the places of the filter's window."""
    @property
    def input_channel(self) -> DenseI32ArrayAttr:
        """The loops over channels of the input, which are summed over."""
    @property
    def depth(self) -> DenseI32ArrayAttr:
        """The loops over channels that the input, the filter and the result share."""
    @property
    def strides(self) -> DenseI64ArrayAttr:
        """The stride in each dimension of an image: the distance of two windows."""
    @property
    def dilations(self) -> DenseI64ArrayAttr:
        """The dilation in each dimension: the distance of neighbours in a window."""

def fill_builtin_region(op: _OperationBase) -> None:
    """Gives a named operation, which has no body yet, the one that its name stands for."""

def isa_contraction_op(op: _OperationBase) -> bool:
    """Returns whether an operation is a contraction."""

def infer_contraction_dimensions(op: _OperationBase) -> ContractionDimensions | None:
    """The loops of a contraction; none for another operation."""

def infer_contraction_dimensions_from_maps(
    indexing_maps: Iterable[AffineMap],
) -> ContractionDimensions | None:
    """The loops of a contraction with these maps; none where there is no such contraction."""

def isa_convolution_op(op: _OperationBase) -> bool:
    """Returns whether an operation is a convolution."""

def infer_convolution_dimensions(op: _OperationBase) -> ConvolutionDimensions | None:
    """The loops of a convolution; none for another operation."""

def get_indexing_maps(op: _OperationBase) -> ArrayAttr | None:
    """The maps of an operation of this dialect; none for another one."""
