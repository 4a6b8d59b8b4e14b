//! The test that the committed reference page of the rules agrees with the rules.

use camino::Utf8Path;

/// Set to `1`, this variable makes the test write the page in place of comparing it.
const UPDATE: &str = "MONDO_UPDATE_REFERENCE";

#[test]
fn the_committed_reference_is_that_of_the_rules() {
    let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = root.join("docs/reference/audit-rules.md");
    let page = mondo_audit::reference::page();
    if std::env::var(UPDATE).is_ok_and(|value| value == "1") {
        fs_err::create_dir_all(file.parent().expect("a folder")).expect("the folder");
        fs_err::write(&file, &page).expect("writable");
        return;
    }
    let committed = fs_err::read_to_string(&file).unwrap_or_default();
    let place = committed
        .lines()
        .zip(page.lines())
        .position(|(a, b)| a != b);
    assert!(
        committed == page,
        "docs/reference/audit-rules.md differs from the rules, first in line {}; \
         {UPDATE}=1 cargo test -p mondo-audit reference",
        place.map_or(
            committed.lines().count().min(page.lines().count()),
            |line| line
        ) + 1
    );
}
