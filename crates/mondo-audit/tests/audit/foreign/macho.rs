//! Mach-O: thin and universal, linked and not, 32 and 64 bits, either byte order; and what the rules
//! say of them. `goblin` is the second reader.

use std::sync::LazyLock;

use mondo_audit::{
    Arch, Binding, Format, ImageKind, Input, Policy, Role, RuleId, Signature, audit, read_image,
};
use object::macho::{PLATFORM_MACOS, Version};
use object::write::MachOBuildVersion;
use object::{Architecture, BinaryFormat, Endianness, SymbolScope};

use super::{Bench, Def, details, finding_lines, function, local_data, object, object_of, write};

const TBD: &str = "\
--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/usr/lib/libSystem.B.dylib'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ dyld_stub_binder, _malloc, _free ]
...
";

/// The mangled name of a `TypeID` of MLIR.
const TYPE_ID: &str = "_ZZN4mlir6detail14TypeIDResolverIN4acme3FooEvE13resolveTypeIDEvE2id";

fn weak(name: &'static str) -> Def {
    Def {
        weak: true,
        ..function(name)
    }
}

fn hidden_data(name: &'static str) -> Def {
    Def {
        scope: SymbolScope::Linkage,
        ..local_data(name)
    }
}

fn compile(architecture: Architecture, defs: &[Def], lacks: &[&str]) -> Vec<u8> {
    let little = Endianness::Little;
    let mut object = object_of(BinaryFormat::MachO, architecture, little, defs, lacks);
    object.set_subsections_via_symbols();
    let mut build = MachOBuildVersion::default();
    build.platform = PLATFORM_MACOS;
    build.minos = Version::new(11, 0, 0);
    build.sdk = Version::new(13, 1, 0);
    object.set_macho_build_version(build);
    write(object)
}

/// Subjects of the tests, for both machines of a Mac.
pub(crate) struct Fixtures {
    pub(crate) library: Vec<u8>,
    pub(crate) library_arm64: Vec<u8>,
    pub(crate) extension: Vec<u8>,
    pub(crate) program: Vec<u8>,
}

pub(crate) static FIXTURES: LazyLock<Fixtures> = LazyLock::new(|| {
    let bench = Bench::new();
    bench.put("System.tbd", TBD);
    let defs = [
        function("acme_answer"),
        weak("_ZN4acme3fooEv"),
        local_data("secret"),
        hidden_data(TYPE_ID),
    ];
    for (arch, architecture) in [
        ("x86_64", Architecture::X86_64),
        ("arm64", Architecture::Aarch64),
    ] {
        let lacks = ["malloc", "acme_elsewhere"];
        bench.put("lib.o", compile(architecture, &defs, &lacks));
        let common = ["-arch", arch, "-platform_version", "macos", "11.0", "13.1"];
        let rest = [
            "-dylib",
            "lib.o",
            "System.tbd",
            "-install_name",
            "@rpath/libacme.dylib",
            "-rpath",
            "@loader_path/../lib",
            "-rpath",
            "/opt/acme/lib",
            "-U",
            "_acme_elsewhere",
            "-o",
        ];
        let out = format!("libacme-{arch}.dylib");
        let mut args = common.to_vec();
        args.extend(rest);
        args.push(&out);
        bench.link("ld64.lld", &args);
    }
    let common = [
        "-arch",
        "x86_64",
        "-platform_version",
        "macos",
        "12.3",
        "13.1",
    ];
    bench.put(
        "ext.o",
        compile(
            Architecture::X86_64,
            &[function("PyInit__acme"), hidden_data(TYPE_ID)],
            &["acme_answer", "PyModule_Create2", "free"],
        ),
    );
    let mut args = common.to_vec();
    args.extend([
        "-bundle",
        "ext.o",
        "System.tbd",
        "libacme-x86_64.dylib",
        "-U",
        "_PyModule_Create2",
        "-o",
        "_acme.so",
    ]);
    bench.link("ld64.lld", &args);
    bench.put(
        "main.o",
        compile(Architecture::X86_64, &[function("main")], &["free"]),
    );
    let mut args = common.to_vec();
    args.extend(["main.o", "System.tbd", "-no_pie", "-o", "main"]);
    bench.link("ld64.lld", &args);
    Fixtures {
        library: bench.get("libacme-x86_64.dylib"),
        library_arm64: bench.get("libacme-arm64.dylib"),
        extension: bench.get("_acme.so"),
        program: bench.get("main"),
    }
});

