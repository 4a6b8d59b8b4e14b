//! The refusals by which the library keeps from MLIR what MLIR does not check.

use mondo_ir::{
    Block, Context, Ctx, ErrorKind, Ir, Module, Op, OwnPass, OwnedOp, PassManager, Patterns,
    Registry, Result, Walk, WalkOrder,
};

fn with<R>(work: impl for<'ctx> FnOnce(Ctx<'ctx>, &mut Ir<'ctx>) -> R) -> R {
    Context::new().enter(work)
}

const SUM: &str = "func.func @f(%a: i32, %b: i32) -> i32 { \
                   %0 = arith.addi %a, %b : i32 return %0 : i32 }";

/// A pattern for `arith.addi`.
type Run =
    for<'a, 'call, 'ctx> fn(&'a mondo_ir::Rewriter<'call, 'ctx>, Op<'call, 'ctx>) -> Result<bool>;

/// Each pattern fails with its kind of error, and leaves the module as it was.
fn check_refused<'ctx>(ir: &mut Ir<'ctx>, module: &Module<'ctx>, wrong: &[(Run, ErrorKind)]) {
    let before = module.op(ir).to_string();
    for (number, (run, kind)) in wrong.iter().enumerate() {
        let mut patterns = Patterns::new();
        patterns.add("arith.addi", 1, *run);
        let error = patterns.apply(ir, module.owner()).unwrap_err();
        assert_eq!(error.kind(), *kind, "{number}: {error}");
        assert_eq!(module.op(ir).to_string(), before, "{number}");
    }
}

fn block_of<'call, 'ctx>(module: &Module<'ctx>, ir: &'call Ir<'ctx>) -> Block<'call, 'ctx> {
    let function = module.body(ir).first().unwrap();
    function.region(0).unwrap().first().unwrap()
}

#[test]
fn a_pass_changes_nothing_outside() {
    with(|ctx, ir| {
        let text = "func.func private @a() func.func private @b()";
        let module = Module::parse(ctx, text).unwrap();
        type Change = for<'call, 'ctx> fn(Op<'call, 'ctx>) -> Result<()>;
        let changes: [Change; 6] = [
            |op| op.parent().unwrap().set_attribute("x", op.ctx().unit()),
            |op| op.erase(),
            |op| op.detach().map(drop),
            |op| op.next().map_or(Ok(()), Op::erase),
            |op| op.next().map_or(Ok(()), |next| op.move_after(next)),
            |op| op.block().unwrap().append(op.duplicate()?).map(drop),
        ];
        for change in changes {
            let mut passes = PassManager::new(ctx);
            passes.add_own(OwnPass::on("changes", "func.func", move |_, op| change(op)));
            assert_eq!(
                passes.run(ir, module.owner()).unwrap_err().kind(),
                ErrorKind::Outside
            );
            assert_eq!(module.body(ir).operations().len(), 2);
        }
    });
}

#[test]
fn a_pass_that_leaves_something_invalid_fails() {
    with(|ctx, ir| {
        let module = Module::parse(ctx, SUM).unwrap();
        let mut passes = PassManager::new(ctx);
        passes.add_own(OwnPass::on("breaks", "func.func", |_, op| {
            let end = op.region(0).unwrap().first().unwrap().terminator().unwrap();
            end.erase()
        }));
        passes.add("canonicalize").unwrap();
        assert_eq!(
            passes.run(ir, module.owner()).unwrap_err().kind(),
            ErrorKind::Pass
        );
        assert_eq!(
            module.op(ir).verify().unwrap_err().kind(),
            ErrorKind::Verify
        );
    });
}

#[test]
fn an_error_of_a_pass_is_the_pipelines() {
    let mut context = Context::new();
    context.threads(true);
    context.enter(|ctx, ir| {
        let module = Module::parse(ctx, SUM).unwrap();
        let mut passes = PassManager::new(ctx);
        passes.add_own(OwnPass::on("says", "func.func", |_, _| {
            Err(mondo_ir::Error::new(ErrorKind::Missing, "no main"))
        }));
        let error = passes.run(ir, module.owner()).unwrap_err();
        assert_eq!(
            (error.kind(), error.message()),
            (ErrorKind::Missing, "no main")
        );
    });
}

