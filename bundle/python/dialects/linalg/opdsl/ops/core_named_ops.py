"""The named operations of `linalg` that are defined in the language.

Most come in families, and are said here by what tells them apart. Dimensions are written as in
``"n h w c"``: a dimension that is iterated over, by its name; ``d``, ``h`` and ``w`` are the
spatial ones, of which an image has the extents, a kernel the window's, and a result the window's
positions.
"""

from collections.abc import Sequence

from ..lang import *
from ..lang.dsl import define_structured_op as _define

T1 = TV.T1
T2 = TV.T2

Batch = S.Batch


def _elementwise(
    name: str,
    function: UnaryFnType | BinaryFnType,
    what: str,
    class_name: str | None = None,
) -> DefinedOpCallable:
    """An operation that applies a function to each element, of one type throughout."""

    def body(*tensors):
        *inputs, output = tensors
        output[None] = function(*(tensor[None] for tensor in inputs))

    names = ["I"] if isinstance(function, UnaryFnType) else ["lhs", "rhs"]
    operands = {operand: TensorDef(T1) for operand in names}
    operands["O"] = TensorDef(T1, output=True)
    doc = f"Computes {what}, element by element.\n\nAll operands have one element type and shape."
    return _define(name, operands, body, class_name=class_name, doc=doc)


@linalg_structured_op
def copy(
    I=TensorDef(T1),
    O=TensorDef(U, output=True),
    cast=TypeFnAttrDef(default=TypeFn.cast_signed),
):
    """Copies a tensor, element by element, and converts each to the output's type."""
    defines(Canonicalizer)
    O[None] = cast(U, I[None])


exp = _elementwise("exp", UnaryFn.exp, "e to the power of x")
log = _elementwise("log", UnaryFn.log, "the natural logarithm")
abs = _elementwise("abs", UnaryFn.abs, "the absolute value")
ceil = _elementwise("ceil", UnaryFn.ceil, "the least integer that is not less")
floor = _elementwise("floor", UnaryFn.floor, "the greatest integer that is not greater")
negf = _elementwise("negf", UnaryFn.negf, "the number with the other sign", "NegFOp")
reciprocal = _elementwise("reciprocal", UnaryFn.reciprocal, "1 / x", "ReciprocalOp")
round = _elementwise("round", UnaryFn.round, "the nearest integer")
sqrt = _elementwise("sqrt", UnaryFn.sqrt, "the square root")
rsqrt = _elementwise("rsqrt", UnaryFn.rsqrt, "1 / the square root")
square = _elementwise("square", UnaryFn.square, "x * x")
tanh = _elementwise("tanh", UnaryFn.tanh, "the hyperbolic tangent")
erf = _elementwise("erf", UnaryFn.erf, "the error function")

add = _elementwise("add", BinaryFn.add, "the sum")
sub = _elementwise("sub", BinaryFn.sub, "the difference")
mul = _elementwise("mul", BinaryFn.mul, "the product")
div = _elementwise("div", BinaryFn.div, "the quotient (of integers: of signed ones)")
div_unsigned = _elementwise("div_unsigned", BinaryFn.div_unsigned, "unsigned integers' quotient")
max = _elementwise("max", BinaryFn.max_signed, "the greater (of integers: of signed ones)")
min = _elementwise("min", BinaryFn.min_signed, "the lesser (of integers: of signed ones)")
powf = _elementwise("powf", BinaryFn.powf, "lhs to the power of rhs, of floats", "PowFOp")


@linalg_structured_op
def select(
    cond=TensorDef(U),
    lhs=TensorDef(T1),
    rhs=TensorDef(T1),
    O=TensorDef(T1, output=True),
):
    """Takes each element from ``lhs`` where ``cond`` holds, and from ``rhs`` elsewhere."""
    O[None] = TernaryFn.select(cond[None], lhs[None], rhs[None])


def _dims(names: str) -> list[DimDef]:
    return [DimDef(name) for name in names.split()]


def _sizes(names: str) -> list[SymbolDef]:
    """The symbols of dimensions' sizes."""
    return [Batch if name == "b" else SymbolDef(name.upper()) for name in names.split()]


def _product(left, right, zero_points: Sequence[ScalarDef], to: TypeVar = U) -> TensorExpression:
    """The product of two elements, in the output's type; zero points are taken off first."""
    factors: list[TensorExpression] = [TypeFn.cast_signed(to, it) for it in (left, right)]
    if zero_points:
        offsets = [TypeFn.cast_signed(to, point) for point in zero_points]
        factors = [factor - offset for factor, offset in zip(factors, offsets, strict=True)]
    return factors[0] * factors[1]


