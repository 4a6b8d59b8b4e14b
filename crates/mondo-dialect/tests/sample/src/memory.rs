//! Operations with effects on memory.

use mondo_dialect::assembly::{ATTR_DICT, operand, type_of, word};
use mondo_dialect::{Effect, Op, OpEffect, Pattern, Slot};

use crate::types::ANY;

pub(crate) const ALLOC: Op = Op::new("alloc", "Memory.")
    .results(&[Slot::one("memory", ANY)])
    .effects(&[OpEffect::on(Effect::Allocate, "memory")])
    .assembly(&[ATTR_DICT, word(":"), type_of(&["memory"])]);

pub(crate) const LOAD: Op = Op::new("load", "What is in memory.")
    .operands(&[Slot::one("memory", ANY)])
    .results(&[Slot::one("value", ANY)])
    .effects(&[OpEffect::on(Effect::Read, "memory")])
    .assembly(&[
        operand("memory"),
        ATTR_DICT,
        word(":"),
        type_of(&["memory"]),
        word("->"),
        type_of(&["value"]),
    ]);

pub(crate) const STORE: Op = Op::new("store", "Changes memory.")
    .operands(&[Slot::one("value", ANY), Slot::one("memory", ANY)])
    .effects(&[OpEffect::on(Effect::Write, "memory")])
    .assembly(&[
        operand("value"),
        word("to"),
        operand("memory"),
        ATTR_DICT,
        word(":"),
        type_of(&["value"]),
        word("to"),
        type_of(&["memory"]),
    ]);

pub(crate) const FREE: Op = Op::new("free", "Ends memory.")
    .operands(&[Slot::one("memory", ANY)])
    .effects(&[OpEffect::on(Effect::Free, "memory")])
    .assembly(&[
        operand("memory"),
        ATTR_DICT,
        word(":"),
        type_of(&["memory"]),
    ]);

pub(crate) const VIEW: Op = Op::new("view", "The same memory.")
    .operands(&[Slot::one("memory", ANY)])
    .results(&[Slot::one("view", ANY)])
    .pure()
    .view_of("memory")
    .assembly(&[
        operand("memory"),
        ATTR_DICT,
        word(":"),
        type_of(&["memory", "view"]),
    ]);

pub(crate) const TRACE: Op = Op::new("trace", "Writes memory of which nothing is known.")
    .effects(&[OpEffect::on_everything(Effect::Write)])
    .assembly(&[ATTR_DICT])
    .canonicalize(&[Pattern::new("sample.trace", |rewriter, trace| {
        // Two in a row are one.
        let doubled = trace
            .next()
            .is_some_and(|next| next.name() == "sample.trace");
        if doubled {
            rewriter.erase();
        }
        Ok(doubled)
    })]);
