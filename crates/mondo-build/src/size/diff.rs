//! `--diff`: what grew from one wheel to another.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;

use super::contents::{Kind, Sizes, short};
use super::mega;

/// The differences between two wheels.
#[derive(Debug, Serialize)]
pub struct Diff {
    /// Bytes of the two wheels.
    pub wheel: (u64, u64),
    /// Bytes of the two once installed.
    pub installed: (u64, u64),
    /// Largest difference first, for each kind of part.
    pub changes: Vec<Change>,
    /// Facts that are not known of one of the wheels.
    pub notes: Vec<String>,
}

/// A part that is not as large as it was, or is new, or is gone.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The sort of part.
    pub kind: Kind,
    /// Its path.
    pub name: String,
    /// Its bytes before, or none if it is new.
    pub before: Option<u64>,
    /// Its bytes after, or none if it is gone.
    pub after: Option<u64>,
}

impl Change {
    fn by(&self) -> i128 {
        i128::from(self.after.unwrap_or_default()) - i128::from(self.before.unwrap_or_default())
    }
}

/// Compares two wheels.
#[must_use]
pub fn diff(before: &Sizes, after: &Sizes) -> Diff {
    let mut changes = Vec::new();
    let mut notes: BTreeSet<String> = before.notes.iter().chain(&after.notes).cloned().collect();
    let files = [before, after].map(|sizes| sizes.tree.by_path(Kind::File));
    if !files[0].keys().any(|name| files[1].contains_key(name)) {
        notes.insert("the wheels have no file in common".to_owned());
    }
    // Without a link map, the tree of a library has nodes of other kinds. If only one wheel has one, these kinds are
    // not compared, since every node would count as added or removed.
    let known = |sizes: &Sizes| !sizes.tree.by_path(Kind::Dialect).is_empty();
    let kinds: &[Kind] = if known(before) == known(after) {
        &[
            Kind::File,
            Kind::Dialect,
            Kind::Archive,
            Kind::Member,
            Kind::Section,
            Kind::Symbol,
        ]
    } else {
        notes.insert(
            "only files are compared, because the parts of the library are known for only one \
             of the wheels"
                .to_owned(),
        );
        &[Kind::File]
    };
    for kind in kinds.iter().copied() {
        let (old, new) = (before.tree.by_path(kind), after.tree.by_path(kind));
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        let changed = names.into_iter().map(|name| Change {
            kind,
            name: name.clone(),
            before: old.get(name).copied(),
            after: new.get(name).copied(),
        });
        let mut changed: Vec<Change> = changed
            .filter(|change| change.before != change.after)
            .collect();
        changed.sort_by_key(|change| std::cmp::Reverse(change.by().unsigned_abs()));
        changes.extend(changed);
    }
    Diff {
        wheel: (packed(before), packed(after)),
        installed: (before.tree.bytes, after.tree.bytes),
        changes,
        notes: notes.into_iter().collect(),
    }
}

fn packed(sizes: &Sizes) -> u64 {
    sizes.tree.packed.unwrap_or_default()
}

/// The number of changes of a kind that the table shows.
const SHOWN: usize = 12;

impl Diff {
    /// The table for the terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (what, (before, after)) in [("wheel", self.wheel), ("installed", self.installed)] {
            let by = i128::from(after) - i128::from(before);
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "{what}: {} → {} ({})",
                mega(before),
                mega(after),
                signed(by)
            );
        }
        let mut last = None;
        let mut shown = 0;
        for change in &self.changes {
            if last != Some(change.kind) {
                last = Some(change.kind);
                shown = 0;
            }
            shown += 1;
            if shown > SHOWN {
                continue;
            }
            let state = match (change.before, change.after) {
                (None, _) => ", new",
                (_, None) => ", gone",
                _ => "",
            };
            let name = short(&change.name, change.kind);
            let _ = writeln!(text, "  {:>13}  {name}{state}", signed(change.by()));
        }
        for note in &self.notes {
            let _ = writeln!(text, "note: {note}");
        }
        text
    }
}

fn signed(by: i128) -> String {
    let sign = if by < 0 { '-' } else { '+' };
    let bytes = u64::try_from(by.unsigned_abs()).unwrap_or(u64::MAX);
    format!("{sign}{}", mega(bytes))
}