#[test]
fn a_tree_that_uses_another_is_not_given_to_mlir() {
    with(|ctx, ir| {
        let (one, other) = (
            Module::parse(ctx, SUM).unwrap(),
            Module::parse(ctx, SUM).unwrap(),
        );
        let value = block_of(&other, ir).first().unwrap().result(0).unwrap();
        let end = block_of(&one, ir).terminator().unwrap();
        end.set_operand(0, value).unwrap();
        let op = one.op(ir);
        assert_eq!(op.verify().unwrap_err().kind(), ErrorKind::Open);
        assert_eq!(op.to_bytecode(None).unwrap_err().kind(), ErrorKind::Open);
        assert!(op.to_string().contains("\"func.return\""));
        let mut passes = PassManager::parse(ctx, "any(canonicalize)").unwrap();
        assert_eq!(
            passes.run(ir, one.owner()).unwrap_err().kind(),
            ErrorKind::Open
        );
        // The other tree stays for as long as this one uses it.
        drop(other);
        assert_eq!(ir.collect(), 1);
        let own = block_of(&one, ir).argument(0).unwrap();
        block_of(&one, ir)
            .terminator()
            .unwrap()
            .set_operand(0, own)
            .unwrap();
        assert_eq!(ir.collect(), 0);
        assert!(one.op(ir).verify().is_ok());
    });
}

#[test]
fn blocks_are_erased_once_nothing_branches_there() {
    with(|ctx, ir| {
        let text = "func.func @f() { cf.br ^end ^end: return }";
        let module = Module::parse(ctx, text).unwrap();
        let (first, last) = (block_of(&module, ir), block_of(&module, ir).next().unwrap());
        assert_eq!(last.erase().unwrap_err().kind(), ErrorKind::InUse);
        let branch = first.terminator().unwrap();
        branch.erase().unwrap();
        assert_ne!(branch.successors(), [last]);
        last.erase().unwrap();
        assert_eq!(last.erase().map_err(|error| error.kind()), Ok(()));
        assert!(first.next().is_none());
        assert_eq!(ir.collect(), 0);
    });
}

#[test]
fn what_is_forgotten_is_only_leaked() {
    let mut context = Context::new();
    for _ in 0..2 {
        context.enter(|ctx, ir| {
            let (kept, dropped) = (
                Module::parse(ctx, SUM).unwrap(),
                Module::parse(ctx, SUM).unwrap(),
            );
            let value = block_of(&dropped, ir).first().unwrap().result(0).unwrap();
            block_of(&kept, ir)
                .terminator()
                .unwrap()
                .set_operand(0, value)
                .unwrap();
            std::mem::forget(kept);
        });
    }
}

#[test]
fn an_operation_is_not_put_into_itself() {
    with(|ctx, ir| {
        let outer = Module::new(ctx, ctx.unknown());
        let inner = Module::new(ctx, ctx.unknown()).into_op();
        let inner = outer.body(ir).append(inner).unwrap();
        let within = inner.region(0).unwrap().first().unwrap();
        let moved = Module::parse(ctx, "").unwrap().into_op();
        let moved = within.append(moved).unwrap();
        assert_eq!(
            inner.move_before(moved).unwrap_err().kind(),
            ErrorKind::Structure
        );
        let body = outer.body(ir);
        let error = body.append(outer.into_op()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Structure);
    });
}

#[test]
fn the_builder_refuses_what_mlir_would_take() {
    with(|ctx, ir| {
        let unknown = ir.build("no.such", ctx.unknown()).finish();
        assert_eq!(unknown.unwrap_err().kind(), ErrorKind::Build);
        let unit = ctx.unit();
        let twice = ir
            .build("func.return", ctx.unknown())
            .attribute("a", unit)
            .attribute("a", unit);
        assert_eq!(twice.finish().unwrap_err().kind(), ErrorKind::Build);
        let inferred = ir.build("arith.addi", ctx.unknown()).infer().finish();
        assert_eq!(inferred.unwrap_err().kind(), ErrorKind::Build);
        assert!(ctx.integer(1 << 24).is_err());
        assert!(ctx.tensor(&[Some(u64::MAX)], ctx.f32(), None).is_err());
        assert!(ctx.tensor(&[], ctx.function(&[], &[]), None).is_err());
        assert!(ctx.vector(&[0], ctx.f32()).is_err());
        assert!(
            ctx.dictionary(&[("a", unit.any()), ("a", unit.any())])
                .is_err()
        );
        assert!(OwnedOp::parse(ctx, "\"a.b\"() : () -> ()", "x").is_err());
    });
}

