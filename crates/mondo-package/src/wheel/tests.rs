//! Whole wheels: what is in them, that their bytes are a function of their input, and that bad input
//! leaves nothing behind.

use std::collections::BTreeMap;
use std::io::Read;

use mondo_core::digest::{Sha256, hex};
use proptest::prelude::*;

use super::*;

pub(super) fn metadata() -> Metadata {
    Metadata {
        distribution: "mondo-mlir".to_owned(),
        version: "22.1.8".to_owned(),
        summary: None,
        license: "Apache-2.0 WITH LLVM-exception".to_owned(),
        license_files: Vec::new(),
        authors: Vec::new(),
        urls: BTreeMap::new(),
        readme: None,
        requires_python: ">=3.10".to_owned(),
        requires: Vec::new(),
        keywords: Vec::new(),
        classifiers: Vec::new(),
        ..Metadata::default()
    }
}

fn tag() -> Tag {
    Tag::abi3((3, 10), platform((2, 17), "x86_64"))
}

fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
    (dir, path)
}

fn write_to(stage: &Stage, metadata: &Metadata, dir: &Utf8Path) -> Result<WheelFile> {
    write(
        stage,
        metadata,
        &tag(),
        &SbomInput::default(),
        &WriteOptions::default(),
        dir,
        |_| Ok(()),
    )
}

/// Path → content of every entry, as the `zip` crate reads it.
fn read(wheel: &WheelFile) -> Vec<(String, Vec<u8>)> {
    let file = fs_err::File::open(&wheel.path).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let mut all = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        // The reader checks the CRC at the end.
        entry.read_to_end(&mut bytes).unwrap();
        all.push((entry.name().unwrap().into_owned(), bytes));
    }
    all
}

