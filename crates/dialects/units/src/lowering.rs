//! The lowering: quantities become their numbers, and operations those of `arith` and `math`.

use mondo_dialect::ir::types::{Float, MemRef};
use mondo_dialect::ir::{Conversion, Error, ErrorKind, Op, Result};
use mondo_dialect::{Adaptor, Attribute, ConversionRewriter, Pass, PassOption, Run, Type};

use crate::quantity::{Quantity, Value};

pub(crate) const PASSES: &[Pass] = &[Pass::new(
    "units-lower",
    "Makes numbers of quantities, and operations of `arith` and `math`.",
)
.options(&[PassOption::flag(
    "roots",
    "Lowers square roots, which need the dialect `math`.",
    true,
)])
.converts(lower)];

/// Operations of other dialects that may have quantities, and do the same with numbers.
const RETYPED: &[&str] = &[
    "func.func",
    "func.call",
    "func.return",
    "memref.alloc",
    "memref.alloca",
    "memref.dealloc",
    "memref.load",
    "memref.store",
    "scf.condition",
    "scf.for",
    "scf.if",
    "scf.while",
    "scf.yield",
    "cf.br",
    "cf.cond_br",
    "arith.select",
];

fn lower<'ctx>(run: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    conversion
        .illegal_dialects(&["units"])
        .legal_dialects(&["arith", "math"])
        .convert_type(|type_| {
            let ctx = type_.uniquer();
            if let Some(quantity) = type_.parameters::<Quantity>() {
                return Ok(Some(vec![quantity.element.type_(ctx)]));
            }
            let Some(memref) = type_.downcast::<MemRef>() else {
                return Ok(None);
            };
            let (Some(quantity), Some(shape)) =
                (memref.element().parameters::<Quantity>(), memref.shape())
            else {
                return Ok(None);
            };
            // Layouts and memory spaces stay with what has them.
            if ctx.memref(&shape, memref.element(), None)? != type_ {
                let message = format!("'{type_}' has a layout or a memory space");
                return Err(Error::new(ErrorKind::Form, message));
            }
            let numbers = ctx.memref(&shape, quantity.element.type_(ctx), None)?;
            Ok(Some(vec![numbers.any()]))
        });
    for name in RETYPED {
        conversion.retype(name);
    }
    for (from, to) in [
        ("units.add", "arith.addf"),
        ("units.sub", "arith.subf"),
        ("units.mul", "arith.mulf"),
        ("units.div", "arith.divf"),
        ("units.neg", "arith.negf"),
    ] {
        conversion.pattern(from, 1, move |rewriter, op, adaptor| {
            renamed(rewriter, op, adaptor, to)
        });
    }
    if run.flag("roots") {
        conversion.pattern("units.sqrt", 1, |rewriter, op, adaptor| {
            renamed(rewriter, op, adaptor, "math.sqrt")
        });
    }
    conversion.pattern("units.constant", 1, |rewriter, op, _| {
        let value = op
            .attribute("value")
            .and_then(Attribute::parameters::<Value>);
        let Some(value) = value else {
            return Ok(false);
        };
        let type_ = value.quantity.element.type_(*op.ctx());
        let number = number(rewriter, op, type_, value.magnitude)?;
        rewriter.replace(&number.results());
        Ok(true)
    });
    conversion.pattern("units.convert", 1, convert);
    Ok(())
}

/// The operation of that name on numbers.
fn renamed<'call, 'ctx>(
    rewriter: &ConversionRewriter<'call, 'ctx>,
    op: Op<'call, 'ctx>,
    adaptor: &Adaptor<'call, 'ctx>,
    name: &str,
) -> Result<bool> {
    let new = rewriter.ir().build(name, op.location());
    let new = new.operands(&adaptor.operands()?).infer().finish()?;
    let new = rewriter.insert(new);
    rewriter.replace(&new.results());
    Ok(true)
}

/// A constant number.
fn number<'call, 'ctx>(
    rewriter: &ConversionRewriter<'call, 'ctx>,
    op: Op<'call, 'ctx>,
    type_: Type<'ctx>,
    value: f64,
) -> Result<Op<'call, 'ctx>> {
    let value = op.ctx().float_attr(type_.cast::<Float>()?, value);
    let new = rewriter.ir().build("arith.constant", op.location());
    Ok(rewriter.insert(new.attribute("value", value).infer().finish()?))
}

/// Multiplies by the numerator of the factor, and divides by its denominator. Each step rounds, so that the number may differ
/// in its last digit from that of a constant, which is exact.
fn convert<'call, 'ctx>(
    rewriter: &ConversionRewriter<'call, 'ctx>,
    op: Op<'call, 'ctx>,
    adaptor: &Adaptor<'call, 'ctx>,
) -> Result<bool> {
    let quantity = |value: Option<mondo_dialect::ir::Value<'call, 'ctx>>| {
        value.and_then(|value| value.type_().parameters::<Quantity>())
    };
    let (Some(from), Some(to)) = (quantity(op.operand(0)), quantity(op.result(0))) else {
        return Ok(false);
    };
    let (Some(factor), Some(mut value)) = (from.unit.factor_to(to.unit), adaptor.operand(0)) else {
        return Ok(false);
    };
    for (name, part) in [
        ("arith.mulf", factor.numerator()),
        ("arith.divf", factor.denominator()),
    ] {
        if part == 1 {
            continue;
        }
        let part = number(rewriter, op, value.type_(), part as f64)?;
        let new = rewriter.ir().build(name, op.location());
        let new = new.operand(value).operands(&part.results());
        let new = rewriter.insert(new.infer().finish()?);
        value = new.results()[0];
    }
    rewriter.replace(&[value]);
    Ok(true)
}