#[test]
fn the_builder_refuses_parts_that_no_operation_of_the_name_has() {
    with(|ctx, ir| {
        let module = Module::parse(ctx, SUM).unwrap();
        let a = block_of(&module, ir).argument(0).unwrap();
        let yes = ctx.integer_attr(ctx.i64(), 1);
        let at = ctx.file("f.x", 2, 9);
        let build = |name: &str| ir.build(name, at);
        for (made, why) in [
            (build("arith.cmpi").operands(&[a, a]).infer(), "predicate"),
            (
                build("arith.cmpi")
                    .operands(&[a, a])
                    .attribute("predicat", yes)
                    .infer(),
                "did you mean `predicate`?",
            ),
            (build("arith.addi").operand(a).infer(), "operand"),
            (
                build("arith.addi").operands(&[a, a, a]).result(ctx.i32()),
                "operand",
            ),
            (build("cf.cond_br").operand(a), "operand groups"),
            (build("arith.constant").result(ctx.i32()), "value"),
            (build("scf.execute_region").regions(2), "region"),
        ] {
            let error = made.finish().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Build, "{error}");
            assert!(error.message().contains(why), "{why}: {error}");
            assert_eq!(error.location(), Some("f.x:2:9"));
            assert!(error.operation().is_some_and(|name| name.contains('.')));
        }
        // A type may still be set, and an operation put where it belongs.
        assert!(build("func.return").operand(a).finish().is_ok());
        let other = build("arith.addi").operands(&[a, a]).result(ctx.i64());
        assert!(other.finish().is_ok());
        let noted = build("arith.addi").operands(&[a, a]).attribute("note", yes);
        assert!(noted.infer().finish().is_ok());
    });
}

#[test]
fn a_pattern_changes_in_place_all_or_nothing() {
    let wrong: [(Run, ErrorKind); 6] = [
        (
            |rewriter, op| {
                rewriter.set_attribute(op, "note", Some(op.ctx().unit().any()));
                rewriter.set_operand(op, 7, op.operand(0).unwrap());
                Ok(true)
            },
            ErrorKind::Missing,
        ),
        (
            |rewriter, op| {
                rewriter.set_attribute(op, "note", Some(op.ctx().unit().any()));
                rewriter.set_operand(op, 0, op.result(0).unwrap());
                Ok(true)
            },
            ErrorKind::Structure,
        ),
        (
            |rewriter, op| {
                rewriter.erase_op(op);
                Ok(true)
            },
            ErrorKind::InUse,
        ),
        (
            |rewriter, op| {
                rewriter.erase_op(op.next().unwrap());
                Ok(true)
            },
            ErrorKind::Structure,
        ),
        (
            |rewriter, op| {
                // The function is around the operation, and its block ends with a terminator.
                rewriter.set_attribute(
                    op.parent().unwrap(),
                    "sym_name",
                    Some(op.ctx().unit().any()),
                );
                Ok(true)
            },
            ErrorKind::Form,
        ),
        (
            |rewriter, op| {
                // What replaces the results is erased.
                let new = rewriter.ir().build("arith.muli", op.location());
                let new = rewriter.insert(new.operands(&op.operands()).infer().finish()?);
                rewriter.replace(&new.results());
                rewriter.erase_op(new);
                Ok(true)
            },
            ErrorKind::Structure,
        ),
    ];
    with(|ctx, ir| {
        let module = Module::parse(ctx, SUM).unwrap();
        check_refused(ir, &module, &wrong);
        // A terminator is replaced by another one.
        let mut patterns = Patterns::new();
        patterns.add("func.return", 1, |rewriter, end| {
            if end.attribute("new").is_some() {
                return Ok(false);
            }
            let new = rewriter.ir().build("func.return", end.location());
            let new = new
                .operands(&end.operands())
                .attribute("new", end.ctx().unit());
            rewriter.insert(new.finish()?);
            rewriter.erase();
            Ok(true)
        });
        patterns.apply(ir, module.owner()).unwrap();
        assert!(
            module.op(ir).to_string().contains("return {new} %0"),
            "{}",
            module.op(ir)
        );
        assert!(module.op(ir).verify().is_ok());
    });
}

