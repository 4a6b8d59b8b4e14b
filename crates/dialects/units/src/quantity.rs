//! The type of quantities, and the attribute of constant ones.

use std::fmt;

use mondo_dialect::attributes::{I64Array, Real, TypeValue};
use mondo_dialect::{Attribute, Error, Parameters, Parsed, Parser, Printer, Result, Type, Uniquer};

use crate::ratio::Ratio;
use crate::unit::{BASES, Dimension, Unit};

/// The representation of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// Doubles, where nothing else is said.
    F64,
    /// Single precision.
    F32,
}

impl Element {
    /// The number of this kind nearest to `value`.
    #[must_use]
    pub fn round(self, value: f64) -> f64 {
        match self {
            Self::F64 => value,
            Self::F32 => f64::from(value as f32),
        }
    }

    fn of(ty: Type<'_>) -> Option<Self> {
        if ty == ty.uniquer().f64() {
            Some(Self::F64)
        } else {
            (ty == ty.uniquer().f32()).then_some(Self::F32)
        }
    }

    pub(crate) fn type_(self, uniquer: Uniquer<'_>) -> Type<'_> {
        match self {
            Self::F64 => uniquer.f64().any(),
            Self::F32 => uniquer.f32().any(),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
        })
    }
}

/// `!units.q<"m/s">`, `!units.q<"m/s", f32>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantity {
    /// The unit.
    pub unit: Unit,
    /// The representation of the numbers.
    pub element: Element,
}

impl Quantity {
    /// The unit as it is written, and its dimension: for messages.
    #[must_use]
    pub fn described(&self) -> String {
        format!("'{}' (dimension {})", self.unit, self.unit.dimension)
    }

    fn parse_rest(parser: &mut Parser<'_>) -> Parsed<Self> {
        let place = parser.place();
        let text = parser.string()?;
        let unit = text.parse().map_err(|error: String| place.error(error))?;
        let element = if parser.take(",") {
            let place = parser.place();
            let ty = parser.type_()?;
            Element::of(ty).ok_or_else(|| {
                place.error(format!("expected f64 or f32 for the numbers, but got {ty}"))
            })?
        } else {
            Element::F64
        };
        parser.expect(">")?;
        Ok(Self { unit, element })
    }

    fn print_rest(&self, printer: &mut Printer<'_>) {
        printer.string(&self.unit.to_string());
        if self.element != Element::F64 {
            printer.text(", ");
            printer.type_(self.element.type_(printer.uniquer()));
        }
        printer.text(">");
    }
}

/// The exponents, and the two parts of the scale.
const NUMBERS: usize = BASES + 2;

impl Parameters for Quantity {
    const DIALECT: &'static str = "units";
    const NAME: &'static str = "q";
    const SUMMARY: &'static str = "A quantity: a floating-point number of a unit.";

    fn decode(parameters: &[Attribute<'_>]) -> Result<Self> {
        let malformed = || Error::new("a quantity needs the numbers of a unit, and a type");
        let [numbers, element] = parameters else {
            return Err(malformed());
        };
        let numbers = numbers.downcast::<I64Array>().ok_or_else(malformed)?;
        let numbers: [i64; NUMBERS] = numbers.values().try_into().map_err(|_| malformed())?;
        let [exponents @ .., numerator, denominator] = numbers;
        let part = |number| u128::try_from(number).ok();
        let scale = part(numerator)
            .zip(part(denominator))
            .and_then(|(numerator, denominator)| Ratio::new(numerator, denominator))
            // Two types would mean the same otherwise.
            .filter(|scale| i64::try_from(scale.numerator()) == Ok(numerator))
            .ok_or("the scale of a unit is a positive fraction in its lowest terms")?;
        let dimension = Dimension::new(exponents).ok_or("an exponent of a unit is out of range")?;
        let element = element.downcast::<TypeValue>();
        let element = element.and_then(|value| Element::of(value.value()));
        Ok(Self {
            unit: Unit { dimension, scale },
            element: element.ok_or("the numbers of a quantity are f64 or f32")?,
        })
    }

    fn encode<'c>(&self, uniquer: Uniquer<'c>) -> Vec<Attribute<'c>> {
        let Unit { dimension, scale } = self.unit;
        let mut numbers: Vec<i64> = dimension
            .0
            .iter()
            .map(|exponent| (*exponent).into())
            .collect();
        // Both parts are below 2^63.
        numbers.extend([scale.numerator(), scale.denominator()].map(u64::cast_signed));
        vec![
            uniquer.i64_array(&numbers).any(),
            uniquer.type_attr(self.element.type_(uniquer)).any(),
        ]
    }

    fn parse(parser: &mut Parser<'_>) -> Parsed<Self> {
        parser.expect("<")?;
        Self::parse_rest(parser)
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.text("<");
        self.print_rest(printer);
    }
}

/// `#units.value<2.5, "m/s">`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// The number.
    pub magnitude: f64,
    /// The unit.
    pub quantity: Quantity,
}

impl Value {
    /// The value nearest to `magnitude` that the quantity's numbers can have.
    #[must_use]
    pub fn rounded(magnitude: f64, quantity: Quantity) -> Self {
        Self {
            magnitude: quantity.element.round(magnitude),
            quantity,
        }
    }
}

impl Parameters for Value {
    const DIALECT: &'static str = "units";
    const NAME: &'static str = "value";
    const SUMMARY: &'static str = "A constant quantity.";

    fn decode(parameters: &[Attribute<'_>]) -> Result<Self> {
        let [magnitude, quantity @ ..] = parameters else {
            return Err("a value needs a number and a quantity".into());
        };
        let magnitude = magnitude
            .downcast::<Real>()
            .filter(|number| number.type_() == number.uniquer().f64())
            .ok_or("the number of a value is an f64")?
            .value();
        let quantity = Quantity::decode(quantity)?;
        // Bits, because a NaN differs from itself.
        if quantity.element.round(magnitude).to_bits() != magnitude.to_bits() {
            return Err("the number of a value is not one that its quantity can have".into());
        }
        Ok(Self {
            magnitude,
            quantity,
        })
    }

    fn encode<'c>(&self, uniquer: Uniquer<'c>) -> Vec<Attribute<'c>> {
        let mut parameters = vec![uniquer.float_attr(uniquer.f64(), self.magnitude).any()];
        parameters.extend(self.quantity.encode(uniquer));
        parameters
    }

    fn parse(parser: &mut Parser<'_>) -> Parsed<Self> {
        parser.expect("<")?;
        let magnitude = parser.float()?;
        parser.expect(",")?;
        Ok(Self::rounded(magnitude, Quantity::parse_rest(parser)?))
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.text("<");
        printer.float(self.magnitude);
        printer.text(", ");
        self.quantity.print_rest(printer);
    }
}
