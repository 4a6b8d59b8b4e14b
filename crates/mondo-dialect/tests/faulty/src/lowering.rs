//! Lowerings that fail, and a dialect whose models are all refused.

use mondo_dialect::{Dialect, Lowering, Model, Op, Type, export_dialect, ir};

use crate::when::{When, panic_if, text};

/// What `convert-to-llvm` does with `faulty.op`.
pub(crate) const PATTERNS: &[Lowering] = &[Lowering::new("faulty.op", |rewriter, op, adaptor| {
    let when = op.attribute("when").and_then(text);
    panic_if(when == Some("lower"), "a lowering");
    match when {
        Some("lower-error") => Err(ir::Error::new(
            ir::ErrorKind::Pass,
            "was told to refuse a lowering",
        )),
        Some("lower-nothing") => Ok(true),
        Some("lower-erase") => {
            rewriter.erase();
            Ok(true)
        }
        Some("lower-old") => {
            // The operand that the adaptor has is of another type.
            rewriter.replace(&op.operands());
            Ok(true)
        }
        Some("lower-invalid") => {
            let new = rewriter.ir().build("llvm.add", op.location());
            rewriter.insert(
                new.operands(&adaptor.operands()?)
                    .result(op.ctx().f64())
                    .finish()?,
            );
            rewriter.erase();
            Ok(true)
        }
        Some("lower-well") => {
            rewriter.replace(&adaptor.operands()?);
            Ok(true)
        }
        _ => Ok(false),
    }
})];

/// What the type becomes.
pub(crate) fn types(type_: Type<'_>) -> ir::Result<Option<Type<'_>>> {
    let Some(found) = type_.parameters::<When>() else {
        return Ok(None);
    };
    panic_if(found.0 == "lower", "a lowering of types");
    if found.0 == "lower-error" {
        return Err(ir::Error::new(ir::ErrorKind::Form, "told to refuse"));
    }
    Ok(Some(type_.uniquer().i64().any()))
}

/// The dialect with the models.
pub(crate) const LYING: Dialect = Dialect::new("lying", "Has models that MLIR has no place for.")
    .depends(&["arith", "scf", "nowhere"])
    .operations(&[Op::new("op", "Is not valid in any context.")])
    .models(&[
        Model::of("arith.addi").effects(&[]),
        Model::of("arith.addi").speculatable(),
        Model::of("arith.cmpi").inlinable(),
        Model::of("scf.yield").inlinable(),
        Model::of("arith.missing").effects(&[]),
        Model::of("nowhere.op").effects(&[]),
    ]);

export_dialect!(LYING as mondoRegisterDialect_lying);
