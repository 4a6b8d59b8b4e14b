use insta::assert_snapshot;

use super::{refusal, with};

#[test]
fn python_is_selected_and_has_a_root() {
    let toy = with(
        "sources = \"python\"",
        "sources = \"python\"\nfiles = [\"**/*.py\"]\nroot = \".extras.toy\"",
    );
    let python = &toy.python[0];
    assert_eq!(
        python.files.as_deref(),
        Some(&["dialects/toy.py".into()][..])
    );
    assert_eq!(python.place("acme.mlir"), "acme/mlir/extras/toy");
    assert_snapshot!(refusal("sources = \"python\"", "sources = \"python\"\nroot = \"a-b\""), @r#"
    the dialect crate `toy`: invalid `python.root`: "a-b"
       at: $DIR/dialect.toml:26:8
      why: it must be the name of a Python package, or `.` and a name relative to the import root
    "#);
}

#[test]
fn each_table_has_a_root_of_its_own() {
    let two = "[[python]]\nsources = \"python\"\nroot = \"tools\"\n[[python]]\nsources = \"python/dialects\"\n\
               root = \".extras\"";
    let toy = with("[python]\nsources = \"python\"", two);
    let places: Vec<String> = toy
        .python
        .iter()
        .map(|source| source.place("acme.mlir"))
        .collect();
    assert_eq!(places, ["tools", "acme/mlir/extras"]);
    assert_eq!(toy.python[1].folder, toy.folder.join("python/dialects"));
    let wrong = two.replace(".extras\"", ".extras\"\nfile = []");
    assert_snapshot!(refusal("[python]\nsources = \"python\"", &wrong), @"
    unknown key `file` in [python]
       at: $DIR/dialect.toml:30:1
     help: did you mean `files`?
    ");
}
