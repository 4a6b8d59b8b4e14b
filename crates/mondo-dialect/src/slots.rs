//! The parts that an operation is defined with: operands, results, attributes, regions and successors.

use mondo_ir::sdk::{Count, Group};
use mondo_ir::{Attribute, Uniquer};

use crate::constraints::{AttributeConstraint, TypeConstraint};

const fn group(name: &'static str, count: Count) -> Group {
    Group { name, count }
}

/// An operand or a result, or a row of them.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    pub(crate) group: Group,
    pub(crate) constraint: TypeConstraint,
}

impl Slot {
    const fn new(name: &'static str, count: Count, constraint: TypeConstraint) -> Self {
        Self {
            group: group(name, count),
            constraint,
        }
    }

    /// Exactly one.
    #[must_use]
    pub const fn one(name: &'static str, constraint: TypeConstraint) -> Self {
        Self::new(name, Count::One, constraint)
    }

    /// None or one.
    #[must_use]
    pub const fn optional(name: &'static str, constraint: TypeConstraint) -> Self {
        Self::new(name, Count::Optional, constraint)
    }

    /// Any number. If an operation has several groups of operands that are variadic or optional, its attribute
    /// `operandSegmentSizes` says how many values each of its groups has; for results it is `resultSegmentSizes`.
    #[must_use]
    pub const fn variadic(name: &'static str, constraint: TypeConstraint) -> Self {
        Self::new(name, Count::Variadic, constraint)
    }
}

/// A region, or a row of them.
#[derive(Debug, Clone, Copy)]
pub struct RegionSlot {
    pub(crate) group: Group,
}

impl RegionSlot {
    /// Exactly one, which may be empty.
    #[must_use]
    pub const fn one(name: &'static str) -> Self {
        Self {
            group: group(name, Count::One),
        }
    }

    /// Any number. Only the last group of an operation's regions may be this.
    #[must_use]
    pub const fn variadic(name: &'static str) -> Self {
        Self {
            group: group(name, Count::Variadic),
        }
    }
}

/// A successor, or a row of them.
#[derive(Debug, Clone, Copy)]
pub struct SuccessorSlot {
    pub(crate) group: Group,
}

impl SuccessorSlot {
    /// Exactly one.
    #[must_use]
    pub const fn one(name: &'static str) -> Self {
        Self {
            group: group(name, Count::One),
        }
    }

    /// Any number. Only the last group of an operation's successors may be this.
    #[must_use]
    pub const fn variadic(name: &'static str) -> Self {
        Self {
            group: group(name, Count::Variadic),
        }
    }
}

/// Makes the default of an attribute.
pub type Default = for<'c> fn(Uniquer<'c>) -> Attribute<'c>;

/// An attribute that an operation has by its definition. It is one of the operation's properties.
#[derive(Debug, Clone, Copy)]
pub struct OpAttribute {
    pub(crate) name: &'static str,
    pub(crate) constraint: AttributeConstraint,
    pub(crate) optional: bool,
    pub(crate) default: Option<Default>,
}

impl OpAttribute {
    /// One that must be there.
    #[must_use]
    pub const fn required(name: &'static str, constraint: AttributeConstraint) -> Self {
        Self {
            name,
            constraint,
            optional: false,
            default: None,
        }
    }

    /// One that may be left out.
    #[must_use]
    pub const fn optional(name: &'static str, constraint: AttributeConstraint) -> Self {
        Self {
            name,
            constraint,
            optional: true,
            default: None,
        }
    }

    /// One that is `default` if it is left out. The custom form does not have it then.
    #[must_use]
    pub const fn with_default(
        name: &'static str,
        constraint: AttributeConstraint,
        default: Default,
    ) -> Self {
        Self {
            name,
            constraint,
            optional: false,
            default: Some(default),
        }
    }
}
