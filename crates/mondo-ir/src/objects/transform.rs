//! The interpreter of scripts of the `transform` dialect, and its options.

use std::marker::PhantomData;

use mondo_sys::*;

use crate::c_object::Owned;
use crate::declarations as c;
use crate::nodes::{Loose, Op};

/// The options of the interpreter of scripts.
#[derive(Debug)]
pub struct TransformOptions(Owned<MlirTransformOptions>);

// SAFETY: the options are truth values of their own, which are written through exclusive borrows.
unsafe impl Send for TransformOptions {}
// SAFETY: the options are truth values of their own, which a shared borrow only reads.
unsafe impl Sync for TransformOptions {}

impl Default for TransformOptions {
    fn default() -> Self {
        // SAFETY: the constructor has no precondition, and nothing else owns the new options.
        Self(unsafe { Owned::new(mlirTransformOptionsCreate()) })
    }
}

impl TransformOptions {
    /// Returns true if each step is checked for handles that it made invalid.
    pub fn expensive_checks(&self) -> bool {
        // SAFETY: `Owned` keeps the options alive as long as this.
        unsafe { mlirTransformOptionsGetExpensiveChecksEnabled(self.0.get()) }
    }

    /// Sets that.
    pub fn set_expensive_checks(&mut self, enable: bool) {
        // SAFETY: `Owned` keeps the options alive as long as this.
        unsafe { mlirTransformOptionsEnableExpensiveChecks(self.0.get(), enable) };
    }

    /// Returns true if a script has to begin with an operation that nothing else is beside.
    pub fn single_top_level(&self) -> bool {
        // SAFETY: `Owned` keeps the options alive as long as this.
        unsafe { mlirTransformOptionsGetEnforceSingleTopLevelTransformOp(self.0.get()) }
    }

    /// Sets that.
    pub fn set_single_top_level(&mut self, enable: bool) {
        // SAFETY: `Owned` keeps the options alive as long as this.
        unsafe { mlirTransformOptionsEnforceSingleTopLevelTransformOp(self.0.get(), enable) };
    }
}

/// A run of a script that is not started yet.
#[derive(Debug)]
pub struct ScriptRun<'a> {
    payload: MlirOperation,
    start: MlirOperation,
    module: MlirOperation,
    /// The copy of the script, which is destroyed after the run.
    copy: Option<Owned<MlirOperation>>,
    options: &'a TransformOptions,
    brand: PhantomData<&'a ()>,
}

// SAFETY: MLIR runs scripts in any thread; the caller that starts the run vouches for the rest.
unsafe impl Send for ScriptRun<'_> {}

impl<'a> ScriptRun<'a> {
    /// The run, on `payload`, of the script in `module` that begins with `start`.
    pub fn new(
        payload: Op<'_>,
        start: Op<'_>,
        module: Op<'_>,
        options: &'a TransformOptions,
    ) -> Self {
        Self {
            payload: payload.raw(),
            start: start.raw(),
            module: module.raw(),
            copy: None,
            options,
            brand: PhantomData,
        }
    }

    /// A run of a copy of a script, which begins with the operation at the end of `path`, or `None` if there is no such
    /// operation. The copy is destroyed after the run.
    pub fn of_copy(
        payload: Op<'_>,
        copy: Loose<Op<'_>>,
        path: &[Step],
        options: &'a TransformOptions,
    ) -> Option<Self> {
        let module = copy.node();
        // SAFETY: the copy has no parent, and nobody else has it.
        let owned = unsafe { Owned::new(module.raw()) };
        let mut start = module;
        for (region, block, place) in path {
            let mut blocks = start.region(*region)?.blocks();
            start = blocks.nth(*block)?.operations().nth(*place)?;
        }
        Some(Self {
            copy: Some(owned),
            ..Self::new(payload, start, module, options)
        })
    }

    /// Runs the script. Returns whether it succeeded.
    ///
    /// # Safety
    ///
    /// The operations are live and of one context; the script is in another tree than the payload, or a copy. No other
    /// thread uses them meanwhile, and handles of nodes in the payload's tree are not used afterwards.
    pub unsafe fn start(self) -> bool {
        let module = self.copy.as_ref().map_or(self.module, Owned::get);
        // SAFETY: the options are live; the caller upholds the rest of this contract.
        unsafe {
            mlirTransformApplyNamedSequence(self.payload, self.start, module, self.options.0.get())
                .value
                != 0
        }
    }
}

/// The place of an operation in another one: the numbers of the region, the block and the operation.
pub type Step = (usize, usize, usize);

/// The path from `module` to `op`, or `None` if that is elsewhere.
pub fn path<'ctx>(module: Op<'ctx>, op: Op<'ctx>) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut inner = op;
    while inner != module {
        let outer = c::mlirOperationGetParentOperation(inner)?;
        let step = outer
            .regions()
            .enumerate()
            .find_map(|(region_at, region)| {
                region.blocks().enumerate().find_map(|(block_at, block)| {
                    let place = block.operations().position(|op| op == inner)?;
                    Some((region_at, block_at, place))
                })
            })?;
        steps.push(step);
        inner = outer;
    }
    steps.reverse();
    Some(steps)
}

/// Copies the symbols of `other` into `target`; private ones get other names where they have to. Returns `false` if one of
/// them has no symbol table, or both have a public symbol of one name.
///
/// # Safety
///
/// Both are of one context, and handles of nodes in the target are not used afterwards.
pub unsafe fn merge_symbols(target: Op<'_>, other: Op<'_>) -> bool {
    if !has_symbols(target) || !has_symbols(other) {
        return false;
    }
    // SAFETY: both operations are live, by their brands, and `has_symbols` has found that both have symbol
    // tables.
    unsafe { mlirMergeSymbolsIntoFromClone(target.raw(), other.raw()).value != 0 }
}

/// Returns true if the operation has a symbol table.
pub fn has_symbols(op: Op<'_>) -> bool {
    // SAFETY: the operation is live, and a table that was made is destroyed.
    unsafe {
        let table = mlirSymbolTableCreate(op.raw());
        if table.ptr.is_null() {
            return false;
        }
        drop(Owned::new(table));
        true
    }
}
