//! The adoption of a module without a parent by a new tree. `operation`, `block` and `region` adopt their own
//! nodes.

use mondo_ir::nodes::{Loose, Op};
use pyo3::prelude::*;

use crate::ownership::context::Entered;
use crate::ownership::module;
use crate::ownership::operation;

/// The wrapper of a module that nothing owns yet; a new tree takes ownership.
pub(crate) fn module<'ctx>(
    ctx: Entered<'_, 'ctx>,
    op: Loose<Op<'ctx>>,
) -> PyResult<Py<module::Module>> {
    // The tree is not open: a module is isolated from above, and so uses no values of other trees.
    module::of(ctx.py(), operation::adopt(ctx, op, false)?)
}
