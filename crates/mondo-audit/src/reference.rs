//! A page for each rule: what it looks at, why, what to do, and where that is laid down.

use crate::{RuleId, Subject};

/// What a rule's page has beside the rule's own words.
struct Page {
    /// What is looked at and when it is wrong.
    what: &'static str,
    /// The specifications, headers and documents that it stands on.
    sources: &'static [&'static str],
}

/// The page of a rule.
#[must_use]
pub fn text(id: RuleId) -> String {
    let (rule, page) = (id.rule(), page(id));
    let applies: Vec<&str> = rule.applies.iter().map(|one| one.name()).collect();
    format!(
        "{}: {}\n\napplies to: {}\n\nwhat: {}\n\nwhy: {}\n\nfix: {}\n\nsource: {}\n",
        id.name(),
        rule.title,
        applies.join(", "),
        page.what,
        rule.why,
        rule.fix,
        page.sources.join("\n        "),
    )
}

/// All rules and what each of them applies to, as a table in Markdown.
#[must_use]
pub fn table() -> String {
    let mut text = String::from("| rule |");
    for subject in Subject::ALL {
        text += &format!(" {} |", subject.name());
    }
    text += " what it asks |\n|---|";
    text += &":-:|".repeat(Subject::ALL.len());
    text += "---|\n";
    for &id in RuleId::ALL {
        let rule = id.rule();
        text += &format!("| {} |", id.name());
        for subject in Subject::ALL {
            let mark = if rule.applies.contains(subject) {
                "yes"
            } else {
                ""
            };
            text += &format!(" {mark} |");
        }
        text += &format!(" {} |\n", rule.title);
    }
    text
}

