//! Operations without regions.

use mondo_dialect::assembly::{ATTR_DICT, Piece, attribute, operand, type_of, word};
use mondo_dialect::attributes::Int;
use mondo_dialect::types::Integer;
use mondo_dialect::{Attribute, AttributeConstraint, Folded, Op, OpAttribute, Slot, Trait};

use crate::types::ANY;

const INTEGER: AttributeConstraint =
    AttributeConstraint::new("an integer attribute", "", |attribute| {
        attribute.downcast::<Int>().is_some()
    });

pub(crate) const CONSTANT: Op = Op::new("constant", "An integer.")
    .attributes(&[OpAttribute::required("value", INTEGER)])
    .results(&[Slot::one("result", ANY)])
    .pure()
    .constant_like()
    .inlinable()
    .assembly(&[attribute("value"), ATTR_DICT])
    .infer(|call| {
        let value = call.attribute("value").and_then(Attribute::downcast::<Int>);
        Ok(vec![value.ok_or("has an integer")?.type_()])
    })
    .fold(|operation, _| operation.attribute("value").map(Folded::Constant));

const BINARY_FORM: &[Piece] = &[
    operand("lhs"),
    word(","),
    operand("rhs"),
    ATTR_DICT,
    word(":"),
    type_of(&["lhs", "rhs", "result"]),
];

pub(crate) const ADD: Op = Op::new("add", "A sum, which is folded.")
    .operands(&[Slot::one("lhs", ANY), Slot::one("rhs", ANY)])
    .results(&[Slot::one("result", ANY)])
    .traits(&[
        Trait::Pure,
        Trait::Commutative,
        Trait::SameOperandsAndResultType,
    ])
    .inlinable()
    .assembly(BINARY_FORM)
    .fold(|operation, constants| {
        let [Some(lhs), Some(rhs)] = constants else {
            return None;
        };
        let (lhs, rhs) = (lhs.downcast::<Int>()?, rhs.downcast::<Int>()?);
        let sum = i64::try_from(lhs.value().checked_add(rhs.value())?).ok()?;
        let ty = lhs.type_().downcast::<Integer>()?;
        Some(Folded::Constant(
            operation.uniquer().integer_attr(ty, sum).any(),
        ))
    });

const UNARY_FORM: &[Piece] = &[
    operand("operand"),
    ATTR_DICT,
    word(":"),
    type_of(&["operand", "result"]),
];

const ONE_OPERAND: &[Slot] = &[Slot::one("operand", ANY)];
const ONE_RESULT: &[Slot] = &[Slot::one("result", ANY)];

const fn unary(name: &'static str, summary: &'static str, traits: &'static [Trait]) -> Op {
    Op::new(name, summary)
        .operands(ONE_OPERAND)
        .results(ONE_RESULT)
        .traits(traits)
        .assembly(UNARY_FORM)
}

pub(crate) const ABS: Op = unary(
    "abs",
    "Changes nothing when it is applied again.",
    &[
        Trait::Pure,
        Trait::Idempotent,
        Trait::SameOperandsAndResultType,
    ],
);

pub(crate) const NOT: Op = unary(
    "not",
    "Gives the operand again when it is applied again.",
    &[
        Trait::Pure,
        Trait::Involution,
        Trait::SameOperandsAndResultType,
    ],
);

pub(crate) const CHECKED: Op = unary(
    "checked",
    "Has no effect, but may fail.",
    &[Trait::NoMemoryEffects, Trait::SameTypeOperands],
);
