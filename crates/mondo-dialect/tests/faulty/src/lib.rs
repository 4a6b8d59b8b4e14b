//! A dialect whose functions panic and lie when told to, for the tests of the SDK.

mod conversions;
mod lowering;
mod when;

use mondo_dialect::assembly::{ATTR_DICT, attribute, operand, type_of, word};
use mondo_dialect::{
    AttributeConstraint, AttributeDef, Dialect, Folded, Op, OpAttribute, Pass, Pattern, RegionSlot,
    Rewriter, Slot, Trait, TypeConstraint, TypeDef, export_dialect, ir,
};

use crate::when::{When, panic_if, text};

const ANY: TypeConstraint = TypeConstraint::ANY;
const WHEN: &[OpAttribute] = &[OpAttribute::required("when", AttributeConstraint::STRING)];

/// The dialect.
pub const FAULTY: Dialect = Dialect::new("faulty", "Fails when told to.")
    .depends(&["arith"])
    .types(&[TypeDef::of::<When>()])
    .attributes(&[AttributeDef::of::<When>()])
    .passes(&PASSES)
    .to_llvm(lowering::PATTERNS)
    .types_to_llvm(lowering::types)
    .operations(&[
        Op::new("op", "Fails in the function that it names.")
            .operands(&[Slot::one("operand", ANY)])
            .results(&[Slot::one("result", ANY)])
            .attributes(WHEN)
            .assembly(&[
                attribute("when"),
                operand("operand"),
                ATTR_DICT,
                word(":"),
                type_of(&["operand", "result"]),
            ])
            .verify(|operation| {
                let when = operation.attribute("when").and_then(text);
                panic_if(when == Some("verify"), "verify");
                match when {
                    Some("refuse") => Err("was told to refuse".into()),
                    // One that no text can describe.
                    Some("odd") => std::panic::panic_any(17),
                    _ => Ok(()),
                }
            })
            .fold(|operation, _| {
                let when = text(operation.attribute("when")?)?;
                panic_if(when == "fold", "fold");
                match when {
                    "lie" => Some(Folded::Many(vec![])),
                    "nothing" => Some(Folded::Value(operation.operand(0))),
                    _ => None,
                }
            })
            .canonicalize(&[Pattern::new("faulty.op", canonicalize)]),
        Op::new("defaults", "Has a default that cannot be made.").attributes(&[
            OpAttribute::with_default("value", AttributeConstraint::I64, |_| {
                panic!("told to panic in a default")
            }),
        ]),
        Op::new("inside", "Fails when its regions are verified.")
            .attributes(WHEN)
            .regions(&[RegionSlot::one("body")])
            .verify_regions(|operation| {
                let when = operation.attribute("when").and_then(text);
                panic_if(when == Some("regions"), "regions");
                match when {
                    Some("refuse") => Err("was told to refuse its regions".into()),
                    _ => Ok(()),
                }
            }),
        Op::new("closed", "Is isolated, and has operands and results.")
            .operands(&[Slot::variadic("operands", ANY)])
            .results(&[Slot::variadic("results", ANY)])
            .regions(&[RegionSlot::one("body")])
            .traits(&[
                Trait::IsolatedFromAbove,
                Trait::SingleBlock,
                Trait::NoTerminator,
            ]),
        Op::new("infer", "Fails to infer.")
            .results(&[Slot::one("result", ANY)])
            .attributes(WHEN)
            .infer(|call| {
                let when = call.attribute("when").and_then(text);
                panic_if(when == Some("infer"), "infer");
                match when {
                    Some("refuse") => Err("was told to refuse".into()),
                    _ => Ok(vec![call.uniquer().f64().any()]),
                }
            }),
        Op::new("gather", "Has groups.")
            .operands(&[
                Slot::one("first", ANY),
                Slot::variadic("rest", ANY),
                Slot::one("last", ANY),
            ])
            .results(&[Slot::variadic("outs", ANY)])
            .attributes(&[
                OpAttribute::required("in", AttributeConstraint::I64),
                OpAttribute::optional("note", AttributeConstraint::ANY),
            ]),
        Op::new("sum", "Has a group and a form.")
            .operands(&[Slot::variadic("terms", ANY)])
            .results(&[Slot::one("result", ANY)])
            .assembly(&[
                word("("),
                operand("terms"),
                word(")"),
                ATTR_DICT,
                word(":"),
                type_of(&["result", "terms"]),
            ]),
    ]);

/// All passes: those below, and those that convert.
const PASSES: [Pass; FAILING.len() + conversions::ALL.len()] = {
    let mut all = [FAILING[0]; FAILING.len() + conversions::ALL.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = if index < FAILING.len() {
            FAILING[index]
        } else {
            conversions::ALL[index - FAILING.len()]
        };
        index += 1;
    }
    all
};

