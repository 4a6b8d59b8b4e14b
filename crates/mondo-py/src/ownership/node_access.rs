//! Handles of operations, blocks, regions and values during one call, with the lifetime by which mondo-ir
//! tells contexts apart (their *brand*).
//!
//! A wrapper gives its handle to a closure (`read`, `enter`), or within a context that was entered
//! (`within`). Both check that the node is live, and that no other thread runs a pipeline on its context. The
//! closure's brand is unique, so that a handle leaves the closure only as a wrapper or as plain data.
//!
//! No code that could destroy a node runs while a handle is used. Functions that destroy nodes take wrappers
//! instead of handles, and are called outside of closures. Python code can call such functions; it runs in
//! `view`, in `value`, and in `wrap` of types and attributes, which may call a caster. A closure therefore
//! calls these last.

use std::ffi::c_void;
use std::ops::Deref;
use std::ptr::NonNull;

use mondo_ir::nodes;
use pyo3::prelude::*;

use crate::ownership::block::{self, Block};
use crate::ownership::context::{self, Context, Entered, require_same};
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::owner;
use crate::ownership::region::{self, Region};
use crate::ownership::tree::Tree;
use crate::ownership::value::{self, Value};

/// A tree that a call uses, with its context. Its methods return the wrappers of the tree's nodes.
#[derive(Clone, Copy)]
pub(crate) struct InTree<'a, 'ctx> {
    ctx: Entered<'a, 'ctx>,
    tree: &'a Py<Tree>,
}

impl<'a, 'ctx> Deref for InTree<'a, 'ctx> {
    type Target = Entered<'a, 'ctx>;

    #[inline]
    fn deref(&self) -> &Entered<'a, 'ctx> {
        &self.ctx
    }
}

impl<'a, 'ctx> InTree<'a, 'ctx> {
    /// A tree of the context; fails for a tree of another context, with `what` as the noun in the exception.
    #[inline]
    pub(crate) fn of(ctx: Entered<'a, 'ctx>, tree: &'a Py<Tree>, what: &str) -> PyResult<Self> {
        require_same(ctx.object(), tree.get().context(), what)?;
        Ok(Self { ctx, tree })
    }

    /// The tree.
    #[inline]
    pub(crate) fn tree(self) -> &'a Py<Tree> {
        self.tree
    }

    /// The context.
    #[inline]
    pub(crate) fn ctx(self) -> Entered<'a, 'ctx> {
        self.ctx
    }

    /// The wrapper of an operation of the tree.
    #[inline]
    pub(crate) fn operation(self, op: nodes::Op<'ctx>) -> PyResult<Py<OperationBase>> {
        // If the operation were in another tree, its wrapper would keep the wrong tree alive, but memory
        // would stay safe: the hooks report its destruction all the same.
        operation::wrap(self.py(), self.tree, op)
    }

    /// The wrapper of an operation, which may be in another tree if the context has open trees.
    pub(crate) fn operation_anywhere(self, op: nodes::Op<'ctx>) -> PyResult<Py<OperationBase>> {
        if !self.object().get().has_open_trees() {
            return self.operation(op);
        }
        owner::object(self.py(), op)
    }

    /// The view of an operation of the tree.
    #[inline]
    pub(crate) fn view(self, op: nodes::Op<'ctx>) -> PyResult<Py<PyAny>> {
        operation::view(self.py(), self.tree, op)
    }

    /// The wrapper of a block of the tree.
    #[inline]
    pub(crate) fn block(self, block: nodes::Block<'ctx>) -> PyResult<Py<Block>> {
        block::wrap(self.py(), self.tree, block)
    }

    /// The wrapper of a block, which may be in another tree if the context has open trees.
    #[inline]
    pub(crate) fn block_anywhere(self, block: nodes::Block<'ctx>) -> PyResult<Py<PyAny>> {
        owner::wrap_block_in(self.py(), self.tree, block)
    }

    /// The wrapper of a region of the tree.
    pub(crate) fn region(self, region: nodes::Region<'ctx>) -> PyResult<Py<Region>> {
        region::wrap(self.py(), self.tree, region)
    }

    /// The wrapper of a value, of the most specific class for it.
    #[inline]
    pub(crate) fn value(self, value: nodes::Value<'ctx>) -> PyResult<Py<PyAny>> {
        value::wrap(self.py(), self.tree, value)
    }
}

/// Runs `work` with a tree in its context.
///
/// # Safety
///
/// As for [`Entered::checked`].
#[inline]
unsafe fn enter_checked<R>(
    tree: &Bound<'_, Tree>,
    work: impl for<'ctx> FnOnce(InTree<'_, 'ctx>) -> PyResult<R>,
) -> PyResult<R> {
    let py = tree.py();
    let tree = tree.as_unbound();
    // SAFETY: `Entered::checked` has the same contract as this function.
    unsafe { Entered::checked(py, tree.get().context(), |ctx| work(InTree { ctx, tree })) }
}

