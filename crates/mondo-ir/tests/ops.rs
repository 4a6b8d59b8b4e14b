//! Typed operations of several dialects: built, verified, viewed, and refused where something is missing.

use mondo_ir::ops::{arith, cf, func, memref, scf, tensor, vector};
use mondo_ir::{Block, Context, Ctx, ErrorKind, Ir, Module, OwnedOp, Result, Value};

/// A function with arguments of these types, and its entry.
fn function<'ctx>(ctx: Ctx<'ctx>, arguments: &str) -> Result<Module<'ctx>> {
    ctx.load_all();
    Module::parse(
        ctx,
        &format!("func.func @f({arguments}) {{ llvm.unreachable }}"),
    )
}

fn entry<'call, 'ctx>(module: &Module<'ctx>, ir: &'call Ir<'ctx>) -> Result<Block<'call, 'ctx>> {
    let function = module.body(ir).first().unwrap().cast::<func::Func>()?;
    let entry = function.body().first().unwrap();
    entry.first().unwrap().erase()?;
    Ok(entry)
}

fn arguments<'call, 'ctx>(block: Block<'call, 'ctx>) -> Vec<Value<'call, 'ctx>> {
    (0..).map_while(|index| block.argument(index)).collect()
}

#[test]
fn a_loop_with_a_branch_is_built_and_read() -> Result<()> {
    Context::new().enter(|ctx, ir| {
        let module = function(ctx, "%n: index, %x: i32")?;
        let entry = entry(&module, ir)?;
        let (n, x) = (arguments(entry)[0], arguments(entry)[1]);
        let zero = arith::constant(ir, ctx.integer_attr(ctx.index(), 0)).at_end(entry)?;
        let each = scf::for_(ir, &[ctx.i32().any()], zero.result(), n, n, &[x]).at_end(entry)?;
        let body = each.region().append_block(&[
            (ctx.index().any(), ctx.unknown()),
            (ctx.i32().any(), ctx.unknown()),
        ])?;
        let sum = arith::addi(ir, arguments(body)[1], x)
            .overflow_flags(arith::IntegerOverflowFlags::NSW | arith::IntegerOverflowFlags::NUW)
            .at_end(body)?;
        scf::yield_(ir, &[sum.result()]).at_end(body)?;
        func::return_(ir, &[]).at_end(entry)?;
        module.op(ir).verify()?;

        assert_eq!(
            (each.lower_bound(), each.init_args()),
            (zero.result(), &[x][..])
        );
        assert_eq!(each.results().len(), 1);
        let flags = sum.overflow_flags().unwrap();
        assert!(flags.contains(arith::IntegerOverflowFlags::NUW));
        let text = module.op(ir).to_string();
        assert!(
            text.contains("arith.addi %arg3, %arg1 overflow<nsw, nuw> : i32"),
            "{text}"
        );
        Ok(())
    })
}

#[test]
fn segments_are_written_and_read() -> Result<()> {
    Context::new().enter(|ctx, ir| {
        let module = function(ctx, "%c: i1, %x: i32, %size: index, %m: memref<?x?xf32>")?;
        let entry = entry(&module, ir)?;
        let values = arguments(entry);
        let (c, x, size) = (values[0], values[1], values[2]);
        let space = ctx.parse_type("memref<?x?xf32>")?;
        let memory = memref::alloc(ir, space, &[size, size], &[]).at_end(entry)?;
        assert_eq!(
            (memory.dynamic_sizes().len(), memory.symbol_operands().len()),
            (2, 0)
        );

        let parent = entry.parent().unwrap().region(0).unwrap();
        let [yes, no] = [&[(ctx.i32().any(), ctx.unknown())][..], &[]]
            .map(|arguments| parent.append_block(arguments).unwrap());
        let jump = cf::cond_br(ir, c, &[x], &[], yes, no).at_end(entry)?;
        for block in [yes, no] {
            func::return_(ir, &[]).at_end(block)?;
        }
        module.op(ir).verify()?;
        let jump = jump.op().cast::<cf::CondBr>()?;
        assert_eq!((jump.condition(), jump.true_dest_operands()), (c, &[x][..]));
        assert_eq!(
            (jump.false_dest_operands(), jump.true_dest()),
            (&[][..], yes)
        );
        assert_eq!(jump.branch_weights(), None);

        // Values that were read stay what they were.
        jump.op().erase()?;
        assert_eq!(jump.condition(), c);
        assert_eq!(
            jump.op().cast::<cf::CondBr>().unwrap_err().kind(),
            ErrorKind::Cast
        );
        Ok(())
    })
}

