//! Types and attributes as ODS describes them, with the parameters that can cross a C API.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::records::{self, Record};

/// A type or an attribute of a dialect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataClass {
    /// Its C++ name, which is that of the Python class: `TagAttr`.
    pub name: String,
    /// True for a type, false for an attribute.
    pub is_type: bool,
    /// Its qualified C++ name.
    pub cpp: String,
    /// The namespace of its dialect, without the leading colons; empty for the global one.
    pub namespace: String,
    /// Its name in MLIR: `toy.tag`.
    pub mnemonic: String,
    /// One line about it.
    pub summary: String,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// True if C++ has a function that makes it of its parameters.
    pub has_builder: bool,
    /// True if that function takes the context from a parameter.
    pub infers_context: bool,
    /// True if C++ checks the parameters.
    pub verified: bool,
    /// True if C++ has a function that returns each parameter.
    pub has_accessors: bool,
    /// The beginning of the names of its C functions: `mondoToyTagAttr`.
    pub prefix: String,
}

/// A parameter of a type or of an attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name in ODS.
    pub name: String,
    /// Its C++ type.
    pub cpp: String,
    /// The form in which it crosses the C API. `None` if the C API has no form for its C++ type.
    pub kind: Option<Kind>,
    /// The C++ expression for a type or an attribute that is not given; `context` is the context.
    pub default: Option<String>,
}

/// The form in which a parameter crosses the C API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// `bool`.
    Bool,
    /// An integer of so many bits.
    Integer {
        /// Its width in bits.
        bits: u32,
        /// True if it has a sign.
        signed: bool,
    },
    /// A floating-point number. An `llvm::APFloat` crosses the C API in double precision.
    Float,
    /// A text.
    String,
    /// A type.
    Type,
    /// An attribute.
    Attribute,
    /// A value of an enum.
    Enum {
        /// The name of its Python class.
        class: String,
        /// The C++ function that turns a number into a value, or into nothing.
        symbolize: String,
    },
    /// An array of one of the other kinds; an array of arrays cannot cross the C API. The text is the C++ type of the
    /// elements.
    Array(Box<Kind>, String),
}

impl DataClass {
    /// The first parameter that cannot cross the C API.
    #[must_use]
    pub fn unsupported(&self) -> Option<&Parameter> {
        self.parameters
            .iter()
            .find(|parameter| parameter.kind.is_none())
    }

    /// True if there is a C function that makes it.
    #[must_use]
    pub fn can_be_made(&self) -> bool {
        self.has_builder && self.unsupported().is_none()
    }
}

/// The types and attributes of `dialect` in the output of `mlir-tblgen --print-records`, sorted by name.
pub(super) fn classes(printed: &str, dialect: &str) -> Vec<DataClass> {
    let records = records::records(printed);
    let enums = enums(&records);
    let mut found: BTreeMap<String, DataClass> = BTreeMap::new();
    for record in records.values() {
        let is_type = record.is("TypeDef");
        if !is_type && !record.is("AttrDef") {
            continue;
        }
        let owner = record.field("dialect").and_then(|field| records.get(field));
        let Some(owner) = owner.filter(|record| record.text("name").as_deref() == Some(dialect))
        else {
            continue;
        };
        let (Some(name), Some(cpp)) = (record.text("cppClassName"), record.text("cppType")) else {
            continue;
        };
        let parameters = record.field("parameters").map(records::arguments);
        let parameters = parameters.unwrap_or_default().into_iter();
        let parameters: Vec<Parameter> = parameters
            .map(|(value, name)| parameter(value, name, &records, &enums))
            .collect();
        let builder = own_builder(record, &parameters, &records);
        let default = !record.bit("skipDefaultBuilders");
        let namespace = owner.text("cppNamespace").unwrap_or_default();
        let mnemonic = record.text("mnemonic").unwrap_or_default();
        let one = DataClass {
            prefix: format!("mondo{}{name}", camel(dialect)),
            is_type,
            cpp,
            namespace: namespace.trim_start_matches("::").to_owned(),
            mnemonic: match mnemonic.as_str() {
                "" => record
                    .text(if is_type { "typeName" } else { "attrName" })
                    .unwrap_or_default(),
                mnemonic => format!("{dialect}.{mnemonic}"),
            },
            summary: record.text("summary").unwrap_or_default(),
            parameters,
            has_builder: default || builder.is_some(),
            infers_context: !default && builder == Some(true),
            verified: record.bit("genVerifyDecl"),
            has_accessors: record.bit("genAccessors"),
            name,
        };
        found.insert(one.name.clone(), one);
    }
    found.into_values().collect()
}

