//! A description as the text of a Python module.

use std::fmt::Write as _;

use super::{Attribute, Description, Operation, Slot};

const HEADER: &str = r#"
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_default_loc_context as _ods_get_default_loc_context
from ._ods_common import get_op_results_or_values as _get_op_results_or_values

_ods_ir = _ods_cext.ir
_ods_cext.globals.register_traceback_file_exclusion(__file__)

import builtins
from typing import Optional as _Optional
from typing import Sequence as _Sequence
from typing import Union as _Union
"#;

/// Names that Python itself or the base classes of the generated classes use.
const RESERVED: &[&str] = &[
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "attributes",
    "builtins",
    "context",
    "create",
    "get_asm",
    "ip",
    "loc",
    "location",
    "name",
    "operands",
    "operation",
    "parent",
    "print",
    "regions",
    "results",
    "self",
    "successors",
    "verify",
];

/// The name in Python.
fn python(name: &str) -> String {
    let name = name.replace('.', "_");
    if RESERVED.contains(&name.as_str()) {
        name + "_"
    } else {
        name
    }
}

/// The class of an operation: `dot_product` is `DotProductOp`.
fn class_name(operation: &str) -> String {
    let mut class = String::new();
    for part in operation.split(['_', '.']) {
        let mut chars = part.chars();
        class.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        class.push_str(chars.as_str());
    }
    class + "Op"
}

/// A text between triple quotes.
fn docstring(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The module with the classes of the dialect's operations, `_<dialect>_ops_gen`.
#[must_use]
pub fn module(dialect: &Description) -> String {
    let Description { name, summary, .. } = dialect;
    let mut text =
        format!("\"\"\"The operations of `{name}`, made from their definitions.\"\"\"\n");
    text.push_str(HEADER);
    let mut doc = docstring(summary);
    for (what, sigil, list) in [
        ("Types", '!', &dialect.types),
        ("Attributes", '#', &dialect.attributes),
    ] {
        for (index, it) in list.iter().enumerate() {
            let begin = if index == 0 {
                format!("\n\n    {what}:\n")
            } else {
                "\n".into()
            };
            let summary = docstring(&it.summary);
            let _ = write!(doc, "{begin}\n    ``{sigil}{name}.{}``: {summary}", it.name);
        }
    }
    if doc.contains('\n') {
        doc.push_str("\n    ");
    }
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "\n\n@_ods_cext.register_dialect\nclass _Dialect(_ods_ir.Dialect):\n    \
         \"\"\"{doc}\"\"\"\n\n    DIALECT_NAMESPACE = \"{name}\"\n"
    );
    for operation in &dialect.operations {
        class(&mut text, name, operation);
        builder(&mut text, operation);
    }
    text
}

/// The parameters of `__init__`, in order.
struct Arguments {
    positional: Vec<String>,
    keywords: Vec<String>,
}

impl Arguments {
    fn of(operation: &Operation) -> Self {
        let names = |slots: &[Slot]| {
            slots
                .iter()
                .map(|slot| python(&slot.name))
                .collect::<Vec<_>>()
        };
        let attributes = |optional| {
            let wanted = operation.attributes.iter();
            let wanted = wanted.filter(move |attribute| attribute.optional == optional);
            wanted.map(|attribute| python(&attribute.name))
        };
        let mut positional = Vec::new();
        if !operation.infers {
            positional.extend(names(&operation.results));
        }
        positional.extend(names(&operation.operands));
        positional.extend(attributes(false));
        let mut keywords: Vec<_> = attributes(true).collect();
        if operation.infers {
            keywords.push("results".into());
        }
        keywords.extend(["loc", "ip"].map(String::from));
        Self {
            positional,
            keywords,
        }
    }

    fn declared(&self) -> String {
        let keywords = self.keywords.iter().map(|name| format!("{name}=None"));
        let star = std::iter::once("*".to_owned());
        let all = self.positional.iter().cloned().chain(star).chain(keywords);
        all.collect::<Vec<_>>().join(", ")
    }

    fn passed_on(&self) -> String {
        let all = self.positional.iter().chain(&self.keywords);
        let all = all.map(|name| format!("{name}={name}"));
        all.collect::<Vec<_>>().join(", ")
    }
}

fn class(text: &mut String, dialect: &str, operation: &Operation) {
    let class = class_name(&operation.name);
    let full = format!("{dialect}.{}", operation.name);
    let summary = docstring(&operation.summary);
    let declared = Arguments::of(operation).declared();
    let _ = write!(
        text,
        "\n\n@_ods_cext.register_operation(_Dialect)\nclass {class}(_ods_ir.OpView):\n    \
         \"\"\"{summary}\"\"\"\n\n    OPERATION_NAME = \"{full}\"\n\n    _ODS_REGIONS = (0, True)\n\n    \
         def __init__(self, {declared}):\n        operands = []\n        attributes = {{}}\n"
    );
    for operand in &operation.operands {
        let name = python(&operand.name);
        let line = if operand.variadic {
            format!("operands.extend(_get_op_results_or_values({name}))")
        } else {
            format!("operands.append({name})")
        };
        let _ = writeln!(text, "        {line}");
    }
    text.push_str("        _ods_context = _ods_get_default_loc_context(loc)\n");
    for attribute in &operation.attributes {
        set_attribute(text, attribute);
    }
    if !operation.infers {
        text.push_str("        results = []\n");
        for result in &operation.results {
            let name = python(&result.name);
            let add = if result.variadic { "extend" } else { "append" };
            let _ = writeln!(text, "        results.{add}({name})");
        }
    }
    text.push_str(
        "        super().__init__(\n            self.OPERATION_NAME,\n            \
         self._ODS_REGIONS,\n            self._ODS_OPERAND_SEGMENTS,\n            \
         self._ODS_RESULT_SEGMENTS,\n            attributes=attributes,\n            \
         results=results,\n            operands=operands,\n            successors=None,\n            \
         regions=None,\n            loc=loc,\n            ip=ip,\n        )\n",
    );
    slots(text, "operands", &operation.operands);
    for attribute in &operation.attributes {
        attribute_property(text, attribute);
    }
    slots(text, "results", &operation.results);
}