def _contraction(
    name: str,
    over: str,
    doc: str,
    types: tuple[TypeVar, TypeVar, TypeVar] = (T1, T2, U),
    zero_points: Sequence[str] = (),
    **indices: str,
) -> DefinedOpCallable:
    """A sum of products; each operand is said by its dimensions, the last one is the output."""
    first, second, output = indices
    *_, to = types

    def body(left, right, *rest):
        *points, result = rest
        if over:
            domain(*_dims(over))
        if not zero_points:
            implements(ContractionOpInterface)
        left, right = left[tuple(dims[first])], right[tuple(dims[second])]
        result[tuple(dims[output])] += _product(left, right, points, to)

    dims = {operand: _dims(names) for operand, names in indices.items()}
    operands: dict[str, TensorDef | ScalarDef] = {}
    for operand, kind in zip(indices, types, strict=True):
        if operand == output:
            operands.update({point: ScalarDef(I32) for point in zero_points})
        operands[operand] = TensorDef(kind, *_sizes(indices[operand]), output=operand == output)
    return _define(name, operands, body, doc=doc)


_AS_OUTPUT = "\n\nWhat is multiplied is converted to the output's type first."
_ZERO_POINTS = f"{_AS_OUTPUT} Zero points are subtracted from both operands."
_TILED = (TV.LhsType, TV.RhsType, TV.AccumType)

quantized_matmul = _contraction(
    "quantized_matmul",
    "m n k",
    f"The product of two matrices of quantized numbers.{_ZERO_POINTS}",
    zero_points=("AZp", "BZp"),
    A="m k",
    B="k n",
    C="m n",
)
mmt4d = _contraction(
    "mmt4d",
    "m n k m0 n0 k0",
    "The product of a matrix and a transposed one, both in tiles.\n\n"
    "The tiles are the inner two dimensions (m0, n0, k0), the outer two say where each tile is."
    f"{_AS_OUTPUT}",
    _TILED,
    lhs="m k m0 k0",
    rhs="n k n0 k0",
    accum="m n m0 n0",
)
batch_mmt4d = _contraction(
    "batch_mmt4d",
    "b m n k m0 n0 k0",
    f"As many products as `mmt4d` is one, along the outermost dimension.{_AS_OUTPUT}",
    _TILED,
    lhs="b m k m0 k0",
    rhs="b n k n0 k0",
    accum="b m n m0 n0",
)
quantized_batch_matmul = _contraction(
    "quantized_batch_matmul",
    "b m n k",
    f"Products of two matrices of quantized numbers, along the first dimension.{_ZERO_POINTS}",
    zero_points=("AZp", "BZp"),
    A="b m k",
    B="b k n",
    C="b m n",
)
matvec = _contraction(
    "matvec",
    "m n",
    f"The product of a matrix and a vector.{_AS_OUTPUT}",
    A="m n",
    y="n",
    x="m",
)
vecmat = _contraction(
    "vecmat",
    "n m",
    f"The product of a vector and a matrix.{_AS_OUTPUT}",
    y="m",
    A="m n",
    x="n",
)
batch_matvec = _contraction(
    "batch_matvec",
    "b m k",
    f"Products of a matrix and a vector, along the first dimension.{_AS_OUTPUT}",
    A="b m k",
    B="b k",
    C="b m",
)
batch_vecmat = _contraction(
    "batch_vecmat",
    "b n k",
    f"Products of a vector and a matrix, along the first dimension.{_AS_OUTPUT}",
    A="b k",
    B="b k n",
    C="b n",
)
dot = _contraction(
    "dot",
    "",
    f"The sum of the products of two vectors' elements.{_AS_OUTPUT}",
    A="m",
    B="m",
    C="",
)

_SPATIAL = ("d", "h", "w")


