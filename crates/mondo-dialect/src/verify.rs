//! Checks an operation against its definition.

use mondo_ir::sdk::{Group, Operation, Result, Value, Verification};

use crate::custom_form::{OPERAND_SEGMENTS, RESULT_SEGMENTS, has_segments};
use crate::op::Op;
use crate::slots::Slot;

/// Checks the numbers and types of the parts, and then whatever the definition's own functions check.
pub(crate) fn operation(op: &Op, operation: Operation<'_>, when: Verification) -> Result<()> {
    match when {
        Verification::Parts => parts(op, operation),
        Verification::Whole => op.verify.map_or(Ok(()), |verify| verify(operation)),
        Verification::Regions => op.verify_regions.map_or(Ok(()), |verify| verify(operation)),
    }
}

fn parts(op: &Op, operation: Operation<'_>) -> Result<()> {
    values(
        "operand",
        op.operands,
        operation,
        OPERAND_SEGMENTS,
        &operation.operands(),
    )?;
    values(
        "result",
        op.results,
        operation,
        RESULT_SEGMENTS,
        &operation.results(),
    )?;
    for attribute in op.attributes {
        let (name, summary) = (attribute.name, attribute.constraint.summary);
        match operation.attribute(name) {
            None if attribute.optional => {}
            None => return Err(format!("requires attribute '{name}'").into()),
            Some(found) if attribute.constraint.allows(found) => {}
            Some(found) => {
                return Err(format!("attribute '{name}' must be {summary}, but is {found}").into());
            }
        }
    }
    let regions = op.regions.iter().map(|slot| slot.group);
    count("region", regions, operation.regions().len())?;
    let successors = op.successors.iter().map(|slot| slot.group);
    count("successor", successors, operation.successors().len())
}

/// Checks the number of things of which only the last group may have any number.
fn count(what: &str, groups: impl Iterator<Item = Group>, found: usize) -> Result<()> {
    let groups: Vec<_> = groups.collect();
    let fixed = groups.iter().filter(|group| !group.count.is_open()).count();
    let open = fixed < groups.len();
    if found < fixed || (!open && found > fixed) {
        let (least, plural) = (if open { "at least " } else { "" }, plural(fixed));
        return Err(format!("expects {least}{fixed} {what}{plural}, but has {found}").into());
    }
    Ok(())
}

fn values(
    what: &str,
    slots: &[Slot],
    operation: Operation<'_>,
    segments: &str,
    values: &[Value<'_>],
) -> Result<()> {
    let sizes = if has_segments(slots) {
        segment_sizes(what, slots, operation, segments, values.len())?
    } else {
        count(what, slots.iter().map(|slot| slot.group), values.len())?;
        let open = (values.len() + 1).saturating_sub(slots.len());
        let size = |slot: &Slot| if slot.group.count.is_open() { open } else { 1 };
        slots.iter().map(size).collect()
    };
    let mut first = 0;
    for (slot, size) in slots.iter().zip(sizes) {
        let name = slot.group.name;
        if !slot.group.count.allows(size) {
            return Err(format!("expects at most one {what} `{name}`, but has {size}").into());
        }
        for (index, value) in values.iter().enumerate().skip(first).take(size) {
            let ty = value.type_();
            if !(slot.constraint.accepts)(ty) {
                let summary = slot.constraint.summary;
                return Err(format!("{what} #{index} must be {summary}, but got '{ty}'").into());
            }
        }
        first += size;
    }
    Ok(())
}

/// The sizes that the attribute says, if they fit the values.
fn segment_sizes(
    what: &str,
    slots: &[Slot],
    operation: Operation<'_>,
    segments: &str,
    total: usize,
) -> Result<Vec<usize>> {
    let attribute = operation
        .attribute(segments)
        .and_then(mondo_ir::Attribute::downcast::<mondo_ir::attributes::I32Array>);
    let Some(attribute) = attribute else {
        return Err(format!("requires attribute '{segments}', an array of i32").into());
    };
    let sizes = attribute.values();
    if sizes.len() != slots.len() {
        let (found, wanted) = (sizes.len(), slots.len());
        return Err(format!("'{segments}' has {found} elements, but needs {wanted}").into());
    }
    let sizes: Option<Vec<_>> = sizes
        .iter()
        .map(|size| usize::try_from(*size).ok())
        .collect();
    let Some(sizes) = sizes else {
        return Err(format!("'{segments}' has a negative element").into());
    };
    for (slot, size) in slots.iter().zip(&sizes) {
        if !slot.group.count.is_open() && *size != 1 {
            let name = slot.group.name;
            return Err(
                format!("expects one {what} `{name}`, but '{segments}' says {size}").into(),
            );
        }
    }
    let sum: usize = sizes.iter().sum();
    if sum != total {
        return Err(format!("has {total} {what}s, but '{segments}' says {sum}").into());
    }
    Ok(sizes)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