/// A universal file of these images, as `lipo` writes it.
pub(crate) fn universal(images: &[&[u8]]) -> Vec<u8> {
    const PAGE: usize = 0x4000;
    let mut file = vec![0xca, 0xfe, 0xba, 0xbe];
    file.extend(u32::try_from(images.len()).expect("few").to_be_bytes());
    let mut at = PAGE;
    for image in images {
        // The machine and its variant, which a Mach-O file of Macs has after its magic.
        for field in [&image[4..8], &image[8..12]] {
            file.extend(field.iter().rev());
        }
        for field in [at, image.len(), 14] {
            file.extend(u32::try_from(field).expect("small").to_be_bytes());
        }
        at += image.len().next_multiple_of(PAGE);
    }
    for image in images {
        file.resize(file.len().next_multiple_of(PAGE), 0);
        file.extend_from_slice(image);
    }
    file
}

#[test]
fn a_library_gives_its_facts() {
    for (bytes, arch) in [
        (&FIXTURES.library, Arch::X86_64),
        (&FIXTURES.library_arm64, Arch::Aarch64),
    ] {
        let facts = read_image("libacme.dylib", bytes).expect("readable");
        assert_eq!(
            (
                facts.format,
                facts.kind,
                facts.arch,
                facts.bits,
                facts.big_endian
            ),
            (Format::MachO, ImageKind::SharedLibrary, arch, 64, false)
        );
        assert_eq!(facts.soname, Some("@rpath/libacme.dylib"));
        assert_eq!(facts.needed, ["/usr/lib/libSystem.B.dylib"]);
        assert_eq!(facts.rpath, ["@loader_path/../lib", "/opt/acme/lib"]);
        let mut exports: Vec<(&str, Binding)> = facts
            .exports
            .iter()
            .map(|export| (&*export.name, export.binding))
            .collect();
        exports.sort_by_key(|export| export.0);
        assert_eq!(
            exports,
            [
                ("_ZN4acme3fooEv", Binding::Weak),
                ("acme_answer", Binding::Global)
            ]
        );
        let from: Vec<(&str, Option<&str>)> = facts
            .imports
            .iter()
            .filter(|import| import.name != "dyld_stub_binder")
            .map(|import| (import.name, import.library))
            .collect();
        assert_eq!(
            from,
            [
                ("acme_elsewhere", None),
                ("malloc", Some("/usr/lib/libSystem.B.dylib"))
            ]
        );
        let minimum = facts.minimum_os.expect("a version");
        assert_eq!(
            (minimum.platform, minimum.version, minimum.sdk),
            ("macos", [11, 0, 0], Some([13, 1, 0]))
        );
        assert_eq!(facts.build_id.map(<[u8]>::len), Some(16));
        let signed = (arch == Arch::Aarch64).then_some(Signature::AdHoc);
        assert_eq!(facts.signature, signed);
        assert!(!facts.stripped && !facts.flat_namespace);
        let symbols: Vec<&[u8]> = facts.symbols.iter().map(|symbol| symbol.name).collect();
        assert!(
            symbols.contains(&TYPE_ID.as_bytes()),
            "without the underscore"
        );
        assert!(facts.unseen.is_empty(), "{:?}", facts.unseen);
        assert_goblin_agrees(bytes);
    }
}

pub(crate) fn assert_goblin_agrees(bytes: &[u8]) {
    let facts = read_image("x", bytes).expect("readable");
    let other = goblin::mach::MachO::parse(bytes, 0).expect("readable");
    assert_eq!(facts.soname, other.name);
    assert_eq!(facts.needed, other.libs[1..]);
    assert_eq!(facts.rpath, other.rpaths);
    let mut exports: Vec<String> = facts
        .exports
        .iter()
        .map(|export| format!("_{}", export.name))
        .collect();
    let mut others: Vec<String> = other
        .exports()
        .expect("a trie")
        .into_iter()
        .map(|export| export.name)
        .collect();
    exports.sort();
    others.sort();
    assert_eq!(exports, others);
    let addresses: Vec<u64> = facts.exports.iter().map(|export| export.address).collect();
    assert_eq!(addresses.len(), exports.len());
}

