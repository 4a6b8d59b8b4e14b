//! Tests of the plans that manifests resolve to.

use camino::Utf8PathBuf;
use insta::{assert_json_snapshot, assert_snapshot};

use super::*;
use crate::catalogue::Catalogue;
use crate::manifest;

fn text(package: &str, llvm: &str, contents: &str) -> String {
    format!(
        "manifest = 1\n[package]\ndistribution = \"d\"\nlicense = \"MIT\"\n{package}\n[llvm]\n{llvm}\n\
         [contents]\n{contents}\n"
    )
}

fn resolved(package: &str, llvm: &str, contents: &str) -> Result<Plan> {
    let text = text(package, llvm, contents);
    let manifest = manifest::parse(&text, "m.toml".into())?;
    resolve(&manifest, &Catalogue::upstream()?, &[], "x86_64")
}

fn with(contents: &str) -> Plan {
    resolved("", "version = \"22\"", contents).unwrap()
}

fn refused(llvm: &str, contents: &str) -> String {
    let error = resolved("", llvm, contents).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Plan);
    error.to_string()
}

/// The extension's crate has exactly the features that plans can ask for.
#[test]
fn the_extension_has_a_feature_for_what_the_catalogue_says_is_native() {
    let plan = with("dialects = [\"@all\"]\ntranslations = [\"@all\"]");
    assert!(plan.extension_features.contains(&"dialect-llvm".to_owned()));
    let source = include_str!("../../../mondo-py/src/dialects/mod.rs");
    let is_symbol = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut symbols: Vec<&str> = source
        .split(|c| !is_symbol(c))
        .filter(|word| {
            word.strip_prefix("mondo_feature_")
                .is_some_and(|feature| feature.contains('_'))
        })
        .collect();
    symbols.sort_unstable();
    symbols.dedup();
    let features = plan.extension_features.iter();
    let mut features: Vec<String> = features
        .map(|feature| format!("mondo_feature_{}", feature.replace('-', "_")))
        .collect();
    features.sort();
    assert_eq!(features, symbols);
    let small = with("dialects = [\"@core\", \"llvm\"]");
    assert_eq!(small.extension_features, ["dialect-llvm"]);
    assert!(with("dialects = [\"@core\"]").extension_features.is_empty());
}

