//! Checks an operation against its definition.

use crate::custom_form::group;
use crate::definition::{Op, Slot};
use crate::error::{Error, Result};
use crate::fold::Folded;
use crate::ir::{Operation, Value};

/// Checks the numbers and types of operands and results, the attributes, and then whatever the
/// definition's own function checks.
pub(crate) fn operation(op: &Op, operation: Operation<'_>) -> Result<()> {
    values("operand", op.operands, &operation.operands())?;
    values("result", op.results, &operation.results())?;
    for attribute in op.attributes {
        let (name, summary) = (attribute.name, attribute.constraint.summary);
        match operation.attribute(name) {
            None if attribute.optional => {}
            None => return Err(format!("requires attribute '{name}'").into()),
            Some(found) if (attribute.constraint.accepts)(found) => {}
            Some(found) => {
                return Err(format!("attribute '{name}' must be {summary}, but is {found}").into());
            }
        }
    }
    op.verify.map_or(Ok(()), |verify| verify(operation))
}

fn values(what: &str, slots: &[Slot], values: &[Value<'_>]) -> Result<()> {
    let variadic = slots.iter().any(|slot| slot.variadic);
    let fixed = slots.len() - usize::from(variadic);
    if values.len() < fixed || (!variadic && values.len() > fixed) {
        let (least, plural) = (if variadic { "at least " } else { "" }, plural(fixed));
        let found = values.len();
        return Err(format!("expects {least}{fixed} {what}{plural}, but has {found}").into());
    }
    for slot in slots {
        for index in group(slots, slot.name, values.len()) {
            let ty = values[index].ty();
            if !(slot.constraint.accepts)(ty) {
                let summary = slot.constraint.summary;
                return Err(format!("{what} #{index} must be {summary}, but got '{ty}'").into());
            }
        }
    }
    Ok(())
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Checks that a fold gave one replacement for each result: MLIR does not check it.
pub(crate) fn folded<'c>(operation: Operation<'c>, found: Folded<'c>) -> Result<Vec<Folded<'c>>> {
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
            Folded::Value(value) if value.ty() != result.ty() => {
                let (is, wanted) = (value.ty(), result.ty());
                return Err(format!("of type '{wanted}' folds to a value of type '{is}'").into());
            }
            Folded::Many(_) => return Err("folds to a result that is several".into()),
            Folded::Value(_) | Folded::Constant(_) => {}
        }
    }
    Ok(found)
}
