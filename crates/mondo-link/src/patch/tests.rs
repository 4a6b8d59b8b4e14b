//! Patches of small objects made here: what they change, and what is refused.

use object::write::{Object as Maker, Relocation, Symbol, SymbolId, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, Object as _, ObjectSection as _, ObjectSymbol as _,
    RelocationFlags, RelocationTarget, SectionKind, SymbolFlags, SymbolKind, SymbolScope, elf,
};

use super::expectations::{Redirect, Rename, Total};
use super::relocatable::Refusal;
use super::*;

const MAKE: &str = ".text.make";
const BREAK: &str = ".text.break";

/// The expectation for a generated object: `make` calls malloc once, `broken` calls free twice.
const MEMBER: Member<'static> = Member {
    archive: "X",
    name: "x.o",
    redirects: &[
        Redirect {
            section: MAKE,
            from: "malloc",
            to: "our_alloc",
            count: 1,
        },
        Redirect {
            section: BREAK,
            from: "free",
            to: "our_free",
            count: 2,
        },
        Redirect {
            section: MAKE,
            from: "broken",
            to: "broken",
            count: 1,
        },
    ],
    renames: &[Rename {
        from: "broken",
        to: "their_broken",
    }],
    totals: &[Total {
        symbol: "malloc",
        count: 1,
    }],
};

/// An object that grows section by section.
struct Making(Maker<'static>);

impl Making {
    fn new(architecture: Architecture) -> Self {
        Self(Maker::new(
            BinaryFormat::Elf,
            architecture,
            Endianness::Little,
        ))
    }

    fn symbol(&mut self, name: &str, section: SymbolSection) -> SymbolId {
        if let Some(known) = self.0.symbol_id(name.as_bytes()) {
            return known;
        }
        self.0.add_symbol(Symbol {
            name: name.into(),
            value: 0,
            size: 0,
            kind: SymbolKind::Text,
            scope: SymbolScope::Dynamic,
            weak: false,
            section,
            flags: SymbolFlags::None,
        })
    }

    /// A section that refers to functions of other objects, each by a relocation of a type.
    fn section(mut self, name: &str, calls: &[(&str, elf::RelocationType)]) -> Self {
        let section = self
            .0
            .add_section(Vec::new(), name.into(), SectionKind::Text);
        for (called, kind) in calls {
            let offset = self.0.append_section_data(section, &[0xe8, 0, 0, 0, 0], 1);
            let symbol = self.symbol(called, SymbolSection::Undefined);
            let relocation = Relocation {
                offset: offset + 1,
                symbol,
                addend: -4,
                flags: RelocationFlags::Elf { r_type: *kind },
            };
            self.0.add_relocation(section, relocation).unwrap();
        }
        self
    }

    /// A section that calls the function at the start of another section, without its name.
    fn calls_section(mut self, name: &str, called: &str, addend: i64) -> Self {
        let function = called.strip_prefix(".text.").unwrap();
        let function = self.0.symbol_id(function.as_bytes()).unwrap();
        let called = self.0.symbol(function).section.id().unwrap();
        let symbol = self.0.section_symbol(called);
        let section = self
            .0
            .add_section(Vec::new(), name.into(), SectionKind::Text);
        let offset = self.0.append_section_data(section, &[0xe8, 0, 0, 0, 0], 1);
        let flags = RelocationFlags::Elf {
            r_type: elf::R_X86_64_PC32,
        };
        let relocation = Relocation {
            offset: offset + 1,
            symbol,
            addend,
            flags,
        };
        self.0.add_relocation(section, relocation).unwrap();
        self
    }

    /// A function that the object defines.
    fn defines(mut self, name: &str) -> Self {
        let section = format!(".text.{name}").into_bytes();
        let section = self.0.add_section(Vec::new(), section, SectionKind::Text);
        self.0.append_section_data(section, &[0xc3], 1);
        self.symbol(name, SymbolSection::Section(section));
        self
    }

    fn bytes(self) -> Vec<u8> {
        self.0.write().unwrap()
    }
}

const CALL: elf::RelocationType = elf::R_X86_64_PLT32;

/// The object that [`MEMBER`] describes, and a section whose `free` must stay.
fn expected() -> Vec<u8> {
    Making::new(Architecture::X86_64)
        .defines("broken")
        .section(MAKE, &[("malloc", CALL), ("free", CALL), ("broken", CALL)])
        .section(BREAK, &[("free", CALL), ("free", CALL)])
        .section(".text.other", &[("free", CALL)])
        .bytes()
}

/// `section: symbol` for each relocation, in order.
fn calls(object: &[u8]) -> Vec<String> {
    let file = object::File::parse(object).unwrap();
    let mut found = Vec::new();
    for section in file.sections() {
        for (_, relocation) in section.relocations() {
            let RelocationTarget::Symbol(symbol) = relocation.target() else {
                panic!("a relocation without a symbol");
            };
            let symbol = file.symbol_by_index(symbol).unwrap();
            found.push(format!(
                "{}: {}{}",
                section.name().unwrap(),
                symbol.name().unwrap(),
                if symbol.is_undefined() { "" } else { " (here)" }
            ));
        }
    }
    found
}

#[test]
fn expected_calls_get_their_targets_and_others_stay() {
    let object = expected();
    assert_eq!(
        calls(&object)[..3],
        [
            ".text.make: malloc",
            ".text.make: free",
            ".text.make: broken (here)"
        ]
    );
    let patched = relocatable::patch_object(&object, &MEMBER).unwrap();
    assert_eq!(
        calls(&patched),
        [
            ".text.make: our_alloc",
            ".text.make: free",
            ".text.make: broken",
            ".text.break: our_free",
            ".text.break: our_free",
            ".text.other: free",
        ]
    );
    let file = object::File::parse(&*patched).unwrap();
    let definition = file.symbol_by_name("their_broken").unwrap();
    assert!(definition.is_definition() && definition.is_global());
}

/// The expectation for an object whose `make` calls `broken` by its section.
const BY_SECTION: Member<'static> = Member {
    archive: "X",
    name: "x.o",
    redirects: &[Redirect {
        section: MAKE,
        from: ".text.broken",
        to: "broken",
        count: 1,
    }],
    renames: MEMBER.renames,
    totals: &[Total {
        symbol: ".text.broken",
        count: 1,
    }],
};

