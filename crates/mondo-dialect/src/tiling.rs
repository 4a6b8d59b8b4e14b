//! The loops of an operation that is tiled.

use mondo_ir::sdk::AddInterface;

/// A loop of an operation that is tiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loop {
    /// Its turns can be run in any order.
    Parallel,
    /// Its turns add to one result.
    Reduction,
}

/// Which of an operation's loops the dimensions of an operand belong to.
#[derive(Debug, Clone, Copy)]
pub struct Indexing {
    pub(crate) operand: &'static str,
    pub(crate) loops: &'static [usize],
}

impl Indexing {
    /// The operands of that name have a dimension for each of these loops.
    #[must_use]
    pub const fn new(operand: &'static str, loops: &'static [usize]) -> Self {
        Self { operand, loops }
    }
}

/// How an operation is tiled. Without indexings it is elementwise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Loops {
    pub(crate) add: AddInterface,
    pub(crate) loops: &'static [Loop],
    pub(crate) indexings: &'static [Indexing],
}
