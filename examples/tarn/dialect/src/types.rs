//! The types: numbers, and arrays of numbers.

use mondo_dialect::attributes::Int;
use mondo_dialect::{
    Attribute, Call, Parameters, Parsed, Parser, Printer, Result, Type, TypeConstraint, Uniquer,
};

pub(crate) const NUMBER: TypeConstraint =
    TypeConstraint::new("a number", |type_| type_.parameters::<Number>().is_some());
pub(crate) const ARRAY: TypeConstraint =
    TypeConstraint::new("an array", |type_| type_.parameters::<Array>().is_some());

/// `!tarn.number`: 64 bits, whose operations wrap around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number;

/// Infers that the one result is a number.
pub(crate) fn is_number<'c>(call: &Call<'c>) -> Result<Vec<Type<'c>>> {
    Ok(vec![call.uniquer().defined_type(&Number)?])
}

impl Parameters for Number {
    const DIALECT: &'static str = "tarn";
    const NAME: &'static str = "number";
    const SUMMARY: &'static str = "A number of 64 bits.";

    fn decode(_: &[Attribute<'_>]) -> Result<Self> {
        Ok(Self)
    }

    fn encode<'c>(&self, _: Uniquer<'c>) -> Vec<Attribute<'c>> {
        Vec::new()
    }

    fn parse(_: &mut Parser<'_>) -> Parsed<Self> {
        Ok(Self)
    }

    fn print(&self, _: &mut Printer<'_>) {}
}

/// `!tarn.array<8>`: so many numbers, which can be changed. A variable is an array of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Array {
    pub(crate) length: i64,
}

impl Parameters for Array {
    const DIALECT: &'static str = "tarn";
    const NAME: &'static str = "array";
    const SUMMARY: &'static str = "Numbers that can be changed.";

    fn decode(parameters: &[Attribute<'_>]) -> Result<Self> {
        let [length] = parameters else {
            return Err("an array needs a length".into());
        };
        let length = length
            .downcast::<Int>()
            .and_then(|length| i64::try_from(length.value()).ok());
        let length = length.filter(|length| *length > 0);
        Ok(Self {
            length: length.ok_or("the length of an array is a positive number")?,
        })
    }

    fn encode<'c>(&self, uniquer: Uniquer<'c>) -> Vec<Attribute<'c>> {
        vec![uniquer.integer_attr(uniquer.i64(), self.length).any()]
    }

    fn parse(parser: &mut Parser<'_>) -> Parsed<Self> {
        parser.expect("<")?;
        let length = parser.integer()?;
        parser.expect(">")?;
        Ok(Self { length })
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.text(&format!("<{}>", self.length));
    }
}

/// The number of an attribute.
pub(crate) fn number(attribute: Option<Attribute<'_>>) -> Option<i64> {
    i64::try_from(attribute?.downcast::<Int>()?.value()).ok()
}
