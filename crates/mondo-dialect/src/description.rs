//! The description of a dialect that its Python classes are made from.
//!
//! While a dialect crate is compiled, the definitions are written as JSON into the section
//! [`SECTION`] of its object file, where the build finds them without running anything. One line
//! is one dialect; several crates' lines follow one another. The linked library keeps the section: a
//! few kilobytes that say which dialects it has.
//!
//! A line is an object with these keys, all of them always there:
//!
//! ```text
//! mondo-dialect   1, the version of this format
//! name            the dialect's name, e.g. "units"
//! summary         what it is, as one or more sentences
//! types           array of { name, summary }: "q" for `!units.q`
//! attributes      array of { name, summary }: "value" for `#units.value`
//! operations      array of objects:
//!   name            without the dialect's, e.g. "add"
//!   summary         what it does
//!   operands        array of { name, summary, count }
//!   results         array of { name, summary, count }
//!   attributes      array of { name, summary, builder, enum, optional, default }
//!   regions         array of { name, count }
//!   successors      array of { name, count }
//!   infers          whether the types of the results follow from the rest
//! enums           array of { name, summary, cases: array of { name, value } }, without repetitions
//! ```
//!
//! `count` is `one`, `optional` or `variadic`. `enum` names an enumeration, or is empty; `default` says that an attribute
//! that is left out has a default. `builder` is the name of the Python function that makes the attribute of a
//! plain value (MLIR's `AttrBuilder`), or empty. `summary` of an operand or attribute completes
//! "must be …".

use mondo_ir::sdk::{Count, Group};

use crate::assembly::same;
use crate::constraints::Enum;
use crate::definition::Dialect;
use crate::op::Op;
use crate::slots::{OpAttribute, Slot};

/// The section of the object file that has the descriptions.
pub const SECTION: &str = ".mondo.dialect";

/// The length of what [`text`] writes for `dialect`.
#[must_use]
pub const fn length(dialect: &Dialect) -> usize {
    Writer::<0>::new().dialect(dialect).length
}

/// The description of `dialect`, one line of JSON; `N` is [`length`] of the same dialect.
#[must_use]
pub const fn text<const N: usize>(dialect: &Dialect) -> [u8; N] {
    let writer = Writer::<N>::new().dialect(dialect);
    assert!(
        writer.length == N,
        "the buffer is as long as the description"
    );
    writer.buffer
}

/// Writes JSON into a buffer, and counts what does not fit.
struct Writer<const N: usize> {
    buffer: [u8; N],
    length: usize,
}

impl<const N: usize> Writer<N> {
    const fn new() -> Self {
        Self {
            buffer: [0; N],
            length: 0,
        }
    }

    const fn byte(mut self, byte: u8) -> Self {
        if self.length < N {
            self.buffer[self.length] = byte;
        }
        self.length += 1;
        self
    }

    const fn raw(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut index = 0;
        while index < bytes.len() {
            self = self.byte(bytes[index]);
            index += 1;
        }
        self
    }

    const fn string(mut self, text: &str) -> Self {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let bytes = text.as_bytes();
        let mut index = 0;
        self = self.byte(b'"');
        while index < bytes.len() {
            let byte = bytes[index];
            self = match byte {
                b'"' | b'\\' => self.byte(b'\\').byte(byte),
                // Control characters; what is above ASCII is UTF-8, as JSON is.
                0..0x20 => self
                    .raw("\\u00")
                    .byte(HEX[(byte >> 4) as usize])
                    .byte(HEX[(byte & 15) as usize]),
                _ => self.byte(byte),
            };
            index += 1;
        }
        self.byte(b'"')
    }

    const fn bool(self, value: bool) -> Self {
        self.raw(if value { "true" } else { "false" })
    }

    const fn named(self, name: &str, summary: &str) -> Self {
        self.raw("{\"name\":")
            .string(name)
            .raw(",\"summary\":")
            .string(summary)
    }

    const fn comma_unless_first(self, index: usize) -> Self {
        if index == 0 { self } else { self.byte(b',') }
    }

