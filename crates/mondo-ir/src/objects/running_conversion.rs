//! A running conversion: what MLIR's driver has to know, and what the current pattern may erase.
//!
//! The driver takes back what a pattern did if that leads to nothing legal. It knows only what its rewriter did, but a
//! pattern may insert operations without the rewriter. They are reported to the driver before it acts again: before each
//! call of the rewriter, and when the pattern returns.

use std::cell::{Cell, RefCell};
use std::ptr::NonNull;
use std::sync::Arc;

use mondo_sys::*;

use super::OpenRewriter;
use super::type_converter::TypeConverter;
use crate::declarations as c;
use crate::nodes::{Block, Op, Region, Value};
use crate::uniqued_handles::Type;
use crate::uniquer::Uniquer;

type Address = NonNull<std::ffi::c_void>;

/// Something that was inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inserted {
    Op(Address),
    Block(Address),
}

/// A conversion that runs. Its functions rely on what the caller of [`convert`](super::FrozenPatterns::convert) has promised.
#[derive(Debug)]
pub struct RunningConversion {
    /// The topmost operation of the tree, which stays as long as the driver runs.
    top: Address,
    /// The operation that the conversion was started on.
    root: Address,
    /// The rewriter of the pattern that runs.
    rewriter: RefCell<Option<Arc<OpenRewriter>>>,
    /// The operations that the pattern may erase: the one that it matched, and those that it has inserted.
    own: RefCell<Vec<Address>>,
    /// What the pattern has inserted and the driver was not told of, in this order.
    untold: RefCell<Vec<Inserted>>,
    /// What converts types of regions for the driver until it ends, with the numbers by which the program knows it.
    converters: RefCell<Vec<(usize, Arc<TypeConverter>)>>,
    /// True while MLIR converts types, for which it may be reading a region.
    converts_types: Cell<bool>,
}

impl RunningConversion {
    /// A conversion of `op` and all that is in it.
    pub fn new(op: Op<'_>) -> Self {
        Self {
            top: op.root().address(),
            root: op.address(),
            rewriter: RefCell::default(),
            own: RefCell::default(),
            untold: RefCell::default(),
            converters: RefCell::default(),
            converts_types: Cell::new(false),
        }
    }

