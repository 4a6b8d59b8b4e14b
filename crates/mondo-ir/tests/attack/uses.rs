//! Uses across trees: an operation of one tree that uses a value or a block of another, which MLIR erases.

use std::cell::RefCell;
use std::rc::Rc;

use mondo_ir::{
    Block, Context, Ctx, ErrorKind, Ir, Module, Op, OwnPass, OwnedOp, PassManager, Patterns,
    PrintFlags, Result, Value,
};

use crate::cases;

/// The first is erased by `symbol-dce`.
const DEAD: &str = "func.func private @dead(%a: i32) { return } func.func @g() { return }";

/// A block that nothing reaches, which `canonicalize` erases.
const UNREACHABLE: &str = "func.func @f(%a: i32) -> i32 { return %a : i32 \
                           ^bb1(%b: i32): cf.br ^bb1(%b : i32) }";

fn with<R>(work: impl for<'ctx> FnOnce(Ctx<'ctx>, &mut Ir<'ctx>) -> R) -> R {
    let mut context = Context::new();
    context.allow_unregistered(true);
    context.enter(work)
}

fn block_of<'call, 'ctx>(module: &Module<'ctx>, ir: &'call Ir<'ctx>) -> Block<'call, 'ctx> {
    let function = module.body(ir).first().unwrap();
    function.region(0).unwrap().first().unwrap()
}

/// An operation in no block that uses the value.
fn spy<'ctx>(ir: &Ir<'ctx>, value: Value<'_, 'ctx>) -> OwnedOp<'ctx> {
    let place = value.location();
    ir.build("test.spy", place)
        .operands(&[value])
        .finish()
        .unwrap()
}

/// Reads all that a handle can lead to.
fn look(op: Op<'_, '_>) {
    for operand in op.operands() {
        let _ = (operand.type_(), operand.location(), operand.users());
        let _ = (operand.defining_op().map(Op::name), operand.argument_of());
    }
    for block in op.successors() {
        let _ = (block.arguments(), block.operations(), block.parent());
    }
    assert!(!op.to_string().is_empty());
    assert!(!op.print(&PrintFlags::new().generic()).unwrap().is_empty());
}

fn kind<T>(outcome: Result<T>) -> Option<ErrorKind> {
    outcome.err().map(|error| error.kind())
}

/// Runs the pipeline, which must be refused, and looks at what is left.
fn refused<'ctx>(ir: &mut Ir<'ctx>, module: &Module<'ctx>, spy: &OwnedOp<'ctx>, pipeline: &str) {
    let ctx = module.op(ir).ctx();
    let mut passes = PassManager::parse(ctx, pipeline).unwrap();
    let outcome = passes.run(ir, module.owner());
    look(spy.op(ir));
    look(module.op(ir));
    assert_eq!(kind(outcome), Some(ErrorKind::Open));
}

