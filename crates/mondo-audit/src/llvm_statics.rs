//! Process-wide statics of LLVM and MLIR, recognized by their mangled names.
//!
//! # Statics of `TypeID`
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
//! its own; macOS's names are ELF's. Stripped symbols cannot be seen: a note says so,
//! and the strings `… [DesiredTypeName = T]` of `llvm::getTypeName<T>()`, which the fallback needs at
//! run time, serve as a hint between images.
//!
//! # Registries and options
//!
//! A symbol table has names and kinds, no C++ types, so this goes by what the names show:
//!
//! - known registries by name ([`KNOWN`]): the pass registries of MLIR and LLVM, the command-line
//!   parser, the target registry, the table behind `TypeID`'s fallback. Some are file statics
//!   (`_ZL…`), which is why only names that occur in one source file of LLVM are in the table.
//! - `llvm::ManagedStatic<T>`: the object itself has only its own name, but each brings the functions
//!   `llvm::object_creator<T>::call` and `llvm::object_deleter<T>::call`; an image that has one of
//!   those has the object. `T`s of anonymous namespaces are left out, and so are mutexes: many
//!   objects have that type, and each guards what is in its own image.
//! - `llvm::cl::opt` and `cl::list`: likewise by their vtables `_ZTVN4llvm2cl3optI…`. An option object
//!   lives in the image that constructs it, so two images with such vtables both register options.
//!   The symbol table does not show whether one image has two options of one name (file statics of one
//!   name are common and legitimate); LLVM reports them when the library is loaded.
//!
//! Visual C++ has other names for the same: `?passRegistry@@3…`, `?call@?$object_creator@…@llvm@@…`,
//! `??_7?$opt@…@cl@llvm@@6B@`.

use memchr::memmem;

use crate::image_facts::{Facts, Format, Symbol};

/// Form of the static behind a `TypeID`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A static local of an inline function.
    Implicit,
    /// A static member with one strong definition.
    Explicit,
}

impl Form {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Implicit => "weak static local",
            Self::Explicit => "explicit static member",
        }
    }
}

/// Form of the `TypeID` static with this mangled name; `None` for any other name. A suffix of link-time
/// optimization (`.llvm.123`, `.lto_priv.0`) must be cut off before.
pub(crate) fn form(name: &[u8]) -> Option<Form> {
    let form = if name.starts_with(b"?") {
        microsoft_form(name)
    } else if name.starts_with(b"_ZZN") && name.ends_with(b"13resolveTypeIDEvE2id") {
        Some(Form::Implicit)
    } else if name.starts_with(b"_ZN4mlir6detail14TypeIDResolverI") && name.ends_with(b"E2idE") {
        Some(Form::Explicit)
    } else {
        None
    };
    // This search comes last, because most of the up to a million names are not names of a `TypeID`.
    form.filter(|_| memmem::find(name, b"12_GLOBAL__N_1").is_none())
}

/// The form by Visual C++'s mangling: `?id@?1??resolveTypeID@…`, `?id@?$TypeIDResolver@…`. An anonymous namespace has
/// a number there, `?A0x1234abcd`.
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

/// Returns whether a symbol can stand for a static of C++.
pub(crate) fn is_static(symbol: &Symbol<'_>) -> bool {
    let mangled = symbol.name.starts_with(b"_Z") || symbol.name.starts_with(b"?");
    mangled && symbol.section.is_some()
}

/// A name without the suffix of an LTO.
pub(crate) fn plain(name: &[u8]) -> &[u8] {
    match memchr::memchr(b'.', name) {
        Some(dot) if name.starts_with(b"_Z") => &name[..dot],
        _ => name,
    }
}

/// Mangled names of known registries, each with its description.
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

/// The same registries in Visual C++'s mangling: the start of the name, up to its type or to the number of its scope,
/// and a text that must follow somewhere.
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

/// Description of a registry of a known name.
pub(crate) fn registry(name: &[u8]) -> Option<&'static str> {
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

/// Returns whether a name has a part in an anonymous namespace, in the mangling of either ABI.
fn is_anonymous(name: &[u8]) -> bool {
    let holds = |part: &[u8]| memchr::memmem::find(name, part).is_some();
    holds(b"12_GLOBAL__N_1") || holds(b"?A0x")
}

/// Description of a process-wide object with this name; `None` for any other name.
pub(crate) fn singleton(name: &[u8]) -> Option<&'static str> {
    if let Some(what) = registry(name) {
        return Some(what);
    }
    let managed = [
        "_ZN4llvm14object_creatorI",
        "_ZN4llvm14object_deleterI",
        "?call@?$object_creator@",
        "?call@?$object_deleter@",
    ];
    let object = managed
        .iter()
        .find_map(|start| name.strip_prefix(start.as_bytes()))?;
    let is_mutex = ["NS_3sys10SmartMutexI", "V?$SmartMutex@"]
        .iter()
        .any(|mutex| object.starts_with(mutex.as_bytes()));
    (!is_mutex && !is_anonymous(name)).then_some("an llvm::ManagedStatic's type")
}

/// Returns whether this is the vtable of an option that has a value.
pub(crate) fn is_option(name: &[u8]) -> bool {
    let itanium = name.strip_prefix(b"_ZTVN4llvm2cl");
    let itanium =
        itanium.is_some_and(|rest| rest.starts_with(b"3optI") || rest.starts_with(b"4listI"));
    let microsoft = || {
        (name.starts_with(b"??_7?$opt@") || name.starts_with(b"??_7?$list@"))
            && memchr::memmem::find(name, b"@cl@llvm@@6B").is_some()
    };
    (itanium || microsoft()) && !is_anonymous(name)
}

/// Returns whether one of the rules `typeid`, `singleton` and `cl-option` looks for this symbol.
pub(crate) fn is_told(symbol: &Symbol<'_>) -> bool {
    let name = plain(symbol.name);
    is_static(symbol) && (form(name).is_some() || singleton(name).is_some() || is_option(name))
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
            // A match ends where the next one starts. Otherwise, in a crafted file, each match could contain all that
            // follow it.
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

    #[test]
    fn a_managed_mutex_is_no_registry() {
        for function in ["creator", "deleter"] {
            let mutex = format!("_ZN4llvm14object_{function}INS_3sys10SmartMutexILb1EEEE4callEv");
            assert_eq!(singleton(mutex.as_bytes()), None, "{mutex}");
            let map = format!(
                "_ZN4llvm14object_{function}INS_9StringMapIiNS_15MallocAllocatorEEEE4callEv"
            );
            assert!(singleton(map.as_bytes()).is_some(), "{map}");
        }
    }

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
            "?call@?$object_creator@V?$SmartMutex@$00@sys@llvm@@@llvm@@SAPEAXXZ",
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
