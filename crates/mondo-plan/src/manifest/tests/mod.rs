//! Tests of the values that a manifest may have, and of the messages for those that it may not.

mod projects;
mod words;

use insta::assert_snapshot;

use camino::Utf8PathBuf;
use mondo_core::error::ErrorKind;

use super::*;

/// A manifest with every required key; `$LINE` stands in `[package]`.
const BASE: &str = r#"manifest = 1
[package]
distribution = "acme-mlir"
license = "MIT"
$PACKAGE
[llvm]
version = "22"
$LLVM
[contents]
dialects = ["func"]
$CONTENTS
[link]
$LINK
"#;

fn with(section: &str, line: &str) -> Result<Manifest> {
    let text =
        ["PACKAGE", "LLVM", "CONTENTS", "LINK"]
            .iter()
            .fold(BASE.to_owned(), |text, name| {
                let line = if *name == section { line } else { "" };
                text.replace(&format!("${name}"), line)
            });
    parse(&text, "m.toml".into())
}

/// The messages for several lines of one section, each tried on its own.
fn refusals(section: &str, lines: &[&str]) -> String {
    let refusal = |line: &&str| match with(section, line) {
        Ok(manifest) => panic!("{line} was accepted: {manifest:?}"),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Manifest, "{line}");
            format!("{line}\n{error}\n")
        }
    };
    lines.iter().map(refusal).collect::<Vec<_>>().join("\n")
}

fn whole(text: &str) -> String {
    parse(text, "m.toml".into()).unwrap_err().to_string()
}

#[test]
fn what_a_manifest_omits_has_its_default() {
    let manifest = with("", "").unwrap();
    assert_eq!(manifest.label, None);
    let minimum = manifest.link.minimum_glibc.map(|glibc| glibc.to_string());
    assert_eq!(minimum.as_deref(), Some("2.17"));
    assert_eq!(manifest.import_root, "mlir");
    assert_eq!(manifest.python.minimum, (3, 10));
    assert_eq!(manifest.metadata.requires_python, ">=3.10");
    assert!(manifest.version_follows_llvm);
    assert!(!manifest.execution_engine.get_ref());
    assert!(manifest.targets.is_empty());
    assert!(manifest.link.gc_sections && manifest.link.icf && manifest.link.strip);
    assert_eq!(manifest.link.unwind_tables, UnwindTables::All);
    assert_eq!(manifest.link.optimize, 2);
    let labelled = with("PACKAGE", "label = \"acme\"").unwrap();
    assert_eq!(labelled.import_root, "acme.mlir");
}

#[test]
fn what_is_said_is_taken() {
    let manifest = with(
        "PACKAGE",
        "label = \"tm\"\nimport-root = \"torch_mlir\"\nversion = \"1.0-RC1\"\npython = \"3.12\"\n\
         license-files = [\"../mondo-plan/Cargo.toml\"]\npython-sources = [\"src\"]\n\
         authors = [{ name = \"A\", email = \"a@b.c\" }]\nurls = { Source = \"https://b.c/x\" }\n\
         requires = [\"numpy >=2\", \"x[y]; python_version < '3'\"]\n",
    )
    .unwrap();
    assert_eq!(manifest.import_root, "torch_mlir");
    assert_eq!(manifest.metadata.version, "1.0rc1");
    assert_eq!(manifest.metadata.requires_python, ">=3.12");
    let license = &manifest.metadata.license_files[0];
    assert!(license.is_absolute() && license.ends_with("crates/mondo-plan/Cargo.toml"));
    assert!(!license.as_str().contains(".."), "{license}");
    assert!(manifest.python.sources[0].ends_with("mondo-plan/src"));
    assert_eq!(manifest.metadata.urls["Source"], "https://b.c/x");
}

