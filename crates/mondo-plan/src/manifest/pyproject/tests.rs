//! Tests of manifests in a pyproject.toml, and of the messages for those that are refused.

use insta::assert_snapshot;
use mondo_core::error::ErrorKind;

use crate::manifest::{Manifest, parse};
use mondo_core::error::Result;

/// `$PROJECT` stands in `[project]`, `$PACKAGE` in `[tool.mondo.package]`.
const BASE: &str = r#"[build-system]
requires = ["mondo-bundle"]

[project]
name = "acme-mlir"
$PROJECT
[tool.ruff]
line-length = 100
[tool.mondo]
manifest = 1
[tool.mondo.package]
$PACKAGE
[tool.mondo.llvm]
version = "22"
[tool.mondo.contents]
dialects = ["func"]
"#;

const PLAIN: &str = "version = \"1.0\"\nlicense = \"MIT\"";

fn with(project: &str, package: &str) -> Result<Manifest> {
    let text = BASE
        .replace("$PROJECT", project)
        .replace("$PACKAGE", package);
    parse(&text, "nowhere/pyproject.toml".into())
}

fn refusal(project: &str, package: &str) -> String {
    let error = with(project, package).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Manifest, "{error}");
    error.to_string()
}

#[test]
fn metadata_is_that_of_the_project() {
    let manifest = with(
        r#"version = "1.0"
license = "MIT"
description = "One line"
requires-python = ">=3.11, <4"
authors = [{ name = "A" }]
maintainers = [{ email = "m@example.org" }]
keywords = ["a"]
classifiers = ["Topic :: Software Development :: Compilers"]
urls = { Source = "https://example.org" }
dependencies = ["numpy>=2"]
optional-dependencies = { test = ["pytest"] }
scripts = { acme = "acme.main:run" }
entry-points = { plugin = { one = "acme.one" } }"#,
        "label = \"acme\"\nsummary = \"One line\"",
    )
    .unwrap();
    let metadata = &manifest.metadata;
    assert_eq!(manifest.label.as_deref(), Some("acme"));
    assert_eq!(manifest.python.minimum, (3, 11));
    assert_eq!(metadata.distribution, "acme-mlir");
    assert_eq!(metadata.version, "1.0");
    assert_eq!(metadata.requires_python, ">=3.11,<4");
    assert_eq!(metadata.summary.as_deref(), Some("One line"));
    assert_eq!(metadata.requires, ["numpy>=2"]);
    assert_eq!(metadata.extras["test"], ["pytest"]);
    assert_eq!(
        metadata.entry_points["console_scripts"]["acme"],
        "acme.main:run"
    );
    assert_eq!(metadata.entry_points["plugin"]["one"], "acme.one");
    assert!(!manifest.version_follows_llvm);
}

#[test]
fn a_dynamic_version_is_llvms_or_the_manifests() {
    let project = "license = \"MIT\"\ndynamic = [\"version\"]";
    assert!(with(project, "").unwrap().version_follows_llvm);
    let given = with(project, "version = \"3.1\"").unwrap();
    assert_eq!(given.metadata.version, "3.1");
    assert!(!given.version_follows_llvm);
}

#[test]
fn without_a_project_table_the_manifest_has_the_metadata() {
    let text = "[tool.mondo]\nmanifest = 1\n[tool.mondo.package]\ndistribution = \"a\"\n\
                license = \"MIT\"\n[tool.mondo.llvm]\nversion = \"22\"\n[tool.mondo.contents]\n\
                dialects = []\n";
    let manifest = parse(text, "pyproject.toml".into()).unwrap();
    assert_eq!(manifest.metadata.distribution, "a");
    assert!(manifest.version_follows_llvm);
}

