//! Tests of plans with dialect crates, and of the errors between crates.

use camino::{Utf8Path, Utf8PathBuf};
use insta::{assert_json_snapshot, assert_snapshot};

use super::*;
use crate::catalogue::Catalogue;
use crate::dialect_crate::{self, tests::write};
use crate::manifest;

const FORMAT: &str = "dialect-crate = 1\n";
const CPP: &str = "[cpp]\nsources = [\"lib/*.cpp\"]\n";

/// A crate of one dialect of the same name; `more` stands in `[[dialect]]`.
fn small(name: &str, more: &str) -> String {
    format!(
        "{FORMAT}name = \"{name}\"\n[[dialect]]\nname = \"{name}\"\n\
         handle = \"mlirGetDialectHandle__{name}__\"\n{more}\n{CPP}"
    )
}

/// The plan of a manifest in a folder with these crates, and the folder's path.
fn planned(
    crates: &[(&str, &str)],
    listed: &str,
    contents: &str,
    package: &str,
) -> (Result<Plan>, Utf8PathBuf) {
    planned_for(22, crates, listed, contents, package)
}

fn planned_for(
    llvm: u32,
    crates: &[(&str, &str)],
    listed: &str,
    contents: &str,
    package: &str,
) -> (Result<Plan>, Utf8PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(dir.path()).unwrap();
    let root = root.canonicalize_utf8().unwrap();
    for (name, text) in crates {
        write(&root.join(name), text);
    }
    let text = format!(
        "manifest = 1\n[package]\ndistribution = \"d\"\nlicense = \"MIT\"\n{package}\n[llvm]\n\
         version = \"{llvm}\"\n[contents]\ncrates = [{listed}]\n{contents}\n"
    );
    let plan = manifest::parse(&text, &root.join("m.toml")).and_then(|manifest| {
        let crates = dialect_crate::load_all(&manifest, &root.join("in-tree"))?;
        resolve(&manifest, &Catalogue::upstream()?, &crates, "x86_64")
    });
    (plan, root)
}

fn refused(crates: &[(&str, &str)], listed: &str, contents: &str) -> String {
    let (plan, root) = planned(crates, listed, contents, "");
    plan.unwrap_err().to_string().replace(root.as_str(), "$DIR")
}

