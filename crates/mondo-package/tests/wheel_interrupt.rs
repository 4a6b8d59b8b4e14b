//! Ctrl-C while a wheel is written. In a process of its own, because a request to stop stays.

use std::collections::BTreeMap;

use camino::Utf8Path;
use mondo_core::{ErrorKind, Result, interrupt};
use mondo_package::wheel::metadata::Metadata;
use mondo_package::wheel::sbom::SbomInput;
use mondo_package::wheel::{Stage, Tag, WheelFile, WriteOptions, platform, write};

fn write_to(dir: &Utf8Path, content: &str) -> Result<WheelFile> {
    let metadata = Metadata {
        distribution: "tiny".to_owned(),
        version: "1".to_owned(),
        summary: None,
        license: "MIT".to_owned(),
        license_files: Vec::new(),
        authors: Vec::new(),
        urls: BTreeMap::new(),
        readme: None,
        requires_python: ">=3.10".to_owned(),
        requires: Vec::new(),
        keywords: Vec::new(),
        classifiers: Vec::new(),
        ..Metadata::default()
    };
    let mut stage = Stage::default();
    stage.bytes("tiny.py", content);
    let tag = Tag::abi3((3, 10), platform((2, 36), "x86_64"));
    write(
        &stage,
        &metadata,
        &tag,
        &SbomInput::default(),
        &WriteOptions::default(),
        dir,
        |_| Ok(()),
    )
}

#[test]
fn an_interrupted_write_keeps_the_last_good_wheel() {
    let guard = tempfile::tempdir().unwrap();
    let dir = Utf8Path::from_path(guard.path()).unwrap();
    let good = write_to(dir, "x = 1\n").unwrap();
    let before = fs_err::read(&good.path).unwrap();
    interrupt::request();
    let error = write_to(dir, "x = 2\n").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    assert_eq!(fs_err::read(&good.path).unwrap(), before);
    assert_eq!(fs_err::read_dir(dir).unwrap().count(), 1);
}