cases! {
    /// The argument of a function that the pass erases.
    fn an_argument_of_an_erased_function() {
        with(|ctx, ir| {
            let module = Module::parse(ctx, DEAD).unwrap();
            let spy = spy(ir, block_of(&module, ir).argument(0).unwrap());
            refused(ir, &module, &spy, "builtin.module(symbol-dce)");
            drop(spy);
            let mut passes = PassManager::parse(ctx, "builtin.module(symbol-dce)").unwrap();
            passes.run(ir, module.owner()).unwrap();
            assert_eq!(module.body(ir).operations().len(), 1);
        });
    }

    /// The result of an operation that the pass erases.
    fn a_result_of_an_erased_operation() {
        with(|ctx, ir| {
            let text = "func.func @f() { %0 = arith.constant 1 : i32 return }";
            let module = Module::parse(ctx, text).unwrap();
            let spy = spy(ir, block_of(&module, ir).first().unwrap().result(0).unwrap());
            refused(ir, &module, &spy, "builtin.module(func.func(cse))");
        });
    }

    /// The pass erases the user: `canonicalize` removes what only writes to an allocation.
    fn a_user_that_the_pass_erases() {
        with(|ctx, ir| {
            let text = "func.func @f() { %0 = memref.alloc() : memref<4xi32> return }";
            let module = Module::parse(ctx, text).unwrap();
            let value = block_of(&module, ir).first().unwrap().result(0).unwrap();
            let spy = ir.build("memref.dealloc", ctx.unknown());
            let spy = spy.operand(value).finish().unwrap();
            refused(ir, &module, &spy, "builtin.module(func.func(canonicalize))");
            assert_eq!(spy.op(ir).name(), "memref.dealloc");
        });
    }

    /// A successor in another tree, whose block the pass erases.
    fn a_successor_that_is_erased() {
        with(|ctx, ir| {
            let (one, other) = (
                Module::parse(ctx, UNREACHABLE).unwrap(),
                Module::parse(ctx, UNREACHABLE).unwrap(),
            );
            let branch = block_of(&other, ir).next().unwrap().terminator().unwrap();
            let spy = branch.detach().unwrap();
            spy.op(ir).set_successor(0, block_of(&one, ir).next().unwrap()).unwrap();
            refused(ir, &one, &spy, "builtin.module(func.func(canonicalize))");
            assert_eq!(spy.op(ir).successors(), [block_of(&one, ir).next().unwrap()]);
        });
    }

    /// The pass drops the uses of what it erases, so that the operand is null.
    fn an_operand_that_becomes_null() {
        with(|ctx, ir| {
            let module = Module::parse(ctx, UNREACHABLE).unwrap();
            let spy = spy(ir, block_of(&module, ir).next().unwrap().argument(0).unwrap());
            refused(ir, &module, &spy, "builtin.module(func.func(canonicalize))");
            let copy = spy.op(ir).duplicate().unwrap();
            look(copy.op(ir));
        });
    }

    /// A user in another module, which has a place in that.
    fn a_user_in_another_module() {
        with(|ctx, ir| {
            let module = Module::parse(ctx, DEAD).unwrap();
            let other = Module::new(ctx, ctx.unknown());
            let spy = spy(ir, block_of(&module, ir).argument(0).unwrap());
            let spy = ir.retain(other.body(ir).append(spy).unwrap()).unwrap();
            let mut passes = PassManager::parse(ctx, "builtin.module(symbol-dce)").unwrap();
            let outcome = passes.run(ir, module.owner());
            look(spy.get(ir).unwrap());
            assert_eq!(kind(outcome), Some(ErrorKind::Open));
        });
    }

    /// The driver folds and erases by itself, without a pattern.
    fn a_driver_of_patterns() {
        with(|ctx, ir| {
            let text = "func.func @f() { %0 = arith.constant 1 : i32 return }";
            let module = Module::parse(ctx, text).unwrap();
            let spy = spy(ir, block_of(&module, ir).first().unwrap().result(0).unwrap());
            let outcome = Patterns::new().apply(ir, module.owner());
            look(spy.op(ir));
            assert_eq!(kind(outcome), Some(ErrorKind::Open));
        });
    }

    /// A pattern keeps an operation that uses what the driver erases.
    fn a_pattern_that_keeps_a_user() {
        with(|ctx, ir| {
            let text = "func.func @f(%a: i32) -> i32 { \
                        %0 = arith.addi %a, %a : i32 return %0 : i32 }";
            let module = Module::parse(ctx, text).unwrap();
            let spies = Rc::new(RefCell::new(Vec::<OwnedOp<'_>>::new()));
            let kept = Rc::clone(&spies);
            let mut patterns = Patterns::new();
            patterns.add("arith.addi", 1, move |rewriter, op| {
                kept.borrow_mut().push(spy(rewriter.ir(), op.result(0).unwrap()));
                Ok(false)
            });
            let outcome = patterns.apply(ir, module.owner());
            spies.borrow().iter().for_each(|spy| look(spy.op(ir)));
            assert_eq!(kind(outcome), Some(ErrorKind::Open));
        });
    }

    /// A pattern keeps a user of an operation that it inserts, and of what it replaces.
    fn a_pattern_that_keeps_a_user_of_its_own_operation() {
        with(|ctx, ir| {
            let text = "func.func @f(%a: i32) -> i32 { \
                        %0 = arith.addi %a, %a : i32 return %0 : i32 }";
            let module = Module::parse(ctx, text).unwrap();
            let spies = Rc::new(RefCell::new(Vec::<OwnedOp<'_>>::new()));
            let kept = Rc::clone(&spies);
            let mut patterns = Patterns::new();
            patterns.add("arith.addi", 1, move |rewriter, op| {
                let (left, right) = (op.operand(0).unwrap(), op.operand(1).unwrap());
                let product = rewriter.ir().build("arith.muli", op.location());
                let product = product.operands(&[left, right]).infer().finish()?;
                let product = rewriter.insert(product);
                for value in [product.result(0).unwrap(), op.result(0).unwrap()] {
                    kept.borrow_mut().push(spy(rewriter.ir(), value));
                }
                rewriter.replace(&product.results());
                Ok(true)
            });
            let outcome = patterns.apply(ir, module.owner());
            spies.borrow().iter().for_each(|spy| look(spy.op(ir)));
            assert_eq!(kind(outcome), Some(ErrorKind::Open));
        });
    }

    /// A pass keeps an operation that uses what the next pass erases.
    fn a_pass_that_keeps_a_user() {
        with(|ctx, ir| {
            let module = Module::parse(ctx, DEAD).unwrap();
            let spies = Rc::new(RefCell::new(Vec::<OwnedOp<'_>>::new()));
            let kept = Rc::clone(&spies);
            let mut passes = PassManager::on(ctx, "builtin.module");
            passes.add_own(OwnPass::new("keeps", move |ir, op| {
                let function = op.region(0).unwrap().first().unwrap().first().unwrap();
                let block = function.region(0).unwrap().first().unwrap();
                kept.borrow_mut().push(spy(ir, block.argument(0).unwrap()));
                Ok(())
            }));
            passes.add("symbol-dce").unwrap();
            let outcome = passes.run(ir, module.owner());
            spies.borrow().iter().for_each(|spy| look(spy.op(ir)));
            assert_eq!(kind(outcome), Some(ErrorKind::Open));
        });
    }

    /// MLIR goes on with the other functions after a pass has failed on one.
    fn a_pass_that_keeps_a_user_of_another_function() {
        with(|ctx, ir| {
            let text = "func.func @f() { return } \
                        func.func @g() { %0 = arith.constant 1 : i32 return }";
            let module = Module::parse(ctx, text).unwrap();
            let spies = Rc::new(RefCell::new(Vec::<OwnedOp<'_>>::new()));
            let kept = Rc::clone(&spies);
            let mut passes = PassManager::on(ctx, "builtin.module");
            passes.add_own(OwnPass::on("keeps", "func.func", move |ir, op| {
                if let Some(next) = op.next() {
                    let block = next.region(0).unwrap().first().unwrap();
                    let value = block.first().unwrap().result(0).unwrap();
                    kept.borrow_mut().push(spy(ir, value));
                }
                Ok(())
            }));
            passes.add("func.func(canonicalize)").unwrap();
            let outcome = passes.run(ir, module.owner());
            assert_eq!(spies.borrow().len(), 1);
            spies.borrow().iter().for_each(|spy| look(spy.op(ir)));
            assert_eq!(kind(outcome), Some(ErrorKind::Open));
        });
    }

    /// The user is older than the pipeline, and gets its use while that runs: as an operand, as a successor,
    /// by a replacement, or by a move.
    fn a_pass_that_changes_a_user() {
        for way in 0..4 {
            with(|ctx, ir| {
                let module = Module::parse(ctx, UNREACHABLE).unwrap();
                let other = Module::parse(ctx, UNREACHABLE).unwrap();
                let branch = block_of(&other, ir).next().unwrap().terminator().unwrap();
                let branch = ir.retain(branch).unwrap();
                let seen = branch.clone();
                let mut passes = PassManager::on(ctx, "builtin.module");
                passes.add_own(OwnPass::on("changes", "func.func", move |ir, op| {
                    let spy = seen.get(ir).unwrap();
                    let dead = op.region(0).unwrap().blocks()[1];
                    match way {
                        0 => spy.set_operand(0, dead.argument(0).unwrap()),
                        1 => spy.set_successor(0, dead),
                        2 => spy.operand(0).unwrap().replace_all_uses(dead.argument(0).unwrap()),
                        _ => dead.terminator().unwrap().move_before(spy),
                    }
                }));
                passes.add("func.func(canonicalize)").unwrap();
                let outcome = passes.run(ir, module.owner());
                look(branch.get(ir).unwrap());
                look(other.op(ir));
                look(module.op(ir));
                assert_eq!(kind(outcome), Some(ErrorKind::Open));
            });
        }
    }

    /// An operation that a pass has taken out still uses what is in the tree.
    fn a_pass_that_keeps_a_part() {
        with(|ctx, ir| {
            let text = "func.func @f(%a: i32) { %0 = arith.addi %a, %a : i32 \
                        %1 = arith.addi %0, %0 : i32 return }";
            let module = Module::parse(ctx, text).unwrap();
            let spies = Rc::new(RefCell::new(Vec::<OwnedOp<'_>>::new()));
            let kept = Rc::clone(&spies);
            let mut passes = PassManager::on(ctx, "builtin.module");
            passes.add_own(OwnPass::on("keeps", "func.func", move |_, op| {
                let sums = op.region(0).unwrap().first().unwrap().operations();
                kept.borrow_mut().push(sums[0].duplicate()?);
                kept.borrow_mut().push(sums[1].detach()?);
                Ok(())
            }));
            passes.add("func.func(canonicalize)").unwrap();
            let outcome = passes.run(ir, module.owner());
            spies.borrow().iter().for_each(|spy| look(spy.op(ir)));
            assert_eq!(kind(outcome), Some(ErrorKind::Open));
        });
    }

    /// A closure that panics has kept a user, too.
    fn a_pass_that_keeps_a_user_and_panics() {
        with(|ctx, ir| {
            let text = "func.func @f() { return } \
                        func.func @g() { %0 = arith.constant 1 : i32 return }";
            let module = Module::parse(ctx, text).unwrap();
            let spies = Rc::new(RefCell::new(Vec::<OwnedOp<'_>>::new()));
            let kept = Rc::clone(&spies);
            let mut passes = PassManager::on(ctx, "builtin.module");
            passes.add_own(OwnPass::on("keeps", "func.func", move |ir, op| {
                let Some(next) = op.next() else { return Ok(()) };
                let block = next.region(0).unwrap().first().unwrap();
                kept.borrow_mut().push(spy(ir, block.first().unwrap().result(0).unwrap()));
                panic!("as told");
            }));
            passes.add("func.func(canonicalize)").unwrap();
            let outcome = passes.run(ir, module.owner());
            spies.borrow().iter().for_each(|spy| look(spy.op(ir)));
            assert_eq!(kind(outcome), Some(ErrorKind::Panicked));
        });
    }

    /// Verifiers look at the users of values, too, and at what these are in.
    fn a_user_that_a_verifier_looks_at() {
        with(|ctx, ir| {
            let text = "pdl.pattern : benefit(1) { \
                        %t = type : i32 \
                        %o = operation \"a.b\" -> (%t : !pdl.type) \
                        rewrite %o { erase %o } }";
            let module = Module::parse(ctx, text).unwrap();
            let pattern = block_of(&module, ir);
            let spy = spy(ir, pattern.operations()[1].result(0).unwrap());
            look(module.op(ir));
            look(spy.op(ir));
            assert_eq!(kind(module.op(ir).verify()), Some(ErrorKind::Open));
        });
    }

    /// Uses by what is forgotten last for ever.
    fn a_user_that_is_forgotten() {
        with(|ctx, ir| {
            let module = Module::parse(ctx, DEAD).unwrap();
            let spy = spy(ir, block_of(&module, ir).argument(0).unwrap());
            let seen = ir.retain(spy.op(ir)).unwrap();
            std::mem::forget(spy);
            let mut passes = PassManager::parse(ctx, "builtin.module(symbol-dce)").unwrap();
            let outcome = passes.run(ir, module.owner());
            look(seen.get(ir).unwrap());
            assert_eq!(kind(outcome), Some(ErrorKind::Open));
        });
    }

    /// A pass puts a tree into its operation that another one uses since before the pipeline.
    fn a_pass_that_puts_in_what_is_used() {
        with(|ctx, ir| {
            let text = "func.func @f() { return }";
            let module = Module::parse(ctx, text).unwrap();
            let constant = ir.build("arith.constant", ctx.unknown());
            let constant = constant.attribute("value", ctx.bool_attr(true)).infer();
            let constant = constant.finish().unwrap();
            let spy = spy(ir, constant.op(ir).result(0).unwrap());
            let given = RefCell::new(Some(constant));
            let mut passes = PassManager::on(ctx, "builtin.module");
            passes.add_own(OwnPass::on("puts", "func.func", move |_, op| {
                let block = op.region(0).unwrap().first().unwrap();
                let constant = given.take().unwrap();
                block.first().unwrap().insert_before(constant).map(drop)
            }));
            passes.add("func.func(canonicalize)").unwrap();
            let outcome = passes.run(ir, module.owner());
            look(spy.op(ir));
            assert_eq!(kind(outcome), Some(ErrorKind::Open));
        });
    }

    /// A pattern does the same.
    fn a_pattern_that_puts_in_what_is_used() {
        with(|ctx, ir| {
            let text = "func.func @f() { \"test.a\"() : () -> () return }";
            let module = Module::parse(ctx, text).unwrap();
            let constant = ir.build("arith.constant", ctx.unknown());
            let constant = constant.attribute("value", ctx.bool_attr(true)).infer();
            let constant = constant.finish().unwrap();
            let spy = spy(ir, constant.op(ir).result(0).unwrap());
            let given = RefCell::new(Some(constant));
            let mut patterns = Patterns::new();
            patterns.add("test.a", 1, move |rewriter, _| {
                rewriter.insert(given.take().unwrap());
                rewriter.erase();
                Ok(true)
            });
            let outcome = patterns.apply(ir, module.owner());
            look(spy.op(ir));
            assert_eq!(kind(outcome), Some(ErrorKind::Open));
        });
    }

    /// Each erased branch has the same block in place of its successors, which the next one needs, too.
    fn the_block_in_place_of_successors() {
        with(|ctx, ir| {
            let module = Module::parse(ctx, UNREACHABLE).unwrap();
            let block = block_of(&module, ir);
            let branch = block.next().unwrap().terminator().unwrap();
            branch.erase().unwrap();
            let placeholder = branch.successors()[0];
            branch.set_successor(0, block).unwrap();
            let outcome = placeholder.erase();
            ir.collect();
            let other = Module::parse(ctx, UNREACHABLE).unwrap();
            let branch = block_of(&other, ir).next().unwrap().terminator().unwrap();
            branch.erase().unwrap();
            assert_eq!(branch.successors()[0].operations(), []);
            assert_eq!(kind(outcome), Some(ErrorKind::Structure));
        });
    }
}
