//! Units as text: `kg*m/s^2`, `km/h`, `W/(m*K)`.
//!
//! The reader accepts any of the names below; the printer uses the base units, or the units
//! of time, length and mass that make the scale come out, or a number.

use std::fmt;

use crate::ratio::Ratio;
use crate::unit::{BASES, Dimension, Unit};

/// A unit with a name of its own: its exponents, its scale as a fraction, and whether it takes the
/// prefixes of SI.
struct Named(&'static str, [i8; BASES], u64, u64, bool);

const NAMED: &[Named] = &[
    Named("g", [1, 0, 0, 0, 0, 0, 0], 1, 1000, true),
    Named("m", [0, 1, 0, 0, 0, 0, 0], 1, 1, true),
    Named("s", [0, 0, 1, 0, 0, 0, 0], 1, 1, true),
    Named("A", [0, 0, 0, 1, 0, 0, 0], 1, 1, true),
    Named("K", [0, 0, 0, 0, 1, 0, 0], 1, 1, true),
    Named("mol", [0, 0, 0, 0, 0, 1, 0], 1, 1, true),
    Named("cd", [0, 0, 0, 0, 0, 0, 1], 1, 1, true),
    Named("Hz", [0, 0, -1, 0, 0, 0, 0], 1, 1, true),
    Named("N", [1, 1, -2, 0, 0, 0, 0], 1, 1, true),
    Named("Pa", [1, -1, -2, 0, 0, 0, 0], 1, 1, true),
    Named("bar", [1, -1, -2, 0, 0, 0, 0], 100_000, 1, true),
    Named("J", [1, 2, -2, 0, 0, 0, 0], 1, 1, true),
    Named("W", [1, 2, -3, 0, 0, 0, 0], 1, 1, true),
    Named("C", [0, 0, 1, 1, 0, 0, 0], 1, 1, true),
    Named("V", [1, 2, -3, -1, 0, 0, 0], 1, 1, true),
    Named("F", [-1, -2, 4, 2, 0, 0, 0], 1, 1, true),
    Named("ohm", [1, 2, -3, -2, 0, 0, 0], 1, 1, true),
    Named("S", [-1, -2, 3, 2, 0, 0, 0], 1, 1, true),
    Named("Wb", [1, 2, -2, -1, 0, 0, 0], 1, 1, true),
    Named("T", [1, 0, -2, -1, 0, 0, 0], 1, 1, true),
    Named("H", [1, 2, -2, -2, 0, 0, 0], 1, 1, true),
    Named("rad", [0; BASES], 1, 1, false),
    Named("L", [0, 3, 0, 0, 0, 0, 0], 1, 1000, true),
    Named("t", [1, 0, 0, 0, 0, 0, 0], 1000, 1, false),
    Named("min", [0, 0, 1, 0, 0, 0, 0], 60, 1, false),
    Named("h", [0, 0, 1, 0, 0, 0, 0], 3600, 1, false),
    Named("d", [0, 0, 1, 0, 0, 0, 0], 86400, 1, false),
    Named("in", [0, 1, 0, 0, 0, 0, 0], 127, 5000, false),
    Named("ft", [0, 1, 0, 0, 0, 0, 0], 381, 1250, false),
    Named("mi", [0, 1, 0, 0, 0, 0, 0], 201_168, 125, false),
];

const PREFIXES: &[(&str, u64, u64)] = &[
    ("p", 1, 1_000_000_000_000),
    ("n", 1, 1_000_000_000),
    ("u", 1, 1_000_000),
    ("µ", 1, 1_000_000),
    ("m", 1, 1000),
    ("c", 1, 100),
    ("d", 1, 10),
    ("h", 100, 1),
    ("k", 1000, 1),
    ("M", 1_000_000, 1),
    ("G", 1_000_000_000, 1),
    ("T", 1_000_000_000_000, 1),
];

/// The names that are written, for each base unit: those of scale one first.
const WRITTEN: [&[&str]; BASES] = [
    &["kg", "g", "mg", "t"],
    &["m", "km", "cm", "mm", "um", "nm"],
    &["s", "h", "min", "d", "ms", "us", "ns"],
    &["A", "mA"],
    &["K"],
    &["mol", "mmol"],
    &["cd"],
];

fn ratio(numerator: u64, denominator: u64) -> Option<Ratio> {
    Ratio::new(numerator.into(), denominator.into())
}

/// The unit of that name, without prefixes.
fn named(name: &str) -> Option<(Unit, bool)> {
    let Named(_, exponents, numerator, denominator, prefixes) =
        NAMED.iter().find(|unit| unit.0 == name)?;
    let unit = Unit {
        dimension: Dimension(*exponents),
        scale: ratio(*numerator, *denominator)?,
    };
    Some((unit, *prefixes))
}

/// The unit of that name. A name of its own goes before one with a prefix: `min` is a minute.
fn lookup(name: &str) -> Option<Unit> {
    if let Some((unit, _)) = named(name) {
        return Some(unit);
    }
    PREFIXES
        .iter()
        .find_map(|(prefix, numerator, denominator)| {
            let (unit, true) = named(name.strip_prefix(prefix)?)? else {
                return None;
            };
            Some(Unit {
                scale: unit.scale.times(ratio(*numerator, *denominator)?)?,
                ..unit
            })
        })
}

/// The limit of nested parentheses.
const MAX_DEPTH: u32 = 32;

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    depth: u32,
}

