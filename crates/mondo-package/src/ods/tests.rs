//! Tests of the code made from a dialect's ODS, valid or not.

use std::os::unix::fs::PermissionsExt as _;

use camino::Utf8PathBuf;
use insta::assert_snapshot;
use mondo_core::progress::Silent;
use mondo_plan::catalogue::Catalogue;
use mondo_plan::manifest;
use mondo_plan::plan;
use mondo_toolchain::{self as toolchain, Origin, Request};

use super::*;

fn plan_of(dialects: &str) -> Plan {
    plan_for(22, dialects)
}

fn plan_for(llvm: u32, dialects: &str) -> Plan {
    let text = format!(
        "manifest = 1\n[package]\ndistribution = \"d\"\nlicense = \"MIT\"\n[llvm]\n\
         version = \"{llvm}\"\n[contents]\ndialects = [{dialects}]\n"
    );
    let manifest = manifest::parse(&text, "m.toml".into()).unwrap();
    plan::resolve(&manifest, &Catalogue::upstream().unwrap(), &[], "x86_64").unwrap()
}

/// The plan of a bundle with this dialect only; dialects that every bundle has are removed from it.
fn plan_of_only(dialect: &str) -> Plan {
    let mut plan = plan_of(&format!("\"{dialect}\""));
    plan.dialects.retain(|planned| planned.name == dialect);
    plan
}

/// A fixture: an LLVM prefix whose `mlir-tblgen` is a given shell script, and whose ODS files are empty.
struct Made {
    dir: tempfile::TempDir,
}

impl Made {
    fn with(tblgen: &str, files: &[&str]) -> Self {
        let world = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        let program = world.root().join("bin/mlir-tblgen");
        fs_err::create_dir_all(world.root().join("bin")).unwrap();
        // The arguments end with those of what it writes and reads: -d D -o O INPUT.
        let kept = "for input; do case $was in -d) d=$input;; -o) o=$input;; esac; was=$input; done; \
                     i=$(grep -o '\"[^\"]*' \"$input\" | sed \"s|^.|$(dirname \"$0\")/../include/|\"); \
                     echo $o: $i >\"$d\"; exec >\"$o\"";
        fs_err::write(&program, format!("#!/bin/sh\n{kept}\n{tblgen}\n")).unwrap();
        fs_err::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        for file in files {
            let path = world.root().join("include").join(file);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, "").unwrap();
        }
        world
    }

    fn root(&self) -> &Utf8Path {
        Utf8Path::from_path(self.dir.path()).unwrap()
    }

    fn toolchain(&self) -> Toolchain {
        Toolchain {
            version: "22.1.8".into(),
            prefix: self.root().to_owned(),
            origin: Origin::Flag,
            packages: Vec::new(),
            library_dirs: Vec::new(),
            tool_library_dirs: Vec::new(),
            sysroot: None,
            supplement: None,
            named: None,
            traits: toolchain::ArchiveTraits::default(),
            libclang_dir: Utf8PathBuf::new(),
            moved: None,
            base: None,
            license_file: None,
        }
    }

    fn digests(&self) -> Digests {
        Digests::new(self.root())
    }

    fn refused(&self, dialect: &str) -> (ErrorKind, String) {
        self.refused_in(&plan_of_only(dialect))
    }

    fn refused_in(&self, plan: &Plan) -> (ErrorKind, String) {
        let error = ods(
            plan,
            &self.toolchain(),
            "none".into(),
            &[],
            self.root(),
            &self.digests(),
        )
        .unwrap_err();
        let text = error.to_string().replace(self.root().as_str(), "[prefix]");
        (error.kind(), text)
    }
}

const FUNC: &str = "mlir/Dialect/Func/IR/FuncOps.td";