#[test]
fn a_wheel_has_its_own_files_last_and_in_order() {
    let (_guard, dir) = folder();
    fs_err::write(dir.join("LICENSE"), "ours").unwrap();
    let metadata = Metadata {
        license_files: vec![dir.join("LICENSE")],
        ..metadata()
    };
    let mut stage = Stage::default();
    stage.bytes(
        "mondo_mlir-22.1.8.dist-info/licenses/llvm/LICENSE",
        "LLVM's",
    );
    stage.bytes("mlir/ir.py", "x = 1\n");
    stage.bytes("zzz.py", "");
    stage.bytes("mlir/a,b.txt", "odd");
    let wheel = write_to(&stage, &metadata, &dir.join("dist")).unwrap();
    assert_eq!(
        wheel.path.file_name(),
        Some("mondo_mlir-22.1.8-cp310-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl")
    );
    let all = read(&wheel);
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "mlir/a,b.txt",
            "mlir/ir.py",
            "zzz.py",
            "mondo_mlir-22.1.8.dist-info/METADATA",
            "mondo_mlir-22.1.8.dist-info/WHEEL",
            "mondo_mlir-22.1.8.dist-info/licenses/LICENSE",
            "mondo_mlir-22.1.8.dist-info/licenses/llvm/LICENSE",
            "mondo_mlir-22.1.8.dist-info/sboms/mondo_mlir.cdx.json",
            "mondo_mlir-22.1.8.dist-info/RECORD",
        ]
    );
    let text = |index: usize| String::from_utf8(all[index].1.clone()).unwrap();
    insta::assert_snapshot!(text(3), @r"
    Metadata-Version: 2.4
    Name: mondo-mlir
    Version: 22.1.8
    License-Expression: Apache-2.0 WITH LLVM-exception
    License-File: LICENSE
    License-File: llvm/LICENSE
    Requires-Python: >=3.10
    ");
    insta::assert_snapshot!(text(4).replace(env!("CARGO_PKG_VERSION"), "<version>"), @r"
    Wheel-Version: 1.0
    Generator: mondo-build <version>
    Root-Is-Purelib: false
    Tag: cp310-abi3-manylinux2014_x86_64
    Tag: cp310-abi3-manylinux_2_17_x86_64
    ");
    assert_eq!(wheel.entries.len(), all.len());
    assert_eq!(wheel.size, fs_err::metadata(&wheel.path).unwrap().len());
    assert_eq!(
        wheel.sha256,
        hex(Sha256::digest(fs_err::read(&wheel.path).unwrap()))
    );
}

#[test]
fn the_bytes_depend_on_nothing_but_the_input() {
    // Big enough that files are worked on beside each other.
    let noise: Vec<u8> = (0..3_000_000u32)
        .map(|i| (i.wrapping_mul(i) >> 7) as u8)
        .collect();
    let mut written = Vec::new();
    for threads in [1, 2, 5] {
        let (_guard, dir) = folder();
        let mut stage = Stage::default();
        for index in 0..7 {
            let from = dir.join(format!("source-{index}"));
            fs_err::write(&from, &noise[index * 400_000..]).unwrap();
            stage.file(format!("pkg/{index}.bin"), from, index == 3);
        }
        if threads == 2 {
            stage.entries.reverse();
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let wheel = pool
            .install(|| write_to(&stage, &metadata(), &dir.join("out")))
            .unwrap();
        written.push(fs_err::read(wheel.path).unwrap());
    }
    assert!(written[0] == written[1] && written[0] == written[2]);
}

#[test]
fn an_earlier_wheel_stays_after_an_error_and_nothing_else() {
    let (_guard, dir) = folder();
    let mut stage = Stage::default();
    stage.bytes("m.py", "x = 1\n");
    let good = write_to(&stage, &metadata(), &dir).unwrap();
    let before = fs_err::read(&good.path).unwrap();
    type Break = fn(&mut Stage, &mut Metadata);
    let faults: [(ErrorKind, Break); 6] = [
        (ErrorKind::Io, |stage, _| {
            stage.file("lib.so", "no/such/file", true);
        }),
        (ErrorKind::Wheel, |stage, _| {
            stage.file("lib.so", "src", true);
        }),
        (ErrorKind::Wheel, |stage, _| stage.bytes("M.py", "")),
        (ErrorKind::Wheel, |stage, _| {
            stage.bytes("mondo_mlir-22.1.8.dist-info/RECORD", "");
        }),
        (ErrorKind::Wheel, |stage, _| {
            stage.bytes("other-1.dist-info/METADATA", "");
        }),
        (ErrorKind::Wheel, |_, metadata| {
            metadata.license = "proprietary".to_owned();
        }),
    ];
    for (kind, fault) in faults {
        let (mut stage, mut metadata) = (stage.clone(), metadata());
        fault(&mut stage, &mut metadata);
        let error = write_to(&stage, &metadata, &dir).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        let left: Vec<_> = fs_err::read_dir(&dir)
            .unwrap()
            .map(|item| item.unwrap().path())
            .collect();
        assert_eq!(left, [good.path.as_std_path()], "{error}");
        assert_eq!(fs_err::read(&good.path).unwrap(), before);
    }
}

/// A packed wheel with three staged files.
fn packed() -> Packed {
    let mut stage = Stage::default();
    stage.bytes("a.py", "x = 1\n".repeat(50));
    stage.bytes("b.so", vec![7; 5000]);
    stage.entries[1].executable = true;
    stage.bytes("c.py", "y = 2\n");
    let (sbom, options) = (SbomInput::default(), WriteOptions::default());
    pack(&stage, &metadata(), &tag(), &sbom, &options).unwrap()
}

#[test]
fn a_large_file_is_packed_in_pieces_whatever_the_threads() {
    let mut stage = Stage::default();
    let content: Vec<u8> = (0_u32..(2 << 20) + (1 << 18))
        .flat_map(|at| (at.wrapping_mul(2_654_435_761) >> 20).to_le_bytes())
        .collect();
    assert!(content.len() > pieces::PIECE);
    stage.bytes("large.so", content);
    let (sbom, options) = (SbomInput::default(), WriteOptions::default());
    let pack = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build()
            .unwrap()
            .install(|| pack(&stage, &metadata(), &tag(), &sbom, &options))
            .unwrap()
    };
    let (one, three) = (pack(1), pack(3));
    assert!(one.bytes == three.bytes);
    one.read_back(&one.bytes).unwrap();
}

#[test]
fn a_writer_that_damages_a_member_replaces_nothing() {
    let (_guard, dir) = folder();
    let whole = packed();
    // The stream of the first member begins after its header and name.
    let stream = 30 + "a.py".len();
    assert!(whole.entries[0].compressed > 4);
    let good = packed().write(&dir, |_| Ok(())).unwrap();
    let before = fs_err::read(&good.path).unwrap();
    type Damage = fn(&mut Vec<u8>, usize);
    let damages: [Damage; 4] = [
        |bytes, stream| bytes[stream + 3] ^= 0x10,
        |bytes, stream| bytes[stream - 1] ^= 1,
        |bytes, _| bytes.truncate(bytes.len() - 40),
        |bytes, _| bytes.clear(),
    ];
    for damage in damages {
        let write = |file: &mut File, bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            damage(&mut bytes, stream);
            writer::write_through(file, &bytes)
        };
        let error = packed().write_with(write, &dir, |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Wheel, "{error}");
        assert_eq!(error.place(), Some(good.path.as_str()));
        assert!(!error.listed().is_empty());
        assert_eq!(fs_err::read(&good.path).unwrap(), before);
        assert_eq!(dir.read_dir_utf8().unwrap().count(), 1, "a file was left");
    }
}

