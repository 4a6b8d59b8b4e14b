//! The Python module over which MLIR's tools are commands of a wheel.

use mondo_plan::plan::{Plan, PlannedTool};

use crate::wheel::Stage;

/// Takes the module of the tools from the Python files that are staged below `root`, in a bundle that has none.
pub(crate) fn remove_unused(plan: &Plan, stage: &mut Stage, root: &str) {
    if plan.tools.is_empty() {
        let module = format!("{root}/{}.py", PlannedTool::MODULE);
        stage.entries.retain(|entry| entry.path != module);
    }
}
