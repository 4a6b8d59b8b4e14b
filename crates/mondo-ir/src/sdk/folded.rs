//! The results of folding an operation.

use crate::sdk::error::{Error, Result};
use crate::sdk::operation::{Operation, Value};
use crate::uniqued_handles::Attribute;

/// The attributes or values that replace the results of a folded operation.
///
/// ```
/// # use mondo_ir::{Attribute, sdk::Folded};
/// /// Folds to the first operand, if that is a constant.
/// fn fold<'ctx>(constants: &[Option<Attribute<'ctx>>]) -> Option<Folded<'ctx>> {
///     constants.first()?.map(Folded::Constant)
/// }
/// assert_eq!(fold(&[None]), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folded<'ctx> {
    /// The one result is this constant.
    Constant(Attribute<'ctx>),
    /// The one result is this value, which is there already.
    Value(Value<'ctx>),
    /// Each result is one of the two.
    Many(Vec<Folded<'ctx>>),
}

/// Checks that a fold gave one replacement for each result: MLIR does not check it.
pub(super) fn checked<'ctx>(
    operation: Operation<'ctx>,
    found: Folded<'ctx>,
) -> Result<Vec<Folded<'ctx>>> {
    let found = match found {
        Folded::Many(found) => found,
        one => vec![one],
    };
    let results = operation.results();
    if found.len() != results.len() {
        let (count, wanted) = (found.len(), results.len());
        return Err(Error::new(format!(
            "folds to {count} results, but has {wanted}"
        )));
    }
    for (one, result) in found.iter().zip(results) {
        match one {
            Folded::Value(value) if value.type_() != result.type_() => {
                let (is, wanted) = (value.type_(), result.type_());
                return Err(format!("of type '{wanted}' folds to a value of type '{is}'").into());
            }
            Folded::Many(_) => return Err("folds to a result that is several".into()),
            Folded::Value(_) | Folded::Constant(_) => {}
        }
    }
    Ok(found)
}
