//! Generated Python classes of types and attributes, which call the C functions that were generated from the same
//! ODS.

use std::fmt::Write as _;

use mondo_link::compile::{DataClass, DialectData, Kind, Parameter};
use mondo_plan::names::is_keyword;

/// The name of the module with a dialect's classes.
pub(super) fn module(dialect: &str) -> String {
    format!("_{dialect}_data_gen")
}

/// Names that the base classes define.
const OWN_NAMES: &[&str] = &[
    "context",
    "get",
    "get_static_typeid",
    "isinstance",
    "maybe_downcast",
    "static_typeid",
    "type_name",
    "typeid",
];

/// The module's text. `enums` is the text of the module with the dialect's enums, if it has one.
pub(super) fn text(data: &DialectData, enums: Option<&str>) -> String {
    let dialect = &data.dialect;
    let mut text = format!(
        "# Written by mondo from ODS.\n\"\"\"Types and attributes of the `{dialect}` dialect.\"\"\"\n\n\
         from __future__ import annotations\n\nfrom collections.abc import Sequence as _Sequence\n\
         from typing import Any as _Any\n\nfrom .. import ir as _ir\nfrom . import _data_classes as _data\n"
    );
    if enums.is_some() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "from . import _{dialect}_enum_gen as _enums");
    }
    text.push_str("\n__all__ = [\n");
    for class in &data.classes {
        let _ = writeln!(text, "    \"{}\",", class.name);
    }
    text.push_str("]\n");
    let names = Names { enums };
    for class in &data.classes {
        names.class(&mut text, class);
    }
    text
}

/// The names that annotations and forms may use.
struct Names<'a> {
    enums: Option<&'a str>,
}

impl Names<'_> {
    fn class(&self, text: &mut String, class: &DataClass) {
        let (base, is) = if class.is_type {
            ("DataType", "type")
        } else {
            ("DataAttribute", "attribute")
        };
        let summary = documentation(match class.summary.as_str() {
            "" => &class.mnemonic,
            summary => summary,
        });
        let _ = write!(
            text,
            "\n\n@_data.register\nclass {name}(_data.{base}):\n    \"\"\"{summary}",
            name = class.name
        );
        if let (true, Some(odd)) = (class.has_builder, class.unsupported()) {
            let _ = write!(
                text,
                "\n\n    It has no `get`: the C API has no form for `{}`, of the C++ type `{}`.\n    ",
                odd.name,
                odd.cpp.replace('"', "'")
            );
        } else if !class.has_builder {
            let _ = write!(
                text,
                "\n\n    It has no `get`: C++ has builders of its own for this {is}.\n    "
            );
        }
        let _ = write!(
            text,
            "\"\"\"\n\n    type_name = \"{}\"\n    _prefix = \"{}\"\n    _forms = {{\n",
            class.mnemonic, class.prefix
        );
        let known = || {
            let parameters = class.parameters.iter();
            parameters.filter_map(|parameter| Some((parameter, parameter.kind.as_ref()?)))
        };
        for (parameter, kind) in known() {
            let form = self.form(kind, parameter.default.is_some());
            let _ = writeln!(text, "        \"{}\": {form},", parameter.name);
        }
        text.push_str("    }\n");
        if class.can_be_made() {
            self.get(text, class);
        }
        if !class.has_accessors {
            return;
        }
        for (parameter, kind) in known() {
            let mut annotation = self.annotation(kind, true);
            // Each attribute has a `type`, which is never null.
            if parameter.default.is_some()
                && matches!(kind, Kind::Type | Kind::Attribute)
                && parameter.name != "type"
            {
                annotation.push_str(" | None");
            }
            let _ = write!(
                text,
                "\n    @property\n    def {}(self) -> {annotation}:\n        \"\"\"The parameter \
                 `{name}`.\"\"\"\n        return self._parameter(\"{name}\")\n",
                python_name(parameter),
                name = parameter.name
            );
        }
    }

    fn get(&self, text: &mut String, class: &DataClass) {
        // Parameters that may be left out come last in Python where none after them is needed.
        let optional = |parameter: &Parameter| {
            parameter.default.is_some()
                && matches!(parameter.kind, Some(Kind::Type | Kind::Attribute))
        };
        let last_needed = class
            .parameters
            .iter()
            .rposition(|parameter| !optional(parameter));
        let _ = writeln!(text, "\n    @classmethod\n    def get(\n        cls,");
        for (index, parameter) in class.parameters.iter().enumerate() {
            let Some(kind) = &parameter.kind else {
                continue;
            };
            let mut annotation = self.annotation(kind, false);
            if optional(parameter) {
                annotation.push_str(" | None");
                if last_needed.is_none_or(|last| index > last) {
                    annotation.push_str(" = None");
                }
            }
            let _ = writeln!(text, "        {}: {annotation},", python_name(parameter));
        }
        let names: String = class
            .parameters
            .iter()
            .map(|parameter| format!(", {}", python_name(parameter)))
            .collect();
        let _ = write!(
            text,
            "        context: _ir.Context | None = None,\n        loc: _ir.Location | None = None,\n    ) -> \
             {}:\n        \"\"\"Makes one of its parameters.\"\"\"\n        return cls._make(loc, \
             context{names})\n",
            class.name
        );
    }

    /// The enum's class, if the bundle has one.
    fn enum_class(&self, class: &str) -> Option<String> {
        let has = self.enums?.contains(&format!("class {class}("));
        has.then(|| format!("_enums.{class}"))
    }

    fn form(&self, kind: &Kind, optional: bool) -> String {
        let handle = |cls: &str| match optional {
            true => format!("_data.Handle(_ir.{cls}, optional=True)"),
            false => format!("_data.Handle(_ir.{cls})"),
        };
        match kind {
            Kind::Bool => "_data.Bool()".to_owned(),
            Kind::Integer { bits, signed } => {
                let signed = if *signed { "True" } else { "False" };
                format!("_data.Integer({bits}, {signed})")
            }
            Kind::Float => "_data.Float()".to_owned(),
            Kind::String => "_data.Text()".to_owned(),
            Kind::Type => handle("Type"),
            Kind::Attribute => handle("Attribute"),
            Kind::Enum { class, .. } => {
                let class = self.enum_class(class).unwrap_or_else(|| "None".to_owned());
                format!("_data.Enum({class})")
            }
            Kind::Array(inner, _) => format!("_data.Array({})", self.form(inner, false)),
        }
    }

    /// The annotation of a parameter, or of what is returned of it.
    fn annotation(&self, kind: &Kind, returned: bool) -> String {
        match kind {
            Kind::Bool => "bool".to_owned(),
            Kind::Integer { .. } => "int".to_owned(),
            Kind::Float => "float".to_owned(),
            Kind::String => "str".to_owned(),
            Kind::Type => "_ir.Type".to_owned(),
            Kind::Attribute => "_ir.Attribute".to_owned(),
            Kind::Enum { class, .. } => match self.enum_class(class) {
                Some(class) if returned => class,
                Some(class) => format!("{class} | int"),
                None => "int".to_owned(),
            },
            Kind::Array(inner, _) => {
                let inner = self.annotation(inner, returned);
                let sequence = if returned { "list" } else { "_Sequence" };
                format!("{sequence}[{inner}]")
            }
        }
    }
}

