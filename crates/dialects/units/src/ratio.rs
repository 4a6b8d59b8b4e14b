//! Positive fractions, and numbers multiplied with them.

use std::fmt;

/// A positive fraction in its lowest terms, with both parts below 2^63.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: u64,
    denominator: u64,
}

const LIMIT: u128 = i64::MAX as u128;

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Ratio {
    /// One.
    pub const ONE: Self = Self {
        numerator: 1,
        denominator: 1,
    };

    /// The fraction, in its lowest terms; none if it is zero, or none, or too large or small.
    #[must_use]
    pub fn new(numerator: u128, denominator: u128) -> Option<Self> {
        if numerator == 0 || denominator == 0 {
            return None;
        }
        let common = gcd(numerator, denominator);
        let part = |it: u128| (it / common <= LIMIT).then_some(it / common);
        Some(Self {
            numerator: u64::try_from(part(numerator)?).ok()?,
            denominator: u64::try_from(part(denominator)?).ok()?,
        })
    }

    /// The part above.
    #[must_use]
    pub const fn numerator(self) -> u64 {
        self.numerator
    }

    /// The part below.
    #[must_use]
    pub const fn denominator(self) -> u64 {
        self.denominator
    }

    /// One over it.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self {
            numerator: self.denominator,
            denominator: self.numerator,
        }
    }

    /// The product, if it fits.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        Self::new(
            u128::from(self.numerator) * u128::from(other.numerator),
            u128::from(self.denominator) * u128::from(other.denominator),
        )
    }

    /// The power, if it fits.
    #[must_use]
    pub fn power(self, exponent: i32) -> Option<Self> {
        let base = if exponent < 0 { self.inverse() } else { self };
        // Any other base overflows long before a large exponent is reached.
        if base == Self::ONE {
            return Some(base);
        }
        (0..exponent.unsigned_abs()).try_fold(Self::ONE, |power, _| power.times(base))
    }

    /// The square root, if it is a fraction.
    #[must_use]
    pub fn square_root(self) -> Option<Self> {
        let root = |it: u64| {
            let root = it.isqrt();
            (root * root == it).then_some(u128::from(root))
        };
        Self::new(root(self.numerator)?, root(self.denominator)?)
    }

    /// `value` times this: of all doubles the one nearest to the product, and of two equally near the
    /// even one.
    #[must_use]
    pub fn scale(self, value: f64) -> f64 {
        if value == 0.0 || !value.is_finite() || self == Self::ONE {
            return value;
        }
        let (significand, exponent) = decompose(value.abs());
        // The product of 53 and 63 bits, moved up so that the quotient has 64 bits or more.
        let product = u128::from(significand) * u128::from(self.numerator);
        let shift = product.leading_zeros();
        let shifted = product << shift;
        let divisor = u128::from(self.denominator);
        let quotient = shifted / divisor;
        // A last bit for whatever is left of the division, so that rounding sees it.
        let sticky = u128::from(shifted % divisor != 0);
        let exponent = exponent - shift.cast_signed();
        compose(quotient | sticky, exponent).copysign(value)
    }
}

/// A positive finite number as an integer times a power of two.
fn decompose(value: f64) -> (u64, i32) {
    const FRACTION: u64 = (1 << 52) - 1;
    let bits = value.to_bits();
    let biased = i32::try_from(bits >> 52).unwrap_or(0);
    if biased == 0 {
        (bits & FRACTION, -1074)
    } else {
        (bits & FRACTION | (1 << 52), biased - 1075)
    }
}

/// `integer`, of 64 bits or more, times a power of two, rounded once.
fn compose(integer: u128, exponent: i32) -> f64 {
    let length = 128 - integer.leading_zeros().cast_signed();
    // The exponent of the last bit of the result: 53 bits, but no less than subnormal numbers have.
    let last = (exponent + length - 53).max(-1074);
    let drop = (last - exponent).cast_unsigned();
    let (kept, rest, half) = if drop > 128 {
        (0, 0, 1)
    } else if drop == 128 {
        (0, integer, 1 << 127)
    } else {
        (
            integer >> drop,
            integer & ((1 << drop) - 1),
            1 << (drop - 1),
        )
    };
    let up = rest > half || (rest == half && kept & 1 == 1);
    let rounded = u64::try_from(kept).unwrap_or(u64::MAX) + u64::from(up);
    if last > 971 {
        return f64::INFINITY;
    }
    // 53 bits and a carry at most: below the implicit bit it is a subnormal number's bits, above
    // it the carry goes on into the exponent as it should.
    let biased = u64::from((last + 1074).cast_unsigned());
    f64::from_bits((biased << 52) + rounded)
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.numerator)?;
        if self.denominator != 1 {
            write!(f, "/{}", self.denominator)?;
        }
        Ok(())
    }
}
