//! Operations on tensors and memrefs, which are bufferized and tiled.

use mondo_dialect::{Effect, Indexing, Loop, Op, OpEffect, Slot};

use crate::types::ANY;

/// Reads nothing of what it writes to.
pub(crate) const SCALE: Op = Op::new("scale", "Each element times a number.")
    .operands(&[
        Slot::one("factor", ANY),
        Slot::one("input", ANY),
        Slot::one("output", ANY),
    ])
    .results(&[Slot::optional("result", ANY)])
    .effects(&[
        OpEffect::on(Effect::Read, "input"),
        OpEffect::on(Effect::Write, "output"),
    ])
    .writes_to("output")
    .bufferizes()
    .tiles_elementwise();

pub(crate) const PRODUCT: Op = Op::new("product", "Adds the product of two matrices to a third.")
    .operands(&[
        Slot::one("lhs", ANY),
        Slot::one("rhs", ANY),
        Slot::one("sum", ANY),
    ])
    .results(&[Slot::optional("result", ANY)])
    .effects(&[
        OpEffect::on(Effect::Read, "lhs"),
        OpEffect::on(Effect::Read, "rhs"),
        OpEffect::on(Effect::Read, "sum"),
        OpEffect::on(Effect::Write, "sum"),
    ])
    .writes_to("sum")
    .bufferizes()
    .tiles(
        &[Loop::Parallel, Loop::Parallel, Loop::Reduction],
        &[
            Indexing::new("lhs", &[0, 2]),
            Indexing::new("rhs", &[2, 1]),
            Indexing::new("sum", &[0, 1]),
        ],
    );
