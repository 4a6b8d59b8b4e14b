//! PE: libraries of 32 and 64 bits, imports in each form, objects and import libraries; and what the
//! rules say of them. `goblin` is the second reader.

use std::sync::LazyLock;

use mondo_audit::{Arch, Format, ImageKind, Input, Policy, Role, RuleId, audit, read_image};
use object::{Architecture, BinaryFormat, Endianness, SymbolScope};

use super::{Bench, Def, details, finding_lines, function, local_data, object};

/// The mangled names of a C++ function and of a table of virtual functions.
const FUNCTION: &str = "?erase@Operation@mlir@@QEAAXXZ";
const VTABLE: &str = "??_7Operation@mlir@@6B@";

fn compile(architecture: Architecture, defs: &[Def], lacks: &[&str]) -> Vec<u8> {
    let little = Endianness::Little;
    object(BinaryFormat::Coff, architecture, little, defs, lacks)
}

/// Subjects of the tests.
pub(crate) struct Fixtures {
    pub(crate) library: Vec<u8>,
    pub(crate) library_32: Vec<u8>,
    pub(crate) extension: Vec<u8>,
    pub(crate) import_library: Vec<u8>,
}

pub(crate) static FIXTURES: LazyLock<Fixtures> = LazyLock::new(|| {
    let bench = Bench::new();
    for (name, exports) in [
        ("kernel32", "HeapAlloc\nHeapFree\n"),
        ("python3", "PyModule_Create2\nPyErr_SetFromWindowsErr\n"),
        ("python312", "PyList_New\n"),
        ("late", "late_call\n"),
        ("numbers", "ignored @7 NONAME\n"),
    ] {
        bench.put(
            &format!("{name}.def"),
            format!("LIBRARY {name}.dll\nEXPORTS\n{exports}"),
        );
        for (machine, suffix) in [("x64", ""), ("x86", "-32")] {
            bench.link(
                "lld-link",
                &[
                    "/lib",
                    &format!("/def:{name}.def"),
                    &format!("/machine:{machine}"),
                    &format!("/out:{name}{suffix}.lib"),
                ],
            );
        }
    }
    let defs = [
        function("acme_answer"),
        function("acme_unnamed"),
        function(FUNCTION),
        function(VTABLE),
        function("__delayLoadHelper2"),
        local_data("secret"),
    ];
    let lacks = ["__imp_HeapAlloc", "__imp_late_call"];
    bench.put("lib.obj", compile(Architecture::X86_64, &defs, &lacks));
    bench.link(
        "lld-link",
        &[
            "/dll",
            "/noentry",
            "/nodefaultlib",
            "/machine:x64",
            "lib.obj",
            "kernel32.lib",
            "late.lib",
            "/delayload:late.dll",
            "/export:acme_answer",
            "/export:acme_unnamed,@9,NONAME",
            &format!("/export:{FUNCTION}"),
            &format!("/export:{VTABLE}"),
            "/export:acme_moved=kernel32.HeapFree",
            "/debug:symtab",
            "/guard:cf,nolongjmp",
            "/cetcompat",
            "/out:acme.dll",
        ],
    );
    bench.put(
        "lib32.obj",
        compile(
            Architecture::I386,
            &[function("acme_answer"), local_data("secret")],
            &["_imp__HeapAlloc"],
        ),
    );
    bench.link(
        "lld-link",
        &[
            "/dll",
            "/noentry",
            "/nodefaultlib",
            "/machine:x86",
            "/safeseh:no",
            "lib32.obj",
            "kernel32-32.lib",
            "/export:acme_answer",
            "/dynamicbase:no",
            "/nxcompat:no",
            "/out:acme32.dll",
        ],
    );
    let lacks = [
        "__imp_acme_answer",
        "__imp_PyModule_Create2",
        "__imp_PyErr_SetFromWindowsErr",
        "__imp_PyList_New",
        "__imp_ignored",
    ];
    bench.put(
        "ext.obj",
        compile(Architecture::X86_64, &[function("PyInit__acme")], &lacks),
    );
    bench.link(
        "lld-link",
        &[
            "/dll",
            "/noentry",
            "/nodefaultlib",
            "/machine:x64",
            "ext.obj",
            "acme.lib",
            "python3.lib",
            "python312.lib",
            "numbers.lib",
            "/export:PyInit__acme",
            "/out:_acme.pyd",
        ],
    );
    Fixtures {
        library: bench.get("acme.dll"),
        library_32: bench.get("acme32.dll"),
        extension: bench.get("_acme.pyd"),
        import_library: bench.get("kernel32.lib"),
    }
});