#[test]
fn unknown_keys_name_the_nearest() {
    assert_snapshot!(refusals("PACKAGE", &["lable = \"acme\"", "import_root = \"acme\"", "frobnicate = 1"]), @r#"
    lable = "acme"
    unknown key `lable` in [package]
       at: m.toml:5:1
     help: did you mean `label`?

    import_root = "acme"
    unknown key `import_root` in [package]
       at: m.toml:5:1
     help: did you mean `import-root`?

    frobnicate = 1
    unknown key `frobnicate` in [package]
       at: m.toml:5:1
     help: the choices are: authors, classifiers, distribution, import-root, keywords, label, license, license-files, python, python-sources, readme, requires, summary, urls, version, wheels
    "#);
    assert_snapshot!(refusals("CONTENTS", &["dialect = []"]), @r#"
    dialect = []
    unknown key `dialect` in [contents]
       at: m.toml:11:1
     help: did you mean `dialects`?
    "#);
    assert_snapshot!(whole("manifest = 1\n[pakage]\n"), @r#"
    unknown key `pakage` in the top level of this file
       at: m.toml:2:2
     help: did you mean `package`?
    "#);
}

#[test]
fn wrong_types_say_what_was_expected_and_found() {
    assert_snapshot!(refusals("PACKAGE", &["python = 3.10", "label = [\"acme\"]", "keywords = \"mlir\"", "authors = [\"A\"]"]), @r#"
    python = 3.10
    `package.python` has the wrong type
       at: m.toml:5:10
      why: expected a string, found floating point `3.1`
     help: put it in quotes

    label = ["acme"]
    `package.label` has the wrong type
       at: m.toml:5:9
      why: expected a string, found a list

    keywords = "mlir"
    `package.keywords` has the wrong type
       at: m.toml:5:12
      why: expected a list, found string "mlir"
     help: write it as `[…]`

    authors = ["A"]
    `package.authors` has the wrong type
       at: m.toml:5:12
      why: expected a table, found string "A"
    "#);
    let link = [
        "icf = \"all\"",
        "optimize = -1",
        "optimize = 3",
        "unwind-tables = \"no\"",
        "unwind-tables = true",
    ];
    assert_snapshot!(refusals("LINK", &link), @r#"
    icf = "all"
    `link.icf` has the wrong type
       at: m.toml:13:7
      why: expected a boolean, found string "all"

    optimize = -1
    `link.optimize` has the wrong type
       at: m.toml:13:12
      why: expected a whole number, found integer `-1`

    optimize = 3
    `link.optimize` is out of range
       at: m.toml:13:12
      why: the linker has the levels 0, 1 and 2

    unwind-tables = "no"
    invalid `link.unwind-tables`: `no`
       at: m.toml:13:17
     help: write `"all"`, `"callbacks"` or `"none"`

    unwind-tables = true
    `link.unwind-tables` has the wrong type
       at: m.toml:13:17
      why: expected a string, found boolean `true`
     help: put it in quotes
    "#);
}

#[test]
fn syntax_errors_and_lacking_keys_are_placed() {
    assert_snapshot!(whole("manifest = 1\n[package\n"), @r#"
    this is not valid TOML
       at: m.toml:2:9
      why: unclosed table, expected `]`
    "#);
    let rest = "[llvm]\nversion = \"22\"\n[contents]\ndialects = []\n";
    let whole_but = |package: &str| whole(&format!("manifest = 1\n{package}{rest}"));
    assert_eq!(
        whole_but(""),
        whole_but("[package]\n").replace("2:1", "1:1")
    );
    assert_snapshot!(whole_but("[package]\nlicense = \"MIT\"\n"), @r#"
    missing key `distribution` in [package]
       at: m.toml:2:1
     help: add `distribution = …`
    "#);
    assert_snapshot!(refusals("PACKAGE", &["license = \"MIT\""]), @r#"
    license = "MIT"
    this is not valid TOML
       at: m.toml:5:1
      why: duplicate key
    "#);
}

#[test]
fn the_format_is_looked_at_before_the_keys() {
    assert_snapshot!(whole("[package]\n"), @r#"
    the manifest has no format
       at: m.toml:1:1
     help: begin it with `manifest = 1`
    "#);
    assert_snapshot!(whole("# later\nmanifest = 2\nnew = 1\n"), @r#"
    unknown manifest format 2
       at: m.toml:2:12
      why: this mondo supports format 1
     help: update mondo, or write the manifest in the supported format
    "#);
    assert_snapshot!(whole("manifest = \"1\"\n"), @r#"
    `manifest` has the wrong type
       at: m.toml:1:12
      why: expected a whole number, found string "1"
    "#);
}

/// The manifests of this repository, in a folder where the files they name exist.
#[test]
fn the_manifests_of_this_repository_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
    fs_err::create_dir(root.join("manifests")).unwrap();
    fs_err::create_dir(root.join("bundle")).unwrap();
    for name in ["LICENSE", "README.md", "bundle/description.md"] {
        fs_err::write(root.join(name), "text").unwrap();
    }
    let mut seen = Vec::new();
    for entry in fs_err::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../manifests")).unwrap()
    {
        let path = Utf8PathBuf::from_path_buf(entry.unwrap().path()).unwrap();
        if path.extension() == Some("toml") {
            let name = path.file_name().unwrap();
            let copy = root.join("manifests").join(name);
            fs_err::copy(&path, &copy).unwrap();
            load(&copy).unwrap_or_else(|error| panic!("{error}"));
            seen.push(name.to_owned());
        }
    }
    seen.sort();
    assert_eq!(
        seen,
        [
            "acme-fxp.toml",
            "acme.toml",
            "core.toml",
            "default-tools.toml",
            "default.toml",
            "fortran.toml",
            "fxp.toml",
            "gpu.toml",
            "standard.toml",
            "units.toml"
        ]
    );
}

fn properties(schema: &serde_json::Value) -> Vec<&str> {
    let properties = schema["properties"].as_object().unwrap();
    properties.keys().map(String::as_str).collect()
}

#[test]
fn the_schema_has_every_key_with_a_description() {
    let schema = schema();
    let mut outline = format!("{}\n", properties(&schema).join(" "));
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        // A choice of forms has no keys of its own.
        if definition["anyOf"].is_array() {
            continue;
        }
        assert_eq!(definition["additionalProperties"], false, "{name}");
        for (key, property) in definition["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{name}.{key}");
        }
        outline += &format!("{name}: {}\n", properties(definition).join(" "));
    }
    assert_snapshot!(outline, @r"
    manifest package llvm contents project link wheel sdist
    Package: distribution label import-root version summary license license-files authors urls readme keywords classifiers requires python wheels python-sources
    Author: name email
    Llvm: version targets packages mirror
    Contents: crates dialects passes translations execution-engine runtime tools
    File: name cmake modules c-api libraries headers dialects dialect-classes classes passes dialect-extensions translations tool-translations python python-root define sources needs unified wheel license license-files authors targets tests programs tools
    DialectClass: class header
    ClassesOf: header only
    Archive: url sha256
    Person: name email
    OwnProgram: command
    Link: minimum-glibc gc-sections icf optimize sort-for-compression unwind-tables strip
    Wheel: compression size-budget single
    Sdist: include exclude
    ");
    assert_eq!(
        schema["required"],
        serde_json::json!(["manifest", "package", "llvm", "contents"])
    );
}

proptest::proptest! {
    /// Whatever is in the file, the answer is an error and not a panic.
    #[test]
    fn any_text_is_answered(text in ".{0,200}", line in "[a-z-]{1,12} = .{0,40}") {
        let _ = parse(&text, "m.toml".into());
        let _ = with("PACKAGE", &line);
    }
}

/// Words of the command line, in a manifest with `package` in its `[package]`.
fn overridden(package: &str, label: Option<&str>, llvm: Option<&str>) -> Result<Manifest> {
    let text = BASE.replace("$PACKAGE", package);
    let text = ["$LLVM", "$CONTENTS", "$LINK"]
        .iter()
        .fold(text, |text, name| text.replace(name, ""));
    let overrides = Overrides {
        label: label.map(str::to_owned),
        llvm: llvm.map(str::to_owned),
        ..Overrides::default()
    };
    check(Document::new("m.toml".into(), &text), &overrides)
}

#[test]
fn names_follow_a_label_of_the_command_line() {
    let relabelled = |package: &str, label: &str| {
        let manifest = overridden(package, Some(label), None).unwrap();
        (manifest.metadata.distribution, manifest.import_root)
    };
    let pair = |name: &str, root: &str| (name.to_owned(), root.to_owned());
    let label = "label = \"acme\"";
    assert_eq!(relabelled(label, "acme"), pair("acme-mlir", "acme.mlir"));
    assert_eq!(
        relabelled(label, "big_corp"),
        pair("big-corp-mlir", "big_corp.mlir")
    );
    // Without a label the manifest's names are of no one else's.
    assert_eq!(relabelled("", "corp"), pair("corp-acme-mlir", "corp.mlir"));
    let rooted = "label = \"acme\"\nimport-root = \"acme._vendor.mlir\"";
    assert_eq!(
        relabelled(rooted, "corp"),
        pair("corp-mlir", "acme._vendor.mlir")
    );
    let manifest = overridden("label = \"acme\"", None, Some("19.1.7")).unwrap();
    assert_eq!(
        (manifest.llvm.major, manifest.llvm.exact.as_deref()),
        (19, Some("19.1.7"))
    );
}

#[test]
fn words_of_the_command_line_are_checked_as_those_of_manifests_are() {
    for (label, llvm) in [
        ("class", "22"),
        ("mlir", "22"),
        ("9x", "22"),
        ("Acme", "22"),
    ] {
        let error = overridden("", Some(label), Some(llvm)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Manifest);
        assert_eq!(error.place(), Some("--label"), "{error}");
        assert!(error.what().contains(label), "{error}");
    }
    let error = overridden("", None, Some("new")).unwrap_err();
    assert_eq!(error.place(), Some("--llvm"), "{error}");
}