class _Window:
    """The dimensions of a window that moves over an image, by ``image``, ``kernel`` and ``result``.

    It moves in steps of the strides, and its elements are the dilations apart, if it has these.
    """

    def __init__(self, image: str, kernel: str, result: str, strided: bool = True):
        self.image = image.split()
        self.kernel = kernel.split()
        self.result = result.split()
        self.spatial = [name for name in self.image if name in _SPATIAL]
        self.strided = strided

    def _reach(self, names) -> list[AffineExprDef]:
        """The ranges of an image's dimensions, in names of dimensions or of sizes."""
        return [self._element(names, dim) if dim in _SPATIAL else names(dim) for dim in self.image]

    def _element(self, names, dim: str) -> AffineExprDef:
        place, offset = names(f"o{dim}"), names(f"k{dim}")
        if not self.strided:
            return place + offset
        stride, dilation = SymbolDef(f"S{dim.upper()}"), SymbolDef(f"D{dim.upper()}")
        return place * stride + offset * dilation

    def _named(self, prefix: str, dims: Sequence[str]) -> str:
        return " ".join(prefix + dim if dim in _SPATIAL else dim for dim in dims)

    def operands(self, *scalars: str, shape_only: bool = False) -> dict:
        """The operands: the image, the kernel, and the result, then strides and dilations."""
        image = self._reach(lambda name: SymbolDef(name.upper()))
        kernel = self._named("k", self.kernel)
        index_dims = _dims(kernel) if shape_only else None
        out = {
            "I": TensorDef(T1, *image),
            "K": TensorDef(T2, *_sizes(kernel), index_dims=index_dims),
            **{name: ScalarDef(I32) for name in scalars},
            "O": TensorDef(U, *_sizes(self._named("o", self.result)), output=True),
        }
        if self.strided:
            for name, letter in (("strides", "S"), ("dilations", "D")):
                symbols = [SymbolDef(letter + dim.upper()) for dim in self.spatial]
                out[name] = IndexAttrDef(*symbols, default=[1] * len(symbols))
        return out

    def iterate(self, order: str | None) -> None:
        """Says the domain: what the result has, then what the kernel has beside that."""
        result, kernel = self._named("o", self.result), self._named("k", self.kernel)
        names = order or " ".join(dict.fromkeys([*result.split(), *kernel.split()]))
        domain(*_dims(names))

    def at(self, image, kernel=None):
        """The elements that meet: of the image, and of the kernel where its elements matter."""
        meeting = image[tuple(self._reach(DimDef))]
        if kernel is None:
            return meeting
        return meeting, kernel[tuple(_dims(self._named("k", self.kernel)))]

    def place(self) -> tuple[DimDef, ...]:
        """Their places in the result."""
        return tuple(_dims(self._named("o", self.result)))


def _convolution(
    name: str,
    image: str,
    kernel: str,
    result: str,
    order: str | None = None,
    quantized: bool = False,
    strided: bool = True,
) -> DefinedOpCallable:
    """A convolution; ``order`` is the domain's where it is not the usual one."""
    window = _Window(image, kernel, result, strided)

    def body(image, kernel, *rest):
        implements(ConvolutionOpInterface)
        window.iterate(order)
        points, output = (rest[:2], rest[2]) if quantized else ((), rest[0])
        output[window.place()] += _product(*window.at(image, kernel), points)

    scalars = ("IZp", "KZp") if quantized else ()
    what = {1: "one dimension", 2: "two dimensions", 3: "three dimensions"}[len(window.spatial)]
    depthwise = ", each channel by itself" if name.startswith("depthwise") else ""
    grouped = ", in groups of channels" if "g" in window.image else ""
    layout = f"The image is ({image}), the kernel ({kernel}), the result ({result})."
    note = _ZERO_POINTS if quantized else _AS_OUTPUT
    doc = f"Convolves in {what}{depthwise}{grouped}.\n\n{layout}{note}"
    return _define(name, window.operands(*scalars), body, doc=doc)


conv_1d = _convolution("conv_1d", "w", "w", "w", strided=False)
conv_2d = _convolution("conv_2d", "h w", "h w", "h w", strided=False)
conv_3d = _convolution("conv_3d", "d h w", "d h w", "d h w", strided=False)
conv_1d_nwc_wcf = _convolution("conv_1d_nwc_wcf", "n w c", "w c f", "n w f")
conv_1d_ncw_fcw = _convolution("conv_1d_ncw_fcw", "n c w", "f c w", "n f w")

