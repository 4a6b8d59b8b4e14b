//! Units of measurement: a dimension over the SI base units, and a scale.

use std::fmt;
use std::ops::Neg as _;

use crate::ratio::Ratio;

/// The number of base units.
pub const BASES: usize = 7;

/// The exponents of kilogram, metre, second, ampere, kelvin, mole and candela.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dimension(pub [i8; BASES]);

/// The names of the dimensions of the base units in the ISQ.
const SYMBOLS: [&str; BASES] = ["M", "L", "T", "I", "Θ", "N", "J"];

/// Exponents go this far in both directions.
pub const MAX_EXPONENT: i8 = 100;

impl Dimension {
    /// The dimension of pure numbers.
    pub const NONE: Self = Self([0; BASES]);

    /// The dimension with these exponents, if they are not too large.
    #[must_use]
    pub fn new(exponents: [i64; BASES]) -> Option<Self> {
        let mut dimension = Self::NONE;
        for (into, exponent) in dimension.0.iter_mut().zip(exponents) {
            *into = i8::try_from(exponent).ok()?;
            if into.unsigned_abs() > MAX_EXPONENT.unsigned_abs() {
                return None;
            }
        }
        Some(dimension)
    }

    /// Each exponent times `factor`, and those of `other` added; none if one is too large.
    fn combine(self, factor: i64, other: Self) -> Option<Self> {
        let mut exponents = [0; BASES];
        for (at, exponent) in exponents.iter_mut().enumerate() {
            *exponent = i64::from(self.0[at])
                .checked_mul(factor)?
                .checked_add(i64::from(other.0[at]))?;
        }
        Self::new(exponents)
    }

    fn square_root(self) -> Option<Self> {
        let even = self.0.iter().all(|exponent| exponent % 2 == 0);
        even.then(|| Self(self.0.map(|exponent| exponent / 2)))
    }

    /// The factors with their exponents, written with these names: `kg*m/s^2`.
    #[must_use]
    pub fn spelled(self, names: &[&str; BASES]) -> String {
        let mut text = String::new();
        let factors = || {
            names
                .iter()
                .zip(self.0)
                .filter(|(_, exponent)| *exponent != 0)
        };
        let mut add = |sign: &str, name: &str, exponent: i8| {
            text.push_str(sign);
            text.push_str(name);
            if exponent != 1 {
                text.push_str(&format!("^{exponent}"));
            }
        };
        let mut first = true;
        for (name, exponent) in factors().filter(|(_, exponent)| *exponent > 0) {
            add(if first { "" } else { "*" }, name, exponent);
            first = false;
        }
        if first {
            add("1", "", 1);
        }
        for (name, exponent) in factors().filter(|(_, exponent)| *exponent < 0) {
            add("/", name, exponent.neg());
        }
        text
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelled(&SYMBOLS))
    }
}

/// A unit: so many times the base units of its dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unit {
    /// The dimension.
    pub dimension: Dimension,
    /// The size in base units.
    pub scale: Ratio,
}

impl Unit {
    /// The unit of pure numbers.
    pub const ONE: Self = Self {
        dimension: Dimension::NONE,
        scale: Ratio::ONE,
    };

    /// The product, if it can be said.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        Some(Self {
            dimension: self.dimension.combine(1, other.dimension)?,
            scale: self.scale.times(other.scale)?,
        })
    }

    /// One over the unit.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self {
            dimension: Dimension(self.dimension.0.map(i8::neg)),
            scale: self.scale.inverse(),
        }
    }

    /// The quotient, if it can be said.
    #[must_use]
    pub fn over(self, other: Self) -> Option<Self> {
        self.times(other.inverse())
    }

    /// The power, if it can be said.
    #[must_use]
    pub fn power(self, exponent: i32) -> Option<Self> {
        Some(Self {
            dimension: self.dimension.combine(exponent.into(), Dimension::NONE)?,
            scale: self.scale.power(exponent)?,
        })
    }

    /// The square root, if there is such a unit.
    #[must_use]
    pub fn square_root(self) -> Option<Self> {
        Some(Self {
            dimension: self.dimension.square_root()?,
            scale: self.scale.square_root()?,
        })
    }

    /// By what a number of these units is multiplied to be one of the other; none if the dimensions
    /// differ or the factor cannot be said.
    #[must_use]
    pub fn factor_to(self, other: Self) -> Option<Ratio> {
        if self.dimension != other.dimension {
            return None;
        }
        self.scale.times(other.scale.inverse())
    }
}