#[test]
fn each_difference_of_a_member_is_listed() {
    type Expect = fn(&mut Vec<WheelEntry>);
    let cases: [(&str, Expect); 6] = [
        ("a.py: SHA-256 00", |all| all[0].sha256 = "00".to_owned()),
        ("b.so: mode 100644 expected, 100755 found", |all| {
            all[1].permissions = 0o644;
        }),
        ("a.py: size 301 expected, 300 found", |all| all[0].size += 1),
        ("c.py: compressed size", |all| all[2].compressed += 1),
        ("member 0: b.so expected, a.py found", |all| all.swap(0, 1)),
        ("RECORD expected, nothing found", |all| {
            let last = all.last().unwrap().clone();
            all.push(last);
        }),
    ];
    for (line, expect) in cases {
        let mut packed = packed();
        packed.read_back(&packed.bytes).unwrap();
        expect(&mut packed.entries);
        let error = packed.read_back(&packed.bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Wheel);
        assert!(
            error.listed().iter().any(|found| found.contains(line)),
            "{line}: {error}"
        );
    }
}

/// RECORD read back by a small CSV reader of its own: path → (hash, size).
fn parse_record(text: &str) -> BTreeMap<String, (String, String)> {
    let mut rows = BTreeMap::new();
    for line in text.lines() {
        let (path, rest) = match line.strip_prefix('"') {
            None => line.split_once(',').unwrap(),
            Some(quoted) => {
                let end = quoted.replace("\"\"", "\u{1}\u{1}").find('"').unwrap();
                (&quoted[..end], &quoted[end + 2..])
            }
        };
        let (hash, size) = rest.split_once(',').unwrap();
        let path = path.replace("\"\"", "\"");
        assert!(
            rows.insert(path, (hash.to_owned(), size.to_owned()))
                .is_none()
        );
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_stage_is_read_back(
        files in prop::collection::btree_map(
            // Lower case, so that no two names differ in case alone; folders have names of their own.
            "(d[0-9]/)?[a-z0-9 ,\"'#%+ßéж漢_-]{1,12}\\.x",
            (prop::collection::vec(any::<u8>(), 0..2000), any::<bool>()),
            0..12,
        ),
        level in 0u8..=12,
        epoch in 0u64..5_000_000_000,
    ) {
        let (_guard, dir) = folder();
        let mut stage = Stage::default();
        for (path, (bytes, executable)) in &files {
            stage.entries.push(Entry {
                path: path.clone(),
                source: Source::Bytes(bytes.clone()),
                executable: *executable,
            });
        }
        let options = WriteOptions { epoch: Epoch(epoch), level, ..WriteOptions::default() };
        let wheel = write(&stage, &metadata(), &tag(), &SbomInput::default(), &options, &dir, |_| Ok(())).unwrap();
        let all = read(&wheel);
        prop_assert_eq!(all.len(), files.len() + 4);
        let (record_path, record) = all.last().unwrap();
        let rows = parse_record(std::str::from_utf8(record).unwrap());
        prop_assert_eq!(rows.len(), all.len());
        for (path, bytes) in &all {
            if let Some((expected, _)) = files.get(path) {
                prop_assert_eq!(expected, bytes);
            }
            let (hash, size) = &rows[path];
            if path == record_path {
                prop_assert!(hash.is_empty() && size.is_empty());
                continue;
            }
            prop_assert_eq!(size, &bytes.len().to_string());
            let entry = wheel.entries.iter().find(|entry| entry.path == *path).unwrap();
            prop_assert_eq!(&entry.sha256, &hex(Sha256::digest(bytes)));
            prop_assert_eq!(hash.len(), "sha256=".len() + 43);
        }
    }
}
