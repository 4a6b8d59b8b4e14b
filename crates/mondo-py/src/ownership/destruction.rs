//! The destructors of trees and of the wrappers of operations. A tree destroys the IR that it owns; an
//! operation's wrapper frees the dormant wrappers that depend on it.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use mondo_ir::declarations as c;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::interop::attachment::attached;
use crate::ownership::cross_tree_uses;
use crate::ownership::module::Module;
use crate::ownership::operation::{Observed, OperationBase};
use crate::ownership::owner;
use crate::ownership::region::{self, Region};
use crate::ownership::tree::{self, Node, Root, Tree};
use crate::ownership::value::Value;
use crate::ownership::wrapper::{self, Cause, because, reclaim};

impl Tree {
    /// Fails if an operation outside of the tree uses its values or blocks. Passes do not know of such a use;
    /// when its operation is destroyed later, it would unlink itself from a value that a pass has freed.
    pub(crate) fn refuse_loose_uses(&self) -> PyResult<()> {
        if !self.context().get().has_open_trees() {
            return Ok(());
        }
        let roots = self.roots();
        let used = roots.iter().any(|root| {
            let is_used = |node: Node<'_>| match node {
                Node::Operation(op) => cross_tree_uses::is_used_outside(op),
                Node::Block(_) | Node::Region(_) => false,
            };
            root.look(is_used).unwrap_or(false)
        });
        if used {
            return Err(PyRuntimeError::new_err(
                "an operation that was detached or cloned uses values or blocks of this tree; erase \
                 it before passes run",
            ));
        }
        Ok(())
    }

    /// Moves each root that another tree uses to that tree, until nothing outside uses the remaining ones.
    fn hand_over(py: Python<'_>, roots: &mut Vec<Arc<Root>>) {
        loop {
            let family: Vec<_> = roots.iter().map(|root| root.raw()).collect();
            let found = roots.iter().enumerate().find_map(|(index, root)| {
                let user_tree = |node: Node<'_>| {
                    let user = cross_tree_uses::find_user_outside(node, &family)?;
                    owner::root_of(user)?.tree(py)
                };
                Some((index, root.look(user_tree)??))
            });
            let Some((index, tree)) = found else { return };
            let root = roots.swap_remove(index);
            root.tree.store(tree.as_ptr(), Ordering::Release);
            tree.get().open();
            tree.get().roots().push(root);
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let mut roots = std::mem::take(&mut *self.roots());
        roots.retain(|root| {
            root.tree.store(ptr::null_mut(), Ordering::Release);
            root.look(has_parent) == Some(false)
        });
        self.retained().close();
        let used_elsewhere = self.context().get().has_open_trees();
        self.close();
        if roots.is_empty() {
            return;
        }
        attached(|py| {
            let nowhere = used_elsewhere.then(|| {
                Self::hand_over(py, &mut roots);
                cross_tree_uses::drop_all(&roots)
            });
            because(Cause::Dropped, || {
                for root in roots.drain(..).rev() {
                    root.look(destroy);
                    root.forget();
                }
            });
            drop(nowhere);
            reclaim(py);
        });
    }
}

/// Destroys a root that the tree owns. It has no parent, and nothing outside of the tree uses its values or
/// blocks.
fn destroy(node: Node<'_>) {
    // SAFETY: `Root::look` passes a live node, and `Tree::drop`, the only caller, owns it and calls this once
    // for each root. The handle ends with this function.
    unsafe {
        match node {
            Node::Operation(op) => {
                let apart = cross_tree_uses::part_regions(op);
                op.destroy();
                drop(apart);
            }
            Node::Block(block) => block.destroy(),
            Node::Region(region) => {
                wrapper::abandon::<Region>(region::forget(region.address().as_ptr()));
                region.destroy();
            }
        }
    }
}

/// Returns whether other code gave a root a parent, and so owns it now.
fn has_parent(node: Node<'_>) -> bool {
    match node {
        Node::Operation(op) => c::mlirOperationGetBlock(op).is_some(),
        Node::Block(block) => block.region().is_some(),
        Node::Region(region) => region.parent().is_some(),
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        tree::set_root(&self.member.node, None);
        // SAFETY: a wrapper is freed only after its operation was destroyed. The places `view`, `first_result`
        // and `dependents` have the only pointers to the dormant dependents, and end here; their keys say the
        // classes.
        unsafe {
            wrapper::abandon::<OperationBase>(*self.view.get_mut());
            self.first_result.empty_out::<Value>();
            if let Some(others) = self.dependents.get_mut().take() {
                others.module.empty_out::<Module>();
                for result in others.results {
                    result.empty_out::<Value>();
                }
                for region in others.regions {
                    region.empty_out::<Region>();
                }
            }
        }
    }
}
