//! The pages of docs/reference that are generated from the code: the keys of manifests and of dialect
//! crates, from their JSON schemas, and the command line, from clap.

use std::fmt::Write as _;

use camino::Utf8Path;
use clap::CommandFactory;
use mondo_build::{Result, dialect_crate, manifest};
use serde_json::Value;

/// Setting this variable makes the group `docs` write the generated pages instead of comparing them.
pub(super) const UPDATE: &str = "MONDO_UPDATE_DOCS";

/// Width of the help texts, in characters.
const WIDTH: usize = 100;

/// Complaints about generated pages that are out of date, or none after writing them.
pub(super) fn outdated(workspace: &Utf8Path) -> Result<Vec<String>> {
    let pages = [
        ("manifest.md", keys("Manifest keys", &manifest::schema())),
        (
            "dialect-toml.md",
            keys("Keys of dialect.toml", &dialect_crate::schema()),
        ),
        ("command-line.md", command_line()),
    ];
    let mut complaints = Vec::new();
    for (name, wanted) in pages {
        let path = workspace.join("docs/reference").join(name);
        if std::env::var_os(UPDATE).is_some() {
            fs_err::write(&path, wanted)?;
        } else if fs_err::read_to_string(&path).ok().as_ref() != Some(&wanted) {
            complaints.push(format!(
                "docs/reference/{name}: is out of date; set {UPDATE}=1 and run this group again"
            ));
        }
    }
    Ok(complaints)
}

/// The page of a schema: one table for each TOML table.
fn keys(title: &str, schema: &impl serde::Serialize) -> String {
    let schema = &serde_json::to_value(schema).unwrap_or_default();
    let mut page = format!(
        "# {title}\n\nGenerated from the code; `{UPDATE}=1 cargo xtask test docs` writes this page.\n\n{}\n",
        text(schema)
    );
    let mut tables = vec![("Top level".to_owned(), String::new(), schema)];
    while !tables.is_empty() {
        let mut below = Vec::new();
        for (heading, path, table) in tables {
            // Writing to a String cannot fail.
            let _ = writeln!(page, "\n## {heading}\n");
            if !path.is_empty() && !text(table).is_empty() {
                let _ = writeln!(page, "{}\n", text(table));
            }
            page.push_str("| key | type | default | meaning |\n|---|---|---|---|\n");
            for (key, value) in table["properties"].as_object().into_iter().flatten() {
                let at = format!("{path}{key}");
                if let Some(inner) = resolved(schema, value)
                    && inner["properties"].is_object()
                {
                    below.push((format!("`[{at}]`"), format!("{at}."), inner));
                    continue;
                }
                if let Some(inner) = resolved(schema, &value["items"]) {
                    below.push((format!("`[[{at}]]`"), format!("{at}."), inner));
                    continue;
                }
                let _ = writeln!(page, "{}", row(schema, table, key, value));
            }
        }
        tables = below;
    }
    page.replace(
        "| key | type | default | meaning |\n|---|---|---|---|\n\n",
        "",
    )
}

/// The definition that a property refers to, directly or as the one alternative to nothing.
fn resolved<'a>(schema: &'a Value, property: &'a Value) -> Option<&'a Value> {
    let reference = property["$ref"]
        .as_str()
        .or_else(|| property["anyOf"][0]["$ref"].as_str())?;
    schema.pointer(reference.strip_prefix('#')?)
}

fn row(schema: &Value, table: &Value, key: &str, value: &Value) -> String {
    let required = table["required"]
        .as_array()
        .is_some_and(|names| names.iter().any(|name| name == key));
    let default = match &value["default"] {
        _ if required => "required".to_owned(),
        Value::Null => String::new(),
        default => format!("`{default}`"),
    };
    let choices = resolved(schema, value);
    let kind = choices.map_or_else(|| kind(value), alternatives);
    let meaning = [text(value), choices.map(text).unwrap_or_default()];
    let meaning = meaning.iter().find(|text| !text.is_empty());
    format!(
        "| `{key}` | {kind} | {default} | {} |",
        meaning.map_or("", |text| text)
    )
}

