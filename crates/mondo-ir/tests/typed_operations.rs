//! The tables in `src/ops` are what ODS says: with `MONDO_UPDATE_DOCS=1` the test writes them. `llvm-tblgen`, from the prefix in
//! `MONDO_LLVM_DIR`, prints the records as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

/// The dialects, each with its file of operations.
const DIALECTS: &[(&str, &str)] = &[
    ("arith", "mlir/Dialect/Arith/IR/ArithOps.td"),
    ("cf", "mlir/Dialect/ControlFlow/IR/ControlFlowOps.td"),
    ("func", "mlir/Dialect/Func/IR/FuncOps.td"),
    ("index", "mlir/Dialect/Index/IR/IndexOps.td"),
    ("math", "mlir/Dialect/Math/IR/MathOps.td"),
    ("memref", "mlir/Dialect/MemRef/IR/MemRefOps.td"),
    ("scf", "mlir/Dialect/SCF/IR/SCFOps.td"),
    ("tensor", "mlir/Dialect/Tensor/IR/TensorOps.td"),
    ("vector", "mlir/Dialect/Vector/IR/VectorOps.td"),
];

/// The attributes of which mondo-ir has a handle.
const HANDLES: &[(&str, &str)] = &[
    ("::mlir::ArrayAttr", "ArrayAttr"),
    ("::mlir::BoolAttr", "BoolAttr"),
    ("::mlir::DenseI32ArrayAttr", "I32ArrayAttr"),
    ("::mlir::DenseI64ArrayAttr", "I64ArrayAttr"),
    ("::mlir::DenseIntElementsAttr", "DenseIntElementsAttr"),
    ("::mlir::DictionaryAttr", "DictionaryAttr"),
    ("::mlir::FlatSymbolRefAttr", "FlatSymbolRefAttr"),
    ("::mlir::IntegerAttr", "IntegerAttr"),
    ("::mlir::StringAttr", "StringAttr"),
    ("::mlir::SymbolRefAttr", "SymbolRefAttr"),
    ("::mlir::TypeAttr", "TypeAttr"),
    ("::mlir::UnitAttr", "UnitAttr"),
];

/// Names that are words of Rust, or methods of each builder or view.
const TAKEN: &[&str] = &[
    "after",
    "as",
    "at",
    "at_end",
    "attribute",
    "before",
    "break",
    "const",
    "continue",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "finish",
    "fn",
    "for",
    "if",
    "impl",
    "in",
    "ir",
    "let",
    "loop",
    "match",
    "mod",
    "move",
    "mut",
    "op",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "type",
    "unsafe",
    "use",
    "where",
    "while",
    "yield",
];

#[test]
fn the_tables_are_those_of_ods() {
    let prefix = std::env::var("MONDO_LLVM_DIR").expect("MONDO_LLVM_DIR is the prefix of an LLVM");
    let update = std::env::var_os("MONDO_UPDATE_DOCS").is_some();
    let mut stale = Vec::new();
    for (dialect, file) in DIALECTS {
        let path = format!("{}/src/ops/{dialect}.rs", env!("CARGO_MANIFEST_DIR"));
        let expected = Records::read(Path::new(&prefix), file).table(dialect, file);
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        if update {
            std::fs::write(&path, expected).unwrap();
        } else if found != expected {
            stale.push(path);
        }
    }
    assert_eq!(stale, [""; 0], "write them with MONDO_UPDATE_DOCS=1");
}

/// The records of an ODS file.
struct Records(Value);

