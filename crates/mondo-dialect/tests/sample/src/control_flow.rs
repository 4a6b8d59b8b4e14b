//! Branches, loops and regions.

use mondo_dialect::assembly::{
    ATTR_DICT, ATTRIBUTES, operand, region, successor, type_of, types_of, when, word,
};
use mondo_dialect::{Op, Region, RegionSlot, Slot, SuccessorSlot, Trait, TypeConstraint, Way};

use crate::types::{ANY, I1};

const INDEX: TypeConstraint = TypeConstraint::new("an index", |ty| ty == ty.uniquer().index());

pub(crate) const BR: Op = Op::new("br", "Goes to a block.")
    .operands(&[Slot::variadic("operands", ANY)])
    .successors(&[SuccessorSlot::one("next")])
    .traits(&[Trait::Terminator, Trait::Pure])
    .branches(&["operands"])
    .assembly(&[
        successor("next"),
        when(
            "operands",
            &[
                word("("),
                operand("operands"),
                word(":"),
                types_of("operands"),
                word(")"),
            ],
        ),
        ATTR_DICT,
    ]);

pub(crate) const COND_BR: Op = Op::new("cond_br", "Goes to one of two blocks.")
    .operands(&[
        Slot::one("condition", I1),
        Slot::variadic("yes_operands", ANY),
        Slot::variadic("no_operands", ANY),
    ])
    .successors(&[SuccessorSlot::one("yes"), SuccessorSlot::one("no")])
    .traits(&[Trait::Terminator, Trait::Pure])
    .branches(&["yes_operands", "no_operands"])
    .assembly(&[
        operand("condition"),
        word(":"),
        type_of(&["condition"]),
        word(","),
        successor("yes"),
        when(
            "yes_operands",
            &[
                word("("),
                operand("yes_operands"),
                word(":"),
                types_of("yes_operands"),
                word(")"),
            ],
        ),
        word(","),
        successor("no"),
        when(
            "no_operands",
            &[
                word("("),
                operand("no_operands"),
                word(":"),
                types_of("no_operands"),
                word(")"),
            ],
        ),
        ATTR_DICT,
    ]);

pub(crate) const IF: Op = Op::new("if", "Runs one of two regions.")
    .operands(&[Slot::one("condition", I1)])
    .results(&[Slot::variadic("outs", ANY)])
    .regions(&[RegionSlot::one("yes"), RegionSlot::one("no")])
    .traits(&[
        Trait::SingleBlock,
        Trait::NoRegionArguments,
        Trait::RecursiveMemoryEffects,
        Trait::RecursivelySpeculatable,
    ])
    .implicit_terminator("yield")
    .flow(&[
        Way::into("yes"),
        Way::into("no"),
        Way::out_of("yes"),
        Way::out_of("no"),
    ])
    .assembly(&[
        operand("condition"),
        word(":"),
        type_of(&["condition"]),
        when("outs", &[word("->"), types_of("outs")]),
        ATTRIBUTES,
        region("yes"),
        when("no", &[word("else"), region("no")]),
    ]);

pub(crate) const REPEAT: Op = Op::new("repeat", "Runs a region so many times.")
    .operands(&[Slot::one("times", INDEX), Slot::variadic("inits", ANY)])
    .results(&[Slot::variadic("outs", ANY)])
    .regions(&[RegionSlot::one("body")])
    .traits(&[Trait::SingleBlock, Trait::RecursiveMemoryEffects])
    .implicit_terminator("yield")
    .flow(&[
        Way::into("body").with("inits").behind(1),
        Way::past().with("inits"),
        Way::between("body", "body").behind(1),
        Way::out_of("body"),
    ])
    .loops_with(1, "inits")
    .assembly(&[
        operand("times"),
        word(":"),
        type_of(&["times"]),
        when(
            "inits",
            &[word("from"), operand("inits"), word(":"), types_of("inits")],
        ),
        when("outs", &[word("->"), types_of("outs")]),
        ATTRIBUTES,
        region("body"),
    ])
    .verify_regions(|operation| {
        let entry = operation.region(0).and_then(Region::entry);
        let arguments = entry.ok_or("has a body")?.arguments();
        let index = operation.uniquer().index();
        if arguments.first().is_none_or(|first| first.type_() != index) {
            return Err("has a body whose first argument is an index".into());
        }
        Ok(())
    });

pub(crate) const YIELD: Op = Op::new("yield", "Ends a region.")
    .operands(&[Slot::variadic("operands", ANY)])
    .traits(&[Trait::Terminator, Trait::ReturnLike, Trait::Pure])
    .assembly(&[
        operand("operands"),
        ATTR_DICT,
        when("operands", &[word(":"), types_of("operands")]),
    ]);

pub(crate) const GRAPH: Op = Op::new("graph", "Has operations without order.")
    .regions(&[RegionSlot::one("body")])
    .traits(&[Trait::GraphRegion, Trait::SingleBlock, Trait::NoTerminator])
    .assembly(&[ATTRIBUTES, region("body")]);

pub(crate) const STRICT: Op = Op::new("strict", "Has a block with a terminator.")
    .regions(&[RegionSlot::one("body")])
    .traits(&[Trait::SingleBlock])
    .assembly(&[ATTRIBUTES, region("body")]);

pub(crate) const RAW: Op = Op::new("raw", "Has a region of which nothing is known.")
    .regions(&[RegionSlot::one("body")])
    .assembly(&[ATTRIBUTES, region("body")]);