    /// Runs `work`, a pattern that matched `op`, and tells the driver of what it inserted. The rewriter stays open until then.
    pub fn run_pattern<T>(
        &self,
        op: Op<'_>,
        rewriter: &Arc<OpenRewriter>,
        work: impl FnOnce() -> T,
    ) -> T {
        /// Tells the driver, and leaves the pattern, also where it panics.
        struct Leaving<'a> {
            conversion: &'a RunningConversion,
            rewriter: Option<Arc<OpenRewriter>>,
            own: Vec<Address>,
        }
        impl Drop for Leaving<'_> {
            fn drop(&mut self) {
                self.conversion.tell();
                self.conversion.own.replace(std::mem::take(&mut self.own));
                self.conversion.rewriter.replace(self.rewriter.take());
            }
        }

        let _leaving = Leaving {
            conversion: self,
            rewriter: self.rewriter.replace(Some(Arc::clone(rewriter))),
            own: self.own.replace(vec![op.address()]),
        };
        work()
    }

    /// Returns true if a pattern runs, and the driver waits for it.
    pub fn waits(&self) -> bool {
        let rewriter = self.rewriter.borrow();
        !self.converts_types.get() && rewriter.as_ref().is_some_and(|open| open.is_open())
    }

    /// Runs `work`, which converts a type for MLIR. Until it returns, the driver does not wait.
    pub fn convert_type<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.converts_types.replace(true);
        let result = work();
        self.converts_types.set(before);
        result
    }

    /// Returns true if the conversion can be told of changes in the operation: it is in the tree.
    pub fn reaches(&self, op: Op<'_>) -> bool {
        op.root().address() == self.top
    }

    /// Runs `work` with the rewriter, after the driver was told of everything. Returns false if the driver does not wait.
    fn with_driver(&self, work: impl FnOnce(MlirPatternRewriter)) -> bool {
        if !self.waits() {
            return false;
        }
        self.tell();
        let rewriter = self.rewriter.borrow().clone();
        rewriter.is_some_and(|rewriter| rewriter.while_open(work))
    }

    fn tell(&self) {
        let untold = self.untold.take();
        let rewriter = self.rewriter.borrow().clone();
        for one in untold {
            // SAFETY: the rewriter is live while it is open. What was inserted has stayed in its place, and nothing outside of
            // the tree uses it, by the contract of `convert`. The driver is told of it once.
            let tell = |rewriter| unsafe {
                match one {
                    Inserted::Op(op) => mondoConversionInserted(rewriter, Op::at(op).raw()),
                    Inserted::Block(block) => {
                        mondoConversionBlockInserted(rewriter, Block::at(block).raw());
                    }
                }
            };
            rewriter.as_ref().map(|rewriter| rewriter.while_open(tell));
        }
    }

    /// Returns whether an operation is in something that the driver was not told of.
    pub fn is_untold(&self, op: Op<'_>) -> bool {
        let untold = self.untold.borrow();
        let is_in = |op: Op<'_>| {
            let block = c::mlirOperationGetBlock(op).map(Block::address);
            untold.contains(&Inserted::Op(op.address()))
                || block.is_some_and(|block| untold.contains(&Inserted::Block(block)))
        };
        !untold.is_empty() && op.with_ancestors().any(is_in)
    }

    /// Returns whether a block is something that the driver was not told of, or is in it.
    pub fn is_untold_block(&self, block: Block<'_>) -> bool {
        let is_listed = self
            .untold
            .borrow()
            .contains(&Inserted::Block(block.address()));
        let parent = c::mlirBlockGetParentOperation(block);
        is_listed || parent.is_some_and(|op| self.is_untold(op))
    }

    /// Moves a block from a region that the pattern [owns](Self::owns_region) into another region of the tree, before the
    /// block at an index or to the end. Returns false, without doing so, if the driver does not wait.
    pub fn move_block(&self, block: Block<'_>, to: Region<'_>, index: Option<usize>) -> bool {
        let owned = block.region().is_some_and(|from| self.owns_region(from));
        if !owned || !to.parent().is_some_and(|op| self.reaches(op)) {
            return false;
        }
        let before = index.and_then(|index| to.blocks().nth(index));
        let before = MlirBlock {
            ptr: before.map_or(std::ptr::null_mut(), |before| before.raw().ptr),
        };
        // SAFETY: the rewriter, the block and the region are live, and so is the block of that region before which it goes.
        self.with_driver(|rewriter| unsafe {
            mondoConversionMoveBlock(rewriter, block.raw(), to.raw(), before);
        })
    }

    /// Remembers that an operation was inserted.
    pub fn inserted(&self, op: Op<'_>) {
        self.own.borrow_mut().push(op.address());
        if !self.is_untold(op) {
            self.untold.borrow_mut().push(Inserted::Op(op.address()));
        }
    }

    /// Remembers that a block was inserted.
    pub fn block_inserted(&self, block: Block<'_>) {
        let parent = c::mlirBlockGetParentOperation(block);
        if !parent.is_some_and(|op| self.is_untold(op)) {
            let block = Inserted::Block(block.address());
            self.untold.borrow_mut().push(block);
        }
    }

    /// Returns whether the pattern may erase or replace an operation: it is the one that it matched, or one that it has
    /// inserted, it is not what is converted as a whole, and was neither erased nor replaced.
    pub fn owns(&self, op: Op<'_>) -> bool {
        op.address() != self.root && self.own.borrow().contains(&op.address())
    }

    /// Returns whether a region is in an operation that the pattern matched, or that it has inserted.
    pub fn owns_region(&self, region: Region<'_>) -> bool {
        let addresses = self.own.borrow();
        let mut around = region.parent().into_iter().flat_map(Op::with_ancestors);
        around.any(|op| addresses.contains(&op.address()))
    }

    /// Removes an operation, and what is in it, from those that the pattern may erase.
    fn disown(&self, gone: Op<'_>) {
        self.own.borrow_mut().retain(|one| {
            // SAFETY: what the pattern may erase stays in its place until the pattern has returned.
            let one = unsafe { Op::at(*one) };
            one.with_ancestors().all(|op| op != gone)
        });
    }

    /// Tells the driver that an operation, which is [reached](Self::reaches), is about to be changed in place. Returns false,
    /// without doing so, if the driver does not wait.
    pub fn modifies(&self, op: Op<'_>) -> bool {
        self.reaches(op)
            // SAFETY: the rewriter is live, and the driver keeps all operations of the tree until the patterns have run.
            && self.with_driver(|rewriter| unsafe { mondoConversionModifies(rewriter, op.raw()) })
    }

    /// Replaces the results of an operation that the pattern [owns](Self::owns), and erases it in the end. Returns false,
    /// without doing so, if the driver does not wait, if there are not as many values as results, or if a value does not
    /// [come before](Value::dominates) the operation. An argument of a block that was taken out is taken as well.
    pub fn replace(&self, op: Op<'_>, values: &[Value<'_>]) -> bool {
        let fits = |value: &Value<'_>| {
            let taken_out = value.block().is_some_and(|block| block.region().is_none());
            taken_out || value.dominates(op)
        };
        if !self.owns(op) || op.results().count() != values.len() || !values.iter().all(fits) {
            return false;
        }
        self.with_driver(|rewriter| {
            self.disown(op);
            // SAFETY: the rewriter is live, and so are the operation and as many values as it has results. As each comes
            // before what it replaces, the driver does not follow replacements in a circle.
            unsafe {
                let base = mlirPatternRewriterAsBase(rewriter);
                let count = values.len() as isize;
                mlirRewriterBaseReplaceOpWithValues(base, op.raw(), count, values.as_ptr().cast());
            }
        })
    }

    /// Erases an operation that the pattern [owns](Self::owns) in the end. The conversion fails if something uses its results
    /// then. Returns false, without doing so, if the driver does not wait.
    pub fn erase(&self, op: Op<'_>) -> bool {
        self.owns(op)
            && self.with_driver(|rewriter| {
                self.disown(op);
                // SAFETY: the rewriter and the operation are live.
                unsafe { mondoConversionErases(rewriter, op.raw()) };
            })
    }

    /// Converts the types of the arguments of the blocks of a region that the pattern [owns](Self::owns_region), by the
    /// closure that `make` returns. The program knows the closure by a number, and `make` is called once for each. Returns
    /// false if there is no type for one of them, or if the driver does not wait.
    pub fn convert_region<F>(
        &self,
        region: Region<'_>,
        number: usize,
        make: impl FnOnce() -> F,
    ) -> bool
    where
        F: for<'ctx> Fn(Uniquer<'ctx>, Type<'ctx>) -> Option<Type<'ctx>> + Send + Sync + 'static,
    {
        if !self.owns_region(region) {
            return false;
        }
        let known = |one: &&(usize, _)| one.0 == number;
        let known = self
            .converters
            .borrow()
            .iter()
            .find(known)
            .map(|one| Arc::clone(&one.1));
        let converter = known.unwrap_or_else(|| {
            let converter = Arc::new(TypeConverter::new(make()));
            self.converters
                .borrow_mut()
                .push((number, Arc::clone(&converter)));
            converter
        });
        let mut done = false;
        self.with_driver(|rewriter| {
            let types = converter.raw();
            // SAFETY: the rewriter and the region are live, and the converter lives as long as this conversion.
            done = self.convert_type(|| unsafe {
                mondoConversionConvertRegion(rewriter, region.raw(), types)
            });
        });
        done
    }
}

impl Value<'_> {
    /// Returns true if an operation comes after the value, where it can use it.
    pub fn dominates(self, op: Op<'_>) -> bool {
        // SAFETY: both are live, by their brand.
        unsafe { mondoValueDominates(self.raw(), op.raw()) }
    }
}
