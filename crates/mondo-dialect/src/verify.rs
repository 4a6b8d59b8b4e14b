//! Checks an operation against its definition.

use mondo_ir::sdk::{Operation, Result, Value};

use crate::custom_form::group;
use crate::definition::{Op, Slot};

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
            let ty = values[index].type_();
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
