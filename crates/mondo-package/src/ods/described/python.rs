//! A description as the text of a Python module.

use std::fmt::Write as _;

use super::{Attribute, Count, Description, Enum, Group, Operation, Slot};

const HEADER: &str = r#"
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_default_loc_context as _ods_get_default_loc_context
from ._ods_common import get_op_result_or_value as _get_op_result_or_value
from ._ods_common import get_op_results_or_values as _get_op_results_or_values
from ._ods_common import segmented_accessor as _ods_segmented_accessor

_ods_ir = _ods_cext.ir
_ods_cext.globals.register_traceback_file_exclusion(__file__)

import builtins
import enum as _enum
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
        for (index, part) in list.iter().enumerate() {
            let begin = if index == 0 {
                format!("\n\n    {what}:\n")
            } else {
                "\n".into()
            };
            let summary = docstring(&part.summary);
            let _ = write!(
                doc,
                "{begin}\n    ``{sigil}{name}.{}``: {summary}",
                part.name
            );
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
    if !dialect.enums.is_empty() {
        text.push_str(
            "\n\nfrom ..ir import register_attribute_builder as _register_attribute_builder\n",
        );
    }
    for one in &dialect.enums {
        enumeration(&mut text, one);
    }
    for operation in &dialect.operations {
        class(&mut text, name, operation);
        builder(&mut text, operation);
    }
    text
}

impl Attribute {
    fn may_be_left_out(&self) -> bool {
        self.optional || self.default
    }
}

impl Operation {
    /// The last group of regions, if it may have any number.
    fn open_regions(&self) -> Option<&Group> {
        let last = self.regions.last()?;
        (last.count == Count::Variadic).then_some(last)
    }
}

/// The parameter with the number of regions of a group.
fn count_of(group: &Group) -> String {
    format!("num_{}", python(&group.name))
}

/// True if an attribute says how many values each of the groups has.
fn has_segments(slots: &[Slot]) -> bool {
    slots.iter().filter(|slot| slot.count != Count::One).count() > 1
}

