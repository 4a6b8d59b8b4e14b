//! The records of ODS files, as `mlir-tblgen --print-records` prints them.

use std::collections::BTreeMap;

/// A record (`def`) of `TableGen`.
#[derive(Debug, Default)]
pub(super) struct Record<'a> {
    /// The classes that it is of.
    pub(super) classes: Vec<&'a str>,
    /// Its fields, as they are printed.
    fields: BTreeMap<&'a str, &'a str>,
}

impl<'a> Record<'a> {
    pub(super) fn is(&self, class: &str) -> bool {
        self.classes.contains(&class)
    }

    /// A field as it is printed: a name, a number, a list. None where it is unset.
    pub(super) fn field(&self, name: &str) -> Option<&'a str> {
        self.fields.get(name).copied().filter(|value| *value != "?")
    }

    pub(super) fn bit(&self, name: &str) -> bool {
        self.field(name) == Some("1")
    }

    /// The text of a field that is a string or code.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        string(self.field(name)?)
    }
}

/// The text of a string or of code.
fn string(printed: &str) -> Option<String> {
    if let Some(code) = printed.strip_prefix("[{") {
        return Some(code.strip_suffix("}]")?.to_owned());
    }
    let inside = printed.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut characters = inside.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => match characters.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                other => text.push(other),
            },
            c => text.push(c),
        }
    }
    Some(text)
}

/// The records, by name.
pub(super) fn records(printed: &str) -> BTreeMap<&str, Record<'_>> {
    let mut found = BTreeMap::new();
    let Some(start) = printed.find("------------- Defs -----------------") else {
        return found;
    };
    let mut rest = &printed[start..];
    while let Some(at) = rest.find("\ndef ") {
        rest = &rest[at + "\ndef ".len()..];
        let head = rest.split('\n').next().unwrap_or_default();
        let Some((name, classes)) = head.split_once(" {") else {
            continue;
        };
        let classes = classes.trim().trim_start_matches("//");
        let mut record = Record {
            classes: classes.split_whitespace().collect(),
            fields: BTreeMap::new(),
        };
        rest = rest.get(head.len()..).unwrap_or_default();
        while let Some(line) = rest.strip_prefix("\n  ") {
            let end = field_end(line);
            if let Some((left, value)) = line[..end].split_once(" = ") {
                let name = left.rsplit(' ').next().unwrap_or(left);
                record.fields.insert(name, value.trim());
            }
            rest = line.get(end + 1..).unwrap_or_default();
        }
        found.insert(name, record);
    }
    found
}

/// The place of the semicolon that ends a field: outside of strings and code.
fn field_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b';' => return at,
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'[' if bytes.get(at + 1) == Some(&b'{') => {
                at = text[at..]
                    .find("}]")
                    .map_or(bytes.len(), |inside| at + inside + 1);
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The arguments of a `dag`, each with its name: `(ins "int":$width, Some_Record:$other)`.
pub(super) fn arguments(dag: &str) -> Vec<(&str, &str)> {
    let Some(inside) = dag
        .strip_prefix("(ins")
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut depth = 0_i32;
    let mut quoted = false;
    let mut start = 0;
    for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
        match c {
            '"' => quoted = !quoted,
            '(' | '<' | '[' if !quoted => depth += 1,
            ')' | '>' | ']' if !quoted => depth -= 1,
            ',' if !quoted && depth <= 0 => {
                if let Some((value, name)) = inside[start..at].trim().rsplit_once(":$") {
                    found.push((value, name));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "------------- Classes -----------------\nclass A {\n}\n\
        ------------- Defs -----------------\n\
        def Toy_Pair {\t// AttrOrTypeDef TypeDef Toy_Type\n  string cppClassName = \"PairType\";\n  \
        dag parameters = (ins \"int\":$width, Toy_Array:$many, \"std::pair<int, int>\":$odd);\n  \
        code extra = [{\n    struct S { int a; };\n}];\n  string summary = \"a \\\"pair\\\"; two\";\n  \
        string mnemonic = ?;\n  bit genAccessors = 1;\n}\n\
        def Empty {\t// A\n}\n";

    #[test]
    fn records_are_read() {
        let found = records(PRINTED);
        assert_eq!(
            found.keys().copied().collect::<Vec<_>>(),
            ["Empty", "Toy_Pair"]
        );
        let pair = &found["Toy_Pair"];
        assert!(pair.is("TypeDef") && !pair.is("AttrDef"));
        assert_eq!(pair.text("cppClassName").as_deref(), Some("PairType"));
        assert_eq!(pair.text("summary").as_deref(), Some("a \"pair\"; two"));
        assert_eq!(pair.text("mnemonic"), None);
        assert!(pair.bit("genAccessors"));
        assert!(pair.text("extra").unwrap().contains("int a;"));
        assert_eq!(
            arguments(pair.field("parameters").unwrap()),
            [
                ("\"int\"", "width"),
                ("Toy_Array", "many"),
                ("\"std::pair<int, int>\"", "odd")
            ]
        );
        assert_eq!(arguments("(ins)"), []);
    }
}
