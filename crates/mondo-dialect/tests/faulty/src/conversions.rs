//! Passes whose conversions fail, each in a way of its own.

use mondo_dialect::ir::{Cast, Conversion, Error, ErrorKind, Ir, Op, OwnedOp, Result};
use mondo_dialect::{Adaptor, Attribute, ConversionRewriter, Pass, Run};

/// A pass that converts by the function.
macro_rules! pass {
    ($name:literal, $summary:literal, $set_up:path) => {
        Pass::new(concat!("faulty-convert-", $name), $summary).converts($set_up)
    };
}

pub(crate) const ALL: &[Pass] = &[
    pass!("set-up", "Panics before it converts.", set_up),
    pass!("panic", "Has a pattern that panics.", panics),
    pass!("refuse", "Has a pattern that fails.", refuses),
    pass!("left", "Leaves an illegal operation.", leaves),
    pass!("endless", "Makes the operation that it converts.", endless),
    pass!("unchanged", "Has changed nothing.", unchanged),
    pass!("visited", "Erases what is visited.", erases_visited),
    pass!("around", "Erases what is around it.", erases_around),
    pass!("used", "Erases an operation that is used.", erases_used),
    pass!("inner", "Keeps a value of what it erases.", keeps_inner),
    pass!(
        "invalid",
        "Makes an operation that is not valid.",
        makes_invalid
    ),
    pass!(
        "itself",
        "Replaces an operation by its own result.",
        replaces_by_itself
    ),
    pass!(
        "count",
        "Replaces a result by nothing.",
        replaces_by_nothing
    ),
    pass!("top", "Erases the operation of the pass.", erases_top).on("func.func"),
    pass!(
        "region",
        "Moves a region that it does not have.",
        moves_foreign_region
    ),
    pass!("legal", "Panics when asked what is legal.", legal_panics),
    pass!("type", "Panics when it converts a type.", type_panics),
    pass!("no-type", "Converts a type to no type.", type_is_nothing),
    pass!("refuse-type", "Refuses to convert a type.", type_is_refused),
    pass!("no-cast", "Does not say how types are cast.", has_no_cast),
    pass!(
        "wrong-cast",
        "Makes something else than a cast.",
        makes_no_cast
    ),
    pass!("panic-cast", "Panics when it makes a cast.", cast_panics),
    Pass::new("faulty-convert-all", "Says nothing of an operation.").converts_fully(leaves_unknown),
];

/// A conversion in which `faulty.op` is illegal and has one pattern.
fn illegal<'ctx>(
    conversion: &mut Conversion<'ctx>,
    pattern: impl for<'a, 'call> Fn(
        &'a ConversionRewriter<'call, 'ctx>,
        Op<'call, 'ctx>,
        &'a Adaptor<'call, 'ctx>,
    ) -> Result<bool>
    + 'ctx,
) -> Result<()> {
    conversion.illegal("faulty.op");
    conversion.pattern("faulty.op", 1, pattern);
    Ok(())
}

/// A copy of the operation with another name or attribute.
fn copy<'call, 'ctx>(
    rewriter: &ConversionRewriter<'call, 'ctx>,
    op: Op<'call, 'ctx>,
    adaptor: &Adaptor<'call, 'ctx>,
    when: impl Into<Attribute<'ctx>>,
) -> Result<Op<'call, 'ctx>> {
    let copy = rewriter.ir().build("faulty.op", op.location());
    let copy = copy
        .operands(&adaptor.all())
        .result(op.results()[0].type_());
    Ok(rewriter.insert(copy.attribute("when", when).finish()?))
}

fn set_up<'ctx>(_: &Run<'_, 'ctx>, _: &mut Conversion<'ctx>) -> Result<()> {
    panic!("told to panic before a conversion")
}

fn panics<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |_, _, _| {
        panic!("told to panic in a conversion")
    })
}

fn refuses<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |_, _, _| {
        Err(Error::new(ErrorKind::Pass, "was told to refuse to convert"))
    })
}

fn leaves<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |_, _, _| Ok(false))
}

fn leaves_unknown<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    conversion.legal_dialects(&["func"]);
    Ok(())
}