#[test]
fn enumerations_of_each_form_are_kept() -> Result<()> {
    Context::new().enter(|ctx, ir| {
        let module = function(
            ctx,
            "%v: vector<4xf32>, %a: f32, %b: f32, %t: tensor<?xf32>",
        )?;
        let entry = entry(&module, ir)?;
        let values = arguments(entry);
        let (v, a, b, t) = (values[0], values[1], values[2], values[3]);
        let sum = vector::reduction(ir, ctx.f32(), vector::CombiningKind::ADD, v, None)
            .fastmath(arith::FastMathFlags::REASSOC | arith::FastMathFlags::NNAN)
            .at_end(entry)?;
        let is_less = arith::cmpf(ir, arith::CmpFPredicate::OLT, a, b).at_end(entry)?;
        let all = arith::addf(ir, a, b)
            .fastmath(arith::FastMathFlags::FAST)
            .at_end(entry)?;
        let zero = arith::constant(ir, ctx.integer_attr(ctx.index(), 0)).at_end(entry)?;
        tensor::extract(ir, t, &[zero.result()]).at_end(entry)?;
        func::return_(ir, &[]).at_end(entry)?;
        module.op(ir).verify()?;
        assert_eq!(sum.kind(), Some(vector::CombiningKind::ADD));
        assert_eq!(sum.acc(), None);
        assert_eq!(is_less.predicate(), Some(arith::CmpFPredicate::OLT));
        assert_eq!(all.fastmath(), Some(arith::FastMathFlags::FAST));
        let flags = sum.fastmath().unwrap();
        assert!(flags.contains(arith::FastMathFlags::NNAN));
        assert!(!flags.contains(arith::FastMathFlags::CONTRACT));
        Ok(())
    })
}

#[test]
fn what_does_not_fit_is_refused() -> Result<()> {
    Context::new().enter(|ctx, ir| {
        let module = function(ctx, "%x: i32, %y: i64")?;
        let entry = entry(&module, ir)?;
        let (x, y) = (arguments(entry)[0], arguments(entry)[1]);
        let refused = |made: Result<OwnedOp<'_>>, why: &str| {
            let error = made.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Build);
            assert!(error.to_string().contains(why), "{error}");
        };
        // The generic builder, too, refuses what is missing or misspelt.
        let generic = |name: &str| ir.build(name, ctx.unknown());
        refused(
            generic("arith.cmpi").operands(&[x, x]).infer().finish(),
            "predicate",
        );
        refused(
            generic("arith.addi").operands(&[x]).infer().finish(),
            "operands",
        );
        refused(generic("cf.cond_br").operands(&[x]).finish(), "cf.cond_br");
        let misspelt = generic("arith.addi").operands(&[x, x]).infer();
        refused(
            misspelt.attribute("overflowFlag", ctx.unit()).finish(),
            "overflowFlag",
        );
        let sum = arith::addi(ir, x, x).attribute("overflowFlags", ctx.unit());
        refused(sum.finish(), "overflowFlags");
        // MLIR's verifier sees types.
        let mixed = arith::addi(ir, x, y).at_end(entry)?;
        assert!(mixed.op().verify().is_err());
        assert_eq!(
            mixed.op().cast::<arith::Subi>().unwrap_err().kind(),
            ErrorKind::Cast
        );
        assert!(mixed.op().downcast::<arith::Addi>().is_some());
        Ok(())
    })
}