#[test]
fn contradictions_are_refused() {
    assert_snapshot!(refusal(PLAIN, "version = \"2\""), @r"
    the value differs from `version` in [project]
       at: nowhere/pyproject.toml:13:11
      why: a project's metadata must be in one place
     help: remove it; [project] already sets it
    ");
    assert_snapshot!(refusal(PLAIN, "summary = \"x\""), @r#"
    the value differs from `description` in [project]
       at: nowhere/pyproject.toml:13:11
      why: [project] neither sets `description` nor lists it in `dynamic`, so the wheel would lack it
     help: set `description` in [project], or add `dynamic = ["description"]` there
    "#);
    assert_snapshot!(refusal(PLAIN, "keywords = [\"x\"]"), @r#"
    the value differs from `keywords` in [project]
       at: nowhere/pyproject.toml:13:13
      why: [project] neither sets `keywords` nor lists it in `dynamic`, so the wheel would lack it
     help: set `keywords` in [project], or add `dynamic = ["keywords"]` there
    "#);
}

#[test]
fn an_unknown_key_is_placed() {
    assert_snapshot!(refusal(PLAIN, "lable = \"x\""), @r"
    unknown key `lable` in [tool.mondo.package]
       at: nowhere/pyproject.toml:13:1
     help: did you mean `label`?
    ");
    assert_snapshot!(
        refusal("version = \"1\"\nlicense = \"MIT\"\nlicence-files = []", ""), @r"
    unknown key `licence-files` in [project]
       at: nowhere/pyproject.toml:8:1
     help: did you mean `license-files`?
    ");
}

#[test]
fn a_key_that_is_missing_is_placed_at_its_table() {
    assert_snapshot!(refusal("license = \"MIT\"", ""), @r#"
    missing key `version` in [project]
       at: nowhere/pyproject.toml:4:1
      why: PEP 621 requires a version, unless it is dynamic
     help: add `version = …`, or `dynamic = ["version"]` for LLVM's version
    "#);
    assert_snapshot!(refusal("version = \"1\"", ""), @r#"
    missing key `license` in [project]
       at: nowhere/pyproject.toml:4:1
      why: a wheel states its licence (PEP 639)
     help: add `license = …`, such as `license = "Apache-2.0"`
    "#);
}

#[test]
fn a_wrong_licence_or_version_is_placed() {
    assert_snapshot!(refusal("version = \"1\"\nlicense = { text = \"MIT\" }", ""), @r#"
    `license` is not an SPDX expression
       at: nowhere/pyproject.toml:7:11
      why: PEP 639 replaced the table with `text` or `file`
     help: write `license = "Apache-2.0"`, and list the licence texts in `license-files`
    "#);
    assert_snapshot!(refusal("version = \"x.y\"\nlicense = \"MIT\"", ""), @r"
    invalid version: `x.y` (PEP 440)
       at: nowhere/pyproject.toml:6:11
      why: expected version to start with a number, but no leading ASCII digits were found
     help: write it like `22.1.8` or `22.1.8.post1`, or remove it to use LLVM's version
    ");
    assert_snapshot!(
        refusal("version = \"1\"\nlicense = \"MIT\"\nrequires-python = \"<4\"", ""), @r#"
    `<4` has no lower bound
       at: nowhere/pyproject.toml:8:19
      why: the lower bound selects the stable ABI that the wheel uses
     help: write `requires-python = ">=3.10"`
    "#);
}

#[test]
fn a_dynamic_key_that_has_no_source_is_placed() {
    assert_snapshot!(refusal("license = \"MIT\"\ndynamic = [\"scripts\", \"version\"]", ""), @r"
    `scripts` must not be dynamic
       at: nowhere/pyproject.toml:7:12
      why: mondo cannot determine its value
     help: set it in [project]
    ");
}

#[test]
fn a_wrong_entry_point_is_placed() {
    assert_snapshot!(
        refusal("version = \"1\"\nlicense = \"MIT\"\nscripts = { a = \"b c\" }", ""), @r"
    invalid entry point: `a = b c`
       at: nowhere/pyproject.toml:8:17
     help: an entry point names an object: `package.module:function`
    ");
    assert_snapshot!(
        refusal("version = \"1\"\nlicense = \"MIT\"\nscripts = { \"a b\" = \"x:y\" }", ""), @r"
    invalid script name: `a b`
       at: nowhere/pyproject.toml:8:21
      why: it becomes a file name: use ASCII letters, digits, `.`, `_` and `-`
    ");
}

#[test]
fn a_wrong_requirement_is_placed() {
    assert_snapshot!(
        refusal("version = \"1\"\nlicense = \"MIT\"\ndependencies = [\"x; python_version >\"]", ""), @r"
    invalid requirement: `x; python_version >` (PEP 508)
       at: nowhere/pyproject.toml:8:17
      why: `python_version >` is not a marker: a value is missing
     help: requirements look like `numpy>=2`
    ");
}

#[test]
fn a_table_of_mondo_is_needed_in_a_known_format() {
    let none = parse("[project]\nname = \"a\"\n", "pyproject.toml".into());
    assert_snapshot!(none.unwrap_err(), @r"
    the file has no [tool.mondo]
       at: pyproject.toml:1:1
      why: in a pyproject.toml, that table is the bundle's manifest
     help: add it, or pass the manifest with `--manifest`
    ");
    let format = parse("[tool.mondo]\nmanifest = 2\n", "pyproject.toml".into());
    assert_snapshot!(format.unwrap_err(), @r"
    unknown [tool.mondo] table format 2
       at: pyproject.toml:2:12
      why: this mondo supports format 1
     help: update mondo, or write the [tool.mondo] table in the supported format
    ");
}

#[test]
fn names_to_import_are_taken_and_checked() {
    let with_names = |names: &str| with(&format!("{PLAIN}\n{names}"), "");
    let both =
        "import-names = [\"acme.mlir\", \"acme._x; private\"]\nimport-namespaces = [\"acme\"]";
    let metadata = with_names(both).unwrap().metadata;
    let names = ["acme.mlir", "acme._x; private"].map(str::to_owned);
    assert_eq!(metadata.import_names.as_deref(), Some(&names[..]));
    assert_eq!(metadata.import_namespaces, ["acme"]);
    assert_eq!(with_names("").unwrap().metadata.import_names, None);
    assert_eq!(
        with_names("import-names = []")
            .unwrap()
            .metadata
            .import_names,
        Some(Vec::new())
    );
    for (names, why) in [
        ("import-names = [\"9 x\"]", "invalid module name: `9 x`"),
        ("import-names = [\"a; public\"]", "invalid module name"),
        (
            "import-names = [\"a\"]\nimport-namespaces = [\"a\"]",
            "`a` is listed twice",
        ),
        (
            "import-names = [\"a.b\"]",
            "in the package `a`, which is not listed",
        ),
    ] {
        let message = refusal(&format!("{PLAIN}\n{names}"), "");
        assert!(
            message.contains(why) && message.contains("pyproject.toml:"),
            "{names}: {message}"
        );
    }
}