/// Appends the class of an enumeration and the function that makes attributes of its cases.
fn enumeration(text: &mut String, one: &Enum) {
    let (name, summary) = (&one.name, docstring(&one.summary));
    let _ = write!(
        text,
        "\n\nclass {name}(_enum.IntEnum):\n    \"\"\"{summary}\"\"\"\n\n"
    );
    for case in &one.cases {
        let _ = writeln!(text, "    {} = {}", python(&case.name), case.value);
    }
    text.push_str(
        "\n    def __str__(self) -> builtins.str:\n        return self.name.rstrip(\"_\")\n",
    );
    let _ = write!(
        text,
        "\n\n@_register_attribute_builder(\"{name}\", replace=True)\ndef _{lower}(value, context):\n    \
         if isinstance(value, builtins.str):\n        \
         value = {{str(case): case for case in {name}}}[value]\n    \
         return _ods_ir.IntegerAttr.get(_ods_ir.IntegerType.get_signless(32, context=context), int({name}(value)))\n",
        lower = name.to_lowercase()
    );
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
            let wanted = wanted.filter(move |attribute| attribute.may_be_left_out() == optional);
            wanted.map(|attribute| python(&attribute.name))
        };
        let mut positional = Vec::new();
        if !operation.infers {
            positional.extend(names(&operation.results));
        }
        positional.extend(names(&operation.operands));
        positional.extend(attributes(false));
        positional.extend(operation.successors.iter().map(|block| python(&block.name)));
        let mut keywords: Vec<_> = attributes(true).collect();
        // The number of regions of a group is not known from the other arguments.
        if let Some(group) = operation.open_regions() {
            keywords.push(count_of(group));
        }
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
    let regions = match operation.open_regions() {
        Some(_) => format!("({}, False)", operation.regions.len() - 1),
        None => format!("({}, True)", operation.regions.len()),
    };
    let _ = write!(
        text,
        "\n\n@_ods_cext.register_operation(_Dialect)\nclass {class}(_ods_ir.OpView):\n    \
         \"\"\"{summary}\"\"\"\n\n    OPERATION_NAME = \"{full}\"\n\n"
    );
    for (kind, slots) in [
        ("OPERAND", &operation.operands),
        ("RESULT", &operation.results),
    ] {
        if has_segments(slots) {
            let sizes = slots.iter().map(|slot| match slot.count {
                Count::One => "1",
                Count::Optional => "0",
                Count::Variadic => "-1",
            });
            let sizes: Vec<_> = sizes.collect();
            let _ = write!(
                text,
                "    _ODS_{kind}_SEGMENTS = [{}]\n\n",
                sizes.join(", ")
            );
        }
    }
    let _ = write!(
        text,
        "    _ODS_REGIONS = {regions}\n\n    \
         def __init__(self, {declared}):\n        operands = []\n        attributes = {{}}\n"
    );
    add_values(text, "operands", &operation.operands);
    text.push_str("        _ods_context = _ods_get_default_loc_context(loc)\n");
    for attribute in &operation.attributes {
        set_attribute(text, attribute);
    }
    if !operation.infers {
        text.push_str("        results = []\n");
        add_values(text, "results", &operation.results);
    }
    let successors = if operation.successors.is_empty() {
        "None"
    } else {
        text.push_str("        successors = []\n");
        for block in &operation.successors {
            let add = if block.count == Count::One {
                "append"
            } else {
                "extend"
            };
            let _ = writeln!(text, "        successors.{add}({})", python(&block.name));
        }
        "successors"
    };
    let regions = match operation.open_regions() {
        Some(group) => {
            let (fixed, count) = (operation.regions.len() - 1, count_of(group));
            format!("{fixed} + ({count} or 0)")
        }
        None => "None".to_owned(),
    };
    let _ = write!(
        text,
        "        super().__init__(\n            self.OPERATION_NAME,\n            \
         self._ODS_REGIONS,\n            self._ODS_OPERAND_SEGMENTS,\n            \
         self._ODS_RESULT_SEGMENTS,\n            attributes=attributes,\n            \
         results=results,\n            operands=operands,\n            successors={successors},\n            \
         regions={regions},\n            loc=loc,\n            ip=ip,\n        )\n",
    );
    slots(text, "operands", &operation.operands);
    for attribute in &operation.attributes {
        attribute_property(text, attribute);
    }
    slots(text, "results", &operation.results);
    for (index, region) in operation.regions.iter().enumerate() {
        part(
            text,
            "regions",
            index,
            region,
            ["_ods_ir.Region", "_ods_ir.RegionSequence"],
        );
    }
    for (index, block) in operation.successors.iter().enumerate() {
        part(
            text,
            "successors",
            index,
            block,
            ["_ods_ir.Block", "_ods_ir.OpSuccessors"],
        );
    }
}

/// Appends the code that puts the groups of `__init__` into the list.
fn add_values(text: &mut String, list: &str, slots: &[Slot]) {
    let segments = has_segments(slots);
    for slot in slots {
        let name = python(&slot.name);
        // A list for each group says how many values it has.
        let line = match (slot.count, list) {
            (Count::One, _) => format!("{list}.append({name})"),
            (Count::Optional, "operands") if segments => {
                format!(
                    "{list}.append(None if {name} is None else _get_op_result_or_value({name}))"
                )
            }
            (Count::Variadic, "operands") if segments => {
                format!("{list}.append(_get_op_results_or_values({name}))")
            }
            (Count::Variadic, "operands") => {
                format!("{list}.extend(_get_op_results_or_values({name}))")
            }
            (Count::Optional | Count::Variadic, _) if segments => format!("{list}.append({name})"),
            (Count::Optional, _) => {
                format!("if {name} is not None:\n            {list}.append({name})")
            }
            (Count::Variadic, _) => format!("{list}.extend({name})"),
        };
        let _ = writeln!(text, "        {line}");
    }
}

