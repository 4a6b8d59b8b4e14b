//! `exports`: exported symbols outside the expected ones, and expected ones that are missing.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::{Export, Format, ImageKind};
use crate::input_kind::InputKind;
use crate::name_pattern::matches;
use crate::policy::{Policy, Role};
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Exports,
    applies_to: InputKind::IMAGES,
    severity: Severity::Error,
    summary: "an image exports what it promises and nothing else",
    explanation: "An image that `[[exports]]` of a policy file lists (image, names, both with \
          `*`) must export exactly these names, under its version node. A Python extension must \
          export only its PyInit function. Any other library must export no mangled name of C++ \
          or Rust, and no bound that a linker created for a section (`__start_…`, `__stop_…`).",
    rationale: "Every exported name takes part in the symbol lookup of the whole process. A \
          leaked C++ name lets two packages that contain LLVM bind to each other's functions, \
          vtables and statics, which corrupts memory long after the import. A C name without its \
          own version node can be mistaken for another package's function of the same name.",
    remedy: "compile with -fvisibility=hidden, or link with a version script that lists the C API \
          (for an extension: its PyInit function) under a version node of its own and ends in \
          `local: *;`",
    sources: &[
        "System V gABI, Symbol Table: binding and visibility",
        "GNU ld's manual: VERSION command; PEP 489: export hook name",
    ],
    checks: &[Check::LinkedImage(check)],
};

/// Kind of a mangled name; `None` for a name that C could have.
fn language(name: &str) -> Option<&'static str> {
    if name
        .strip_prefix("_R")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
    {
        return Some("Rust");
    }
    if let Some(rest) = name.strip_prefix('?') {
        return Some(microsoft(rest));
    }
    let rest = name.strip_prefix("_Z")?;
    Some(
        if rest.starts_with("TV") || rest.starts_with("TT") || rest.starts_with("TC") {
            "C++ vtable"
        } else if rest.starts_with("TI") || rest.starts_with("TS") {
            "C++ typeinfo"
        } else if rest.starts_with("GV") {
            "C++ guard variable"
        } else if is_rust(rest) {
            "Rust"
        } else if is_std(rest) {
            "C++ std::"
        } else if is_llvm(rest) {
            "C++ of LLVM"
        } else {
            "C++"
        },
    )
}

/// Kind of a name mangled by Visual C++, without the leading question mark. Tables of virtual functions
/// and of types are operators to it, `?_7` and `?_R0` to `?_R4`.
fn microsoft(rest: &str) -> &'static str {
    if rest.starts_with("?_7") || rest.starts_with("?_8") {
        "C++ vtable"
    } else if rest.starts_with("?_R") {
        "C++ typeinfo"
    } else if rest.starts_with("?_B") || rest.starts_with("?_5") {
        "C++ guard variable"
    } else if rest.contains("@std@@") {
        "C++ std::"
    } else if rest.contains("@llvm@@") || rest.contains("@mlir@@") {
        "C++ of LLVM"
    } else {
        "C++"
    }
}

/// `St`, `NSt`, `NKSt`, and the abbreviations of `std::string` and its kin, also inside a static
/// local's `ZN…`.
fn is_std(rest: &str) -> bool {
    let rest = rest.strip_prefix('Z').unwrap_or(rest);
    let rest = rest.strip_prefix('N').unwrap_or(rest);
    let rest = rest.trim_start_matches(['K', 'V', 'r', 'R', 'O']);
    rest.starts_with("St")
        || ["Sa", "Sb", "Ss", "Si", "So", "Sd"]
            .iter()
            .any(|s| rest.starts_with(s))
}

/// The namespaces of LLVM's projects, in which nothing is stable from one version to the next.
fn is_llvm(rest: &str) -> bool {
    let rest = rest.strip_prefix('Z').unwrap_or(rest);
    let rest = rest.strip_prefix('N').unwrap_or_default();
    let rest = rest.trim_start_matches(['K', 'V', 'r', 'R', 'O']);
    ["4llvm", "4mlir", "5clang", "3lld", "4lldb"]
        .iter()
        .any(|space| rest.starts_with(space))
}