    const fn slots(mut self, slots: &[Slot]) -> Self {
        let mut index = 0;
        while index < slots.len() {
            let Slot { group, constraint } = &slots[index];
            self = self
                .comma_unless_first(index)
                .named(group.name, constraint.summary)
                .raw(",\"count\":\"")
                .raw(word(group.count))
                .raw("\"}");
            index += 1;
        }
        self
    }

    const fn op_attributes(mut self, attributes: &[OpAttribute]) -> Self {
        let mut index = 0;
        while index < attributes.len() {
            let OpAttribute {
                name,
                constraint,
                optional,
                default,
            } = &attributes[index];
            let cases = match constraint.cases {
                Some(cases) => cases.name,
                None => "",
            };
            self = self
                .comma_unless_first(index)
                .named(name, constraint.summary)
                .raw(",\"builder\":")
                .string(constraint.builder)
                .raw(",\"enum\":")
                .string(cases)
                .raw(",\"optional\":")
                .bool(*optional)
                .raw(",\"default\":")
                .bool(default.is_some())
                .byte(b'}');
            index += 1;
        }
        self
    }

    const fn group(self, index: usize, group: &Group) -> Self {
        self.comma_unless_first(index)
            .raw("{\"name\":")
            .string(group.name)
            .raw(",\"count\":\"")
            .raw(word(group.count))
            .raw("\"}")
    }

    const fn regions(mut self, op: &Op) -> Self {
        let mut index = 0;
        while index < op.regions.len() {
            self = self.group(index, &op.regions[index].group);
            index += 1;
        }
        self
    }

    const fn successors(mut self, op: &Op) -> Self {
        let mut index = 0;
        while index < op.successors.len() {
            self = self.group(index, &op.successors[index].group);
            index += 1;
        }
        self
    }

    /// The enumerations of the dialect's attributes, each once.
    const fn enums(mut self, dialect: &Dialect) -> Self {
        let (mut op, mut written) = (0, 0);
        while op < dialect.operations.len() {
            let attributes = dialect.operations[op].attributes;
            let mut at = 0;
            while at < attributes.len() {
                if let Some(cases) = attributes[at].constraint.cases
                    && is_first(dialect, op, at, cases.name)
                {
                    self = self.enumeration(written, cases);
                    written += 1;
                }
                at += 1;
            }
            op += 1;
        }
        self
    }

    const fn enumeration(mut self, index: usize, cases: &Enum) -> Self {
        self = self
            .comma_unless_first(index)
            .named(cases.name, cases.summary)
            .raw(",\"cases\":[");
        let mut at = 0;
        while at < cases.cases.len() {
            self = self
                .comma_unless_first(at)
                .raw("{\"name\":")
                .string(cases.cases[at].name)
                .raw(",\"value\":")
                .number(cases.cases[at].value)
                .byte(b'}');
            at += 1;
        }
        self.raw("]}")
    }

    const fn number(mut self, value: i32) -> Self {
        if value < 0 {
            self = self.byte(b'-');
        }
        let magnitude = value.unsigned_abs();
        let mut scale = 1;
        while magnitude / scale >= 10 {
            scale *= 10;
        }
        while scale > 0 {
            self = self.byte(b'0' + (magnitude / scale % 10) as u8);
            scale /= 10;
        }
        self
    }

    const fn op(self, op: &Op) -> Self {
        self.named(op.name, op.summary)
            .raw(",\"operands\":[")
            .slots(op.operands)
            .raw("],\"results\":[")
            .slots(op.results)
            .raw("],\"attributes\":[")
            .op_attributes(op.attributes)
            .raw("],\"regions\":[")
            .regions(op)
            .raw("],\"successors\":[")
            .successors(op)
            .raw("],\"infers\":")
            .bool(op.infer.is_some())
            .byte(b'}')
    }

    const fn dialect(mut self, dialect: &Dialect) -> Self {
        self = self.raw("{\"mondo-dialect\":1,\"name\":");
        self = self.string(dialect.name);
        self = self.raw(",\"summary\":").string(dialect.summary);
        self = self.raw(",\"types\":[");
        let mut index = 0;
        while index < dialect.types.len() {
            let codec = &dialect.types[index].codec;
            self = self
                .comma_unless_first(index)
                .named(codec.name, codec.summary)
                .byte(b'}');
            index += 1;
        }
        self = self.raw("],\"attributes\":[");
        index = 0;
        while index < dialect.attributes.len() {
            let codec = &dialect.attributes[index].codec;
            self = self
                .comma_unless_first(index)
                .named(codec.name, codec.summary)
                .byte(b'}');
            index += 1;
        }
        self = self.raw("],\"operations\":[");
        index = 0;
        while index < dialect.operations.len() {
            self = self
                .comma_unless_first(index)
                .op(&dialect.operations[index]);
            index += 1;
        }
        self.raw("],\"enums\":[").enums(dialect).raw("]}\n")
    }
}