impl Tree {
    /// Runs `work` with the tree in its context.
    #[inline]
    pub(crate) fn enter<R>(
        tree: &Bound<'_, Self>,
        work: impl for<'ctx> FnOnce(InTree<'_, 'ctx>) -> PyResult<R>,
    ) -> PyResult<R> {
        if context::any_is_running() {
            tree.get().context().get().check_access(tree.py())?;
        }
        // SAFETY: `check_access` has succeeded above, or `any_is_running` was false, and no Python code has
        // run since.
        unsafe { enter_checked(tree, work) }
    }
}

/// The common interface of the wrapper classes of nodes.
pub(crate) trait NodeObject {
    /// The noun for the class in error messages.
    const WHAT: &'static str;

    /// The node's address. The node stays live at least until other Python code runs.
    fn node(&self, py: Python<'_>) -> PyResult<NonNull<c_void>>;

    /// The tree that the node is in.
    fn tree_of<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>>;

    /// The node and its tree.
    #[inline]
    fn node_and_tree<'py>(&self, py: Python<'py>) -> PyResult<(NonNull<c_void>, Bound<'py, Tree>)> {
        Ok((self.node(py)?, self.tree_of(py)?))
    }

    /// The node's address; fails if the node is not of `context`.
    fn node_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<NonNull<c_void>> {
        let (node, tree) = self.node_and_tree(py)?;
        require_same(context, tree.get().context(), Self::WHAT)?;
        Ok(node)
    }
}

/// Implements [`NodeObject`] by the methods of the class, and the methods that give a wrapper's handle:
/// `read`, `enter`, `within`. The method after `by`, if any, returns the address and the tree in one step.
macro_rules! enter {
    ($($class:ident as $node:ident, $what:literal $(by $look:ident)?;)+) => {
        $(impl NodeObject for $class {
            const WHAT: &'static str = $what;

            #[inline]
            fn node(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
                self.get(py)
            }

            #[inline]
            fn tree_of<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
                self.tree(py)
            }

            $(
                #[inline]
                fn node_and_tree<'py>(
                    &self,
                    py: Python<'py>,
                ) -> PyResult<(NonNull<c_void>, Bound<'py, Tree>)> {
                    self.$look(py)
                }
            )?
        }

        impl $class {
            #[doc = concat!("Runs `look` with the ", $what, ", whatever its context is.")]
            #[inline]
            pub(crate) fn read<R>(
                &self,
                py: Python<'_>,
                look: impl for<'ctx> FnOnce(nodes::$node<'ctx>) -> R,
            ) -> PyResult<R> {
                let address = self.get(py)?;
                // SAFETY: `get` has found the node live, the closure runs no code that could destroy it (see
                // the file's header), and its brand is unique, so that the handle does not leave it.
                Ok(look(unsafe { nodes::$node::at(address) }))
            }

            #[doc = concat!("Runs `work` with the ", $what, ", in its tree.")]
            #[inline]
            pub(crate) fn enter<R>(
                &self,
                py: Python<'_>,
                work: impl for<'ctx> FnOnce(InTree<'_, 'ctx>, nodes::$node<'ctx>) -> PyResult<R>,
            ) -> PyResult<R> {
                let (address, tree) = self.node_and_tree(py)?;
                // SAFETY: `node_and_tree` has checked the access and found the node live. The node is of its
                // tree's context, and the closure runs no code that could destroy it (see the file's header).
                unsafe { enter_checked(&tree, |at| work(at, nodes::$node::at(address))) }
            }

            #[doc = concat!("The ", $what, ", in its context.")]
            #[inline]
            pub(crate) fn within<'ctx>(
                &self,
                ctx: Entered<'_, 'ctx>,
            ) -> PyResult<nodes::$node<'ctx>> {
                let address = self.node_in(ctx.py(), ctx.object())?;
                // SAFETY: `node_in` has found the node live and of the context. The callers run no code that
                // could destroy it while they use the handle (see the file's header).
                Ok(unsafe { nodes::$node::at(address) })
            }
        })+
    };
}

/// Implements `look_within`, which returns a wrapper's handle and its tree.
macro_rules! look_within {
    ($($class:ident as $node:ident, $what:literal;)+) => {
        $(impl $class {
            #[doc = concat!("The ", $what, ", in its context, and its tree. A tree that is known to be of the")]
            /// context spares the check of that.
            #[inline]
            pub(crate) fn look_within<'py, 'ctx>(
                &self,
                py: Python<'py>,
                ctx: Entered<'_, 'ctx>,
                known: Option<InTree<'_, 'ctx>>,
                what: &str,
            ) -> PyResult<(nodes::$node<'ctx>, Bound<'py, Tree>)> {
                let (address, tree) = self.node_and_tree(py)?;
                if known.is_none_or(|known| !tree.is(known.tree())) {
                    require_same(ctx.object(), tree.get().context(), what)?;
                }
                // SAFETY: `node_and_tree` has found the node live, and it was checked to be of the context.
                // The callers run no code that could destroy it while they use the handle (see the file's
                // header).
                Ok((unsafe { nodes::$node::at(address) }, tree))
            }
        })+
    };
}

enter! {
    // `look` reads the `Operation` of a view only once.
    OperationBase as Op, "operation" by look;
    Block as Block, "block";
    Region as Region, "region";
    // `look` reads the owner of a value only once.
    Value as Value, "value" by look;
}

look_within! {
    OperationBase as Op, "operation";
    Block as Block, "block";
    Value as Value, "value";
}
