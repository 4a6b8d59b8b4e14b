//! A dialect whose functions panic and lie when told to, for the tests of the SDK.

use mondo_dialect::assembly::{ATTR_DICT, attribute, operand, type_of, word};
use mondo_dialect::attributes::Str;
use mondo_dialect::{
    Attribute, AttributeConstraint, AttributeDef, Dialect, Error, Folded, Op, OpAttribute,
    Parameters, Parsed, Parser, Printer, Result, Slot, TypeConstraint, TypeDef, Uniquer,
    export_dialect,
};

/// A type or attribute that fails in the function that it names: `!faulty.t<"print">`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When(String);

fn panic_if(here: bool, place: &str) {
    assert!(!here, "told to panic in {place}");
}

/// The text of a string.
fn text(attribute: Attribute<'_>) -> Option<&str> {
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

const ANY: TypeConstraint = TypeConstraint::ANY;
const WHEN: &[OpAttribute] = &[OpAttribute::required("when", AttributeConstraint::STRING)];

/// The dialect.
pub const FAULTY: Dialect = Dialect::new("faulty", "Fails when told to.")
    .depends(&["arith"])
    .types(&[TypeDef::of::<When>()])
    .attributes(&[AttributeDef::of::<When>()])
    .operations(&[
        Op::new("op", "Fails in the function that it names.")
            .operands(&[Slot::one("operand", ANY)])
            .results(&[Slot::one("result", ANY)])
            .attributes(WHEN)
            .assembly(&[
                attribute("when"),
                operand("operand"),
                ATTR_DICT,
                word(":"),
                type_of(&["operand", "result"]),
            ])
            .verify(|operation| {
                let when = operation.attribute("when").and_then(text);
                panic_if(when == Some("verify"), "verify");
                match when {
                    Some("refuse") => Err("was told to refuse".into()),
                    // One that no text can describe.
                    Some("odd") => std::panic::panic_any(17),
                    _ => Ok(()),
                }
            })
            .fold(|operation, _| {
                let when = text(operation.attribute("when")?)?;
                panic_if(when == "fold", "fold");
                match when {
                    "lie" => Some(Folded::Many(vec![])),
                    "nothing" => Some(Folded::Value(operation.operand(0))),
                    _ => None,
                }
            }),
        Op::new("infer", "Fails to infer.")
            .results(&[Slot::one("result", ANY)])
            .attributes(WHEN)
            .infer(|call| {
                let when = call.attribute("when").and_then(text);
                panic_if(when == Some("infer"), "infer");
                match when {
                    Some("refuse") => Err("was told to refuse".into()),
                    _ => Ok(vec![call.uniquer().f64().any()]),
                }
            }),
        Op::new("gather", "Has groups.")
            .operands(&[
                Slot::one("first", ANY),
                Slot::variadic("rest", ANY),
                Slot::one("last", ANY),
            ])
            .results(&[Slot::variadic("outs", ANY)])
            .attributes(&[
                OpAttribute::required("in", AttributeConstraint::I64),
                OpAttribute::optional("note", AttributeConstraint::ANY),
            ]),
        Op::new("sum", "Has a group and a form.")
            .operands(&[Slot::variadic("terms", ANY)])
            .results(&[Slot::one("result", ANY)])
            .assembly(&[
                word("("),
                operand("terms"),
                word(")"),
                ATTR_DICT,
                word(":"),
                type_of(&["result", "terms"]),
            ]),
    ]);

export_dialect!(FAULTY as mondoRegisterDialect_faulty);
