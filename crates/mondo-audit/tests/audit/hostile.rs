//! Property tests with arbitrary bytes: the audit returns findings or a typed error, and never panics.

use std::sync::LazyLock;

use crate::linked;
use mondo_audit::{Input, Policy, ReadError, archive, audit, audit_wheel, read_image};
use proptest::prelude::*;

struct Files {
    elf: Vec<u8>,
    archive: Vec<u8>,
    wheel: Vec<u8>,
}

static FILES: LazyLock<Files> = LazyLock::new(|| {
    use std::io::Write as _;
    let case = linked::link(&linked::fixtures().join("clean"));
    let elf = fs_err::read(&case.images[0]).expect("the image");
    let long = case.dir.join("a_member_with_quite_a_long_name.o");
    fs_err::write(&long, b"first").expect("a member");
    fs_err::write(case.dir.join("b.o"), b"odd").expect("a member");
    let members = ["a_member_with_quite_a_long_name.o", "b.o"];
    linked::run(&case.dir, "ar", &["rcsD", "x.a", members[0], members[1]]);
    let archive = fs_err::read(case.dir.join("x.a")).expect("the archive");
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, contents) in [
        ("acme/libacme.so", elf.as_slice()),
        ("acme-1.dist-info/WHEEL", b"Tag: py3-none-any\n"),
        ("acme-1.dist-info/RECORD", b"acme/libacme.so,,\n"),
    ] {
        writer
            .start_file(name, zip::write::SimpleFileOptions::default())
            .expect("an entry");
        writer.write_all(contents).expect("memory");
    }
    Files {
        elf,
        archive,
        wheel: writer.finish().expect("memory").into_inner(),
    }
});

fn audit_all(bytes: &[u8]) {
    let _ = archive::members("x.a", bytes);
    let _ = audit_wheel("acme-1-py3-none-any.whl", bytes, &Policy::default());
    let input = Input {
        name: "x.so",
        bytes,
    };
    let other = Input {
        name: "y.so",
        bytes: &FILES.elf,
    };
    let _ = audit(&[input, other], &Policy::default());
}

/// Some bytes to replace, and a place to cut.
#[derive(Debug, Clone)]
pub(crate) struct Damage {
    bytes: Vec<(usize, u8)>,
    cut: Option<usize>,
}

impl Damage {
    pub(crate) fn apply(&self, original: &[u8]) -> Vec<u8> {
        let mut damaged = original.to_vec();
        for &(place, byte) in &self.bytes {
            let place = place % damaged.len();
            damaged[place] = byte;
        }
        if let Some(cut) = self.cut {
            damaged.truncate(cut % (damaged.len() + 1));
        }
        damaged
    }
}

/// A file is cut at a place and has some bytes replaced; headers more often than the rest.
pub(crate) fn damaged_from() -> impl Strategy<Value = Damage> {
    let place = prop_oneof![0..256_usize, 0..2048_usize, any::<usize>()];
    let bytes = proptest::collection::vec((place, any::<u8>()), 0..8);
    let cut = prop_oneof![3 => Just(None), 1 => any::<usize>().prop_map(Some)];
    (bytes, cut).prop_map(|(bytes, cut)| Damage { bytes, cut })
}

