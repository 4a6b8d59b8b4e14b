//! Kinds of attributes, and the Python values that a constructor accepts for each in place of an attribute.

use std::collections::BTreeSet;

/// The kinds that the bundle's enums have builders for.
pub(super) struct Kinds {
    /// Builders that call `int`.
    by_number: BTreeSet<String>,
    /// Builders that call `str`.
    by_text: BTreeSet<String>,
}

impl Kinds {
    /// The kinds of the builders in these modules.
    pub(super) fn of<'a>(modules: impl Iterator<Item = &'a str>) -> Self {
        let mut found = Self {
            by_number: BTreeSet::new(),
            by_text: BTreeSet::new(),
        };
        for text in modules {
            let mut kind = None;
            for line in text.lines() {
                if let Some(rest) = line.strip_prefix("@register_attribute_builder(\"") {
                    kind = rest.split('"').next();
                } else if line.starts_with("    return ")
                    && let Some(kind) = kind.take()
                {
                    let into = if line.ends_with("int(x))") {
                        &mut found.by_number
                    } else {
                        &mut found.by_text
                    };
                    into.insert(kind.to_owned());
                }
            }
        }
        found
    }

    /// The name in `_ods_types.pyi` of the type of an argument that becomes an attribute of a kind.
    pub(super) fn type_of(&self, kind: &str) -> &'static str {
        if let Some((_, name)) = BUILTIN.iter().find(|(known, _)| *known == kind) {
            return name;
        }
        if self.by_number.contains(kind) {
            return "Int";
        }
        if self.by_text.contains(kind) {
            return "Case";
        }
        if let Some(width) = kind
            .trim_start_matches("SI")
            .trim_start_matches("UI")
            .trim_start_matches('I')
            .strip_suffix("Attr")
            && !width.is_empty()
            && width.bytes().all(|byte| byte.is_ascii_digit())
        {
            return "Int";
        }
        "Attr"
    }
}

/// The kinds that modules written by hand have builders for, except integers of some width.
const BUILTIN: [(&str, &str); 40] = [
    ("AffineMapArrayAttr", "AffineMaps"),
    ("AffineMapAttr", "AffineMap"),
    ("ArrayAttr", "Attrs"),
    ("BoolArrayAttr", "Bools"),
    ("BoolAttr", "Bool"),
    ("DenseBoolArrayAttr", "Bools"),
    ("DenseF32ArrayAttr", "Floats"),
    ("DenseF64ArrayAttr", "Floats"),
    ("DenseI16ArrayAttr", "Ints"),
    ("DenseI32ArrayAttr", "Ints"),
    ("DenseI64ArrayAttr", "Ints"),
    ("DenseI8ArrayAttr", "Ints"),
    ("DictArrayAttr", "Dicts"),
    ("DictionaryAttr", "Dict"),
    ("F32ArrayAttr", "Floats"),
    ("F32Attr", "Float"),
    ("F64ArrayAttr", "Floats"),
    ("F64Attr", "Float"),
    ("F64ElementsAttr", "Elements"),
    ("FlatSymbolRefArrayAttr", "Strs"),
    ("FlatSymbolRefAttr", "Str"),
    ("I32ArrayAttr", "Ints"),
    ("I32ElementsAttr", "Elements"),
    ("I64ArrayAttr", "Ints"),
    ("I64ElementsAttr", "Elements"),
    ("I64SmallVectorArrayAttr", "Ints"),
    ("IndexAttr", "Int"),
    ("IndexElementsAttr", "Elements"),
    ("IndexListArrayAttr", "IntLists"),
    ("IntegerSetAttr", "IntegerSet"),
    ("IteratorTypeArrayAttr", "Cases"),
    ("MemRefTypeAttr", "TypeOrAttr"),
    ("StrArrayAttr", "Strs"),
    ("StrAttr", "Str"),
    ("SymbolNameAttr", "Str"),
    ("SymbolRefArrayAttr", "Symbols"),
    ("SymbolRefAttr", "Symbol"),
    ("TypeArrayAttr", "TypesOrAttr"),
    ("TypeAttr", "TypeOrAttr"),
    ("VariadicityArrayAttr", "Cases"),
];
