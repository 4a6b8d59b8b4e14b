//! That the catalogue is well formed, and what a malformed one is told.

use insta::assert_snapshot;

use super::*;

const SMALL: &str = r#"catalogue = 1
llvm = [19, 22]
base = ["IR"]
headers-without-functions = []
execution-engine = "IR"
archive = [{ name = "IR", headers = ["mlir-c/IR.h"] }]
dialect = [
    { name = "shard", archive = "IR", handle = "s", ods = ["S.td"], since = 21 },
    { name = "mesh", archive = "IR", handle = "m", ods = ["M.td"], until = 20 },
]
pass-group = []
translation = []
llvm-target = []
[everything]
archive = "IR"
dialects = "d"
passes = "p"
translations = "t"
[sets]
dialects = { both = ["mesh", "shard"] }
passes = {}
"#;

fn refused(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from));
    let error = Catalogue::parse(&SMALL.replacen(from, to, 1), "dialect.toml".into()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Manifest);
    error.to_string()
}

#[test]
fn a_release_has_what_its_version_has() {
    let catalogue = Catalogue::parse(SMALL, "dialect.toml".into()).unwrap();
    let names = |major| -> Vec<&str> {
        let release = catalogue.release(major).unwrap();
        assert_eq!(
            release.dialect_sets["both"],
            release.dialects.keys().copied().collect::<Vec<_>>()
        );
        release.dialects.into_keys().collect()
    };
    assert_eq!(names(19), ["mesh"]);
    assert_eq!(names(22), ["shard"]);
    assert!(catalogue.release(20).is_none());
}

#[test]
fn a_catalogue_that_contradicts_itself_is_refused() {
    assert_snapshot!(refused("catalogue = 1", "catalogue = 2"), @r#"
    catalogue format 2 is not known
       at: dialect.toml:1:13
      why: this mondo reads format 1
    "#);
    assert_snapshot!(refused("ods = [\"S.td\"]", "odd = [\"S.td\"]"), @r#"
    `odd` is not a key of [dialect]
       at: dialect.toml:8:53
     help: did you mean `ods`?
    "#);
    assert_snapshot!(refused("name = \"mesh\", archive = \"IR\"", "name = \"mesh\", archive = \"IT\""), @r#"
    `IT` is not an archive
       at: dialect.toml:9:32
     help: did you mean `IR`?
    "#);
    let twice = r#"name = "shard", archive = "IR", ods = ["T.td"] }, { name = "mesh""#;
    assert_snapshot!(refused("name = \"mesh\"", twice), @r#"
    `shard` is here twice for LLVM 22
       at: dialect.toml:9:14
    "#);
    assert_snapshot!(refused("execution-engine = \"IR\"", "execution-engine = \"IS\""), @r#"
    `IS` is not an archive
       at: dialect.toml:5:20
     help: did you mean `IR`?
    "#);
    assert_snapshot!(refused("[\"mesh\", \"shard\"]", "[\"mash\"]"), @r#"
    `mash` is not known in any version
       at: dialect.toml:20:22
     help: did you mean `mesh`?
    "#);
}

#[test]
fn upstreams_catalogue_is_sound() {
    let catalogue = Catalogue::upstream().unwrap();
    for major in &catalogue.llvm {
        is_sound(&catalogue.release(*major).unwrap());
    }
}

fn is_sound(release: &Release<'_>) {
    for (name, dialect) in &release.dialects {
        // MLIR_DECLARE_CAPI_DIALECT_REGISTRATION makes the function's name from the dialect's.
        let handle = (*name != "builtin").then(|| format!("mlirGetDialectHandle__{name}__"));
        assert_eq!(dialect.handle, handle, "{name}");
    }
    let mut headers: Vec<&String> = release
        .archives
        .values()
        .flat_map(|archive| &archive.headers)
        .collect();
    let all = headers.len();
    headers.sort();
    headers.dedup();
    assert_eq!(headers.len(), all, "a header belongs to one archive");
    let mut modules: Vec<&String> = release
        .dialects
        .values()
        .filter_map(|dialect| dialect.python.as_ref())
        .collect();
    let all = modules.len();
    modules.sort();
    modules.dedup();
    assert_eq!(modules.len(), all, "a module belongs to one dialect");
    assert!(!modules.iter().any(|module| module.starts_with('_')));
    let native: Vec<&str> = release
        .llvm_targets
        .values()
        .filter(|target| !target.native_for.is_empty())
        .map(|target| target.name.get_ref().as_str())
        .collect();
    assert_eq!(native, ["AArch64", "X86"]);
}

#[test]
fn entries_are_sorted_so_that_each_has_one_place() {
    let catalogue = Catalogue::upstream().unwrap();
    fn assert_sorted<'a>(names: impl Iterator<Item = &'a Spanned<String>>) {
        let names: Vec<&String> = names.map(Spanned::get_ref).collect();
        let mut sorted = names.clone();
        sorted.sort();
        assert!(!names.is_empty());
        assert_eq!(names, sorted);
    }
    assert_sorted(catalogue.archives.iter().map(|entry| &entry.name));
    assert_sorted(catalogue.dialects.iter().map(|entry| &entry.name));
    assert_sorted(catalogue.pass_groups.iter().map(|entry| &entry.name));
    assert_sorted(catalogue.translations.iter().map(|entry| &entry.name));
    assert_sorted(catalogue.llvm_targets.iter().map(|entry| &entry.name));
    for set in catalogue
        .sets
        .dialects
        .values()
        .chain(catalogue.sets.passes.values())
    {
        assert_sorted(set.iter());
    }
}
