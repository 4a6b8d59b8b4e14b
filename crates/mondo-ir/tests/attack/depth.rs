//! Depth: what a program nests without end, and MLIR follows by recursion.

use mondo_ir::{
    AffineExpr, Attribute, Context, Ctx, ErrorKind, Ir, Location, Module, Op, OwnPass, PassManager,
    Patterns, Result, SymbolTable, Type, Walk, WalkOrder,
};

use crate::cases;

/// Ten times what may be, so that each recursion that is left ends the process.
const DEEP: usize = 30_000;
/// The levels that regions may have, and those that types, attributes and expressions may have.
const REGIONS: usize = 1000;
const PARTS: usize = 3000;

fn with<R>(work: impl for<'ctx> FnOnce(Ctx<'ctx>, &mut Ir<'ctx>) -> R) -> R {
    let mut context = Context::new();
    context.allow_unregistered(true);
    context.enter(work)
}

fn kind<T>(outcome: Result<T>) -> Option<ErrorKind> {
    outcome.err().map(|error| error.kind())
}

/// Modules in each other, built from the outside in.
fn nested<'ctx>(ctx: Ctx<'ctx>, ir: &Ir<'ctx>, levels: usize) -> Module<'ctx> {
    let module = Module::new(ctx, ctx.unknown());
    let mut block = module.body(ir);
    for _ in 0..levels {
        let inner = Module::new(ctx, ctx.unknown());
        let inner = block.append(inner.into_op()).unwrap();
        block = inner.region(0).unwrap().first().unwrap();
    }
    module
}

/// Modules in each other, built from the inside out.
fn wrapped<'ctx>(ctx: Ctx<'ctx>, ir: &Ir<'ctx>, levels: usize) -> Module<'ctx> {
    let mut module = Module::new(ctx, ctx.unknown());
    for _ in 0..levels {
        let outer = Module::new(ctx, ctx.unknown());
        outer.body(ir).append(module.into_op()).unwrap();
        module = outer;
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

/// Every call that hands a tree to MLIR refuses it.
fn is_refused<'ctx>(ctx: Ctx<'ctx>, ir: &mut Ir<'ctx>, module: &Module<'ctx>) {
    let op = module.op(ir);
    assert_eq!(kind(op.verify()), Some(ErrorKind::Structure));
    assert_eq!(
        kind(op.print(&mondo_ir::PrintFlags::new())),
        Some(ErrorKind::Structure)
    );
    assert_eq!(kind(op.to_bytecode(None)), Some(ErrorKind::Structure));
    assert_eq!(kind(op.duplicate()), Some(ErrorKind::Structure));
    assert_eq!(kind(SymbolTable::of(op)), Some(ErrorKind::Cast));
    assert_eq!(
        kind(op.replace_symbol("a", "b")),
        Some(ErrorKind::Structure)
    );
    assert!(op.to_string().contains("deeper than 1000 levels"), "{op}");
    let inner = module.body(ir).first().unwrap();
    assert!(inner.to_string().contains("deeper than 1000 levels"));
    let mut passes = PassManager::parse(ctx, "any(canonicalize)").unwrap();
    assert_eq!(
        kind(passes.run(ir, module.owner())),
        Some(ErrorKind::Structure)
    );
    let patterns = Patterns::new();
    assert_eq!(
        kind(patterns.apply(ir, module.owner())),
        Some(ErrorKind::Structure)
    );
    assert!(module.to_llvm_ir(ir).is_err());
}

/// All that can be made of uniqued things is refused, and printing one says why.
fn is_no_part<'ctx>(
    ctx: Ctx<'ctx>,
    ir: &Ir<'ctx>,
    type_: Option<Type<'ctx>>,
    attribute: Attribute<'ctx>,
    location: Option<Location<'ctx>>,
) {
    let form = Some(ErrorKind::Form);
    let place = ctx.unknown();
    let op = ir
        .build("test.op", place)
        .result(ctx.i8())
        .regions(1)
        .finish()
        .unwrap();
    let region = op.op(ir).region(0).unwrap();
    let block = region.append_block(&[]).unwrap();
    let mut texts = vec![attribute.to_string()];
    assert_eq!(kind(op.op(ir).set_attribute("a", attribute)), form);
    assert_eq!(
        kind(
            ir.build("test.op", place)
                .attribute("a", attribute)
                .finish()
        ),
        form
    );
    if let Some(type_) = type_ {
        texts.push(type_.to_string());
        assert_eq!(
            kind(ir.build("test.op", place).result(type_).finish()),
            form
        );
        assert_eq!(kind(op.op(ir).result(0).unwrap().set_type(type_)), form);
        assert_eq!(kind(block.add_argument(type_, place)), form);
        assert_eq!(kind(region.append_block(&[(type_, place)])), form);
    }
    if let Some(location) = location {
        texts.push(location.to_string());
        assert_eq!(kind(ir.build("test.op", location).finish()), form);
        assert_eq!(kind(op.op(ir).set_location(location)), form);
        assert_eq!(kind(block.add_argument(ctx.i8(), location)), form);
        assert_eq!(
            kind(region.append_block(&[(ctx.i8().any(), location)])),
            form
        );
        let ((), diagnostics) = ctx.capture(|| location.emit_error(c"not today"));
        assert_eq!(diagnostics.len(), 1);
    }
    for text in texts {
        assert_eq!(
            text,
            "<nested deeper than 3000 levels, or of more than 2^28 parts>"
        );
    }
}

