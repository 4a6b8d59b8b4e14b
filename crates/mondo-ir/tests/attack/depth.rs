//! Depth: what a program nests without end, and MLIR follows by recursion.

use mondo_ir::{Context, Ctx, Ir, Module, Op, Walk, WalkOrder};

use crate::cases;

const DEEP: usize = 200_000;

fn with<R>(work: impl for<'ctx> FnOnce(Ctx<'ctx>, &mut Ir<'ctx>) -> R) -> R {
    let mut context = Context::new();
    context.allow_unregistered(true);
    context.enter(work)
}

/// So many modules in each other, built from the outside in.
fn nested<'ctx>(ctx: Ctx<'ctx>, ir: &Ir<'ctx>, levels: usize) -> Module<'ctx> {
    let module = Module::new(ctx, ctx.unknown());
    let mut block = module.body(ir);
    for _ in 1..levels {
        let inner = Module::new(ctx, ctx.unknown());
        let inner = block.append(inner.into_op()).unwrap();
        block = inner.region(0).unwrap().first().unwrap();
    }
    module
}

fn count(op: Op<'_, '_>, order: WalkOrder) -> usize {
    let mut count = 0;
    op.walk(order, |_| {
        count += 1;
        Walk::Advance
    });
    count
}

cases! {
    fn modules_in_modules() {
        with(|ctx, ir| {
            let module = nested(ctx, ir, DEEP);
            assert_eq!(count(module.op(ir), WalkOrder::Pre), DEEP);
            drop(module);
            assert_eq!(ir.collect(), 0);
        });
    }

    fn a_type_in_types() {
        with(|ctx, _| {
            let mut deep = ctx.i8().any();
            for _ in 0..DEEP {
                deep = ctx.tuple(&[deep]).any();
            }
            assert!(!deep.to_string().is_empty());
        });
    }
}