impl Records {
    fn read(prefix: &Path, file: &str) -> Self {
        let include = prefix.join("include");
        #[expect(
            clippy::disallowed_types,
            reason = "mondo-core, which starts programs, is above this crate"
        )]
        let output = std::process::Command::new(prefix.join("bin/llvm-tblgen"))
            .args(["--dump-json", "-I"])
            .arg(&include)
            .arg(include.join(file))
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{file}: {error}");
        Self(serde_json::from_slice(&output.stdout).unwrap())
    }

    /// The record that a field names.
    fn of<'a>(&'a self, reference: &Value) -> Record<'a> {
        let name = reference["def"].as_str().unwrap_or_default();
        Record {
            all: self,
            name: name.to_owned(),
            value: &self.0[name],
        }
    }

    fn operations(&self, dialect: &str) -> Vec<Record<'_>> {
        let names = self.0["!instanceof"]["Op"].as_array().unwrap();
        let records = names.iter().map(|name| Record {
            all: self,
            name: name.as_str().unwrap().to_owned(),
            value: &self.0[name.as_str().unwrap()],
        });
        let is_of_dialect =
            |record: &Record<'_>| self.of(&record.value["opDialect"]).value["name"] == dialect;
        let mut operations: Vec<Record<'_>> = records.filter(is_of_dialect).collect();
        operations.sort_by(|one, other| one.text("opName").cmp(other.text("opName")));
        operations
    }

    fn table(&self, dialect: &str, file: &str) -> String {
        let mut enums = BTreeMap::new();
        let rows: Vec<String> = self
            .operations(dialect)
            .iter()
            .map(|operation| operation.row(dialect, &mut enums))
            .collect();
        let all = format!(
            "{}{}",
            enums.values().cloned().collect::<String>(),
            rows.concat()
        );
        let words: BTreeSet<&str> = all.split(|c: char| !c.is_alphanumeric()).collect();
        let handles = HANDLES
            .iter()
            .map(|(_, handle)| *handle)
            .chain(["Attribute"]);
        let mut used: Vec<&str> = handles.filter(|handle| words.contains(handle)).collect();
        used.sort_unstable();
        let mut text = format!(
            "//! The dialect `{dialect}`. `tests/typed_operations.rs` writes this table from `{file}`.\n\n"
        );
        let _ = match used.as_slice() {
            [] => Ok(()),
            [one] => writeln!(text, "use crate::uniqued_handles::{one};\n"),
            several => writeln!(
                text,
                "use crate::uniqued_handles::{{{}}};\n",
                several.join(", ")
            ),
        };
        let enums: String = enums.into_values().collect();
        let rows = rows.concat();
        text + &enums + "crate::ops::rows::operations! {\n" + &rows + "}\n"
    }
}

struct Record<'a> {
    all: &'a Records,
    name: String,
    value: &'a Value,
}

/// A part of an operation: its name in ODS, and its constraint.
struct Part<'a> {
    name: String,
    constraint: Record<'a>,
}

