//! Moving sets without the real suite: what is recorded, and what is refused before a signature is looked at.

use crate::lock::Lock;
use mondo_core::error::ErrorKind;
use mondo_core::progress::{Recorded, Silent};

use super::*;
use crate::download::server::{Manner, Server};
use crate::fixture::World;
use crate::{sets, transfer};

/// A machine whose lock has LLVM 22 and a moving LLVM 23.
fn world() -> World {
    let mut world = World::with_packages("22.1.8");
    world.request.major = 23;
    let mut lock = Lock::read(&world.request.lock).unwrap();
    lock.moving.push(MovingSet {
        llvm: 23,
        suite: "sid".to_owned(),
        architecture: world.request.target.architecture.clone(),
        base: 22,
        verifier: Vec::new(),
    });
    fs_err::write(&world.request.lock, lock.render()).unwrap();
    assert_eq!(Lock::read(&world.request.lock).unwrap(), lock);
    world
}

/// Records that the suite had the packages of the fixture's LLVM 22, `age` seconds ago.
fn record(world: &World, age: u64) {
    let lock = Lock::read(&world.request.lock).unwrap();
    let mut set = lock.sets[0].clone();
    set.llvm = "23.1.4".to_owned();
    set.suite = "sid".to_owned();
    let record = Record {
        asked: record::now() - age,
        date: "Fri, 30 Oct 2026 08:08:01 UTC".to_owned(),
        index: "0".repeat(64),
        set,
    };
    record.write(&lock.moving[0], &world.request).unwrap();
}

fn wanted(world: &World, sink: &dyn Sink) -> Result<PackageSet> {
    sets::wanted_set(&world.request, &world.host, sink)
}

#[test]
fn without_a_network_the_record_is_used_whatever_its_age() {
    let world = world();
    let error = wanted(&world, &Silent).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Network, "{error}");
    assert!(sets::known_set(&world.request).is_err());

    record(&world, 1_000_000);
    let set = wanted(&world, &Silent).unwrap();
    assert_eq!(set.llvm, "23.1.4");
    assert_eq!(set.moved.as_ref().unwrap().suite, "sid");
    assert_eq!(set.base.as_ref().unwrap().llvm, "22.1.8");
    assert_eq!(sets::known_set(&world.request).unwrap(), set);
    let alone = PackageSet {
        base: None,
        ..set.clone()
    };
    assert_ne!(
        alone.digest(1),
        set.digest(1),
        "the base is a part of the key"
    );
}

#[test]
fn a_suite_is_asked_once_a_day_and_when_told_to() {
    let mut world = world();
    let server = Server::start(Manner::Status(403), &[("dists/sid/InRelease", b"")]);
    world.request.offline = false;
    world.request.mirrors.flag = Some(server.address().to_owned());
    record(&world, 60);
    wanted(&world, &Silent).unwrap();
    assert_eq!(server.requests(), []);

    for (age, again) in [(100_000, false), (60, true)] {
        record(&world, age);
        world.request.ask_suite = again;
        let before = server.requests().len();
        let notes = Recorded::default();
        let set = wanted(&world, &notes).unwrap();
        assert_eq!(set.llvm, "23.1.4", "the record stays");
        assert!(server.requests().len() > before);
        let lines = notes.into_lines().join("\n");
        assert!(lines.contains("cannot reach Debian sid"), "{lines}");
    }
}

#[test]
fn an_index_that_is_absent_or_not_signed_is_refused() {
    for (files, manner, kind, expected) in [
        (
            vec![],
            Manner::Good,
            ErrorKind::Toolchain,
            "no mirror has Debian's suite `sid`",
        ),
        (
            vec![("dists/sid/InRelease", &b""[..])],
            Manner::Status(403),
            ErrorKind::Network,
            "cannot download the index",
        ),
        (
            vec![("dists/sid/InRelease", &b"Suite: unstable\n"[..])],
            Manner::Good,
            ErrorKind::Integrity,
            "the signature of the index of Debian sid is not valid",
        ),
    ] {
        let mut world = world();
        let server = Server::start(manner, &files);
        world.request.offline = false;
        world.request.mirrors.flag = Some(server.address().to_owned());
        let error = wanted(&world, &Silent).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        // An index that is not signed is not the fault of the network, so that no record hides it.
        record(&world, 100_000);
        assert_eq!(wanted(&world, &Silent).is_err(), kind != ErrorKind::Network);
    }
}

