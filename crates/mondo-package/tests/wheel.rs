//! A written wheel in the hands of Python's own tools: zipfile, pip, importlib.metadata, import.

#![expect(
    clippy::disallowed_types,
    reason = "a test may run the programs that a user of the wheel would run"
)]

use std::collections::BTreeMap;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::ErrorKind;
use mondo_package::wheel::metadata::{Metadata, Person};
use mondo_package::wheel::sbom::{Crate, Native, SbomInput};
use mondo_package::wheel::{Stage, Tag, WriteOptions, pack, write};

/// Runs a program to its end and returns what it printed.
fn run(program: impl AsRef<std::ffi::OsStr>, args: &[&str], cwd: &Utf8Path) -> String {
    let output = Command::new(program.as_ref())
        .args(args)
        .current_dir(cwd)
        .env_remove("PYTHONPATH")
        .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(
        output.status.success(),
        "{:?} {args:?}\n{out}{err}",
        program.as_ref()
    );
    out
}

fn metadata(dir: &Utf8Path) -> Metadata {
    fs_err::write(dir.join("LICENSE"), "the licence\n").unwrap();
    fs_err::write(
        dir.join("README.md"),
        "# Tiny\n\nDescription: of a wheel – with a dash\n",
    )
    .unwrap();
    Metadata {
        distribution: "Mondo.Tiny".to_owned(),
        version: "1.0-rc1".to_owned(),
        summary: Some("A tiny wheel – for a test".to_owned()),
        license: "Apache-2.0 WITH LLVM-exception".to_owned(),
        license_files: vec![dir.join("LICENSE")],
        authors: vec![Person {
            name: Some("Ünal, A.".to_owned()),
            email: Some("a@example.org".to_owned()),
        }],
        urls: BTreeMap::from([("Source".to_owned(), "https://example.org".to_owned())]),
        readme: Some(dir.join("README.md")),
        requires_python: ">=3.10".to_owned(),
        requires: vec!["nothing-at-all>=1; extra == \"never\"".to_owned()],
        keywords: vec!["tiny".to_owned()],
        classifiers: vec!["Programming Language :: Python :: 3".to_owned()],
        ..Metadata::default()
    }
}

fn stage(dir: &Utf8Path) -> Stage {
    let package = dir.join("src/mondo_tiny");
    fs_err::create_dir_all(package.join("__pycache__")).unwrap();
    fs_err::write(package.join("__init__.py"), "ANSWER = 42\n").unwrap();
    fs_err::write(package.join("odd \"name\", with ünicode.txt"), "odd\n").unwrap();
    fs_err::write(
        package.join("__pycache__/__init__.cpython-311.pyc"),
        "stale",
    )
    .unwrap();
    let mut stage = Stage::default();
    stage.tree(&dir.join("src"), "").unwrap();
    stage.file("mondo_tiny/big.bin", dir.join("big.bin"), true);
    stage.bytes("mondo_tiny/py.typed", "");
    stage.bytes(
        "mondo_tiny-1.0rc1.dist-info/licenses/other/LICENSE",
        "another's licence\n",
    );
    stage
}

fn sbom() -> SbomInput<'static> {
    SbomInput {
        packages: &[],
        crates: vec![Crate {
            name: "some-crate".to_owned(),
            version: "1.2.3".to_owned(),
            license: Some("MIT".to_owned()),
            checksum: Some("00".repeat(32)),
        }],
        native: vec![Native {
            name: "zlib".to_owned(),
            ..Native::default()
        }],
        dialects: Vec::new(),
        archives: Vec::new(),
    }
}

const CHECK: &str = r##"
import importlib.metadata as m, json, mondo_tiny, os
d = m.distribution("mondo-tiny")
assert mondo_tiny.ANSWER == 42
assert d.version == "1.0rc1", d.version
assert d.metadata["Name"] == "Mondo.Tiny"
assert d.metadata["License-Expression"] == "Apache-2.0 WITH LLVM-exception"
assert d.metadata.get_all("License-File") == ["LICENSE", "other/LICENSE"]
assert d.metadata["Author-email"] == '"Ünal, A." <a@example.org>', d.metadata["Author-email"]
assert d.metadata["Summary"] == "A tiny wheel – for a test"
body = d.metadata["Description"]
assert body.startswith("# Tiny\n\nDescription: of a wheel"), body
files = {str(f): f for f in d.files}
odd = files['mondo_tiny/odd "name", with ünicode.txt']
assert odd.read_text() == "odd\n"
assert os.stat(files["mondo_tiny/big.bin"].locate()).st_mode & 0o100
assert not os.stat(odd.locate()).st_mode & 0o111
for name in ["licenses/LICENSE", "licenses/other/LICENSE", "sboms/mondo_tiny.cdx.json"]:
    assert f"mondo_tiny-1.0rc1.dist-info/{name}" in files, files
sbom = json.loads(files["mondo_tiny-1.0rc1.dist-info/sboms/mondo_tiny.cdx.json"].read_text())
assert sbom["specVersion"] == "1.6"
assert [c["name"] for c in sbom["components"]] == ["zlib", "some-crate"]
print("fine")
"##;

