//! The Python classes of dialects defined in Rust: from the descriptions that mondo-dialect puts
//! into the object files, as classes of the shape that mlir-tblgen gives those defined in ODS.
//!
//! The format of the descriptions is documented in `crates/mondo-dialect/src/description.rs`.

mod python;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use mondo_core::error::{Error, ErrorKind, Result};
use serde::Deserialize;

pub use python::module;

/// The section of an object file that descriptions are in.
pub const SECTION: &str = ".mondo.dialect";

/// The version of the format that is read here.
const VERSION: u32 = 1;

/// A dialect.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    #[serde(rename = "mondo-dialect")]
    version: u32,
    /// MLIR's name of the dialect.
    pub name: String,
    summary: String,
    types: Vec<Named>,
    attributes: Vec<Named>,
    operations: Vec<Operation>,
    enums: Vec<Enum>,
}

/// An enumeration, which becomes a class.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Enum {
    name: String,
    summary: String,
    cases: Vec<Case>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    value: i32,
}

/// A type or an attribute: Python makes them from their text, so there is no class for each.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
    summary: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Operation {
    name: String,
    summary: String,
    operands: Vec<Slot>,
    results: Vec<Slot>,
    attributes: Vec<Attribute>,
    regions: Vec<Group>,
    successors: Vec<Group>,
    infers: bool,
}

/// How many values, regions or successors there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Count {
    One,
    Optional,
    Variadic,
}

/// A region or a successor, or a group of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    name: String,
    count: Count,
}

/// An operand or a result, or a group of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Slot {
    name: String,
    summary: String,
    count: Count,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Attribute {
    name: String,
    summary: String,
    builder: String,
    #[serde(rename = "enum")]
    cases: String,
    optional: bool,
    default: bool,
}

/// Reads the descriptions, one dialect per line, from the concatenated sections of this name in a library.
///
/// # Errors
/// `ErrorKind::Compile` where the bytes are not descriptions of this format.
pub fn parse(section: &[u8]) -> Result<Vec<Description>> {
    let refused = |why: String| {
        Error::new(
            ErrorKind::Compile,
            "cannot read the description of a Rust dialect",
        )
        .at(format!("section {SECTION} of the bundle's staticlib"))
        .because(why)
        .help(
            "build the dialect's crate with the same version of mondo as the bundle; \
             crates/mondo-dialect/src/description.rs defines the format",
        )
    };
    let text = std::str::from_utf8(section).map_err(|error| refused(error.to_string()))?;
    let mut descriptions = Vec::new();
    for line in text.lines() {
        let description: Description =
            serde_json::from_str(line).map_err(|error| refused(error.to_string()))?;
        if description.version != VERSION {
            return Err(refused(format!(
                "it has format {}; this mondo supports format {VERSION}",
                description.version
            )));
        }
        check(&description)?;
        descriptions.push(description);
    }
    Ok(descriptions)
}

/// Refuses names that are not valid in Python or MLIR, and names that occur twice.
fn check(dialect: &Description) -> Result<()> {
    let name = &dialect.name;
    let refused = |what: String, why: &str| {
        Err(Error::new(ErrorKind::Compile, what)
            .at(format!("dialect {name}"))
            .because(why)
            .help("correct the definitions of the dialect in its Rust crate"))
    };
    let word = "a name has letters, digits and underscores, and does not begin with a digit";
    if !is_word(name) {
        return refused(format!("invalid dialect name: `{name}`"), word);
    }
    let mut operations = BTreeSet::new();
    for operation in &dialect.operations {
        let full = format!("{name}.{}", operation.name);
        if !operation.name.split('.').all(is_word) {
            return refused(format!("invalid operation name: `{full}`"), word);
        }
        if !operations.insert(&operation.name) {
            return refused(
                format!("the operation `{full}` is defined twice"),
                "an operation can be defined only once",
            );
        }
        let parts = operation.operands.iter().map(|operand| &operand.name);
        let parts = parts.chain(operation.attributes.iter().map(|attribute| &attribute.name));
        let parts = parts.chain(operation.results.iter().map(|result| &result.name));
        let parts = parts.chain(operation.regions.iter().map(|region| &region.name));
        let parts = parts.chain(operation.successors.iter().map(|block| &block.name));
        let mut seen = BTreeSet::new();
        for part in parts {
            if !is_word(part) {
                return refused(
                    format!("`{part}` is not allowed as a name in `{full}`"),
                    word,
                );
            }
            if !seen.insert(part) {
                return refused(
                    format!("`{full}` has two parts named `{part}`"),
                    "each operand, attribute, result, region and successor becomes a property of one Python class",
                );
            }
        }
    }
    check_enums(dialect)?;
    let names = |list: &[Named]| {
        list.iter()
            .map(|named| named.name.clone())
            .collect::<Vec<_>>()
    };
    for (what, list) in [
        ("type", names(&dialect.types)),
        ("attribute", names(&dialect.attributes)),
    ] {
        let unique: BTreeSet<&String> = list.iter().collect();
        if unique.len() != list.len() {
            return refused(
                format!("two definitions of one {what} in `{name}`"),
                "a name can be defined only once",
            );
        }
    }
    Ok(())
}

/// Refuses enumerations and cases whose names are not valid in Python, or occur twice.
fn check_enums(dialect: &Description) -> Result<()> {
    let refused = |what: String| {
        Err(Error::new(ErrorKind::Compile, what)
            .at(format!("dialect {}", dialect.name))
            .help("correct the enumerations of the dialect in its Rust crate"))
    };
    let mut names = BTreeSet::new();
    for one in &dialect.enums {
        if !is_word(&one.name) || !names.insert(&one.name) {
            return refused(format!("`{}` is not the name of one enumeration", one.name));
        }
        let (mut cases, mut values) = (BTreeSet::new(), BTreeSet::new());
        for case in &one.cases {
            if !is_word(&case.name) || !cases.insert(&case.name) || !values.insert(case.value) {
                let (name, case) = (&one.name, &case.name);
                return refused(format!(
                    "`{case}` is not one case of the enumeration `{name}`"
                ));
            }
        }
    }
    Ok(())
}

fn is_word(text: &str) -> bool {
    let mut chars = text.chars();
    chars
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