#[test]
fn a_record_of_another_format_is_none() {
    let world = world();
    record(&world, 0);
    let folder = world.request.cache_dir.join("moving");
    let file = folder.read_dir_utf8().unwrap().next().unwrap().unwrap();
    let text = fs_err::read_to_string(file.path()).unwrap();
    for changed in [
        text.replace("pool/main", "../pool"),
        text.replace("\"sid\"", "\"stable\""),
        "{}".to_owned(),
    ] {
        fs_err::write(file.path(), changed).unwrap();
        let error = wanted(&world, &Silent).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Network, "{error}");
    }
}

#[test]
fn packages_of_a_suite_that_moves_are_not_exported_and_have_no_fixed_version() {
    let mut world = world();
    record(&world, 0);
    let file = world.dir.join("llvm.tar");
    let error = transfer::export(&world.request, &file, &Silent).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    world.request.exact = Some("23.1.3".to_owned());
    let error = wanted(&world, &Silent).unwrap_err().to_string();
    assert!(error.contains("Debian sid has 23.1.4"), "{error}");
}

#[test]
fn a_fixed_set_comes_first_and_a_base_must_be_locked() {
    let world = world();
    let text = fs_err::read_to_string(&world.request.lock).unwrap();
    let error = Lock::parse(&text.replace("base = 22", "base = 21")).unwrap_err();
    assert!(error.to_string().contains("its base, LLVM 21"), "{error}");
    let error = Lock::parse(&text.replace("llvm = 23", "llvm = 22")).unwrap_err();
    assert!(
        error.to_string().contains("a second set for LLVM 22"),
        "{error}"
    );
}

#[test]
fn packages_are_chosen_with_the_libraries_of_their_programs() {
    let mut list = String::new();
    let llvm = [
        "libmlir-23-dev",
        "llvm-23-dev",
        "mlir-23-tools",
        "llvm-23-tools",
        "libmlir-23",
        "libllvm23",
    ];
    let others = [
        "clang-23",
        "libzstd-dev",
        "zlib1g-dev",
        "zlib1g",
        "libz3-4",
        "libc6",
        "libc6-dev",
        "libgcc-16-dev",
        "libgcc-s1",
        "libstdc++-16-dev",
        "libstdc++6",
        "linux-libc-dev",
        "libcurl4",
        "vim",
    ];
    for name in llvm.iter().chain(&others) {
        let depends = match *name {
            "clang-23" => "libc6 (>= 2.34), libstdc++-16-dev",
            "libllvm23" => "libc6 (>= 2.38), libz3-4 (>= 4), zlib1g, libcurl4, libvirtual",
            "llvm-23-dev" => "vim, libedit-dev, libz3-4",
            _ => "libc6",
        };
        let folder = if llvm.contains(name) {
            "llvm-toolchain-23"
        } else {
            "other"
        };
        list.push_str(&format!(
            "Package: {name}\nVersion: 1:23.1.4-2\nDepends: {depends}\nFilename: pool/main/l/{folder}/{name}.deb\n\
             Size: 1\nSHA256: {}\n\n",
            "0".repeat(64)
        ));
    }
    let offers = stanzas(&list);
    let (packages, sysroot) = choose::packages(&offers, 23, "sid").unwrap();
    let names: Vec<&str> = packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "libllvm23",
            "libmlir-23",
            "libmlir-23-dev",
            "libz3-4",
            "libzstd-dev",
            "llvm-23-dev",
            "llvm-23-tools",
            "mlir-23-tools",
            "zlib1g",
            "zlib1g-dev",
        ]
    );
    assert_eq!(sysroot.len(), 7);
    assert!(
        sysroot
            .iter()
            .any(|package| package.name == "libstdc++-16-dev")
    );

    let row = &Lock::read(&world().request.lock).unwrap().moving[0];
    assert_eq!(choose::version(&packages, row).unwrap(), "23.1.4");
    let mut mixed = packages;
    mixed[0].version = "1:23.1.3-1".to_owned();
    let error = choose::version(&mixed, row).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Toolchain);
    assert_eq!(error.listed().len(), 2);

    let without: Vec<_> = offers
        .into_iter()
        .filter(|offer| offer.name != "mlir-23-tools")
        .collect();
    let error = choose::packages(&without, 23, "sid").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Toolchain);
    assert!(error.to_string().contains("mlir-23-tools"), "{error}");
}
