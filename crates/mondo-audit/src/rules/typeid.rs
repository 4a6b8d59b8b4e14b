//! `typeid`: each MLIR `TypeID` has one address.
//!
//! A `TypeID` is the address of a static. `mlir/Support/TypeID.h` makes that static in three ways,
//! and each has a mangled name of its own:
//!
//! | way | symbol | bound |
//! |---|---|---|
//! | fallback, by the type's name | `_ZZN4mlir6detail14TypeIDResolverI…E13resolveTypeIDEvE2id` and its guard `_ZGVZ…` | weak, in a COMDAT |
//! | `MLIR_DEFINE_EXPLICIT_TYPE_ID` | `_ZN4mlir6detail14TypeIDResolverI…E2idE` | strong |
//! | `MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID` | `_ZZN…13resolveTypeIDEvE2id` in the class | weak, in a COMDAT |
//!
//! A version script or `ld -r` turns them into local symbols, so one image can hold several under
//! one name; those count by address. A type in an anonymous namespace is another type in each
//! source file, whatever its name, and is left out. Visual C++ has the same three ways and names of
//! its own; macOS's names are ELF's. What is stripped cannot be seen: that is said,
//! and the strings `… [DesiredTypeName = T]` of `llvm::getTypeName<T>()`, which the fallback needs at
//! run time, serve as a hint between images.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use memchr::memmem;

use super::count;
use crate::{Facts, Finding, Format, Image, Offender, Rule, RuleId, Severity, Subject, Symbol};

pub(crate) const RULE: Rule = Rule {
    title: "each TypeID is defined once in the process",
    applies: Subject::IMAGES,
    why: "MLIR compares types by the address of a static. Where that static exists twice, isa<> is \
          false for the very same operation, casts fail, and a dialect is \"not registered\" \
          although it is.",
    fix: "link the archive that defines these into one image only, and let the others reach it \
          through the C API",
};

/// How a `TypeID`'s static came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A static local of an inline function.
    Implicit,
    /// A static member with one strong definition.
    Explicit,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Self::Implicit => "weak static local",
            Self::Explicit => "explicit static member",
        }
    }
}

/// What kind of `TypeID` static this mangled name is, if it is one. A suffix of link-time
/// optimization (`.llvm.123`, `.lto_priv.0`) must be cut off before.
pub(super) fn form(name: &[u8]) -> Option<Form> {
    let form = if name.starts_with(b"?") {
        microsoft_form(name)
    } else if name.starts_with(b"_ZZN") && name.ends_with(b"13resolveTypeIDEvE2id") {
        Some(Form::Implicit)
    } else if name.starts_with(b"_ZN4mlir6detail14TypeIDResolverI") && name.ends_with(b"E2idE") {
        Some(Form::Explicit)
    } else {
        None
    };
    // Searched for last: most names are no TypeID's, and there are a million of them.
    form.filter(|_| memmem::find(name, b"12_GLOBAL__N_1").is_none())
}

/// Likewise for Visual C++'s mangling: `?id@?1??resolveTypeID@…`, `?id@?$TypeIDResolver@…`. An
/// anonymous namespace has a number, `?A0x1234abcd`.
fn microsoft_form(name: &[u8]) -> Option<Form> {
    let holds = |needle: &[u8]| memmem::find(name, needle).is_some();
    if !name.starts_with(b"?id@?") || holds(b"?A0x") {
        None
    } else if holds(b"??resolveTypeID@") {
        Some(Form::Implicit)
    } else if name.starts_with(b"?id@?$TypeIDResolver@") && holds(b"@detail@mlir@@") {
        Some(Form::Explicit)
    } else {
        None
    }
}

/// Addresses by name.
pub(super) type Definitions<'a> = BTreeMap<&'a [u8], BTreeSet<u64>>;

/// The definitions among both symbol tables that `accept` takes; names lose an LTO suffix first.
pub(super) fn definitions<'i>(
    image: &'i Image<'_>,
    accept: impl Fn(&[u8]) -> bool,
) -> Definitions<'i> {
    let exports = image
        .facts
        .exports
        .iter()
        .filter(|export| export.forwarded.is_none())
        .map(|export| (export.name.as_bytes(), export.address));
    let symbols = image
        .facts
        .symbols
        .iter()
        .filter(|symbol| is_static(symbol))
        .map(|symbol| (symbol.name, symbol.address));
    let mut found = Definitions::new();
    for (name, address) in exports.chain(symbols) {
        let name = plain(name);
        if accept(name) {
            found.entry(name).or_default().insert(address);
        }
    }
    found
}

