//! `singleton` and `cl-option`: LLVM's and MLIR's other process-wide statics.
//!
//! A symbol table has names and kinds, no C++ types, so this goes by what the names show:
//!
//! - known registries by name ([`KNOWN`]): the pass registries of MLIR and LLVM, the command-line
//!   parser, the target registry, the table behind `TypeID`'s fallback. Some are file statics
//!   (`_ZL…`), which is why only names that occur in one source file of LLVM are in the table.
//! - `llvm::ManagedStatic<T>`: the object itself has only its own name, but each brings the functions
//!   `llvm::object_creator<T>::call` and `llvm::object_deleter<T>::call`; an image that has one of
//!   those has the object. `T`s of anonymous namespaces are left out.
//! - `llvm::cl::opt` and `cl::list`: likewise by their vtables `_ZTVN4llvm2cl3optI…`. An option object
//!   lives in the image that constructs it, so two images with such vtables both register options.
//!   Two options of one name in one image cannot be told from the symbol table (file statics of one
//!   name are common and legitimate); LLVM reports them when the library is loaded.
//!
//! Visual C++ has other names for the same: `?passRegistry@@3…`, `?call@?$object_creator@…@llvm@@…`,
//! `??_7?$opt@…@cl@llvm@@6B@`.

use super::count;
use super::typeid::{Definitions, definitions, form, is_static, list_addresses, plain, shared};
use crate::{Finding, Image, Offender, Rule, RuleId, Severity, Subject, Symbol};

pub(crate) const SINGLETON: Rule = Rule {
    title: "each process-wide registry of LLVM and MLIR exists once",
    applies: Subject::IMAGES,
    why: "A pass registered in one copy of the registry is unknown to the other; storage set up \
          through one ManagedStatic is missing in the next (\"storage uniquer isn't \
          initialized\").",
    fix: "link LLVM and MLIR into one image only, and let the others reach them through the C API",
};

pub(crate) const CL_OPTION: Rule = Rule {
    title: "command-line options of LLVM live in one image",
    applies: Subject::IMAGES,
    why: "Every cl::opt registers itself when its image is loaded. Two images that share one parser \
          abort with \"option registered more than once\"; two with a parser each disagree about \
          every option's value.",
    fix: "link LLVM into one image only",
};

/// Mangled names of known registries, with what they are.
const KNOWN: &[(&str, &str)] = &[
    ("_ZL11FirstTarget", "LLVM's target registry"),
    ("_ZL12GlobalParser", "LLVM's command-line parser"),
    ("_ZL12passRegistry", "MLIR's pass registry"),
    (
        "_ZL19passRegistryTypeIDs",
        "MLIR's pass registry, by TypeID",
    ),
    ("_ZL20passPipelineRegistry", "MLIR's pass pipeline registry"),
    (
        "_ZZN4llvm12PassRegistry15getPassRegistryEvE15PassRegistryObj",
        "LLVM's pass registry",
    ),
    (
        "_ZZN4mlir6detail22FallbackTypeIDResolver22registerImplicitTypeIDEN4llvm9StringRefEE8registry",
        "MLIR's table of implicit TypeIDs",
    ),
];

/// How Visual C++ mangles the same: what a name starts with, up to its type or to the number of the
/// scope that it is in, and what follows somewhere.
const KNOWN_MICROSOFT: &[(&str, &str, &str)] = &[
    ("?FirstTarget@@3", "", "LLVM's target registry"),
    ("?GlobalParser@@3", "", "LLVM's command-line parser"),
    ("?passRegistry@@3", "", "MLIR's pass registry"),
    (
        "?passRegistryTypeIDs@@3",
        "",
        "MLIR's pass registry, by TypeID",
    ),
    (
        "?passPipelineRegistry@@3",
        "",
        "MLIR's pass pipeline registry",
    ),
    (
        "?PassRegistryObj@?",
        "??getPassRegistry@PassRegistry@llvm@@",
        "LLVM's pass registry",
    ),
    (
        "?registry@?",
        "??registerImplicitTypeID@FallbackTypeIDResolver@detail@mlir@@",
        "MLIR's table of implicit TypeIDs",
    ),
];

/// What a registry of a known name is.
fn registry(name: &[u8]) -> Option<&'static str> {
    if name.starts_with(b"?") {
        let known = KNOWN_MICROSOFT.iter().find(|(start, holds, _)| {
            name.starts_with(start.as_bytes())
                && memchr::memmem::find(name, holds.as_bytes()).is_some()
        });
        return known.map(|known| known.2);
    }
    let known = KNOWN.iter().find(|(known, _)| known.as_bytes() == name);
    known.map(|known| known.1)
}

/// Whether a name has a part in an anonymous namespace, in the mangling of either ABI.
fn is_anonymous(name: &[u8]) -> bool {
    let holds = |part: &[u8]| memchr::memmem::find(name, part).is_some();
    holds(b"12_GLOBAL__N_1") || holds(b"?A0x")
}

