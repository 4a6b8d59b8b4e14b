//! Round trips of a page: the data written into it is the data read from it.

use mondo_core::error::ErrorKind;
use proptest::prelude::*;

use super::super::contents::{Kind, Sizes, Tree};
use super::super::html::{html, write};

/// The data of a page, as a browser cuts it out: up to the first end of the element.
fn data(page: &str) -> &str {
    let (_, rest) = page.split_once("id=\"sizes\">").unwrap();
    rest.split_once("</script").unwrap().0
}

fn named(name: &str) -> Sizes {
    let mut tree = Tree::new("x.whl", Kind::Wheel, vec![Tree::leaf(name, Kind::File, 3)]);
    tree.packed = Some(2);
    Sizes {
        tree,
        notes: vec![name.to_owned()],
    }
}

fn check(name: &str) {
    let page = html(&named(name)).unwrap();
    let data = data(&page);
    let value: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(value["tree"]["parts"][0]["name"], name);
    assert_eq!(value["notes"][0], name);
    assert_eq!(value["tree"]["bytes"], 3);
    // Nothing in it can begin or end an element or a comment.
    assert!(!data.contains('<'), "{data}");
}

#[test]
fn names_cannot_leave_the_data() {
    for name in [
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "\"quoted\" and 'quoted' \\ & &amp;",
        "/*SIZES*/",
        "line\nbreak \u{2028} ünï",
        "operator<< (std::ostream&, a<b>)",
    ] {
        check(name);
    }
}

proptest! {
    #[test]
    fn any_name_comes_out_as_it_went_in(name in "[<>/!a-c\"'\\\\&\\-]{1,20}|\\PC{1,12}") {
        check(&name);
    }
}

#[test]
fn the_page_asks_nothing_of_the_network() {
    let page = html(&named("x")).unwrap();
    assert!(page.contains("default-src 'none'"));
    for part in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(part), "{part}");
    }
}

#[test]
fn a_page_is_written_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let dir = camino::Utf8Path::from_path(dir.path()).unwrap();
    for file in [dir.join("no/such/folder/x.html"), dir.to_owned()] {
        let error = write(&named("x"), &file).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        assert_eq!(error.place(), Some(file.as_str()));
        assert!(error.next_step().unwrap().contains("existing folder"));
    }
    assert_eq!(dir.read_dir_utf8().unwrap().count(), 0);
    write(&named("x"), &dir.join("x.html")).unwrap();
    write(&named("y"), &dir.join("x.html")).unwrap();
    assert_eq!(dir.read_dir_utf8().unwrap().count(), 1);
}