#[test]
fn a_call_by_section_becomes_one_by_name() {
    let object = |addend| {
        Making::new(Architecture::X86_64)
            .defines("broken")
            .calls_section(MAKE, ".text.broken", addend)
    };
    let patched = relocatable::patch_object(&object(-4).bytes(), &BY_SECTION).unwrap();
    assert_eq!(calls(&patched), [".text.make: broken"]);
    // The start of the section is the function; other places are not.
    let refusal = relocatable::patch_object(&object(12).bytes(), &BY_SECTION).unwrap_err();
    assert!(matches!(refusal, Refusal::Relocation { .. }), "{refusal}");
    // The tables of unwinding name the section without a call.
    let unwinds = object(-4).calls_section(".eh_frame", ".text.broken", 0);
    relocatable::patch_object(&unwinds.bytes(), &BY_SECTION).unwrap();
    let twice = object(-4).calls_section(".text.other", ".text.broken", -4);
    let refusal = relocatable::patch_object(&twice.bytes(), &BY_SECTION).unwrap_err();
    assert!(matches!(refusal, Refusal::Total { .. }), "{refusal}");
}

#[test]
fn the_same_object_gives_the_same_bytes() {
    let once = relocatable::patch_object(&expected(), &MEMBER).unwrap();
    assert_eq!(
        once,
        relocatable::patch_object(&expected(), &MEMBER).unwrap()
    );
}

#[test]
fn a_patched_object_is_refused() {
    let patched = relocatable::patch_object(&expected(), &MEMBER).unwrap();
    let refusal = relocatable::patch_object(&patched, &MEMBER).unwrap_err();
    assert!(matches!(refusal, Refusal::Total { .. }), "{refusal}");
    let member = Member {
        totals: &[],
        ..MEMBER
    };
    assert_eq!(
        relocatable::patch_object(&patched, &member).unwrap_err(),
        Refusal::Present {
            symbol: "their_broken".into()
        }
    );
}

#[test]
fn another_number_of_calls_is_refused() {
    let object = Making::new(Architecture::X86_64)
        .defines("broken")
        .section(MAKE, &[("malloc", CALL), ("broken", CALL)])
        .section(BREAK, &[("free", CALL)])
        .bytes();
    assert_eq!(
        relocatable::patch_object(&object, &MEMBER).unwrap_err(),
        Refusal::Calls {
            section: BREAK.into(),
            symbol: "free".into(),
            found: 1,
            expected: 2
        }
    );
}

#[test]
fn a_call_from_an_unknown_place_is_refused() {
    let object = Making::new(Architecture::X86_64)
        .defines("broken")
        .section(MAKE, &[("malloc", CALL), ("broken", CALL)])
        .section(BREAK, &[("free", CALL), ("free", CALL)])
        .section(".text.make_another", &[("malloc", CALL)])
        .bytes();
    assert_eq!(
        relocatable::patch_object(&object, &MEMBER).unwrap_err(),
        Refusal::Total {
            symbol: "malloc".into(),
            found: 2,
            expected: 1
        }
    );
}

