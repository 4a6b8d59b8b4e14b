//! `abi3`: an extension uses only what the stable ABI of its CPython has.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{count, unresolved::is_python};
use crate::{Finding, Image, Offender, Policy, Role, Rule, RuleId, Severity};

pub(crate) const RULE: Rule = Rule {
    title: "an abi3 extension keeps to the stable ABI",
    why: "A wheel tagged abi3 is installed on every later CPython. A function outside the stable \
          ABI, or younger than the wheel's CPython, may be missing or behave otherwise there.",
    fix: "use the function's stable counterpart, or raise the CPython floor (PyO3: abi3-py3xx)",
};

/// Name to the minor version of the first CPython 3 that has it in its stable ABI; 10 also stands
/// for everything older.
static STABLE: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    include_str!("../../data/abi3.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let (name, added) = line.split_once(" 3.")?;
            Some((name, added.parse().ok()?))
        })
        .collect()
});

pub(crate) fn check(image: &Image<'_>, policy: &Policy) -> Option<Finding> {
    let (3, floor) = policy.abi3? else {
        return None;
    };
    if !matches!(image.role, Role::Extension { .. }) {
        return None;
    }
    let outside: Vec<Offender> = image
        .facts
        .imports
        .iter()
        .filter(|import| is_python(import.name))
        .filter_map(|import| match STABLE.get(import.name) {
            None => Some(Offender::new(import.name, "not in the stable ABI")),
            Some(&added) if added > floor.max(10) => Some(Offender::new(
                import.name,
                format!("in the stable ABI since 3.{added}"),
            )),
            Some(_) => None,
        })
        .collect();
    (!outside.is_empty()).then(|| {
        let what = format!(
            "uses {} outside the stable ABI of CPython 3.{floor}",
            count(outside.len(), "name", "names")
        );
        Finding::new(RuleId::Abi3, Severity::Error, image.facts.name, what).about(outside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_whole() {
        let lines = include_str!("../../data/abi3.txt").lines();
        let names = lines.filter(|line| !line.starts_with('#')).count();
        assert_eq!(STABLE.len(), names);
        assert_eq!(STABLE.get("PyType_FromSpec"), Some(&10));
        assert_eq!(STABLE.get("PyObject_GetBuffer"), Some(&11));
        assert_eq!(STABLE.get("PyList_GetItemRef"), Some(&13));
    }
}
