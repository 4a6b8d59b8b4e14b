//! The adoption of nodes without a parent: new trees, which own them.

use mondo_ir::nodes::{Loose, Op};
use pyo3::prelude::*;

use crate::ownership::context::Entered;
use crate::ownership::module;
use crate::ownership::operation;

/// The object for a module, which a new tree owns.
pub(crate) fn module<'ctx>(
    ctx: Entered<'_, 'ctx>,
    op: Loose<Op<'ctx>>,
) -> PyResult<Py<module::Module>> {
    // A module uses nothing of other trees.
    module::of(ctx.py(), operation::adopt(ctx, op, false)?)
}
