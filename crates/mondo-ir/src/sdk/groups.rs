//! Groups of operands, results, regions and successors.

use mondo_sys::{MondoSdkCount, MondoSdkOne, MondoSdkOptional, MondoSdkVariadic};

/// How many values, regions or successors a group has.
///
/// ```
/// # use mondo_ir::sdk::Count;
/// assert!(!Count::One.is_open() && Count::Optional.is_open() && Count::Variadic.is_open());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

impl Count {
    /// Returns true if the number is not known from the definition.
    pub const fn is_open(self) -> bool {
        !matches!(self, Self::One)
    }

    /// Returns true if a group may have so many.
    ///
    /// ```
    /// # use mondo_ir::sdk::Count;
    /// assert!(Count::Optional.allows(0) && !Count::Optional.allows(2) && !Count::One.allows(0));
    /// ```
    pub const fn allows(self, number: usize) -> bool {
        match self {
            Self::One => number == 1,
            Self::Optional => number <= 1,
            Self::Variadic => true,
        }
    }

    pub(super) fn raw(self) -> MondoSdkCount {
        match self {
            Self::One => MondoSdkOne,
            Self::Optional => MondoSdkOptional,
            Self::Variadic => MondoSdkVariadic,
        }
    }
}

/// A group of operands, results, regions or successors.
///
/// ```
/// # use mondo_ir::sdk::{Count, Group};
/// const INITS: Group = Group { name: "inits", count: Count::Variadic };
/// assert!(INITS.count.is_open());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// The name in the definition.
    pub name: &'static str,
    /// How many it has.
    pub count: Count,
}
