//! Tests of the words of `[[project]]`.

use super::*;

/// A manifest in a folder with a project `toy`, which has these further keys.
fn project(keys: &str) -> Result<Manifest> {
    let dir = tempfile::tempdir().unwrap();
    let root = camino::Utf8Path::from_path(dir.path()).unwrap();
    fs_err::create_dir(root.join("toy")).unwrap();
    fs_err::write(root.join("toy/CMakeLists.txt"), "project(toy)\n").unwrap();
    let base = ["$PACKAGE", "$LLVM", "$CONTENTS", "$LINK"]
        .iter()
        .fold(BASE.to_owned(), |text, word| text.replace(word, ""));
    let text = format!("{base}[[project]]\nname = \"toy\"\ncmake = \"toy\"\n{keys}\n");
    parse(&text, &root.join("m.toml"))
}

#[test]
fn authors_and_licences_of_projects_are_checked() {
    for (keys, words) in [
        (
            "authors = [{ email = \"nobody\" }]",
            "`project.authors`: `nobody` is not an email address",
        ),
        (
            "authors = [{}]",
            "`project.authors`: an author has a name, an address, or both",
        ),
        (
            "license = \"Apache 2\"",
            "invalid `project.license`: \"Apache 2\"",
        ),
    ] {
        let error = project(keys).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Manifest);
        assert!(error.to_string().contains(words), "{error}");
    }
    let good =
        project("license = \"MIT\"\nauthors = [{ name = \"A\", email = \"a@b.c\" }]").unwrap();
    assert_eq!(good.projects[0].authors[0].name.as_deref(), Some("A"));
    assert_eq!(good.projects[0].license.as_deref(), Some("MIT"));
}

#[test]
fn classes_are_named_by_dialect() {
    let with_classes =
        project("classes = { toy = { header = \"toy/Toy.h\", only = [\"TagAttr\"] } }").unwrap();
    let classes = &with_classes.projects[0].classes;
    assert_eq!(classes[0].dialect.get_ref(), "toy");
    assert_eq!(classes[0].header.get_ref(), "toy/Toy.h");
    assert_eq!(classes[0].only[0].get_ref(), "TagAttr");
    let error = project("classes = { toy = {} }").unwrap_err().to_string();
    assert!(error.contains("header"), "{error}");
}

#[test]
fn options_of_cmake_are_single_words_and_the_projects_own() {
    let with_define =
        project("define = { A = \"a;b\", B = true, C = 3, CMAKE_CXX_FLAGS = \"-O1\" }").unwrap();
    let values: Vec<&str> = with_define.projects[0]
        .define
        .values()
        .map(|value| value.get_ref().as_str())
        .collect();
    assert_eq!(values, ["a;b", "ON", "3", "-O1"]);
    for (keys, words) in [
        (
            "define = { X = [\"a\", \"b\"] }",
            ["`X` in `project.define` must not be a list", "\"a;b\""],
        ),
        (
            "define = { X = 1.5 }",
            [
                "`X` in `project.define` must not be float",
                "write it as a string",
            ],
        ),
        (
            "define = { BUILD_SHARED_LIBS = true }",
            [
                "`BUILD_SHARED_LIBS` is not allowed in `project.define`",
                "linked statically",
            ],
        ),
        (
            "define = { CMAKE_GENERATOR = \"Unix Makefiles\" }",
            ["`CMAKE_GENERATOR` is not allowed", "from Ninja"],
        ),
        (
            "define = { \"CMAKE_BUILD_TYPE:STRING\" = \"Debug\" }",
            ["`CMAKE_BUILD_TYPE` is not allowed", "assertions"],
        ),
        (
            "define = { CMAKE_BUILD_TYPE = \"Debug\" }",
            [
                "`mondo develop --debug`",
                "`CMAKE_CXX_FLAGS_RELEASE = \"-O0\"`",
            ],
        ),
    ] {
        let error = project(keys).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Manifest);
        let error = error.to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
        assert!(error.contains("m.toml:"), "{error}");
    }
}

#[test]
fn tests_of_a_project_are_in_its_folder() {
    for key in ["tests", "programs"] {
        let error = project(&format!("{key} = [\"CMakeLists.txt\", \"toy/test\"]")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Manifest);
        let error = error.to_string();
        for words in [
            format!("`project.{key}` names a file or folder that does not exist: `toy/test`"),
            "/toy/toy/test` does not exist".to_owned(),
            "paths are relative to the project's folder".to_owned(),
            "m.toml:".to_owned(),
        ] {
            assert!(error.contains(&words), "no {words:?} in {error}");
        }
    }
}

#[test]
fn a_folder_that_cmake_would_split() {
    let dir = tempfile::tempdir().unwrap();
    let root = camino::Utf8Path::from_path(dir.path()).unwrap();
    fs_err::create_dir(root.join("my toy")).unwrap();
    fs_err::write(root.join("my toy/CMakeLists.txt"), "project(toy)\n").unwrap();
    let base = ["$PACKAGE", "$LLVM", "$CONTENTS", "$LINK"]
        .iter()
        .fold(BASE.to_owned(), |text, word| text.replace(word, ""));
    let text = format!("{base}[[project]]\nname = \"toy\"\ncmake = \"my toy\"\n");
    let error = parse(&text, &root.join("m.toml")).unwrap_err().to_string();
    assert!(error.contains("whose path contains ' '"), "{error}");
    assert!(error.contains("my toy"), "{error}");
}

/// Projects that need each other: each with the words of its `needs`.
fn needing(projects: &[(&str, &str)]) -> mondo_core::error::Error {
    let dir = tempfile::tempdir().unwrap();
    let root = camino::Utf8Path::from_path(dir.path()).unwrap();
    let mut text = ["$PACKAGE", "$LLVM", "$CONTENTS", "$LINK"]
        .iter()
        .fold(BASE.to_owned(), |text, word| text.replace(word, ""));
    for (name, needs) in projects {
        fs_err::create_dir(root.join(name)).unwrap();
        fs_err::write(root.join(name).join("CMakeLists.txt"), "").unwrap();
        text.push_str(&format!(
            "[[project]]\nname = \"{name}\"\ncmake = \"{name}\"\nneeds = [{needs}]\n"
        ));
    }
    parse(&text, &root.join("m.toml")).unwrap_err()
}

#[test]
fn a_circle_of_projects_has_those_alone_that_are_in_it() {
    let message = needing(&[
        ("a", "\"b\""),
        ("b", "\"c\""),
        ("c", "\"b\""),
        ("d", "\"a\""),
    ])
    .to_string();
    assert!(message.contains("in a cycle: c, b\n"), "{message}");
    assert!(
        message.contains("remove one of these names from `needs`"),
        "{message}"
    );
    assert_eq!(message.matches("m.toml:").count(), 3, "{message}");
    let message = needing(&[("a", ""), ("b", "\"a\", \"b\"")]).to_string();
    assert!(
        message.contains("the project `b` needs itself"),
        "{message}"
    );
}