#[test]
fn a_pattern_changes_nothing_by_itself_and_nothing_wrongly() {
    let wrong: [(Run, ErrorKind); 8] = [
        (
            |_, op| op.set_attribute("a", op.ctx().unit()).map(|()| true),
            ErrorKind::Outside,
        ),
        (|_, op| op.erase().map(|()| true), ErrorKind::Outside),
        (
            |rewriter, _| {
                rewriter.erase();
                Ok(true)
            },
            ErrorKind::InUse,
        ),
        (
            |rewriter, _| {
                rewriter.replace(&[]);
                Ok(true)
            },
            ErrorKind::Structure,
        ),
        (
            |rewriter, op| {
                rewriter.replace(&op.results());
                Ok(true)
            },
            ErrorKind::Structure,
        ),
        (
            |rewriter, op| {
                // It is not valid, so that the driver must not see it.
                let new = rewriter
                    .ir()
                    .build("arith.addi", op.location())
                    .operands(&op.operands())
                    .result(op.ctx().i64());
                rewriter.insert(new.finish()?);
                Ok(true)
            },
            ErrorKind::Verify,
        ),
        (
            |rewriter, op| {
                // The new operation would use its own result.
                let result = op.result(0).unwrap();
                let new = rewriter.ir().build("arith.addi", op.location());
                let new = rewriter.insert(new.operands(&[result, result]).infer().finish()?);
                rewriter.replace(&new.results());
                Ok(true)
            },
            ErrorKind::Structure,
        ),
        (|_, _| panic!("no"), ErrorKind::Panicked),
    ];
    with(|ctx, ir| {
        let module = Module::parse(ctx, SUM).unwrap();
        check_refused(ir, &module, &wrong);
        let mut patterns = Patterns::new();
        patterns.add("func.return", 1, |rewriter, _| {
            rewriter.erase();
            Ok(true)
        });
        let error = patterns.apply(ir, module.owner()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Structure);
    });
}

#[test]
fn a_walk_survives_what_it_does_to_the_tree() {
    with(|ctx, ir| {
        let text = "module { func.func private @a() module { func.func private @b() } }";
        let module = Module::parse(ctx, text).unwrap();
        let mut names = Vec::new();
        let stopped = module.op(ir).walk(WalkOrder::Pre, |op| {
            names.push(op.name());
            if op.block().is_some() {
                op.erase().unwrap();
            }
            Walk::Advance
        });
        assert!(!stopped);
        assert_eq!(names.len(), 4);
        assert!(module.body(ir).operations().is_empty());
    });
}

#[test]
fn a_registry_has_what_is_inserted() {
    assert!(Registry::names().any(|name| name == "arith"));
    let mut registry = Registry::empty();
    assert_eq!(
        registry.insert("no such").unwrap_err().kind(),
        ErrorKind::Unsupported
    );
    registry.insert("arith").unwrap();
    Context::with(&registry).enter(|ctx, _| {
        assert!(ctx.knows("arith.addi") && !ctx.knows("func.func"));
        assert!(Module::parse(ctx, SUM).is_err());
    });
}

#[test]
fn what_a_pass_erases_is_gone_when_it_returns() {
    with(|ctx, ir| {
        let text =
            "func.func @f() { %0 = arith.constant 1 : i32 %1 = arith.addi %0, %0 : i32 return }";
        let module = Module::parse(ctx, text).unwrap();
        let sum = ir.retain(block_of(&module, ir).operations()[1]).unwrap();
        let mut passes = PassManager::new(ctx);
        let seen = sum.clone();
        passes.add_own(OwnPass::new("erases", move |ir, _| {
            seen.get(ir).unwrap().erase()
        }));
        let seen = sum.clone();
        passes.add_own(OwnPass::new("looks", move |ir, _| {
            assert!(seen.get(ir).is_none());
            Ok(())
        }));
        passes.run(ir, module.owner()).unwrap();
        assert!(sum.get(ir).is_none());
    });
}