#[test]
fn a_crates_dialect_brings_what_it_depends_on() {
    let toy = dialect_crate::tests::BASE;
    let units = small("units", "depends = [\"toy\", \"math\"]").replace(
        "handle = \"mlirGetDialectHandle__units__\"",
        "register = \"mondoRegisterUnits\"",
    );
    let crates = [("units", units.as_str()), ("in-tree/toy", toy)];
    let contents = "dialects = [\"units\"]\npasses = [\"toy\"]";
    let (plan, _) = planned(&crates, "\"units\", \"toy\"", contents, "label = \"acme\"");
    let plan = plan.unwrap();
    // Its C++ may call whatever there is.
    assert_eq!(plan.unreachable_functions, [""; 0]);
    assert_eq!(plan.null_functions.len(), 1, "{:?}", plan.null_functions);
    let names = |dialects: &[PlannedDialect]| -> Vec<String> {
        dialects
            .iter()
            .map(|dialect| dialect.name.clone())
            .collect()
    };
    assert_eq!(
        names(&plan.dialects),
        ["arith", "builtin", "math", "toy", "units"]
    );
    let order: Vec<&String> = plan
        .crates
        .iter()
        .map(|owner| owner.name.get_ref())
        .collect();
    assert_eq!(order, ["toy", "units"]);
    assert_json_snapshot!(plan.registration, @r#"
    {
      "handles": [
        "mlirGetDialectHandle__arith__",
        "mlirGetDialectHandle__math__",
        "mlirGetDialectHandle__toy__"
      ],
      "registries": [
        "_ZN4mlir7builtin37registerCastOpInterfaceExternalModelsERNS_15DialectRegistryE",
        "mondoRegisterUnits"
      ],
      "passes": [
        "mlirRegisterToyPasses"
      ],
      "contexts": []
    }
    "#);
    assert_eq!(plan.pass_groups, ["toy"]);
    assert_eq!(plan.wheels[0].distribution, "acme-toy");
    assert!(plan.archives.contains(&"MLIRCAPIMath".to_owned()));
}

#[test]
fn an_extension_needs_an_llvm_with_adaptors() {
    let crates = [("toy", dialect_crate::tests::BASE)];
    let (plan, root) = planned_for(19, &crates, "\"toy\"", "dialects = [\"toy\"]", "");
    let error = plan.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Plan);
    assert_snapshot!(error.to_string().replace(root.as_str(), "$DIR"), @"
    the dialect crate `toy`: its extension `_toy` cannot be built for LLVM 19
       at: $DIR/toy/dialect.toml:28:10
      why: it includes MLIR's NanobindAdaptors.h, which LLVM 20 introduced
     help: use a newer LLVM, or remove the extension from the dialect's Python
    ");
}

#[test]
fn the_manifest_names_a_crates_wheel() {
    let crates = [("toy", dialect_crate::tests::BASE)];
    let named = |package: &str| {
        let (plan, _) = planned(&crates, "\"toy\"", "dialects = [\"toy\"]", package);
        plan.map(|plan| plan.wheels[0].distribution.clone())
    };
    assert_eq!(named("").unwrap(), "mondo-toy");
    assert_eq!(
        named("label = \"acme\"\nwheels = { toy = \"x\" }").unwrap(),
        "x"
    );
    let wrong = named("wheels = { tow = \"x\" }").unwrap_err();
    assert!(wrong.to_string().contains("`toy` has Python"), "{wrong}");
    let same = named("wheels = { toy = \"d\" }").unwrap_err();
    assert!(same.to_string().contains("two wheels"), "{same}");
}

#[test]
fn a_crate_of_python_alone_has_a_wheel_where_the_manifest_names_it() {
    let pure = dialect_crate::tests::BASE;
    let pure = &pure[..pure.find("[[extension]]").unwrap()];
    let wheels = |crate_text: &str, package: &str| {
        let crates = [("toy", crate_text)];
        let (plan, _) = planned(&crates, "\"toy\"", "dialects = [\"toy\"]", package);
        plan.map(|plan| plan.wheels)
    };
    assert_eq!(wheels(pure, "").unwrap(), []);
    let named = wheels(pure, "wheels = { toy = \"x\" }").unwrap();
    assert_eq!((named[0].distribution.as_str(), named.len()), ("x", 1));
    assert_eq!(named[0].extensions, []);
    let same = wheels(pure, "wheels = { toy = \"d\" }").unwrap_err();
    assert!(same.to_string().contains("two wheels"), "{same}");
    let none = small("toy", "");
    let error = wheels(&none, "wheels = { toy = \"x\" }").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no crate of `contents.crates` has Python"),
        "{error}"
    );
}