const fn word(count: Count) -> &'static str {
    match count {
        Count::One => "one",
        Count::Optional => "optional",
        Count::Variadic => "variadic",
    }
}

/// Returns true if no attribute before this one has an enumeration of that name.
const fn is_first(dialect: &Dialect, op: usize, attribute: usize, name: &str) -> bool {
    let mut before = 0;
    while before <= op {
        let attributes = dialect.operations[before].attributes;
        let end = if before == op {
            attribute
        } else {
            attributes.len()
        };
        let mut at = 0;
        while at < end {
            if let Some(cases) = attributes[at].constraint.cases
                && same(cases.name, name)
            {
                return false;
            }
            at += 1;
        }
        before += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::{AttributeConstraint, Case, TypeConstraint};
    use crate::slots::{RegionSlot, SuccessorSlot};
    use mondo_ir::sdk::Trait;

    const SUMMARY: &str = "With \"quotes\", a \\ and\ntwo lines: 5 µm.";
    // Only its description is in the test: the functions of constraints need MLIR.
    const SAMPLE: Dialect = Dialect::new("sample", SUMMARY).operations(&[
        Op::new("nothing", ""),
        Op::new("much", "All there is.")
            .operands(&[
                Slot::one("first", TypeConstraint::ANY),
                Slot::variadic("rest", TypeConstraint::ANY),
            ])
            .results(&[Slot::one("result", TypeConstraint::ANY)])
            .attributes(&[
                OpAttribute::required("value", AttributeConstraint::F64),
                OpAttribute::optional("note", AttributeConstraint::STRING),
                OpAttribute::with_default("way", WAY, |_| unreachable!()),
                OpAttribute::required("back", WAY),
            ])
            .traits(&[Trait::Terminator])
            .regions(&[RegionSlot::one("body"), RegionSlot::variadic("others")])
            .successors(&[SuccessorSlot::one("next")])
            .infer(|_| Ok(Vec::new())),
    ]);
    const WAY: AttributeConstraint = AttributeConstraint::enumeration(&Enum::new(
        "Way",
        "a way",
        &[Case::new("up", 10), Case::new("down", -305)],
    ));
    static TEXT: [u8; length(&SAMPLE)] = text(&SAMPLE);

    #[test]
    fn a_description_is_one_line_of_json_that_says_what_was_defined() {
        let text = std::str::from_utf8(&TEXT).unwrap();
        assert_eq!(text.matches('\n').count(), 1);
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(value["mondo-dialect"], 1);
        assert_eq!(value["name"], "sample");
        assert_eq!(value["summary"], SUMMARY);
        assert_eq!(value["types"], serde_json::json!([]));
        let much = &value["operations"][1];
        assert_eq!(much["infers"], true);
        assert_eq!(
            much["operands"][1],
            serde_json::json!({"name": "rest", "summary": "any type", "count": "variadic"})
        );
        assert_eq!(much["attributes"][0]["builder"], "F64Attr");
        assert_eq!(much["attributes"][1]["optional"], true);
        assert_eq!(much["attributes"][1]["default"], false);
        assert_eq!(much["attributes"][2]["default"], true);
        assert_eq!(much["attributes"][2]["enum"], "Way");
        assert_eq!(
            much["regions"][1],
            serde_json::json!({"name": "others", "count": "variadic"})
        );
        assert_eq!(much["successors"][0]["name"], "next");
        let cases =
            serde_json::json!([{"name": "up", "value": 10}, {"name": "down", "value": -305}]);
        assert_eq!(
            value["enums"],
            serde_json::json!([{"name": "Way", "summary": "a way", "cases": cases}])
        );
        assert_eq!(value["operations"][0]["results"], serde_json::json!([]));
    }
}
