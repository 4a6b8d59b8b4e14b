//! Annotations and docstrings of the generated modules, for type checkers and editors.
//!
//! mlir-tblgen annotates properties and the results of functions, and no parameter. The types of the
//! parameters follow from the body of each constructor. They are written as annotations into the
//! modules themselves, in names of the stub `_ods_types.pyi`; no annotation is evaluated at run time.

mod kinds;
mod operations;
mod overridden;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub(super) use overridden::hide_overridden;

use kinds::Kinds;

/// Annotates all generated modules of a bundle, by name.
pub(super) fn annotate(modules: &mut BTreeMap<String, String>) {
    let kinds = Kinds::of(modules.values().map(String::as_str));
    for (name, text) in modules {
        *text = if name.ends_with("_enum_gen") {
            enums(text)
        } else {
            operations::annotate(text, &kinds)
        };
    }
}

/// The module of enums with the results of its methods.
fn enums(text: &str) -> String {
    const IMPORT: &str = "from enum import IntEnum, auto, IntFlag\n";
    let mut out = String::with_capacity(text.len() * 9 / 8);
    let mut class = "";
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("class ") {
            class = rest.split('(').next().unwrap_or(rest);
        }
        match line.trim_start() {
            "def __str__(self):" => out.push_str("    def __str__(self) -> str:"),
            "def __len__(self):" => out.push_str("    def __len__(self) -> int:"),
            "def __iter__(self):" => {
                out.push_str("    def __iter__(self) -> \"_Iterator[");
                out.push_str(class);
                out.push_str("]\":");
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    if out.contains("_Iterator[") {
        let with_iterator = format!("from collections.abc import Iterator as _Iterator\n{IMPORT}");
        out = out.replacen(IMPORT, &with_iterator, 1);
    }
    out
}
