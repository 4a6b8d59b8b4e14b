//! The messages for words that do not follow their rules, and for files that are not there.

use insta::assert_snapshot;

use super::*;

#[test]
fn labels_are_identifiers_of_ones_own() {
    assert_snapshot!(refusals("PACKAGE", &["label = \"acme-mlir\"", "label = \"\"", "label = \"_acme\"", "label = \"Acme\"", "label = \"class\"", "label = \"mlir\"", "label = \"mondo\"", "label = \"json\"", "label = \"test\""]), @r#"
    label = "acme-mlir"
    `acme-mlir` cannot be a label
       at: m.toml:5:9
      why: a label is a Python identifier that begins with a letter: it becomes a package's name and part of a file's
     help: choose a word of your own, such as your project's name: `acme`

    label = ""
    `` cannot be a label
       at: m.toml:5:9
      why: a label is a Python identifier that begins with a letter: it becomes a package's name and part of a file's
     help: choose a word of your own, such as your project's name: `acme`

    label = "_acme"
    `_acme` cannot be a label
       at: m.toml:5:9
      why: a label is a Python identifier that begins with a letter: it becomes a package's name and part of a file's
     help: choose a word of your own, such as your project's name: `acme`

    label = "Acme"
    `Acme` cannot be a label
       at: m.toml:5:9
      why: a label is in lower case: file systems differ in telling case apart
     help: choose a word of your own, such as your project's name: `acme`

    label = "class"
    `class` cannot be a label
       at: m.toml:5:9
      why: it is a keyword of Python, so nothing could import it
     help: choose a word of your own, such as your project's name: `acme`

    label = "mlir"
    `mlir` cannot be a label
       at: m.toml:5:9
      why: `mlir` is the name of the bundle without a label
     help: choose a word of your own, such as your project's name: `acme`

    label = "mondo"
    `mondo` cannot be a label
       at: m.toml:5:9
      why: `mondo` is this project's own name
     help: choose a word of your own, such as your project's name: `acme`

    label = "json"
    `json` cannot be a label
       at: m.toml:5:9
      why: it is a module of Python's standard library
     help: choose a word of your own, such as your project's name: `acme`

    label = "test"
    `test` cannot be a label
       at: m.toml:5:9
      why: it is a name that many packages install by accident
     help: choose a word of your own, such as your project's name: `acme`
    "#);
}

#[test]
fn import_roots_do_not_clash() {
    assert_snapshot!(refusals("PACKAGE", &["import-root = \"acme.mlir\"", "label = \"acme\"\nimport-root = \"mlir\"", "label = \"acme\"\nimport-root = \"json.mlir\"", "label = \"acme\"\nimport-root = \"acme..mlir\"", "label = \"acme\"\nimport-root = \"acme.import\""]), @r#"
    import-root = "acme.mlir"
    `acme.mlir` cannot be the import root
       at: m.toml:5:15
      why: a bundle without a label is upstream's `mlir`
     help: give the bundle a label, or leave `import-root` out

    label = "acme"
    import-root = "mlir"
    `mlir` cannot be the import root
       at: m.toml:6:15
      why: it clashes: `mlir` is the name of the bundle without a label
     help: put it under your own package: `acme.mlir`

    label = "acme"
    import-root = "json.mlir"
    `json.mlir` cannot be the import root
       at: m.toml:6:15
      why: it clashes: it is a module of Python's standard library
     help: put it under your own package: `acme.mlir`

    label = "acme"
    import-root = "acme..mlir"
    `acme..mlir` cannot be the import root
       at: m.toml:6:15
      why: its part `` is not a Python identifier
     help: write identifiers with dots between them: `acme.mlir`

    label = "acme"
    import-root = "acme.import"
    `acme.import` cannot be the import root
       at: m.toml:6:15
      why: its part `import` is not a Python identifier
     help: write identifiers with dots between them: `acme.mlir`
    "#);
}

#[test]
fn names_versions_and_licences_follow_their_standards() {
    assert_snapshot!(refusals("PACKAGE", &["version = \"22.x\"", "python = \"3.9\"", "python = \"3\"", "python = \"3.010\""]), @r#"
    version = "22.x"
    `22.x` is not a version (PEP 440)
       at: m.toml:5:11
      why: after parsing `22`, found `.x`, which is not part of a valid version
     help: write it as `22.1.8`, or `22.1.8.post1`, or leave it out for LLVM's

    python = "3.9"
    `3.9` cannot be the minimum Python
       at: m.toml:5:10
      why: the extension is built for the stable ABI of CPython 3.10
     help: write `"3.10"` or later, or leave `python` out

    python = "3"
    `3` cannot be the minimum Python
       at: m.toml:5:10
     help: write it as `"3.10"`

    python = "3.010"
    `3.010` cannot be the minimum Python
       at: m.toml:5:10
     help: write it as `"3.10"`
    "#);
    assert_snapshot!(refusals("LINK", &["glibc-floor = \"2\"", "glibc-floor = \"GLIBC_2.36\""]), @r#"
    glibc-floor = "2"
    `2` is not a glibc version
       at: m.toml:13:15
     help: write it as `"2.36"`

    glibc-floor = "GLIBC_2.36"
    `GLIBC_2.36` is not a glibc version
       at: m.toml:13:15
     help: write it as `"2.36"`
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
    `-acme mlir` is not a distribution name
       at: m.toml:3:16
      why: PEP 508 allows ASCII letters, digits, `.`, `-` and `_`, with a letter or digit at both ends
    "#);
    assert_snapshot!(swapped("\"MIT\"", "\"Apache-2 OR MIT\""), @r#"
    `Apache-2 OR MIT` is not an SPDX licence expression
       at: m.toml:4:11
      why: unknown term: `Apache-2`
     help: write identifiers of the SPDX licence list: `MIT`, `Apache-2.0 WITH LLVM-exception`
    "#);
    assert_snapshot!(swapped("\"MIT\"", "\"MIT OR\""), @r#"
    `MIT OR` is not an SPDX licence expression
       at: m.toml:4:11
      why: expected one of `<license>`, `(` here: ``
     help: write identifiers of the SPDX licence list: `MIT`, `Apache-2.0 WITH LLVM-exception`
    "#);
    assert_snapshot!(swapped("\"22\"", "\"22.1\""), @r#"
    `22.1` is not an LLVM version
       at: m.toml:6:11
     help: write a major version, `"22"`, or a full one, `"22.1.8"`
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
    this is more than one line of text
       at: m.toml:5:11
      why: it has a line break or another control character in it

    summary = " "
    this is empty
       at: m.toml:5:11
     help: leave it out

    keywords = ["a,b"]
    `a,b` is not one keyword
       at: m.toml:5:13
      why: metadata separates keywords by commas
     help: make it several

    classifiers = ["License :: OSI Approved :: MIT License"]
    `License :: OSI Approved :: MIT License` is a licence classifier
       at: m.toml:5:16
      why: PEP 639 does not allow them beside a licence expression
     help: remove it; `license` says it

    classifiers = ["Compilers"]
    `Compilers` is not a classifier
       at: m.toml:5:16
      why: they begin with Development Status, Environment, Framework, Intended Audience, Natural Language, Operating System, Private, Programming Language, Topic, Typing
     help: classifiers look like `Topic :: Software Development :: Compilers`

    classifiers = ["Foo :: Bar"]
    `Foo :: Bar` is not a classifier
       at: m.toml:5:16
      why: they begin with Development Status, Environment, Framework, Intended Audience, Natural Language, Operating System, Private, Programming Language, Topic, Typing
     help: classifiers look like `Topic :: Software Development :: Compilers`

    requires = [">=2"]
    `>=2` is not a requirement (PEP 508)
       at: m.toml:5:13
      why: it does not begin with the name of a distribution
     help: requirements look like `numpy>=2`

    requires = ["numpy 2"]
    `numpy 2` is not a requirement (PEP 508)
       at: m.toml:5:13
      why: `2` is not a list of version specifiers (PEP 440)
     help: requirements look like `numpy>=2`

    requires = ["numpy >>3"]
    `numpy >>3` is not a requirement (PEP 508)
       at: m.toml:5:13
      why: `>>3` is not a list of version specifiers (PEP 440)
     help: requirements look like `numpy>=2`

    authors = [{}]
    an author has a name, an address, or both
       at: m.toml:5:12

    authors = [{ email = "nobody" }]
    `nobody` is not a mail address
       at: m.toml:5:12

    authors = [{ name = "a\nb" }]
    an author's name is one line of text
       at: m.toml:5:12

    urls = { Source = "example.org" }
    `example.org` is not a web address
       at: m.toml:5:19
     help: write it in full: `https://…`

    urls = { "a label that is longer than thirty-two" = "https://example.org" }
    `a label that is longer than thirty-two` cannot be the label of an address
       at: m.toml:5:53
      why: it has 1 to 32 characters and no comma
    "#);
}

#[test]
fn files_must_exist() {
    assert_snapshot!(refusals("PACKAGE", &["readme = \"NO.md\"", "readme = \"Cargo.toml\"", "license-files = [\"src\"]", "python-sources = [\"Cargo.toml\"]", "license-files = [\"Cargo.toml\", \"../mondo-audit/Cargo.toml\"]"]), @r#"
    readme = "NO.md"
    there is no file `NO.md`
       at: m.toml:5:10
      why: `NO.md` was looked for
     help: paths are relative to the manifest's folder

    readme = "Cargo.toml"
    `Cargo.toml` cannot be the readme
       at: m.toml:5:10
      why: its content type is told by its ending: `.md`, `.rst` or `.txt`

    license-files = ["src"]
    there is no file `src`
       at: m.toml:5:18
      why: `src` was looked for
     help: paths are relative to the manifest's folder

    python-sources = ["Cargo.toml"]
    there is no folder `Cargo.toml`
       at: m.toml:5:19
      why: `Cargo.toml` was looked for
     help: paths are relative to the manifest's folder

    license-files = ["Cargo.toml", "../mondo-audit/Cargo.toml"]
    two licence files are named `Cargo.toml`
       at: m.toml:5:32
      why: they share one folder in the wheel
     help: rename one of them
    "#);
    let error = load("no/such.toml".into()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Manifest);
    assert_snapshot!(error, @r#"
    cannot read the manifest
       at: no/such.toml
      why: No such file or directory (os error 2)
     help: check the path; it is relative to the folder you are in
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