#[test]
fn a_missing_ods_file_is_named() {
    let world = Made::with("exit 1", &["mlir/Dialect/Linalg/IR/LinalgOps.td"]);
    let (kind, text) = world.refused("linalg");
    assert_eq!(kind, ErrorKind::Toolchain);
    assert_snapshot!(text, @r"
    cannot generate Python classes for the dialect `linalg`: an ODS file is missing
       at: [prefix]/include
      why: the catalogue lists these files
        - mlir/Dialect/Linalg/IR/LinalgRelayoutOps.td
        - mlir/Dialect/Linalg/IR/LinalgStructuredOps.td
     help: correct `ods` and `enums` of it in crates/dialects/upstream/dialect.toml, for this LLVM
    ");
}

#[test]
fn what_mlir_tblgen_says_is_quoted() {
    let world = Made::with("echo 'FuncOps.td:3: unexpected token' >&2; exit 1", &[FUNC]);
    let (kind, text) = world.refused("func");
    assert_eq!(kind, ErrorKind::Compile);
    assert_snapshot!(text, @r"
    could not make the Python classes of the dialect `func` from mlir/Dialect/Func/IR/FuncOps.td
       at: [prefix]/include/mlir/Dialect/Func/IR/FuncOps.td
      why: FuncOps.td:3: unexpected token
     help: correct `ods` and `enums` of it in crates/dialects/upstream/dialect.toml, for this LLVM
    ");
}

#[test]
fn a_file_without_the_dialects_operations_is_refused() {
    let world = Made::with("echo '# nothing'", &[FUNC]);
    let (kind, text) = world.refused("func");
    assert_eq!(kind, ErrorKind::Compile);
    assert!(
        text.contains("no Python classes of the dialect `func`"),
        "{text}"
    );
}

#[test]
fn what_was_generated_is_kept_until_its_source_changes() {
    let say = "echo x >>\"$(dirname \"$0\")/runs\"; echo 'register_operation(_Dialect)'";
    let world = Made::with(say, &[FUNC]);
    let runs = || fs_err::read_to_string(world.root().join("bin/runs")).unwrap();
    let plan = plan_of_only("func");
    let make = || {
        ods(
            &plan,
            &world.toolchain(),
            "none".into(),
            &[],
            world.root(),
            &world.digests(),
        )
        .unwrap()
    };
    let first = make();
    assert_eq!(make(), first);
    assert_eq!(runs(), "x\n");
    fs_err::write(world.root().join("include").join(FUNC), "// changed").unwrap();
    assert_eq!(make(), first);
    assert_eq!(runs(), "x\nx\n");
    let folders = world.root().join("ods").read_dir_utf8().unwrap();
    for folder in folders.map(|folder| folder.unwrap().into_path()) {
        fs_err::write(folder.join("_func_ops_gen.d.json"), "{").unwrap();
    }
    assert_eq!(make(), first);
    assert_eq!(runs(), "x\nx\nx\n");
}

#[test]
fn a_dialect_without_a_module_is_passed_over() {
    let world = Made::with("exit 1", &[]);
    let modules = ods(
        &plan_of_only("dlti"),
        &world.toolchain(),
        "none".into(),
        &[],
        world.root(),
        &world.digests(),
    )
    .unwrap();
    assert_eq!(modules, Modules::default());
}

#[test]
fn the_wheel_has_the_modules_of_its_dialects_alone() {
    let mut modules = DialectModules::default();
    for module in [
        "cf",
        "scf",
        "gpu",
        "transform",
        "transform/loop",
        "transform/gpu",
    ] {
        modules.plain.insert(module.into(), "plain".into());
    }
    modules.generated.insert("_cf_ops_gen".into(), "ops".into());
    let mut stage = Stage::default();
    for path in [
        "r/ir.py",
        "r/dialects/__init__.py",
        "r/dialects/_ods_common.py",
        "r/dialects/scf.py",
        "r/dialects/tensor.py",
        "r/dialects/linalg/__init__.py",
        "r/dialects/gpu/__init__.py",
        "r/dialects/gpu/passes/__init__.py",
        "r/dialects/transform/__init__.py",
        "r/dialects/transform/_shared.py",
        "r/dialects/transform/extras/__init__.py",
        "r/dialects/transform/loop.py",
        "r/dialects/transform/structured.py",
    ] {
        stage.bytes(path, "by hand");
    }
    modules.keep_wanted(&mut stage, "r");
    modules.lay_out(&mut stage, "r");
    let mut paths: Vec<&str> = stage.entries.iter().map(|e| e.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "r/dialects/__init__.py",
            "r/dialects/_cf_ops_gen.py",
            "r/dialects/_ods_common.py",
            "r/dialects/cf.py",
            "r/dialects/gpu/__init__.py",
            "r/dialects/gpu/passes/__init__.py",
            "r/dialects/scf.py",
            "r/dialects/transform/__init__.py",
            "r/dialects/transform/_shared.py",
            "r/dialects/transform/extras/__init__.py",
            "r/dialects/transform/gpu.py",
            "r/dialects/transform/loop.py",
            "r/ir.py",
        ]
    );
}

#[test]
fn a_plain_module_passes_on_all_that_is_there() {
    let plain_of = |name: &str| {
        let plan = plan_of_only(name);
        let generated = [Part::Enums, Part::Operations].map(|part| part.module(name));
        let generated = generated.map(|module| (module, String::new())).into();
        let mut plain = plain_modules(name, &plan.dialects[0], &generated);
        assert_eq!(plain.len(), 1);
        plain.remove(0).1
    };
    assert_snapshot!(plain_of("index"), @r#"
    """The `index` dialect."""

    from ._index_enum_gen import *
    from ._index_ops_gen import *
    from ._index_ops_gen import _Dialect
    "#);
    assert_snapshot!(plain_of("nvgpu"), @r#"
    """The `nvgpu` dialect."""

    from .._mlir_libs._mlirDialectsNVGPU import *
    from ._nvgpu_enum_gen import *
    from ._nvgpu_ops_gen import *
    from ._nvgpu_ops_gen import _Dialect
    "#);
}

#[test]
fn a_bundle_has_the_extensions_whose_dialects_it_has() {
    let generated = ["transform", "vector_transform"]
        .iter()
        .flat_map(|name| [Part::Enums, Part::Operations].map(|part| part.module(name)))
        .map(|module| (module, String::new()))
        .collect();
    let modules_of = |dialects: &str| -> BTreeMap<String, String> {
        let planned = plan_of(dialects).dialects;
        let transform = planned
            .iter()
            .find(|dialect| dialect.name == "transform")
            .unwrap();
        plain_modules("transform", transform, &generated)
            .into_iter()
            .collect()
    };
    let small = modules_of("\"transform\", \"vector\"");
    assert_eq!(
        small.keys().collect::<Vec<_>>(),
        [
            "transform",
            "transform/debug",
            "transform/tune",
            "transform/vector"
        ]
    );
    let plain = modules_of("\"@all\"");
    let modules: Vec<&str> = plain.keys().map(String::as_str).collect();
    let extensions = "bufferization debug gpu loop memref nvgpu pdl smt sparse_tensor structured \
                      tensor tune vector xegpu";
    let expected = extensions
        .split(' ')
        .map(|name| format!("transform/{name}"));
    let expected: Vec<String> = std::iter::once("transform".into())
        .chain(expected)
        .collect();
    assert_eq!(modules, expected);
    assert_snapshot!(plain["transform/vector"], @r#"
    """The extension `vector_transform` of the `transform` dialect."""

    from .._vector_transform_enum_gen import *
    from .._vector_transform_ops_gen import *
    from .._vector_transform_ops_gen import _Dialect
    "#);
}

#[test]
fn what_an_extension_lacks_is_said_of_it() {
    let tune = "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.td";
    let say = "case \"$*\" in *tune*) echo '# nothing';; *gen-python-enum*) echo '(Int';; \
               *) echo 'register_operation(_Dialect)';; esac";
    let world = Made::with(
        say,
        &[
            "mlir/Dialect/Transform/IR/TransformOps.td",
            "mlir/Dialect/Transform/IR/TransformAttrs.td",
            "mlir/Dialect/Transform/DebugExtension/DebugExtensionOps.td",
            tune,
        ],
    );
    let mut plan = plan_of("\"@all\"");
    plan.dialects.retain(|planned| planned.name == "transform");
    let extensions = &mut plan.dialects[0].extensions;
    extensions.retain(|extension| extension.python == "debug" || extension.python == "tune");
    let (kind, text) = world.refused_in(&plan);
    assert_eq!(kind, ErrorKind::Compile);
    let wanted = "no Python classes of the extension `transform_tune_extension` of the dialect \
                  `transform`";
    assert!(text.contains(wanted) && text.contains(tune), "{text}");
}

#[test]
#[ignore = "needs LLVM"]
fn every_dialect_of_the_catalogue_has_its_classes() {
    let prefix = std::env::var("MONDO_LLVM_DIR").expect("MONDO_LLVM_DIR is the prefix of an LLVM");
    let config = Utf8Path::new(&prefix).join("include/llvm/Config/llvm-config.h");
    let config = fs_err::read_to_string(config).unwrap();
    let major = config
        .lines()
        .find_map(|line| line.strip_prefix("#define LLVM_VERSION_MAJOR "));
    let major: u32 = major.unwrap().trim().parse().unwrap();
    // The lock has what a moving tree lacks.
    let lock = mondo_core::source::Source::locate()
        .unwrap()
        .toolchain_lock();
    let request = Request {
        llvm_dir: Some(prefix.into()),
        ..Request::from_environment(major, lock).unwrap()
    };
    let toolchain = toolchain::find(&request, &Silent).unwrap();
    let plan = plan_for(major, "\"@all\"");
    let work = tempfile::tempdir().unwrap();
    let work = Utf8Path::from_path(work.path()).unwrap();
    let modules = ods(
        &plan,
        &toolchain,
        "none".into(),
        &[],
        work,
        &Digests::new(&toolchain.prefix),
    )
    .unwrap()
    .bundle;
    let top_modules = modules.plain.keys().filter(|module| !module.contains('/'));
    let none = if major < 22 { 2 } else { 1 };
    assert_eq!(
        top_modules.count(),
        plan.dialects.len() - none,
        "dlti, older ptr"
    );
    let structured = &modules.generated["_structured_transform_ops_gen"];
    assert!(structured.contains("from ._transform_ops_gen import _Dialect"));
    let linalg = &modules.generated["_linalg_ops_gen"];
    // The last is of a file that is new.
    let classes = ["SoftmaxOp", "MatmulOp", "PackOp"];
    for class in &classes[..if major < 22 { 2 } else { 3 }] {
        assert!(linalg.contains(&format!("class {class}(")), "{class}");
    }
    assert!(modules.generated["_arith_enum_gen"].contains("class CmpIPredicate(IntEnum)"));
    for (module, text) in &modules.generated {
        assert!(!text.contains(toolchain.prefix.as_str()), "{module}");
        assert!(!text.contains(work.as_str()), "{module}");
    }
    let mut builders = BTreeSet::new();
    for line in modules.generated.values().flat_map(|text| text.lines()) {
        if line.starts_with("@register_attribute_builder(") {
            // Since LLVM 23, enumerations of one name in two dialects share the first builder.
            let is_new = builders.insert(line) || line.contains("allow_existing=True");
            assert!(is_new, "{line} would be registered twice");
        }
    }
    assert!(builders.len() > 100);
    // In another work folder nothing is cached, so the modules are generated again.
    let elsewhere = work.join("elsewhere");
    fs_err::create_dir_all(&elsewhere).unwrap();
    assert_eq!(
        ods(
            &plan,
            &toolchain,
            "none".into(),
            &[],
            &elsewhere,
            &Digests::new(&toolchain.prefix)
        )
        .unwrap()
        .bundle,
        modules
    );
}

/// Two ODS files of one dialect with a class of the same name each are read one after the other, as their own build does.
#[test]
fn files_that_define_the_same_are_read_apart() {
    let files = ["a/A.td", "a/B.td"];
    let tblgen = "case $(grep -c include $input) in 1) ;; *) echo \"error: Class 'Op' already defined\" >&2; exit 1;; esac; \
                  echo class _Dialect; echo '@_ods_cext.register_operation(_Dialect)'; \
                  echo \"  OPERATION_NAME = \\\"func.$(sed 's|.*/||; s|.td.$||' $input)\\\"\"";
    let world = Made::with(tblgen, &files);
    let mut plan = plan_of_only("func");
    plan.dialects[0].ods = files.map(str::to_owned).to_vec();
    plan.dialects[0].enums = None;
    plan.dialects[0].extensions.clear();
    let modules = generate::generate_all(
        &plan,
        &world.toolchain(),
        &world.digests(),
        &world.root().join("work"),
    );
    assert_eq!(
        modules.unwrap()["_func_ops_gen"],
        "class _Dialect\n\
         @_ods_cext.register_operation(_Dialect)\n  OPERATION_NAME = \"func.A\"\n\n\
         @_ods_cext.register_operation(_Dialect)\n  OPERATION_NAME = \"func.B\"\n\n"
    );
}

#[test]
fn an_operation_defined_twice_is_refused() {
    let class = "echo '    OPERATION_NAME = \"func.call\"'";
    let world = Made::with(
        &format!("echo 'register_operation(_Dialect)'; {class}; {class}"),
        &[FUNC],
    );
    let (kind, text) = world.refused("func");
    assert_eq!(kind, ErrorKind::Compile);
    assert!(
        text.contains("more than once") && text.contains("- func.call"),
        "{text}"
    );
}