fn page(id: RuleId) -> Page {
    let (what, sources): (&str, &[&str]) = match id {
        RuleId::Abi3 => (
            "Every name of CPython that an extension of an abi3 wheel imports is looked up in a \
             table of the stable ABI. It is an error if it is not there, or came with a later \
             CPython than the wheel's tag; so is a file name for one version of CPython, and on \
             Windows the DLL of one version in place of python3.dll.",
            &[
                "PEP 384 and PEP 652",
                "CPython: Misc/stable_abi.toml, Doc/data/stable_abi.dat",
            ],
        ),
        RuleId::Aslr => (
            "An image is linked so that it can be loaded at any address: ET_DYN, MH_PIE for \
             programs on macOS, DYNAMICBASE on Windows, and HIGHENTROPYVA where it has 64 bits.",
            &[
                "System V gABI, ELF Header: e_type; Apple: mach-o/loader.h, MH_PIE",
                "Microsoft: PE Format, DLL Characteristics",
            ],
        ),
        RuleId::BindNow => (
            "The dynamic segment must ask for everything to be bound at load.",
            &["System V gABI, Dynamic Section: DT_BIND_NOW, DF_BIND_NOW; elf.h: DF_1_NOW"],
        ),
        RuleId::Binding => (
            "The set is loaded as glibc does it: each image that no other one needs, in the given \
             order or, without one, in the order of the names and in the reverse order, all \
             RTLD_LOCAL and all RTLD_GLOBAL. Every name that the dynamic relocations look up is \
             bound, with its version, through the scopes, DT_SYMBOLIC, protected visibility and \
             STB_GNU_UNIQUE. What is bound otherwise than in a process where its image is alone is \
             a finding: an error if it takes no RTLD_GLOBAL for that. The interpreter's and the \
             system's libraries count only where they are part of the set. On macOS and Windows a \
             reference names its library; what is left are weak definitions that images of two \
             packages export (macOS' loader makes one of them), names that are looked up in the \
             flat namespace, and DLLs of two packages that have one name. What a wheel's own images \
             take from each other is a note, unless an order of loading is given.",
            &[
                "System V gABI, Dynamic Linking: Shared Object Dependencies, symbol resolution",
                "dlopen(3), ld.so(8); LSB Core, Symbol Versioning: symbol resolution",
                "Apple: dyld(1), ld(1): two-level namespace, -flat_namespace; mach-o/loader.h, MH_BINDS_TO_WEAK",
                "Microsoft: Dynamic-link library search order, loaded-module list",
            ],
        ),
        RuleId::BuildId => (
            "One of the image's notes must be a build-id that is not empty; on macOS there must be \
             an LC_UUID. On Windows it is for information that no CodeView record has the GUID that a \
             PDB file is found by.",
            &[
                "elf.h: NT_GNU_BUILD_ID; GNU ld's manual: --build-id",
                "Apple: mach-o/loader.h, uuid_command",
                "Microsoft: PE Format, Debug Type: IMAGE_DEBUG_TYPE_CODEVIEW",
            ],
        ),
        RuleId::BuildPath => (
            "All bytes of all files are searched for paths of the build machine: those the caller \
             names, and the home folders, temporary folders and runners' work folders that every \
             build machine has.",
            &["Reproducible Builds: build path; GCC's manual: -ffile-prefix-map"],
        ),
        RuleId::Cfi => (
            "The marks that code was compiled for checked jumps and returns: the notes IBT and SHSTK \
             (x86) and BTI and PAC (Arm), Control Flow Guard and CETCOMPAT on Windows. For information: \
             one object without the mark takes it from the image. Macs have it for arm64e alone, \
             for which there are no wheels.",
            &[
                "Linux Extensions to gABI: GNU_PROPERTY_X86_FEATURE_1_AND",
                "ELF for the Arm 64-bit Architecture: GNU_PROPERTY_AARCH64_FEATURE_1_AND",
                "Microsoft: PE Format, DLL Characteristics, Extended DLL Characteristics",
            ],
        ),
        RuleId::ClOption => (
            "A class of LLVM command-line options whose vtable is in two images, in the mangling of \
             either C++ ABI, is an option registry in each of them.",
            &["LLVM: include/llvm/Support/CommandLine.h; Itanium C++ ABI, 5.2.3 Virtual Tables"],
        ),
        RuleId::Duplicates => (
            "Files of 4096 bytes and more with the same contents.",
            &["PyPA: Binary distribution format; zlib's CRC-32, confirmed byte by byte"],
        ),
        RuleId::DebugInfo => (
            "Sections of debug information in the file: .debug_*, .zdebug_*, .stab*, the segment \
             __DWARF and the map to object files in a Mach-O symbol table. In objects and archives, \
             for information.",
            &["DWARF 5; Microsoft: PE Format, .debug; Apple: mach-o/stab.h"],
        ),
        RuleId::Exports => (
            "An image with a list of exports (`[[exports]]` in a policy file: image, names, both with \
             `*`) has just these, under its version node. A Python extension exports its PyInit \
             function. Any other library exports no mangled name of \
             C++ or Rust, and no bound that a linker made for a section (`__start_…`, `__stop_…`).",
            &[
                "System V gABI, Symbol Table: binding and visibility",
                "GNU ld's manual: VERSION command; PEP 489: export hook name",
            ],
        ),
        RuleId::Floor => (
            "The versions that an image needs of the C library, of the system's libstdc++ and libgcc; on \
             macOS and Windows the version of the system that it states. With a floor given (`[floor]` \
             in a policy file: glibc, macos, windows), each symbol above it is named, and of libstdc++ \
             and libgcc what is newer than the systems with that glibc have; glibc's private symbols \
             are wrong always, and so is an image for a system that no wheel is for.",
            &[
                "LSB Core, Symbol Versioning: version needs",
                "PEP 600; elf.h: Verneed, Vernaux",
                "Apple: mach-o/loader.h, build_version_command; Microsoft: PE Format, MajorSubsystemVersion",
            ],
        ),
        RuleId::Format => (
            "Every file of a wheel that is an image by its first bytes or by its name can be read, \
             and all of it: what is packed, encrypted, bitcode, exported by number only or for \
             another machine than the rest of its archive is named here, and no other rule can call \
             it clean.",
            &[
                "System V gABI, ELF Header; elf.h",
                "Apple: mach-o/loader.h, mach-o/fat.h; Microsoft: PE Format",
            ],
        ),
        RuleId::Metadata => (
            "METADATA is there, is UTF-8, and has fields that its version knows, each as often as it may. Name and Version are those of the file name and of the .dist-info folder. Requires-Python is a version specifier, License-Expression an SPDX expression without License beside it, and each License-File of version 2.4 or later is in licenses/. The syntax of Requires-Dist is not looked at.",
            &[
                "PyPA: Core metadata specifications, versions 1.0 to 2.5",
                "PEP 440, PEP 503, PEP 566, PEP 639, PEP 643, PEP 685, PEP 794",
            ],
        ),
        RuleId::Modes => (
            "The Unix modes of entries, where the archiver wrote any.",
            &["PKWARE: APPNOTE.TXT 4.4.15, external file attributes; sys/stat.h"],
        ),
        RuleId::Names => (
            "The paths of a wheel's entries: no absolute one, no `..`, no backslash, no control \
             character, no symbolic link, and no two that are the same where case does not count.",
            &[
                "PyPA: Binary distribution format",
                "PKWARE: APPNOTE.TXT 4.4.17, file name",
            ],
        ),
        RuleId::Needed => (
            "Each needed library is one of the system's (glibc's, below /usr/lib and \
             /System/Library on macOS, part of Windows or of its Python), one of the set, or one \
             that the caller allows.",
            &[
                "System V gABI, Dynamic Section: DT_NEEDED; PEP 600",
                "Apple: mach-o/loader.h, dylib_command; Microsoft: PE Format, Import Directory Table",
            ],
        ),
        RuleId::Order => (
            "No other file comes after the first one of the .dist-info folder. The specification only asks for it, so that this is a note.",
            &["PyPA: Binary distribution format, recommended archiver features"],
        ),
        RuleId::Record => (
            "RECORD is CSV, lists each file once, with its hash and size, and lists no other file. \
             Signatures and RECORD itself have no hash.",
            &[
                "PyPA: Recording installed projects, the RECORD file",
                "PyPA: Binary distribution format; RFC 4180",
            ],
        ),
        RuleId::Relro => (
            "A PT_GNU_RELRO header must be there.",
            &["elf.h: PT_GNU_RELRO; GNU ld's manual: -z relro"],
        ),
        RuleId::Runpath => (
            "Each entry of RPATH and RUNPATH starts at the image's own place ($ORIGIN, on macOS \
             @loader_path); an empty entry means the current folder.",
            &[
                "System V gABI, Dynamic Section: DT_RPATH, DT_RUNPATH, Shared Object Dependencies",
                "ld.so(8): rpath token expansion; dyld(1): dynamic library loading",
            ],
        ),
        RuleId::Sbom => (
            "Every JSON document in sboms/ is CycloneDX or SPDX. A wheel with copies of libraries in the folders that repair tools use, and without a document, is noted.",
            &["PEP 770; CycloneDX 1.6, SPDX 2.3 and 3.0"],
        ),
        RuleId::SharedData => (
            "Weak and unique data that two images of a process export, in a section that can be \
             written to. TypeIDs and LLVM's registries have rules of their own. Among the images of \
             one wheel, for information. PE has no such symbols.",
            &[
                "System V gABI, Symbol Table: STB_WEAK; elf.h: STB_GNU_UNIQUE",
                "Itanium C++ ABI, 5.2.1 and 5.2.2: vague linkage; Apple: Dynamic Library Programming",
            ],
        ),
        RuleId::Signature => (
            "An image for arm64 Macs carries a signature, be it one without a signer. Wherever there is \
             one, each page of the image has the hash that stands in it. Whose certificate it is, if \
             any, is not checked. Other Macs and Windows load images without a signature.",
            &["Apple: TN3126, Inside Code Signing: Hashes; xnu: osfmk/kern/cs_blobs.h"],
        ),
        RuleId::Singleton => (
            "Objects of LLVM and MLIR that must exist once in a process (pass registries, managed \
             statics), defined by two images, or twice in one. Hidden ones show only in a full \
             symbol table: of a stripped image nothing is known.",
            &["LLVM: include/llvm/Support/ManagedStatic.h, lib/IR/PassRegistry.cpp"],
        ),
        RuleId::Soname => (
            "A library's SONAME (its install name on macOS, its file's name on Windows) is there, \
             is the one expected, is no path of a build machine, and no other image of the set has \
             it.",
            &[
                "System V gABI, Dynamic Section: DT_SONAME; dlopen(3)",
                "Apple: mach-o/loader.h, LC_ID_DYLIB; Microsoft: Dynamic-link library search order",
            ],
        ),
        RuleId::Stack => (
            "The PT_GNU_STACK header must be there and must not ask for execution; no \
             MH_ALLOW_STACK_EXECUTION on macOS, NXCOMPAT on Windows.",
            &[
                "elf.h: PT_GNU_STACK; execstack(8); glibc 2.41's release notes on dlopen",
                "Apple: mach-o/loader.h; Microsoft: PE Format, DLL Characteristics",
            ],
        ),
        RuleId::Symbols => (
            "A linked image whose full symbol table has more than 100 symbols, local ones among them. \
             For information: an audit that is to see every static needs an image with its symbols.",
            &["System V gABI, Symbol Table; strip(1); Apple: mach-o/nlist.h; Microsoft: PE Format"],
        ),
        RuleId::Tag => (
            "The tags of a wheel's file name are those of its WHEEL file, and no platform tag \
             promises an older C library, another machine, or more platforms than the images run \
             on.",
            &["PyPA: Platform compatibility tags; PEP 425, PEP 600, PEP 656"],
        ),
        RuleId::Textrel => (
            "The dynamic segment must not announce relocations of segments that are not writable.",
            &["System V gABI, Dynamic Section: DT_TEXTREL, DF_TEXTREL"],
        ),
        RuleId::TypeId => (
            "MLIR's TypeIDs in both forms, defined by two images: the weak data object, and the \
             hidden object of an explicit definition, which only a full symbol table shows. In a \
             stripped image the names in its strings are a hint.",
            &["MLIR: include/mlir/Support/TypeID.h"],
        ),
        RuleId::Unique => (
            "No dynamic symbol is bound STB_GNU_UNIQUE; no Mach-O image exports a weak definition.",
            &[
                "elf.h: STB_GNU_UNIQUE; GCC's manual: -fno-gnu-unique; dlopen(3)",
                "Apple: mach-o/loader.h, EXPORT_SYMBOL_FLAGS_WEAK_DEFINITION",
            ],
        ),
        RuleId::Unneeded => (
            "Shared libraries of a wheel that no image of the wheel lists among its needed ones: a \
             warning in the folders that repair tools fill (.libs, .dylibs), else a note.",
            &["System V gABI, Dynamic Section: DT_NEEDED; PyPA: auditwheel, delocate, delvewheel"],
        ),
        RuleId::Unresolved => (
            "Every undefined symbol of a library or extension is defined by the image it names the \
             version of, by an image that it can reach, or by the interpreter.",
            &[
                "System V gABI, Symbol Table: SHN_UNDEF",
                "LSB Core, Symbol Versioning: symbol resolution",
            ],
        ),
        RuleId::WheelFile => (
            "WHEEL has one Wheel-Version, 1.0; one Root-Is-Purelib, true or false; and the Build of \
             the file name, if there is one.",
            &["PyPA: Binary distribution format, the WHEEL file; PEP 427"],
        ),
        RuleId::Zip => (
            "Entries are stored or deflated, without data descriptors and comments; each local header \
             says what the central directory says; no byte belongs to nothing; and a wheel that \
             unpacks to 64 MiB or more does not unpack to 50 times its size.",
            &[
                "PKWARE: APPNOTE.TXT 4.3.7, 4.3.9, 4.3.12, 4.4.5",
                "PyPI's upload checks: warehouse/forklift/legacy.py, warehouse/utils/zipfiles.py",
            ],
        ),
    };
    Page { what, sources }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_rule() {
        let table = table();
        assert_eq!(table.lines().count(), RuleId::ALL.len() + 2);
        assert!(
            table.contains("| relro | yes |  |  |  |  | relocated data"),
            "{table}"
        );
    }

    #[test]
    fn every_rule_has_a_whole_page() {
        for &id in RuleId::ALL {
            let (rule, page) = (id.rule(), page(id));
            let parts = [rule.title, rule.why, rule.fix, page.what];
            for part in parts.iter().chain(page.sources) {
                assert!(part.len() > 10, "{}: {part}", id.name());
                assert!(!part.contains("  "), "{}: {part}", id.name());
            }
            assert!(!page.sources.is_empty(), "{}", id.name());
            let text = text(id);
            assert!(text.starts_with(&format!("{}: {}\n", id.name(), rule.title)));
            let parts = ["applies to", "what", "why", "fix", "source"];
            let mut rest = text.as_str();
            for part in parts {
                let found = rest.split_once(&format!("\n\n{part}: "));
                rest = found.unwrap_or_else(|| panic!("{part}: {text}")).1;
            }
            assert!(
                rule.applies.is_sorted() && !rule.applies.is_empty(),
                "{text}"
            );
        }
    }
}