/// Whether a symbol can stand for a static of C++.
pub(super) fn is_static(symbol: &Symbol<'_>) -> bool {
    let mangled = symbol.name.starts_with(b"_Z") || symbol.name.starts_with(b"?");
    mangled && symbol.section.is_some()
}

/// A name without the suffix of an LTO.
pub(super) fn plain(name: &[u8]) -> &[u8] {
    match memchr::memchr(b'.', name) {
        Some(dot) if name.starts_with(b"_Z") => &name[..dot],
        _ => name,
    }
}

/// Names by the set of images that define them, for those with more than one.
pub(super) fn shared<'a>(
    images: &[(&str, &Definitions<'a>)],
) -> BTreeMap<Vec<String>, Vec<&'a [u8]>> {
    let mut owners: BTreeMap<&'a [u8], Vec<&str>> = BTreeMap::new();
    for (image, definitions) in images {
        for name in definitions.keys() {
            owners.entry(name).or_default().push(image);
        }
    }
    let mut shared: BTreeMap<Vec<String>, Vec<&'a [u8]>> = BTreeMap::new();
    for (name, mut images) in owners {
        if images.len() > 1 {
            images.sort_unstable();
            let images = images.into_iter().map(str::to_owned).collect();
            shared.entry(images).or_default().push(name);
        }
    }
    shared
}