#[test]
fn a_reference_that_is_no_call_is_refused() {
    let object = Making::new(Architecture::X86_64)
        .defines("broken")
        .section(MAKE, &[("malloc", CALL), ("broken", CALL)])
        .section(BREAK, &[("free", CALL), ("free", elf::R_X86_64_GOTPCRELX)])
        .bytes();
    assert_eq!(
        relocatable::patch_object(&object, &MEMBER).unwrap_err(),
        Refusal::Relocation {
            section: BREAK.into(),
            symbol: "free".into(),
            found: elf::R_X86_64_GOTPCRELX.0,
            expected: CALL.0
        }
    );
}

#[test]
fn a_missing_section_is_refused() {
    let object = Making::new(Architecture::X86_64)
        .defines("broken")
        .section(MAKE, &[("malloc", CALL), ("broken", CALL)])
        .bytes();
    assert_eq!(
        relocatable::patch_object(&object, &MEMBER).unwrap_err(),
        Refusal::Section {
            section: BREAK.into(),
            found: 0
        }
    );
}

#[test]
fn a_missing_definition_is_refused() {
    let object = Making::new(Architecture::X86_64)
        .section(MAKE, &[("malloc", CALL), ("broken", CALL)])
        .section(BREAK, &[("free", CALL), ("free", CALL)])
        .bytes();
    assert_eq!(
        relocatable::patch_object(&object, &MEMBER).unwrap_err(),
        Refusal::Definition {
            symbol: "broken".into(),
            found: 0
        }
    );
}

#[test]
fn another_machine_is_refused() {
    let object = Making::new(Architecture::Aarch64).defines("broken").bytes();
    let refusal = relocatable::patch_object(&object, &MEMBER).unwrap_err();
    assert!(matches!(refusal, Refusal::Machine { .. }), "{refusal}");
}

#[test]
fn what_is_no_object_is_refused() {
    let whole = expected();
    for cut in [0, 3, 63, 64, 200, whole.len() / 2, whole.len() - 1] {
        let refusal = relocatable::patch_object(&whole[..cut], &MEMBER).unwrap_err();
        assert!(
            matches!(refusal, Refusal::Unreadable(_)),
            "{cut}: {refusal}"
        );
    }
}

/// An archive on disk, and the folder that it is in.
fn archive_with(members: &[(&str, Vec<u8>)]) -> (tempfile::TempDir, Archive) {
    let dir = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(dir.path()).unwrap().join("libX.a");
    let bytes = archive_of(members);
    fs_err::write(&path, &bytes).unwrap();
    let archive = Archive {
        name: "X".into(),
        path,
        size: bytes.len() as u64,
        members: members.len(),
    };
    (dir, archive)
}

#[test]
fn a_member_is_found_among_others() {
    let odd = vec![0; 7];
    let (_dir, archive) = archive_with(&[("odd.o", odd), ("x.o", expected())]);
    let (_, patched) = patch_any_form(&archive, &MEMBER).unwrap();
    assert_eq!(
        patched,
        relocatable::patch_object(&expected(), &MEMBER).unwrap()
    );
}

#[test]
fn a_refusal_says_where_and_what_next() {
    let (_dir, archive) = archive_with(&[("x.o", Making::new(Architecture::X86_64).bytes())]);
    let error = patch_any_form(&archive, &MEMBER).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Archive);
    assert!(error.place().unwrap().ends_with("libX.a(x.o)"), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("the object refers to malloc 0 times, but mondo expects 1"),
        "{text}"
    );
    assert!(text.contains("expectations.rs"), "{text}");
}

#[test]
fn an_archive_without_the_member_is_refused() {
    let (_dir, archive) = archive_with(&[("y.o", expected())]);
    let text = patch_any_form(&archive, &MEMBER).unwrap_err().to_string();
    assert!(text.contains("0 members have this name"), "{text}");
}

#[test]
fn without_the_archive_nothing_is_patched() {
    let (dir, archive) = archive_with(&[]);
    let collected = Collected {
        whole: Vec::new(),
        by_need: vec![archive],
        native: Vec::new(),
    };
    let out = Utf8Path::from_path(dir.path()).unwrap();
    let error = super::patch(&collected, 22, out).unwrap_err();
    assert!(error.what().contains("libMLIRIR.a"), "{error}");
}

#[test]
fn member_names_fit_their_archive() {
    for member in [19, 22, 23].into_iter().flat_map(members) {
        assert!(
            member.name.len() < 16,
            "{}: ar(5) has 16 bytes",
            member.name
        );
    }
}