/// Rust's older mangling looks like C++ with a hash as its last component.
fn is_rust(rest: &str) -> bool {
    rest.strip_suffix('E')
        .and_then(|rest| rest.rsplit_once("17h"))
        .is_some_and(|(_, hash)| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The exports that a policy's list states for an image without an expectation: the names that match a pattern of the
/// list, and the patterns that match no export.
fn stated(image: &Image<'_>, policy: &Policy) -> Option<BTreeSet<String>> {
    let facts = &image.facts;
    if image.expect.is_some() {
        return None;
    }
    let mut lists = policy.exports.iter();
    let list = lists.find(|list| matches(&list.image, facts.name))?;
    let mut names = BTreeSet::new();
    for pattern in &list.names {
        let exports = facts.exports.iter().map(|export| &*export.name);
        let found: Vec<&str> = exports.filter(|name| matches(pattern, name)).collect();
        if found.is_empty() {
            names.insert(pattern.clone());
        }
        names.extend(found.into_iter().map(str::to_owned));
    }
    Some(names)
}

fn check(image: &Image<'_>, policy: &Policy) -> Vec<Finding> {
    let exports = &image.facts.exports;
    let mut allowed = stated(image, policy);
    if let Role::Extension { module } = &image.role {
        allowed
            .get_or_insert_default()
            .insert(format!("PyInit_{module}"));
    }
    let expected = match (&allowed, image.expect) {
        (Some(allowed), _) => Some(allowed),
        (_, Some(expect)) => expect.exports.as_ref(),
        (_, None) => None,
    };
    let mut findings = leaked(image, exports, expected);
    if let Some(expected) = expected {
        findings.extend(missing(image, exports, expected));
    }
    let node = image
        .expect
        .and_then(|expect| expect.version_node.as_deref());
    // No other format has versions of symbols.
    if let Some(node) = node.filter(|_| image.facts.format == Format::Elf) {
        let known = |name: &str| expected.is_none_or(|expected| expected.contains(name));
        findings.extend(wrong_node(image, exports, node, known));
    }
    findings
}

/// Symbols that linkers and start files define in every image.
const OF_THE_LINKER: &[&str] = &["_init", "_fini", "_edata", "_end", "__bss_start"];

/// Exports outside of the expected ones. Without an expectation, exports whose names are not those of a C API.
fn leaked(
    image: &Image<'_>,
    exports: &[Export<'_>],
    expected: Option<&BTreeSet<String>>,
) -> Vec<Finding> {
    // Programs are skipped, because nothing links against them. Libraries without a SONAME are checked, because they
    // may be loaded as plug-ins.
    if expected.is_none() && image.facts.kind == ImageKind::Program {
        return Vec::new();
    }
    let mut mangled = Vec::new();
    let mut plain = Vec::new();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for export in exports {
        if expected.is_some_and(|expected| expected.contains(&*export.name)) {
            continue;
        }
        if image.expect.is_none() && OF_THE_LINKER.contains(&&*export.name) {
            continue;
        }
        if let Some(kind) = language(&export.name).or_else(|| section_bound(image, &export.name)) {
            *kinds.entry(kind).or_default() += 1;
            mangled.push(Detail::new(&*export.name, kind));
        } else if expected.is_some() {
            plain.push(Detail::named(&*export.name));
        }
    }
    let mut findings = Vec::new();
    if !mangled.is_empty() {
        let kinds: Vec<String> = kinds
            .iter()
            .map(|(kind, number)| format!("{number} {kind}"))
            .collect();
        let what = format!(
            "exports {} that no C API has: {}",
            count(mangled.len(), "name", "names"),
            kinds.join(", ")
        );
        findings.push(
            RULE.finding(image.severity(), image.facts.name, what)
                .about(mangled),
        );
    }
    if !plain.is_empty() {
        let names = count(plain.len(), "name", "names");
        let what = match &image.role {
            Role::Extension { module } => format!("exports {names} beside PyInit_{module}"),
            _ => format!("exports {names} outside its list"),
        };
        findings.push(
            RULE.finding(image.severity(), image.facts.name, what)
                .about(plain),
        );
    }
    findings
}

/// Describes a linker-defined symbol for the start or end of a section whose name is a C identifier (`__start_…`). If
/// it is interposed, it bounds the section of another image.
fn section_bound(image: &Image<'_>, name: &str) -> Option<&'static str> {
    let section = name
        .strip_prefix("__start_")
        .or_else(|| name.strip_prefix("__stop_"))?;
    let mut sections = image.facts.sections.iter();
    sections
        .any(|found| found.name == section)
        .then_some("section bound")
}

fn missing(
    image: &Image<'_>,
    exports: &[Export<'_>],
    expected: &BTreeSet<String>,
) -> Option<Finding> {
    let exported: BTreeSet<&str> = exports.iter().map(|export| &*export.name).collect();
    let missing: Vec<Detail> = expected
        .iter()
        .filter(|name| !exported.contains(name.as_str()))
        .map(Detail::named)
        .collect();
    (!missing.is_empty()).then(|| {
        let what = format!(
            "does not export {} of its list",
            count(missing.len(), "name", "names")
        );
        let mut finding = RULE
            .finding(Severity::Error, image.facts.name, what)
            .about(missing);
        finding.fix =
            "link the archives that define these names whole, or take the names off the list";
        finding
    })
}

fn wrong_node(
    image: &Image<'_>,
    exports: &[Export<'_>],
    node: &str,
    known: impl Fn(&str) -> bool,
) -> Option<Finding> {
    let wrong: Vec<Detail> = exports
        .iter()
        .filter(|export| known(&export.name))
        .filter(|export| export.version != Some(node) || !export.default_version)
        .map(|export| {
            let note = match export.version {
                None => "no version node".to_owned(),
                Some(version) if version == node => "not the default version".to_owned(),
                Some(version) => format!("under {version}"),
            };
            Detail::new(&*export.name, note)
        })
        .collect();
    (!wrong.is_empty()).then(|| {
        let what = format!(
            "{} not under the version node {node}",
            count(wrong.len(), "export", "exports")
        );
        RULE.finding(Severity::Error, image.facts.name, what)
            .about(wrong)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names_of_cpp_are_told_apart() {
        assert_eq!(language("_ZTVN4mlir9OperationE"), Some("C++ vtable"));
        assert_eq!(language("_ZTIN4mlir9OperationE"), Some("C++ typeinfo"));
        assert_eq!(language("_ZNKSt6vectorIiE4sizeEv"), Some("C++ std::"));
        assert_eq!(
            language("_ZNSs4_Rep20_S_empty_rep_storageE"),
            Some("C++ std::")
        );
        assert_eq!(language("_ZZNSt8__detail1xE"), Some("C++ std::"));
        assert_eq!(language("_ZGVZN1a1bEvE1c"), Some("C++ guard variable"));
        assert_eq!(language("_ZN4mlir9Operation5eraseEv"), Some("C++ of LLVM"));
        assert_eq!(language("_ZZNK4llvm3cl1fEvE1x"), Some("C++ of LLVM"));
        assert_eq!(language("_ZN4acme1fEN4mlir9AttributeE"), Some("C++"));
    }

    #[test]
    fn mangled_names_of_rust_are_known() {
        assert_eq!(
            language("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE"),
            Some("Rust")
        );
        assert_eq!(language("_RNvC4acme4main"), Some("Rust"));
    }

    #[test]
    fn a_name_of_c_has_no_other_language() {
        assert_eq!(language("mlirContextCreate"), None);
    }

    #[test]
    fn mangled_names_of_microsofts_cpp_are_told_apart() {
        assert_eq!(language("??_7Operation@mlir@@6B@"), Some("C++ vtable"));
        assert_eq!(language("??_R0?AVOperation@mlir@@@8"), Some("C++ typeinfo"));
        assert_eq!(
            language("?erase@Operation@mlir@@QEAAXXZ"),
            Some("C++ of LLVM")
        );
        assert_eq!(
            language("?find@?$vector@HV?$allocator@H@std@@@std@@QEAAHXZ"),
            Some("C++ std::")
        );
    }
}
