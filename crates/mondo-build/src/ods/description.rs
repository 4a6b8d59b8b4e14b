//! Python classes of dialects that are defined in Rust: their definitions are in the section
//! `.mondo.dialect` of the bundle's staticlib, as JSON, and are read from there without running
//! anything. What the keys mean is documented in `crates/mondo-dialect/src/description.rs`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use camino::Utf8Path;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};
use serde::Deserialize;

use crate::collect;
use crate::error::{Error, ErrorKind, Result};

/// The section of an object file with descriptions, one line each.
const SECTION: &str = ".mondo.dialect";

/// The version of the format that this crate reads.
const FORMAT: u32 = 1;

/// A dialect's description.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Description {
    mondo_dialect: u32,
    pub(super) name: String,
    summary: String,
    operations: Vec<Operation>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Operation {
    name: String,
    summary: String,
    operands: Vec<Slot>,
    results: Vec<Slot>,
    attributes: Vec<Attribute>,
    infers: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Slot {
    name: String,
    variadic: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Attribute {
    name: String,
    builder: String,
    optional: bool,
}

/// The descriptions in a static archive, by the dialects' names.
pub(super) fn read(archive: &Utf8Path) -> Result<BTreeMap<String, Description>> {
    let unreadable = |error: object::read::Error| {
        Error::new(ErrorKind::Archive, "an archive cannot be read")
            .at(archive)
            .caused_by(error)
    };
    let map = collect::map(archive)?;
    let file = ArchiveFile::parse(&*map).map_err(unreadable)?;
    let mut found = BTreeMap::new();
    for member in file.members() {
        let member = member.map_err(unreadable)?;
        let data = member.data(&*map).map_err(unreadable)?;
        // An archive of Rust also has members that are no object files.
        let Ok(object) = object::File::parse(data) else {
            continue;
        };
        let sections = object.sections();
        for section in sections.filter(|section| section.name() == Ok(SECTION)) {
            let bytes = section.data().map_err(unreadable)?;
            for description in parse(bytes).map_err(|error| error.at(archive))? {
                found.insert(description.name.clone(), description);
            }
        }
    }
    Ok(found)
}

fn parse(bytes: &[u8]) -> Result<Vec<Description>> {
    let wrong = |why: String| {
        Error::new(
            ErrorKind::Compile,
            format!("the section {SECTION} of a dialect in Rust makes no sense"),
        )
        .because(why)
        .help("build the dialect with the mondo-dialect of this mondo")
    };
    // Between the descriptions of two crates the linker may leave zeros.
    let lines = bytes
        .split(|byte| *byte == b'\n')
        .map(|line| line.trim_ascii_start())
        .map(|line| &line[line.iter().take_while(|byte| **byte == 0).count()..])
        .filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let one: Description =
                serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
            if one.mondo_dialect != FORMAT {
                return Err(wrong(format!(
                    "`{}` is of format {}, and this mondo reads {FORMAT}",
                    one.name, one.mondo_dialect
                )));
            }
            Ok(one)
        })
        .collect()
}

const HEAD: &str = r#"
from __future__ import annotations

from ._ods_common import _cext as _ods_cext
from ._ods_common import (
    equally_sized_accessor as _ods_equally_sized_accessor,
    get_default_loc_context as _ods_get_default_loc_context,
    get_op_results_or_values as _ods_get_op_results_or_values,
    get_op_result_or_op_results as _ods_get_op_result_or_op_results,
)

_ods_ir = _ods_cext.ir
_ods_cext.globals.register_traceback_file_exclusion(__file__)


def _ods_attribute(value, builder, context):
    if isinstance(value, _ods_ir.Attribute) or not _ods_ir.AttrBuilder.contains(builder):
        return value
    return _ods_ir.AttrBuilder.get(builder)(value, context=context)


@_ods_cext.register_dialect
class _Dialect(_ods_ir.Dialect):
"#;

impl Description {
    /// The module of the dialect's operations.
    pub(super) fn module(&self) -> String {
        let mut text = format!("{}\n{HEAD}", docstring("", &self.summary));
        // Writing to a String cannot fail.
        let _ = writeln!(text, "    DIALECT_NAMESPACE = {:?}", self.name);
        for operation in &self.operations {
            operation.class(&self.name, &mut text);
            operation.function(&mut text);
        }
        text
    }
}

impl Operation {
    /// `constant` is `ConstantOp`, `to_base` is `ToBaseOp`.
    fn class_name(&self) -> String {
        let parts = self.name.split(['_', '.']).filter(|part| !part.is_empty());
        let camel = parts.map(|part| part[..1].to_ascii_uppercase() + &part[1..]);
        format!("{}Op", camel.collect::<String>())
    }

