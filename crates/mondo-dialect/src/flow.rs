//! What MLIR's passes ask an operation for: effects on memory, control flow, calls and loops. Groups, attributes and
//! regions are named here as in the operation's definition; a name that is not there is an error when the crate is compiled.

use mondo_ir::sdk::{AddInterface, Effect};

use crate::tiling::Loops;

/// An effect of an operation.
#[derive(Debug, Clone, Copy)]
pub struct OpEffect {
    pub(crate) effect: Effect,
    pub(crate) on: Option<&'static str>,
}

impl OpEffect {
    /// An effect on memory that is not known closer.
    #[must_use]
    pub const fn on_everything(effect: Effect) -> Self {
        Self { effect, on: None }
    }

    /// An effect on what the operands or results of that name refer to.
    #[must_use]
    pub const fn on(effect: Effect, name: &'static str) -> Self {
        Self {
            effect,
            on: Some(name),
        }
    }
}

/// A way that control flow may take between an operation and its regions.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    pub(crate) from: Option<&'static str>,
    pub(crate) to: Option<&'static str>,
    pub(crate) operands: Option<&'static str>,
    pub(crate) skipped: usize,
}

impl Way {
    /// From the operation into a region.
    #[must_use]
    pub const fn into(region: &'static str) -> Self {
        Self {
            from: None,
            to: Some(region),
            operands: None,
            skipped: 0,
        }
    }

    /// From the operation behind it, past its regions.
    #[must_use]
    pub const fn past() -> Self {
        Self {
            from: None,
            to: None,
            operands: None,
            skipped: 0,
        }
    }

    /// From the end of a region into one.
    #[must_use]
    pub const fn between(from: &'static str, to: &'static str) -> Self {
        Self {
            from: Some(from),
            to: Some(to),
            operands: None,
            skipped: 0,
        }
    }

    /// From the end of a region behind the operation.
    #[must_use]
    pub const fn out_of(region: &'static str) -> Self {
        Self {
            from: Some(region),
            to: None,
            operands: None,
            skipped: 0,
        }
    }

    /// The operation's operands that become the arguments of the region, or the results.
    #[must_use]
    pub const fn with(mut self, operands: &'static str) -> Self {
        self.operands = Some(operands);
        self
    }

    /// So many of the first arguments or results are not handed on, but made by the operation itself.
    #[must_use]
    pub const fn behind(mut self, skipped: usize) -> Self {
        self.skipped = skipped;
        self
    }
}

/// The interfaces of an operation, by name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flow {
    pub(crate) effects: Option<&'static [OpEffect]>,
    pub(crate) branches: &'static [&'static str],
    pub(crate) ways: &'static [Way],
    pub(crate) forwards: Option<&'static str>,
    pub(crate) call: Option<(Callee, &'static str)>,
    pub(crate) function_type: Option<&'static str>,
    pub(crate) is_function: bool,
    pub(crate) loops: Option<(usize, Option<&'static str>)>,
    pub(crate) viewed: Option<&'static str>,
    pub(crate) destinations: Option<&'static str>,
    pub(crate) bufferizes: Option<AddInterface>,
    pub(crate) tiling: Option<Loops>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Callee {
    Attribute(&'static str),
    Operand(&'static str),
}

impl Flow {
    pub(crate) const NONE: Self = Self {
        effects: None,
        branches: &[],
        ways: &[],
        forwards: None,
        call: None,
        function_type: None,
        is_function: false,
        loops: None,
        viewed: None,
        destinations: None,
        bufferizes: None,
        tiling: None,
    };
}