/// Looks for a builder that the ODS class itself declares and that takes exactly the class's parameters. Returns none
/// if there is no such builder, and otherwise true if it takes the context from one of the parameters.
fn own_builder(
    record: &Record<'_>,
    parameters: &[Parameter],
    records: &BTreeMap<&str, Record<'_>>,
) -> Option<bool> {
    let list = record.field("builders")?;
    let names = list.trim_matches(['[', ']']).split(',');
    let mut builders = names.filter_map(|name| records.get(name.trim()));
    let fits = |builder: &&Record<'_>| {
        let taken = builder.field("dagParams").map(records::arguments);
        let taken: Vec<&str> = taken
            .unwrap_or_default()
            .into_iter()
            .map(|row| row.0)
            .collect();
        taken.len() == parameters.len()
            && taken
                .iter()
                .zip(parameters)
                .all(|(taken, parameter)| plain(taken.trim_matches('"')) == plain(&parameter.cpp))
    };
    let builder = builders.find(fits)?;
    Some(builder.bit("hasInferredContextParam"))
}

/// A C++ type without the namespaces of LLVM and MLIR.
fn plain(cpp: &str) -> String {
    let plain = cpp.replace("mlir::", "").replace("llvm::", "");
    plain
        .replace("::", " ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join("::")
}

/// The enums, by their qualified C++ names without the leading colons.
fn enums(records: &BTreeMap<&str, Record<'_>>) -> BTreeMap<String, Kind> {
    let enums = records.values().filter_map(|record| {
        let class = record.text("className")?;
        let symbolize = record.text("underlyingToSymbolFnName")?;
        let namespace = record.text("cppNamespace").unwrap_or_default();
        let namespace = namespace.trim_start_matches("::");
        let qualified = match namespace {
            "" => class.clone(),
            namespace => format!("{namespace}::{class}"),
        };
        let symbolize = match namespace {
            "" => format!("::{symbolize}"),
            namespace => format!("::{namespace}::{symbolize}"),
        };
        Some((qualified, Kind::Enum { class, symbolize }))
    });
    enums.collect()
}

fn parameter(
    value: &str,
    name: &str,
    records: &BTreeMap<&str, Record<'_>>,
    enums: &BTreeMap<String, Kind>,
) -> Parameter {
    let name = name.to_owned();
    if let Some(cpp) = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
    {
        return Parameter {
            name,
            kind: kind(cpp, enums),
            cpp: cpp.to_owned(),
            default: None,
        };
    }
    let Some(record) = records.get(value) else {
        return Parameter {
            name,
            cpp: value.to_owned(),
            kind: None,
            default: None,
        };
    };
    let cpp = record.text("cppType").unwrap_or_default();
    let handle = if record.is("TypeDef") {
        Some(Kind::Type)
    } else if record.is("AttrDef") {
        Some(Kind::Attribute)
    } else {
        None
    };
    let default = record.text("defaultValue").filter(|text| !text.is_empty());
    let default = default.map(|text| text.replace("$_ctxt", "context"));
    Parameter {
        name,
        kind: handle.or_else(|| kind(&cpp, enums)),
        cpp,
        default: default.filter(|text| !text.contains('$')),
    }
}

/// The form of a C++ type.
fn kind(cpp: &str, enums: &BTreeMap<String, Kind>) -> Option<Kind> {
    let plain = cpp.trim().trim_start_matches("::");
    if let Some(found) = enums.get(plain) {
        return Some(found.clone());
    }
    for array in ["llvm::ArrayRef<", "mlir::ArrayRef<", "ArrayRef<"] {
        let Some(element) = plain
            .strip_prefix(array)
            .and_then(|rest| rest.strip_suffix('>'))
        else {
            continue;
        };
        return match kind(element, enums)? {
            Kind::Array(..) => None,
            inner => Some(Kind::Array(Box::new(inner), element.to_owned())),
        };
    }
    let plain = ["std::", "mlir::", "llvm::"]
        .iter()
        .fold(plain, |plain, namespace| {
            plain.strip_prefix(namespace).unwrap_or(plain)
        });
    let integer = |bits, signed| Some(Kind::Integer { bits, signed });
    match plain {
        "bool" => Some(Kind::Bool),
        "int8_t" => integer(8, true),
        "int16_t" => integer(16, true),
        "int" | "int32_t" => integer(32, true),
        "int64_t" | "long" | "ptrdiff_t" => integer(64, true),
        "uint8_t" => integer(8, false),
        "uint16_t" => integer(16, false),
        "unsigned" | "unsigned int" | "uint32_t" => integer(32, false),
        "uint64_t" | "size_t" | "unsigned long" => integer(64, false),
        "float" | "double" | "APFloat" => Some(Kind::Float),
        "StringRef" => Some(Kind::String),
        name if name.contains(['<', '&', '*', ' ']) || is_nested(name) => None,
        name if name.ends_with("Type") || name.ends_with("TypeInterface") => Some(Kind::Type),
        name if ["Attr", "Attribute", "AttrInterface"]
            .iter()
            .any(|end| name.ends_with(end)) =>
        {
            Some(Kind::Attribute)
        }
        _ => None,
    }
}

/// True for the name of a type inside of a class: `CharacterType::LenType`. Namespaces begin with a small
/// letter.
fn is_nested(name: &str) -> bool {
    let outer = name.rsplit_once("::").map(|(outer, _)| outer);
    let last = outer.and_then(|name| name.rsplit("::").next());
    last.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// `CudaTile` for `cuda_tile`.
pub(super) fn camel(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut characters = word.chars();
        let first = characters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(characters).collect::<String>()
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "------------- Defs -----------------\n\
        def Toy_Dialect {\t// Dialect\n  string name = \"toy\";\n  string cppNamespace = \"::toy\";\n}\n\
        def Toy_Color {\t// EnumInfo\n  string className = \"Color\";\n  string cppNamespace = \"::toy\";\n  \
        string underlyingToSymbolFnName = \"symbolizeColor\";\n}\n\
        def Many {\t// AttrOrTypeParameter ArrayRefParameter\n  string cppType = \"::llvm::ArrayRef<int64_t>\";\n}\n\
        def Self {\t// AttributeSelfTypeParameter\n  string cppType = \"::mlir::Type\";\n  \
        string defaultValue = \"::mlir::NoneType::get($_ctxt)\";\n}\n\
        def Toy_Tag {\t// AttrOrTypeDef AttrDef\n  Dialect dialect = Toy_Dialect;\n  \
        string cppType = \"::toy::TagAttr\";\n  string cppClassName = \"TagAttr\";\n  \
        string mnemonic = \"tag\";\n  bit genAccessors = 1;\n  \
        dag parameters = (ins \"::toy::Color\":$color, Many:$shape, Self:$type, \"Odd\":$odd);\n}\n\
        def Other {\t// TypeDef\n  Dialect dialect = Other_Dialect;\n}\n";

    #[test]
    fn classes_of_a_dialect_are_found() {
        let found = classes(PRINTED, "toy");
        assert_eq!(found.len(), 1);
        let tag = &found[0];
        assert_eq!((tag.name.as_str(), tag.is_type), ("TagAttr", false));
        assert_eq!(tag.prefix, "mondoToyTagAttr");
        assert_eq!(tag.mnemonic, "toy.tag");
        assert_eq!(
            tag.unsupported().map(|parameter| parameter.name.as_str()),
            Some("odd")
        );
        assert!(!tag.can_be_made() && tag.has_accessors);
        let kinds: Vec<Option<Kind>> = tag
            .parameters
            .iter()
            .map(|parameter| parameter.kind.clone())
            .collect();
        assert!(matches!(&kinds[0], Some(Kind::Enum { class, symbolize })
            if class == "Color" && symbolize == "::toy::symbolizeColor"));
        assert!(matches!(&kinds[1], Some(Kind::Array(of, element))
            if **of == Kind::Integer { bits: 64, signed: true } && element == "int64_t"));
        assert_eq!(kinds[2], Some(Kind::Type));
        let default = tag.parameters[2].default.as_deref();
        assert_eq!(default, Some("::mlir::NoneType::get(context)"));
    }

    #[test]
    fn types_of_c_plus_plus_have_forms() {
        let of = |cpp| kind(cpp, &BTreeMap::new());
        assert_eq!(of("::mlir::FlatSymbolRefAttr"), Some(Kind::Attribute));
        assert_eq!(of("Type"), Some(Kind::Type));
        assert_eq!(of("::llvm::StringRef"), Some(Kind::String));
        assert_eq!(of("ArrayRef<ArrayRef<int>>"), None);
        assert_eq!(of("std::optional<int64_t>"), None);
        assert_eq!(of("::test::CustomParam"), None);
        assert_eq!(of("CharacterType::LenType"), None);
        assert_eq!(of("::toy::PairType"), Some(Kind::Type));
    }

    #[test]
    fn names_of_dialects_are_joined() {
        assert_eq!(camel("cuda_tile"), "CudaTile");
        assert_eq!(camel("toy"), "Toy");
    }
}
