//! Dialect conversions that run: what Python code may change meanwhile.
//!
//! MLIR's driver takes back what a pattern did if that leads to nothing legal, and [`RunningConversion`] tells it of what
//! Python inserts and changes without its rewriter. What would leave uses of freed memory then is refused here: changes of
//! other kinds, and uses of the tree's values from outside. Inside of what the driver was not told of yet, everything may be
//! changed, as that goes as a whole.

use std::cell::RefCell;
use std::ops::Deref;
use std::ptr;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mondo_ir::nodes::{Block, Loose, Op, Region};
use mondo_ir::objects::RunningConversion;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::ownership::cross_tree_uses;
use crate::ownership::tree::{Node, Tree};

thread_local! {
    /// The conversions that this thread runs, the innermost one last.
    static RUNNING: RefCell<Vec<Rc<Conversion>>> = const { RefCell::new(Vec::new()) };
}

/// The number of running conversions. The list is looked at only if it is not zero.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A running conversion, and the tree that it works on.
pub(crate) struct Conversion {
    tree: Py<Tree>,
    running: RunningConversion,
}

impl Deref for Conversion {
    type Target = RunningConversion;

    fn deref(&self) -> &RunningConversion {
        &self.running
    }
}

impl Conversion {
    /// Runs `work`, a conversion of `op`, which is in `tree`.
    pub(crate) fn run<T>(tree: Py<Tree>, op: Op<'_>, work: impl FnOnce() -> T) -> T {
        let running = RunningConversion::new(op);
        let conversion = Rc::new(Self { tree, running });
        RUNNING.with_borrow_mut(|running| running.push(conversion));
        COUNT.fetch_add(1, Ordering::AcqRel);
        let result = work();
        COUNT.fetch_sub(1, Ordering::AcqRel);
        let ended = RUNNING.with_borrow_mut(Vec::pop);
        drop(ended);
        result
    }

    /// The conversion that works on a tree, if one of this thread does. While another thread runs one, this thread cannot
    /// use the context.
    #[inline]
    pub(crate) fn of(tree: &Tree) -> Option<Rc<Self>> {
        if COUNT.load(Ordering::Acquire) == 0 {
            return None;
        }
        RUNNING.with_borrow(|running| {
            let mut running = running.iter().rev();
            running
                .find(|one| ptr::eq(one.tree.get(), tree))
                .map(Rc::clone)
        })
    }

    /// The innermost conversion of this thread.
    pub(crate) fn current() -> Option<Rc<Self>> {
        RUNNING.with_borrow(|running| running.last().map(Rc::clone))
    }

    fn refuse_insertion(&self, around: Option<Op<'_>>, newcomer: Newcomer<'_, '_>) -> PyResult<()> {
        // A block that the driver has taken out is not in an operation any more.
        if !self.waits() || !around.is_some_and(|around| self.reaches(around)) {
            return Err(in_conversion());
        }
        let is_used = match newcomer {
            Newcomer::Made(regions) => regions.iter().any(|region| {
                let family = [region.node().address().as_ptr()];
                let region = Node::Region(region.node());
                cross_tree_uses::find_user_outside(region, &family).is_some()
            }),
            Newcomer::Copy => false,
            Newcomer::Op(op) => cross_tree_uses::is_used_outside(op),
            Newcomer::Block(block) => cross_tree_uses::block_is_used_outside(block),
        };
        if is_used {
            return Err(PyRuntimeError::new_err(
                "a conversion is under way in this tree: what is inserted in it must not be used outside of it",
            ));
        }
        Ok(())
    }
}

/// Something that is about to be inserted.
#[derive(Clone, Copy)]
pub(crate) enum Newcomer<'a, 'ctx> {
    /// An operation that is about to be made, with these regions.
    Made(&'a [Loose<Region<'ctx>>]),
    /// A copy that is about to be made, or a new block.
    Copy,
    Op(Op<'ctx>),
    Block(Block<'ctx>),
}

impl Tree {
    /// Fails while a diagnostic handler of the context runs, which forbids all changes, and while a conversion works on the
    /// tree.
    pub(crate) fn refuse_change(&self) -> PyResult<()> {
        self.refuse_unless(|_| false)
    }

    /// As [`Self::refuse_change`], for a change inside of `op` only, which is possible while no driver knows of it.
    pub(crate) fn refuse_change_in(&self, op: Op<'_>) -> PyResult<()> {
        self.refuse_unless(|running| running.is_untold(op))
    }

    /// As [`Self::refuse_change_in`], for a change of a block.
    pub(crate) fn refuse_change_of(&self, block: Block<'_>) -> PyResult<()> {
        self.refuse_unless(|running| running.is_untold_block(block))
    }

    /// As [`Self::refuse_change`], but a conversion may permit the change.
    #[inline]
    fn refuse_unless(&self, permits: impl FnOnce(&Conversion) -> bool) -> PyResult<()> {
        self.context().get().refuse_in_handlers()?;
        match Conversion::of(self) {
            Some(running) if !permits(&running) => Err(in_conversion()),
            _ => Ok(()),
        }
    }

    /// Moves a block of the tree into a region of it, if a conversion works on the tree. Returns false if none does.
    pub(crate) fn move_block(
        &self,
        block: Block<'_>,
        to: Region<'_>,
        index: Option<usize>,
    ) -> PyResult<bool> {
        match Conversion::of(self) {
            None => Ok(false),
            Some(running) if running.move_block(block, to, index) => Ok(true),
            Some(_) => Err(PyRuntimeError::new_err(
                "in a conversion, a pattern can only move blocks of the operation that it matched and of those that it has \
                 inserted",
            )),
        }
    }

    /// As [`Self::refuse_change`], for a change of the attributes, operands, successors or location of `op`. A conversion is
    /// told of it.
    #[inline]
    pub(crate) fn modify(&self, op: Op<'_>) -> PyResult<()> {
        self.refuse_unless(|running| running.is_untold(op) || running.modifies(op))
    }

    /// As [`Self::refuse_change`], for putting something into a region of `around`.
    #[inline]
    pub(crate) fn refuse_insertion(
        &self,
        around: Option<Op<'_>>,
        newcomer: Newcomer<'_, '_>,
    ) -> PyResult<()> {
        self.context().get().refuse_in_handlers()?;
        match Conversion::of(self) {
            Some(running) => running.refuse_insertion(around, newcomer),
            None => Ok(()),
        }
    }

    /// Tells a conversion that works on the tree of an operation that was inserted.
    #[inline]
    pub(crate) fn inserted(&self, op: Op<'_>) {
        if let Some(running) = Conversion::of(self) {
            running.inserted(op);
        }
    }

    /// Tells a conversion that works on the tree of a block that was inserted.
    pub(crate) fn block_inserted(&self, block: Block<'_>) {
        if let Some(running) = Conversion::of(self) {
            running.block_inserted(block);
        }
    }

    /// Fails if something in the tree `user`, or in a tree of its own, must not use what is in this tree, because a
    /// conversion could destroy that.
    #[inline]
    pub(crate) fn refuse_user(&self, user: Option<&Self>) -> PyResult<()> {
        if Conversion::of(self).is_none() || user.is_some_and(|user| ptr::eq(user, self)) {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "a conversion is under way in this tree: only an operation that is inserted in it (with rewriter.ip) can use its \
             values and blocks",
        ))
    }
}

#[cold]
#[inline(never)]
pub(crate) fn in_conversion() -> PyErr {
    PyRuntimeError::new_err(
        "a conversion is under way in this tree: a pattern can insert operations and blocks, change operands, attributes \
         and successors, and use the rewriter",
    )
}