#[test]
fn a_library_gives_its_facts() {
    let facts = read_image("acme.dll", &FIXTURES.library).expect("readable");
    assert_eq!(
        (facts.format, facts.kind, facts.arch, facts.bits),
        (Format::Pe, ImageKind::SharedLibrary, Arch::X86_64, 64)
    );
    assert_eq!(facts.soname, Some("acme.dll"));
    assert_eq!(facts.needed, ["kernel32.dll", "late.dll"]);
    assert_eq!(facts.optional, ["late.dll"]);
    let exports: Vec<(&str, Option<&str>)> = facts
        .exports
        .iter()
        .map(|export| (&*export.name, export.forwarded))
        .collect();
    assert_eq!(
        exports,
        [
            (VTABLE, None),
            (FUNCTION, None),
            ("acme_answer", None),
            ("acme_moved", Some("kernel32.HeapFree")),
        ]
    );
    assert_eq!(facts.nameless_exports, 1);
    let imports: Vec<(&str, Option<&str>, bool)> = facts
        .imports
        .iter()
        .map(|import| (import.name, import.library, import.weak))
        .collect();
    assert_eq!(
        imports,
        [
            ("HeapAlloc", Some("kernel32.dll"), false),
            ("late_call", Some("late.dll"), true)
        ]
    );
    let hardening = facts.hardening;
    assert_eq!(hardening.position_independent, Some(true));
    assert_eq!(hardening.no_execute, Some(true));
    assert_eq!(hardening.high_entropy, Some(true));
    assert_eq!(hardening.control_flow_guard, Some(true));
    assert_eq!(hardening.shadow_stack, Some(true));
    assert!(!facts.stripped);
    assert!(facts.symbols.iter().any(|symbol| symbol.name == b"secret"));
    assert_goblin_agrees(&FIXTURES.library);
    assert_goblin_agrees(&FIXTURES.library_32);
    assert_goblin_agrees(&FIXTURES.extension);
}

pub(crate) fn assert_goblin_agrees(bytes: &[u8]) {
    let facts = read_image("x.dll", bytes).expect("readable");
    let other = goblin::pe::PE::parse(bytes).expect("readable");
    assert_eq!(facts.soname, other.name);
    let mut named: Vec<&str> = other
        .exports
        .iter()
        .filter_map(|export| export.name)
        .collect();
    let mut exports: Vec<&str> = facts.exports.iter().map(|export| &*export.name).collect();
    named.sort_unstable();
    exports.sort_unstable();
    assert_eq!(exports, named);
    let mut imports: Vec<(&str, &str)> = facts
        .imports
        .iter()
        .filter(|import| !import.weak && import.ordinal.is_none())
        .filter_map(|import| Some((import.library?, import.name)))
        .collect();
    let mut others: Vec<(&str, &str)> = other
        .imports
        .iter()
        .filter(|import| !import.name.starts_with("ORDINAL "))
        .map(|import| (import.dll, &*import.name))
        .collect();
    imports.sort_unstable();
    others.sort_unstable();
    assert_eq!(imports, others);
    assert_eq!(facts.bits == 64, other.is_64);
}

#[test]
fn a_library_of_32_bits_without_protection_is_reported() {
    let facts = read_image("acme.dll", &FIXTURES.library_32).expect("readable");
    assert_eq!((facts.arch, facts.bits), (Arch::X86, 32));
    assert_eq!(facts.imports[0].name, "HeapAlloc");
    assert!(facts.stripped, "its symbols are nowhere");
    let input = Input {
        name: "acme.dll",
        bytes: &FIXTURES.library_32,
    };
    let audit = audit(&[input], &Policy::default()).expect("readable");
    let lines = finding_lines(&audit);
    for expected in [
        "warning aslr acme.dll: is linked for one address: no DYNAMICBASE",
        "warning stack acme.dll: does not keep its data from being executed: no NXCOMPAT",
        "info cfi acme.dll: does not check its indirect calls: no Control Flow Guard",
        "info typeid acme.dll: not visible: stripped, so TypeIDs and other statics could not be \
         counted",
    ] {
        assert!(
            lines.contains(&expected.to_owned()),
            "{expected}: {lines:#?}"
        );
    }
}

