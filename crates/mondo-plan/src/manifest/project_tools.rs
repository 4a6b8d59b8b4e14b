//! The key `tools` of a project: its programs that the bundle has.

use std::collections::BTreeMap;

use mondo_core::error::{ErrorKind, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::Document;
use crate::names::{COMMAND_HELP, is_command};
use crate::spanned::Spanned;

/// The form in which a bundle has a program of a project.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ProjectTool {
    /// A tool of the bundle in its place.
    Tool(String),
    /// The program itself.
    Own(OwnProgram),
}

/// A program of a project that is linked into the bundle's library.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OwnProgram {
    /// The name of the command that the wheel installs.
    pub command: String,
}

/// Checks the names of the programs and of their commands.
pub(super) fn check(
    tools: &BTreeMap<String, Spanned<ProjectTool>>,
    source: &Document,
) -> Result<()> {
    for (program, tool) in tools {
        if program.is_empty() || program.starts_with('.') || program.contains('/') {
            let what = format!("invalid program name in `project.tools`: `{program}`");
            return Err(source
                .error(ErrorKind::Manifest, tool.span(), what)
                .help("use the program's name in the tests: `{ toy-opt = \"opt\" }`"));
        }
        if let ProjectTool::Own(OwnProgram { command }) = tool.get_ref()
            && !is_command(command)
        {
            let what = format!("invalid command name in `project.tools`: `{command}`");
            return Err(source
                .error(ErrorKind::Manifest, tool.span(), what)
                .help(COMMAND_HELP));
        }
    }
    Ok(())
}
