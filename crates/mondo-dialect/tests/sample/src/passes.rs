//! Passes: one that does its work itself, and one made of patterns.

use mondo_dialect::ir::{Block, Op, Region, Result, Walk, WalkOrder};
use mondo_dialect::{Pass, PassOption, Pattern, Rewriter, Run, Statistic};

pub(crate) const ALL: &[Pass] = &[
    Pass::new(
        "sample-mark",
        "Gives each operation of the dialect an attribute.",
    )
    .on("func.func")
    .options(&[
        PassOption::text("name", "The name of the attribute.", "mark"),
        PassOption::integer("number", "Its value.", 1),
        PassOption::flag("all", "Marks all operations.", false),
    ])
    .statistics(&[Statistic::new(
        "marked",
        "The number of operations that got it.",
    )])
    .run(mark),
    Pass::new("sample-lower", "Makes operations of `arith`.").patterns(&[
        Pattern::new("sample.constant", lower_constant),
        Pattern::new("sample.add", lower_add).with_benefit(2),
    ]),
    Pass::new(
        "sample-unwrap",
        "Puts the regions of `sample.strict` in its place, from the inside out.",
    )
    .run(unwrap),
];

fn mark(run: &Run<'_, '_>) -> Result<()> {
    let mut found = Vec::new();
    run.op().walk(WalkOrder::Pre, |op| {
        if run.flag("all") || op.name().starts_with("sample.") {
            found.push(op);
        }
        Walk::Advance
    });
    let ctx = run.op().ctx();
    for op in &found {
        let number = ctx.integer_attr(ctx.i64(), run.integer("number"));
        op.set_attribute(&run.text("name"), number)?;
    }
    run.count("marked", found.len() as u64);
    Ok(())
}

fn lower_constant<'call, 'ctx>(
    rewriter: &Rewriter<'call, 'ctx>,
    constant: Op<'call, 'ctx>,
) -> Result<bool> {
    let Some(value) = constant.attribute("value") else {
        return Ok(false);
    };
    let new = rewriter.ir().build("arith.constant", constant.location());
    let new = rewriter.insert(new.attribute("value", value).infer().finish()?);
    rewriter.replace(&new.results());
    Ok(true)
}

fn lower_add<'call, 'ctx>(rewriter: &Rewriter<'call, 'ctx>, sum: Op<'call, 'ctx>) -> Result<bool> {
    let new = rewriter.ir().build("arith.addi", sum.location());
    let new = rewriter.insert(new.operands(&sum.operands()).infer().finish()?);
    rewriter.replace(&new.results());
    Ok(true)
}

fn unwrap(run: &Run<'_, '_>) -> Result<()> {
    let mut found = Vec::new();
    run.op().walk(WalkOrder::Post, |op| {
        if op.name() == "sample.strict" {
            found.push(op);
        }
        Walk::Advance
    });
    for op in found {
        let inner = op.region(0).and_then(Region::first);
        for one in inner.into_iter().flat_map(Block::operations) {
            if one.name() != "sample.yield" {
                op.insert_before(one.detach()?)?;
            }
        }
        op.erase()?;
    }
    Ok(())
}
