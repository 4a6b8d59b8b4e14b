//! Walks over trees.

use std::vec::IntoIter;

use crate::handle::{Block, Op, Region};

/// The order of a walk.
///
/// ```
/// # use mondo_ir::{Context, Module, Walk, WalkOrder};
/// Context::new().enter(|ctx, ir| {
///     let text = "func.func @f() { return } func.func @g() { return }";
///     let module = Module::parse(ctx, text).unwrap();
///     let mut names = Vec::new();
///     module.op(ir).walk(WalkOrder::Post, |op| {
///         names.push(op.name());
///         Walk::Advance
///     });
///     assert_eq!(names, ["func.return", "func.func", "func.return", "func.func", "builtin.module"]);
/// });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalkOrder {
    /// An operation before what is in it.
    Pre,
    /// An operation after what is in it.
    Post,
}

/// The next step of a walk after an operation.
///
/// ```
/// # use mondo_ir::{Context, Module, Walk, WalkOrder};
/// Context::new().enter(|ctx, ir| {
///     let text = "func.func @f() { return } func.func @g() { return }";
///     let module = Module::parse(ctx, text).unwrap();
///     let mut names = Vec::new();
///     module.op(ir).walk(WalkOrder::Pre, |op| {
///         names.push(op.name());
///         if op.name() == "func.func" { Walk::Stop } else { Walk::Advance }
///     });
///     assert_eq!(names, ["builtin.module", "func.func"]);
/// });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// Goes on.
    Advance,
    /// Goes on, but not to what is in the operation. After it, in post-order, that is behind already.
    Skip,
    /// Ends.
    Stop,
}

/// A part of a walk that has not ended.
enum Step<'call, 'ctx> {
    Op(Op<'call, 'ctx>),
    Regions(IntoIter<Region<'call, 'ctx>>),
    Blocks(IntoIter<Block<'call, 'ctx>>),
    Ops(IntoIter<Op<'call, 'ctx>>),
    After(Op<'call, 'ctx>),
}

impl<'call, 'ctx> Op<'call, 'ctx> {
    /// Calls the closure with the operation and everything in it. It may change the tree: each block's
    /// operations are listed when the walk comes to the block, and what is erased stays readable.
    ///
    /// Returns true if the closure ended the walk. A panic of the closure comes to the caller as from any loop: the walk is Rust, so that
    /// it unwinds through no C++, and each step leaves the tree whole.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module, Walk, WalkOrder};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func private @a() func.func private @b()";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     module.op(ir).walk(WalkOrder::Post, |op| {
    ///         if op.name() == "func.func" {
    ///             op.erase().unwrap();
    ///         }
    ///         Walk::Advance
    ///     });
    ///     assert!(module.body(ir).first().is_none());
    /// });
    /// ```
    pub fn walk(self, order: WalkOrder, mut visit: impl FnMut(Op<'call, 'ctx>) -> Walk) -> bool {
        // A list in place of a recursion, which would be as deep as the tree.
        let mut open = vec![Step::Op(self)];
        while let Some(step) = open.last_mut() {
            match step {
                Step::Op(op) => {
                    let op = *op;
                    open.pop();
                    if order == WalkOrder::Pre {
                        match visit(op) {
                            Walk::Advance => {}
                            Walk::Skip => continue,
                            Walk::Stop => return true,
                        }
                    } else {
                        open.push(Step::After(op));
                    }
                    open.push(Step::Regions(op.regions().into_iter()));
                }
                Step::Regions(regions) => match regions.next() {
                    Some(region) => open.push(Step::Blocks(region.blocks().into_iter())),
                    None => drop(open.pop()),
                },
                Step::Blocks(blocks) => match blocks.next() {
                    Some(block) => open.push(Step::Ops(block.operations().into_iter())),
                    None => drop(open.pop()),
                },
                Step::Ops(ops) => match ops.next() {
                    Some(op) => open.push(Step::Op(op)),
                    None => drop(open.pop()),
                },
                Step::After(op) => {
                    let op = *op;
                    open.pop();
                    if visit(op) == Walk::Stop {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Adds the operation and everything in it to the list.
    pub(crate) fn descend(self, all: &mut Vec<Op<'call, 'ctx>>) {
        self.walk(WalkOrder::Pre, |op| {
            all.push(op);
            Walk::Advance
        });
    }
}
