//! The definition of an operation.

use mondo_ir::sdk::{Call, Folded, Operation, Pattern, Result, Trait};
use mondo_ir::{Attribute, Type};

use crate::assembly::Piece;
use crate::flow::Flow;
use crate::slots::{OpAttribute, RegionSlot, Slot, SuccessorSlot};

/// Checks an operation whose operands, results and attributes are as defined.
pub type Verify = for<'c> fn(Operation<'c>) -> Result<()>;
/// Says what an operation's results are, given those operands that are constants.
pub type Fold = for<'c> fn(Operation<'c>, &[Option<Attribute<'c>>]) -> Option<Folded<'c>>;
/// Says which types the results have.
pub type Infer = for<'c> fn(&Call<'c>) -> Result<Vec<Type<'c>>>;

/// An operation of a dialect.
#[derive(Debug, Clone, Copy)]
pub struct Op {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) operands: &'static [Slot],
    pub(crate) results: &'static [Slot],
    pub(crate) attributes: &'static [OpAttribute],
    pub(crate) regions: &'static [RegionSlot],
    pub(crate) successors: &'static [SuccessorSlot],
    pub(crate) traits: &'static [Trait],
    pub(crate) pure: bool,
    pub(crate) commutative: bool,
    pub(crate) constant_like: bool,
    pub(crate) inlinable: bool,
    pub(crate) terminator: Option<&'static str>,
    pub(crate) flow: Flow,
    pub(crate) assembly: Option<&'static [Piece]>,
    pub(crate) verify: Option<Verify>,
    pub(crate) verify_regions: Option<Verify>,
    pub(crate) fold: Option<Fold>,
    pub(crate) infer: Option<Infer>,
    pub(crate) patterns: &'static [Pattern],
}

impl Op {
    /// An operation without operands, results and attributes. `name` is without the dialect's.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            summary,
            operands: &[],
            results: &[],
            attributes: &[],
            regions: &[],
            successors: &[],
            traits: &[],
            pure: false,
            commutative: false,
            constant_like: false,
            inlinable: false,
            terminator: None,
            flow: Flow::NONE,
            assembly: None,
            verify: None,
            verify_regions: None,
            fold: None,
            infer: None,
            patterns: &[],
        }
    }

    /// The operands.
    #[must_use]
    pub const fn operands(mut self, operands: &'static [Slot]) -> Self {
        self.operands = operands;
        self
    }

    /// The results.
    #[must_use]
    pub const fn results(mut self, results: &'static [Slot]) -> Self {
        self.results = results;
        self
    }

    /// The attributes.
    #[must_use]
    pub const fn attributes(mut self, attributes: &'static [OpAttribute]) -> Self {
        self.attributes = attributes;
        self
    }

    /// The regions.
    #[must_use]
    pub const fn regions(mut self, regions: &'static [RegionSlot]) -> Self {
        self.regions = regions;
        self
    }

    /// The successors. An operation with successors is a terminator, too.
    #[must_use]
    pub const fn successors(mut self, successors: &'static [SuccessorSlot]) -> Self {
        self.successors = successors;
        self
    }

    /// The traits that MLIR's passes ask for.
    #[must_use]
    pub const fn traits(mut self, traits: &'static [Trait]) -> Self {
        self.traits = traits;
        self
    }

    /// Sets the operation of the same dialect, without operands, that ends a block of the regions where the custom form has
    /// no terminator.
    #[must_use]
    pub const fn implicit_terminator(mut self, operation: &'static str) -> Self {
        self.terminator = Some(operation);
        self
    }

    /// Says that the operation may be moved into the place of a call, with the function that it is in.
    #[must_use]
    pub const fn inlinable(mut self) -> Self {
        self.inlinable = true;
        self
    }

    /// Says that the operation has no effect but its results and may be moved anywhere.
    #[must_use]
    pub const fn pure(mut self) -> Self {
        self.pure = true;
        self
    }

    /// Says that the order of the operands does not matter.
    #[must_use]
    pub const fn commutative(mut self) -> Self {
        self.commutative = true;
        self
    }

    /// Says that the operation is a constant: it has no operands and folds to an attribute.
    #[must_use]
    pub const fn constant_like(mut self) -> Self {
        self.constant_like = true;
        self
    }

    /// Sets the custom form; [`crate::assembly`] has the pieces. Without it there is only
    /// the generic form.
    #[must_use]
    pub const fn assembly(mut self, pieces: &'static [Piece]) -> Self {
        self.assembly = Some(pieces);
        self
    }

    /// Checks what the definition alone cannot say.
    #[must_use]
    pub const fn verify(mut self, verify: Verify) -> Self {
        self.verify = Some(verify);
        self
    }

    /// Checks the operation once more, when everything in its regions is valid.
    #[must_use]
    pub const fn verify_regions(mut self, verify: Verify) -> Self {
        self.verify_regions = Some(verify);
        self
    }

    /// Folds the operation.
    #[must_use]
    pub const fn fold(mut self, fold: Fold) -> Self {
        self.fold = Some(fold);
        self
    }

    /// The patterns by which canonicalization rewrites the operation.
    #[must_use]
    pub const fn canonicalize(mut self, patterns: &'static [Pattern]) -> Self {
        self.patterns = patterns;
        self
    }

    /// Infers the results' types, so that a builder need not give them; an operation whose results
    /// have other types is refused.
    #[must_use]
    pub const fn infer(mut self, infer: Infer) -> Self {
        self.infer = Some(infer);
        self
    }

    pub(crate) const fn has(&self, wanted: Trait) -> bool {
        let mut index = 0;
        while index < self.traits.len() {
            if self.traits[index].is(wanted) {
                return true;
            }
            index += 1;
        }
        false
    }
}
