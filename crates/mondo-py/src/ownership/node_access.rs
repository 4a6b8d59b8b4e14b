//! Nodes of trees for the length of a call, with the brand of the Rust API of MLIR.
//!
//! Every object of a node gives its handle to a closure, or within a context that was entered; both check that the
//! node lives, and that no other thread runs a pipeline on it. The closure's brand is its own, so that a handle
//! leaves it only as an object, or as plain data.
//!
//! No code that could destroy a node runs while a handle is used: what destroys nodes takes objects and no handles,
//! and is called outside of closures. Python code, which may call it, runs in `view`, `value`, and in `wrap` of types
//! and attributes, which may call a caster: these come last.

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

/// A tree that a call uses, in its context: makes the objects of its nodes.
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
    /// A tree in a context; fails if it is of another one, with `what` as the noun in the exception.
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

    /// The object of an operation of the tree.
    #[inline]
    pub(crate) fn operation(self, op: nodes::Op<'ctx>) -> PyResult<Py<OperationBase>> {
        // Were it of another tree, its object would refer to the wrong one until it is moved; the hooks report its
        // destruction all the same.
        operation::wrap(self.py(), self.tree, op)
    }

    /// The object of an operation, which may be in another tree if trees are open.
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

    /// The object of a block of the tree.
    #[inline]
    pub(crate) fn block(self, block: nodes::Block<'ctx>) -> PyResult<Py<Block>> {
        block::wrap(self.py(), self.tree, block)
    }

    /// The object of a block, which may be in another tree if trees are open.
    #[inline]
    pub(crate) fn block_anywhere(self, block: nodes::Block<'ctx>) -> PyResult<Py<PyAny>> {
        owner::wrap_block_in(self.py(), self.tree, block)
    }

    /// The object of a region of the tree.
    pub(crate) fn region(self, region: nodes::Region<'ctx>) -> PyResult<Py<Region>> {
        region::wrap(self.py(), self.tree, region)
    }

    /// The object of a value, as the class that fits it best.
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
        // SAFETY: `check_access` has allowed this thread above, and needs no call where no context runs a
        // pipeline.
        unsafe { enter_checked(tree, work) }
    }
}

/// An object of a node: what the classes of nodes have in common.
pub(crate) trait NodeObject {
    /// The noun in messages.
    const WHAT: &'static str;

    /// The node, which is live at least until the interpreter runs other code.
    fn node(&self, py: Python<'_>) -> PyResult<NonNull<c_void>>;

    /// The tree that it is in.
    fn tree_of<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>>;

    /// The node and its tree.
    #[inline]
    fn node_and_tree<'py>(&self, py: Python<'py>) -> PyResult<(NonNull<c_void>, Bound<'py, Tree>)> {
        Ok((self.node(py)?, self.tree_of(py)?))
    }

    /// The node, for something that is to be of `context`.
    fn node_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<NonNull<c_void>> {
        let (node, tree) = self.node_and_tree(py)?;
        require_same(context, tree.get().context(), Self::WHAT)?;
        Ok(node)
    }
}

/// Implements [`NodeObject`] by the methods of the class, and the ways to the handle of an object. A method after
/// `by` finds the node and its tree at once.
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
                // SAFETY: `get` has checked that it is live, and no code runs in the closure that could destroy
                // it; the brand is the closure's own.
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
                // SAFETY: `node_and_tree` has checked the access, and that the node is live. It is of its tree's context,
                // and no code runs in the closure that could destroy it.
                unsafe { enter_checked(&tree, |at| work(at, nodes::$node::at(address))) }
            }

            #[doc = concat!("The ", $what, ", in its context.")]
            #[inline]
            pub(crate) fn within<'ctx>(
                &self,
                ctx: Entered<'_, 'ctx>,
            ) -> PyResult<nodes::$node<'ctx>> {
                let address = self.node_in(ctx.py(), ctx.object())?;
                // SAFETY: `node_in` has checked that it is live and of the context, and no code runs as long as
                // the brand can be used that could destroy it.
                Ok(unsafe { nodes::$node::at(address) })
            }
        })+
    };
}

/// Implements the way to the handle and the tree of an object together.
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
                // SAFETY: `node_and_tree` has checked that it is live; it is of the context, and no code runs as long as
                // the brand can be used that could destroy it.
                Ok((unsafe { nodes::$node::at(address) }, tree))
            }
        })+
    };
}

enter! {
    // The `Operation` of a view is looked for once,
    OperationBase as Op, "operation" by look;
    Block as Block, "block";
    Region as Region, "region";
    // and the owner of a value.
    Value as Value, "value" by look;
}

look_within! {
    OperationBase as Op, "operation";
    Block as Block, "block";
    Value as Value, "value";
}
