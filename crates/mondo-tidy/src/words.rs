//! The language of messages.

use crate::rule::Rule;
use crate::sources::SourceFile;

pub(crate) const RULES: &[Rule] = &[Rule {
    name: "product-name",
    check: product_name,
}];

/// Messages name the command that their readers have, which is `mondo`: only xtask's own commands, and
/// the scripts of this repository, are run by `cargo xtask`.
fn product_name(files: &[SourceFile]) -> Vec<String> {
    const SHIPPED: &[&str] = &["crates/", "bundle/"];
    // Programs of this repository, not of its users.
    const OURS: &[&str] = &[
        "crates/mondo-acceptance/",
        "crates/mondo-testbed/",
        "crates/mondo-tidy/",
    ];
    files
        .iter()
        .filter(|file| SHIPPED.iter().any(|folder| file.path.starts_with(folder)))
        .filter(|file| !OURS.iter().any(|folder| file.path.starts_with(folder)))
        .filter(|file| file.is_shipped_rust() || file.path.ends_with(".py"))
        .flat_map(|file| {
            file.complaints(file.before_tests(), |line| {
                let code = line.split("//").next().unwrap_or_default();
                code.contains("cargo xtask")
                    .then(|| "names `cargo xtask` to people who have none".to_owned())
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file;

    #[test]
    fn a_message_names_mondo() {
        let text = "// cargo xtask\nf(\"run cargo xtask doctor\")";
        assert_eq!(product_name(&[file("crates/a/src/b.rs", text)]).len(), 1);
        assert!(product_name(&[file("xtask/src/b.rs", text)]).is_empty());
    }
}