    fn has_group(&self) -> bool {
        self.results.iter().any(|result| result.variadic)
    }

    /// What the constructor takes, in the order of mlir-tblgen: result types unless they are inferred,
    /// operands and what must be there, then by name what may be left out.
    fn parameters(&self) -> (Vec<String>, Vec<String>) {
        let mut positional = Vec::new();
        if !self.infers {
            positional.extend(self.results.iter().map(|result| identifier(&result.name)));
        }
        positional.extend(
            self.operands
                .iter()
                .map(|operand| identifier(&operand.name)),
        );
        let required = self.attributes.iter().filter(|it| !it.optional);
        positional.extend(required.map(|it| identifier(&it.name)));
        let mut named: Vec<String> = self
            .attributes
            .iter()
            .filter(|it| it.optional)
            .map(|it| identifier(&it.name))
            .collect();
        if self.infers {
            named.push("results".into());
        }
        named.extend(["loc".into(), "ip".into()]);
        (positional, named)
    }

    fn class(&self, dialect: &str, text: &mut String) {
        let (positional, named) = self.parameters();
        let mut line = |depth: usize, words: &str| {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}{words}", "    ".repeat(depth));
        };
        line(0, "\n\n@_ods_cext.register_operation(_Dialect)");
        line(0, &format!("class {}(_ods_ir.OpView):", self.class_name()));
        line(0, &format!("{}\n", docstring("    ", &self.summary)));
        line(1, &format!("OPERATION_NAME = \"{dialect}.{}\"", self.name));
        line(1, "_ODS_REGIONS = (0, True)\n");
        let own = positional.iter().map(String::as_str);
        let parameters: Vec<&str> = ["self"].into_iter().chain(own).chain(["*"]).collect();
        let named: Vec<String> = named.iter().map(|name| format!("{name}=None")).collect();
        let (parameters, named) = (parameters.join(", "), named.join(", "));
        line(1, &format!("def __init__({parameters}, {named}):"));
        line(2, "context = _ods_get_default_loc_context(loc)");
        line(2, "operands = []");
        for operand in &self.operands {
            let name = identifier(&operand.name);
            if operand.variadic {
                line(
                    2,
                    &format!("operands.extend(_ods_get_op_results_or_values({name}))"),
                );
            } else {
                line(2, &format!("operands.append({name})"));
            }
        }
        line(2, "attributes = {}");
        for attribute in &self.attributes {
            let name = identifier(&attribute.name);
            let value = format!("_ods_attribute({name}, {:?}, context)", attribute.builder);
            let set = format!("attributes[{:?}] = {value}", attribute.name);
            if attribute.optional {
                line(2, &format!("if {name} is not None:"));
                line(3, &set);
            } else {
                line(2, &set);
            }
        }
        if !self.infers {
            line(2, "results = []");
            for result in &self.results {
                let name = identifier(&result.name);
                let how = if result.variadic { "extend" } else { "append" };
                line(2, &format!("results.{how}({name})"));
            }
        }
        line(2, "super().__init__(");
        line(
            3,
            "self.OPERATION_NAME, self._ODS_REGIONS, self._ODS_OPERAND_SEGMENTS,",
        );
        line(
            3,
            "self._ODS_RESULT_SEGMENTS, attributes=attributes, results=results,",
        );
        line(
            3,
            "operands=operands, successors=None, regions=None, loc=loc, ip=ip,",
        );
        line(2, ")");
        for (slots, list, kind) in [
            (&self.operands, "operands", "_ods_ir.Value"),
            (&self.results, "results", "_ods_ir.OpResult"),
        ] {
            for (index, slot) in slots.iter().enumerate() {
                line(0, "\n    @property");
                let kind = if slot.variadic {
                    format!("list[{kind}]")
                } else {
                    kind.to_owned()
                };
                line(
                    1,
                    &format!("def {}(self) -> {kind}:", identifier(&slot.name)),
                );
                let at = place(slots, index);
                let value = format!("self.operation.{list}[{at}]");
                line(2, &format!("return {value}"));
            }
        }
        for attribute in &self.attributes {
            let (name, key) = (identifier(&attribute.name), &attribute.name);
            line(0, "\n    @property");
            if attribute.optional {
                line(1, &format!("def {name}(self) -> _ods_ir.Attribute | None:"));
                line(2, &format!("if {key:?} not in self.operation.attributes:"));
                line(3, "return None");
            } else {
                line(1, &format!("def {name}(self) -> _ods_ir.Attribute:"));
            }
            line(2, &format!("return self.operation.attributes[{key:?}]"));
            line(0, &format!("\n    @{name}.setter"));
            line(1, &format!("def {name}(self, value):"));
            if attribute.optional {
                line(2, "if value is None:");
                line(3, &format!("if {key:?} in self.operation.attributes:"));
                line(4, &format!("del self.operation.attributes[{key:?}]"));
                line(3, "return");
            } else {
                line(2, "if value is None:");
                line(
                    3,
                    "raise ValueError(\"'None' not allowed as value for mandatory attributes\")",
                );
            }
            line(2, &format!("self.operation.attributes[{key:?}] = value"));
        }
    }

    /// The function that builds the operation and returns its result, its results, or itself.
    fn function(&self, text: &mut String) {
        let (positional, named) = self.parameters();
        let own = positional.iter().map(String::as_str);
        let parameters: Vec<&str> = own.chain(["*"]).collect();
        let defaults: Vec<String> = named.iter().map(|name| format!("{name}=None")).collect();
        let passed: Vec<String> = positional
            .iter()
            .chain(&named)
            .map(|name| format!("{name}={name}"))
            .collect();
        let call = format!("{}({})", self.class_name(), passed.join(", "));
        let value = match (self.results.as_slice(), self.has_group()) {
            ([one], false) => format!("{call}.{}", identifier(&one.name)),
            ([], _) => call,
            _ => format!("_ods_get_op_result_or_op_results({call})"),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "\n\ndef {}({}, {}):\n    return {value}",
            identifier(&self.name.replace('.', "_")),
            parameters.join(", "),
            defaults.join(", "),
        );
    }
}

