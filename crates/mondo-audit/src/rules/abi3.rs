//! `abi3`: names outside the stable ABI in an extension of an abi3 wheel.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::cpython::{is_python, is_python_dll};
use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::Format;
use crate::input_kind::InputKind;
use crate::policy::{Policy, Role};
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Abi3,
    applies_to: InputKind::IMAGES,
    severity: Severity::Error,
    summary: "an abi3 extension keeps to the stable ABI",
    explanation: "Looks up every CPython name that an extension of an abi3 wheel imports in the \
          table of the stable ABI. An error if the name is not in the table, or was added after \
          the wheel's CPython; if the file name is for one version of CPython; or if, on Windows, \
          the extension imports the DLL of one version instead of python3.dll.",
    rationale: "A wheel tagged abi3 is installed on every later CPython. A function that is \
          outside the stable ABI, or newer than the wheel's CPython, can be missing there or \
          behave differently.",
    remedy: "use the function's stable counterpart, or raise the minimum CPython (PyO3: abi3-py3xx)",
    sources: &[
        "PEP 384 and PEP 652",
        "CPython: Misc/stable_abi.toml, Doc/data/stable_abi.dat",
    ],
    checks: &[Check::LinkedImage(check)],
};

/// For each name, the minor version of the first CPython 3 that has it in its stable ABI. The value 10 also stands
/// for all older versions.
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

/// Names of the stable ABI on Windows only, by the same source. All of them are as old as 3.7.
const ON_WINDOWS: &[&str] = &[
    "PyErr_SetExcFromWindowsErr",
    "PyErr_SetExcFromWindowsErrWithFilename",
    "PyErr_SetExcFromWindowsErrWithFilenameObject",
    "PyErr_SetExcFromWindowsErrWithFilenameObjects",
    "PyErr_SetFromWindowsErr",
    "PyErr_SetFromWindowsErrWithFilename",
    "PyExc_WindowsError",
    "PyUnicode_AsMBCSString",
    "PyUnicode_DecodeCodePageStateful",
    "PyUnicode_DecodeMBCS",
    "PyUnicode_DecodeMBCSStateful",
    "PyUnicode_EncodeCodePage",
];

/// Parts of file names that mark an extension for a single version of CPython.
const OF_ONE_VERSION: &[&str] = &[".cpython-3", ".cp3"];

const FORWARD_COMPATIBLE: &str =
    "name it <module>.abi3.so (Linux, macOS) or <module>.pyd (Windows)";

fn check(image: &Image<'_>, policy: &Policy) -> Vec<Finding> {
    let Some((3, minimum)) = policy.abi3 else {
        return Vec::new();
    };
    if !matches!(image.role, Role::Extension { .. }) {
        return Vec::new();
    }
    let mut findings = Vec::from_iter(outside(image, minimum));
    let facts = &image.facts;
    let fail = |what: &str| RULE.finding(Severity::Error, facts.name, what);
    // CPython for Windows looks for `.cp3xx-….pyd` and `.pyd` alone.
    if facts.format == Format::Pe && facts.file_name().ends_with(".abi3.pyd") {
        let mut finding = fail("its file name has `.abi3`, which no CPython for Windows looks for");
        finding.fix = FORWARD_COMPATIBLE;
        findings.push(finding);
    }
    if OF_ONE_VERSION
        .iter()
        .any(|mark| facts.file_name().contains(mark))
    {
        let mut finding = fail("its file name is for one version of CPython; no other imports it");
        finding.fix = FORWARD_COMPATIBLE;
        findings.push(finding);
    }
    let pythons = facts.needed.iter().filter(|library| is_python_dll(library));
    let of_one: Vec<Detail> = pythons
        .filter(|library| !library.eq_ignore_ascii_case("python3.dll"))
        .map(|library| Detail::named(*library))
        .collect();
    if !of_one.is_empty() {
        let what = "is bound to the DLL of one version of CPython";
        let mut finding = fail(what).about(of_one);
        finding.fix = "link against python3.lib, which is the stable ABI's";
        findings.push(finding);
    }
    findings
}

/// The C API names that the image uses and that are not in the stable ABI of version 3.`minimum`.
fn outside(image: &Image<'_>, minimum: u32) -> Option<Finding> {
    let windows = image.facts.format == Format::Pe;
    let outside: Vec<Detail> = image
        .facts
        .imports
        .iter()
        .filter(|import| is_python(import.name))
        .filter(|import| !(windows && ON_WINDOWS.contains(&import.name)))
        .filter_map(|import| match STABLE.get(import.name) {
            None => Some(Detail::new(import.name, "not in the stable ABI")),
            Some(&added) if added > minimum.max(10) => Some(Detail::new(
                import.name,
                format!("in the stable ABI since 3.{added}"),
            )),
            Some(_) => None,
        })
        .collect();
    (!outside.is_empty()).then(|| {
        let what = format!(
            "uses {} outside the stable ABI of CPython 3.{minimum}",
            count(outside.len(), "name", "names")
        );
        RULE.finding(Severity::Error, image.facts.name, what)
            .about(outside)
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