/// What a name is, if it stands for a process-wide object.
pub(super) fn singleton(name: &[u8]) -> Option<&'static str> {
    if let Some(what) = registry(name) {
        return Some(what);
    }
    let managed = [
        "_ZN4llvm14object_creatorI",
        "_ZN4llvm14object_deleterI",
        "?call@?$object_creator@",
        "?call@?$object_deleter@",
    ];
    let mut managed = managed.iter();
    let found = managed.any(|start| name.starts_with(start.as_bytes()));
    (found && !is_anonymous(name)).then_some("an llvm::ManagedStatic's type")
}

/// Whether this is the vtable of an option that has a value.
fn is_option(name: &[u8]) -> bool {
    let itanium = name.strip_prefix(b"_ZTVN4llvm2cl");
    let itanium =
        itanium.is_some_and(|rest| rest.starts_with(b"3optI") || rest.starts_with(b"4listI"));
    let microsoft = || {
        (name.starts_with(b"??_7?$opt@") || name.starts_with(b"??_7?$list@"))
            && memchr::memmem::find(name, b"@cl@llvm@@6B").is_some()
    };
    (itanium || microsoft()) && !is_anonymous(name)
}

/// Whether a symbol is one that `typeid`, `singleton` or `cl-option` looks for.
pub(crate) fn is_told(symbol: &Symbol<'_>) -> bool {
    let name = plain(symbol.name);
    is_static(symbol) && (form(name).is_some() || singleton(name).is_some() || is_option(name))
}

pub(crate) fn check(images: &[&Image<'_>]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let registries: Vec<Definitions<'_>> = images
        .iter()
        .map(|image| definitions(image, |name| singleton(name).is_some()))
        .collect();
    for (image, definitions) in images.iter().zip(&registries) {
        // Functions of one ManagedStatic's type may well be repeated; a registry may not.
        let twice: Vec<Offender> = definitions
            .iter()
            .filter(|(name, addresses)| addresses.len() > 1 && registry(name).is_some())
            .map(|(name, addresses)| {
                let what = singleton(name).unwrap_or_default();
                let note = format!("{what}, at {}", list_addresses(addresses));
                Offender::new(String::from_utf8_lossy(name), note)
            })
            .collect();
        if !twice.is_empty() {
            let what = format!(
                "defines {} more than once",
                count(twice.len(), "registry", "registries")
            );
            findings.push(
                Finding::new(RuleId::Singleton, Severity::Error, image.facts.name, what)
                    .about(twice),
            );
        }
    }
    findings.extend(across(
        images,
        &registries,
        RuleId::Singleton,
        ["process-wide object", "process-wide objects"],
        |name| singleton(name).unwrap_or_default(),
    ));
    let options: Vec<Definitions<'_>> = images
        .iter()
        .map(|image| definitions(image, is_option))
        .collect();
    findings.extend(across(
        images,
        &options,
        RuleId::ClOption,
        [
            "type of command-line option",
            "types of command-line option",
        ],
        |_| "",
    ));
    findings
}

/// One finding for each group of images that define the same names.
fn across(
    images: &[&Image<'_>],
    definitions: &[Definitions<'_>],
    rule: RuleId,
    [one, many]: [&str; 2],
    note: impl Fn(&[u8]) -> &'static str,
) -> Vec<Finding> {
    let named: Vec<(&str, &Definitions<'_>)> = images
        .iter()
        .zip(definitions)
        .map(|(image, definitions)| (image.facts.name, definitions))
        .collect();
    shared(&named)
        .into_iter()
        .map(|(owners, names)| {
            let what = format!(
                "{} also defined in {}",
                count(names.len(), one, many),
                owners[1..].join(", ")
            );
            let offenders = names
                .iter()
                .map(|name| Offender::new(String::from_utf8_lossy(name), note(name)));
            Finding::new(rule, Severity::Error, &owners[0], what)
                .about(offenders)
                .with(owners[1..].iter().cloned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visual_c_plus_plus_names_are_known() {
        for name in [
            "?passRegistry@@3V?$ManagedStatic@V?$StringMap@VPassInfo@mlir@@@llvm@@@llvm@@A",
            "?PassRegistryObj@?1??getPassRegistry@PassRegistry@llvm@@SAPEAV23@XZ@4V23@A",
            "?call@?$object_creator@VStore@mlir@@@llvm@@SAPEAXXZ",
        ] {
            assert!(singleton(name.as_bytes()).is_some(), "{name}");
        }
        for name in [
            "?passRegistry@acme@@3HA",
            "?call@?$object_creator@VStore@?A0x1234abcd@@@llvm@@SAPEAXXZ",
            "?call@acme@@YAXXZ",
        ] {
            assert_eq!(singleton(name.as_bytes()), None, "{name}");
        }
        assert!(is_option(
            b"??_7?$opt@_N$0A@V?$parser@_N@cl@llvm@@@cl@llvm@@6B@"
        ));
        assert!(!is_option(b"??_7Option@cl@llvm@@6B@"));
        assert!(!is_option(b"??_7?$opt@H@acme@@6B@"));
    }
}
