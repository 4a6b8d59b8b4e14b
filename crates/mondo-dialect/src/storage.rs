//! Views of memory, and operations that write to destinations, which MLIR bufferizes and tiles.

use mondo_ir::sdk::{AddInterface, Tiling};

use crate::assembly::same;
use crate::interfaces::{check_operand, operand};
use crate::op::Op;
use crate::tiling::{Indexing, Loop, Loops};

impl Op {
    /// Says that the first result is a view of what the operand refers to (MLIR's `ViewLikeOpInterface`).
    #[must_use]
    pub const fn view_of(mut self, operand: &'static str) -> Self {
        self.flow.viewed = Some(operand);
        self
    }

    /// Says that the results are written to these operands (MLIR's `DestinationStyleOpInterface`). Each is a memref, or a tensor
    /// that has a result of its type. [`Self::effects`] says which operands are read; those that are tensors are no memory.
    #[must_use]
    pub const fn writes_to(mut self, operands: &'static str) -> Self {
        self.flow.destinations = Some(operands);
        self
    }

    /// Says that the operation is the same on buffers, without results, where memrefs take the place of tensors (MLIR's
    /// `BufferizableOpInterface`). Needs [`Self::writes_to`], and results in one group that may be empty.
    ///
    /// Only a dialect that says so links MLIR's dialect `bufferization`.
    // Inlined, as otherwise this crate would refer to the function, and so would each dialect.
    #[inline]
    #[must_use]
    pub const fn bufferizes(mut self) -> Self {
        self.flow.bufferizes = Some(AddInterface::BUFFERIZATION);
        self
    }

    /// Says that the operation has these loops, and that it can be replaced by one on a part of each operand of the indexings
    /// (MLIR's `TilingInterface`). Other operands stay as they are. Needs [`Self::writes_to`].
    ///
    /// ```
    /// # use mondo_dialect::{Indexing, Loop, Op, Slot, TypeConstraint};
    /// const ANY: TypeConstraint = TypeConstraint::ANY;
    /// const PRODUCT: Op = Op::new("product", "Adds the product of two matrices to a third.")
    ///     .operands(&[Slot::one("lhs", ANY), Slot::one("rhs", ANY), Slot::one("sum", ANY)])
    ///     .results(&[Slot::optional("result", ANY)])
    ///     .writes_to("sum")
    ///     .tiles(
    ///         &[Loop::Parallel, Loop::Parallel, Loop::Reduction],
    ///         &[
    ///             Indexing::new("lhs", &[0, 2]),
    ///             Indexing::new("rhs", &[2, 1]),
    ///             Indexing::new("sum", &[0, 1]),
    ///         ],
    ///     );
    /// ```
    // Inlined for the same reason as `bufferizes`.
    #[inline]
    #[must_use]
    pub const fn tiles(mut self, loops: &'static [Loop], indexings: &'static [Indexing]) -> Self {
        assert!(
            !indexings.is_empty(),
            "an operation that is tiled has indexings, or `tiles_elementwise`"
        );
        self.flow.tiling = Some(Loops {
            add: AddInterface::TILING,
            loops,
            indexings,
        });
        self
    }

    /// Says that the operation computes each element of a destination from those of the other tensors and memrefs at the same
    /// place, all of which have the same rank. Needs [`Self::writes_to`].
    // Inlined for the same reason as `bufferizes`.
    #[inline]
    #[must_use]
    pub const fn tiles_elementwise(mut self) -> Self {
        self.flow.tiling = Some(Loops {
            add: AddInterface::TILING,
            loops: &[],
            indexings: &[],
        });
        self
    }
}

/// Checks that each name is one of the operation's parts, and that MLIR can do what the operation says.
pub(crate) const fn check(op: &Op) {
    let flow = &op.flow;
    if let Some(name) = flow.viewed {
        let Some(index) = operand(op, name) else {
            panic!("a view is of an operand that the operation does not have");
        };
        assert!(
            !op.operands[index].group.count.is_open()
                && !op.results.is_empty()
                && !op.results[0].group.count.is_open(),
            "a view has a result, and is of one operand"
        );
    }
    if let Some(name) = flow.destinations {
        check_operand(op, name);
    }
    assert!(
        (flow.bufferizes.is_none() && flow.tiling.is_none()) || flow.destinations.is_some(),
        "an operation that is bufferized or tiled needs `Op::writes_to`"
    );
    assert!(
        flow.bufferizes.is_none()
            || op.results.is_empty()
            || (op.results.len() == 1 && op.results[0].group.count.is_open()),
        "on buffers an operation has no results, so that they are one group that may be empty"
    );
    assert!(
        op.infer.is_none() || (flow.bufferizes.is_none() && flow.tiling.is_none()),
        "the results of an operation that is bufferized or tiled have the types of its destinations"
    );
    if let Some(tiling) = &flow.tiling {
        let mut index = 0;
        let mut has_destinations = tiling.indexings.is_empty();
        while index < tiling.indexings.len() {
            let indexing = &tiling.indexings[index];
            assert!(
                operand(op, indexing.operand).is_some(),
                "an indexing names an operand that the operation does not have"
            );
            let mut dimension = 0;
            while dimension < indexing.loops.len() {
                assert!(
                    indexing.loops[dimension] < tiling.loops.len(),
                    "an indexing names a loop that the operation does not have"
                );
                dimension += 1;
            }
            if let Some(name) = flow.destinations {
                has_destinations |= same(name, indexing.operand);
            }
            index += 1;
        }
        assert!(
            has_destinations,
            "an operation that is tiled has an indexing for its destinations"
        );
    }
}

/// With indexes in place of names.
pub(crate) fn resolve(op: &Op) -> Option<Tiling> {
    let tiling = op.flow.tiling?;
    let indexings = tiling.indexings.iter();
    Some(Tiling {
        add: tiling.add,
        reductions: tiling
            .loops
            .iter()
            .map(|one| *one == Loop::Reduction)
            .collect(),
        indexings: indexings
            .filter_map(|one| Some((operand(op, one.operand)?, one.loops.to_vec())))
            .collect(),
    })
}