/// Operations with an attribute that MLIR keeps in a form of its own.
const INHERENT: &str = "func.func @f(%a: i32, %x: f32) { \
    %0 = arith.addi %a, %a : i32 %1 = arith.cmpi slt, %a, %a : i32 \
    %2 = arith.addf %x, %x : f32 call @f(%a, %x) : (i32, f32) -> () return }";

#[test]
fn an_inherent_attribute_is_of_its_kind() {
    with(|ctx, ir| {
        let module = Module::parse(ctx, INHERENT).unwrap();
        let before = module.op(ir).to_string();
        let function = module.body(ir).first().unwrap();
        let body = block_of(&module, ir).operations();
        for (op, name) in [
            (function, "sym_name"),
            (function, "function_type"),
            (body[0], "overflowFlags"),
            (body[1], "predicate"),
            (body[2], "fastmath"),
            (body[3], "callee"),
        ] {
            let old = op.attribute(name);
            let error = op.set_attribute(name, ctx.unit()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Form);
            assert!(error.message().contains(name) && error.message().contains("unit"));
            assert_eq!(op.attribute(name), old);
            let regions = op.regions().len();
            let made = ir.build(op.name(), ctx.unknown()).operands(&op.operands());
            let made = made.attribute(name, ctx.unit()).regions(regions);
            assert_eq!(made.finish().unwrap_err().kind(), ErrorKind::Build);
        }
        assert_eq!(module.op(ir).to_string(), before);
        // The printer dereferences the flags, and the verifier does not ask for them.
        assert!(body[0].remove_attribute("overflowFlags").unwrap());
        assert!(body[2].remove_attribute("fastmath").unwrap());
        assert_eq!(module.op(ir).to_string(), before);
    });
}

#[test]
fn an_operation_that_lacks_an_attribute_is_not_written() {
    with(|ctx, ir| {
        let module = Module::parse(ctx, INHERENT).unwrap();
        let call = block_of(&module, ir).operations()[3];
        let callee = call.attribute("callee").unwrap();
        assert!(call.remove_attribute("callee").unwrap());
        let error = module.op(ir).to_bytecode(None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Verify);
        assert!(error.message().contains("func.call"), "{error}");
        let alone = ir.build("func.call", ctx.unknown());
        let alone = alone
            .attribute("callee", ctx.symbol_ref("f"))
            .finish()
            .unwrap();
        assert!(alone.op(ir).remove_attribute("callee").unwrap());
        let error = alone.op(ir).to_bytecode(None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Verify);
        // Before version 5 bytecode had a dictionary, from which an attribute may be absent.
        assert!(module.op(ir).to_bytecode(Some(4)).is_ok());
        call.set_attribute("callee", callee).unwrap();
        assert!(module.op(ir).to_bytecode(None).is_ok());
        // An operation that is invalid in other respects is written all the same.
        let sum = ir.build("arith.constant", ctx.unknown());
        let sum = sum.attribute("value", ctx.bool_attr(true));
        let sum = sum.result(ctx.i8()).finish().unwrap();
        assert!(sum.op(ir).verify().is_err());
        assert!(sum.op(ir).to_bytecode(None).is_ok());
    });
}

#[test]
fn inference_sees_no_operands_of_a_wrong_kind() {
    with(|ctx, ir| {
        let module = Module::parse(ctx, SUM).unwrap();
        let argument = block_of(&module, ir).argument(0).unwrap();
        for (name, count) in [
            ("vector.extract", 0),
            ("vector.extract", 1),
            ("tensor.extract", 1),
            ("memref.load", 1),
            ("complex.re", 1),
            ("gpu.subgroup_mma_extract_thread_local", 2),
            ("spirv.AtomicAnd", 2),
        ] {
            let operands = vec![argument; count];
            let made = ir.build(name, ctx.unknown()).operands(&operands).infer();
            let error = made.finish().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Build, "{name}");
            assert!(error.message().contains(name), "{error}");
        }
        let sum = ir
            .build("arith.addi", ctx.unknown())
            .operands(&[argument; 2]);
        let sum = sum.infer().finish().unwrap();
        assert_eq!(sum.op(ir).result(0).unwrap().type_(), ctx.i32());
    });
}