#[test]
fn crates_that_are_not_there_or_not_wanted() {
    let toy = small("toy", "");
    assert_snapshot!(refused(&[("toy", &toy)], "\"tow\"", "dialects = []"), @r#"
    `contents.crates` names `tow`, which is not a dialect crate
       at: $DIR/m.toml:9:11
      why: $DIR/tow/dialect.toml does not exist
     help: write a path relative to the manifest, or the folder name of one of mondo's own crates
    "#);
    assert_snapshot!(refused(&[("toy", &toy)], "\"toy\"", "dialects = [\"func\"]"), @r#"
    `contents.crates` lists the crate `toy`, but `contents.dialects` lists none of its dialects
       at: $DIR/m.toml:9:11
     help: add "toy" to `contents.dialects`, or remove the crate from `contents.crates`
    "#);
    assert_snapshot!(refused(&[("toy", &toy)], "\"toy\"", "dialects = [\"tpy\"]"), @r#"
    `tpy` is not a dialect of LLVM 22
       at: $DIR/m.toml:10:13
     help: did you mean `toy`?
    "#);
}

#[test]
fn names_have_one_owner() {
    let one = small("one", "python = \"same\"");
    let cases = [
        one.replace("name = \"one\"\n[[", "name = \"two\"\n[["),
        small("two", "python = \"same\""),
        small("two", "").replace("__two__", "__one__"),
        small("two", "").replacen(
            "[cpp]",
            "[[pass-group]]\nname = \"transforms\"\nregister = \"f\"\n[cpp]",
            1,
        ),
        one.clone(),
    ];
    let messages: Vec<String> = cases
        .iter()
        .map(|two| {
            refused(
                &[("a", &one), ("b", two)],
                "\"a\", \"b\"",
                "dialects = [\"one\"]",
            )
        })
        .collect();
    assert_snapshot!(messages.join("\n\n"), @r#"
    the dialect crate `two` claims the dialect `one` (`dialect.name`), but the crate `one` also has it
       at: $DIR/b/dialect.toml:4:8
        - $DIR/a/dialect.toml:4:8
        - $DIR/b/dialect.toml:4:8
     help: rename one of them, or remove one crate from `contents.crates`

    the dialect crate `two` claims the Python module `same` (`dialect.python`), but the crate `one` also has it
       at: $DIR/b/dialect.toml:6:10
        - $DIR/a/dialect.toml:6:10
        - $DIR/b/dialect.toml:6:10
     help: rename one of them, or remove one crate from `contents.crates`

    the dialect crate `two` claims the registration function `mlirGetDialectHandle__one__` (`handle` or `register`), but the crate `one` also has it
       at: $DIR/b/dialect.toml:5:10
        - $DIR/a/dialect.toml:5:10
        - $DIR/b/dialect.toml:5:10
     help: rename one of them, or remove one crate from `contents.crates`

    the dialect crate `two` claims the pass group `transforms` (`pass-group.name`), but MLIR already has it
       at: $DIR/b/dialect.toml:8:8
     help: rename one of them, or remove one crate from `contents.crates`

    the dialect crate `one` claims the crate name `one` (`name`), but the crate `one` also has it
       at: $DIR/b/dialect.toml:2:8
        - $DIR/a/dialect.toml:2:8
        - $DIR/b/dialect.toml:2:8
     help: rename one of them, or remove one crate from `contents.crates`
    "#);
    let func = small("func", "");
    assert_snapshot!(refused(&[("a", &func)], "\"a\"", "dialects = [\"func\"]"), @r#"
    the dialect crate `func` claims the dialect `func` (`dialect.name`), but MLIR already has it
       at: $DIR/a/dialect.toml:4:8
     help: rename one of them, or remove one crate from `contents.crates`
    "#);
}

#[test]
fn dependencies_exist_and_are_no_circle() {
    let a = small("a", "depends = [\"b\"]");
    let b = small("b", "depends = [\"c\"]");
    let c = small("c", "depends = [\"a\"]");
    let crates = [("a", a.as_str()), ("b", &b), ("c", &c)];
    assert_snapshot!(refused(&crates, "\"a\", \"b\", \"c\"", "dialects = [\"a\"]"), @r#"
    dialects depend on each other in a cycle: a → b → c → a
       at: $DIR/c/dialect.toml:6:12
      why: mondo builds each one after its dependencies
     help: remove one of these from `dialect.depends`
    "#);
    let two = "[[dialect]]\nname = \"$2\"\nhandle = \"f$2\"\ndepends = [$D]\n[cpp]";
    let x = small("x", "depends = [\"y\"]")
        .replace("[cpp]", &two.replace("$2", "x2").replace("$D", ""));
    let y = small("y", "").replace("[cpp]", &two.replace("$2", "y2").replace("$D", "\"x2\""));
    assert_snapshot!(refused(&[("x", &x), ("y", &y)], "\"x\", \"y\"", "dialects = [\"x\"]"), @r#"
    dialect crates depend on each other in a cycle: x → y → x
       at: $DIR/y/dialect.toml:10:12
      why: mondo builds each one after its dependencies
     help: remove one of these from `dialect.depends`
    "#);
    let lone = small("a", "depends = [\"arit\"]");
    assert_snapshot!(refused(&[("a", &lone)], "\"a\"", "dialects = [\"a\"]"), @r#"
    the dialect crate `a`: `dialect.depends` of `a` names `arit`, which is not a dialect
       at: $DIR/a/dialect.toml:6:12
      why: neither LLVM 22 nor a crate of `contents.crates` defines it
     help: did you mean `arith`?
    "#);
}

#[test]
fn a_wheels_licence_has_those_of_its_crates() {
    let licensed = |license: &str| {
        let package = format!("[package]\nlicense = \"{license}\"\n[[dialect]]");
        let text = small("toy", "").replace("[[dialect]]", &package);
        let (plan, _) = planned(&[("toy", &text)], "\"toy\"", "dialects = [\"toy\"]", "");
        plan.unwrap().metadata.license
    };
    // The manifest of these tests says MIT.
    assert_eq!(licensed("MIT"), "MIT");
    assert_eq!(licensed("BSD-3-Clause AND MIT"), "MIT AND BSD-3-Clause");
    assert_eq!(
        licensed("Apache-2.0 WITH LLVM-exception"),
        "MIT AND Apache-2.0 WITH LLVM-exception"
    );
    let either = licensed("Zlib OR Apache-2.0");
    assert_eq!(either, "MIT AND (Zlib OR Apache-2.0)");
    spdx::Expression::parse(&either).unwrap();
}

#[test]
fn a_function_that_nobody_defines_is_a_warning_of_the_plan() {
    let toy = small("toy", "").replace(
        "[cpp]\n",
        "[cpp]\ninclude = [\"include\"]\nheaders = [\"toy-c/Toy.h\"]\n",
    );
    let toy = toy.replace("lib/*.cpp", "ext/*.cpp");
    let (plan, root) = planned(&[("toy", &toy)], "\"toy\"", "dialects = [\"toy\"]", "");
    let plan = plan.unwrap();
    let warnings = plan.warnings().join("\n").replace(root.as_str(), "$DIR");
    assert_snapshot!(warnings, @r#"
    the dialect crate `toy` declares `mlirGetDialectHandle__toy__` but does not define it, so it is not exported ($DIR/toy/include/toy-c/Toy.h:2)
    the dialect crate `toy` declares `mlirRegisterToyPasses` but does not define it, so it is not exported ($DIR/toy/include/toy-c/Toy.h:3)
    "#);
    assert!(
        plan.summary()
            .contains("\nwarning: the dialect crate `toy` declares")
    );
}

#[test]
fn what_a_crate_adds_to_others_is_registered() {
    let more = "[[dialect-extension]]\nclass = \"toy::Extension\"\nheader = \"toy/Toy.h\"\n\
                [[translation]]\nregister = \"toyRegisterTranslation\"\n\
                [[translation]]\nregister = \"toy::registerToLLVM\"\nheader = \"toy/Toy.h\"\n[cpp]";
    let toy = small("toy", "").replace("[cpp]", more);
    let (plan, _) = planned(&[("toy", &toy)], "\"toy\"", "dialects = [\"toy\"]", "");
    let registration = plan.unwrap().registration;
    assert_eq!(registration.contexts, ["toyRegisterTranslation"]);
    for function in [
        "mondo_register_toy_toy__Extension",
        "mondo_register_toy_toy__registerToLLVM",
    ] {
        assert!(
            registration
                .registries
                .iter()
                .any(|registry| registry == function),
            "{function}"
        );
    }
}

#[test]
fn translations_of_a_crate_are_those_of_the_tool() {
    let more = "[[tool-translation]]\nregister = \"toyRegisterCount\"\n\
                [[tool-translation]]\nregister = \"toy::registerCount\"\nheader = \"toy/Toy.h\"\n[cpp]";
    let toy = small("toy", "").replace("[cpp]", more);
    let with = |tools: &str| {
        let contents = format!("dialects = [\"toy\"]\ntools = [{tools}]");
        let (plan, _) = planned(&[("toy", &toy)], "\"toy\"", &contents, "");
        plan.unwrap().tool_translations
    };
    let both = ["mondo_register_toy_toy__registerCount", "toyRegisterCount"];
    assert_eq!(with("\"translate\""), both);
    assert!(with("\"opt\"").is_empty());
}

#[test]
fn a_command_of_a_crate_is_a_script_of_the_wheel() {
    let with = |name: &str, main: &str| {
        let more = format!("[[command]]\nname = {name:?}\nmain = {main:?}\n[cpp]");
        let toy = small("toy", "").replace("[cpp]", &more);
        let (plan, _) = planned(&[("toy", &toy)], "\"toy\"", "dialects = [\"toy\"]", "");
        plan
    };
    let plan = with("toy-run.1", "toyMain").unwrap();
    let scripts = &plan.metadata.entry_points["console_scripts"];
    assert_eq!(scripts["toy-run.1"], "mlir._tools:toy_run_1");
    assert_eq!(plan.tools[0].main.as_deref(), Some("toyMain"));
    for (name, main, said) in [
        ("toy run", "toyMain", "invalid `command.name`: \"toy run\""),
        (
            "toy-run",
            "toy::main",
            "invalid `command.main`: \"toy::main\"",
        ),
    ] {
        let error = with(name, main).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}