impl<'a> Reader<'a> {
    fn take(&mut self, token: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn while_(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let (found, rest) = self.rest.split_at(end);
        self.rest = rest;
        found
    }

    fn error(&self, what: &str) -> String {
        match self.rest.trim_start().chars().next() {
            Some(_) => {
                let rest = self.rest.trim_start();
                format!("{what} before '{rest}' in the unit '{}'", self.text)
            }
            None => format!("{what} at the end of the unit '{}'", self.text),
        }
    }

    fn too_large(&self) -> String {
        format!(
            "the unit '{}' is too large or too small to be exact",
            self.text
        )
    }

    fn product(&mut self) -> Result<Unit, String> {
        let mut unit = self.factor()?;
        loop {
            let next = if self.take('*') {
                let factor = self.factor()?;
                unit.times(factor)
            } else if self.take('/') {
                let factor = self.factor()?;
                unit.over(factor)
            } else {
                return Ok(unit);
            };
            unit = next.ok_or_else(|| self.too_large())?;
        }
    }

    fn factor(&mut self) -> Result<Unit, String> {
        let base = self.base()?;
        if !self.take('^') {
            return Ok(base);
        }
        let negative = self.take('-');
        let digits = self.while_(|c| c.is_ascii_digit());
        let exponent: i32 = match digits.parse() {
            Ok(exponent) => exponent,
            Err(_) if digits.is_empty() => return Err(self.error("expected an exponent")),
            Err(_) => return Err(self.too_large()),
        };
        base.power(if negative { -exponent } else { exponent })
            .ok_or_else(|| self.too_large())
    }

    fn base(&mut self) -> Result<Unit, String> {
        if self.take('(') {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(self.error("too many parentheses"));
            }
            let unit = self.product()?;
            self.depth -= 1;
            return if self.take(')') {
                Ok(unit)
            } else {
                Err(self.error("expected ')'"))
            };
        }
        let digits = self.while_(|c| c.is_ascii_digit());
        if !digits.is_empty() {
            let number = digits.parse().ok().and_then(|number| Ratio::new(number, 1));
            let scale = number.ok_or_else(|| self.too_large())?;
            return Ok(Unit { scale, ..Unit::ONE });
        }
        let name = self.while_(char::is_alphabetic);
        if name.is_empty() {
            return Err(self.error("expected a unit"));
        }
        lookup(name).ok_or_else(|| format!("unknown unit '{name}' in '{}'", self.text))
    }
}

impl std::str::FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut reader = Reader {
            text,
            rest: text,
            depth: 0,
        };
        let unit = reader.product()?;
        if reader.rest.trim_start().is_empty() {
            Ok(unit)
        } else {
            Err(reader.error("expected '*' or '/'"))
        }
    }
}

/// Names for the base units with which the scale is right.
fn names_for(unit: Unit) -> Option<[&'static str; BASES]> {
    let mut names = WRITTEN.map(|names| names[0]);
    let used: Vec<usize> = (0..BASES).filter(|at| unit.dimension.0[*at] != 0).collect();
    search(unit, &used, Ratio::ONE, &mut names).then_some(names)
}

fn search(unit: Unit, used: &[usize], scale: Ratio, names: &mut [&'static str; BASES]) -> bool {
    let Some((at, rest)) = used.split_first() else {
        return scale == unit.scale;
    };
    WRITTEN[*at].iter().any(|name| {
        names[*at] = name;
        let factor = lookup(name).and_then(|base| base.scale.power(unit.dimension.0[*at].into()));
        let scale = factor.and_then(|factor| scale.times(factor));
        scale.is_some_and(|scale| search(unit, rest, scale, names))
    })
}

/// The one spelling of the unit.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(names) = names_for(*self) {
            return f.write_str(&self.dimension.spelled(&names));
        }
        let base = self.dimension.spelled(&WRITTEN.map(|names| names[0]));
        match base.strip_prefix('1') {
            // `1/s` or `1`: the number is the scale.
            Some(rest) => write!(f, "{}{rest}", self.scale),
            None => write!(f, "{}*{base}", self.scale),
        }
    }
}