#[test]
fn the_rules_apply_to_a_set() {
    let images = [
        Input {
            name: "acme/acme.dll",
            bytes: &FIXTURES.library,
        },
        Input {
            name: "acme/_acme.cp310-win_amd64.pyd",
            bytes: &FIXTURES.extension,
        },
    ];
    let policy = Policy {
        abi3: Some((3, 10)),
        ..Policy::default()
    };
    let audit = audit(&images, &policy).expect("readable");
    let of = |rule| details(&audit, rule);
    assert_eq!(
        of(RuleId::Exports),
        [
            format!("{VTABLE} (C++ vtable)"),
            format!("{FUNCTION} (C++ of LLVM)")
        ]
    );
    assert_eq!(
        of(RuleId::Needed),
        ["numbers.dll", "late.dll (may be missing)"]
    );
    assert_eq!(of(RuleId::Unresolved), [""; 0]);
    assert_eq!(of(RuleId::Abi3), ["python312.dll"]);
    assert_eq!(of(RuleId::Format), ["1 export with a number and no name"]);
    let named = "error abi3 acme/_acme.cp310-win_amd64.pyd: its file name is for one version of \
                 CPython; no other imports it";
    assert!(
        finding_lines(&audit).contains(&named.to_owned()),
        "{:#?}",
        finding_lines(&audit)
    );
    assert_eq!(
        audit
            .minimum_versions()
            .platform_tag(Arch::X86_64)
            .as_deref(),
        Some("win_amd64")
    );
    let facts = read_image("_acme.pyd", &FIXTURES.extension).expect("readable");
    let module = "_acme".to_owned();
    assert_eq!(Role::guess(&facts), Role::Extension { module });
    let numbered = facts.imports.iter().find_map(|import| import.ordinal);
    assert_eq!(numbered, Some(7));
}

#[test]
fn objects_and_import_libraries_are_read() {
    for (architecture, arch, bits) in [
        (Architecture::X86_64, Arch::X86_64, 64),
        (Architecture::I386, Arch::X86, 32),
        (Architecture::Aarch64, Arch::Aarch64, 64),
    ] {
        let hidden = Def {
            scope: SymbolScope::Linkage,
            ..function("acme_hidden")
        };
        let defs = [function("acme_answer"), hidden, local_data("secret")];
        let bytes = compile(architecture, &defs, &["acme_far"]);
        let facts = read_image("a.obj", &bytes).expect("readable");
        assert_eq!(
            (facts.format, facts.kind, facts.arch, facts.bits),
            (Format::Pe, ImageKind::Object, arch, bits)
        );
        let exports: Vec<&str> = facts.exports.iter().map(|export| &*export.name).collect();
        assert_eq!(exports, ["acme_answer", "acme_hidden"]);
        assert_eq!(facts.imports[0].name, "acme_far");
    }
    let facts = read_image("kernel32.lib", &FIXTURES.import_library).expect("readable");
    assert_eq!(
        (facts.format, facts.kind, facts.arch),
        (Format::Pe, ImageKind::Archive, Arch::X86_64)
    );
    let heap = facts
        .exports
        .iter()
        .find(|export| export.name == "HeapAlloc");
    assert_eq!(
        heap.and_then(|export| export.forwarded),
        Some("kernel32.dll")
    );
    assert_eq!(facts.unseen, [""; 0]);
}

#[test]
fn code_that_is_not_in_the_file_is_reported() {
    let mut bytes = FIXTURES.library.clone();
    let headers = bytes.windows(4).position(|window| window == b"PE\0\0");
    let text = bytes.windows(6).position(|window| window == b".text\0");
    let (headers, text) = (headers.expect("headers"), text.expect("a section"));
    assert!(text > headers);
    // As the first section of a packed image: a place in memory, and nothing to fill it with.
    bytes[text + 16..text + 20].fill(0);
    let facts = read_image("acme.dll", &bytes).expect("readable");
    assert_eq!(facts.unseen.len(), 1, "{:?}", facts.unseen);
    assert!(
        facts.unseen[0].contains("section .text of code"),
        "{:?}",
        facts.unseen
    );
    bytes[text..text + 6].copy_from_slice(b"UPX0\0\0");
    let facts = read_image("acme.dll", &bytes).expect("readable");
    assert!(
        facts.unseen[0].contains("packed by UPX"),
        "{:?}",
        facts.unseen
    );
}

#[test]
fn libraries_of_one_name_in_two_packages_are_one_to_the_loader() {
    let images = |second: &'static str| {
        [
            ("a.whl!acme/acme.dll", &FIXTURES.library),
            ("a.whl!acme/_acme.pyd", &FIXTURES.extension),
            (second, &FIXTURES.library),
        ]
        .map(|(name, bytes)| Input { name, bytes })
    };
    let clash = audit(&images("b.whl!b/ACME.dll"), &Policy::default()).expect("readable");
    assert!(
        !details(&clash, RuleId::Binding).is_empty(),
        "{:#?}",
        finding_lines(&clash)
    );
    let none = audit(&images("b.whl!b/other.dll"), &Policy::default()).expect("readable");
    assert_eq!(details(&none, RuleId::Binding), [""; 0]);
}
