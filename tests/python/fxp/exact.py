"""The operations' semantics in exact fractions: nothing here is shared with the C++."""

import math
import operator
from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st

ROUNDINGS = ("floor", "ceil", "toward_zero", "nearest_even", "nearest_away", "nearest_up")
OVERFLOWS = ("wrap", "saturate")
ARITHMETIC = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}
PREDICATES = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}


class Format(NamedTuple):
    """A type ``!fxp.num``, or an integer where no bit is behind the point."""

    width: int
    frac: int
    signed: bool

    @property
    def least(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def greatest(self) -> int:
        return (1 << (self.width - self.signed)) - 1

    def value(self, raw: int) -> Fraction:
        """The number of a raw integer."""
        return Fraction(raw, 1 << self.frac)

    def raw(self, bits: int) -> int:
        """The raw integer that some bits are."""
        bits &= (1 << self.width) - 1
        return bits - (1 << self.width) if bits > self.greatest else bits

    def __str__(self) -> str:
        return f"!fxp.num<{self.width}, {self.frac}, {'signed' if self.signed else 'unsigned'}>"


def rounded(value: Fraction, rounding: str) -> int:
    """The integer that a number is rounded to."""
    half = Fraction(1, 2)
    match rounding:
        case "floor":
            return math.floor(value)
        case "ceil":
            return math.ceil(value)
        case "toward_zero":
            return math.trunc(value)
        case "nearest_even":
            return round(value)
        case "nearest_up":
            return math.floor(value + half)
        case "nearest_away":
            return math.floor(abs(value) + half) * (1 if value > 0 else -1)
    raise ValueError(rounding)


def fit(value: Fraction, form: Format, rounding: str, overflow: str) -> int:
    """The raw integer of a number in a format."""
    raw = rounded(value * (1 << form.frac), rounding)
    if overflow == "wrap":
        return form.raw(raw)
    return min(max(raw, form.least), form.greatest)


def fit_float(value: float, form: Format, rounding: str, overflow: str) -> int:
    """The raw integer of a float in a format."""
    if math.isnan(value) or (math.isinf(value) and overflow == "wrap"):
        return 0
    if math.isinf(value):
        return form.greatest if value > 0 else form.least
    return fit(Fraction(value), form, rounding, overflow)


# Precision, least and greatest exponent of what a float type has.
FLOATS = {
    "f16": (11, -14, 15),
    "bf16": (8, -126, 127),
    "f32": (24, -126, 127),
    "f64": (53, -1022, 1023),
}


def nearest_float(value: Fraction, kind: str) -> float:
    """The float that is nearest, and of two the even one."""
    precision, least, greatest = FLOATS[kind]
    if value == 0:
        return 0.0
    exponent = least
    if abs(value) >= Fraction(2) ** least:
        exponent = abs(value.numerator).bit_length() - value.denominator.bit_length()
        if Fraction(2) ** exponent > abs(value):
            exponent -= 1
    unit = Fraction(2) ** (exponent - precision + 1)
    result = round(value / unit) * unit
    if abs(result) >= Fraction(2) ** (greatest + 1):
        return math.inf if value > 0 else -math.inf
    # A value that is rounded to zero keeps its sign.
    return abs(float(result)) if value > 0 else -abs(float(result))


@st.composite
def formats(draw) -> Format:
    width = draw(st.integers(1, 64))
    return Format(width, draw(st.integers(0, width)), draw(st.booleans()))


def integers(form: Format) -> st.SearchStrategy[int]:
    """Raw integers, the extreme ones among them."""
    edges = {form.least, form.greatest, 0, min(1, form.greatest), form.greatest // 2}
    return st.sampled_from(sorted(edges)) | st.integers(form.least, form.greatest)


def floats(kind: str) -> st.SearchStrategy[float]:
    """Floats of a type, many of them near numbers that fixed-point types have."""
    near = st.builds(
        lambda raw, frac: nearest_float(Fraction(raw, 1 << frac), kind),
        st.integers(-(1 << 66), 1 << 66),
        st.integers(0, 70),
    )
    every = st.floats().map(
        lambda value: nearest_float(Fraction(value), kind) if math.isfinite(value) else value
    )
    return near | every


ROUNDING = st.sampled_from(ROUNDINGS)
OVERFLOW = st.sampled_from(OVERFLOWS)