/// The type of a value in TOML's words.
fn kind(value: &Value) -> String {
    let name = value["type"].as_str().or_else(|| value["type"][0].as_str());
    match name {
        Some("array") => format!("array of {}s", kind(&value["items"])),
        Some("object") => match kind(&value["additionalProperties"]).as_str() {
            // The value may have one of several types, which the description names.
            "" => "table".to_owned(),
            inner => format!("table of {inner}s"),
        },
        other => other.unwrap_or_default().to_owned(),
    }
}

/// The strings that an enumeration has, each with its meaning.
fn alternatives(definition: &Value) -> String {
    let all = definition["oneOf"].as_array().into_iter().flatten();
    let all: Vec<String> = all
        .map(|one| format!("`{}`: {}", one["const"], text(one)))
        .collect();
    all.join(" ")
}

/// A description in one line that a cell of a table can have.
fn text(value: &Value) -> String {
    let text = value["description"].as_str().unwrap_or_default();
    text.replace('\n', " ").replace('|', "\\|")
}

/// The help of each command of the product.
fn command_line() -> String {
    let mut page = format!(
        "# Command line\n\nGenerated from the code; `{UPDATE}=1 cargo xtask test docs` writes this \
         page. In a checkout, `cargo xtask` replaces `mondo`.\n"
    );
    let mut root = mondo::Args::command().term_width(WIDTH);
    root.build();
    for command in root
        .get_subcommands_mut()
        .filter(|command| is_shown(command))
    {
        let name = command.get_name().to_owned();
        section(&mut page, "##", &name, command);
        for below in command
            .get_subcommands_mut()
            .filter(|below| is_shown(below))
        {
            let path = format!("{name} {}", below.get_name());
            section(&mut page, "###", &path, below);
        }
    }
    page
}

fn is_shown(command: &clap::Command) -> bool {
    !command.is_hide_set() && command.get_name() != "help"
}

/// Adds the help of a command to the page.
fn section(page: &mut String, heading: &str, name: &str, command: &mut clap::Command) {
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    // Writing to a String cannot fail.
    let _ = write!(
        page,
        "\n{heading} {name}\n\n```text\n{}\n```\n",
        lines.join("\n").trim_end()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_becomes_one_table_for_each_toml_table() {
        let schema = serde_json::json!({
            "description": "A thing.",
            "required": ["version"],
            "properties": {
                "version": { "type": "integer", "description": "The\nformat." },
                "link": { "anyOf": [{ "$ref": "#/$defs/Link" }, { "type": "null" }] },
                "part": { "type": "array", "items": { "$ref": "#/$defs/Part" } },
            },
            "$defs": {
                "Part": { "description": "A part.", "properties": {
                    "names": { "type": "array", "items": { "type": "string" }, "default": [] },
                    "tool": { "$ref": "#/$defs/Tool", "default": "a" },
                } },
                "Link": { "properties": { "icf": { "type": "boolean", "default": true } } },
                "Tool": { "oneOf": [{ "const": "a", "description": "The first." }] },
            },
        });
        assert_eq!(
            keys("Keys", &schema),
            "# Keys\n\nGenerated from the code; `MONDO_UPDATE_DOCS=1 cargo xtask test docs` writes \
             this page.\n\nA thing.\n\n\
             ## Top level\n\n| key | type | default | meaning |\n|---|---|---|---|\n\
             | `version` | integer | required | The format. |\n\n\
             ## `[link]`\n\n| key | type | default | meaning |\n|---|---|---|---|\n\
             | `icf` | boolean | `true` |  |\n\n\
             ## `[[part]]`\n\nA part.\n\n| key | type | default | meaning |\n|---|---|---|---|\n\
             | `names` | array of strings | `[]` |  |\n\
             | `tool` | `\"a\"`: The first. | `\"a\"` |  |\n"
        );
    }

    #[test]
    fn commands_of_the_product_have_their_help_and_hidden_ones_none() {
        let page = command_line();
        assert!(page.contains("\n## cache\n") && page.contains("\n### kit build\n"));
        assert!(!page.contains("\n## pep517\n") && !page.contains("\n## help\n"));
    }
}