fn damaged(original: fn() -> &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
    damaged_from().prop_map(move |damage| damage.apply(original()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_images_never_panic(bytes in damaged(|| &FILES.elf)) {
        audit_all(&bytes);
    }

    #[test]
    fn damaged_archives_never_panic(bytes in damaged(|| &FILES.archive)) {
        audit_all(&bytes);
    }

    #[test]
    fn damaged_wheels_never_panic(bytes in damaged(|| &FILES.wheel)) {
        audit_all(&bytes);
    }

    #[test]
    fn noise_never_panics(mut bytes in proptest::collection::vec(any::<u8>(), 0..512), magic in 0..4_usize) {
        let magic: &[u8] = [b"\x7fELF\x02\x01\x01".as_slice(), b"!<arch>\n", b"PK\x03\x04", b""][magic];
        bytes.splice(0..0, magic.iter().copied());
        audit_all(&bytes);
    }
}

/// The offset of section header `index` of an ELF64 file.
fn section_header(elf: &[u8], index: usize) -> usize {
    let start = u64::from_le_bytes(elf[0x28..0x30].try_into().expect("8 bytes"));
    usize::try_from(start).expect("small") + index * 64
}

fn sections_of_type(elf: &[u8], wanted: u32) -> Vec<usize> {
    let count = usize::from(u16::from_le_bytes([elf[0x3c], elf[0x3d]]));
    (0..count)
        .map(|index| section_header(elf, index))
        .filter(|&at| elf[at + 4..at + 8] == wanted.to_le_bytes())
        .collect()
}

#[test]
fn huge_counts_and_sizes_are_errors() {
    let elf = &FILES.elf;
    // Section headers and program headers: as many as the fields hold.
    for field in [0x3c, 0x38] {
        let mut huge = elf.clone();
        huge[field..field + 2].copy_from_slice(&0xfeff_u16.to_le_bytes());
        assert!(matches!(
            read_image("x", &huge),
            Err(ReadError::Malformed { .. })
        ));
    }
    // Symbol table and its string table: sizes beyond the file, offsets that overflow.
    for (kind, at) in [(2, 32), (11, 32), (3, 24), (2, 24)] {
        for section in sections_of_type(elf, kind) {
            let mut huge = elf.clone();
            huge[section + at..section + at + 8].copy_from_slice(&(u64::MAX - 7).to_le_bytes());
            audit_all(&huge);
        }
    }
}

#[test]
fn overlapping_sections_are_survived() {
    let mut elf = FILES.elf.clone();
    let symbols = sections_of_type(&elf, 2)[0];
    let place: Vec<u8> = elf[symbols + 24..symbols + 40].to_vec();
    for section in sections_of_type(&elf.clone(), 3) {
        elf[section + 24..section + 40].copy_from_slice(&place);
    }
    audit_all(&elf);
}

#[test]
fn a_symbol_table_that_section_headers_hide_is_an_error() {
    let mut elf = FILES.elf.clone();
    let dynamic_symbols = sections_of_type(&elf, 11)[0];
    elf[dynamic_symbols + 4..dynamic_symbols + 8].copy_from_slice(&1_u32.to_le_bytes());
    let error = read_image("x", &elf).expect_err("hidden");
    assert!(
        error.to_string().contains("dynamic symbol table"),
        "{error}"
    );
}

#[test]
fn what_is_no_linked_image_is_told_apart() {
    let found = |bytes: &[u8]| match read_image("x", bytes) {
        Err(ReadError::Unsupported { found, .. }) => found,
        other => panic!("{other:?}"),
    };
    assert_eq!(found(b""), "the file is empty");
    assert_eq!(found(b"hello"), "its format is unknown");
    assert_eq!(found(&FILES.wheel), "it is a zip file");
    assert_eq!(
        found(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2]),
        "it is a Mach-O universal file"
    );
    // The version of Java 17 stands where a universal file has the number of its images.
    assert_eq!(
        found(&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61]),
        "its format is unknown"
    );
    let mut core = FILES.elf.clone();
    core[16] = 4;
    assert_eq!(found(&core), "it is a core dump");
}

#[test]
fn archives_give_their_members() {
    let members = archive::members("x.a", &FILES.archive).expect("readable");
    let found: Vec<(&str, &[u8])> = members
        .iter()
        .map(|member| (member.name, member.bytes))
        .collect();
    assert_eq!(
        found,
        [
            ("a_member_with_quite_a_long_name.o", b"first".as_slice()),
            ("b.o", b"odd")
        ]
    );
    for member in &members {
        let offset = usize::try_from(member.offset).expect("small");
        assert_eq!(
            &FILES.archive[offset..offset + member.bytes.len()],
            member.bytes
        );
    }
}

#[test]
fn a_truncated_archive_names_member_and_offset() {
    let end = FILES.archive.len() - 2;
    let error = archive::members("x.a", &FILES.archive[..end]).expect_err("truncated");
    let text = error.to_string();
    assert!(text.contains("b.o") || text.contains("a_member"), "{text}");
    assert!(text.contains("offset"), "{text}");
}

#[test]
fn a_thin_archive_is_refused() {
    let error = archive::members("x.a", b"!<thin>\n").expect_err("thin");
    assert_eq!(
        error,
        ReadError::ThinArchive {
            name: "x.a".to_owned()
        }
    );
}