/// The property of a region or a successor.
fn part(text: &mut String, list: &str, index: usize, group: &Group, [one, many]: [&str; 2]) {
    let name = python(&group.name);
    let (returns, at) = if group.count == Count::One {
        (one, index.to_string())
    } else {
        (many, format!("{index}:"))
    };
    let body = format!("return self.operation.{list}[{at}]");
    let _ = write!(
        text,
        "\n    @builtins.property\n    def {name}(self) -> {returns}:\n        {body}\n"
    );
}

/// Appends the code that puts an argument of `__init__` into the dictionary of attributes. A plain Python value is
/// converted by the attribute builder that is registered for its kind.
fn set_attribute(text: &mut String, attribute: &Attribute) {
    let Attribute { name, builder, .. } = attribute;
    let argument = python(name);
    let mut indent = "        ".to_owned();
    if attribute.may_be_left_out() {
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
    let segments = has_segments(slots);
    let sizes = if list == "operands" {
        "operandSegmentSizes"
    } else {
        "resultSegmentSizes"
    };
    for (index, slot) in slots.iter().enumerate() {
        let name = python(&slot.name);
        let behind = slots.len() - index;
        let group = if segments {
            format!(
                "_ods_segmented_accessor(self.operation.{list}, self.operation.attributes[\"{sizes}\"], {index})"
            )
        } else if slot.count == Count::One {
            String::new()
        } else {
            let end = if behind == 1 {
                String::new()
            } else {
                format!("len(self.operation.{list}) - {}", behind - 1)
            };
            format!("self.operation.{list}[{index}:{end}]")
        };
        let (returns, body) = match slot.count {
            Count::One if segments => (one.to_owned(), vec![format!("return {group}[0]")]),
            Count::One => {
                let at = if behind_group {
                    format!("len(self.operation.{list}) - {behind}")
                } else {
                    index.to_string()
                };
                (
                    one.to_owned(),
                    vec![format!("return self.operation.{list}[{at}]")],
                )
            }
            Count::Optional => (
                format!("_Optional[{one}]"),
                vec![
                    format!("group = {group}"),
                    "return group[0] if len(group) > 0 else None".to_owned(),
                ],
            ),
            Count::Variadic => (many.to_owned(), vec![format!("return {group}")]),
        };
        property(text, &name, &returns, &slot.summary, &body);
        behind_group |= slot.count != Count::One;
    }
}

fn attribute_property(text: &mut String, attribute: &Attribute) {
    let Attribute { name, summary, .. } = attribute;
    let argument = python(name);
    let held = format!("self.operation.attributes[\"{name}\"]");
    let is_there = format!("\"{name}\" in self.operation.attributes");
    if !attribute.optional {
        property(
            text,
            &argument,
            "_ods_ir.Attribute",
            summary,
            &[format!("return {held}")],
        );
        let _ = write!(
            text,
            "\n    @{argument}.setter\n    def {argument}(self, value: _ods_ir.Attribute):\n        \
             if value is None:\n            \
             raise ValueError(\"'None' not allowed as value for mandatory attributes\")\n        \
             {held} = value\n"
        );
        return;
    }
    property(
        text,
        &argument,
        "_Optional[_ods_ir.Attribute]",
        summary,
        &[format!("return {held} if {is_there} else None")],
    );
    let _ = write!(
        text,
        "\n    @{argument}.setter\n    def {argument}(self, value: _Optional[_ods_ir.Attribute]):\n        \
         if value is not None:\n            {held} = value\n        elif {is_there}:\n            \
         del {held}\n\n    @{argument}.deleter\n    def {argument}(self):\n        del {held}\n"
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
        [one] if one.count == Count::One => (
            "_ods_ir.OpResult".to_owned(),
            format!("    return {call}.results[0]\n"),
        ),
        several if several.iter().all(|result| result.count == Count::One) => (
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
