//! The commands of MLIR's tools in a wheel: console scripts over one Python module.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mondo_core::error::Result;
use mondo_plan::plan::Plan;

use crate::wheel::Stage;

/// The module that runs the tools, below the import root.
const MODULE: &str = "_tools";

/// Command to entry point: `mlir-opt` to `mlir._tools:opt`.
#[must_use]
pub fn commands(plan: &Plan) -> BTreeMap<String, String> {
    let entry = |name: &str| {
        let root = &plan.identity.import_root;
        format!("{root}.{MODULE}:{}", name.replace('-', "_"))
    };
    let tools = plan.tools.iter();
    tools
        .map(|tool| (tool.command.clone(), entry(&tool.name)))
        .collect()
}

/// Adds the console scripts of the plan's tools to a wheel whose Python files are staged below `root`;
/// a bundle without tools is without their module.
///
/// # Errors
/// `ErrorKind::Wheel` where the wheel's name is not one.
pub(crate) fn stage(plan: &Plan, stage: &mut Stage, root: &str) -> Result<()> {
    let commands = commands(plan);
    if commands.is_empty() {
        let module = format!("{root}/{MODULE}.py");
        stage.entries.retain(|entry| entry.path != module);
        return Ok(());
    }
    let mut text = String::from("[console_scripts]\n");
    for (command, entry) in commands {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{command} = {entry}");
    }
    let dist_info = plan.metadata.dist_info()?;
    stage.bytes(format!("{dist_info}/entry_points.txt"), text);
    Ok(())
}