impl<'a> Record<'a> {
    fn text(&self, field: &str) -> &'a str {
        self.value[field].as_str().unwrap_or_default()
    }

    fn is(&self, class: &str) -> bool {
        let classes = self.value["!superclasses"].as_array();
        classes.is_some_and(|classes| classes.iter().any(|one| one == class))
    }

    fn parts(&self, field: &str) -> Vec<Part<'a>> {
        let arguments = self.value[field]["args"].as_array().unwrap();
        let parts = arguments.iter().enumerate().map(|(index, argument)| Part {
            name: argument[1].as_str().map_or_else(
                || format!("{}{index}", field.trim_end_matches('s')),
                str::to_owned,
            ),
            constraint: self.all.of(&argument[0]),
        });
        parts.collect()
    }

    /// The traits, with those that a list of traits stands for.
    fn traits(&self) -> Vec<Record<'a>> {
        let all = self.value["traits"].as_array().into_iter().flatten();
        all.map(|one| self.all.of(one))
            .flat_map(|one| {
                let inner = one.traits();
                std::iter::once(one).chain(inner)
            })
            .collect()
    }

    fn count(&self) -> &'static str {
        let variadic = [
            "Variadic",
            "VariadicOfVariadic",
            "VariadicRegion",
            "VariadicSuccessor",
        ];
        if self.is("Optional") {
            "Optional"
        } else if variadic.iter().any(|class| self.is(class)) {
            "Variadic"
        } else {
            "One"
        }
    }

    /// Whether MLIR infers the types of the results, by its own rules. Those of an operation with regions may depend on what
    /// is inside, of which a new operation has nothing.
    fn infers(&self) -> bool {
        let results = self.parts("results");
        if results.is_empty() || !self.parts("regions").is_empty() {
            return false;
        }
        let traits = self.traits();
        let inferring = ["InferTypeOpInterface", "InferTypeOpAdaptor"];
        if traits.iter().any(|one| {
            inferring.contains(&one.text("cppInterfaceName"))
                || ["SameOperandsAndResultType", "FirstAttrDerivedResultType"]
                    .contains(&one.text("trait"))
        }) {
            return true;
        }
        if results
            .iter()
            .any(|result| result.constraint.count() != "One")
        {
            return false;
        }
        let arguments = self.parts("arguments");
        let single = arguments
            .iter()
            .filter(|part| part.constraint.count() == "One");
        let mut known: BTreeSet<&str> = single.map(|part| part.name.as_str()).collect();
        let built = results
            .iter()
            .filter(|result| !result.constraint.text("builderCall").is_empty());
        known.extend(built.map(|result| result.name.as_str()));
        loop {
            let before = known.len();
            for one in &traits {
                if one.is("TypesMatchWith") && known.contains(one.text("lhs")) {
                    known.insert(one.text("rhs"));
                }
                let same = one.value["values"].as_array().into_iter().flatten();
                let same: Vec<&str> = same.filter_map(Value::as_str).collect();
                if one.is("AllTypesMatch") && same.iter().any(|name| known.contains(name)) {
                    known.extend(same);
                }
            }
            if known.len() == before {
                break;
            }
        }
        results
            .iter()
            .all(|result| known.contains(result.name.as_str()))
    }

    /// The type of an attribute in Rust. An enumeration is added to `enums`.
    fn attribute_type(&self, dialect: &str, enums: &mut BTreeMap<String, String>) -> String {
        let base = self.all.of(&self.value["baseAttr"]);
        if !base.name.is_empty() {
            return base.attribute_type(dialect, enums);
        }
        if let Some((name, text)) = self.enumeration() {
            // A dialect that has another one's enumerations has its feature, too.
            let owner = self.text("attrName").split('.').next().unwrap_or_default();
            if owner != dialect && DIALECTS.iter().any(|(name, _)| *name == owner) {
                return format!("crate::ops::{owner}::{name}");
            }
            enums.insert(name.clone(), text);
            return name;
        }
        let handle = HANDLES
            .iter()
            .find(|(storage, _)| *storage == self.text("storageType").trim());
        format!(
            "{}<'ctx>",
            handle.map_or("Attribute", |(_, handle)| *handle)
        )
    }

    /// The definition of an enumeration with its name.
    fn enumeration(&self) -> Option<(String, String)> {
        let has_attribute = self.is("EnumAttr");
        if has_attribute
            && !self
                .text("assemblyFormat")
                .replace(' ', "")
                .contains("`<`$value`>`")
        {
            return None;
        }
        let is_integer = self.is("I32EnumAttr") || self.is("I64EnumAttr");
        if !has_attribute && !is_integer {
            return None;
        }
        let definition = if has_attribute {
            self.all.of(&self.value["enum"])
        } else {
            self.all.of(&serde_json::json!({ "def": self.name }))
        };
        let name = definition.text("className").to_owned();
        let cases = definition.value["enumerants"].as_array()?;
        let cases = cases.iter().map(|case| self.all.of(case));
        let mut text = format!("/// `{name}` of ODS.\n");
        let attribute = self.text("attrName");
        let mut text = if has_attribute && definition.is("BitEnumBase") {
            let separator = definition.text("separator");
            format!(
                "crate::ops::attribute::flags! {{\n    {text}    {name} {attribute:?} {separator:?} {{\n"
            )
        } else if has_attribute {
            format!("crate::ops::attribute::words! {{\n    {text}    {name} {attribute:?} {{\n")
        } else {
            let width = if self.is("I64EnumAttr") { "i64" } else { "i32" };
            text.insert_str(0, "    ");
            format!("crate::ops::attribute::integers! {{\n{text}    {name} {width} {{\n")
        };
        for case in cases {
            let (symbol, word) = (case.text("symbol"), case.text("str"));
            let value = case.value["value"].as_i64()?;
            let _ = match (has_attribute, definition.is("BitEnumBase")) {
                (true, true) => writeln!(
                    text,
                    "        {} = {value} {word:?},",
                    snake(symbol).to_uppercase()
                ),
                (true, false) => writeln!(text, "        {} = {word:?},", camel(symbol)),
                _ => writeln!(text, "        {} = {value},", camel(symbol)),
            };
        }
        text.push_str("    }\n}\n\n");
        Some((name, text))
    }

    fn row(&self, dialect: &str, enums: &mut BTreeMap<String, String>) -> String {
        let operation = self.text("opName");
        let arguments = self.parts("arguments");
        let is_attribute = |part: &&Part<'_>| part.constraint.is("Attr");
        let (attributes, operands): (Vec<&Part<'_>>, Vec<&Part<'_>>) =
            arguments.iter().partition(is_attribute);
        let is_left_out = |part: &Part<'_>| {
            part.constraint.value["isOptional"] == 1
                || part.constraint.value["defaultValue"].is_string()
        };
        let infers = self.infers();
        let (results, regions) = (self.parts("results"), self.parts("regions"));
        let successors = self.parts("successors");

        let mut given = Vec::new();
        if !infers {
            for result in &results {
                let name = snake(&result.name);
                let name = if name.ends_with("type") {
                    name
                } else {
                    format!("{name}_type")
                };
                given.push(format!("{name} {}Type", result.constraint.count()));
            }
        }
        for part in &arguments {
            let name = snake(&part.name);
            if !part.constraint.is("Attr") {
                given.push(format!("{name} {}", part.constraint.count()));
            } else if !is_left_out(part) {
                let type_ = match part.constraint.attribute_type(dialect, enums) {
                    handle if handle == "Attribute<'ctx>" => "any".to_owned(),
                    type_ => type_,
                };
                given.push(format!("{name} ({:?} {type_})", part.name));
            }
        }
        for part in &successors {
            given.push(format!(
                "{} {}Successor",
                snake(&part.name),
                part.constraint.count()
            ));
        }
        let mut fixed = 0;
        for part in &regions {
            if part.constraint.count() == "Variadic" {
                given.push(format!("{}_count Regions", snake(&part.name)));
            } else {
                fixed += 1;
            }
        }
        let attribute = |part: &Part<'_>, enums: &mut BTreeMap<String, String>| {
            let type_ = part.constraint.attribute_type(dialect, enums);
            format!("{} {:?} {type_},", snake(&part.name), part.name)
        };
        let mut setters = Vec::new();
        for part in attributes.iter().filter(|part| is_left_out(part)) {
            setters.push(attribute(part, enums));
        }
        let mut seen = Vec::new();
        for part in &attributes {
            seen.push(attribute(part, enums));
        }
        let groups = |parts: &[&Part<'_>]| {
            let all = parts.iter().enumerate().map(|(index, part)| {
                format!("{index} {} {}", snake(&part.name), part.constraint.count())
            });
            all.collect::<Vec<_>>().join(" ")
        };
        let all = |parts: &'_ [Part<'a>]| groups(&parts.iter().collect::<Vec<_>>());
        let traits = self.traits();
        let has = |name: &str| traits.iter().any(|one| one.text("trait") == name);
        let name = format!("{dialect}.{operation}");
        let braced = |parts: &[String]| match parts {
            [] => "{}".to_owned(),
            parts => format!("{{ {} }}", parts.join(" ")),
        };
        format!(
            "    {} {} {name:?}\n        {}\n        {}\n        regions {fixed} infers {infers} segments {} {}\n        \
             [{}] [{}] [{}] [{}]\n        [{}]\n",
            camel(operation),
            snake(operation),
            braced(&given),
            braced(&setters),
            has("AttrSizedOperandSegments"),
            has("AttrSizedResultSegments"),
            groups(&operands),
            all(&results),
            all(&regions),
            all(&successors),
            seen.join(" "),
        )
    }
}

/// A name in the form of functions.
fn snake(name: &str) -> String {
    let mut text = String::new();
    let mut before = '_';
    for char in name.chars() {
        if char == '.' || char == '_' {
            text.push('_');
        } else {
            if char.is_uppercase() && !before.is_uppercase() && before != '_' && before != '.' {
                text.push('_');
            }
            text.extend(char.to_lowercase());
        }
        before = char;
    }
    if TAKEN.contains(&text.as_str()) {
        text.push('_');
    }
    text
}

/// A name in the form of types.
fn camel(name: &str) -> String {
    name.split(['.', '_'])
        .flat_map(|word| {
            let mut chars = word.chars();
            chars
                .next()
                .into_iter()
                .flat_map(char::to_uppercase)
                .chain(chars)
                .collect::<Vec<_>>()
        })
        .collect()
}
