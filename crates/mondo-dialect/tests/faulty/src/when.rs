//! The place at which to fail.

use mondo_dialect::attributes::Str;
use mondo_dialect::{Attribute, Error, Parameters, Parsed, Parser, Printer, Result, Uniquer};

/// A type or attribute that fails in the function that it names: `!faulty.t<"print">`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct When(pub(crate) String);

/// Panics if `here` is true; the message names the place.
pub(crate) fn panic_if(here: bool, place: &str) {
    assert!(!here, "told to panic in {place}");
}

/// The text of a string.
pub(crate) fn text(attribute: Attribute<'_>) -> Option<&str> {
    std::str::from_utf8(attribute.downcast::<Str>()?.value()).ok()
}

impl Parameters for When {
    const DIALECT: &'static str = "faulty";
    const NAME: &'static str = "t";
    const SUMMARY: &'static str = "Fails in the function that it names.";

    fn decode(parameters: &[Attribute<'_>]) -> Result<Self> {
        let [Some(when)] = parameters
            .iter()
            .map(|parameter| text(*parameter))
            .collect::<Vec<_>>()[..]
        else {
            return Err(Error::new("expected one string"));
        };
        panic_if(when == "decode", "decode");
        if when == "refuse" {
            return Err("told to refuse".into());
        }
        Ok(Self(when.to_owned()))
    }

    fn encode<'c>(&self, uniquer: Uniquer<'c>) -> Vec<Attribute<'c>> {
        panic_if(self.0 == "encode", "encode");
        vec![uniquer.string_attr(&self.0).any()]
    }

    fn parse(parser: &mut Parser<'_>) -> Parsed<Self> {
        parser.expect("<")?;
        let when = parser.string()?;
        panic_if(when == "parse", "parse");
        parser.expect(">")?;
        Ok(Self(when))
    }

    fn print(&self, printer: &mut Printer<'_>) {
        printer.text("<");
        panic_if(self.0 == "print", "print");
        printer.string(&self.0);
        printer.text(">");
    }
}
