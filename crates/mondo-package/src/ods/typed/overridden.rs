//! Names that a module written by hand defines in place of generated ones.

use std::collections::{BTreeMap, BTreeSet};

/// Modules written by hand, by their path below the folder of dialects, with their text.
pub(in super::super) type ByHand = BTreeMap<String, String>;

/// Takes out of the generated modules, as type checkers see them, the names that a module by hand
/// imports by `*` and that are defined again after that. Checkers do not agree on which of two
/// definitions counts; at run time it is the later one.
pub(in super::super) fn hide_overridden(
    generated: &mut BTreeMap<String, String>,
    by_hand: &ByHand,
) {
    let mut hidden: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (path, text) in by_hand {
        let mut imported: BTreeSet<String> = BTreeSet::new();
        for line in text.lines() {
            let mut defined = BTreeSet::new();
            if let Some(module) = star_import(line) {
                let name = module.trim_start_matches('.');
                if generated.contains_key(name) {
                    imported.insert(name.to_owned());
                } else if let Some(path) = resolve(path, module, by_hand) {
                    exported(path, by_hand, &mut defined);
                }
            }
            defined.extend(defines(line));
            for module in &imported {
                let names = hidden.entry(module.clone()).or_default();
                names.extend(defined.iter().copied());
            }
        }
    }
    for (module, names) in &hidden {
        if let Some(text) = generated.get_mut(module) {
            hide(text, names);
        }
    }
}

/// Appends an `__all__` without the names of `hidden` to a module. Only type checkers see it.
fn hide(text: &mut String, hidden: &BTreeSet<&str>) {
    let public: BTreeSet<&str> = text.lines().filter_map(defines).collect();
    if public.is_disjoint(hidden) {
        return;
    }
    let kept: Vec<String> = public
        .difference(hidden)
        .map(|name| format!("\"{name}\""))
        .collect();
    let kept = kept.join(", ");
    // A module of enums has no other use for `typing`.
    let import = if text.contains("import typing as _typing\n") {
        ""
    } else {
        "import typing as _typing\n\n"
    };
    let list = format!("\n{import}if _typing.TYPE_CHECKING:\n    __all__ = [{kept}]\n");
    text.push_str(&list);
}

/// The module of a line that imports all of it, with its dots.
fn star_import(line: &str) -> Option<&str> {
    let module = line.trim_start().strip_prefix("from ")?;
    module.strip_suffix(" import *")?.strip_prefix('.')
}

/// The path of the module that is imported by what follows the first dot.
fn resolve<'a>(importer: &str, module: &str, by_hand: &'a ByHand) -> Option<&'a str> {
    let name = module.trim_start_matches('.');
    let mut folder: Vec<&str> = importer.split('/').collect();
    for _ in 0..=module.len() - name.len() {
        folder.pop()?;
    }
    folder.extend(name.split('.'));
    let path = folder.join("/");
    let candidates = [format!("{path}.py"), format!("{path}/__init__.py")];
    let found = candidates
        .iter()
        .find_map(|candidate| by_hand.get_key_value(candidate));
    found.map(|(path, _)| path.as_str())
}

/// Adds the public names of a module by hand, and of those that it passes on.
fn exported<'a>(path: &str, by_hand: &'a ByHand, into: &mut BTreeSet<&'a str>) {
    let Some(text) = by_hand.get(path) else {
        return;
    };
    for line in text.lines() {
        into.extend(defines(line));
        let passed_on = star_import(line).and_then(|module| resolve(path, module, by_hand));
        if let Some(module) = passed_on
            && module != path
        {
            exported(module, by_hand, into);
        }
    }
}

/// The public class, function or variable that a line of a module begins to define.
fn defines(line: &str) -> Option<&str> {
    let begins = ["class ", "def "]
        .into_iter()
        .find(|keyword| line.starts_with(keyword));
    let rest = &line[begins.map_or(0, str::len)..];
    let length = rest
        .find(|character: char| character != '_' && !character.is_alphanumeric())
        .unwrap_or(0);
    let (name, after) = rest.split_at(length);
    let is_defined = begins.is_some() || after.starts_with(" = ") || after.starts_with(": ");
    (is_defined && !name.is_empty() && !name.starts_with('_')).then_some(name)
}