pub(crate) fn check(images: &[&Image<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let found: Vec<Definitions<'_>> = images
        .iter()
        .map(|image| definitions(image, |name| form(name).is_some()))
        .collect();
    let note = |name: &[u8]| form(name).map_or("", Form::name);

    for (image, definitions) in images.iter().zip(&found) {
        let twice: Vec<Offender> = definitions
            .iter()
            .filter(|(_, addresses)| addresses.len() > 1)
            .map(|(name, addresses)| {
                let note = format!("{}, at {}", note(name), list_addresses(addresses));
                Offender::new(String::from_utf8_lossy(name), note)
            })
            .collect();
        if !twice.is_empty() {
            let what = format!(
                "defines {} more than once",
                count(twice.len(), "TypeID", "TypeIDs")
            );
            findings.push(
                Finding::new(RuleId::TypeId, Severity::Error, image.facts.name, what).about(twice),
            );
        }
        if image.facts.stripped {
            let what = "not visible: stripped, so TypeIDs and other statics could not be counted";
            let mut finding = Finding::new(RuleId::TypeId, Severity::Info, image.facts.name, what);
            finding.fix = "audit the unstripped link as well";
            findings.push(finding);
        }
    }

    let named: Vec<(&str, &Definitions<'_>)> = images
        .iter()
        .zip(&found)
        .map(|(image, found)| (image.facts.name, found))
        .collect();
    for (owners, names) in shared(&named) {
        let what = format!(
            "{} also defined in {}",
            count(names.len(), "TypeID", "TypeIDs"),
            owners[1..].join(", ")
        );
        let offenders = names
            .iter()
            .map(|name| Offender::new(String::from_utf8_lossy(name), note(name)));
        findings.push(
            Finding::new(RuleId::TypeId, Severity::Error, &owners[0], what)
                .about(offenders)
                .with(owners[1..].iter().cloned()),
        );
    }
    findings.extend(hints(images));
    findings
}

pub(super) fn list_addresses(addresses: &BTreeSet<u64>) -> String {
    let list: Vec<String> = addresses
        .iter()
        .map(|address| format!("{address:#x}"))
        .collect();
    list.join(" and ")
}

/// Type names that a stripped image and another one both hold for `TypeID`'s fallback.
fn hints(images: &[&Image<'_>]) -> Vec<Finding> {
    if images.len() < 2 || !images.iter().any(|image| image.facts.stripped) {
        return Vec::new();
    }
    let names: Vec<Definitions<'_>> = images
        .iter()
        .map(|image| {
            let names = image.type_names.iter();
            names.map(|&name| (name, BTreeSet::new())).collect()
        })
        .collect();
    let stripped: HashSet<&str> = images
        .iter()
        .filter(|image| image.facts.stripped)
        .map(|image| image.facts.name)
        .collect();
    let named: Vec<(&str, &Definitions<'_>)> = images
        .iter()
        .map(|image| image.facts.name)
        .zip(&names)
        .collect();
    shared(&named)
        .into_iter()
        // Where all of them have symbol tables, those say more.
        .filter(|(owners, _)| owners.iter().any(|owner| stripped.contains(owner.as_str())))
        .map(|(owners, names)| {
            let what = format!(
                "may define the TypeIDs of {} that {} too",
                count(names.len(), "type", "types"),
                match &owners[1..] {
                    [other] => format!("{other} defines"),
                    others => format!("{} define", others.join(", ")),
                }
            );
            let offenders = names
                .iter()
                .map(|name| Offender::named(String::from_utf8_lossy(name)));
            Finding::new(RuleId::TypeId, Severity::Warning, &owners[0], what)
                .about(offenders)
                .with(owners[1..].iter().cloned())
        })
        .collect()
}

/// The `T`s of `[DesiredTypeName = T]` (clang) and `[with DesiredTypeName = T]` (gcc), and those of
/// `getTypeName<T>(void)` (Visual C++), among the constants of an image of these bytes; sorted.
pub(crate) fn type_names<'a>(facts: &Facts<'_>, bytes: &'a [u8]) -> Vec<&'a [u8]> {
    let microsoft = facts.format == Format::Pe;
    let key: &[u8] = if microsoft {
        b"getTypeName<"
    } else {
        b"DesiredTypeName = "
    };
    let finder = memmem::Finder::new(key);
    let mut names = Vec::new();
    for section in facts
        .sections
        .iter()
        .filter(|section| section.read_only_data)
    {
        let start = usize::try_from(section.offset).unwrap_or(usize::MAX);
        let size = usize::try_from(section.file_size).unwrap_or(usize::MAX);
        let Some(bytes) = start
            .checked_add(size)
            .and_then(|end| bytes.get(start..end))
        else {
            continue;
        };
        let mut rest = bytes;
        while let Some(at) = finder.find(rest) {
            let text = &rest[at + key.len()..];
            let Some(end) = memchr::memchr2(0, b';', text) else {
                break;
            };
            // No name holds another one: crafted ones would, each all that follow it.
            rest = &text[end..];
            let text = &text[..end];
            let name = if microsoft {
                text.strip_suffix(b">(void)")
            } else {
                Some(text.strip_suffix(b"]").unwrap_or(text))
            };
            names.extend(name.filter(|name| memmem::find(name, b"anonymous").is_none()));
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_are_told_by_their_mangled_names() {
        let implicit = b"_ZZN4mlir6detail14TypeIDResolverIN4llvm5APIntEvE13resolveTypeIDEvE2id";
        let explicit = b"_ZN4mlir6detail14TypeIDResolverINS_10MemRefTypeEvE2idE";
        let inline = b"_ZZN4acme3Foo13resolveTypeIDEvE2id";
        assert_eq!(form(implicit), Some(Form::Implicit));
        assert_eq!(form(explicit), Some(Form::Explicit));
        assert_eq!(form(inline), Some(Form::Implicit));
        let microsoft: &[u8] =
            b"?id@?1??resolveTypeID@?$TypeIDResolver@VAPInt@llvm@@X@detail@mlir@@\
            SA?AVTypeID@4@XZ@4VSelfOwningTypeID@4@A";
        assert_eq!(form(microsoft), Some(Form::Implicit));
        let microsoft: &[u8] =
            b"?id@?$TypeIDResolver@VMemRefType@mlir@@X@detail@mlir@@0VSelfOwningTypeID@3@A";
        assert_eq!(form(microsoft), Some(Form::Explicit));
        assert_eq!(form(b"?id@locale@std@@2V0locale@2@A"), None);
    }

    #[test]
    fn guards_anonymous_types_and_locale_ids_are_not_typeids() {
        for name in [
            "_ZGVZN4mlir6detail14TypeIDResolverIN4llvm5APIntEvE13resolveTypeIDEvE2id",
            "_ZZN12_GLOBAL__N_112PDLExtension13resolveTypeIDEvE2id",
            "_ZNSt10moneypunctIcLb0EE2idE",
            "_ZN4mlir6detail14TypeIDResolverINS_10MemRefTypeEvE13resolveTypeIDEv",
        ] {
            assert_eq!(form(name.as_bytes()), None, "{name}");
        }
    }
}