fn python_name(parameter: &Parameter) -> String {
    let name = parameter.name.as_str();
    if is_keyword(name) || OWN_NAMES.contains(&name) || name == "loc" {
        return format!("{name}_");
    }
    name.to_owned()
}

/// One line that can be part of a documentation string.
fn documentation(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.replace('\\', "\\\\").replace('"', "'");
    match text.ends_with('.') || text.is_empty() {
        true => text,
        false => format!("{text}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, cpp: &str, kind: Option<Kind>) -> Parameter {
        Parameter {
            name: name.to_owned(),
            cpp: cpp.to_owned(),
            kind,
            default: None,
        }
    }

    fn class(parameters: Vec<Parameter>) -> DialectData {
        DialectData {
            dialect: "toy".to_owned(),
            header: "mondo-c/toy_data.h".to_owned(),
            classes: vec![DataClass {
                name: "TagAttr".to_owned(),
                is_type: false,
                cpp: "::toy::TagAttr".to_owned(),
                namespace: "toy".to_owned(),
                mnemonic: "toy.tag".to_owned(),
                summary: "A \"tag\"".to_owned(),
                parameters,
                has_builder: true,
                infers_context: false,
                verified: true,
                has_accessors: true,
                prefix: "mondoToyTagAttr".to_owned(),
            }],
        }
    }

    #[test]
    fn a_class_has_its_parameters() {
        let color = Kind::Enum {
            class: "Color".to_owned(),
            symbolize: "::toy::symbolizeColor".to_owned(),
        };
        let shape = Kind::Array(Box::new(Kind::Type), "Type".to_owned());
        let mut last = parameter("type", "::mlir::Type", Some(Kind::Type));
        last.default = Some("::mlir::NoneType::get(context)".to_owned());
        let data = class(vec![
            parameter("color", "::toy::Color", Some(color)),
            parameter("from", "ArrayRef<Type>", Some(shape)),
            last,
        ]);
        let with_enums = text(&data, Some("class Color(IntEnum):"));
        for line in [
            "class TagAttr(_data.DataAttribute):\n    \"\"\"A 'tag'.\"\"\"\n",
            "\"color\": _data.Enum(_enums.Color),",
            "\"from\": _data.Array(_data.Handle(_ir.Type)),",
            "        color: _enums.Color | int,\n        from_: _Sequence[_ir.Type],\n        type: _ir.Type | None = None,\n",
            "return cls._make(loc, context, color, from_, type)",
            "def from_(self) -> list[_ir.Type]:",
        ] {
            assert!(with_enums.contains(line), "{line}\n{with_enums}");
        }
        let without = text(&data, None);
        assert!(
            without.contains("_data.Enum(None)") && !without.contains("_enums"),
            "{without}"
        );
    }

    #[test]
    fn what_cannot_be_given_is_said() {
        let odd = parameter("odd", "::toy::Odd", None);
        let text = text(&class(vec![odd]), None);
        assert!(
            text.contains("no form for `odd`, of the C++ type `::toy::Odd`"),
            "{text}"
        );
        assert!(!text.contains("def get"), "{text}");
    }
}