const CREATE: &str =
    ".text._ZN4mlir9Operation6createENS_8LocationENS_13OperationNameENS_9TypeRangeENS_3NewE";
const DESTROY: &str = ".text._ZN4mlir9Operation7destroyEv";
const DESTRUCTOR: &str = "_ZN4mlir9OperationD1Ev";

fn operation_rules(object: Making) -> Result<Vec<(String, usize)>, String> {
    rules_of(object, "Operation.cpp.o")
}

/// The redirects that the rules find: section and target, and the number of calls.
fn rules_of(object: Making, name: &str) -> Result<Vec<(String, usize)>, String> {
    let like = members(23).iter().find(|member| member.name == name);
    let found = rules::redirects(&object.bytes(), like.unwrap());
    let found = found.map_err(|refusal| refusal.to_string())?;
    let redirects = found.iter().map(rules::Found::redirect);
    Ok(redirects
        .map(|one| (format!("{} {}", one.section, one.to), one.count))
        .collect())
}

#[test]
fn by_the_rules_each_destructor_has_one_release() {
    let object = Making::new(Architecture::X86_64)
        .section(CREATE, &[("malloc", CALL)])
        .section(DESTROY, &[(DESTRUCTOR, CALL), ("free", CALL)])
        .section(".text.vector", &[("free", CALL)]);
    let expected = [
        (format!("{CREATE} mondo_op_alloc"), 1),
        (format!("{DESTROY} mondo_op_free"), 1),
    ];
    assert_eq!(operation_rules(object).unwrap(), expected);
}

#[test]
fn by_the_rules_a_destruction_that_the_check_does_not_reach_is_refused() {
    let object = Making::new(Architecture::X86_64)
        .section(CREATE, &[("malloc", CALL)])
        .section(DESTROY, &[(DESTRUCTOR, CALL), ("free", CALL)])
        .section(".text.other", &[(DESTRUCTOR, CALL), ("free", CALL)]);
    let why = operation_rules(object).unwrap_err();
    assert!(why.starts_with(".text.other destroys operations"), "{why}");
}

#[test]
fn by_the_rules_another_number_of_releases_is_refused() {
    let object = Making::new(Architecture::X86_64)
        .section(CREATE, &[("malloc", CALL)])
        .section(
            DESTROY,
            &[(DESTRUCTOR, CALL), ("free", CALL), ("free", CALL)],
        );
    let why = operation_rules(object).unwrap_err();
    assert!(
        why.contains("~Operation 1 times, and `free` 2 times"),
        "{why}"
    );
    let object = Making::new(Architecture::X86_64)
        .section(CREATE, &[("malloc", CALL)])
        .section(DESTROY, &[("free", CALL)]);
    let why = operation_rules(object).unwrap_err();
    assert!(why.contains("destroy does not call ~Operation"), "{why}");
}

#[test]
fn by_the_rules_memory_comes_from_one_place() {
    for sections in [&[][..], &[".text.make"], &[CREATE, ".text.make"]] {
        let object = sections.iter().fold(
            Making::new(Architecture::X86_64)
                .section(DESTROY, &[(DESTRUCTOR, CALL), ("free", CALL)]),
            |object, section| object.section(section, &[("malloc", CALL)]),
        );
        let why = operation_rules(object).unwrap_err();
        assert!(why.contains("mlir::Operation::create"), "{why}");
    }
}

#[test]
fn by_the_rules_every_argument_is_seen() {
    let erase = ".text._ZN4mlir5Block5eraseEv";
    let block = || {
        Making::new(Architecture::X86_64)
            .section(erase, &[("_ZN4mlir5BlockD1Ev", CALL), ("_ZdlPvm", CALL)])
    };
    let object = block().section(
        ".text.new_function",
        &[("_ZdlPvm", CALL), ("_ZdlPvm", CALL)],
    );
    let expected = [
        (
            ".text.new_function mondo_block_argument_delete".to_owned(),
            2,
        ),
        (format!("{erase} _ZN4mlir5BlockD1Ev"), 1),
    ];
    assert_eq!(rules_of(object, "Block.cpp.o").unwrap(), expected);
    let object = block().section(".text.new_function", &[("_ZdlPv", CALL)]);
    let why = rules_of(object, "Block.cpp.o").unwrap_err();
    assert!(why.contains("-fsized-deallocation"), "{why}");
    let object = Making::new(Architecture::X86_64).section(erase, &[("_ZdlPvm", CALL)]);
    let why = rules_of(object, "Block.cpp.o").unwrap_err();
    assert!(why.contains("Block::erase does not call ~Block"), "{why}");
}
