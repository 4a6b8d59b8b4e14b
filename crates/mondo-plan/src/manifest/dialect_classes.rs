//! The key `dialect-classes` of a project: classes of dialects that are written by hand.

use std::collections::BTreeMap;

use mondo_core::error::{ErrorKind, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::Document;
use crate::names::{is_identifier, is_plain_word};
use crate::spanned::Spanned;

/// The C++ class of a dialect.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DialectClass {
    /// Its qualified name: `toy::ToyDialect`.
    pub class: String,
    /// The C++ header that declares it, as it is included.
    pub header: String,
}

/// Checks the classes of dialects, which stand in generated C++.
pub(super) fn check(
    classes: BTreeMap<String, Spanned<DialectClass>>,
    source: &Document,
) -> Result<BTreeMap<String, Spanned<DialectClass>>> {
    for (dialect, word) in &classes {
        let DialectClass { class, header } = word.get_ref();
        let bad = if !class.split("::").all(is_identifier) {
            format!(
                "invalid class of the dialect `{dialect}` in `project.dialect-classes`: `{class}`"
            )
        } else if !is_plain_word(header) {
            format!(
                "invalid header of the dialect `{dialect}` in `project.dialect-classes`: `{header}`"
            )
        } else {
            continue;
        };
        return Err(source.error(ErrorKind::Manifest, word.span(), bad).help(
            "write it like `toy = { class = \"toy::ToyDialect\", header = \"toy/Toy.h\" }`",
        ));
    }
    Ok(classes)
}