fn endless<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |rewriter, op, adaptor| {
        let when = op.ctx().string_attr("again");
        rewriter.replace(&copy(rewriter, op, adaptor, when)?.results());
        Ok(true)
    })
}

fn unchanged<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |_, _, _| Ok(true))
}

fn erases_visited<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |_, op, _| op.erase().map(|()| true))
}

fn erases_around<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |_, op, _| {
        op.parent().map_or(Ok(()), Op::erase).map(|()| true)
    })
}

fn erases_used<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |rewriter, _, _| {
        rewriter.erase();
        Ok(true)
    })
}

fn keeps_inner<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    conversion.illegal("faulty.inside");
    conversion.pattern("faulty.inside", 1, |rewriter, op, _| {
        let inner = op.region(0).and_then(|region| region.first()?.first());
        if let Some(value) = inner.and_then(|inner| inner.result(0)) {
            let keep = rewriter.ir().build("faulty.sum", op.location());
            rewriter.insert(keep.operand(value).result(value.type_()).finish()?);
        }
        rewriter.erase();
        Ok(true)
    });
    Ok(())
}

fn makes_invalid<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |rewriter, op, adaptor| {
        let when = op.ctx().string_attr("refuse");
        rewriter.replace(&copy(rewriter, op, adaptor, when)?.results());
        Ok(true)
    })
}

fn replaces_by_itself<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |rewriter, op, _| {
        rewriter.replace(&op.results());
        Ok(true)
    })
}

fn replaces_by_nothing<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |rewriter, _, _| {
        rewriter.replace(&[]);
        Ok(true)
    })
}

fn erases_top<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    conversion.illegal("func.func");
    conversion.pattern("func.func", 1, |rewriter, _, _| {
        rewriter.erase();
        Ok(true)
    });
    Ok(())
}

fn moves_foreign_region<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    illegal(conversion, |rewriter, op, adaptor| {
        let new = rewriter
            .ir()
            .build("faulty.inside", op.location())
            .regions(1);
        let new = new.attribute("when", op.ctx().string_attr("fine"));
        let new = rewriter.insert(new.finish()?);
        let function = op.parent().and_then(|function| function.region(0));
        if let (Some(from), Some(to)) = (function, new.region(0)) {
            rewriter.move_region(from, to);
        }
        rewriter.replace(&adaptor.operands()?);
        Ok(true)
    })
}

fn legal_panics<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    conversion.dynamic("faulty.op", |_| panic!("told to panic about what is legal"));
    Ok(())
}

fn type_panics<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    conversion.convert_type(|_| panic!("told to panic in a type"));
    conversion.retype("func.func");
    Ok(())
}

fn type_is_nothing<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    conversion.convert_type(|_| Ok(Some(Vec::new())));
    conversion.retype("func.func");
    Ok(())
}

fn type_is_refused<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    conversion.convert_type(|_| Err(Error::new(ErrorKind::Form, "was told to refuse a type")));
    conversion.retype("func.func");
    Ok(())
}

/// Makes each f64 an f32 in functions, but not in what is in them.
fn narrow(conversion: &mut Conversion<'_>) {
    conversion.convert_type(|type_| {
        let ctx = type_.uniquer();
        Ok((type_ == ctx.f64()).then(|| vec![ctx.f32().any()]))
    });
    conversion.retype("func.func").retype("func.return");
}

fn has_no_cast<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    narrow(conversion);
    Ok(())
}

fn makes_no_cast<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    narrow(conversion);
    // MLIR asks for both in an order of its own.
    conversion.to_source(no_cast);
    conversion.to_target(no_cast);
    Ok(())
}

fn no_cast<'ctx>(ir: &Ir<'ctx>, cast: &Cast<'_, 'ctx>) -> Result<Option<OwnedOp<'ctx>>> {
    let wrong = ir.build("faulty.sum", cast.location);
    Ok(Some(wrong.result(cast.type_.uniquer().i32()).finish()?))
}

fn cast_panics<'ctx>(_: &Run<'_, 'ctx>, conversion: &mut Conversion<'ctx>) -> Result<()> {
    narrow(conversion);
    conversion.to_source(|_, _| panic!("told to panic in a cast"));
    conversion.to_target(|_, _| panic!("told to panic in a cast"));
    Ok(())
}
