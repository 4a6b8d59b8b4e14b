//! Tests of the catalogue for a prefix.

use std::collections::{BTreeMap, BTreeSet};

use insta::assert_snapshot;

use super::*;

const CATALOGUE: &str = r#"catalogue = 1
llvm = [19, 22]
base = ["MLIRCAPIIR"]
headers-without-functions = []
execution-engine = "MLIRCAPIIR"
archive = [
    { name = "MLIRCAPIIR", headers = ["mlir-c/IR.h", "mlir-c/Gone.h"] },
    { name = "MLIRCAPIX86Vector", headers = ["mlir-c/X86Vector.h"], since = 22 },
]
dialect = [
    { name = "shard", archive = "MLIRCAPIIR", handle = "mlirGetDialectHandle__shard__", ods = ["mlir/S.td"], since = 21 },
    { name = "mesh", archive = "MLIRCAPIIR", handle = "mlirGetDialectHandle__mesh__", ods = ["mlir/M.td"], until = 20 },
    { name = "x86vector", archive = "MLIRCAPIX86Vector", handle = "mlirGetDialectHandle__x86vector__", ods = ["mlir/X.td"], since = 22 },
    { name = "moved", archive = "MLIRCAPIIR", handle = "mlirGetDialectHandle__moved__", ods = ["mlir/Old.td"] },
]
pass-group = [{ name = "gpu", archive = "MLIRCAPIIR", register = "mlirRegisterGPUPasses" }]
pass-part = [{ group = "gpu", names = ["Kept", "Renamed"] }]
translation = []
llvm-target = [{ name = "X86", entry-points = ["Target"] }, { name = "Old", entry-points = ["Target"] }]
[everything]
archive = "MLIRCAPIIR"
dialects = "d"
passes = "p"
translations = "t"
[sets]
dialects = { both = ["mesh", "shard", "x86vector"] }
passes = {}
"#;

fn set<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

fn present(major: u32) -> Present {
    let functions = [
        "mlirGetDialectHandle__shard__",
        "mlirGetDialectHandle__moved__",
        "mlirGetDialectHandle__new__",
        "mlirRegisterGPUPasses",
        "mlirRegisterNewPasses",
        "mlirRegisterKept",
        "mlirNewFunction",
    ];
    let archives = [
        ("MLIRCAPIIR", set(functions)),
        ("MLIRCAPIX86", set(["mlirX86"])),
        ("LLVMX86CodeGen", set(["LLVMInitializeX86Target"])),
    ];
    let files = ["mlir-c/IR.h", "mlir-c/New.h", "mlir/S.td"];
    let words = [
        ("mlir-c/IR.h", set(["mlirRegisterKept"])),
        ("mlir-c/New.h", set(["mlirNewFunction"])),
        ("mlir-c/Silent.h", set(["mlirNowhere"])),
    ];
    Present {
        called: format!("LLVM {major}.0.0git in /llvm"),
        major,
        archives: BTreeMap::from(archives.map(|(name, of_it)| (name.to_owned(), of_it))),
        files: set(files),
        header_words: BTreeMap::from(words.map(|(name, of_it)| (name.to_owned(), of_it))),
    }
}

fn catalogue() -> Catalogue {
    Catalogue::parse(CATALOGUE, "dialect.toml".into()).unwrap()
}

#[test]
fn a_newer_llvm_has_the_newest_rows_that_are_there() {
    let adapted = catalogue().for_prefix(&present(24)).unwrap();
    let missing: Vec<String> = adapted.missing.iter().map(Difference::line).collect();
    assert_snapshot!(missing.join("\n"), @"
    archive `MLIRCAPIIR`: it lacks mlir-c/Gone.h
    archive `MLIRCAPIX86Vector`: it lacks libMLIRCAPIX86Vector.a (it has libMLIRCAPIX86.a)
    dialect `moved`: it lacks mlir/Old.td
    dialect `x86vector`: it lacks libMLIRCAPIX86Vector.a (it has libMLIRCAPIX86.a)
    pass `Renamed`: it lacks mlirRegisterRenamed
    target `Old`: it lacks LLVMInitializeOldTarget
    ");
    assert_snapshot!(adapted.unlisted.join("\n"), @"
    libMLIRCAPIX86.a
    mlir-c/Silent.h
    mlirGetDialectHandle__new__
    mlirRegisterNewPasses
    ");
    let release = adapted.catalogue.release(24).unwrap();
    assert_eq!(Vec::from_iter(release.dialects.into_keys()), ["shard"]);
    assert_eq!(release.dialect_sets["both"], ["shard"]);
    assert_eq!(Vec::from_iter(release.llvm_targets.into_keys()), ["X86"]);
    assert_eq!(release.pass_parts[0].names, ["Kept"]);
    // A new header belongs to the archive that defines its functions.
    let headers = &release.archives["MLIRCAPIIR"].headers;
    assert_eq!(headers[..], ["mlir-c/IR.h", "mlir-c/New.h"]);
}

#[test]
fn rows_of_other_versions_are_not_compared() {
    let adapted = catalogue().for_prefix(&present(22)).unwrap();
    assert!(!adapted.catalogue.llvm.contains(&24));
    let release = adapted.catalogue.release(19).unwrap();
    assert!(release.dialects.contains_key("mesh"));
}

#[test]
fn what_every_bundle_needs_must_be_there() {
    let mut without = present(24);
    without.archives.remove("MLIRCAPIIR");
    assert_snapshot!(catalogue().for_prefix(&without).unwrap_err().to_string(), @"
    LLVM 24.0.0git in /llvm lacks libMLIRCAPIIR.a
      why: every bundle has this archive of MLIR's C API
     help: install LLVM with MLIR, its static archives and its C API
    ");
}

#[test]
fn a_version_between_two_of_the_catalogue_is_refused() {
    assert_snapshot!(catalogue().for_prefix(&present(20)).unwrap_err().to_string(), @"
    mondo does not support LLVM 20.0.0git in /llvm
      why: mondo supports LLVM 19, 22, and prefixes of newer versions
     help: pass another LLVM with `--llvm-dir`
    ");
}
