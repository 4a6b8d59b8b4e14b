//! The types that operands and results may have.

use mondo_dialect::TypeConstraint;

pub(crate) const ANY: TypeConstraint = TypeConstraint::ANY;
pub(crate) const I1: TypeConstraint = TypeConstraint::new("a bit", |ty| ty == ty.uniquer().i1());
