//! What an operation folds to.

use crate::ir::{Attribute, Value};

/// What stands for the results of a folded operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folded<'c> {
    /// The one result is this constant.
    Constant(Attribute<'c>),
    /// The one result is this value, which is there already.
    Value(Value<'c>),
    /// Each result is one of the two.
    Many(Vec<Folded<'c>>),
}
