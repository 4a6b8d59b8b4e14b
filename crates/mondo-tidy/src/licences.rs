//! Licences of every crate in the lock, against the list in deny.toml. `cargo deny` reads the same
//! file; this check needs no installation.

use std::collections::BTreeSet;

use camino::Utf8Path;
use mondo_build::{Error, ErrorKind, Result, compile};
use serde_json::Value;

/// Crates whose licence expression the list does not satisfy.
pub(crate) fn check(workspace: &Utf8Path) -> Result<Vec<String>> {
    let allowed = allowed(&fs_err::read_to_string(workspace.join("deny.toml"))?)?;
    let output = compile::cargo("list the licences of every crate")
        .args(["metadata", "--format-version", "1", "--locked"])
        .cwd(workspace)
        .output()?;
    let metadata: Value = serde_json::from_str(&output.stdout).map_err(|error| {
        Error::new(ErrorKind::Check, "cargo metadata is not JSON").caused_by(error)
    })?;
    let packages = metadata["packages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    Ok(packages
        .iter()
        .filter_map(|package| {
            let name = package["name"].as_str()?;
            let Some(license) = package["license"].as_str() else {
                return Some(format!("[licenses] {name} states no licence"));
            };
            (!satisfied(license, &allowed)).then(|| {
                format!("[licenses] {name} is under {license}, which deny.toml does not list")
            })
        })
        .collect())
}

fn allowed(deny: &str) -> Result<BTreeSet<String>> {
    let wrong = |why: String| {
        Error::new(ErrorKind::Check, "deny.toml cannot be used")
            .at("deny.toml")
            .because(why)
    };
    let table: toml::Table = deny
        .parse()
        .map_err(|error: toml::de::Error| wrong(error.to_string()))?;
    let list = table
        .get("licenses")
        .and_then(|licenses| licenses.get("allow")?.as_array());
    let list = list.ok_or_else(|| wrong("it has no list `licenses.allow`".into()))?;
    Ok(list
        .iter()
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect())
}

/// True if the expression holds when exactly the allowed licences are accepted. Older crates write
/// `MIT/Apache-2.0`, which SPDX spells with OR.
fn satisfied(license: &str, allowed: &BTreeSet<String>) -> bool {
    let Ok(expression) = spdx::Expression::parse_mode(license, spdx::ParseMode::LAX) else {
        return false;
    };
    expression.evaluate(|requirement| allowed.contains(&requirement.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_needs_one_allowed_side() {
        let allowed = BTreeSet::from(["MIT".to_owned()]);
        assert!(satisfied("MIT OR GPL-3.0-only", &allowed));
        assert!(satisfied("MIT/Apache-2.0", &allowed));
        assert!(!satisfied("GPL-3.0-only", &allowed));
        assert!(!satisfied("not a licence", &allowed));
    }
}