#[test]
fn a_small_plan_has_only_what_it_names() {
    let plan = with("dialects = [\"@core\"]\npasses = [\"transforms\"]");
    assert_json_snapshot!(serde_json::json!({
        "identity": plan.identity,
        "dialects": plan.dialects,
        "archives": plan.archives,
        "headers": plan.headers,
        "registration": plan.registration,
    }), @r#"
    {
      "identity": {
        "label": null,
        "import_root": "mlir",
        "soname": "libmlir_mondo.so",
        "version_node": "MONDO_MLIR_22"
      },
      "dialects": [
        {
          "name": "arith",
          "archive": "MLIRCAPIArith",
          "handle": "mlirGetDialectHandle__arith__",
          "ods": [
            "mlir/Dialect/Arith/IR/ArithOps.td"
          ],
          "enums": "mlir/Dialect/Arith/IR/ArithOps.td",
          "python": "arith",
          "native": [],
          "extensions": []
        },
        {
          "name": "builtin",
          "archive": "MLIRCAPIIR",
          "handle": null,
          "ods": [
            "mlir/IR/BuiltinOps.td"
          ],
          "enums": null,
          "python": "builtin",
          "native": [],
          "extensions": []
        },
        {
          "name": "func",
          "archive": "MLIRCAPIFunc",
          "handle": "mlirGetDialectHandle__func__",
          "ods": [
            "mlir/Dialect/Func/IR/FuncOps.td"
          ],
          "enums": null,
          "python": "func",
          "native": [],
          "extensions": []
        }
      ],
      "archives": [
        "MLIRCAPIArith",
        "MLIRCAPIDebug",
        "MLIRCAPIFunc",
        "MLIRCAPIIR",
        "MLIRCAPIInterfaces",
        "MLIRCAPITransforms"
      ],
      "headers": [
        "mlir-c/AffineExpr.h",
        "mlir-c/AffineMap.h",
        "mlir-c/BuiltinAttributes.h",
        "mlir-c/BuiltinTypes.h",
        "mlir-c/Debug.h",
        "mlir-c/Diagnostics.h",
        "mlir-c/Dialect/Arith.h",
        "mlir-c/Dialect/Func.h",
        "mlir-c/IR.h",
        "mlir-c/IntegerSet.h",
        "mlir-c/Interfaces.h",
        "mlir-c/Pass.h",
        "mlir-c/Rewrite.h",
        "mlir-c/Support.h",
        "mlir-c/Transforms.h",
        "mlir/Transforms/Transforms.capi.h.inc"
      ],
      "registration": {
        "handles": [
          "mlirGetDialectHandle__arith__",
          "mlirGetDialectHandle__func__"
        ],
        "registries": [
          "_ZN4mlir7builtin37registerCastOpInterfaceExternalModelsERNS_15DialectRegistryE"
        ],
        "passes": [
          "mlirRegisterTransformsPasses"
        ],
        "contexts": []
      }
    }
    "#);
    assert_eq!(plan.excluded_targets.len(), 22);
    assert_eq!(plan.excluded_entry_points.len(), 130);
    assert!(plan.llvm_targets.is_empty() && !plan.execution_engine);
}

#[test]
fn what_every_context_has_is_in_every_bundle() {
    let plan = with("dialects = [\"func\"]");
    let names: Vec<&str> = plan.dialects.iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["builtin", "func"]);
    assert_eq!(plan.registration.handles, ["mlirGetDialectHandle__func__"]);
}

