//! Functions, calls and scopes of symbols.

use mondo_dialect::assembly::{
    ATTR_DICT, ATTRIBUTES, attribute, operand, region, symbol_name, types_of, when, word,
};
use mondo_dialect::{AttributeConstraint, Op, OpAttribute, RegionSlot, Slot, Trait};

use crate::types::ANY;

pub(crate) const SCOPE: Op = Op::new("scope", "Symbols.")
    .regions(&[RegionSlot::one("body")])
    .traits(&[
        Trait::SymbolTable,
        Trait::IsolatedFromAbove,
        Trait::SingleBlock,
        Trait::NoTerminator,
        Trait::NoRegionArguments,
    ])
    .assembly(&[ATTRIBUTES, region("body")]);

pub(crate) const FUNC: Op = Op::new("func", "A function.")
    .attributes(&[
        OpAttribute::required("sym_name", AttributeConstraint::STRING),
        OpAttribute::required("function_type", AttributeConstraint::FUNCTION_TYPE),
        OpAttribute::optional("sym_visibility", AttributeConstraint::STRING),
    ])
    .regions(&[RegionSlot::one("body")])
    .traits(&[
        Trait::Symbol,
        Trait::IsolatedFromAbove,
        Trait::AutomaticAllocationScope,
        Trait::AffineScope,
    ])
    .function("function_type")
    .inlinable()
    .assembly(&[
        symbol_name("sym_name"),
        attribute("function_type"),
        when(
            "sym_visibility",
            &[word("visible"), attribute("sym_visibility")],
        ),
        ATTRIBUTES,
        region("body"),
    ]);

pub(crate) const CALL: Op = Op::new("call", "Calls a function.")
    .attributes(&[OpAttribute::required("callee", AttributeConstraint::SYMBOL)])
    .operands(&[Slot::variadic("arguments", ANY)])
    .results(&[Slot::variadic("results", ANY)])
    .calls("callee", "arguments")
    .inlinable()
    .assembly(&[
        attribute("callee"),
        word("("),
        operand("arguments"),
        word(")"),
        ATTR_DICT,
        word(":"),
        word("("),
        types_of("arguments"),
        word(")"),
        word("->"),
        word("("),
        types_of("results"),
        word(")"),
    ]);

pub(crate) const CALL_VALUE: Op = Op::new("call_value", "Calls a value.")
    .operands(&[Slot::one("callee", ANY), Slot::variadic("arguments", ANY)])
    .results(&[Slot::variadic("results", ANY)])
    .calls_value("callee", "arguments");

pub(crate) const RETURN: Op = Op::new("return", "Ends a function.")
    .operands(&[Slot::variadic("operands", ANY)])
    .traits(&[Trait::Terminator, Trait::ReturnLike, Trait::Pure])
    .inlinable()
    .assembly(&[
        operand("operands"),
        ATTR_DICT,
        when("operands", &[word(":"), types_of("operands")]),
    ]);
