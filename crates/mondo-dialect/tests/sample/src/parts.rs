//! Attributes with defaults and cases, and groups.

use mondo_dialect::assembly::{
    ATTR_DICT, ATTRIBUTES, attribute, operand, region, type_of, types_of, when, word,
};
use mondo_dialect::{AttributeConstraint, Case, Enum, Op, OpAttribute, RegionSlot, Slot, Trait};

use crate::types::{ANY, I1};

const PREDICATE: Enum = Enum::new(
    "Predicate",
    "a predicate",
    &[Case::new("eq", 0), Case::new("lt", 1), Case::new("not", -3)],
);

pub(crate) const COMPARE: Op = Op::new("compare", "Compares two values.")
    .operands(&[
        Slot::one("lhs", ANY),
        Slot::optional("rhs", ANY),
        Slot::optional("mask", I1),
    ])
    .results(&[Slot::one("result", I1)])
    .attributes(&[
        OpAttribute::required("predicate", AttributeConstraint::enumeration(&PREDICATE)),
        OpAttribute::with_default("width", AttributeConstraint::I64, |uniquer| {
            uniquer.integer_attr(uniquer.i64(), 32).any()
        }),
        OpAttribute::optional("fast", AttributeConstraint::UNIT),
    ])
    .traits(&[Trait::Pure])
    .assembly(&[
        attribute("predicate"),
        when("fast", &[word("fast")]),
        operand("lhs"),
        word(":"),
        type_of(&["lhs"]),
        when(
            "rhs",
            &[word(","), operand("rhs"), word(":"), type_of(&["rhs"])],
        ),
        when("mask", &[word("if"), operand("mask")]),
        ATTR_DICT,
        word("->"),
        type_of(&["result", "mask"]),
    ]);

pub(crate) const GATHER: Op = Op::new("gather", "Has groups of results.")
    .results(&[
        Slot::variadic("first", ANY),
        Slot::optional("middle", ANY),
        Slot::variadic("last", ANY),
    ])
    .assembly(&[
        ATTR_DICT,
        word(":"),
        types_of("first"),
        word("|"),
        types_of("middle"),
        word("|"),
        types_of("last"),
    ]);

pub(crate) const SWITCH: Op = Op::new("switch", "Has any number of regions.")
    .operands(&[Slot::one("value", ANY)])
    .regions(&[RegionSlot::one("default"), RegionSlot::variadic("cases")])
    .traits(&[Trait::NoTerminator])
    .assembly(&[
        operand("value"),
        word(":"),
        type_of(&["value"]),
        ATTRIBUTES,
        region("default"),
        when("cases", &[word("case"), region("cases")]),
    ]);
