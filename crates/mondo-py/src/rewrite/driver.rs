//! How each driver of patterns is run: greedily, by a walk, or as a conversion.

use mondo_ir::nodes::Op;
use pyo3::prelude::*;

use crate::interop::interrupts;
use crate::ownership::context::{Context, require_same};
use crate::ownership::node_access::InTree;
use crate::ownership::operation::OperationBase;
use crate::ownership::reentrancy;
use crate::ownership::wrapper::{self, Cause};

use super::drive::{Drive, Kind};
use super::frozen::FrozenRewritePatternSet;

/// Fails unless a driver can apply the patterns to the operation. Returns the operation's context.
pub(super) fn check(
    py: Python<'_>,
    base: &OperationBase,
    set: &FrozenRewritePatternSet,
) -> PyResult<Py<Context>> {
    base.read(py, |_| ())?;
    let context = base.context_of(py)?;
    if let Some(wanted) = set.context() {
        require_same(wanted, &context, "operation")?;
    }
    base.read(py, |op| reentrancy::refuse_run(context.get(), op))??;
    base.tree(py)?.get().refuse_loose_uses()?;
    Ok(context)
}

/// Runs `work`, a driver that [`check`] has found to be possible. Fails with the first exception of a pattern.
pub(super) fn run<T>(
    py: Python<'_>,
    base: &OperationBase,
    context: &Py<Context>,
    kind: Kind,
    work: impl for<'ctx> FnOnce(InTree<'_, 'ctx>, Op<'ctx>) -> T,
) -> PyResult<T> {
    let (result, raised, drive) = base.enter(py, |at, op| {
        let drive = Drive::enter(op, kind);
        // In a conversion, operations can be inserted anywhere in the tree, so that all of it stays.
        let kept = match kind {
            Kind::Conversion => op.root(),
            Kind::Greedy | Kind::Walk => op,
        };
        // `run_alone` keeps other threads from the context when patterns written in Python release the interpreter.
        let (result, interrupted) = context.get().run_alone(|| {
            interrupts::watch(py, *at.ctx(), true, || {
                reentrancy::drive(kept, || wrapper::because(Cause::Rewrite, || work(at, op)))
            })
        });
        Ok((result, interrupted.or(drive.leave()), drive))
    })?;
    drive.clean_up(py);
    wrapper::reclaim(py);
    match raised {
        Some(error) => Err(error),
        None => Ok(result),
    }
}