#[test]
fn an_extension_and_a_program_are_told_apart() {
    let facts = read_image("_acme.so", &FIXTURES.extension).expect("readable");
    assert_eq!(facts.kind, ImageKind::SharedLibrary);
    assert_eq!(facts.soname, None);
    let module = "_acme".to_owned();
    assert_eq!(Role::guess(&facts), Role::Extension { module });
    let bound = facts
        .imports
        .iter()
        .find(|import| import.name == "acme_answer");
    assert_eq!(
        bound.and_then(|import| import.library),
        Some("@rpath/libacme.dylib")
    );
    let facts = read_image("main", &FIXTURES.program).expect("readable");
    assert_eq!(facts.kind, ImageKind::Program);
    assert_eq!(Role::guess(&facts), Role::Other);
}

#[test]
fn the_rules_apply_to_a_set() {
    let images = [
        Input {
            name: "pkg/libacme.dylib",
            bytes: &FIXTURES.library,
        },
        Input {
            name: "pkg/_acme.so",
            bytes: &FIXTURES.extension,
        },
        Input {
            name: "pkg/main",
            bytes: &FIXTURES.program,
        },
    ];
    let policy = Policy {
        abi3: Some((3, 10)),
        ..Policy::default()
    };
    let audit = audit(&images, &policy).expect("readable");
    let of = |rule| details(&audit, rule);
    assert_eq!(of(RuleId::Exports), ["_ZN4acme3fooEv (C++)"]);
    assert_eq!(of(RuleId::Unique), ["_ZN4acme3fooEv"]);
    assert_eq!(of(RuleId::Runpath), ["/opt/acme/lib (absolute)"]);
    assert_eq!(
        of(RuleId::TypeId),
        [format!("{TYPE_ID} (weak static local)")]
    );
    assert_eq!(of(RuleId::Needed), [""; 0]);
    assert_eq!(of(RuleId::Abi3), [""; 0]);
    // Any library of the process may have it.
    assert_eq!(of(RuleId::Unresolved), ["acme_elsewhere"]);
    let aslr = "warning aslr pkg/main: is linked for one address".to_owned();
    assert!(
        finding_lines(&audit).contains(&aslr),
        "{:#?}",
        finding_lines(&audit)
    );
    assert_eq!(audit.minimum_versions().macos(), Some((12, 3)));
    assert_eq!(
        audit
            .minimum_versions()
            .platform_tag(Arch::X86_64)
            .as_deref(),
        Some("macosx_12_0_x86_64")
    );
}

#[test]
fn a_missing_companion_and_a_missing_name_are_found() {
    let extension = Input {
        name: "_acme.so",
        bytes: &FIXTURES.extension,
    };
    let alone = audit(&[extension], &Policy::default()).expect("readable");
    assert_eq!(details(&alone, RuleId::Needed), ["@rpath/libacme.dylib"]);
    // Another library of that name, without the function.
    let bench = Bench::new();
    bench.put(
        "a.o",
        compile(Architecture::X86_64, &[function("acme_other")], &[]),
    );
    bench.link(
        "ld64.lld",
        &[
            "-arch",
            "x86_64",
            "-platform_version",
            "macos",
            "11.0",
            "13.1",
            "-dylib",
            "a.o",
            "-install_name",
            "@rpath/libacme.dylib",
            "-o",
            "libacme.dylib",
        ],
    );
    let other = bench.get("libacme.dylib");
    let library = Input {
        name: "libacme.dylib",
        bytes: &other,
    };
    let audit = audit(&[extension, library], &Policy::default()).expect("readable");
    assert_eq!(
        details(&audit, RuleId::Unresolved),
        [
            "PyModule_Create2 (x)".replace(" (x)", ""),
            "acme_answer (@rpath/libacme.dylib does not export it)".to_owned()
        ][1..]
    );
}

#[test]
fn arm64_needs_a_signature() {
    let bench = Bench::new();
    bench.put(
        "a.o",
        compile(Architecture::Aarch64, &[function("acme_a")], &[]),
    );
    bench.link(
        "ld64.lld",
        &[
            "-arch",
            "arm64",
            "-platform_version",
            "macos",
            "11.0",
            "13.1",
            "-dylib",
            "a.o",
            "-install_name",
            "/Users/ann/liba.dylib",
            "-no_adhoc_codesign",
            "-no_uuid",
            "-o",
            "liba.dylib",
        ],
    );
    let bytes = bench.get("liba.dylib");
    let input = Input {
        name: "liba.dylib",
        bytes: &bytes,
    };
    let audit = audit(&[input], &Policy::default()).expect("readable");
    let lines = finding_lines(&audit);
    for expected in [
        "error signature liba.dylib: has no signature",
        "warning build-id liba.dylib: has no LC_UUID",
        "error soname liba.dylib: its install name /Users/ann/liba.dylib is a path",
        "warning build-path liba.dylib: seems to name a folder of a build in 1 place",
    ] {
        assert!(
            lines.contains(&expected.to_owned()),
            "{expected}: {lines:#?}"
        );
    }
}