/// Appends the code that puts an argument of `__init__` into the dictionary of attributes. A plain Python value is
/// converted by the attribute builder that is registered for its kind.
fn set_attribute(text: &mut String, attribute: &Attribute) {
    let Attribute {
        name,
        builder,
        optional,
        ..
    } = attribute;
    let argument = python(name);
    let mut indent = "        ".to_owned();
    if *optional {
        let _ = writeln!(text, "{indent}if {argument} is not None:");
        indent.push_str("    ");
    }
    if builder.is_empty() {
        let _ = writeln!(text, "{indent}attributes[\"{name}\"] = {argument}");
        return;
    }
    let _ = write!(
        text,
        "{indent}attributes[\"{name}\"] = (\n{indent}    {argument}\n{indent}    \
         if isinstance({argument}, _ods_ir.Attribute)\n{indent}    \
         or not _ods_ir.AttrBuilder.contains(\"{builder}\")\n{indent}    \
         else _ods_ir.AttrBuilder.get(\"{builder}\")({argument}, context=_ods_context)\n{indent})\n"
    );
}

fn property(text: &mut String, name: &str, returns: &str, doc: &str, body: &[String]) {
    let doc = docstring(doc);
    let _ = write!(
        text,
        "\n    @builtins.property\n    def {name}(self) -> {returns}:\n        \
         \"\"\"Must be {doc}.\"\"\"\n"
    );
    for line in body {
        let _ = writeln!(text, "        {line}");
    }
}

/// The properties of operands or results.
fn slots(text: &mut String, list: &str, slots: &[Slot]) {
    let (one, many) = if list == "operands" {
        ("_ods_ir.Value", "_ods_ir.OpOperandList")
    } else {
        ("_ods_ir.OpResult", "_ods_ir.OpResultList")
    };
    let mut behind_group = false;
    for (index, slot) in slots.iter().enumerate() {
        let name = python(&slot.name);
        let behind = slots.len() - index;
        if slot.variadic {
            let end = if behind == 1 {
                String::new()
            } else {
                format!("len(self.operation.{list}) - {}", behind - 1)
            };
            let body = format!("return self.operation.{list}[{index}:{end}]");
            property(text, &name, many, &slot.summary, &[body]);
            behind_group = true;
            continue;
        }
        let at = if behind_group {
            format!("len(self.operation.{list}) - {behind}")
        } else {
            index.to_string()
        };
        let body = format!("return self.operation.{list}[{at}]");
        property(text, &name, one, &slot.summary, &[body]);
    }
}

fn attribute_property(text: &mut String, attribute: &Attribute) {
    let Attribute { name, summary, .. } = attribute;
    let argument = python(name);
    let there = format!("self.operation.attributes[\"{name}\"]");
    let is_there = format!("\"{name}\" in self.operation.attributes");
    if !attribute.optional {
        property(
            text,
            &argument,
            "_ods_ir.Attribute",
            summary,
            &[format!("return {there}")],
        );
        let _ = write!(
            text,
            "\n    @{argument}.setter\n    def {argument}(self, value: _ods_ir.Attribute):\n        \
             if value is None:\n            \
             raise ValueError(\"'None' not allowed as value for mandatory attributes\")\n        \
             {there} = value\n"
        );
        return;
    }
    property(
        text,
        &argument,
        "_Optional[_ods_ir.Attribute]",
        summary,
        &[format!("return {there} if {is_there} else None")],
    );
    let _ = write!(
        text,
        "\n    @{argument}.setter\n    def {argument}(self, value: _Optional[_ods_ir.Attribute]):\n        \
         if value is not None:\n            {there} = value\n        elif {is_there}:\n            \
         del {there}\n\n    @{argument}.deleter\n    def {argument}(self):\n        del {there}\n"
    );
}

/// Appends the function that builds an operation and returns the operation, its result or the list of its results, by
/// the number of results.
fn builder(text: &mut String, operation: &Operation) {
    let class = class_name(&operation.name);
    let function = python(&operation.name);
    let arguments = Arguments::of(operation);
    let (declared, passed) = (arguments.declared(), arguments.passed_on());
    let call = format!("{class}({passed})");
    let (returns, body) = match operation.results.as_slice() {
        [] => (class, format!("    return {call}\n")),
        [one] if !one.variadic => (
            "_ods_ir.OpResult".to_owned(),
            format!("    return {call}.results[0]\n"),
        ),
        several if several.iter().all(|result| !result.variadic) => (
            "_ods_ir.OpResultList".to_owned(),
            format!("    return {call}.results\n"),
        ),
        _ => (
            format!("_Union[_ods_ir.OpResult, _ods_ir.OpResultList, {class}]"),
            format!(
                "    op = {call}\n    results = op.results\n    \
                 return results if len(results) > 1 else (results[0] if len(results) == 1 else op)\n"
            ),
        ),
    };
    let _ = write!(text, "\n\ndef {function}({declared}) -> {returns}:\n{body}");
}
