//! Locks that are read, refused and written.

use super::*;

const TEXT: &str = r#"
lock = 2
[[set]]
llvm = "22.1.8"
suite = "bookworm"
architecture = "amd64"
packages = [
    { name = "libmlir-22-dev", version = "1:22.1.8-1~deb12u1", size = 3, path = "pool/updates/main/l/llvm-toolchain-22/libmlir-22-dev_22.1.8-1~deb12u1_amd64.deb", sha256 = "00000000000000000000000000000000000000000000000000000000000000ff" },
]
"#;

fn target(architecture: &str) -> Target {
    Target {
        architecture: architecture.to_owned(),
    }
}

#[test]
fn what_is_rendered_reads_back() {
    let lock = Lock::parse(TEXT).unwrap();
    assert_eq!(Lock::parse(&lock.render()).unwrap(), lock);
    let amd64 = target("amd64");
    let set = lock.set(22, &amd64).unwrap();
    assert_eq!(set.download_size(), 3);
    assert_eq!(
        set.tree(1).folder.rsplit_once('-').unwrap().0,
        "llvm-22.1.8-1-deb12u1-amd64"
    );
    assert!(lock.set(19, &amd64).is_none());
    assert!(lock.set(22, &target("arm64")).is_none());
}

#[test]
fn optional_packages_are_taken_by_name() {
    let more = TEXT
        .replace("packages =", "optional =")
        .replace("libmlir", "libflang");
    let more = more.split_once("optional").unwrap().1;
    let lock = Lock::parse(&format!("{TEXT}optional{more}")).unwrap();
    assert_eq!(Lock::parse(&lock.render()).unwrap(), lock);
    let set = lock.set(22, &target("amd64")).unwrap().clone();
    let with = set.clone().with(&["libflang-22-dev".to_owned()]).unwrap();
    let names: Vec<&str> = with
        .packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    assert_eq!(names, ["libflang-22-dev", "libmlir-22-dev"]);
    assert_ne!(with.digest(1), set.digest(1));
    assert_eq!(set.with(&["flang".to_owned()]).unwrap_err(), "flang");
}

#[test]
fn the_sources_are_no_part_of_the_installation() {
    let source = "source = { name = \"llvm-toolchain-22\", version = \"22.1.8\", size = 4, path = \"pool/main/l/l.tar.xz\", sha256 = \
                      \"00000000000000000000000000000000000000000000000000000000000000aa\" }\n";
    let lock = Lock::parse(&format!("{TEXT}{source}")).unwrap();
    assert_eq!(Lock::parse(&lock.render()).unwrap(), lock);
    let set = &lock.sets[0];
    assert_eq!(set.source.as_ref().unwrap().size, 4);
    let without = Lock::parse(TEXT).unwrap();
    assert_eq!(set.digest(1), without.sets[0].digest(1));
    assert_eq!(set.download_size(), 3);
}

#[test]
fn a_digest_follows_every_hash_and_the_recipe() {
    let set = Lock::parse(TEXT).unwrap().sets.remove(0);
    let mut other = set.clone();
    other.packages[0].sha256 = other.packages[0].sha256.replace("ff", "fe");
    assert_ne!(set.digest(1), other.digest(1));
    assert_ne!(set.digest(1), set.digest(2));
}

#[test]
fn a_bad_lock_is_an_error_that_says_why() {
    for (from, to, expected) in [
        ("lock = 2", "lock = 1", "its format is 1"),
        ("suite =", "suit =", "unknown field `suit`"),
        ("\"22.1.8\"", "\"new\"", "invalid version"),
        ("name = \"lib", "name = \"../lib", "is not a package name"),
        ("1:22.1.8-1~deb12u1", "22/1", "is not a version"),
        ("pool/updates/", "pool/../", "is not a path"),
        ("pool/updates/", "/pool/", "is not a path"),
        ("00ff", "00FF", "lower-case"),
        ("size = 3", "size = -3", "invalid value"),
    ] {
        let error = Lock::parse(&TEXT.replace(from, to)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Toolchain);
        assert!(error.to_string().contains(expected), "{error}");
    }
    let twice = format!("{TEXT}{}", TEXT.replace("lock = 2", ""));
    let error = Lock::parse(&twice).unwrap_err().to_string();
    assert!(error.contains("a second set"), "{error}");
}

#[test]
fn replacing_keeps_one_set_for_each_key_in_order() {
    let mut lock = Lock::parse(TEXT).unwrap();
    let mut newer = lock.sets[0].clone();
    newer.llvm = "22.1.9".to_owned();
    let mut older = lock.sets[0].clone();
    older.llvm = "19.1.7".to_owned();
    lock.replace(newer);
    lock.replace(older);
    let versions: Vec<&str> = lock.sets.iter().map(|set| set.llvm.as_str()).collect();
    assert_eq!(versions, ["19.1.7", "22.1.9"]);
}

#[test]
fn versions_and_file_names() {
    assert_eq!(upstream_version("1:22.1.8-1~deb12u1"), "22.1.8");
    assert_eq!(upstream_version("4.8.12-3.1"), "4.8.12");
    let set = Lock::parse(TEXT).unwrap().sets.remove(0);
    let names = set.packages[0].file_names();
    assert!(names.contains(&"libmlir-22-dev_1%3a22.1.8-1~deb12u1_amd64.deb".to_owned()));
    assert!(names.contains(&"libmlir-22-dev_22.1.8-1~deb12u1_amd64.deb".to_owned()));
}