/// Hashes of RECORD by Python's csv and hashlib, and modes and order by its zipfile.
const INSPECT: &str = r##"
import base64, csv, hashlib, io, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    infos = z.infolist()
    names = [i.filename for i in infos]
    assert names[-1].endswith(".dist-info/RECORD")
    assert not [n for n in names if "__pycache__" in n]
    own = [".dist-info/" in n for n in names]
    assert own == sorted(own)
    for i in infos:
        assert i.date_time == (1980, 1, 1, 0, 0, 0)
        assert i.create_system == 3 and i.extra == b"" and not i.flag_bits & 8
        assert i.compress_type == zipfile.ZIP_DEFLATED
        mode = 0o100755 if i.filename.endswith("big.bin") else 0o100644
        assert i.external_attr == mode << 16, (i.filename, oct(i.external_attr >> 16))
    rows = list(csv.reader(io.StringIO(z.read(names[-1]).decode())))
    assert [r[0] for r in rows] == names
    assert rows[-1][1:] == ["", ""]
    for name, hash, size in rows[:-1]:
        data = z.read(name)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert (hash, int(size)) == ("sha256=" + digest, len(data)), name
print("fine")
"##;

/// The tag of a wheel for every Python.
fn any() -> Tag {
    Tag {
        python: "py3".to_owned(),
        abi: "none".to_owned(),
        platform: "any".to_owned(),
    }
}

/// Writes `bytes` bytes that do not compress well.
fn write_big(dir: &Utf8Path, bytes: u32) {
    let big: Vec<u8> = (0..bytes).map(|i| (i.wrapping_mul(i) >> 9) as u8).collect();
    fs_err::write(dir.join("big.bin"), big).unwrap();
}

#[test]
fn pip_installs_what_we_write() {
    let guard = tempfile::tempdir().unwrap();
    let dir = Utf8PathBuf::from_path_buf(guard.path().to_owned()).unwrap();
    write_big(&dir, 3_000_000);
    let tag = any();
    let options = WriteOptions {
        root_is_purelib: true,
        ..WriteOptions::default()
    };
    let wheel = write(
        &stage(&dir),
        &metadata(&dir),
        &tag,
        &sbom(),
        &options,
        &dir.join("dist"),
        |_| Ok(()),
    )
    .unwrap();
    assert_eq!(
        wheel.path.file_name(),
        Some("mondo_tiny-1.0rc1-py3-none-any.whl")
    );

    run(
        "python3",
        &["-m", "zipfile", "-t", wheel.path.as_str()],
        &dir,
    );
    assert_eq!(
        run("python3", &["-c", INSPECT, wheel.path.as_str()], &dir).trim(),
        "fine"
    );
    run("python3", &["-m", "venv", "venv"], &dir);
    let python = dir.join("venv/bin/python");
    run(
        &python,
        &["-m", "pip", "install", "--no-index", wheel.path.as_str()],
        &dir,
    );
    run(&python, &["-m", "pip", "check"], &dir);
    assert_eq!(run(&python, &["-c", CHECK], &dir).trim(), "fine");
    // Uninstalling follows RECORD: nothing of the package may stay.
    run(
        &python,
        &["-m", "pip", "uninstall", "--yes", "mondo-tiny"],
        &dir,
    );
    let gone = "import importlib.util as u; assert u.find_spec('mondo_tiny') is None";
    run(&python, &["-c", gone], &dir);
}

#[test]
fn a_damaged_wheel_is_not_read_back() {
    let guard = tempfile::tempdir().unwrap();
    let dir = Utf8PathBuf::from_path_buf(guard.path().to_owned()).unwrap();
    // Without repetitions, so that no two streams have the same content.
    write_big(&dir, 100_000);
    let tag = any();
    let (stage, metadata) = (stage(&dir), metadata(&dir));
    let packed = pack(&stage, &metadata, &tag, &sbom(), &WriteOptions::default()).unwrap();
    let mut written = Vec::new();
    let dist = dir.join("dist");
    let wheel = pack(&stage, &metadata, &tag, &sbom(), &WriteOptions::default())
        .unwrap()
        .write(&dist, |bytes| {
            written = bytes.to_vec();
            Ok(())
        })
        .unwrap();
    assert_eq!(fs_err::read(&wheel.path).unwrap(), written);
    packed.read_back(&written).unwrap();
    let name = b"mondo_tiny/big.bin";
    let places: Vec<usize> = (0..written.len())
        .filter(|&at| written[at..].starts_with(name))
        .collect();
    // The name is in the header before the content, in the directory, and in RECORD, which is
    // compressed.
    let [local, central] = places[..] else {
        panic!("{places:?}");
    };
    let stream = local + name.len();
    let mode = central - 46 + 40;
    let is_big = |path: &str| path.as_bytes() == name;
    let big = wheel.entries.iter().find(|entry| is_big(&entry.path));
    let middle = stream + big.unwrap().compressed as usize / 2;
    for at in [local, stream, middle, central, mode] {
        let mut damaged = written.clone();
        damaged[at] ^= 0x01;
        let kind = packed.read_back(&damaged).map_err(|error| error.kind());
        assert_eq!(
            kind,
            Err(ErrorKind::Wheel),
            "byte {at} of {}",
            written.len()
        );
    }
}