#[test]
fn all_is_upstreams_own_registration() {
    let plan =
        with("dialects = [\"@all\"]\npasses = [\"@all\", \"func\"]\ntranslations = [\"@all\"]");
    assert_json_snapshot!(plan.registration, @r#"
    {
      "handles": [
        "mlirGetDialectHandle__vcix__"
      ],
      "registries": [
        "mlirRegisterAllDialects"
      ],
      "passes": [
        "mlirRegisterAllPasses"
      ],
      "contexts": [
        "mlirRegisterAllLLVMTranslations"
      ]
    }
    "#);
    assert_eq!(plan.dialects.len(), 49);
    // Everything but the execution engine, which is asked for on its own.
    assert_eq!(plan.archives.len(), 57);
    assert!(plan.archives.is_sorted() && plan.headers.is_sorted());
}

#[test]
fn all_dialects_with_some_passes_mixes_the_two() {
    let registration = with("dialects = [\"@all\"]\npasses = [\"transforms\"]").registration;
    assert_eq!(registration.registries, ["mlirRegisterAllDialects"]);
    assert_eq!(registration.passes, ["mlirRegisterTransformsPasses"]);
    assert!(registration.contexts.is_empty());
}

/// A bundle with a part of the dialects and of the passes.
fn subset() -> Plan {
    with("dialects = [\"@standard\"]\npasses = [\"@standard\"]\ntranslations = [\"smt-lib\"]")
}

#[test]
fn a_subset_does_not_take_the_archive_that_pulls_everything() {
    let archives = subset().archives;
    let has = |name: &str| archives.iter().any(|archive| archive == name);
    assert!(!has("MLIRCAPIRegisterEverything"));
    assert!(has("MLIRCAPIExportSMTLIB"));
}

#[test]
fn a_subset_registers_the_extensions_of_its_own_dialects() {
    let plan = subset();
    let together = &plan.registration.registries;
    assert!(
        together
            .iter()
            .all(|function| function.starts_with("_ZN4mlir"))
    );
    let has = |words: &[&str]| {
        let all = |function: &&String| words.iter().all(|word| function.contains(word));
        together.iter().any(|function| all(&function))
    };
    assert!(has(&["linalg", "TransformDialectExtension"]));
    assert!(has(&["tensor", "BufferizableOpInterface"]));
    assert!(!has(&["nvgpu"]), "standard has no nvgpu");
    assert_eq!(plan.registration.handles.len(), plan.dialects.len() - 1);
}

#[test]
fn passes_that_need_dialects_outside_of_a_subset_are_left_out() {
    let plan = subset();
    // Two groups reach into dialects that are not there; the passes of those are left out.
    let registers = |name: &str| {
        plan.registration
            .passes
            .iter()
            .any(|function| function == name)
    };
    assert!(registers("mlirRegisterLinalgPasses"));
    assert!(!registers("mlirRegisterConversionPasses") && !registers("mlirRegisterGPUPasses"));
    assert!(registers("mlirRegisterConversionConvertFuncToLLVMPass"));
    assert!(!registers("mlirRegisterConversionConvertGpuOpsToNVVMOps"));
    let excluded = |name: &str| {
        plan.excluded_functions
            .iter()
            .any(|function| function == name)
    };
    assert!(excluded("mlirCreateConversionConvertGpuOpsToNVVMOps"));
    assert!(excluded("mlirRegisterConversionPasses"));
    assert!(!excluded("mlirCreateConversionConvertFuncToLLVMPass"));
}

#[test]
fn an_older_llvm_has_what_its_c_api_lacks_from_the_runtime() {
    let contents = "dialects = [\"@standard\"]\npasses = [\"@standard\"]";
    let plan = resolved("", "version = \"19\"", contents).unwrap();
    let dialects: Vec<&str> = plan
        .dialects
        .iter()
        .map(|dialect| dialect.name.as_str())
        .collect();
    assert!(dialects.contains(&"affine") && dialects.contains(&"mesh"));
    assert_eq!(plan.registration.handles.len(), plan.dialects.len() - 1);
    let absent = |name: &str| !plan.archives.iter().any(|archive| archive == name);
    assert!(absent("MLIRCAPIAffine") && absent("MLIRCAPIRegisterEverything"));
    assert!(!absent("MLIRCAPILinalg"));
    let registers = |name: &str| {
        plan.registration
            .passes
            .iter()
            .any(|function| function == name)
    };
    assert!(registers("mlirRegisterAffinePasses") && registers("mlirRegisterLinalgPasses"));
    assert!(!registers("mlirRegisterLLVMPasses") && registers("mlirRegisterLLVMLLVMAddComdats"));
}

#[test]
fn the_llvm_translation_registers_itself_with_contexts() {
    let plan = with("dialects = [\"llvm\"]\ntranslations = [\"llvm-ir\"]");
    assert_eq!(
        plan.registration.contexts,
        ["mlirRegisterAllLLVMTranslations"]
    );
    assert!(
        plan.headers
            .iter()
            .any(|header| header == "mlir-c/Target/LLVMIR.h")
    );
}

#[test]
fn native_is_the_machines_own_target() {
    let text = text(
        "",
        "version = \"22\"\ntargets = [\"native\", \"NVPTX\"]",
        "dialects = []\nexecution-engine = true",
    );
    let manifest = manifest::parse(&text, "m.toml".into()).unwrap();
    let catalogue = Catalogue::upstream().unwrap();
    let plan = resolve(&manifest, &catalogue, &[], "aarch64").unwrap();
    assert_eq!(plan.llvm_targets, ["AArch64", "NVPTX"]);
    assert!(
        plan.excluded_entry_points
            .contains(&"LLVMInitializeX86TargetMCA".to_owned())
    );
    assert!(
        !plan
            .excluded_entry_points
            .contains(&"LLVMInitializeAArch64Target".to_owned())
    );
    assert!(
        plan.archives
            .contains(&"MLIRCAPIExecutionEngine".to_owned())
    );
    assert_snapshot!(resolve(&manifest, &catalogue, &[], "s390x").unwrap_err(), @r#"
    no LLVM target is native to `s390x`
       at: m.toml:8:12
     help: write the target's name, or remove `native`
    "#);
    let all = resolved("", "version = \"22\"\ntargets = [\"all\"]", "dialects = []").unwrap();
    assert!(all.excluded_targets.is_empty() && all.excluded_entry_points.is_empty());
}

#[test]
fn labels_name_the_library_and_its_symbols() {
    let plain = with("dialects = []").identity;
    assert_eq!(
        (plain.soname.as_str(), plain.version_node.as_str()),
        ("libmlir_mondo.so", "MONDO_MLIR_22")
    );
    let acme = resolved("label = \"acme\"", "version = \"22\"", "dialects = []")
        .unwrap()
        .identity;
    assert_eq!(
        (acme.soname.as_str(), acme.version_node.as_str()),
        ("libacme_mondo.so", "ACME_MLIR_22")
    );
    assert_eq!(acme.import_root, "acme.mlir");
}

#[test]
fn unknown_dialects_and_sets_name_the_nearest() {
    let llvm = "version = \"22\"";
    assert_snapshot!(refused(llvm, "dialects = [\"func\", \"aritth\"]"), @r#"
    `aritth` is not a dialect of LLVM 22
       at: m.toml:9:21
     help: did you mean `arith`?
    "#);
    assert_snapshot!(refused(llvm, "dialects = [\"@al\"]"), @r#"
    `@al` is not a set of dialects of LLVM 22
       at: m.toml:9:13
     help: did you mean `@all`?
    "#);
}

#[test]
fn unknown_passes_and_translations_name_the_nearest() {
    let llvm = "version = \"22\"";
    assert_snapshot!(refused(llvm, "dialects = []\npasses = [\"transfroms\"]"), @r#"
    `transfroms` is not a pass group of LLVM 22
       at: m.toml:10:11
     help: did you mean `transforms` or `transform`?
    "#);
    assert_snapshot!(refused(llvm, "dialects = []\ntranslations = [\"spirv\"]"), @r#"
    `spirv` is not a translation of LLVM 22
       at: m.toml:10:17
     help: the choices are: llvm-ir, smt-lib
    "#);
}

#[test]
fn unknown_targets_name_the_nearest() {
    assert_snapshot!(refused("version = \"22\"\ntargets = [\"x86\"]", "dialects = []"), @r#"
    `x86` is not a target of LLVM 22
       at: m.toml:8:12
     help: did you mean `X86`?
    "#);
    assert_snapshot!(refused("version = \"22\"\ntargets = [\"none\"]", "dialects = []"), @r#"
    `none` is not a target of LLVM 22
       at: m.toml:8:12
     help: write `targets = []`
    "#);
}

#[test]
fn an_unsupported_llvm_names_the_supported_ones() {
    assert_snapshot!(refused("version = \"18\"", "dialects = []"), @r#"
    `llvm.version` is LLVM 18, which mondo does not support
       at: m.toml:7:11
      why: mondo supports LLVM 19, 22, 23
     help: choose a supported version, name a prefix of LLVM 18 with `--llvm-dir`, or add LLVM 18 with the checklist in docs/contributing/new-llvm.md
    "#);
    let root = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    assert!(root.join("docs/contributing/new-llvm.md").is_file());
}

#[test]
fn an_execution_engine_without_the_hosts_target_is_refused() {
    let llvm = "version = \"22\"";
    assert_snapshot!(refused(llvm, "dialects = []\nexecution-engine = true"), @r#"
    the execution engine needs the host's LLVM target
       at: m.toml:10:20
      why: it compiles code for the machine it runs on, `x86_64`
     help: add "native" to `llvm.targets`, or set `execution-engine = false`
    "#);
}

/// A plan with an execution engine.
fn with_engine(rest: &str) -> Plan {
    let native = "version = \"22\"\ntargets = [\"native\"]";
    let contents = format!("dialects = []\nexecution-engine = true\n{rest}");
    resolved("", native, &contents).unwrap()
}

#[test]
fn runtime_libraries_are_functions_in_the_table() {
    let plan = with_engine("runtime = [\"float16-utils\", \"async\"]");
    assert_eq!(plan.runtime_libraries, ["async", "float16-utils"]);
    let runtime = &plan.registration.runtime;
    assert!(runtime.is_sorted() && runtime.contains(&"printBF16".to_owned()));
    assert!(runtime.contains(&"mlirAsyncRuntimeExecute".to_owned()));
    assert!(!runtime.contains(&"printNewline".to_owned()));
    assert_eq!(plan.registration.finish, ["mondo_runner_finish_async"]);
}

#[test]
fn runtime_libraries_that_are_not_named_are_excluded() {
    let plan = with_engine("runtime = [\"float16-utils\", \"async\"]");
    let excluded: Vec<&String> = plan.excluded.runtime_libraries.keys().collect();
    assert_eq!(excluded, ["c-runner-utils", "runner-utils"]);
    let all = with_engine("runtime = [\"@all\"]");
    assert_eq!(all.runtime_libraries.len(), 4);
    assert!(all.excluded.runtime_libraries.is_empty());
    assert_eq!(with_engine("").excluded.runtime_libraries.len(), 4);
}

#[test]
fn without_an_engine_no_runtime_library_is_reported() {
    // No message is about what could not be used anyway.
    let without = with("dialects = []");
    assert!(without.registration.runtime.is_empty() && without.registration.finish.is_empty());
    assert!(without.excluded.runtime_libraries.is_empty());
}

#[test]
fn runtime_libraries_that_cannot_be_are_refused() {
    let native = "version = \"22\"\ntargets = [\"native\"]";
    assert_snapshot!(refused(native, "dialects = []\nruntime = [\"async\"]"), @r#"
    runtime libraries need the execution engine
       at: m.toml:11:12
      why: only the execution engine calls them; the library does not export them
     help: set `execution-engine = true`, or remove `runtime`
    "#);
    let misspelt = "dialects = []\nexecution-engine = true\nruntime = [\"runner_utils\"]";
    assert_snapshot!(refused(native, misspelt), @r#"
    `runner_utils` is not a runtime library of LLVM 22
       at: m.toml:12:12
     help: did you mean `runner-utils` or `c-runner-utils`?
    "#);
}

#[test]
fn a_dialect_is_also_found_by_its_python_name() {
    assert_snapshot!(refused("version = \"22\"", "dialects = [\"openmp\"]"), @r#"
    `openmp` is not a dialect of LLVM 22
       at: m.toml:9:13
     help: MLIR calls it `omp`
    "#);
}

#[test]
fn the_found_llvm_settles_the_version() {
    let follows = with("dialects = []").settle("22.1.8").unwrap();
    assert_eq!(follows.metadata.version, "22.1.8");
    assert!(!follows.version_follows_llvm);
}

#[test]
fn a_version_of_the_manifest_stays_and_its_llvm_must_be_found() {
    let plan = resolved("version = \"3.0\"", "version = \"22.1.8\"", "dialects = []").unwrap();
    assert_eq!(
        plan.clone().settle("22.1.8").unwrap().metadata.version,
        "3.0"
    );
    let error = plan.settle("22.1.9").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Toolchain);
    assert_snapshot!(error, @r#"
    this is LLVM 22.1.9, but the manifest requires 22.1.8
     help: pass another LLVM with `--llvm-dir`, or change `llvm.version` in the manifest
    "#);
    assert_snapshot!(with("dialects = []").settle("19.1.7").unwrap_err(), @r#"
    this is LLVM 19.1.7, but the manifest requires 22
     help: pass another LLVM with `--llvm-dir`, or change `llvm.version` in the manifest
    "#);
}

#[test]
fn versions_of_llvm_between_releases_become_those_of_wheels() {
    let between_releases = with("dialects = []").settle("22.0.0git").unwrap();
    assert_eq!(between_releases.metadata.version, "22.0.0.dev0");
    let candidate = with("dialects = []").settle("22.1.0-rc2").unwrap();
    assert_eq!(candidate.metadata.version, "22.1.0rc2");
    assert_snapshot!(with("dialects = []").settle("22.0.0.a.b").unwrap_err(), @r#"
    LLVM's version `22.0.0.a.b` is not a valid wheel version (PEP 440)
      why: after parsing `22.0.0.a.`, found `b`, which is not part of a valid version
     help: set `package.version` in the manifest
    "#);
}

#[test]
fn plans_of_one_manifest_are_the_same_text() {
    let folder = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../manifests"));
    let json = || {
        let text = fs_err::read_to_string(folder.join("default.toml")).unwrap();
        let text: Vec<&str> = text.lines().filter(|line| !line.contains("../")).collect();
        let manifest = manifest::parse(&text.join("\n"), "m.toml".into()).unwrap();
        let plan = resolve(&manifest, &Catalogue::upstream().unwrap(), &[], "x86_64").unwrap();
        assert_eq!(plan.archives.len(), 58);
        assert_eq!(plan.llvm_targets, ["X86"]);
        serde_json::to_string_pretty(&plan).unwrap()
    };
    assert_eq!(json(), json());
}

#[test]
fn what_a_module_of_a_chosen_dialect_lacks_is_known() {
    let modules = |dialects: &str| {
        let plan = with(&format!("dialects = {dialects}"));
        let rows = plan.excluded.modules.into_iter();
        rows.map(|(module, missing)| format!("{module}: {}", missing.join(" ")))
            .collect::<Vec<_>>()
    };
    let standard = modules("[\"@standard\"]");
    assert!(
        standard.contains(&"transform.gpu: nvvm rocdl".to_owned()),
        "{standard:?}"
    );
    // Without transform there is nothing that could lack anything.
    assert_eq!(modules("[\"@core\"]"), [""; 0]);
    assert_eq!(modules("[\"@all\"]"), [""; 0]);
}

#[test]
fn what_only_pdl_reaches_is_excluded_without_it() {
    let plan = with("dialects = [\"@core\"]");
    let functions = &plan.unreachable_functions;
    assert!(
        functions
            .iter()
            .any(|function| function.contains("PDLByteCode"))
            && functions
                .iter()
                .any(|function| function.contains("createConvertPDLToPDLInterpPass"))
            && !functions
                .iter()
                .any(|function| function.contains("createPDLToPDLInterpPass")),
        "{functions:?}"
    );
    for dialects in ["[\"@core\", \"pdl\"]", "[\"@all\"]"] {
        let plan = with(&format!("dialects = {dialects}"));
        let mut functions = plan.unreachable_functions.iter();
        assert!(
            !functions.any(|function| function.contains("PDL")),
            "{dialects}"
        );
    }
}

#[test]
fn optional_parts_of_llvm_are_excluded_where_nothing_reaches_them() {
    let has =
        |functions: &[String], part: &str| functions.iter().any(|function| function.contains(part));
    let plan = with("dialects = [\"@core\"]");
    assert!(has(&plan.null_functions, "createPerfJITEventListener"));
    assert!(has(&plan.unreachable_functions, "ZSTD_compress2"));
    assert!(has(&plan.null_functions, "initializeGlobalISel"));
    assert!(has(&plan.unreachable_functions, "IRTranslator"));
    // Other code generators select instructions by GlobalISel.
    let targets = "version = \"22\"\ntargets = [\"native\", \"AArch64\"]";
    let plan = resolved("", targets, "dialects = [\"@core\"]").unwrap();
    assert!(!has(&plan.null_functions, "initializeGlobalISel"));
    assert!(!has(&plan.unreachable_functions, "IRTranslator"));
    assert!(has(&plan.unreachable_functions, "ZSTD_compress2"));
}