_HWCF = ("n h w c", "h w c f", "n h w f")
_FHWC = ("n h w c", "f h w c", "n h w f")
_FCHW = ("n c h w", "f c h w", "n f h w")
conv_2d_nhwc_hwcf = _convolution("conv_2d_nhwc_hwcf", *_HWCF)
conv_2d_nhwc_fhwc = _convolution("conv_2d_nhwc_fhwc", *_FHWC)
conv_2d_nhwc_hwcf_q = _convolution("conv_2d_nhwc_hwcf_q", *_HWCF, quantized=True)
conv_2d_nhwc_fhwc_q = _convolution("conv_2d_nhwc_fhwc_q", *_FHWC, quantized=True)
conv_2d_nchw_fchw_q = _convolution("conv_2d_nchw_fchw_q", *_FCHW, quantized=True)
conv_2d_nchw_fchw = _convolution("conv_2d_nchw_fchw", *_FCHW)

_FGCHW = ("n g c h w", "fg g c h w", "n g fg h w")
_GFCHW = ("n g c h w", "g fg c h w", "n g fg h w")
_GFHWC = ("n h w g c", "g fg h w c", "n h w g fg")
conv_2d_ngchw_fgchw = _convolution("conv_2d_ngchw_fgchw", *_FGCHW)
conv_2d_ngchw_gfchw = _convolution("conv_2d_ngchw_gfchw", *_GFCHW)
conv_2d_nhwgc_gfhwc = _convolution("conv_2d_nhwgc_gfhwc", *_GFHWC)
conv_2d_nhwgc_gfhwc_q = _convolution("conv_2d_nhwgc_gfhwc_q", *_GFHWC, quantized=True)
conv_2d_ngchw_gfchw_q = _convolution("conv_2d_ngchw_gfchw_q", *_GFCHW, quantized=True)

_DHWCF = ("n d h w c", "d h w c f", "n d h w f")
conv_3d_ndhwc_dhwcf = _convolution("conv_3d_ndhwc_dhwcf", *_DHWCF)
conv_3d_ndhwc_dhwcf_q = _convolution("conv_3d_ndhwc_dhwcf_q", *_DHWCF, quantized=True)
conv_3d_ncdhw_fcdhw = _convolution("conv_3d_ncdhw_fcdhw", "n c d h w", "f c d h w", "n f d h w")

depthwise_conv_1d_nwc_wc = _convolution("depthwise_conv_1d_nwc_wc", "n w ic", "w ic", "n w ic")
depthwise_conv_1d_ncw_cw = _convolution(
    "depthwise_conv_1d_ncw_cw", "n ic w", "ic w", "n ic w", "n ow ic kw"
)
depthwise_conv_1d_nwc_wcm = _convolution(
    "depthwise_conv_1d_nwc_wcm", "n w ic", "w ic cm", "n w ic cm"
)

_HWC = ("n h w ic", "h w ic", "n h w ic")
_HWCM = ("n h w ic", "h w ic cm", "n h w ic cm")
depthwise_conv_2d_nhwc_hwc = _convolution("depthwise_conv_2d_nhwc_hwc", *_HWC)
depthwise_conv_2d_nchw_chw = _convolution(
    "depthwise_conv_2d_nchw_chw", "n ic h w", "ic h w", "n ic h w", "n oh ow ic kh kw"
)
depthwise_conv_2d_nhwc_hwc_q = _convolution("depthwise_conv_2d_nhwc_hwc_q", *_HWC, quantized=True)
depthwise_conv_2d_nhwc_hwcm = _convolution("depthwise_conv_2d_nhwc_hwcm", *_HWCM)
depthwise_conv_2d_nhwc_hwcm_q = _convolution(
    "depthwise_conv_2d_nhwc_hwcm_q", *_HWCM, quantized=True
)
depthwise_conv_3d_ndhwc_dhwc = _convolution(
    "depthwise_conv_3d_ndhwc_dhwc",
    "n d h w ic",
    "d h w ic",
    "n d h w ic",
    "n od oh ow kd kh kw ic",
)
depthwise_conv_3d_ncdhw_cdhw = _convolution(
    "depthwise_conv_3d_ncdhw_cdhw",
    "n ic d h w",
    "ic d h w",
    "n ic d h w",
    "n od oh ow kd kh kw ic",
)
depthwise_conv_3d_ndhwc_dhwcm = _convolution(
    "depthwise_conv_3d_ndhwc_dhwcm",
    "n d h w ic",
    "d h w ic cm",
    "n d h w ic cm",
    "n od oh ow cm kd kh kw ic",
)