#[test]
fn a_universal_file_is_an_image_for_each_machine() {
    let both = universal(&[&FIXTURES.library, &FIXTURES.library_arm64]);
    let parts = mondo_audit::parts("libacme.dylib", &both).expect("readable");
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["libacme.dylib[x86_64]", "libacme.dylib[arm64]"]);
    assert_eq!(parts[1].bytes, FIXTURES.library_arm64);
    assert_eq!(parts[1].offset % 0x4000, 0);
    let input = Input {
        name: "libacme.dylib",
        bytes: &both,
    };
    let audit = audit(&[input], &Policy::default()).expect("readable");
    assert_eq!(audit.images.len(), 2);
    // Both have the same TypeID and install name, but for different machines, so they never meet in one process.
    assert_eq!(details(&audit, RuleId::TypeId), [""; 0]);
    assert_eq!(details(&audit, RuleId::Soname), [""; 0]);
    let other = goblin::mach::MultiArch::new(&both).expect("readable");
    assert_eq!(other.narches, 2);
}

#[test]
fn objects_of_both_byte_orders_and_word_sizes_are_read() {
    for (architecture, endian, arch, bits) in [
        (Architecture::PowerPc, Endianness::Big, Arch::PowerPc, 32),
        (
            Architecture::PowerPc64,
            Endianness::Big,
            Arch::PowerPc64,
            64,
        ),
        (Architecture::I386, Endianness::Little, Arch::X86, 32),
        (Architecture::Aarch64, Endianness::Little, Arch::Aarch64, 64),
    ] {
        let defs = [function("acme_answer"), local_data("secret")];
        let bytes = object(
            BinaryFormat::MachO,
            architecture,
            endian,
            &defs,
            &["malloc"],
        );
        let facts = read_image("a.o", &bytes).expect("readable");
        assert_eq!(
            (facts.kind, facts.arch, facts.bits, facts.big_endian),
            (ImageKind::Object, arch, bits, endian == Endianness::Big)
        );
        let exports: Vec<&str> = facts.exports.iter().map(|export| &*export.name).collect();
        let imports: Vec<&str> = facts.imports.iter().map(|import| import.name).collect();
        assert_eq!((exports, imports), (vec!["acme_answer"], vec!["malloc"]));
        assert_eq!(facts.symbols.len(), 2);
        let other = goblin::mach::MachO::parse(&bytes, 0).expect("readable");
        assert_eq!(other.little_endian, endian == Endianness::Little);
    }
}

#[test]
fn weak_definitions_and_flat_lookups_meet_between_packages() {
    let bench = Bench::new();
    let defs = [weak("_ZN4acme3fooEv"), function("acme_elsewhere")];
    bench.put("a.o", compile(Architecture::X86_64, &defs, &[]));
    let common = [
        "-arch",
        "x86_64",
        "-platform_version",
        "macos",
        "11.0",
        "13.1",
    ];
    let rest = [
        "-dylib",
        "a.o",
        "-install_name",
        "@rpath/libother.dylib",
        "-o",
        "libother.dylib",
    ];
    bench.link("ld64.lld", &[&common[..], &rest].concat());
    let other = bench.get("libother.dylib");
    let set = |package: &str| {
        let name = format!("{package}!libother.dylib");
        let images = [
            Input {
                name: "a.whl!libacme.dylib",
                bytes: &FIXTURES.library,
            },
            Input {
                name: &name,
                bytes: &other,
            },
        ];
        audit(&images, &Policy::default()).expect("readable")
    };
    let between = set("b.whl");
    assert_eq!(
        details(&between, RuleId::Binding),
        ["acme_elsewhere", "_ZN4acme3fooEv"]
    );
    // Images of one wheel are built together, so their shared definitions are no finding.
    assert_eq!(details(&set("a.whl"), RuleId::Binding), [""; 0]);
}
