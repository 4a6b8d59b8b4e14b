//! The messages for words that do not follow their rules, and for files that are not there.

use insta::assert_snapshot;

use super::*;

#[test]
fn labels_are_identifiers_of_ones_own() {
    assert_snapshot!(refusals("PACKAGE", &["label = \"acme-mlir\"", "label = \"\"", "label = \"_acme\"", "label = \"Acme\"", "label = \"class\"", "label = \"mlir\"", "label = \"mondo\"", "label = \"json\"", "label = \"test\""]), @r#"
    label = "acme-mlir"
    invalid label: `acme-mlir`
       at: m.toml:5:9
      why: a label becomes a package name and part of a file name, so it must be a Python identifier that begins with a letter
     help: choose a distinctive word, such as your project's name: `acme`

    label = ""
    invalid label: ``
       at: m.toml:5:9
      why: a label becomes a package name and part of a file name, so it must be a Python identifier that begins with a letter
     help: choose a distinctive word, such as your project's name: `acme`

    label = "_acme"
    invalid label: `_acme`
       at: m.toml:5:9
      why: a label becomes a package name and part of a file name, so it must be a Python identifier that begins with a letter
     help: choose a distinctive word, such as your project's name: `acme`

    label = "Acme"
    invalid label: `Acme`
       at: m.toml:5:9
      why: a label must be lower case, because some file systems ignore case
     help: choose a distinctive word, such as your project's name: `acme`

    label = "class"
    invalid label: `class`
       at: m.toml:5:9
      why: it is a Python keyword, so it cannot be imported
     help: choose a distinctive word, such as your project's name: `acme`

    label = "mlir"
    invalid label: `mlir`
       at: m.toml:5:9
      why: `mlir` is the name of the bundle without a label
     help: choose a distinctive word, such as your project's name: `acme`

    label = "mondo"
    invalid label: `mondo`
       at: m.toml:5:9
      why: `mondo` is the name of mondo itself
     help: choose a distinctive word, such as your project's name: `acme`

    label = "json"
    invalid label: `json`
       at: m.toml:5:9
      why: it is a module of Python's standard library
     help: choose a distinctive word, such as your project's name: `acme`

    label = "test"
    invalid label: `test`
       at: m.toml:5:9
      why: many packages install this name by accident
     help: choose a distinctive word, such as your project's name: `acme`
    "#);
}

#[test]
fn import_roots_do_not_clash() {
    assert_snapshot!(refusals("PACKAGE", &["import-root = \"acme.mlir\"", "label = \"acme\"\nimport-root = \"mlir\"", "label = \"acme\"\nimport-root = \"json.mlir\"", "label = \"acme\"\nimport-root = \"acme..mlir\"", "label = \"acme\"\nimport-root = \"acme.import\""]), @r#"
    import-root = "acme.mlir"
    invalid import root: `acme.mlir`
       at: m.toml:5:15
      why: the import root of a bundle without a label is `mlir`, as upstream's
     help: set a label, or remove `import-root`

    label = "acme"
    import-root = "mlir"
    invalid import root: `mlir`
       at: m.toml:6:15
      why: name conflict: `mlir` is the name of the bundle without a label
     help: put it into your own package: `acme.mlir`

    label = "acme"
    import-root = "json.mlir"
    invalid import root: `json.mlir`
       at: m.toml:6:15
      why: name conflict: it is a module of Python's standard library
     help: put it into your own package: `acme.mlir`

    label = "acme"
    import-root = "acme..mlir"
    invalid import root: `acme..mlir`
       at: m.toml:6:15
      why: its part `` is not a Python identifier
     help: join identifiers with dots: `acme.mlir`

    label = "acme"
    import-root = "acme.import"
    invalid import root: `acme.import`
       at: m.toml:6:15
      why: its part `import` is not a Python identifier
     help: join identifiers with dots: `acme.mlir`
    "#);
}

#[test]
fn names_versions_and_licences_follow_their_standards() {
    assert_snapshot!(refusals("PACKAGE", &["version = \"22.x\"", "python = \"3.9\"", "python = \"3\"", "python = \"3.010\""]), @r#"
    version = "22.x"
    invalid version: `22.x` (PEP 440)
       at: m.toml:5:11
      why: after parsing `22`, found `.x`, which is not part of a valid version
     help: write it like `22.1.8` or `22.1.8.post1`, or remove it to use LLVM's version

    python = "3.9"
    invalid minimum Python: `3.9`
       at: m.toml:5:10
      why: the extension uses the stable ABI of CPython 3.10
     help: write `"3.10"` or later, or remove `python`

    python = "3"
    invalid minimum Python: `3`
       at: m.toml:5:10
     help: write it like `"3.10"`

    python = "3.010"
    invalid minimum Python: `3.010`
       at: m.toml:5:10
     help: write it like `"3.10"`
    "#);
    assert_snapshot!(refusals("LINK", &["minimum-glibc = \"2\"", "minimum-glibc = \"GLIBC_2.36\""]), @r#"
    minimum-glibc = "2"
    invalid glibc version: `2`
       at: m.toml:13:17
     help: write it like `"2.36"`

    minimum-glibc = "GLIBC_2.36"
    invalid glibc version: `GLIBC_2.36`
       at: m.toml:13:17
     help: write it like `"2.36"`
    "#);
    let swapped = |from: &str, to: &str| {
        let text = BASE.replace(from, to);
        whole(
            &text
                .lines()
                .filter(|line| !line.starts_with('$'))
                .collect::<Vec<_>>()
                .join("\n"),
        )
    };
    assert_snapshot!(swapped("acme-mlir", "-acme mlir"), @r#"
    invalid distribution name: `-acme mlir`
       at: m.toml:3:16
      why: PEP 508 allows ASCII letters, digits, `.`, `-` and `_`, with a letter or digit at both ends
    "#);
    assert_snapshot!(swapped("\"MIT\"", "\"Apache-2 OR MIT\""), @r#"
    invalid SPDX licence expression: `Apache-2 OR MIT`
       at: m.toml:4:11
      why: unknown term: `Apache-2`
     help: use identifiers from the SPDX licence list: `MIT`, `Apache-2.0 WITH LLVM-exception`
    "#);
    assert_snapshot!(swapped("\"MIT\"", "\"MIT OR\""), @r#"
    invalid SPDX licence expression: `MIT OR`
       at: m.toml:4:11
      why: expected one of `<license>`, `(` here: ``
     help: use identifiers from the SPDX licence list: `MIT`, `Apache-2.0 WITH LLVM-exception`
    "#);
    assert_snapshot!(swapped("\"22\"", "\"22.1\""), @r#"
    invalid LLVM version: `22.1`
       at: m.toml:6:11
     help: write a major version, `"22"`, or a full version, `"22.1.8"`
    "#);
}

#[test]
fn metadata_cannot_be_broken_out_of() {
    assert_snapshot!(refusals("PACKAGE", &[
        "summary = \"a\\nRequires-Dist: evil\"",
        "summary = \" \"",
        "keywords = [\"a,b\"]",
        "classifiers = [\"License :: OSI Approved :: MIT License\"]",
        "classifiers = [\"Compilers\"]",
        "classifiers = [\"Foo :: Bar\"]",
        "requires = [\">=2\"]",
        "requires = [\"numpy 2\"]",
        "requires = [\"numpy >>3\"]",
        "authors = [{}]",
        "authors = [{ email = \"nobody\" }]",
        "authors = [{ name = \"a\\nb\" }]",
        "urls = { Source = \"example.org\" }",
        "urls = { \"a label that is longer than thirty-two\" = \"https://example.org\" }",
    ]), @r#"
    summary = "a\nRequires-Dist: evil"
    the value is not a single line of text
       at: m.toml:5:11
      why: it contains a line break or another control character

    summary = " "
    the value is empty
       at: m.toml:5:11
     help: remove it

    keywords = ["a,b"]
    `a,b` is not a single keyword
       at: m.toml:5:13
      why: the metadata separates keywords with commas
     help: split it into separate keywords

    classifiers = ["License :: OSI Approved :: MIT License"]
    `License :: OSI Approved :: MIT License` is a licence classifier
       at: m.toml:5:16
      why: PEP 639 does not allow licence classifiers with a licence expression
     help: remove it; `license` already states the licence

    classifiers = ["Compilers"]
    unknown classifier: `Compilers`
       at: m.toml:5:16
      why: classifiers begin with Development Status, Environment, Framework, Intended Audience, Natural Language, Operating System, Private, Programming Language, Topic, Typing
     help: classifiers look like `Topic :: Software Development :: Compilers`

    classifiers = ["Foo :: Bar"]
    unknown classifier: `Foo :: Bar`
       at: m.toml:5:16
      why: classifiers begin with Development Status, Environment, Framework, Intended Audience, Natural Language, Operating System, Private, Programming Language, Topic, Typing
     help: classifiers look like `Topic :: Software Development :: Compilers`

    requires = [">=2"]
    invalid requirement: `>=2` (PEP 508)
       at: m.toml:5:13
      why: it does not begin with the name of a distribution
     help: requirements look like `numpy>=2`

    requires = ["numpy 2"]
    invalid requirement: `numpy 2` (PEP 508)
       at: m.toml:5:13
      why: `2` is not a list of version specifiers (PEP 440)
     help: requirements look like `numpy>=2`

    requires = ["numpy >>3"]
    invalid requirement: `numpy >>3` (PEP 508)
       at: m.toml:5:13
      why: `>>3` is not a list of version specifiers (PEP 440)
     help: requirements look like `numpy>=2`

    authors = [{}]
    an author has a name, an address, or both
       at: m.toml:5:12

    authors = [{ email = "nobody" }]
    `nobody` is not an email address
       at: m.toml:5:12

    authors = [{ name = "a\nb" }]
    an author's name is one line of text
       at: m.toml:5:12

    urls = { Source = "example.org" }
    invalid URL: `example.org`
       at: m.toml:5:19
     help: write it in full: `https://…`

    urls = { "a label that is longer than thirty-two" = "https://example.org" }
    invalid URL label: `a label that is longer than thirty-two`
       at: m.toml:5:53
      why: a label has 1 to 32 characters and no comma
    "#);
}

#[test]
fn files_must_exist() {
    assert_snapshot!(refusals("PACKAGE", &["readme = \"NO.md\"", "readme = \"Cargo.toml\"", "license-files = [\"src\"]", "python-sources = [\"Cargo.toml\"]", "license-files = [\"Cargo.toml\", \"../mondo-audit/Cargo.toml\"]"]), @r#"
    readme = "NO.md"
    the file `NO.md` does not exist
       at: m.toml:5:10
      why: `NO.md` does not exist
     help: paths are relative to the manifest's folder

    readme = "Cargo.toml"
    invalid readme: `Cargo.toml`
       at: m.toml:5:10
      why: the suffix sets the content type: `.md`, `.rst` or `.txt`

    license-files = ["src"]
    the file `src` does not exist
       at: m.toml:5:18
      why: `src` does not exist
     help: paths are relative to the manifest's folder

    python-sources = ["Cargo.toml"]
    the folder `Cargo.toml` does not exist
       at: m.toml:5:19
      why: `Cargo.toml` does not exist
     help: paths are relative to the manifest's folder

    license-files = ["Cargo.toml", "../mondo-audit/Cargo.toml"]
    two licence files are named `Cargo.toml`
       at: m.toml:5:32
      why: both would be in one folder of the wheel
     help: rename one of them
    "#);
    let error = load("no/such.toml".into()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Manifest);
    assert_snapshot!(error, @r#"
    cannot read the manifest
       at: no/such.toml
      why: No such file or directory (os error 2)
     help: check the path; it is relative to the current folder
    "#);
}

#[test]
fn a_file_that_is_not_text_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8PathBuf::from_path_buf(folder.path().join("m.toml")).unwrap();
    fs_err::write(&path, b"manifest = 1\n\xff").unwrap();
    let error = load(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Manifest);
    assert!(error.to_string().contains("not UTF-8"), "{error}");
}