def _pooling(
    name: str,
    image: str,
    kernel: str,
    reduction: ReduceFnType,
    what: str,
) -> DefinedOpCallable:
    """A reduction of each window; of the kernel only the shape matters."""
    window = _Window(image, kernel, image)

    def body(image, kernel, output, *attributes):
        implements(ConvolutionOpInterface)
        window.iterate(None)
        unsigned = name.endswith("_unsigned")
        convert = TypeFn.cast_unsigned if unsigned else TypeFn.cast_signed
        dims = kernel.operand_def.index_dims
        output[window.place()] = reduction[dims](convert(U, window.at(image)))

    layout = f"The image and the result are ({image}), the window ({kernel})."
    doc = f"Takes {what} of each window.\n\n{layout} Elements are converted to the result's type."
    return _define(name, window.operands(shape_only=True), body, doc=doc)


_SUM = (ReduceFn.add, "the sum")
_MAX = (ReduceFn.max_signed, "the greatest")
_MIN = (ReduceFn.min_signed, "the least")
_MAX_UNSIGNED = (ReduceFn.max_unsigned, "the greatest unsigned")
_MIN_UNSIGNED = (ReduceFn.min_unsigned, "the least unsigned")

_NHWC = ("n h w c", "h w")
_NCHW = ("n c h w", "h w")
pooling_nhwc_sum = _pooling("pooling_nhwc_sum", *_NHWC, *_SUM)
pooling_nchw_sum = _pooling("pooling_nchw_sum", *_NCHW, *_SUM)
pooling_nhwc_max = _pooling("pooling_nhwc_max", *_NHWC, *_MAX)
pooling_nhwc_max_unsigned = _pooling("pooling_nhwc_max_unsigned", *_NHWC, *_MAX_UNSIGNED)
pooling_nchw_max = _pooling("pooling_nchw_max", *_NCHW, *_MAX)
pooling_nhwc_min = _pooling("pooling_nhwc_min", *_NHWC, *_MIN)
pooling_nhwc_min_unsigned = _pooling("pooling_nhwc_min_unsigned", *_NHWC, *_MIN_UNSIGNED)

_NWC = ("n w c", "w")
_NCW = ("n c w", "w")
pooling_nwc_sum = _pooling("pooling_nwc_sum", *_NWC, *_SUM)
pooling_ncw_sum = _pooling("pooling_ncw_sum", *_NCW, *_SUM)
pooling_nwc_max = _pooling("pooling_nwc_max", *_NWC, *_MAX)
pooling_nwc_max_unsigned = _pooling("pooling_nwc_max_unsigned", *_NWC, *_MAX_UNSIGNED)
pooling_ncw_max = _pooling("pooling_ncw_max", *_NCW, *_MAX)
pooling_nwc_min = _pooling("pooling_nwc_min", *_NWC, *_MIN)
pooling_nwc_min_unsigned = _pooling("pooling_nwc_min_unsigned", *_NWC, *_MIN_UNSIGNED)

_NDHWC = ("n d h w c", "d h w")
pooling_ndhwc_sum = _pooling("pooling_ndhwc_sum", *_NDHWC, *_SUM)
pooling_ndhwc_max = _pooling("pooling_ndhwc_max", *_NDHWC, *_MAX)
pooling_ndhwc_min = _pooling("pooling_ndhwc_min", *_NDHWC, *_MIN)


@linalg_structured_op
def fill(value=ScalarDef(T), O=TensorDef(T, output=True)):
    """Makes every element the value, whatever the output's rank."""
    implements(FillOpInterface)
    defines(Canonicalizer)
    O[None] = value


@linalg_structured_op
def fill_rng_2d(
    min=ScalarDef(F64),
    max=ScalarDef(F64),
    seed=ScalarDef(I32),
    O=TensorDef(T, S.M, S.N, output=True),
):
    """Fills a matrix with pseudo-random numbers between ``min`` and ``max``.

    Each element has a linear congruential generator of its own, whose state begins with the seed
    and the element's place. Nothing is promised of the distribution.
    """
    domain(D.m, D.n)

    def step(place, state):
        factor, summand = (TypeFn.cast_signed(I32, const(it)) for it in (1103515245, 12345))
        return (TypeFn.cast_signed(I32, index(place)) + state) * factor + summand

    state = TypeFn.cast_signed(F64, step(D.n, step(D.m, seed)))
    middle = TypeFn.cast_signed(F64, const(2147483647))
    scale = (max - min) * TypeFn.cast_signed(F64, const(2.3283064e-10))
    O[D.m, D.n] = TypeFn.cast_signed(T, (middle + state) * scale + min)
