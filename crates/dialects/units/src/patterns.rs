//! The patterns that canonicalization applies.

use mondo_dialect::Rewriter;
use mondo_dialect::ir::{Op, Result};

use crate::quantity::Quantity;

/// The operation of that name that gives the operand.
fn operand_from<'call, 'ctx>(
    op: Op<'call, 'ctx>,
    index: usize,
    name: &str,
) -> Option<Op<'call, 'ctx>> {
    op.operand(index)?
        .defining_op()
        .filter(|from| from.name() == name)
}

/// Replaces two conversions of a quantity in a row by one. The factors are exact, but each conversion rounds its
/// result. So the replacement is the same only if neither conversion rounds: each factor must be 1, 2, 4, and so on.
pub(crate) fn convert_of_convert<'call, 'ctx>(
    rewriter: &Rewriter<'call, 'ctx>,
    convert: Op<'call, 'ctx>,
) -> Result<bool> {
    let Some(inner) = operand_from(convert, 0, "units.convert") else {
        return Ok(false);
    };
    let (Some(from), Some(to)) = (inner.operand(0), convert.result(0)) else {
        return Ok(false);
    };
    let quantity =
        |value: mondo_dialect::ir::Value<'call, 'ctx>| value.type_().parameters::<Quantity>();
    let (Some(first), Some(middle), Some(last)) = (
        quantity(from),
        inner.result(0).and_then(quantity),
        quantity(to),
    ) else {
        return Ok(false);
    };
    let is_exact = |one: &Quantity, other: &Quantity| {
        one.unit
            .factor_to(other.unit)
            .is_some_and(|factor| factor.numerator().is_power_of_two() && factor.denominator() == 1)
    };
    if !is_exact(&first, &middle) || !is_exact(&middle, &last) {
        return Ok(false);
    }
    if from.type_() == to.type_() {
        rewriter.replace(&[from]);
        return Ok(true);
    }
    let once = rewriter.ir().build("units.convert", convert.location());
    let once = rewriter.insert(once.operand(from).result(to.type_()).finish()?);
    rewriter.replace(&once.results());
    Ok(true)
}

/// `a - (-b)` is `a + b`.
pub(crate) fn difference_to_negated<'call, 'ctx>(
    rewriter: &Rewriter<'call, 'ctx>,
    difference: Op<'call, 'ctx>,
) -> Result<bool> {
    let negated = operand_from(difference, 1, "units.neg").and_then(|inner| inner.operand(0));
    let (Some(left), Some(right)) = (difference.operand(0), negated) else {
        return Ok(false);
    };
    let sum = rewriter.ir().build("units.add", difference.location());
    let sum = rewriter.insert(sum.operands(&[left, right]).infer().finish()?);
    rewriter.replace(&sum.results());
    Ok(true)
}
