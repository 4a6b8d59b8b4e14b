//! The public items of mondo-ir and mondo-dialect are those of `public-api.txt` beside their manifests, so that they change only
//! on purpose: with `MONDO_UPDATE_DOCS=1` the test writes the lists. `MONDO_RUSTDOC_JSON` has what rustdoc wrote of each.

use std::path::Path;

use public_api::Builder;

#[test]
fn the_public_items_are_those_of_the_lists() {
    let json = std::env::var("MONDO_RUSTDOC_JSON").expect("MONDO_RUSTDOC_JSON is a folder");
    let update = std::env::var_os("MONDO_UPDATE_DOCS").is_some();
    let mut changes = Vec::new();
    for name in ["mondo-ir", "mondo-dialect"] {
        let module = name.replace('-', "_");
        let items = Builder::from_rustdoc_json(Path::new(&json).join(format!("{module}.json")))
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .unwrap()
            .to_string();
        let expected: String = items
            .lines()
            .map(|item| short(item, &module) + "\n")
            .collect();
        let path = format!("{}/../{name}/public-api.txt", env!("CARGO_MANIFEST_DIR"));
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        if update {
            std::fs::write(&path, &expected).unwrap();
        } else {
            let lacks = |all: &str, item: &str| !all.lines().any(|other| other == item);
            let new = expected.lines().filter(|item| lacks(&found, item));
            changes.extend(new.map(|item| format!("+{item}")));
            let gone = found.lines().filter(|item| lacks(&expected, item));
            changes.extend(gone.map(|item| format!("-{item}")));
        }
    }
    assert_eq!(
        changes, [""; 0],
        "if the public API shall change so, write the lists with MONDO_UPDATE_DOCS=1"
    );
}

/// An item without the paths of the standard library and of its own crate.
fn short(item: &str, module: &str) -> String {
    let mut text = item.replace(&format!("{module}::"), "");
    for start in ["core::", "alloc::", "std::"] {
        while let Some(at) = text.find(start) {
            let rest = &text[at..];
            let is_path =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:".contains(c);
            let end = rest.find(|c| !is_path(c)).unwrap_or(rest.len());
            let end = rest[..end].rfind("::").map_or(end, |colons| colons + 2);
            text.replace_range(at..at + end, "");
        }
    }
    text
}
