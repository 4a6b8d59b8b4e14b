//! The results of folding an operation.

use crate::ir::{Attribute, Value};

/// The attributes or values that replace the results of a folded operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folded<'c> {
    /// The one result is this constant.
    Constant(Attribute<'c>),
    /// The one result is this value, which is there already.
    Value(Value<'c>),
    /// Each result is one of the two.
    Many(Vec<Folded<'c>>),
}