cases! {
    fn modules_in_modules() {
        with(|ctx, ir| {
            let module = nested(ctx, ir, DEEP);
            assert_eq!(count(module.op(ir), WalkOrder::Pre), DEEP + 1);
            is_refused(ctx, ir, &module);
            drop(module);
            assert_eq!(ir.collect(), 0);
        });
    }

    fn modules_around_modules() {
        with(|ctx, ir| {
            let module = wrapped(ctx, ir, DEEP);
            assert_eq!(count(module.op(ir), WalkOrder::Post), DEEP + 1);
            is_refused(ctx, ir, &module);
            let inner = module.body(ir).first().unwrap().detach().unwrap();
            drop(module);
            assert_eq!(ir.collect(), 0);
            drop(inner);
        });
    }

    /// One level more is refused; at the limit MLIR's recursion is no problem.
    fn the_limit_of_regions() {
        with(|ctx, ir| {
            let module = nested(ctx, ir, REGIONS + 1);
            is_refused(ctx, ir, &module);
            let module = nested(ctx, ir, REGIONS);
            let op = module.op(ir);
            assert_eq!(op.to_string().matches("module").count(), REGIONS + 1);
            op.to_bytecode(None).unwrap();
            let copy = op.duplicate().unwrap();
            let mut passes = PassManager::parse(ctx, "any(canonicalize,cse)").unwrap();
            passes.run(ir, &copy).unwrap();
            Patterns::new().apply(ir, &copy).unwrap();
        });
    }

    /// A closure builds the depth, in the tree that MLIR works on and in another.
    fn depth_in_a_pass() {
        for way in 0..3 {
            with(|ctx, ir| {
                let module = nested(ctx, ir, 2);
                let other = Module::new(ctx, ctx.unknown());
                let mut passes = PassManager::on(ctx, "builtin.module");
                passes.add_own(OwnPass::new("nests", move |ir, op| {
                    let ctx = op.ctx();
                    let mut block = op.region(0).unwrap().first().unwrap();
                    if way == 1 {
                        block = other.body(ir);
                    }
                    if way == 2 {
                        let inner = wrapped(ctx, ir, DEEP);
                        return block.append(inner.into_op()).map(drop);
                    }
                    for _ in 0..DEEP {
                        let inner = Module::new(ctx, ctx.unknown()).into_op();
                        block = block.append(inner)?.region(0).unwrap().first().unwrap();
                    }
                    Ok(())
                }));
                passes.add("canonicalize").unwrap();
                let outcome = passes.run(ir, module.owner());
                assert_eq!(kind(outcome), Some(ErrorKind::Structure), "{way}");
            });
        }
    }

    fn depth_in_a_pattern() {
        with(|ctx, ir| {
            let module = Module::parse(ctx, "\"test.a\"() : () -> ()").unwrap();
            let mut patterns = Patterns::new();
            patterns.add("test.a", 1, |rewriter, op| {
                let inner = wrapped(op.ctx(), rewriter.ir(), 900);
                let mut last = inner.op(rewriter.ir());
                last.walk(WalkOrder::Pre, |op| {
                    last = op;
                    Walk::Advance
                });
                let again = rewriter.ir().build("test.a", op.location()).finish()?;
                last.region(0).unwrap().first().unwrap().append(again)?;
                rewriter.insert(inner.into_op());
                rewriter.erase();
                Ok(true)
            });
            let outcome = patterns.apply(ir, module.owner());
            assert_eq!(kind(outcome), Some(ErrorKind::Structure));
        });
    }

    fn types() {
        with(|ctx, ir| {
            let deep = (0..DEEP).fold(ctx.i8().any(), |inner, _| ctx.tuple(&[inner]).any());
            is_no_part(ctx, ir, Some(deep), ctx.type_attr(deep).any(), None);
            let function = (0..DEEP).fold(ctx.i8().any(), |inner, _| {
                ctx.function(&[inner], &[]).any()
            });
            is_no_part(ctx, ir, Some(function), ctx.type_attr(function).any(), None);
            let most = (0..PARTS - 1).fold(ctx.i8().any(), |inner, _| ctx.tuple(&[inner]).any());
            let op = ir.build("test.op", ctx.unknown()).result(most);
            let op = op.finish().unwrap();
            assert!(op.op(ir).to_string().len() > PARTS);
            op.op(ir).to_bytecode(None).unwrap();
        });
    }

    fn attributes() {
        with(|ctx, ir| {
            let deep = (0..DEEP).fold(ctx.unit().any(), |inner, _| ctx.array(&[inner]).any());
            is_no_part(ctx, ir, None, deep, None);
            let deep = (0..DEEP).fold(ctx.unit().any(), |inner, _| {
                ctx.dictionary(&[("a", inner)]).unwrap().any()
            });
            is_no_part(ctx, ir, None, deep, None);
        });
    }

    fn locations() {
        with(|ctx, ir| {
            type Nest = for<'ctx> fn(Ctx<'ctx>, Location<'ctx>) -> Location<'ctx>;
            let ways: [Nest; 4] = [
                |ctx, inner| ctx.named("a", Some(inner)),
                |ctx, inner| ctx.call_site(inner, ctx.file("a", 1, 1)),
                |ctx, inner| ctx.call_site(ctx.file("a", 1, 1), inner),
                // MLIR makes one of fused locations in each other, unless they have metadata.
                |ctx, inner| ctx.fused(&[ctx.file("a", 1, 1)], Some(inner.attribute())),
            ];
            for way in ways {
                let deep = (0..DEEP).fold(ctx.file("b", 1, 1), |inner, _| way(ctx, inner));
                is_no_part(ctx, ir, None, deep.attribute(), Some(deep));
            }
        });
    }

    fn affine_expressions() {
        with(|ctx, ir| {
            type Nest = for<'ctx> fn(AffineExpr<'ctx>, AffineExpr<'ctx>) -> Result<AffineExpr<'ctx>>;
            let ways: [Nest; 5] = [
                |one, other| one.plus(other),
                |one, other| one.times(other),
                |one, other| one.modulo(other),
                |one, other| one.floor_div(other),
                |one, other| one.ceil_div(other),
            ];
            for way in ways {
                let mut deep = ctx.dimension(0);
                let (mut levels, mut lower) = (0, deep);
                let outcome = loop {
                    // Otherwise MLIR finds something simpler.
                    match way(deep, ctx.symbol(levels % 2)) {
                        Ok(next) => (lower, deep) = (deep, next),
                        error => break error,
                    }
                    levels += 1;
                };
                assert_eq!(kind(outcome), Some(ErrorKind::Form));
                assert_eq!(levels, PARTS as u32);
                assert!(deep.to_string().len() > PARTS);
                assert!(deep.has_dimension(0) && !deep.has_dimension(1));
                // The attribute is a level, too.
                let with = |expression| {
                    let map = ctx.map(1, 2, &[expression]).unwrap();
                    let op = ir.build("test.op", ctx.unknown());
                    op.attribute("a", map.attribute()).finish()
                };
                assert_eq!(kind(with(deep)), Some(ErrorKind::Form));
                let op = with(lower).unwrap();
                assert!(op.op(ir).to_string().len() > PARTS);
                let _ = deep.simplified(1, 2);
            }
        });
    }

    /// Each level prints twice what the one below it does.
    fn paths_through_shared_parts() {
        with(|ctx, _| {
            let doubled = |inner, _| ctx.tuple(&[inner, inner]).any();
            let wide = (0..26).fold(ctx.i8().any(), doubled);
            assert!(!wide.is_too_deep());
            assert!((0..200).fold(wide, doubled).is_too_deep());
        });
    }
}
