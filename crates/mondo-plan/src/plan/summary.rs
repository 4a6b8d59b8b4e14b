//! The plan as a person reads it.

use std::fmt::Write as _;

use super::Plan;

impl Plan {
    /// A few lines on what the bundle will be; `--json` has all of it.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut text = String::new();
        let mut row = |key: &str, value: String| {
            let value = if value.is_empty() {
                "none".to_owned()
            } else {
                value
            };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{key:<18} {value}");
        };
        let llvm = self
            .llvm
            .exact
            .clone()
            .unwrap_or_else(|| self.llvm.major.to_string());
        row("distribution", self.metadata.distribution.clone());
        row("import root", self.identity.import_root.clone());
        row(
            "library",
            format!("{} ({})", self.identity.soname, self.identity.version_node),
        );
        row("llvm", llvm);
        let dialects: Vec<&str> = self
            .dialects
            .iter()
            .map(|dialect| dialect.name.as_str())
            .collect();
        row("dialects", dialects.join(" "));
        let crates: Vec<&str> = self
            .crates
            .iter()
            .map(|one| one.name.get_ref().as_str())
            .collect();
        row("dialect crates", crates.join(" "));
        let wheels: Vec<&str> = self
            .wheels
            .iter()
            .map(|wheel| wheel.distribution.as_str())
            .collect();
        if self.wheel.single {
            row("further wheels", String::new());
        } else {
            row("further wheels", wheels.join(" "));
        }
        row("pass groups", self.pass_groups.join(" "));
        row("translations", self.translations.join(" "));
        row("code generators", self.llvm_targets.join(" "));
        row("excluded", self.excluded_targets.join(" "));
        row(
            "execution engine",
            if self.execution_engine { "yes" } else { "no" }.into(),
        );
        row("runtime libraries", self.runtime_libraries.join(" "));
        let tools: Vec<&str> = self
            .tools
            .iter()
            .map(|tool| tool.command.as_str())
            .collect();
        row("tools", tools.join(" "));
        row("archives, whole", self.archives.join(" "));
        row(
            "stable ABI",
            format!(
                "CPython {}.{}",
                self.python.minimum.0, self.python.minimum.1
            ),
        );
        row(
            "minimum glibc",
            self.link
                .minimum_glibc
                .map_or_else(|| "any".into(), |minimum| minimum.to_string()),
        );
        for warning in self.warnings() {
            let _ = writeln!(text, "warning: {warning}");
        }
        text.truncate(text.trim_end().len());
        text
    }
}
