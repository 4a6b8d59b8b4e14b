//! Checks of an operation's definition while the crate is compiled.

use mondo_ir::sdk::Trait;

use crate::assembly::{Piece, same};
use crate::interfaces::{self, attribute};
use crate::op::Op;
use crate::slots::Slot;
use crate::storage;

/// The most attributes that MLIR has place for in an operation.
const MOST_ATTRIBUTES: usize = 250;

/// Refuses a definition that contradicts itself.
pub(crate) const fn check_op(op: &Op) {
    assert!(
        op.attributes.len() <= MOST_ATTRIBUTES,
        "an operation has at most 250 attributes"
    );
    let mut index = 0;
    while index + 1 < op.regions.len() {
        assert!(
            !op.regions[index].group.count.is_open(),
            "only the last group of regions may be variadic"
        );
        index += 1;
    }
    index = 0;
    while index + 1 < op.successors.len() {
        assert!(
            !op.successors[index].group.count.is_open(),
            "only the last group of successors may be variadic"
        );
        index += 1;
    }
    assert!(
        op.successors.is_empty() || op.has(Trait::Terminator),
        "an operation with successors has `Trait::Terminator`"
    );
    assert!(
        !op.has(Trait::Symbol) || attribute(op, "sym_name").is_some(),
        "a symbol has an attribute `sym_name`"
    );
    assert!(
        !op.has(Trait::SymbolTable) || op.regions.len() == 1,
        "a symbol table has one region"
    );
    assert!(
        !(op.has(Trait::Idempotent) || op.has(Trait::Involution))
            || (op.results.len() == 1 && op.operands.len() == 1),
        "an idempotent operation or an involution has one operand and one result"
    );
    interfaces::check(op);
    storage::check(op);
    if let Some(pieces) = op.assembly {
        check_form(op, pieces);
    }
}

/// What a form has to have a piece for.
#[derive(Clone, Copy)]
enum Part {
    Operand,
    Type,
    Region,
    Successor,
    Dictionary,
}

const fn has(pieces: &[Piece], part: Part, name: &str) -> bool {
    let mut index = 0;
    while index < pieces.len() {
        let found = match (&pieces[index], part) {
            (Piece::Operand(other), Part::Operand)
            | (Piece::TypesOf(other), Part::Type)
            | (Piece::Region(other), Part::Region)
            | (Piece::Successor(other), Part::Successor) => same(name, other),
            (Piece::TypeOf(names), Part::Type) => contains(names, name),
            (Piece::AttrDict | Piece::Attributes, Part::Dictionary) => true,
            (Piece::When(_, inner), _) => has(inner, part, name),
            _ => false,
        };
        if found {
            return true;
        }
        index += 1;
    }
    false
}

const fn contains(names: &[&str], name: &str) -> bool {
    let mut index = 0;
    while index < names.len() {
        if same(name, names[index]) {
            return true;
        }
        index += 1;
    }
    false
}

const fn open_groups(slots: &[Slot]) -> usize {
    let (mut index, mut open) = (0, 0);
    while index < slots.len() {
        open += slots[index].group.count.is_open() as usize;
        index += 1;
    }
    open
}

/// Refuses a form that does not determine the operation.
const fn check_form(op: &Op, pieces: &[Piece]) {
    assert!(
        has(pieces, Part::Dictionary, ""),
        "a custom form without ATTR_DICT or ATTRIBUTES loses attributes"
    );
    check_when(pieces);
    let mut index = 0;
    while index < op.operands.len() {
        let name = op.operands[index].group.name;
        assert!(
            has(pieces, Part::Operand, name),
            "an operand is missing in the custom form"
        );
        assert!(
            has(pieces, Part::Type, name),
            "an operand's type is missing in the custom form"
        );
        index += 1;
    }
    index = 0;
    while index < op.results.len() {
        assert!(
            op.infer.is_some() || has(pieces, Part::Type, op.results[index].group.name),
            "a result's type is missing in the custom form, and not inferred either"
        );
        index += 1;
    }
    assert!(
        op.infer.is_none() || open_groups(op.results) < 2,
        "inference does not say how many results each of several groups has"
    );
    index = 0;
    while index < op.regions.len() {
        assert!(
            has(pieces, Part::Region, op.regions[index].group.name),
            "a region is missing in the custom form"
        );
        index += 1;
    }
    index = 0;
    while index < op.successors.len() {
        assert!(
            has(pieces, Part::Successor, op.successors[index].group.name),
            "a successor is missing in the custom form"
        );
        index += 1;
    }
}

const fn check_when(pieces: &[Piece]) {
    let mut index = 0;
    while index < pieces.len() {
        if let Piece::When(_, inner) = &pieces[index] {
            assert!(
                !inner.is_empty() && matches!(inner[0], Piece::Word(_)),
                "the pieces of `when` begin with a word"
            );
            check_when(inner);
        }
        index += 1;
    }
}