/// Where a slot's values are among all of its sort; a group takes what the others leave.
fn place(slots: &[Slot], index: usize) -> String {
    let group = slots.iter().position(|slot| slot.variadic);
    match group {
        Some(group) if group == index => match slots.len() - index - 1 {
            0 => format!("{index}:"),
            after => format!("{index}:-{after}"),
        },
        Some(group) if group < index => format!("-{}", slots.len() - index),
        _ => index.to_string(),
    }
}

/// A name that Python takes: keywords and the constructor's own words get an underscore.
fn identifier(name: &str) -> String {
    let own = [
        "self",
        "loc",
        "ip",
        "results",
        "context",
        "operands",
        "attributes",
    ];
    let reserved = crate::manifest::names::is_keyword(name) || own.contains(&name);
    format!("{name}{}", if reserved { "_" } else { "" })
}

fn docstring(indent: &str, summary: &str) -> String {
    let text = summary.trim().replace('\\', "\\\\").replace('"', "\\\"");
    let text = text.replace('\n', &format!("\n{indent}"));
    format!("{indent}\"\"\"{text}\"\"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"mondo-dialect":1,"name":"t","summary":"A \"t\".","types":[],"attributes":[],"operations":[{"name":"much_more","summary":"All.","operands":[{"name":"in","summary":"","variadic":false},{"name":"rest","summary":"","variadic":true},{"name":"last","summary":"","variadic":false}],"results":[{"name":"out","summary":"","variadic":false}],"attributes":[{"name":"value","summary":"","builder":"F64Attr","optional":false},{"name":"note","summary":"","builder":"","optional":true}],"infers":true},{"name":"two","summary":"","operands":[],"results":[{"name":"a","summary":"","variadic":false},{"name":"b","summary":"","variadic":true}],"attributes":[],"infers":false}]}"#;

    #[test]
    fn lines_of_several_crates_are_read() {
        let text = format!("{LINE}\n\0\0{}\n", LINE.replace("\"t\"", "\"u\""));
        let names: Vec<String> = parse(text.as_bytes())
            .unwrap()
            .into_iter()
            .map(|one| one.name)
            .collect();
        assert_eq!(names, ["t", "u"]);
        let later = LINE.replace("dialect\":1", "dialect\":2");
        let error = parse(later.as_bytes()).unwrap_err();
        assert!(error.to_string().contains("format 2"), "{error}");
        assert!(parse(b"{}\n").is_err());
    }

    #[test]
    fn places_count_from_the_side_without_the_group() {
        let one = &parse(LINE.as_bytes()).unwrap()[0].operations[0];
        let places: Vec<String> = (0..3).map(|at| place(&one.operands, at)).collect();
        assert_eq!(places, ["0", "1:-1", "-1"]);
    }

    #[test]
    fn the_module_is_python() {
        let text = parse(LINE.as_bytes()).unwrap()[0].module();
        insta::assert_snapshot!(text, @"");
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("module.py");
        fs_err::write(&path, text).unwrap();
        let parse = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
        crate::exec::Tool::new("python3", "parse the module")
            .args(["-c", parse])
            .arg(&path)
            .output()
            .unwrap();
    }
}