/// Passes that fail in ways of their own.
const FAILING: &[Pass] = &[
    Pass::new("faulty-panic", "Panics.").run(|_| panic!("told to panic in a pass")),
    Pass::new("faulty-refuse", "Fails.")
        .run(|_| Err(ir::Error::new(ir::ErrorKind::Pass, "was told to refuse"))),
    Pass::new("faulty-option", "Asks for an option that it does not have.").run(|run| {
        run.flag("missing");
        Ok(())
    }),
    Pass::new("faulty-outside", "Finds nothing outside of its operation.")
        .on("func.func")
        .run(|run| {
            let op = run.op();
            assert!(op.parent().is_none() && op.block().is_none() && op.next().is_none());
            assert_eq!(op.root(), op);
            Ok(())
        }),
    Pass::new(
        "faulty-owner",
        "Finds neither its operands' owners nor its results' users.",
    )
    .on("faulty.closed")
    .run(|run| {
        let op = run.op();
        assert!(op.operand(0).is_none() && op.operands().is_empty());
        assert!(op.iter_operands().next().is_none() && op.successors().is_empty());
        for result in op.results() {
            assert!(result.users().is_empty() && !result.is_used());
            assert_eq!(result.defining_op(), Some(op));
            if let Some(first) = op.region(0).and_then(|body| body.first()?.first()) {
                for inner in first.results() {
                    result.replace_all_uses(inner)?;
                }
            }
        }
        Ok(())
    }),
    Pass::new("faulty-itself", "Erases its own operation.")
        .on("func.func")
        .run(|run| run.op().erase()),
    Pass::new("faulty-invalid", "Leaves an operation that is not valid.").run(|run| {
        let mut first = None;
        run.op().walk(ir::WalkOrder::Pre, |op| {
            first = first.or(Some(op).filter(|op| op.name() == "faulty.op"));
            ir::Walk::Advance
        });
        first.map_or(Ok(()), |op| op.remove_attribute("when").map(drop))
    }),
    Pass::new(
        "faulty-verify",
        "Sees what is wrong with its own operation only.",
    )
    .on("func.func")
    .run(|run| {
        let mut first = None;
        run.op().walk(ir::WalkOrder::Pre, |op| {
            first = first.or(Some(op).filter(|op| op.name() == "faulty.op"));
            ir::Walk::Advance
        });
        let Some(op) = first else {
            return Ok(());
        };
        let when = op.attribute("when");
        for _ in 0..100 {
            op.remove_attribute("when")?;
            let error = run.op().verify().expect_err("an attribute is missing");
            assert_eq!(error.diagnostics().len(), 1, "{error}");
            if let Some(when) = when {
                op.set_attribute("when", when)?;
            }
            run.op().verify()?;
        }
        Ok(())
    }),
    Pass::new("faulty-endless", "Has a pattern that never ends.").patterns(&[Pattern::new(
        "faulty.op",
        |rewriter, op| {
            rewriter.replace(&copy(rewriter, op, "again")?.results());
            Ok(true)
        },
    )]),
    Pass::new("faulty-pattern", "Has a pattern that panics.")
        .patterns(&[Pattern::new("faulty.op", |_, _| {
            panic!("told to panic in a pattern")
        })]),
    Pass::new(
        "faulty-visited",
        "Has a pattern that erases what it is visiting.",
    )
    .patterns(&[Pattern::new("faulty.op", |_, op| op.erase().map(|()| true))]),
    Pass::new(
        "faulty-around",
        "Has a pattern that erases what is around it.",
    )
    .patterns(&[Pattern::new("faulty.op", |_, op| {
        op.parent().map_or(Ok(()), ir::Op::erase).map(|()| true)
    })]),
    Pass::new(
        "faulty-used",
        "Has a pattern that erases an operation that is used.",
    )
    .patterns(&[Pattern::new("faulty.op", |rewriter, _| {
        rewriter.erase();
        Ok(true)
    })]),
];

/// Inserts a copy of the operation that does something else.
fn copy<'call, 'ctx>(
    rewriter: &Rewriter<'call, 'ctx>,
    op: ir::Op<'call, 'ctx>,
    when: &str,
) -> ir::Result<ir::Op<'call, 'ctx>> {
    let copy = rewriter.ir().build("faulty.op", op.location());
    let copy = copy
        .operands(&op.operands())
        .result(op.results()[0].type_());
    let when = op.ctx().string_attr(when);
    Ok(rewriter.insert(copy.attribute("when", when).finish()?))
}

/// Fails while canonicalization asks.
fn canonicalize<'call, 'ctx>(
    rewriter: &Rewriter<'call, 'ctx>,
    op: ir::Op<'call, 'ctx>,
) -> ir::Result<bool> {
    let when = op.attribute("when").and_then(text);
    panic_if(when == Some("rewrite"), "rewrite");
    match when {
        Some("rewrite-error") => Err(ir::Error::new(
            ir::ErrorKind::Pass,
            "was told to refuse a rewrite",
        )),
        Some("rewrite-invalid") => {
            copy(rewriter, op, "refuse")?;
            Ok(true)
        }
        Some("again") => {
            rewriter.replace(&copy(rewriter, op, "again")?.results());
            Ok(true)
        }
        _ => Ok(false),
    }
}

export_dialect!(FAULTY as mondoRegisterDialect_faulty);
