//! The patterns that canonicalization applies.

use mondo_dialect::Rewriter;
use mondo_dialect::ir::{Op, Result, Value};

use crate::types::number;

/// The number of a constant.
fn constant(value: Option<Value<'_, '_>>) -> Option<i64> {
    let from = value?
        .defining_op()
        .filter(|op| op.name() == "tarn.constant")?;
    number(from.attribute("value"))
}

/// `(x + 1) + 2` is `x + 3`. The sum of the constants wraps around, as all sums do.
pub(crate) fn sum_of_sum<'call, 'ctx>(
    rewriter: &Rewriter<'call, 'ctx>,
    sum: Op<'call, 'ctx>,
) -> Result<bool> {
    let inner = sum.operand(0).and_then(Value::defining_op);
    let Some(inner) = inner.filter(|inner| inner.name() == "tarn.add") else {
        return Ok(false);
    };
    let (Some(first), Some(second), Some(left)) = (
        constant(inner.operand(1)),
        constant(sum.operand(1)),
        inner.operand(0),
    ) else {
        return Ok(false);
    };
    let (ir, ctx) = (rewriter.ir(), sum.ctx());
    let both = ctx.integer_attr(ctx.i64(), first.wrapping_add(second));
    let both = ir
        .build("tarn.constant", sum.location())
        .attribute("value", both);
    let both = rewriter.insert(both.infer().finish()?);
    let new = ir
        .build("tarn.add", sum.location())
        .operand(left)
        .operands(&both.results());
    let new = rewriter.insert(new.infer().finish()?);
    rewriter.replace(&new.results());
    Ok(true)
}

/// `(a < b) != 0` is `a < b`.
pub(crate) fn compared_again<'call, 'ctx>(
    rewriter: &Rewriter<'call, 'ctx>,
    compare: Op<'call, 'ctx>,
) -> Result<bool> {
    const NOT_EQUAL: i64 = 1;
    let inner = compare.operand(0).filter(|left| {
        let from = left.defining_op();
        from.is_some_and(|from| from.name() == "tarn.compare")
    });
    let is_not_zero = number(compare.attribute("predicate")) == Some(NOT_EQUAL)
        && constant(compare.operand(1)) == Some(0);
    let Some(inner) = inner.filter(|_| is_not_zero) else {
        return Ok(false);
    };
    rewriter.replace(&[inner]);
    Ok(true)
}
