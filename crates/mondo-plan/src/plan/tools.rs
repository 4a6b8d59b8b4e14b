//! MLIR's tools of a bundle: which of them, under which names, with which translations.

use std::collections::{BTreeMap, BTreeSet};

use mondo_core::error::Result;

use super::PlannedTool;
use super::resolve::Planner;
use super::selection::{Selection, sorted};

/// The header of the function that runs them, which a bundle without tools has not.
const HEADER: &str = "mondo_tools.h";

/// The tool that has translations.
const TRANSLATE: &str = "translate";

/// The headers that a bundle has for its tools.
pub(super) fn headers(tools: &[PlannedTool]) -> Vec<String> {
    let header = tools.first().map(|_| HEADER.to_owned());
    header.into_iter().collect()
}

impl<'a> Planner<'a> {
    /// The tools that the manifest names; `@all` are those whose archives LLVM's packages have.
    pub(super) fn tools(&self) -> Result<Vec<PlannedTool>> {
        let known = &self.release.tools;
        let words = &self.manifest.tools;
        let (none, nowhere) = (BTreeMap::new(), BTreeSet::new());
        let chosen = self.select("tool", words, known, &none, &nowhere)?;
        let label = self.manifest.label.as_deref().unwrap_or("mlir");
        let asked_for = |name: &str| words.iter().any(|word| word.get_ref() == name);
        Ok(known
            .iter()
            .filter(|(name, tool)| {
                chosen.names.contains(*name) && (tool.packaged || asked_for(name))
            })
            .map(|(name, tool)| PlannedTool {
                name: (*name).to_owned(),
                command: format!("{}-{name}", label.replace('_', "-")),
                archive: tool.archive.clone(),
            })
            .collect())
    }

    /// The translations of the tool for them: those between what the bundle has.
    pub(super) fn tool_translations(
        &self,
        tools: &[PlannedTool],
        dialects: &Selection<'_>,
        translations: &Selection<'_>,
    ) -> Vec<String> {
        if !tools.iter().any(|tool| tool.name == TRANSLATE) {
            return Vec::new();
        }
        let known = self.release.tool_translations.iter();
        let present = known.filter(|it| {
            let translation = it.translation.as_ref();
            dialects.has_all(&it.dialects)
                && translation.is_none_or(|it| translations.names.contains(it.get_ref().as_str()))
        });
        sorted(present.map(|it| it.register.clone()).collect())
    }
}
