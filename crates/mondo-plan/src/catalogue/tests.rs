//! Tests that the catalogue is well formed, and of the errors for a malformed one.

use insta::assert_snapshot;

use mondo_core::error::ErrorKind;

use super::*;

use crate::spanned::Spanned;

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
    unknown catalogue format 2
       at: dialect.toml:1:13
      why: this mondo supports format 1
     help: update mondo, or write the catalogue in the supported format
    "#);
    assert_snapshot!(refused("ods = [\"S.td\"]", "odd = [\"S.td\"]"), @r#"
    unknown key `odd` in [dialect]
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
    `shard` is listed twice for LLVM 22
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

/// Functions that an older C API lacks are in mondo-runtime's C++. Otherwise this is seen only when
/// a bundle that uses one is linked.
#[test]
fn the_runtime_has_the_functions_that_an_older_c_api_lacks() {
    let shim = concat!(env!("CARGO_MANIFEST_DIR"), "/../mondo-runtime/shim");
    let text = |file: &str| fs_err::read_to_string(format!("{shim}/{file}")).unwrap();
    let (dialects, passes) = (text("backports_dialects.cpp"), text("backports_passes.cpp"));
    let catalogue = Catalogue::upstream().unwrap();
    let release = catalogue.release(19).unwrap();
    let mut expected: Vec<&str> = release
        .dialects
        .values()
        .filter(|dialect| release.archive_of(dialect).is_none())
        .map(|dialect| dialect.name.get_ref().as_str())
        .collect();
    let arguments = dialects
        .split("\nMLIR_DEFINE_CAPI_DIALECT_REGISTRATION(")
        .skip(1);
    let mut defined: Vec<&str> = arguments
        .filter_map(|row| row.split(", ").nth(1)?.split(',').next())
        .collect();
    expected.sort_unstable();
    defined.sort_unstable();
    assert_eq!(defined, expected);

    let mut expected = Vec::new();
    for group in release.pass_groups.values() {
        if release.archive_of_group(group).is_none() {
            expected.push(group.register.clone());
            let parts = release.pass_parts.iter();
            let parts = parts.filter(|part| part.group.get_ref() == group.name.get_ref());
            // Without the dialects of a part, it is the one that is left out.
            let parts = parts.filter(|part| part.dialects.is_empty());
            let names = parts.flat_map(|part| &part.names);
            expected.extend(names.map(|name| format!("mlirRegister{name}")));
        }
    }
    let functions = passes
        .lines()
        .filter_map(|line| line.strip_prefix("void ")?.split('(').next());
    let mut defined: Vec<&str> = functions.collect();
    expected.sort_unstable();
    defined.sort_unstable();
    assert_eq!(defined, expected);
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
