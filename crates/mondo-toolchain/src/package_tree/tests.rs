//! Hostile packages, made byte by byte: dpkg-deb would not build them.

use std::io::Write as _;

use mondo_core::digest;

use super::*;
use crate::unpack::PackageFile;
use crate::unpack::{settle_links, unpack};

/// The types of entries of a tar file.
const FILE: u8 = b'0';
const HARD_LINK: u8 = b'1';
const SYMLINK: u8 = b'2';
const DEVICE: u8 = b'3';
const FOLDER: u8 = b'5';
const PIPE: u8 = b'6';

struct Entry<'e> {
    name: &'e str,
    kind: u8,
    mode: u32,
    target: &'e str,
    contents: &'e str,
    /// Of the header, if another one than that of the contents.
    size: Option<u64>,
}

fn entry<'e>(kind: u8, name: &'e str, target: &'e str) -> Entry<'e> {
    Entry {
        name,
        kind,
        mode: 0o755,
        target,
        contents: if kind == FILE { "contents" } else { "" },
        size: None,
    }
}

fn tar(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in entries {
        let mut header = vec![0; 512];
        let mut put = |at: usize, text: &str| {
            header[at..at + text.len()].copy_from_slice(text.as_bytes());
        };
        let size = entry.size.unwrap_or(entry.contents.len() as u64);
        put(0, entry.name);
        put(100, &format!("{:07o}", entry.mode));
        put(108, "0000000\x000000000\0");
        put(124, &format!("{size:011o}"));
        put(136, "00000000000");
        put(148, "        ");
        put(157, entry.target);
        put(257, "ustar\x0000");
        put(329, "0000001\x000000003");
        header[156] = entry.kind;
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        bytes.extend(header);
        bytes.extend(entry.contents.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

fn ar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, contents) in members {
        let size = contents.len();
        let _ = writeln!(
            bytes,
            "{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`",
            0, 0, 0, 100_644
        );
        bytes.extend(*contents);
        if size % 2 == 1 {
            bytes.push(b'\n');
        }
    }
    bytes
}

/// A package with these files.
fn deb(entries: &[Entry<'_>]) -> Vec<u8> {
    let control = Entry {
        contents: "Package: a\nVersion: 1\nArchitecture: all\nMaintainer: A <a@b.c>\nDescription: a\n",
        mode: 0o644,
        ..entry(FILE, "./control", "")
    };
    ar(&[
        ("debian-binary", b"2.0\n"),
        ("control.tar", &tar(&[control])),
        ("data.tar", &tar(entries)),
    ])
}

/// A folder `tree` for packages, and everything outside of it, which no package may touch.
struct World {
    _temp: tempfile::TempDir,
    dir: Utf8PathBuf,
    outside: Utf8PathBuf,
}

impl World {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let dir = Utf8PathBuf::from_path_buf(temp.path().to_owned()).unwrap();
        let dir = dir.canonicalize_utf8().unwrap();
        let outside = dir.join("outside");
        fs_err::create_dir(&outside).unwrap();
        fs_err::write(outside.join("file"), "untouched").unwrap();
        Self {
            _temp: temp,
            dir,
            outside,
        }
    }

    fn root(&self) -> Utf8PathBuf {
        self.dir.join("work/root")
    }

    fn unpack(&self, packages: &[Vec<u8>]) -> Result<()> {
        let mut files = Vec::new();
        for (number, bytes) in packages.iter().enumerate() {
            let path = self.dir.join(format!("{number}.deb"));
            fs_err::write(&path, bytes).unwrap();
            let sha256 = Some(digest::of(bytes));
            files.push(PackageFile { path, sha256 });
        }
        let done = unpack(&files, &self.root()).and_then(|()| settle_links(&self.root()));
        let listed: Vec<_> = self.outside.read_dir_utf8().unwrap().collect();
        assert_eq!(listed.len(), 1, "{listed:?}");
        let file = fs_err::read_to_string(self.outside.join("file")).unwrap();
        assert_eq!(file, "untouched");
        let beside = self.dir.join("work").read_dir_utf8().unwrap();
        let beside: Vec<_> = beside.map(|entry| entry.unwrap().into_path()).collect();
        assert_eq!(beside, [self.root()], "temporary files are left");
        done
    }

    #[track_caller]
    fn refuses(packages: &[&[Entry<'_>]], words: &str) {
        let packages: Vec<Vec<u8>> = packages.iter().map(|entries| deb(entries)).collect();
        let error = Self::new().unpack(&packages).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Integrity, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn names_and_links_stay_inside_of_the_folder() {
    World::refuses(&[&[entry(FILE, "../outside/x", "")]], "leaves the folder");
    World::refuses(
        &[&[entry(FILE, "./a/../../../outside/x", "")]],
        "leaves the folder",
    );
    World::refuses(
        &[&[entry(SYMLINK, "./a", "../outside")]],
        "leaves the folder",
    );
    World::refuses(
        &[&[entry(SYMLINK, "./a/b", "c/../../../x")]],
        "leaves the folder",
    );
    World::refuses(&[&[entry(FILE, "./a\nb", "")]], "control character");
    // Nothing is written through a link of the same package either.
    let through = [
        entry(SYMLINK, "./a", "../outside"),
        entry(FILE, "./a/x", ""),
    ];
    World::refuses(&[&through], "");

    // An absolute name or target is meant to be below the folder.
    let world = World::new();
    let absolute = deb(&[
        entry(FILE, "/etc/a", ""),
        entry(SYMLINK, "./b", "/etc/a"),
        entry(SYMLINK, "./c", "/etc/passwd"),
    ]);
    world.unpack(&[absolute]).unwrap();
    assert_eq!(
        fs_err::read_to_string(world.root().join("b")).unwrap(),
        "contents"
    );
    assert!(world.root().join("c").symlink_metadata().is_err());
}

#[test]
fn one_package_does_not_write_through_the_link_of_another() {
    let world = World::new();
    let absolute = deb(&[entry(SYMLINK, "./a", world.outside.as_str())]);
    let through = deb(&[entry(FOLDER, "./a/", ""), entry(FILE, "./a/file", "")]);
    let error = world
        .unpack(&[absolute.clone(), through.clone()])
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Integrity, "{error}");
    let error = World::new().unpack(&[through, absolute]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Integrity, "{error}");

    // A link to a folder of the same tree is followed, as Debian's `lib` is.
    let world = World::new();
    let linked = deb(&[
        entry(FOLDER, "./usr/", ""),
        entry(FOLDER, "./usr/lib/", ""),
        entry(SYMLINK, "./lib", "usr/lib"),
    ]);
    let library = deb(&[entry(FOLDER, "./lib/", ""), entry(FILE, "./lib/x", "")]);
    let again = deb(&[
        entry(FILE, "./usr/lib/x", ""),
        entry(FILE, "./usr/lib/y", ""),
    ]);
    world.unpack(&[linked, library, again]).unwrap();
    for name in ["lib/x", "usr/lib/x", "lib/y"] {
        assert!(world.root().join(name).is_file(), "{name}");
    }
}

#[test]
fn only_plain_files_come_out() {
    World::refuses(&[&[entry(PIPE, "./a", "")]], "a pipe");
    // A device.
    World::refuses(&[&[entry(DEVICE, "./a", "")]], "");
    let world = World::new();
    let outside = world.outside.join("file");
    let error = world.unpack(&[deb(&[entry(HARD_LINK, "./a", outside.as_str())])]);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Integrity);

    let world = World::new();
    let special = Entry {
        mode: 0o6755,
        ..entry(FILE, "./a", "")
    };
    world
        .unpack(&[deb(&[special, entry(HARD_LINK, "./b", "./a")])])
        .unwrap();
    for name in ["a", "b"] {
        let mode = fs_err::metadata(world.root().join(name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o7777, 0o755, "{name}");
    }
}

#[test]
fn a_file_with_a_huge_hole_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = Utf8Path::from_path(dir.path()).unwrap();
    let file = fs_err::File::create(dir.join("a")).unwrap();
    file.set_len(2 << 30).unwrap();
    let error = check(dir, 1000).unwrap_err();
    assert!(error.to_string().contains("larger than"), "{error}");
    check(dir, 20 << 20).unwrap();
}

#[test]
fn a_damaged_package_is_refused() {
    let good = deb(&[entry(FILE, "./a", "")]);
    World::new().unpack(std::slice::from_ref(&good)).unwrap();
    let data = tar(&[entry(FILE, "./a", "")]);
    let control = tar(&[entry(FILE, "./control", "")]);
    let version: (&str, &[u8]) = ("debian-binary", b"2.0\n");
    let too_long = Entry {
        size: Some(0o77_777_777_777),
        ..entry(FILE, "./a", "")
    };
    for (case, package) in [
        ("empty", Vec::new()),
        ("cut", good[..good.len() - 1500].to_vec()),
        (
            "another order",
            ar(&[("data.tar", &data), ("control.tar", &control), version]),
        ),
        ("no data", ar(&[version, ("control.tar", &control)])),
        (
            "not xz",
            ar(&[version, ("control.tar", &control), ("data.tar.xz", &data)]),
        ),
        (
            "not zstd",
            ar(&[version, ("control.tar", &control), ("data.tar.zst", &data)]),
        ),
        ("a size beyond the end", deb(&[too_long])),
    ] {
        let error = World::new().unpack(&[package]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Integrity, "{case}: {error}");
    }
}

#[test]
fn a_package_that_changes_after_its_check_is_refused() {
    let world = World::new();
    let path = world.dir.join("a.deb");
    fs_err::write(&path, deb(&[entry(FILE, "./a", "")])).unwrap();
    let sha256 = Some(digest::of_file(&path).unwrap());
    fs_err::write(&path, deb(&[entry(FILE, "./b", "")])).unwrap();
    let files = [PackageFile { path, sha256 }];
    let error = unpack(&files, &world.root()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Integrity);
    assert!(
        error.what().contains("changed after mondo checked it"),
        "{error}"
    );
    assert!(!world.root().join("b").exists());
}
